"""Training parts made smaller: each contains the next, classes keep their shares, groups stay whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.split.row_facts import RowFacts, dense
from heldout.split.shuffled import shuffled
from heldout.split.strata import strata_of

Rows = NDArray[np.intp]
# Tells this shuffling from others with the same seed.
_SHRINKING = 51


def shrunken(
    facts: RowFacts, rows: Rows, fractions: Sequence[float], seed: int, fold: tuple[int, int] = (0, 0)
) -> list[Rows]:
    """Parts of the rows, one per fraction; a smaller one is part of a larger one.

    facts:     of all rows
    rows:      the training part
    fractions: of its size, above 0 and up to 1
    seed:      of the draw
    fold:      repeat and number of the fold, so that each draws its own

    Where rows have a time, the latest are kept: who has less history has the recent one. Groups are taken
    whole, as many as come nearest to the size.

    >>> facts = RowFacts(np.array(["no", "yes"] * 4), "classification")
    >>> [part.tolist() for part in shrunken(facts, np.arange(8), [0.25, 1.0], seed=1)]
    [[2, 5], [0, 1, 2, 3, 4, 5, 6, 7]]
    """
    known = facts.take(rows)
    units = _units(known)
    order = _latest_first(known, units) if known.time is not None else _dealt(known, units, (seed, *fold))
    sizes = np.bincount(units)[order]
    reached = np.cumsum(sizes)
    parts = []
    for fraction in fractions:
        n_units = _nearest(reached, fraction * len(rows))
        is_kept = np.zeros(len(sizes), dtype=bool)
        is_kept[order[:n_units]] = True
        parts.append(rows[is_kept[units]])
    return parts


def _units(facts: RowFacts) -> Rows:
    """What is kept or left as a whole: moments of time, groups, or rows."""
    if facts.time is not None:
        return dense(facts.time_codes)[0]
    if facts.groups is not None:
        return dense(facts.group_codes)[0]
    return np.arange(facts.n_rows, dtype=np.intp)


def _latest_first(facts: RowFacts, units: Rows) -> Rows:
    return np.arange(int(units.max()) + 1, dtype=np.intp)[::-1]


def _dealt(facts: RowFacts, units: Rows, key: tuple[int, ...]) -> Rows:
    """The units in an order of which every beginning has about the shares of the whole."""
    strata, n_strata = _strata_of_units(facts, units)
    dealt = shuffled(strata, n_strata, (*key, _SHRINKING))
    counts = np.bincount(strata, minlength=n_strata)
    starts = np.cumsum(counts) - counts
    in_order = strata[dealt]
    # The i-th of n in its stratum stands at (i + ½) / n of the way.
    way = (np.arange(len(dealt)) - starts[in_order] + 0.5) / counts[in_order]
    return dealt[np.argsort(way, kind="stable")]


def _strata_of_units(facts: RowFacts, units: Rows) -> tuple[Rows, int]:
    """The stratum of each unit: that of its row, or the one that most rows of a group have."""
    strata, n_strata = strata_of(facts, n_parts=2)
    n_units = int(units.max()) + 1
    if n_units == facts.n_rows:
        by_unit = np.empty(n_units, dtype=np.intp)
        by_unit[units] = strata
        return by_unit, n_strata
    counts = np.bincount(units * n_strata + strata, minlength=n_units * n_strata)
    return dense(counts.reshape(n_units, n_strata).argmax(axis=1).astype(np.intp))


def _nearest(reached: NDArray[np.int64], wanted: float) -> int:
    """How many units come nearest to the wanted number of rows, at least one."""
    return int(np.abs(reached - wanted).argmin()) + 1
