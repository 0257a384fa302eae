"""Answers as cells of a CSV file, and the raw cells of its rows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.formulas import guarded
from heldout.cli.predicting.row_output import AddedColumns

_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')


def cell(text: str, delimiter: str) -> str:
    """Text as a cell, in quotes if it must be.

    >>> cell("yes", ","), cell('say "x", please', ",")
    ('yes', '"say ""x"", please"')
    """
    if any(mark in text for mark in (delimiter, '"', "\n", "\r")) or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def joined(*parts: Any, mark: str = "") -> Any:
    """Arrow arrays of large strings, and strings for all rows, put together row by row.

    mark: stands between them

    >>> joined(pa.array(["a", "b"], pa.large_string()), "x", mark=",").to_pylist()
    ['a,x', 'b,x']
    """
    large = [pa.scalar(part, pa.large_string()) if isinstance(part, str) else part for part in (*parts, mark)]
    return pc.binary_join_element_wise(*large)


def number_cells(numbers: NDArray[np.float64], delimiter: str, decimal: str) -> Any:
    """Numbers as cells that say every digit; an Arrow array of large strings."""
    texts = pa.array(np.asarray(numbers, dtype=np.float64)).cast(pa.large_string())
    if decimal == ",":
        texts = pc.replace_substring(texts, ".", ",")
        if delimiter == ",":
            texts = joined('"', texts, '"')
    return texts


def answer_cells(answers: Answers, added: AddedColumns, delimiter: str) -> tuple[list[Any], int]:
    """One Arrow array of large strings per added column, and how many cells were made harmless."""
    n_guarded = 0
    if added.labels is None:
        cells = [number_cells(answers.prediction, delimiter, added.decimal)]
    else:
        safe = [label if added.is_raw else guarded(label) for label in added.labels]
        is_changed = np.array([text != label for text, label in zip(safe, added.labels, strict=True)])
        n_guarded = int(is_changed[answers.prediction].sum())
        words = pa.array([cell(text, delimiter) for text in safe], pa.large_string())
        cells = [words.take(pa.array(answers.prediction))]
    if answers.probabilities is not None:
        columns = answers.probabilities.T
        cells += [number_cells(column, delimiter, added.decimal) for column in columns]
    return cells, n_guarded


def raw_cells(record: bytes, delimiter: str) -> list[bytes]:
    """The cells of a record as they stand there, quotes and all.

    >>> raw_cells(b'a,"b,""c",,d', ",")
    [b'a', b'"b,""c"', b'', b'd']
    """
    mark = delimiter.encode()
    found: list[bytes] = []
    position = 0
    while True:
        quoted = _QUOTED.match(record, position)
        end = record.find(mark, quoted.end() if quoted else position)
        if end < 0:
            return [*found, record[position:]]
        found.append(record[position:end])
        position = end + 1


def guarded_cell(raw: bytes) -> bytes:
    """A raw cell with the guard before its text, inside the quotes if it has some.

    >>> guarded_cell(b'=1+1'), guarded_cell(b'"=a,b"')
    (b"'=1+1", b'"\\'=a,b"')
    """
    return b"\"'" + raw[1:] if raw.startswith(b'"') else b"'" + raw
