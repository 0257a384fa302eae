"""A share of the rows set apart: of every class alike, by whole groups, or the latest."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Rows
from heldout.errors import DataError, RequestError
from heldout.split.dealt_groups import dealt_groups, shuffled, strata_of
from heldout.split.forward_blocks import time_blocks, without_groups_of
from heldout.split.row_facts import RowFacts
from heldout.text.words import plural


def parted(
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
        is_apart = dealt_groups(facts, np.array([1 - share, share]), is_stratified, key) == 1
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
    place = np.arange(facts.n_rows) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_apart = np.zeros(facts.n_rows, dtype=bool)
    is_apart[order] = place < np.repeat(seats, sizes)
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
