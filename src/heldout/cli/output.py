"""What commands print beside their screens: JSON, paths as one would type them, what takes a while."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from typing import Any

import click


def print_json(value: object) -> None:
    """Write a value to stdout as JSON that every reader takes: no NaN, and signs that the stream can hold."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    text = json.dumps(plain(value), indent=2, ensure_ascii=encoding != "utf8", allow_nan=False)
    sys.stdout.write(f"{text}\n")


def plain(value: object) -> Any:
    """The same as JSON can hold it; what is not a finite number becomes None."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return str(value)


# With fewer rows a fit takes a moment, and a line about it would only be in the way.
MANY_ROWS = 2_000


def say_fitting(name: str, n_rows: int, which: str) -> None:
    """Say on stderr that a model is being fitted, where that takes a while."""
    if n_rows >= MANY_ROWS:
        click.echo(f"heldout: fitting {name} on all {n_rows:,} {which}", err=True)


def near_path(path: str) -> str:
    """The path as one would type it here: from this folder where it lies below, else from the root."""
    here = os.path.join(os.getcwd(), "")
    return os.path.relpath(path) if os.path.abspath(path).startswith(here) else path
