"""What may be handed over as documents: strings in a row, None or NaN for a missing one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.transformer_inputs import Entry, entry_after_fit, entry_at_fit
from heldout.inputs.array_checks import has_kinds, is_sparse, refuse_foreign
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.text.words import plural, shorten
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.features.bag_of_words import BagOfWords

_ADVICE = "hand over a list of strings, one for each document"


def given_documents(X: TableLike) -> list[str]:
    """The documents of a list, a 1-D array, a Series or a Column; a missing one is empty."""
    if isinstance(X, str | bytes):
        raise InputTypeError(
            "Iterable over raw text documents expected, string object received",
            where=f"X is {shorten(repr(X), 40)}, whose characters would be documents",
            fix="put it into a list: [X]",
        )
    if isinstance(X, Column):
        return column_documents(X)
    shape = getattr(X, "shape", (0,))
    if len(shape) != 1:
        raise DataError(
            "documents come one after the other, and this has another shape",
            where=f"X is a {type(X).__name__} of shape {shape}",
            fix="hand over one column of it, or a frame whose text columns are named by columns=[…]",
        )
    return whole_documents(_listed(X), "")


def column_documents(column: Column) -> list[str]:
    """The documents of a text, or of a category or identifier whose words are meant."""
    if column.kind in (*NUMERIC_KINDS, "boolean"):
        raise InputTypeError(
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
            raise InputTypeError(
                "documents must be strings",
                where=_in_column(name)
                + f"{n_others} of {len(documents)} rows, first row {row}, a {type(document).__name__}:"
                f" {shorten(repr(document), 40)}",
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


def _listed(X: TableLike) -> list[Any]:
    for method in ("tolist", "to_list", "to_pylist"):  # NumPy and pandas, polars, Arrow
        if hasattr(X, method):
            return list(getattr(X, method)())
    if not isinstance(X, Iterable) or isinstance(X, Mapping | AbstractSet):
        raise InputTypeError("X holds no documents", where=f"X is a {type(X).__name__}", fix=_ADVICE)
    return list(X)


def _is_missing(value: object) -> bool:
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


# The form of an Entry whose only column are documents that came without a table.
DOCUMENTS = "documents"


def text_entry_at_fit(bag: BagOfWords, X: TableLike) -> Entry:
    """X at fit; of a table or frame also sets `n_features_in_` and `feature_names_in_`."""
    if _is_table(X):
        return entry_at_fit(bag, X)
    entry = _of_documents(X)
    if bag.columns is not None:
        raise RequestError(
            "documents are no table, so they have no columns to name",
            where=f"BagOfWords(columns={bag.columns!r:.60}), X is a {type(X).__name__}",
            fix="leave columns out, or hand over a table or a frame",
        )
    if entry.n_rows == 0:
        raise DataError(
            "there are no documents to learn words from",
            where=f"X is an empty {type(X).__name__}",
            fix="hand over one document at least",
        )
    for name in ("n_features_in_", "feature_names_in_"):
        bag.__dict__.pop(name, None)
    return entry


def text_entry_after_fit(bag: BagOfWords, X: TableLike) -> Entry:
    """X after fit, in the form that it had there."""
    is_table = _is_table(X)
    if is_table == bag.takes_documents_:
        learned_from = "documents" if is_table else "a table"
        raise InputTypeError(
            f"X is a {type(X).__name__}, and the words were learned from {learned_from}",
            where="BagOfWords after fit",
            fix="hand over its text column, such as X['review']" if is_table else "hand over a table",
        )
    if bag.takes_documents_:
        return _of_documents(X)
    return entry_after_fit(bag, X, bag.inputs_)


def with_texts(entry: Entry, chosen: NDArray[np.intp]) -> Entry:
    """The same with the chosen columns as texts: levels of a category would be the documents themselves."""
    columns, known = list(entry.columns), list(entry.schema.columns)
    for index in chosen.tolist():
        column = columns[index]
        if column.kind != "text":
            values = np.array(column.labels(), dtype=object)
            columns[index] = Column(column.name, "text", values, reason=column.reason)
        known[index] = InputColumn(column.name, "text")
    return replace(entry, schema=InputSchema(tuple(known)), given=tuple(columns))


def refuse_no_text(entry: Entry) -> None:
    """Raise for a table in which no column is a text."""
    words = [column.name for column in entry.schema.columns if column.kind in ("category", "identifier")]
    listed = ", ".join(f"'{shorten(name, 24)}'" for name in words[:5])
    raise DataError(
        "there is no column of kind text to make words of",
        where=plural(len(entry.schema.columns), "column")
        + (f", of which {listed} may hold texts, read as categories or identifiers" if words else ""),
        fix=f"name them: BagOfWords(columns=[{words[0]!r}])"
        if words
        else "leave the step out, or read a column as text with read_table(..., kinds={...: 'text'})",
    )


def _is_table(X: TableLike) -> bool:
    return not _is_list(X) and has_kinds(X)


def _is_list(X: TableLike) -> bool:
    """What needs no further look, which for one document would take longer than its words."""
    return isinstance(X, list | tuple) and not (len(X) and isinstance(X[0], Mapping))


def _of_documents(X: TableLike) -> Entry:
    if isinstance(X, Column):
        documents = column_documents(X)
    elif _is_list(X) or X is None or isinstance(X, str):
        documents = given_documents(X)  # which says what is wrong with the last two
    else:
        refuse_foreign(X)
        if is_sparse(X):
            raise InputTypeError(
                "X is a sparse matrix, and holds no documents",
                where=f"shape {X.shape}",
                fix="hand over the texts themselves",
            )
        documents = given_documents(X)
    values = np.empty(len(documents), dtype=object)
    values[:] = documents
    column = Column(DOCUMENTS, "text", values)
    return Entry(DOCUMENTS, InputSchema((InputColumn(DOCUMENTS, "text"),)), (column,))


def least_documents(min_count: float, n_documents: int) -> int:
    """The smallest number of documents that keeps a word."""
    if isinstance(min_count, Integral):
        return min(int(min_count), n_documents + 1)
    return math.ceil(_share(min_count, "min_count") * n_documents)


def most_documents(max_count: float | None, n_documents: int) -> int:
    """The largest number of documents that keeps a word; a negative count is all documents but so many."""
    if max_count is None:
        return n_documents
    if isinstance(max_count, Integral):
        count = int(max_count)
        return min(count, n_documents) if count > 0 else max(n_documents + count, 0)
    return math.floor(_share(max_count, "max_count") * n_documents)


def refuse_empty_range(least: int, most: int, n_documents: int) -> None:
    """Raise if no number of documents would keep a word."""
    if most < least:
        raise RequestError(
            "no word would stay: min_count asks for more documents than max_count allows or than there are",
            where=f"{plural(n_documents, 'document')}; at most {most:,} may have it, at least {least:,} must",
            fix="lower min_count or raise max_count",
        )


def _share(count: float, name: str) -> Fraction:
    """A share as it was written: of 30 documents 0.1 is 3, not a trifle more."""
    if not 0 < count < 1:
        raise RequestError(
            f"{name} must be a whole number of documents, or a share strictly between 0 and 1",
            where=f"BagOfWords({name}={count!r})",
            fix=f"write {int(count)} for a number of documents" if count >= 1 else "give another share",
        )
    return Fraction(repr(float(count)))
