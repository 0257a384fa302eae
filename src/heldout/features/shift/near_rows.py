"""How far a row is from its nearest training rows, for any mixture of columns.

The distance of two rows is Gower's: the mean over the columns that are known in both, of 1 where levels
differ, and of the difference of numbers as a share of the range that holds the middle nine tenths of the
training rows. Unlike the whole range, one wrong number does not change it, and what lies far outside is far
away. A column in which all training rows have the same number counts as a level: the same, or another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.features.shift.two_samples import partly_missing, stacked_tables, with_missing_flags
from heldout.learners.forest_classifier import ForestClassifier
from heldout.native.forests import in_bag_counts
from heldout.native.neighbors import nearest, nearest_mixed
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.table import Table

Indices = NDArray[np.int32]

MIDDLE = (0.05, 0.95)
LARGEST = float(np.finfo(np.float64).max)
# Beyond this nothing is told apart, so that no sum of distances is infinite.
FARTHEST = 1e100
# Levels become so many columns of 0 and ½ at most; with more of them the search by levels is faster.
MOST_LEVEL_COLUMNS = 64


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """Rows as they are compared: numbers in shares of the middle range, NaN for unknown; levels, below 0."""

    numbers: Floats
    levels: Indices

    @property
    def is_complete(self) -> NDArray[np.bool_]:
        """Of each row, whether every value is known."""
        return np.asarray(~np.isnan(self.numbers).any(axis=1) & (self.levels >= 0).all(axis=1))

    @property
    def is_empty(self) -> NDArray[np.bool_]:
        """Of each row, whether no value is known."""
        return np.asarray(np.isnan(self.numbers).all(axis=1) & (self.levels < 0).all(axis=1))

    def take(self, rows: NDArray[np.intp]) -> PlacedRows:
        return PlacedRows(self.numbers[rows], self.levels[rows])


@dataclass(frozen=True, eq=False)
class RowSpace:
    """What is learned of the training rows to compare others with them.

    numbers:   names of the columns that are compared as numbers
    centers:   their medians
    ranges:    their middle ranges
    constants: names of number columns with one value in all training rows, and that value
    levels:    names of categories, and how many levels the training rows have; further ones are new
    rows:      the training rows
    """

    numbers: tuple[str, ...]
    centers: Floats
    ranges: Floats
    constants: dict[str, float]
    levels: dict[str, int]
    rows: PlacedRows

    @property
    def n_columns(self) -> int:
        return len(self.numbers) + len(self.constants) + len(self.levels)

    def placed(self, table: Table) -> PlacedRows:
        """Rows of a table with the same columns and levels."""
        numbers = np.empty((table.n_rows, len(self.numbers)))
        for index, name in enumerate(self.numbers):
            with np.errstate(over="ignore"):
                away = (table[name].values - self.centers[index]) / self.ranges[index]
            numbers[:, index] = np.clip(away, -FARTHEST, FARTHEST)
        levels = np.empty((table.n_rows, len(self.constants) + len(self.levels)), dtype=np.int32)
        for index, (name, value) in enumerate(self.constants.items()):
            values = table[name].values
            levels[:, index] = np.where(np.isnan(values), -1, values != value)
        for index, (name, n_known) in enumerate(self.levels.items(), start=len(self.constants)):
            levels[:, index] = np.minimum(table[name].values, n_known)
        return PlacedRows(numbers, levels)

    def own_distances(self, k: int, n_threads: int) -> Floats:
        """Of each training row the mean distance to its k nearest others."""
        if self._is_by_numbers:
            points = self._points(self.rows)
            found = nearest(points, points, k, "l1", leaves_own_out=True, n_threads=n_threads)[1]
            return np.asarray(found.mean(axis=1) / self.n_columns)
        return np.asarray(self._mixed(self.rows, k, n_threads, leaves_own_out=True)[1].mean(axis=1))

    def distances(self, rows: PlacedRows, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Of each row the mean distance to the k nearest training rows, and the place of the nearest.

        The way of search depends on the row and on the training rows, never on the rows beside it.
        """
        far, first = np.empty(len(rows.levels)), np.empty(len(rows.levels), dtype=np.int32)
        is_plain = rows.is_complete & self._is_by_numbers
        for chosen, is_by_numbers in ((np.flatnonzero(is_plain), True), (np.flatnonzero(~is_plain), False)):
            if not len(chosen):
                continue
            if is_by_numbers:
                ours, theirs = self._points(self.rows), self._points(rows.take(chosen))
                indices, found = nearest(ours, theirs, k, "l1", n_threads=n_threads)
                found = found / self.n_columns
            else:
                indices, found = self._mixed(rows.take(chosen), k, n_threads)
            far[chosen], first[chosen] = found.mean(axis=1), indices[:, 0]
        return far, first

    @property
    def _is_by_numbers(self) -> bool:
        """Whether the faster search, which knows no missing values, finds the same."""
        n_level_columns = sum(self.levels.values()) + len(self.levels) + 2 * len(self.constants)
        return n_level_columns <= MOST_LEVEL_COLUMNS and bool(self.rows.is_complete.all())

    def _points(self, rows: PlacedRows) -> Floats:
        """Numbers alone: a level is ½ in its own column, so that two that differ are 1 apart."""
        sizes = [2] * len(self.constants) + [n_known + 1 for n_known in self.levels.values()]
        parts = [rows.numbers]
        for index, size in enumerate(sizes):
            parts.append(0.5 * (rows.levels[:, index, np.newaxis] == np.arange(size)))
        return np.ascontiguousarray(np.concatenate(parts, axis=1))

    def _mixed(
        self, rows: PlacedRows, k: int, n_threads: int, leaves_own_out: bool = False
    ) -> tuple[Indices, Floats]:
        n_numbers, n_levels = len(self.numbers), len(self.constants) + len(self.levels)
        return nearest_mixed(
            self.rows.numbers,
            self.rows.levels,
            rows.numbers,
            rows.levels,
            np.ones(n_numbers),
            np.ones(n_numbers),
            np.ones(n_levels),
            k,
            leaves_own_out=leaves_own_out,
            n_threads=n_threads,
        )


