"""Blocks of time: what is judged is always later than what is learned from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.arrays import Rows
from heldout.errors import DataError
from heldout.split.fold import Fold
from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.text.words import plural


def time_blocks(facts: RowFacts, n_rows_of_blocks: list[int]) -> Codes:
    """The block of each row in time, from 0; rows of one time share a block, and no block is empty.

    facts:            of the rows; at least as many distinct times as blocks
    n_rows_of_blocks: how many rows each block should have, which ties in time may change
    """
    times, n_times = dense(facts.time_codes)
    counts = np.bincount(times, minlength=n_times)
    starts = np.cumsum(counts) - counts
    n_cuts = len(n_rows_of_blocks) - 1
    cuts: list[int] = []
    for number, wanted in enumerate(np.cumsum(n_rows_of_blocks)[:-1].tolist()):
        lowest = cuts[-1] + 1 if cuts else 1
        highest = n_times - (n_cuts - number)
        above = int(np.searchsorted(starts, wanted))
        is_below_nearer = above == n_times or wanted - starts[above - 1] <= starts[above] - wanted
        nearest = above - 1 if above and is_below_nearer else above
        cuts.append(min(max(nearest, lowest), highest))
    return np.searchsorted(np.array(cuts, dtype=np.intp), times, side="right").astype(np.intp)


def forward_blocks(facts: RowFacts, k: int, n_before: int = 1) -> Codes:
    """The block of each row: k of equal size that are judged, and those before; the first takes the rest.

    facts:    with times
    k:        how many blocks are judged
    n_before: how many blocks come before the first that is judged
    """
    n_later = k + n_before - 1
    block_size = facts.n_rows // (n_later + 1)
    return time_blocks(facts, [facts.n_rows - block_size * n_later] + [block_size] * n_later)


def forward_folds(
    facts: RowFacts, k: int, has_validation: bool = False, shrink: bool = False
) -> Iterator[Fold]:
    """k folds that look forward: each block but the first is judged by what is learned from all earlier ones.

    Where groups are known too, rows of groups that are judged are left out of what is learned from.

    facts:          with times; at least k + 1 distinct ones, or k + 2 with validation
    k:              how many blocks are judged
    has_validation: the block before the judged one is set apart to choose by
    shrink:         leave out folds in which groups leave nothing to learn from, where two are left
    """
    blocks = forward_blocks(facts, k, n_before=1 + has_validation)
    folds = (_forward_fold(facts, blocks, number, has_validation) for number in range(k))
    yield from folds if facts.groups is None else _those_that_can_learn(list(folds), shrink)


def _forward_fold(facts: RowFacts, blocks: Codes, number: int, has_validation: bool) -> Fold:
    """One fold; what chooses is not told by groups that are judged, what is learned from by neither."""
    test = np.flatnonzero(blocks == number + 1 + has_validation)
    train = without_groups_of(facts, np.flatnonzero(blocks <= number), test)
    if not has_validation:
        return Fold(0, number, train, test)
    validation = without_groups_of(facts, np.flatnonzero(blocks == number + 1), test)
    return Fold(0, number, without_groups_of(facts, train, validation), test, validation)


def without_groups_of(facts: RowFacts, rows: Rows, others: Rows) -> Rows:
    """The rows whose group has none among the others."""
    if facts.groups is None:
        return rows
    is_among = np.zeros(int(facts.group_codes.max()) + 1, dtype=bool)
    is_among[facts.group_codes[others]] = True
    return rows[~is_among[facts.group_codes[rows]]]


def _those_that_can_learn(folds: list[Fold], shrink: bool) -> Iterator[Fold]:
    able = [fold for fold in folds if _can_learn(fold)]
    if len(able) < len(folds) and not (shrink and len(able) >= 2):
        first = next(fold for fold in folds if not _can_learn(fold))
        raise DataError(
            "groups and time together leave nothing to learn from",
            where=f"{plural(len(folds) - len(able), 'fold')} of {len(folds)}, first fold {first.number + 1}: "
            "every group of the earlier rows comes again among the judged ones",
            fix="use fewer folds, or leave groups out if later rows of known groups may be judged, or time",
        )
    for number, fold in enumerate(able):
        yield fold if fold.number == number else Fold(0, number, fold.train, fold.test, fold.validation)


def _can_learn(fold: Fold) -> bool:
    return len(fold.train) > 0 and (fold.validation is None or len(fold.validation) > 0)
