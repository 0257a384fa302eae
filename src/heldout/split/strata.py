"""Strata: the classes, or bins of a sorted target."""

from __future__ import annotations

import numpy as np

from heldout.split.row_facts import Codes, RowFacts, dense

MOST_BINS = 10


def strata_of(facts: RowFacts, n_parts: int, is_stratified: bool = True) -> tuple[Codes, int]:
    """The stratum of each row from 0, and how many strata there are.

    facts:         of the rows
    n_parts:       how many parts the rows will be dealt to; bins are made for at least so many rows each
    is_stratified: False puts all rows in one stratum

    Classes are strata. A sorted regression target is cut into at most ten bins of equal size; rows with the
    same value share the bin of their middle, so bins may differ in size, and −y has the bins of y.

    >>> strata_of(RowFacts(np.array([1.0, 5.0, 2.0, 9.0]), "regression"), n_parts=2)
    (array([0, 1, 0, 1]), 2)
    """
    if not is_stratified:
        return np.zeros(facts.n_rows, dtype=np.intp), 1
    if facts.is_classification:
        return dense(facts.y_codes)
    return _bins(facts.y_codes, max(1, min(MOST_BINS, facts.n_rows // max(n_parts, 1))))


def _bins(codes: Codes, n_bins: int) -> tuple[Codes, int]:
    if not len(codes):
        return codes, 0
    counts = np.bincount(codes)
    # Twice the mean place of the rows of a value, from 0, so that it is whole; absent values take no part.
    middle = 2 * np.cumsum(counts) - counts - 1
    return dense((np.maximum(middle, 0) * n_bins // (2 * len(codes)))[codes])
