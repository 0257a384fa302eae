"""The path that `save` and `load` were given, or an error that says what a path is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from heldout.errors import KindError


def file_path(path: Any, caller: str) -> Path:
    """The path, if it is one.

    caller: the function that was given it

    >>> file_path("tennis.model", "ho.load").name
    'tennis.model'
    """
    if isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str):
        return Path(path)
    fix = "hand over the path as a string or a pathlib.Path"
    if hasattr(path, "read") or hasattr(path, "write"):
        fix += ", not an open file: a model file is read and written as a whole"
    elif isinstance(path, bytes):
        fix += ", such as os.fsdecode(...) of these bytes; a model in memory is written to a file first"
    raise KindError(
        f"a {type(path).__name__} is not the path of a model file", where=f"{caller}: {path!r:.60}", fix=fix
    )
