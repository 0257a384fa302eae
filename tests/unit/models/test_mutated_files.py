"""Files changed at random: each is refused or makes a model that can be used, and nothing crashes.

HELDOUT_MUTATIONS says how many; `make sanitize` and `make fuzz` with 20,000 are the long runs.
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
from heldout.models.model_file import MANIFEST

from .learner_samples import KINDS as LEARNERS
from .learner_samples import samples
from .model_samples import (
    edited_array,
    edited_manifest,
    members_of,
    saved_bytes,
    used_without_a_crash,
)
from .transformer_samples import KINDS as TRANSFORMERS
from .transformer_samples import transformer_samples

KINDS = [*LEARNERS, *TRANSFORMERS]

EXPLORES = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
N_MUTATIONS = int(os.environ.get("HELDOUT_MUTATIONS", "20000" if EXPLORES else "3000"))
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
    arrays = [name for name in members_of(content) if name.endswith(".npy")]
    if not arrays:
        return json_changed(draw, content)
    for name in draw.sample(arrays, min(len(arrays), draw.randint(1, 2))):
        content = edited_array(content, name, lambda array: with_odd_entries(draw, array))
    return content


def with_odd_entries(draw: random.Random, array: np.ndarray) -> None:
    """One to three entries become odd numbers that their type can hold."""
    entries = array.reshape(-1)
    for _ in range(draw.randint(1, 3) if len(entries) else 0):
        value = draw.choice(ODD_FLOATS if array.dtype.kind == "f" else [*ODD_NUMBERS, *entries[:20].tolist()])
        if array.dtype.kind in "iu":
            limits = np.iinfo(array.dtype)
            value = min(max(value, limits.min), limits.max)
        with np.errstate(over="ignore"):
            entries[draw.randrange(len(entries))] = value


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


def models_of(kind: str) -> list[Any]:
    """The models whose files are changed."""
    found = samples(kind) if kind in LEARNERS else transformer_samples(kind)
    return [model for model, _ in found.values()]


MUTATIONS = [flipped, cut, member_changed, array_changed, json_changed]


@pytest.mark.slow
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_mutations_do_no_harm(kind: str, mutate: Any, tmp_path: Path) -> None:
    """A changed file meets a DataError of three parts, or gives a model that answers."""
    draw = random.Random(f"{kind} {mutate.__name__}" if not EXPLORES else None)
    files = [saved_bytes(model, tmp_path) for model in models_of(kind)]
    path = tmp_path / "mutated.model"
    n_refused = n_loaded = 0
    n_mutations = max(1, N_MUTATIONS // len(MUTATIONS) // len(KINDS))
    for _ in range(n_mutations):
        path.write_bytes(mutate(draw, draw.choice(files)))
        try:
            model = ho.load(path)
        except ho.DataError as error:
            n_refused += all((error.what, error.where, error.fix))
        else:
            n_loaded += refused_at_most(model)
    assert n_refused > 0
    assert n_refused + n_loaded == n_mutations


def refused_at_most(model: Any) -> bool:
    """The model answers, or refuses rows and requests as any model may: in three parts."""
    try:
        used_without_a_crash(model)
    except ho.HeldoutError as error:
        return all((error.what, error.where, error.fix))
    return True


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_samples_themselves_are_usable(kind: str, tmp_path: Path) -> None:
    """What is mutated loads before it is mutated, and can be used."""
    for model in models_of(kind):
        content = saved_bytes(model, tmp_path)
        assert MANIFEST in members_of(content)
        used_without_a_crash(ho.load(tmp_path / "a.model"))
