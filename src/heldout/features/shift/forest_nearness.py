"""How near a row is to training rows in a forest that knows how the columns belong together.

The forest tells training rows from rows in which every column is shuffled by itself (Breiman's second
class): it must learn which values come together. Every third of these has one number moved beyond the range,
so that it also learns where training ends. Two rows are near if many trees end them in the same leaf.
A training row is judged by the trees that have not seen it, and a new row by as many trees, so that
neither looks nearer only because it was there, or because more trees were asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.features.shift.near_rows import LARGEST, middle_range
from heldout.features.shift.two_samples import partly_missing, stacked_tables, with_missing_flags
from heldout.learners.forest_classifier import ForestClassifier
from heldout.native.forests import in_bag_counts
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.table.table import Table

Floats = NDArray[np.float64]
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
    n_asked = round(float(is_out.sum(axis=1).mean()))
    is_asked = np.zeros(others.shape, dtype=np.bool_)
    is_asked[:, :n_asked] = True
    n_nodes = int(forest.forest_.tree_begin[-1])
    return (
        _distances(ends, is_out, ends, n_nodes, k, leaves_own_out=True),
        _distances(others, is_asked, ends, n_nodes, k, leaves_own_out=False),
    )


def second_class(table: Table, seed: int) -> Table:
    """As many rows, every column in an order of its own; every third row has one number beyond its range."""
    generator = np.random.default_rng(seed)
    values = [column.values[generator.permutation(len(column))] for column in table.columns]
    numbers = [
        place
        for place, column in enumerate(table.columns)
        if column.kind in NUMERIC_KINDS and column.n_missing < len(column)
    ]
    rows = np.arange(0, table.n_rows, EVERY)
    moved = generator.choice(numbers, len(rows)) if numbers else np.empty(0, dtype=np.intp)
    for place in numbers:
        chosen = rows[moved == place]
        values[place][chosen] = _beyond(table.columns[place].values, len(chosen), generator)
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
    ends: Ends, is_asked: NDArray[np.bool_], references: Ends, n_nodes: int, k: int, leaves_own_out: bool
) -> Floats:
    """1 less the mean of the k largest shares of asked trees in which a row ends beside a reference.

    ends, references: row × tree, nodes counted over all trees
    is_asked:         row × tree, the trees that count for a row
    """
    n_trees = np.maximum(is_asked.sum(axis=1), 1)
    beside = _indicator(references, np.ones(references.shape, dtype=np.bool_), n_nodes).T.tocsr()
    found = np.empty(len(ends))
    height = max(1, CELLS_PER_BLOCK // len(references))
    for begin in range(0, len(ends), height):
        part = slice(begin, min(begin + height, len(ends)))
        shares = (_indicator(ends[part], is_asked[part], n_nodes) @ beside).toarray()
        if leaves_own_out:
            own = np.arange(part.start, part.stop)
            shares[own - part.start, own] = -1.0
        largest = np.partition(shares, -k, axis=1)[:, -k:].mean(axis=1)
        found[part] = 1 - largest / n_trees[part]
    return found


def _indicator(ends: Ends, is_asked: NDArray[np.bool_], n_nodes: int) -> Any:
    """Row × node: 1 where an asked tree ends the row."""
    from scipy.sparse import csr_array  # takes 0.1 s

    starts = np.append(0, np.cumsum(is_asked.sum(axis=1)))
    nodes = ends[is_asked]
    return csr_array((np.ones(len(nodes), dtype=np.float32), nodes, starts), shape=(len(ends), n_nodes))
