"""Curves by brute force in fractions: slow, short, and without a rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

TINY = Fraction(1, 10**6)
Point = tuple[Fraction, Fraction]


@st.composite
def labelled_scores(draw: st.DrawFn, most: int = 25, scores: st.SearchStrategy | None = None):
    """Labels of both classes and scores with many ties."""
    n_rows = draw(st.integers(2, most))
    y = draw(
        st.lists(st.integers(0, 1), min_size=n_rows, max_size=n_rows).filter(lambda y: 0 < sum(y) < len(y))
    )
    scores = st.integers(0, draw(st.sampled_from([1, 4, 60]))) if scores is None else scores
    return np.array(y), np.array(draw(st.lists(scores, min_size=n_rows, max_size=n_rows)), dtype=float)


def exact_points(y, scores) -> list[Point]:
    """False and true positives of every threshold, from nothing on."""
    points = [(Fraction(0), Fraction(0))]
    for threshold in sorted(set(scores), reverse=True):
        called = [label for label, score in zip(y, scores, strict=True) if score >= threshold]
        points.append(
            (Fraction(sum(label == 0 for label in called)), Fraction(sum(label == 1 for label in called)))
        )
    return points


def share_of_pairs(y, scores, weights=None) -> Fraction:
    """The share of pairs that the positive row wins, ties counting half."""
    weights = [1] * len(y) if weights is None else weights
    rows = [(label, score, int(weight)) for label, score, weight in zip(y, scores, weights, strict=True)]
    doubled = total = 0
    for _, score, weight in (row for row in rows if row[0] == 1):
        for _, other, other_weight in (row for row in rows if row[0] == 0):
            total += weight * other_weight
            doubled += weight * other_weight * (int(score > other) + int(score >= other))
    return Fraction(doubled, 2 * total)


def height_at(points: list[Point], across: Fraction) -> Fraction:
    """How high a line through rising points lies; where it rises straight up, its upper end."""
    reached = [place for place, (x, _) in enumerate(points) if x <= across]
    place = reached[-1]
    x, y = points[place]
    if x == across:
        return y
    next_x, next_y = points[place + 1]
    return y + (next_y - y) * (across - x) / (next_x - x)


def _around(values: set[Fraction]) -> list[Fraction]:
    low, high = min(values), max(values)
    near = {value + step for value in values for step in (-TINY, Fraction(0), TINY)}
    return sorted(value for value in near if low <= value <= high)


def dominates_in_roc_space(first: list[Point], second: list[Point]) -> bool:
    """Whether at every false positive rate the first has at least as many true positives."""
    places = _around({x for x, _ in first + second})
    return all(height_at(first, place) >= height_at(second, place) for place in places)


def precision_at(points: list[Point], hits: Fraction) -> Fraction:
    """Precision at a number of true positives, interpolated by counts: the best of a straight fall."""
    place = next(place for place, (_, y) in enumerate(points) if y >= hits)
    x, y = points[place]
    if y != hits:
        before_x, before_y = points[place - 1]
        x = before_x + (x - before_x) * (hits - before_y) / (y - before_y)
    return hits / (hits + x)


def dominates_in_precision_space(first: list[Point], second: list[Point]) -> bool:
    """Whether at every recall above 0 the first has at least the same precision."""
    places = [place for place in _around({y for _, y in first + second}) if place > 0]
    return all(precision_at(first, place) >= precision_at(second, place) for place in places)
