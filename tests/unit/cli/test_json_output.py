"""JSON that every reader takes, whatever the facts hold and wherever they go."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from heldout.cli.output import plain, print_json


def test_values_of_numpy_and_paths_become_plain() -> None:
    """Numbers, arrays, tuples and paths are what JSON has; a number that is none becomes null."""
    found = plain(
        {"a": np.float64(0.5), "b": np.array([1, 2]), 3: (True, None), "p": Path("x"), "n": [float("nan")]}
    )
    assert found == {"a": 0.5, "b": [1, 2], "3": [True, None], "p": "x", "n": [None]}


@pytest.mark.parametrize(("encoding", "written"), [("utf-8", "größe"), ("ascii", "gr\\u00f6\\u00dfe")])
def test_letters_are_those_that_the_stream_has(
    monkeypatch: pytest.MonkeyPatch, encoding: str, written: str
) -> None:
    """UTF-8 gets letters as they are, every other stream their numbers; both are the same JSON."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    print_json({"name": "größe"})
    stream.flush()
    text = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert written in text
    assert json.loads(text) == {"name": "größe"}