def row_space(train: Table) -> RowSpace:
    """What the training rows say about how to compare rows; columns without any value are left out."""
    numbers: list[str] = []
    centers: list[float] = []
    ranges: list[float] = []
    constants: dict[str, float] = {}
    levels: dict[str, int] = {}
    for column in train.columns:
        if column.n_missing == len(column):
            continue
        if column.kind in LEVEL_KINDS:
            levels[column.name] = int(column.values.max()) + 1
            continue
        known = column.values[~column.is_missing]
        width = middle_range(known)
        if width > 0:
            numbers.append(column.name)
            centers.append(float(np.median(known)))
            ranges.append(width)
        else:
            constants[column.name] = float(known[0])
    learned = tuple(numbers), np.array(centers), np.array(ranges), constants, levels
    nothing = PlacedRows(np.empty((0, 0)), np.empty((0, 0), dtype=np.int32))
    return RowSpace(*learned, RowSpace(*learned, nothing).placed(train))


def middle_range(known: Floats) -> float:
    """The width of what holds the middle nine tenths; the whole range where these are all the same."""
    with np.errstate(over="ignore"):
        lower, upper = np.quantile(known, MIDDLE)
        width = float(upper - lower) or float(np.ptp(known))
    return min(width, LARGEST)


Ends = NDArray[np.int64]

# Chosen by simulation: the decision "a forest tells two samples apart".
N_TREES = 200
MIN_LEAF = 5
EVERY = 3
CELLS_PER_BLOCK = 4_000_000


def forest_distances(
    train: Table, test: Table, k: int, seed: int, n_jobs: int | None
) -> tuple[Floats, Floats]:
    """Of each training row, and of each test row, 1 less the mean nearness of its k nearest training rows."""
    if train.n_columns < 2:
        raise RequestError(
            'by="forest" looks at how columns belong together, and there is only one',
            where=f"column '{train.names[0]}'",
            fix='use by="neighbors"',
        )
    names = partly_missing(train)  # of the training rows alone: what the test rows lack changes no tree
    train, test = with_missing_flags(train, names), with_missing_flags(test, names)
    forest = _grown(train, seed, n_jobs)
    is_out = _out_of_bag(forest, train.n_rows)
    begins = forest.forest_.tree_begin[:-1]
    ends, others = forest.apply(train) + begins, forest.apply(test) + begins
    n_requested = round(float(is_out.sum(axis=1).mean()))
    is_requested = np.zeros(others.shape, dtype=np.bool_)
    is_requested[:, :n_requested] = True
    n_nodes = int(forest.forest_.tree_begin[-1])
    return (
        _distances(ends, is_out, ends, n_nodes, k, leaves_own_out=True),
        _distances(others, is_requested, ends, n_nodes, k, leaves_own_out=False),
    )


