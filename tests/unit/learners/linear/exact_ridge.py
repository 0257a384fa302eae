"""Ridge by its normal equations in exact fractions: slow, plain, and without rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gaussian elimination; the matrix has full rank."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for place in range(len(rows)):
        pivot = next(k for k in range(place, len(rows)) if rows[k][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for other in range(len(rows)):
            if other != place and rows[other][place] != 0:
                factor = rows[other][place]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[place], strict=True)]
    return [row[-1] for row in rows]


def exact_ridge(
    X: Any, y: Any, alpha: float, weights: Any = None, fit_intercept: bool = True, penalize: bool = False
) -> np.ndarray:
    """The intercept, if there is one, and the coefficients, each rounded once at the end."""
    columns = [[Fraction(float(value)) for value in row] for row in np.asarray(X)]
    if fit_intercept:
        columns = [[Fraction(1), *row] for row in columns]
    targets = [Fraction(float(value)) for value in y]
    counts = [Fraction(1)] * len(targets) if weights is None else [Fraction(float(w)) for w in weights]
    size = len(columns[0])
    gram = [
        [sum(w * row[i] * row[j] for w, row in zip(counts, columns, strict=True)) for j in range(size)]
        for i in range(size)
    ]
    for place in range(size):
        if place > 0 or not fit_intercept or penalize:
            gram[place][place] += Fraction(float(alpha))
    right = [
        sum(w * row[i] * t for w, row, t in zip(counts, columns, targets, strict=True)) for i in range(size)
    ]
    return np.array([float(value) for value in solved(gram, right)])
