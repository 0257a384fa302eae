"""How counted words leave: as a sparse matrix, as an array, or as columns of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.features.text.documents import refuse_surrogates
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import leaving_columns, made_by, requested_container, stacked_sparse
from heldout.native.text import CountedRows, Documents
from heldout.table.column import Column
from heldout.types import SparseMatrix, TableLike

if TYPE_CHECKING:
    from heldout.features.bag_of_words import BagOfWords

MOST_CELLS = 100_000_000


def leaving_bags(bag: BagOfWords, X: TableLike, entry: Entry, counted: Sequence[CountedRows]) -> Any:
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
        by_index = dict(zip(bag.columns_.tolist(), bags, strict=True))
        pieces = [by_index.get(index, column) for index, column in enumerate(entry.columns)]
        return stacked_sparse(pieces, entry.n_rows)
    _refuse_many_cells(entry.n_rows, sum(widths))
    blocks = [_block(rows, width) for rows, width in zip(counted, widths, strict=True)]
    if bag.takes_documents_ and requested_container(bag) == "default":
        return np.ascontiguousarray(blocks[0])
    columns = _columns(bag, entry, blocks)
    return leaving_columns(bag, X, "array" if bag.takes_documents_ else "table", columns)


def _matrix(rows: CountedRows, n_columns: int) -> SparseMatrix:
    """The core gives every row in the order of its columns, each once."""
    from scipy.sparse import csr_array  # takes 0.1 s

    # Support vectors, trees and boosting of scikit-learn refuse positions of 64 bits.
    ends = rows.ends.astype(np.int32) if len(rows.values) <= np.iinfo(np.int32).max else rows.ends
    matrix: SparseMatrix = csr_array((rows.values, rows.columns, ends), shape=(len(ends) - 1, n_columns))
    matrix.has_canonical_format = True
    return matrix


def _block(rows: CountedRows, n_columns: int) -> NDArray[np.float64]:
    n_rows = len(rows.ends) - 1
    block = np.zeros((n_rows, n_columns), order="F")
    block[np.repeat(np.arange(n_rows), np.diff(rows.ends)), rows.columns] = rows.values
    return block


def _columns(bag: BagOfWords, entry: Entry, blocks: Sequence[NDArray[np.float64]]) -> list[Column]:
    names = iter(bag.get_feature_names_out().tolist())
    by_index = dict(zip(bag.columns_.tolist(), blocks, strict=True))
    columns: list[Column] = []
    for index, column in enumerate(entry.columns):
        if index not in by_index:
            next(names)
            columns.append(column)
            continue
        block = by_index[index]
        columns += [
            Column(next(names), "number", block[:, each], reason=made_by(bag))
            for each in range(block.shape[1])
        ]
    return columns


def _refuse_frame(bag: BagOfWords) -> None:
    requested = requested_container(bag)
    if requested != "default":
        raise RequestError(
            f"a {requested} frame was asked for, which cannot hold a sparse matrix",
            where=f'set_output(transform="{requested}") and BagOfWords(sparse=True)',
            fix="use sparse=False, with max_words or min_count to keep the frame small",
        )


def _refuse_many_cells(n_rows: int, n_words: int) -> None:
    if n_rows * n_words > MOST_CELLS:
        raise DataError(
            f"the words have {n_rows * n_words:,} cells, too many for a dense result",
            where=f"{n_rows:,} rows and {n_words:,} words, where {MOST_CELLS:,} cells are the most",
            fix="use sparse=True, or fewer words: raise min_count or set max_words",
        )


# Python puts the marks behind a letter in order by moving each past all others: 80,000 take 5 s.
MOST_MARKS = 256
_STEP = 32
_MANY_MARKS = re.compile(b"\1{%d,}" % (MOST_MARKS + 1))
_MANY_STEPS = re.compile(b"\1{%d}" % (MOST_MARKS // _STEP))


def encoded_documents(documents: Sequence[str], lowercase: bool, name: str = "") -> Documents:
    """All documents in one piece of memory.

    lowercase: whether letters beyond ASCII are made small; those of ASCII are left to the core
    name:      of their column, for the error about one that has no bytes
    """
    import pyarrow as pa  # takes 0.1 s

    written = [each if each.isascii() else normal_form(each, lowercase) for each in documents]
    try:
        array = pa.array(written, type=pa.large_string())
    except UnicodeEncodeError:
        refuse_surrogates(documents, name)
        raise
    _, ends, text = array.buffers()
    if text is None or not written:
        return Documents(np.empty(0, dtype=np.uint8), np.zeros(len(written) + 1, dtype=np.int64))
    return Documents(
        np.frombuffer(text, dtype=np.uint8),
        np.frombuffer(ends, dtype=np.int64, count=len(written) + 1),
    )


def normal_form(text: str, lowercase: bool) -> str:
    """The text with every letter and its marks composed (NFC), so that equal words have equal bytes.

    Small letters are composed anew: J with a caron has no character of its own, j with one has. Of more than
    256 marks in a row, which no language has, those beyond stay as they are.
    """
    composed = _composed_in_pieces if _may_have_many_marks(text) else _composed
    return composed(composed(text).lower()) if lowercase else composed(text)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _composed_in_pieces(text: str) -> str:
    pieces, start = [], 0
    for run in _MANY_MARKS.finditer(_is_mark(text)):
        beyond = run.start() + MOST_MARKS
        pieces += [_composed(text[start:beyond]), text[beyond : run.end()]]
        start = run.end()
    return "".join([*pieces, _composed(text[start:])])


def _may_have_many_marks(text: str) -> bool:
    """Whether marks stand at so many steps in a row as more than MOST_MARKS must."""
    return len(text) > MOST_MARKS and _MANY_STEPS.search(_is_mark(text[::_STEP])) is not None


def _is_mark(text: str) -> bytes:
    return bytes([unicodedata.category(character)[0] == "M" for character in text])
