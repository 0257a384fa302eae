"""How the prediction of a node is drawn: shares of classes, or a mean on a scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.charts.legend import LegendEntry
from heldout.charts.theme import N_CLASS_COLOURS, OTHER, shade
from heldout.charts.tree_cards import BarScale, Segment
from heldout.errors import DataError
from heldout.learners.class_shares import unweighted
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_count, shown_level, shown_rows

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

MOST_CLASSES_IN_WORDS = 10


@dataclass(frozen=True)
class DrawnPrediction:
    """What is drawn of the prediction of a node.

    label: the class or the mean
    count: the rows of the class and of the node, or the rows (the weight, where that is not their number)
    total: the rows of the node, likewise
    bar:   the distribution
    place: the legend's place that gives the colour
    words: the whole prediction in words
    """

    label: str
    count: str
    total: str
    bar: tuple[Segment, ...]
    index: int
    words: str


class DrawnPredictions(Protocol):
    """The predictions of one tree."""

    @property
    def kind(self) -> str: ...
    @property
    def legend(self) -> tuple[LegendEntry, ...]: ...
    @property
    def scale(self) -> BarScale | None: ...

    @property
    def shade_scale(self) -> tuple[str, str] | None:
        """What the lowest and the highest shade of a plane stand for; None where colours are classes."""

    @property
    def remark(self) -> str:
        """What has to be known of the numbers, or nothing."""

    def of(self, nodes: Sequence[int]) -> DrawnPrediction:
        """The prediction of a node, or of several nodes taken together."""

    def region_index(self, node: int) -> int:
        """The place of the colour that a node's region of a plane has."""

    def row_indices(self, y: ArrayLike) -> NDArray[np.int64]:
        """The place of the colour of each row, by its true class or number."""


class ClassPredictions:
    """Predictions that are classes; a bar shows their shares.

    Rows are counted, without class weights, though these decide which class is predicted. Where rows have
    weights of their own, the weights are shown, and the remark says so; it also names the threshold of a tree
    that decides at one.

    tree: a fitted TreeClassifier
    """

    kind = "Classification tree"
    scale = None
    shade_scale = None

    def __init__(self, tree: TreeBase) -> None:
        grown, at, self._code = tree.tree_.grown, tree._decision, tree._code
        self._value = grown.value
        self._counts = unweighted(self._value, tree.class_weights_)
        are_rows = math.isclose(float(self._counts[0].sum()), float(grown.n_rows[0]), rel_tol=1e-9)
        remarks = [] if are_rows else ["numbers are weights"]
        if at is not None:
            remarks.append(at.words)
        elif (tree.class_weights_ != 1.0).any():
            remarks.append("predictions by class weights")
        self.remark = ", ".join(remarks)
        self._classes = tree.classes_.tolist()
        self._labels = [shown_level(str(label)) for label in tree.classes_]
        self._colours = ClassColours(self._counts[0], self._labels)

    @property
    def legend(self) -> tuple[LegendEntry, ...]:
        return self._colours.legend

    def of(self, nodes: Sequence[int]) -> DrawnPrediction:
        winner = self._code(self._value[list(nodes)].sum(axis=0))
        weights = self._counts[list(nodes)].sum(axis=0)
        right, total = float(weights[winner]), float(weights.sum())
        is_pure = np.count_nonzero(weights) == 1 and weights[winner] > 0
        all_of_it = f"all {shown_count(total)} are {self._labels[winner]}"
        return DrawnPrediction(
            label=self._labels[winner],
            count=short_count(total) if is_pure else f"{short_count(right)} of {short_count(total)}",
            total=short_count(total),
            bar=self._bar(weights),
            index=self._colours.index_of[winner],
            words=all_of_it if is_pure else f"{self._words(weights)} of {shown_count(total)}",
        )

    def region_index(self, node: int) -> int:
        return self._colours.index_of[int(self._code(self._value[node]))]

    def row_indices(self, y: ArrayLike) -> NDArray[np.int64]:
        position_of = {label: position for position, label in enumerate(self._classes)}
        given = np.asarray(y).tolist()
        unknown = [row for row, label in enumerate(given) if label not in position_of]
        if unknown:
            first = unknown[0]
            raise DataError(
                "y has a class that the tree does not know",
                where=f"{len(unknown)} of {len(given)} rows, first {given[first]!r} in row {first + 1}",
                fix="leave those rows out, or give the classes as they were at fit",
            )
        return np.array([self._colours.index_of[position_of[label]] for label in given], dtype=np.int64)

    def _bar(self, weights: NDArray[np.float64]) -> tuple[Segment, ...]:
        gathered = self._colours.gathered(weights)
        ends = np.cumsum(gathered) / max(float(gathered.sum()), np.finfo(float).tiny)
        starts = np.append(0.0, ends[:-1])
        return tuple(
            Segment(float(start), float(end), index)
            for index, (start, end) in enumerate(zip(starts, ends, strict=True))
            if end > start
        )

    def _words(self, weights: NDArray[np.float64]) -> str:
        order = np.argsort(-weights, kind="stable")[: np.count_nonzero(weights)]
        named = [
            f"{self._labels[index]} {shown_count(float(weights[index]))}"
            for index in order[:MOST_CLASSES_IN_WORDS]
        ]
        n_more = len(order) - len(named)
        return ", ".join(named) + (f" and {n_more} more classes" if n_more else "")


