"""Which test rows lie in regions that training never saw, instead of silently predicting them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError, RequestError
from heldout.features.shift.near_rows import PlacedRows, RowSpace, forest_distances, row_space
from heldout.features.shift.two_samples import TwoSamples, rows_with_levels, two_samples
from heldout.features.transformer_outputs import WIDTH
from heldout.learners.parameters import N_JOBS, Parameter, n_threads, refusal
from heldout.learners.rules.condition import spoken_level
from heldout.learners.trees.tree_text import shown_label
from heldout.table.column import LEVEL_KINDS, Column, date_label, number_label
from heldout.table.table import Table
from heldout.text.words import plural
from heldout.types import TableLike

PARAMETERS = (
    Parameter("by", choices=("neighbors", "forest"), synonyms=(("knn", "neighbors"), ("trees", "forest"))),
    Parameter("k", number="integer", lowest=1),
    Parameter("level", number="number", lowest=0, is_above=True, highest=1, is_below=True),
    Parameter("seed", number="integer", lowest=0),
    N_JOBS,
)
SHOWN_ROWS = 5
SHOWN_VALUES = 3
# Distances that differ by rounding alone count as equal, which makes a p-value larger, never smaller.
ROUNDING = 1e-9


@dataclass(frozen=True)
class OutsideRow:
    """A test row that lies farther from training than nearly all training rows do.

    position:   its place among the test rows, from 0
    p_value:    the share of training rows that are at least as far from the others
    new_values: values of it that no training row has, in words; empty if only the combination is new
    nearest:    the place of the nearest training row
    """

    position: int
    p_value: float
    new_values: tuple[str, ...]
    nearest: int

    def __str__(self) -> str:
        why = "; ".join(self.new_values[:SHOWN_VALUES]) + "; …" * (len(self.new_values) > SHOWN_VALUES)
        why = why or "each value is known, the combination is far from all others"
        return f"row {self.position + 1:,}: {why} (nearest: training row {self.nearest + 1:,})"


@dataclass(frozen=True, eq=False)
class Coverage:
    """What training can say about the test rows.

    Attributes
    ----------
    p_values
        of each test row, the share of training rows that are at least as far from the others as the row
        is from them, itself counted: (1 + how many) ÷ (training rows + 1)
    outside
        positions of test rows with a p-value of at most `level`, ascending
    rows
        the same with reasons
    odd_values
        positions of other test rows with a value that no training row has; such rows may be ordinary
    level
        the share of rows that would be outside if they came from where training comes from
    by, k
        how distance was measured
    n_train
        how many training rows there are with a value
    n_empty
        how many have none, and were left out
    by_chance
        how many of the test rows with a value would be outside by chance
    """

    p_values: Floats
    outside: NDArray[np.intp]
    rows: tuple[OutsideRow, ...]
    odd_values: NDArray[np.intp]
    level: float
    by: str
    k: int
    n_train: int
    n_empty: int
    by_chance: CountByChance

    @property
    def n_test(self) -> int:
        return len(self.p_values)

    @property
    def share(self) -> float:
        """The share of test rows that are outside."""
        return len(self.outside) / self.n_test

    @property
    def is_more_than_chance(self) -> bool:
        """Whether so many rows are outside in fewer than 5 of 100 samples from where training comes from."""
        return self.by_chance.is_rare

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "n_train": self.n_train,
            "n_empty": self.n_empty,
            "n_test": self.n_test,
            "by": self.by,
            "k": self.k,
            "level": self.level,
            "n_outside": len(self.outside),
            "share": self.share,
            "expected": self.by_chance.expected,
            "chance_of_as_many": self.by_chance.tail,
            "is_more_than_chance": self.is_more_than_chance,
            "outside": [
                {
                    "position": row.position,
                    "p_value": row.p_value,
                    "new_values": list(row.new_values),
                    "nearest": row.nearest,
                }
                for row in self.rows
            ],
            "odd_values": self.odd_values.tolist(),
            "p_values": self.p_values.tolist(),
        }

    def __str__(self) -> str:
        verb = "lies" if len(self.outside) == 1 else "lie"
        without = f"; {self.n_empty:,} without a value left out" if self.n_empty else ""
        lines = [
            f"{len(self.outside):,} of {plural(self.n_test, 'row')} {verb} unusually far from training"
            f" (p at most {self.level:g} by {self.by}, {plural(self.n_train, 'training row')}{without}).",
            str(self.by_chance),
            *[f"  {row}" for row in self.rows[:SHOWN_ROWS]],
        ]
        if len(self.rows) > SHOWN_ROWS:
            lines.append(f"  … and {len(self.rows) - SHOWN_ROWS:,} more in .rows")
        if len(self.odd_values):
            has = "row has" if len(self.odd_values) == 1 else "rows have"
            lines.append(
                f"Of the others {len(self.odd_values):,} {has} a value that training never has"
                f" (first row {self.odd_values[0] + 1:,}); their distances are not unusual."
            )
        return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="    ") for line in lines)


def coverage(
    train: TableLike,
    test: TableLike,
    *,
    by: str = "neighbors",
    k: int = 5,
    level: float = 0.01,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Coverage:
    """Which test rows lie farther from the training rows than these lie from each other.

    A test row's distance is the mean of those to its k nearest training rows; its p-value says where it
    ranks among the distances of training rows to their own k nearest others. If a row comes from where
    training comes from, its p-value is at most `level` in about that share of cases, whatever the columns
    are like. What a model predicts for rows that are outside rests on rows that are unlike them.

    Parameters
    ----------
    train
        the inputs of the training rows, without the target: a Table, a frame or an array
    test
        rows to be predicted, in the same form, with the same columns
    by
        "neighbors" compares rows by Gower's distance, each number in shares of the range of the middle
        nine tenths of the training rows; "forest" by how often a forest that knows which values come
        together ends two rows in the same leaf. The forest sees odd combinations even among many columns
        and on skewed scales; neighbors see better what lies beyond the ranges, and flag as many rows as
        `level` says, where the forest flags fewer
    k
        how many neighbors
    level
        at least 1 ÷ (training rows + 1): no p-value can be smaller
    seed
        of the forest
    n_jobs
        threads; None is one, -1 all processors

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> ages = generator.uniform(18, 71, (400, 1))
    >>> print(coverage(ages, np.array([[30.0], [50.0], [94.0]])))
    1 of 3 rows lies unusually far from training (p at most 0.01 by neighbors, 400 training rows).
    Of rows from where training comes from about 0.03 would be expected, 1 or more in 3.0% of samples.
      row 3: x0 94 (training 18.0159 to 70.8521) (nearest: training row 27)
    """
    requested = {"by": by, "k": k, "level": level, "seed": seed, "n_jobs": n_jobs}
    for parameter in PARAMETERS:
        if not parameter.allows(requested[parameter.name]):
            raise refusal("coverage", parameter, requested[parameter.name])
    samples, kept = _with_values(two_samples(train, test, ("train", "test")))
    n_train = samples.first.n_rows
    _check_size(n_train, k, level)
    space, threads = row_space(samples.first), n_threads(n_jobs)
    placed = space.placed(samples.second)
    if by == "neighbors":
        own, far = space.own_distances(k, threads), space.distances(placed, k, threads)[0]
    else:
        own, far = forest_distances(samples.first, samples.second, k, seed, n_jobs)
    # Of a row that knows nothing nothing is unusual.
    p_values = np.where(placed.is_empty, 1.0, ranked(own, far))
    outside = np.flatnonzero(p_values <= level)
    nearest = kept[_nearest(space, placed, outside, threads)]
    rows, odd = _reasons(samples, p_values, outside, nearest)
    n_judged = int(np.count_nonzero(~placed.is_empty))
    by_chance = count_by_chance(len(outside), n_judged, n_train, level)
    n_empty = int(kept.max()) + 1 - n_train
    return Coverage(p_values, outside, rows, odd, float(level), by, int(k), n_train, n_empty, by_chance)


def ranked(own: Floats, far: Floats) -> Floats:
    """For each distance of `far` the share of `own` that is at least as large, itself counted."""
    below = np.searchsorted(np.sort(own), far * (1 - ROUNDING), side="left")
    return np.asarray((1 + len(own) - below) / (len(own) + 1))


def _with_values(samples: TwoSamples) -> tuple[TwoSamples, NDArray[np.intp]]:
    """The samples without training rows that have no value in any column, and where the others stood."""
    is_empty = np.all([column.is_missing for column in samples.first.columns], axis=0)
    kept = np.flatnonzero(~is_empty)
    if not len(kept):
        raise DataError(
            "no row of train has a value",
            where=f"{plural(samples.first.n_columns, 'column')}, {plural(len(is_empty), 'row')}, all missing",
            fix="hand over rows with values",
        )
    first = samples.first if len(kept) == len(is_empty) else rows_with_levels(samples.first, kept)
    return replace(samples, first=first), kept


def _check_size(n_train: int, k: int, level: float) -> None:
    if k >= n_train:
        raise RequestError(
            f"there are not {k} other training rows",
            where=f"coverage(k={k}) with {plural(n_train, 'training row')}",
            fix=f"lower k to at most {n_train - 1}" if n_train > 1 else "give more training rows",
        )
    least = 1 / (n_train + 1)
    if level < least:
        needed = math.ceil(1 / level) - 1
        raise RequestError(
            f"with level={level:g} no row could ever be outside: the smallest p-value is {least:.4g}",
            where=f"{plural(n_train, 'training row')}, so p is at least 1 ÷ {n_train + 1}",
            fix=f"raise level to at least {math.ceil(least * 1e4) / 1e4:g}, or give {needed:,} training rows",
        )


def _nearest(
    space: RowSpace, placed: PlacedRows, outside: NDArray[np.intp], threads: int
) -> NDArray[np.intp]:
    """The nearest training row of each row outside."""
    if not len(outside):
        return outside
    return space.distances(placed.take(outside), 1, threads)[1].astype(np.intp)


def _reasons(
    samples: TwoSamples, p_values: Floats, outside: NDArray[np.intp], nearest: NDArray[np.intp]
) -> tuple[tuple[OutsideRow, ...], NDArray[np.intp]]:
    """The rows outside with reasons, and the others that have a value of their own."""
    news = new_values(samples.first, samples.second)
    rows = [
        OutsideRow(row, float(p_values[row]), news.get(row, ()), near)
        for row, near in zip(outside.tolist(), nearest.tolist(), strict=True)
    ]
    is_outside = np.zeros(len(p_values), dtype=np.bool_)
    is_outside[outside] = True
    return tuple(rows), np.array([row for row in news if not is_outside[row]], dtype=np.intp)


RARE = 0.05


@dataclass(frozen=True)
class CountByChance:
    """A count beside what chance gives.

    count:    how many rows are outside
    expected: how many would be on average
    tail:     in what share of samples as many or more would be
    """

    count: int
    expected: float
    tail: float

    @property
    def is_rare(self) -> bool:
        return self.tail < RARE

    def __str__(self) -> str:
        expected = f"about {self.expected:.2g}" if self.expected < 10 else f"about {self.expected:,.0f}"
        start = f"Of rows from where training comes from {expected} would be expected"
        if not self.count:
            return f"{start}."
        often = f"{self.tail:.1%}" if self.tail >= 0.001 else "less than 0.1%"
        return f"{start}, {self.count:,} or more in {often} of samples."


def count_by_chance(count: int, n_test: int, n_train: int, level: float) -> CountByChance:
    """What chance gives at this level."""
    from scipy.stats import betabinom  # takes 0.5 s

    # Adding a little keeps 0.01 · 100 from being counted as 0.
    n_below = math.floor(level * (n_train + 1) + 1e-9)
    expected = n_test * n_below / (n_train + 1)
    tail = float(betabinom.sf(count - 1, n_test, n_below, n_train + 1 - n_below)) if count else 1.0
    return CountByChance(count, expected, min(max(tail, 0.0), 1.0))


def new_values(train: Table, test: Table) -> dict[int, tuple[str, ...]]:
    """In words, for the position of each test row that has such a value.

    train, test: tables that agree in names, kinds and levels
    """
    found: dict[int, list[str]] = {}
    for known, given in zip(train.columns, test.columns, strict=True):
        if known.n_missing == len(known):
            continue  # nothing is known of it
        for rows, words in _in_column(known, given):
            for row, text in zip(rows.tolist(), words, strict=True):
                found.setdefault(row, []).append(f"{shown_label(known.name)} {text}")
    return {row: tuple(found[row]) for row in sorted(found)}


def _in_column(known: Column, given: Column) -> Iterator[tuple[NDArray[np.intp], list[str]]]:
    if not known.n_missing:
        rows = np.flatnonzero(given.is_missing)
        yield rows, ["missing (never in training)"] * len(rows)
    if known.kind in LEVEL_KINDS:
        counts = np.bincount(known.values[known.values >= 0], minlength=len(known.levels))
        rows = np.flatnonzero((given.values >= 0) & (counts[given.values] == 0))
        levels = [spoken_level(known.levels[code]) for code in given.values[rows].tolist()]
        yield rows, [f"{level} (never in training)" for level in levels]
    else:
        lowest, highest = float(np.nanmin(known.values)), float(np.nanmax(known.values))
        rows = np.flatnonzero((given.values < lowest) | (given.values > highest))
        ends = " to ".join(dict.fromkeys([_word(known, lowest), _word(known, highest)]))
        yield rows, [f"{_word(known, value)} (training {ends})" for value in given.values[rows].tolist()]


def _word(column: Column, value: float) -> str:
    if column.kind == "date":
        return date_label(value)
    return f"{value:.6g}" if value % 1 else number_label(value)
