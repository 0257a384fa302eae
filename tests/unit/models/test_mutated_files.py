"""Files changed at random: each is refused or makes a model that can be used, and nothing crashes.

HELDOUT_MUTATIONS says how many; `make sanitize` and `make fuzz` with 10,000 are the long runs.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models.model_archive import archive_bytes
from heldout.models.save_model import MANIFEST
from heldout.models.tree_record import ARRAYS

from .model_samples import (
    edited_array,
    edited_manifest,
    members_of,
    sample_models,
    saved_bytes,
    used_without_a_crash,
)

EXPLORES = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
N_MUTATIONS = int(os.environ.get("HELDOUT_MUTATIONS", "10000" if EXPLORES else "600"))
ODD = [
    None,
    True,
    -1,
    0,
    1,
    2,
    3,
    2**31,
    2**63,
    10**30,
    -0.0,
    0.5,
    1e308,
    "",
    "x",
    "a",
    [],
    {},
    [[]],
    {"float": "nan"},
]
ODD_NUMBERS = [-1, 0, 1, 2, 3, 5, 8, 127, 255, 2**31 - 1, -(2**31)]
ODD_FLOATS = [np.nan, np.inf, -np.inf, -1.0, 0.0, -0.0, 1.0, 5e-324, 1e308, 18_200.0]


def flipped(draw: random.Random, content: bytes) -> bytes:
    """One to four bytes anywhere in the file are others."""
    changed = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        changed[draw.randrange(len(changed))] ^= draw.randint(1, 255)
    return bytes(changed)


def cut(draw: random.Random, content: bytes) -> bytes:
    """A stretch of the file is gone, or stands there twice."""
    begin = draw.randrange(len(content))
    end = draw.choice([len(content), min(len(content), begin + draw.randint(1, 200))])
    return content[:begin] + content[end:] if draw.random() < 0.7 else content[:end] + content[begin:]


def member_changed(draw: random.Random, content: bytes) -> bytes:
    """A member has other bytes, or more or fewer, with a right checksum."""
    members = members_of(content)
    name = draw.choice(list(members))
    mutate = draw.choice([flipped, cut])
    return archive_bytes({**members, name: mutate(draw, members[name])})


def array_changed(draw: random.Random, content: bytes) -> bytes:
    """Some entries of one or two arrays are odd numbers."""
    if "tree/feature.npy" not in members_of(content):
        return json_changed(draw, content)
    for name in draw.sample(list(ARRAYS), draw.randint(1, 2)):
        dtype = np.dtype(ARRAYS[name])

        def change(array: np.ndarray, dtype: np.dtype = dtype) -> None:
            for _ in range(draw.randint(1, 3) if len(array) else 0):
                limits = None if dtype.kind == "f" else np.iinfo(dtype)
                value = draw.choice(ODD_FLOATS if limits is None else [*ODD_NUMBERS, *array.tolist()[:20]])
                array[draw.randrange(len(array))] = (
                    value if limits is None else min(max(value, limits.min), limits.max)
                )

        content = edited_array(content, name, change, ARRAYS[name])
    return content


def json_changed(draw: random.Random, content: bytes) -> bytes:
    """Somewhere in the JSON is another value, a key more or a key less."""

    def change(manifest: Any) -> None:
        here = manifest
        while True:
            keys = list(here) if isinstance(here, dict) else list(range(len(here)))
            if not keys:
                return
            key = draw.choice(keys)
            if isinstance(here[key], dict | list) and draw.random() < 0.85:
                here = here[key]
                continue
            if draw.random() < 0.2:
                del here[key]
            elif draw.random() < 0.2 and isinstance(here, list):
                here.append(here[key])
            else:
                here[key] = json.loads(json.dumps(draw.choice(ODD)))
            return

    return edited_manifest(content, change)


MUTATIONS = [flipped, cut, member_changed, array_changed, json_changed]


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_mutations_do_no_harm(mutate: Any, tmp_path: Path) -> None:
    """A changed file meets a DataError of three parts, or gives a model that answers."""
    draw = random.Random(mutate.__name__ if not EXPLORES else None)
    files = [saved_bytes(model, tmp_path) for model in sample_models().values()]
    path = tmp_path / "mutated.model"
    n_refused = n_loaded = 0
    n_mutations = max(1, N_MUTATIONS // len(MUTATIONS))
    for _ in range(n_mutations):
        path.write_bytes(mutate(draw, draw.choice(files)))
        try:
            model = ho.load(path)
        except ho.DataError as error:
            n_refused += all((error.what, error.where, error.fix))
        else:
            used_without_a_crash(model)
            n_loaded += 1
    assert n_refused > 0
    assert n_refused + n_loaded == n_mutations


def test_the_samples_themselves_are_usable(tmp_path: Path) -> None:
    """What is mutated loads before it is mutated, and can be used."""
    for model in sample_models().values():
        content = saved_bytes(model, tmp_path)
        assert MANIFEST in members_of(content)
        used_without_a_crash(ho.load(tmp_path / "a.model"))
