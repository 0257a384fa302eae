"""Brute force with NumPy: every distance in float64, summed in the order of the columns, ties by index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def plain_distances(
    references: Numbers, queries: Numbers, metric: str, weights: Numbers | None = None
) -> Numbers:
    """All distances, query × reference; what is not a number counts as infinite."""
    a, b = queries.astype(np.float64), references.astype(np.float64)
    with np.errstate(all="ignore"):
        if metric == "cosine":
            distances = _cosine(a, b, weights)
        elif metric == "linf":
            distances = np.zeros((len(a), len(b)))
            for j in range(a.shape[1]):
                np.fmax(distances, _weighted(np.abs(_differences(a, b, j)), weights, j), out=distances)
        else:
            term = {"l1": np.abs, "l2": np.square, "hamming": lambda d: (d != 0).astype(float)}[metric]
            distances = np.zeros((len(a), len(b)))
            for j in range(a.shape[1]):
                distances += _weighted(term(_differences(a, b, j)), weights, j)
            if metric == "hamming":
                distances /= float(a.shape[1]) if weights is None else _sum_in_order(weights)
    return np.where(np.isnan(distances), np.inf, distances)


def plain_gower(
    reference_numbers: Numbers,
    reference_levels: NDArray[np.int32],
    query_numbers: Numbers,
    query_levels: NDArray[np.int32],
    ranges: Numbers,
    number_weights: Numbers,
    level_weights: Numbers,
) -> Numbers:
    """All of Gower's distances, query × reference."""
    total = np.zeros((len(query_numbers), len(reference_numbers)))
    weight = np.zeros_like(total)
    for j, span in enumerate(ranges):
        differences = np.abs(_differences(query_numbers, reference_numbers, j))
        known = ~np.isnan(differences)
        weight += np.where(known, number_weights[j], 0.0)
        if span > 0:
            total += np.where(known, number_weights[j] * (differences / span), 0.0)
    for j, of_level in enumerate(level_weights):
        a, b = query_levels[:, j, None], reference_levels[None, :, j]
        known = (a >= 0) & (b >= 0)
        weight += np.where(known, of_level, 0.0)
        total += np.where(known & (a != b), of_level, 0.0)
    with np.errstate(all="ignore"):
        return np.where(weight > 0, total / weight, 1.0)


def plain_nearest(
    distances: Numbers, k: int, leaves_own_out: bool = False
) -> tuple[NDArray[np.int64], Numbers]:
    """The k nearest of all distances, by (distance, index), found by a stable sort."""
    distances = distances.copy()
    order = np.argsort(distances, axis=1, kind="stable")
    if leaves_own_out:
        own = np.arange(len(order))[:, None]
        order = order[order != own].reshape(len(order), -1)
    order = order[:, :k]
    return order, np.take_along_axis(distances, order, axis=1)


def _differences(a: Numbers, b: Numbers, j: int) -> Numbers:
    return a[:, j, None] - b[None, :, j]


def _weighted(terms: Numbers, weights: Numbers | None, j: int) -> Numbers:
    return terms if weights is None else weights[j] * terms


def _sum_in_order(numbers: Numbers) -> float:
    total = 0.0
    for number in numbers:
        total += float(number)
    return total


def _cosine(a: Numbers, b: Numbers, weights: Numbers | None) -> Numbers:
    dots = np.zeros((len(a), len(b)))
    squares_a, squares_b = np.zeros(len(a)), np.zeros(len(b))
    for j in range(a.shape[1]):
        dots += _weighted(a[:, j, None] * b[None, :, j], weights, j)
        squares_a += _weighted(a[:, j] * a[:, j], weights, j)
        squares_b += _weighted(b[:, j] * b[:, j], weights, j)
    lengths = np.sqrt(squares_a)[:, None] * np.sqrt(squares_b)[None, :]
    return np.where(lengths == 0, 1.0, np.fmax(0.0, 1 - dots / lengths))
