"""A slow second opinion on grown forests: walks rows down and judges every split against all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.native.forests import GrownForest

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Numbers, with NaN for unknown, or levels, with -1, one column each; classes or targets; weights."""

    X: Floats
    is_category: tuple[bool, ...]
    y: Floats
    weights: Floats
    n_classes: int

    def take(self, chosen: NDArray[np.intp]) -> Rows:
        return Rows(self.X[chosen], self.is_category, self.y[chosen], self.weights[chosen], self.n_classes)

    def is_unknown(self, column: int) -> NDArray[np.bool_]:
        values = self.X[:, column]
        return values < 0 if self.is_category[column] else np.isnan(values)


def impurity(rows: Rows, criterion: str) -> float:
    """The impurity of rows, times their weight."""
    total = rows.weights.sum()
    if not total:
        return 0.0
    if criterion == "squared_error":
        mean = rows.weights @ rows.y / total
        return float(rows.weights @ (rows.y - mean) ** 2)
    shares = np.bincount(rows.y.astype(int), rows.weights, rows.n_classes) / total
    if criterion == "gini":
        return float(total * (1 - (shares**2).sum()))
    known = shares[shares > 0]
    return float(-total * (known * np.log2(known)).sum())


def parts_of(rows: Rows, forest: GrownForest, tree: int, node: int) -> list[NDArray[np.intp]]:
    """Which of the rows go to which child."""
    place = int(forest.tree_begin[tree]) + node
    column, kind = int(forest.feature[place]), int(forest.split_kind[place])
    values = rows.X[:, column]
    side = np.full(len(values), int(forest.default_child[place]))
    known = ~rows.is_unknown(column)
    first = int(forest.tree_begin[tree]) + int(forest.first_child[place])
    n_children = int(forest.n_children[place])
    if kind == 1:
        side[known] = np.where(values[known] <= forest.threshold[place], 0, 1)
    elif kind == 2:
        for child in range(n_children):
            side[known & (values == forest.branch_level[first + child])] = child
    else:
        inside = forest.set_levels[forest.set_begin[place] : forest.set_end[place]]
        side[known] = np.where(np.isin(values[known], inside), 0, 1)
    return [np.flatnonzero(side == child) for child in range(n_children)]


def cuts_of(rows: Rows, column: int, splits: str) -> Iterator[list[NDArray[np.intp]]]:
    """Every split of a column, unknown rows with the heavier side (the first of equal ones)."""
    unknown, values = rows.is_unknown(column), rows.X[:, column]
    present = np.unique(values[~unknown])
    if len(present) < 2:
        return
    if not rows.is_category[column]:
        firsts = [~unknown & (values <= value) for value in present[:-1]]
    elif splits == "multiway":
        sides = [np.flatnonzero(~unknown & (values == value)) for value in present]
        heaviest = int(np.argmax([rows.weights[side].sum() for side in sides]))
        sides[heaviest] = np.concatenate([sides[heaviest], np.flatnonzero(unknown)])
        yield sides
        return
    elif splits == "one_vs_rest":
        firsts = [~unknown & (values == value) for value in present]
    else:
        chosen = range(1, 1 << (len(present) - 1))
        firsts = [
            ~unknown & np.isin(values, [v for i, v in enumerate(present) if picked >> i & 1])
            for picked in chosen
        ]
    for first in firsts:
        other = ~first & ~unknown
        goes_first = rows.weights[first].sum() >= rows.weights[other].sum()
        pair = (first | unknown, other) if goes_first else (first, other | unknown)
        yield [np.flatnonzero(side) for side in pair]


def gain_of(rows: Rows, parts: list[NDArray[np.intp]], criterion: str) -> float:
    """What a split gains, times the weight of the rows."""
    return impurity(rows, criterion) - sum(impurity(rows.take(part), criterion) for part in parts)


def best_gain(rows: Rows, column: int, criterion: str, splits: str, min_leaf: float) -> float:
    """The largest gain of a column; minus infinity where it cannot be split."""
    allowed = [
        gain_of(rows, parts, criterion)
        for parts in cuts_of(rows, column, splits)
        if sum(rows.weights[part].sum() >= min_leaf for part in parts) >= 2
    ]
    return max(allowed, default=-np.inf)
