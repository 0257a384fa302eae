"""JSON for machines: the facts that the screen shows, as one object on stdout."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any


def print_json(value: Any) -> None:
    """Write a value to stdout as JSON that every reader takes: no NaN, and signs that the stream can hold.

    value: plain values, lists and dicts; numbers of NumPy and paths are turned into plain ones
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    text = json.dumps(plain(value), indent=2, ensure_ascii=encoding != "utf8", allow_nan=False)
    sys.stdout.write(f"{text}\n")


def plain(value: Any) -> Any:
    """The same as JSON can hold it; what is not a finite number becomes None.

    value: any nesting of mappings, sequences and scalars
    """
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
