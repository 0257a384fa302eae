"""What may be handed over as documents: strings in a row, None or NaN for a missing one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from heldout.errors import DataError, KindError
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.describe import shortened

_ADVICE = "hand over a list of strings, one for each document"


def given_documents(X: Any) -> list[str]:
    """The documents of a list, a 1-D array, a Series or a Column; a missing one is empty.

    >>> given_documents(["Yes.", None])
    ['Yes.', '']
    """
    if isinstance(X, str | bytes):
        raise KindError(
            "Iterable over raw text documents expected, string object received",
            where=f"X is {shortened(repr(X), 40)}, whose characters would be documents",
            fix="put it into a list: [X]",
        )
    if isinstance(X, Column):
        return column_documents(X)
    if len(getattr(X, "shape", (0,))) != 1:
        raise DataError(
            "documents come one after the other, and this has another shape",
            where=f"X is a {type(X).__name__} of shape {X.shape}",
            fix="hand over one column of it, or a frame whose text columns are named by columns=[…]",
        )
    return whole_documents(_listed(X), "")


def column_documents(column: Column) -> list[str]:
    """The documents of a text, or of a category or identifier whose words are meant."""
    if column.kind in (*NUMERIC_KINDS, "boolean"):
        raise KindError(
            f"column '{column.name}' is {column.kind}, and holds no documents",
            where=f"{len(column)} rows",
            fix="hand over a column of kind text",
        )
    values = column.labels() if column.kind in LEVEL_KINDS else column.values.tolist()
    return whole_documents(values, column.name)


def whole_documents(values: Sequence[Any], name: str) -> list[str]:
    """The values, if they are strings, with an empty one for each that is missing.

    name: of their column, or "" if they are in none
    """
    if set(map(type, values)) <= {str}:
        return list(values)
    documents = ["" if _is_missing(value) else value for value in values]
    for row, document in enumerate(documents, start=1):
        if not isinstance(document, str):
            n_others = sum(not isinstance(each, str) for each in documents)
            raise KindError(
                "documents must be strings",
                where=_in_column(name)
                + f"{n_others} of {len(documents)} rows, first row {row}, a {type(document).__name__}:"
                f" {shortened(repr(document), 40)}",
                fix="turn them into strings first, or leave them out; a missing document is None",
            )
    return [str(document) for document in documents]


def refuse_surrogates(documents: Sequence[str], name: str) -> None:
    """Raise if a document has half a pair of surrogates, which is no character and has no bytes."""
    bad = [row for row, document in enumerate(documents, start=1) if not _has_bytes(document)]
    if bad:
        raise DataError(
            "a document has a lone surrogate, which is no character",
            where=_in_column(name) + f"{len(bad)} of {len(documents)} rows, first row {bad[0]}",
            fix='decode the bytes that it came from again, or use text.encode("utf-8", "replace").decode()',
        )


def _listed(X: Any) -> list[Any]:
    for method in ("tolist", "to_list", "to_pylist"):  # NumPy and pandas, polars, Arrow
        if hasattr(X, method):
            return list(getattr(X, method)())
    if not isinstance(X, Iterable) or isinstance(X, Mapping | AbstractSet):
        raise KindError("X holds no documents", where=f"X is a {type(X).__name__}", fix=_ADVICE)
    return list(X)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _has_bytes(document: str) -> bool:
    try:
        document.encode()
    except UnicodeEncodeError:
        return False
    return True


def _in_column(name: str) -> str:
    return f"column '{name}', " if name else ""
