"""An order of rows that is random and yet depends on nothing but their contents.

Whoever sets rows aside takes them in this order. So the same rows are chosen wherever they stand in the
table and in whatever unit a number is given.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.training_rows import TrainingRows

Words = NDArray[np.uint64]


def row_keys(rows: TrainingRows, seed: int) -> Words:
    """A number for each row, drawn from the seed and the ranks of its values and its answer among these rows.

    Equal rows have equal ones.
    """
    inputs = rows.inputs.compacted()
    keys = np.full(rows.n_rows, seed, dtype=np.uint64)
    for coded in inputs.columns:
        codes = coded.codes if inputs.rows is None else coded.codes[inputs.rows]
        keys = _with(keys, dense(codes))
    if rows.targets is not None:
        return _with(keys, np.unique(rows.targets, return_inverse=True)[1])
    assert rows.classes is not None
    return _with(keys, dense(rows.classes))


def scrambled(words: Words) -> Words:
    """Every bit of the result depends on every bit of the word: the last step of SplitMix64."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def dense(codes: NDArray[np.unsignedinteger | np.signedinteger]) -> NDArray[np.intp]:
    """The codes numbered anew, without those that no row has.

    >>> dense(np.array([4, 1, 4])).tolist()
    [1, 0, 1]
    """
    present = np.bincount(codes) > 0
    return np.asarray((np.cumsum(present) - 1)[codes])


def _with(keys: Words, ranks: NDArray[np.intp]) -> Words:
    return scrambled(keys ^ scrambled(ranks.astype(np.uint64)))
