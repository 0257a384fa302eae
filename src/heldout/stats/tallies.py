"""Metrics of labels as functions of a few sums over rows, for tests that change rows by the thousands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.stats.metric_families import (
    PRECISION,
    RECALL,
    Family,
    FMeasure,
    MeanRecall,
    RowRate,
    f_parts,
    share,
)
from heldout.stats.score_pairs import Codes, PredictionPairs


@dataclass(frozen=True)
class TallyMetric:
    """A metric as a function of sums that swapped predictions change, and of the sizes of the classes.

    tallies: what a row adds to the sums, by its class and the predicted one: rows × sums
    value:   the metric from sums, and from how many rows each class has: one number per line of both
    """

    tallies: Callable[[Codes, Codes], Floats]
    value: Callable[[Floats, Floats], Floats]


def tally_metric(name: str, pairs: PredictionPairs, positive: Any = None) -> TallyMetric:
    """The metric of this name; of two classes the last is the positive one unless another is named."""
    if name in _OF_ONE_CLASS:
        return _of_one_class(_OF_ONE_CLASS[name], _positive_code(pairs.classes, positive))
    if positive is not None:
        raise RequestError(
            f"the metric {name!r} looks at all classes alike",
            where=f"positive={positive!r:.40}",
            fix="leave positive out, or use precision, recall or f1",
        )
    return _OF_ALL_CLASSES[name](len(pairs.classes))


def _of_one_class(family: Family, code: int) -> TallyMetric:
    """Hits and rows that are called positive; the other cells follow from the sizes of the classes."""

    def tallies(y: Codes, predicted: Codes) -> Floats:
        is_called = predicted == code
        return np.column_stack([is_called & (y == code), is_called]).astype(np.float64)

    def value(sums: Floats, sizes: Floats) -> Floats:
        n_positive = sizes[:, code] if code < sizes.shape[1] else np.zeros(len(sizes))
        hits, called = sums[:, 0], sums[:, 1]
        others = sizes.sum(axis=1) - n_positive - (called - hits)
        return family.from_sums(np.stack([hits, called - hits, n_positive - hits, others], axis=-1))

    return TallyMetric(tallies, value)


def _accuracy(n_classes: int) -> TallyMetric:
    accuracy = RowRate()
    return TallyMetric(
        lambda y, predicted: accuracy.is_hit(y, predicted)[:, np.newaxis],
        lambda sums, sizes: accuracy.from_sums(np.stack([sums[:, 0], sizes.sum(axis=1)], axis=-1)),
    )


def _balanced_accuracy(n_classes: int) -> TallyMetric:
    return TallyMetric(
        lambda y, predicted: _one_hot(y, n_classes) * (y == predicted)[:, np.newaxis],
        lambda sums, sizes: MeanRecall().from_sums(np.hstack([sums, sizes])),
    )


def _macro_f1(n_classes: int) -> TallyMetric:
    """The mean F1 of the classes that have rows or are predicted."""

    def tallies(y: Codes, predicted: Codes) -> Floats:
        called = _one_hot(predicted, n_classes)
        return np.hstack([called * (y == predicted)[:, np.newaxis], called])

    def value(sums: Floats, sizes: Floats) -> Floats:
        hits, called = sums[:, :n_classes], sums[:, n_classes:]
        parts = f_parts(hits, called - hits, sizes - hits)
        return share(share(*parts).sum(axis=1), (parts[1] > 0).sum(axis=1))

    return TallyMetric(tallies, value)


def _one_hot(codes: Codes, n_classes: int) -> Floats:
    return np.asarray(codes[:, np.newaxis] == np.arange(n_classes), dtype=np.float64)


def _positive_code(classes: list[Any], positive: Any) -> int:
    if positive is None and len(classes) <= 2:
        return max(len(classes) - 1, 0)
    if positive is None:
        raise RequestError(
            "there are more than two classes, and none is named as the positive one",
            where=f"{len(classes)} classes, first {classes[0]!r:.40} and {classes[1]!r:.40}",
            fix=f"say positive={classes[-1]!r:.40}, or use the metric 'macro_f1'",
        )
    if positive in classes:
        return classes.index(positive)
    raise RequestError(
        f"no row has the class {positive!r:.40}",
        where=f"positive={positive!r:.40}; the classes are {', '.join(map(repr, classes[:6]))}",
        fix="name one of them",
    )


_OF_ONE_CLASS: dict[str, Family] = {"f1": FMeasure(), "precision": PRECISION, "recall": RECALL}
_OF_ALL_CLASSES: dict[str, Callable[[int], TallyMetric]] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "macro_f1": _macro_f1,
}
NAMES = (*_OF_ALL_CLASSES, *_OF_ONE_CLASS)
