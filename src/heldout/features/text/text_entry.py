"""How X enters a bag of words: as documents, or as a table with texts in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError, RequestError
from heldout.features.forms.entry import Entry, entry_after_fit, entry_at_fit
from heldout.features.text.given_documents import column_documents, given_documents
from heldout.learners.inputs.array_checks import has_kinds, refuse_foreign
from heldout.learners.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.inputs.sparse_inputs import is_sparse
from heldout.table.column import Column
from heldout.table.describe import plural, shortened

if TYPE_CHECKING:
    from heldout.features.bag_of_words import BagOfWords

# The form of an Entry whose only column are documents that came without a table.
DOCUMENTS = "documents"


def text_entry_at_fit(bag: BagOfWords, X: Any) -> Entry:
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


def text_entry_after_fit(bag: BagOfWords, X: Any) -> Entry:
    """X after fit, in the form that it had there."""
    is_table = _is_table(X)
    if is_table == bag.takes_documents_:
        learned_from = "documents" if is_table else "a table"
        raise KindError(
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
    for place in chosen.tolist():
        column = columns[place]
        if column.kind != "text":
            values = np.array(column.labels(), dtype=object)
            columns[place] = Column(column.name, "text", values, reason=column.reason)
        known[place] = InputColumn(column.name, "text")
    return replace(entry, schema=InputSchema(tuple(known)), given=tuple(columns))


def refuse_no_text(entry: Entry) -> None:
    """Raise for a table in which no column is a text."""
    words = [column.name for column in entry.schema.columns if column.kind in ("category", "identifier")]
    listed = ", ".join(f"'{shortened(name, 24)}'" for name in words[:5])
    raise DataError(
        "there is no column of kind text to make words of",
        where=plural(len(entry.schema.columns), "column")
        + (f", of which {listed} may hold texts, read as categories or identifiers" if words else ""),
        fix=f"name them: BagOfWords(columns=[{words[0]!r}])"
        if words
        else "leave the step out, or read a column as text with read_table(..., kinds={...: 'text'})",
    )


def _is_table(X: Any) -> bool:
    return not _is_list(X) and has_kinds(X)


def _is_list(X: Any) -> bool:
    """What needs no further look, which for one document would take longer than its words."""
    return isinstance(X, list | tuple) and not (len(X) and isinstance(X[0], Mapping))


def _of_documents(X: Any) -> Entry:
    if isinstance(X, Column):
        documents = column_documents(X)
    elif _is_list(X) or X is None or isinstance(X, str):
        documents = given_documents(X)  # which says what is wrong with the last two
    else:
        refuse_foreign(X)
        if is_sparse(X):
            raise KindError(
                "X is a sparse matrix, and holds no documents",
                where=f"shape {X.shape}",
                fix="hand over the texts themselves",
            )
        documents = given_documents(X)
    values = np.empty(len(documents), dtype=object)
    values[:] = documents
    column = Column(DOCUMENTS, "text", values)
    return Entry(DOCUMENTS, InputSchema((InputColumn(DOCUMENTS, "text"),)), (column,))
