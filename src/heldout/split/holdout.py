"""Hold-out: a share of the rows is judged, the others are learned from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Rows
from heldout.checks.values import check_share
from heldout.errors import DataError, RequestError
from heldout.split.assign_folds import assign_groups, shuffled, strata_of
from heldout.split.fold import Fold
from heldout.split.forward_blocks import time_blocks, without_groups_of
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split, check_settings
from heldout.split.split_notes import holdout_notes, repeat_notes, share_notes
from heldout.text.words import plural

_TAG = 2


@dataclass(frozen=True)
class Holdout(Split):
    """A share of the rows set apart to judge by, drawn anew in every repeat.

    Parameters
    ----------
    fraction
        the share that is judged
    repeats
        how often it is drawn
    stratified
        every class, or each of ten bins of a sorted regression target, gives its share
    seed
        of the random order; None takes the seed of the plan, or 0

    Notes
    -----
    Groups stay whole. With time the latest rows are judged, and there is one repeat.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> facts = RowFacts(np.array(["no"] * 6 + ["yes"] * 3), "classification")
    >>> [fold.test.tolist() for fold in Holdout(repeats=2).folds(facts)]
    [[1, 5, 8], [3, 4, 8]]
    """

    fraction: float = 1 / 3
    repeats: int = 1
    stratified: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "fraction", check_share("fraction", self.fraction, is_open=True))
        check_settings(self)

    def __str__(self) -> str:
        repeats = f", {self.repeats} repeats" if self.repeats > 1 else ""
        return f"hold-out of {100 * self.fraction:.3g}%{repeats}{', stratified' if self.stratified else ''}"

    @property
    def n_folds(self) -> int:
        return 1

    @property
    def test_share(self) -> float:  # type: ignore[override]
        return self.fraction

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        if facts.time is None:
            return holdout_notes(facts, self.stratified)
        return (
            *repeat_notes(self.repeats),
            *share_notes(facts, self.fraction, *self._split_rows(facts, 0, 0)),
        )

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        for repeat in range(self._n_splits(facts)):
            yield Fold(repeat, 0, *self._split_rows(facts, seed, repeat))

    def _split_rows(self, facts: RowFacts, seed: int, repeat: int) -> tuple[Rows, Rows]:
        return split_rows(facts, self.fraction, self.stratified, key=(seed, repeat, _TAG))

    def _n_splits(self, facts: RowFacts) -> int:
        return 1 if facts.time is not None else self.repeats


def split_rows(
    facts: RowFacts, share: float, is_stratified: bool, key: tuple[int, ...], name: str = "fraction"
) -> tuple[Rows, Rows]:
    """Rows that stay and rows that are set apart, both ascending.

    facts:         of the rows
    share:         of the rows to set apart, in whole rows, or as near as groups and ties in time allow
    is_stratified: whether every class or bin gives its share
    key:           of the random order
    name:          of the share, for errors
    """
    n_apart = _n_apart(facts.n_rows, share, name)
    if facts.time is not None:
        return _latest(facts, n_apart)
    if facts.groups is not None:
        _require_two(facts.n_groups, "group", facts.n_rows)
        is_apart = assign_groups(facts, np.array([1 - share, share]), is_stratified, key) == 1
    else:
        is_apart = _of_every_stratum(facts, n_apart, is_stratified, key)
    return np.flatnonzero(~is_apart), np.flatnonzero(is_apart)


def _n_apart(n_rows: int, share: float, name: str) -> int:
    n_apart = math.floor(share * n_rows + 0.5)
    if 0 < n_apart < n_rows:
        return n_apart
    what = "no row is set apart" if n_apart == 0 else "no row is left to learn from"
    raise RequestError(
        what,
        where=f"{name}={share:g} of {plural(n_rows, 'row')}",
        fix=f"use {name}={1 / n_rows:.2g} or more" if n_apart == 0 and n_rows > 1 else "use more rows",
    )


def _latest(facts: RowFacts, n_apart: int) -> tuple[Rows, Rows]:
    _require_two(facts.n_times, "time", facts.n_rows)
    is_apart = time_blocks(facts, [facts.n_rows - n_apart, n_apart]) == 1
    apart = np.flatnonzero(is_apart)
    stays = without_groups_of(facts, np.flatnonzero(~is_apart), apart)
    if not len(stays):
        raise DataError(
            "groups and time together leave nothing to learn from",
            where=f"every group has rows among the latest {len(apart):,} of {plural(facts.n_rows, 'row')}",
            fix="leave groups out if later rows of known groups may be judged, or leave time out",
        )
    return stays, apart


def _require_two(count: int, unit: str, n_rows: int) -> None:
    if count < 2:
        raise DataError(
            f"rows of one {unit} cannot be parted",
            where=f"all {plural(n_rows, 'row')} have the same {unit}",
            fix=f"leave {unit + 's' if unit == 'group' else unit} out, or take rows of several {unit}s",
        )


def _of_every_stratum(
    facts: RowFacts, n_apart: int, is_stratified: bool, key: tuple[int, ...]
) -> NDArray[np.bool_]:
    strata, n_strata = strata_of(facts, math.ceil(facts.n_rows / n_apart), is_stratified)
    sizes = np.bincount(strata, minlength=n_strata)
    order = shuffled(strata, n_strata, key)
    chance = np.random.PCG64(np.random.SeedSequence((*key, 1))).random_raw(n_strata)
    seats = _seats(sizes, n_apart, chance, keeps_one=is_stratified and facts.is_classification)
    index = np.arange(facts.n_rows) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_apart = np.zeros(facts.n_rows, dtype=bool)
    is_apart[order] = index < np.repeat(seats, sizes)
    return is_apart


def _seats(
    sizes: NDArray[np.intp], n_apart: int, chance: NDArray[np.uint64], keeps_one: bool
) -> NDArray[np.intp]:
    """How many rows each stratum gives: its share, the rest to the largest remainders, ties by chance.

    keeps_one: a class gives its last row only when there are no others to give
    """
    room = sizes - 1 if keeps_one else sizes
    if n_apart > room.sum():
        room = sizes
    giving = np.where(room > 0, sizes, 0)
    seats = np.minimum(giving * n_apart // giving.sum(), room)
    order = np.lexsort((chance, -(giving * n_apart % giving.sum())))
    while (n_left := n_apart - int(seats.sum())) > 0:
        able = order[seats[order] < room[order]]
        seats[able[:n_left]] += 1
    return np.asarray(seats)