class MeanPredictions:
    """Predictions that are means; a bar reaches from the mean of all rows to that of the node."""

    kind = "Regression tree"
    legend = ()
    remark = ""

    def __init__(self, structure: TreeStructure) -> None:
        self._grown = structure.grown
        self._n_digits = structure.n_value_digits
        means = structure.grown.value[:, 0]
        self._low, self._high, self._all = float(means.min()), float(means.max()), float(means[0])

    @property
    def scale(self) -> BarScale:
        mark = self._position(self._all)
        remark = f"mark: mean of all rows, {self._shown(self._all)}"
        return BarScale(self._shown(self._low), self._shown(self._high), mark, remark)

    def of(self, nodes: Sequence[int]) -> DrawnPrediction:
        indices = list(nodes)
        weights = self._grown.weight[indices]
        mean = float(np.average(self._grown.value[indices, 0], weights=weights))
        n_rows, weight = int(self._grown.n_rows[indices].sum()), float(weights.sum())
        rows = shown_rows(n_rows, weight)
        count = rows if math.isclose(weight, n_rows, rel_tol=1e-9) else f"weight {short_count(weight)}"
        start, end = sorted((self._position(self._all), self._position(mean)))
        index = 0 if mean < self._all else 1
        label = self._shown(mean)
        bar = (Segment(start, end, index),)
        return DrawnPrediction(label, count, count, bar, index, f"mean {label}, {rows}")

    @property
    def shade_scale(self) -> tuple[str, str]:
        return f"≤ {self._shown(self._low)}", f"≥ {self._shown(self._high)}"

    def region_index(self, node: int) -> int:
        return shade(self._position(float(self._grown.value[node, 0])))

    def row_indices(self, y: ArrayLike) -> NDArray[np.int64]:
        targets = np.asarray(y, dtype=np.float64)
        is_missing = ~np.isfinite(targets)
        if is_missing.any():
            first = int(is_missing.argmax())
            raise DataError(
                "y has a value that is missing or infinite",
                where=f"{int(is_missing.sum())} of {targets.size} rows, first row {first + 1}",
                fix="leave those rows out",
            )
        return np.array([shade(self._position(float(target))) for target in targets], dtype=np.int64)

    def _position(self, mean: float) -> float:
        spread = self._high / 2 - self._low / 2
        return min(max((mean / 2 - self._low / 2) / spread, 0.0), 1.0) if spread > 0 else 0.5

    def _shown(self, mean: float) -> str:
        return f"{mean:.{self._n_digits}g}"


def short_count(weight: float) -> str:
    """A weight as it stands on a card: one decimal, or two below ten, where it is not whole."""
    if weight == int(weight):
        return str(int(weight))
    return f"{weight:.{1 if weight >= 10 else 2}f}"


class ClassColours:
    """The places of the classes.

    weights:  of the classes, in all rows
    labels:   of the classes, in the same order
    index_of: the place of each class; the first places go to the classes in their order
    """

    def __init__(self, weights: NDArray[np.float64], labels: Sequence[str]) -> None:
        self._weights = weights
        self._labels = labels
        heaviest = np.sort(np.argsort(-weights, kind="stable")[:N_CLASS_COLOURS])
        self._own = [int(position) for position in heaviest]
        self.index_of = [OTHER] * len(labels)
        for index, position in enumerate(self._own):
            self.index_of[position] = index

    @property
    def legend(self) -> tuple[LegendEntry, ...]:
        """An entry for each place, with the weight behind the label."""
        gathered = self.gathered(self._weights)
        labels = [self._labels[position] for position in self._own]
        n_others = len(self._labels) - len(self._own)
        if n_others:
            labels.append(f"{n_others} other {'class' if n_others == 1 else 'classes'}")
        return tuple(
            LegendEntry(label, shown_count(float(weight)))
            for label, weight in zip(labels, gathered, strict=True)
        )

    def gathered(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weights of the classes as weights of the places."""
        n_indices = len(self._own) + (len(self._labels) > len(self._own))
        gathered = np.bincount(self.index_of, weights=weights, minlength=n_indices)
        return gathered.astype(np.float64)
