"""How counted words leave: as a sparse matrix, as an array, or as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.features.forms.entry import Entry
from heldout.features.forms.leaving import asked_container, leaving_columns, made_by
from heldout.features.forms.stacked_sparse import stacked_sparse
from heldout.native.text import CountedRows
from heldout.table.column import Column

if TYPE_CHECKING:
    from heldout.features.bag_of_words import BagOfWords

MOST_CELLS = 100_000_000


def leaving_bags(bag: BagOfWords, X: Any, entry: Entry, counted: Sequence[CountedRows]) -> Any:
    """Counts in the place of the texts.

    X:       what came, whose index a pandas frame keeps
    counted: for each text column
    """
    widths = [len(known.words) for known in bag.word_lists_]
    if bag.sparse:
        _refuse_frame(bag)
        bags = [_matrix(rows, width) for rows, width in zip(counted, widths, strict=True)]
        if bag.takes_documents_:
            return bags[0]
        by_place = dict(zip(bag.columns_.tolist(), bags, strict=True))
        pieces = [by_place.get(place, column) for place, column in enumerate(entry.columns)]
        return stacked_sparse(pieces, entry.n_rows)
    _refuse_many_cells(entry.n_rows, sum(widths))
    blocks = [_block(rows, width) for rows, width in zip(counted, widths, strict=True)]
    if bag.takes_documents_ and asked_container(bag) == "default":
        return np.ascontiguousarray(blocks[0])
    columns = _columns(bag, entry, blocks)
    return leaving_columns(bag, X, "array" if bag.takes_documents_ else "table", columns)


def _matrix(rows: CountedRows, n_columns: int) -> Any:
    """The core gives every row in the order of its columns, each once."""
    from scipy.sparse import csr_array  # takes 0.1 s

    # Support vectors, trees and boosting of scikit-learn refuse positions of 64 bits.
    ends = rows.ends.astype(np.int32) if len(rows.values) <= np.iinfo(np.int32).max else rows.ends
    matrix = csr_array((rows.values, rows.columns, ends), shape=(len(ends) - 1, n_columns))
    matrix.has_canonical_format = True
    return matrix


def _block(rows: CountedRows, n_columns: int) -> NDArray[np.float64]:
    n_rows = len(rows.ends) - 1
    block = np.zeros((n_rows, n_columns), order="F")
    block[np.repeat(np.arange(n_rows), np.diff(rows.ends)), rows.columns] = rows.values
    return block


def _columns(bag: BagOfWords, entry: Entry, blocks: Sequence[NDArray[np.float64]]) -> list[Column]:
    names = iter(bag.get_feature_names_out().tolist())
    by_place = dict(zip(bag.columns_.tolist(), blocks, strict=True))
    columns: list[Column] = []
    for place, column in enumerate(entry.columns):
        if place not in by_place:
            next(names)
            columns.append(column)
            continue
        block = by_place[place]
        columns += [
            Column(next(names), "number", block[:, each], reason=made_by(bag))
            for each in range(block.shape[1])
        ]
    return columns


def _refuse_frame(bag: BagOfWords) -> None:
    asked = asked_container(bag)
    if asked != "default":
        raise RequestError(
            f"a {asked} frame was asked for, which cannot hold a sparse matrix",
            where=f'set_output(transform="{asked}") and BagOfWords(sparse=True)',
            fix="use sparse=False, with max_words or min_count to keep the frame small",
        )


def _refuse_many_cells(n_rows: int, n_words: int) -> None:
    if n_rows * n_words > MOST_CELLS:
        raise DataError(
            f"the words have {n_rows * n_words:,} cells, too many for a dense result",
            where=f"{n_rows:,} rows and {n_words:,} words, where {MOST_CELLS:,} cells are the most",
            fix="use sparse=True, or fewer words: raise min_count or set max_words",
        )
