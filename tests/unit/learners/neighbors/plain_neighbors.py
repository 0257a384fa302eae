"""Neighbors by definition: Python floats, added in the order of the columns, and a plain sort."""

import math


def plain_distance(metric, a, b, weights, ranges=None):
    """The distance of two rows, of l2 squared; a word is a level, None or NaN is unknown (of Gower alone)."""
    pairs = list(zip(a, b, weights, strict=True))
    if metric == "gower":
        return gower_distance(pairs, ranges)
    if metric == "l2":
        return total(w * ((x - y) * (x - y)) for x, y, w in pairs)
    if metric == "l1":
        return total(w * abs(x - y) for x, y, w in pairs)
    if metric == "linf":
        return max(w * abs(x - y) for x, y, w in pairs)
    if metric == "hamming":
        return total(w * (x != y) for x, y, w in pairs) / total(weights)
    assert metric == "cosine"
    lengths = [math.sqrt(total(w * (x * x) for x, w in zip(row, weights, strict=True))) for row in (a, b)]
    if 0 in lengths:
        return 1.0
    return max(0.0, 1 - total(w * (x * y) for x, y, w in pairs) / (lengths[0] * lengths[1]))


def gower_distance(pairs, ranges):
    """Numbers first, then levels, over the columns that both rows know."""
    known = [
        (x, y, w, r)
        for (x, y, w), r in zip(pairs, ranges, strict=True)
        if not any(value is None or value != value for value in (x, y))
    ]
    known.sort(key=lambda each: isinstance(each[0], str))
    parts = [
        w * (x != y) if isinstance(x, str) else w * (abs(x - y) / r) if r > 0 else 0.0 for x, y, w, r in known
    ]
    whole = total(w for _, _, w, _ in known)
    return total(parts) / whole if whole > 0 else 1.0


def total(terms):
    """A sum from left to right; Python's own compensates from 3.12 on."""
    result = 0.0
    for term in terms:
        result += term
    return result


def plain_ranges(rows):
    """The range of each column of numbers; None for a column of words."""
    ranges = []
    for column in zip(*rows, strict=True):
        known = [value for value in column if value is not None and value == value]
        if any(isinstance(value, str) for value in known):
            ranges.append(None)
        else:
            ranges.append(max(known) - min(known) if known else 0.0)
    return [0.0 if each is None else each for each in ranges]


def plain_neighbors(metric, rows, query, k, weights=None, left_out=None):
    """Pairs of distance and position of the k nearest, equally near ones by position.

    Rows of l2 are sorted by the sum of squares: a root may make two of them equal.
    """
    weights = [1.0] * len(query) if weights is None else weights
    ranges = plain_ranges(rows)
    found = [
        (plain_distance(metric, query, row, weights, ranges), position)
        for position, row in enumerate(rows)
        if position != left_out
    ]
    nearest = sorted(found)[:k]
    return [(math.sqrt(d), position) for d, position in nearest] if metric == "l2" else nearest


def plain_weights(rule, distances, bandwidth=None):
    """The weight of each neighbor."""
    if callable(rule):
        return rule(distances)
    if rule == "uniform":
        return [1.0] * len(distances)
    if rule == "inverse":
        if distances[0] == 0:
            return [float(distance == 0) for distance in distances]
        return [1 / distance for distance in distances]
    width = distances[-1] / 2 if bandwidth is None else bandwidth
    return [math.exp(-0.5 * (distance / width) ** 2) if width else 1.0 for distance in distances]


def plain_shares(classes, weights, n_classes):
    """The share of each class in the weight."""
    votes = [
        total(w for c, w in zip(classes, weights, strict=True) if c == place) for place in range(n_classes)
    ]
    return [vote / total(weights) for vote in votes]