def second_class(table: Table, seed: int) -> Table:
    """As many rows, every column in an order of its own; every third row has one number beyond its range."""
    generator = np.random.default_rng(seed)
    values = [column.values[generator.permutation(len(column))] for column in table.columns]
    numbers = [
        index
        for index, column in enumerate(table.columns)
        if column.kind in NUMERIC_KINDS and column.n_missing < len(column)
    ]
    rows = np.arange(0, table.n_rows, EVERY)
    moved = generator.choice(numbers, len(rows)) if numbers else np.empty(0, dtype=np.intp)
    for index in numbers:
        chosen = rows[moved == index]
        values[index][chosen] = _beyond(table.columns[index].values, len(chosen), generator)
    return Table(
        [
            Column(column.name, column.kind, shuffled, column.levels)
            for column, shuffled in zip(table.columns, values, strict=True)
        ]
    )


def _beyond(values: Floats, n: int, generator: np.random.Generator) -> Floats:
    """So many numbers below the smallest and above the largest, at most the middle range away."""
    known = values[~np.isnan(values)]
    away = generator.uniform(size=n) * (middle_range(known) or 1.0)
    is_below = generator.uniform(size=n) < 0.5
    with np.errstate(over="ignore"):
        beyond = np.where(is_below, known.min() - away, known.max() + away)
    return np.asarray(np.clip(beyond, -LARGEST, LARGEST))


def _grown(train: Table, seed: int, n_jobs: int | None) -> ForestClassifier:
    rows = stacked_tables(train, second_class(train, seed))
    is_real = np.repeat(np.array([1, 0]), train.n_rows)
    return ForestClassifier(N_TREES, min_leaf=MIN_LEAF, random_state=seed, n_jobs=n_jobs).fit(rows, is_real)


def _out_of_bag(forest: ForestClassifier, n_train: int) -> NDArray[np.bool_]:
    """Training row × tree: whether the tree has not seen the row."""
    bags = [in_bag_counts(forest._bagging, tree, 2 * n_train, None)[:n_train] for tree in range(N_TREES)]
    return np.asarray(np.stack(bags, axis=1) == 0)


def _distances(
    ends: Ends, is_requested: NDArray[np.bool_], references: Ends, n_nodes: int, k: int, leaves_own_out: bool
) -> Floats:
    """1 less the mean of the k largest shares of asked trees in which a row ends beside a reference.

    ends, references: row × tree, nodes counted over all trees
    is_requested:         row × tree, the trees that count for a row
    """
    n_trees = np.maximum(is_requested.sum(axis=1), 1)
    beside = _indicator(references, np.ones(references.shape, dtype=np.bool_), n_nodes).T.tocsr()
    found = np.empty(len(ends))
    height = max(1, CELLS_PER_BLOCK // len(references))
    for begin in range(0, len(ends), height):
        part = slice(begin, min(begin + height, len(ends)))
        shares = (_indicator(ends[part], is_requested[part], n_nodes) @ beside).toarray()
        if leaves_own_out:
            own = np.arange(part.start, part.stop)
            shares[own - part.start, own] = -1.0
        largest = np.partition(shares, -k, axis=1)[:, -k:].mean(axis=1)
        found[part] = 1 - largest / n_trees[part]
    return found


def _indicator(ends: Ends, is_requested: NDArray[np.bool_], n_nodes: int) -> Any:
    """Row × node: 1 where an asked tree ends the row."""
    from scipy.sparse import csr_array  # takes 0.1 s

    starts = np.append(0, np.cumsum(is_requested.sum(axis=1)))
    nodes = ends[is_requested]
    return csr_array((np.ones(len(nodes), dtype=np.float32), nodes, starts), shape=(len(ends), n_nodes))
