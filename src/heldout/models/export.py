"""A fitted model in a language that needs no Heldout."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from heldout.errors import RequestError
from heldout.models.json_export import json_export
from heldout.models.onnx_export import onnx_export
from heldout.models.python_export import python_export
from heldout.models.sql_export import sql_export
from heldout.models.tree_answers import tree_answers

_FORMATS: dict[str, tuple[Callable[..., str | bytes], tuple[str, ...]]] = {
    "sql": (sql_export, ("table", "prefix", "max_length")),
    "python": (python_export, ()),
    "json": (json_export, ()),
    "onnx": (onnx_export, ("missing",)),
}


def export(model: Any, format: str, **options: Any) -> str | bytes:
    """The model as SQL, Python source, JSON or ONNX, with the same answers.

    Classes are the same, probabilities to 1e-12, also for missing values and for categories that were
    never seen. What a format cannot say exactly is refused.

    model:      a fitted TreeClassifier or TreeRegressor
    format:     "sql" (a SELECT), "python" (a program without imports), "json", or "onnx" (bytes; needs
                the extra `heldout[onnx]`)
    table:      "sql": the table's name, or a tuple of schema and name; "data" if it is not given
    prefix:     "sql": put before the names of the columns that are added
    max_length: "sql": the most letters that the statement may have; 1,000,000 if it is not given
    missing:    "onnx": "refuse" for a model that stops with an error where a tree would split a row with
                an unknown value among its branches, which ONNX cannot; without it such a tree is refused

    >>> from heldout import TreeClassifier
    >>> tree = TreeClassifier(min_leaf=1).fit([[20.0], [40.0]], ["young", "old"])
    >>> program = {}
    >>> exec(export(tree, "python"), program)
    >>> program["predict"]({"x0": 35})
    'old'
    """
    if format not in _FORMATS:
        near = get_close_matches(str(format).casefold(), _FORMATS, n=1)
        raise RequestError(
            f"format must be {', '.join(map(repr, _FORMATS))}",
            where=f"export(..., {format!r})",
            fix=f"did you mean {near[0]!r}?" if near else "use one of these",
        )
    write, allowed = _FORMATS[format]
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise RequestError(
            f"{unknown[0]} is not an option of the format {format!r}",
            where=f"export(..., {format!r}, {unknown[0]}=...)",
            fix=f"use {', '.join(allowed)}" if allowed else "leave it out",
        )
    return write(tree_answers(model, f"export(..., {format!r})"), **options)
