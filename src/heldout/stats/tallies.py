"""Metrics of labels as functions of a few sums over rows, for tests that change rows by the thousands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.stats.score_pairs import AnswerPairs, Codes


@dataclass(frozen=True)
class TallyMetric:
    """A metric as a function of sums.

    tallies: what a row adds to the sums, by its class and the answer: rows × sums
    value:   the metric from sums, and from how many rows each class has: one number per line of both
    """

    tallies: Callable[[Codes, Codes], Floats]
    value: Callable[[Floats, Floats], Floats]


def tally_metric(name: str, pairs: AnswerPairs, positive: Any = None) -> TallyMetric:
    """The metric of this name.

    name:     one of NAMES
    positive: the class to spot, for precision, recall and F1; left out, of at most two the last
    """
    if name in _OF_ONE_CLASS:
        return _of_one_class(_OF_ONE_CLASS[name], _positive_place(pairs.classes, positive))
    if positive is not None:
        raise RequestError(
            f"the metric {name!r} looks at all classes alike",
            where=f"positive={positive!r:.40}",
            fix="leave positive out, or use precision, recall or f1",
        )
    return _OF_ALL_CLASSES[name](len(pairs.classes))


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0)


def _of_one_class(value: Callable[[Floats, Floats, Floats], Floats], place: int) -> TallyMetric:
    """hits, called and there: rows found, rows named, and rows of the class."""

    def tallies(y: Codes, answer: Codes) -> Floats:
        is_called = answer == place
        return np.column_stack([is_called & (y == place), is_called]).astype(np.float64)

    def of_class(sums: Floats, sizes: Floats) -> Floats:
        there = sizes[:, place] if place < sizes.shape[1] else np.zeros(len(sizes))
        return value(sums[:, 0], sums[:, 1], there)

    return TallyMetric(tallies, of_class)


def _accuracy(n_classes: int) -> TallyMetric:
    return TallyMetric(
        lambda y, answer: (y == answer).astype(np.float64)[:, np.newaxis],
        lambda sums, sizes: share(sums[:, 0], sizes.sum(axis=1)),
    )


def _balanced_accuracy(n_classes: int) -> TallyMetric:
    """The mean recall of the classes that have rows."""
    return TallyMetric(
        lambda y, answer: _one_hot(y, n_classes) * (y == answer)[:, np.newaxis],
        lambda sums, sizes: share(share(sums, sizes).sum(axis=1), (sizes > 0).sum(axis=1)),
    )


def _macro_f1(n_classes: int) -> TallyMetric:
    """The mean F1 of the classes that have rows or are named."""

    def tallies(y: Codes, answer: Codes) -> Floats:
        called = _one_hot(answer, n_classes)
        return np.hstack([called * (y == answer)[:, np.newaxis], called])

    def value(sums: Floats, sizes: Floats) -> Floats:
        either = sums[:, n_classes:] + sizes
        return share(share(2 * sums[:, :n_classes], either).sum(axis=1), (either > 0).sum(axis=1))

    return TallyMetric(tallies, value)


def _one_hot(codes: Codes, n_classes: int) -> Floats:
    return np.asarray(codes[:, np.newaxis] == np.arange(n_classes), dtype=np.float64)


def _positive_place(classes: list[Any], positive: Any) -> int:
    if positive is None and len(classes) <= 2:
        return max(len(classes) - 1, 0)
    if positive is None:
        raise RequestError(
            "there are more than two classes, and none is named as the one to spot",
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


_OF_ONE_CLASS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "f1": lambda hits, called, there: share(2 * hits, called + there),
    "precision": lambda hits, called, there: share(hits, called),
    "recall": lambda hits, called, there: share(hits, there),
}
_OF_ALL_CLASSES: dict[str, Callable[[int], TallyMetric]] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "macro_f1": _macro_f1,
}
NAMES = (*_OF_ALL_CLASSES, *_OF_ONE_CLASS)
