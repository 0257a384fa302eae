"""How far numbers spread, and whether their variance is above a threshold, decided without rounding."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

# Far more than the rounding of a variance; far less than users distinguish.
NEAR = 1e-6
# Below it squares lose digits.
TINY = 1e-280
SMALLEST = float(np.nextafter(0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Spread:
    """The spread of numbers.

    known:    those that are known, without the zeros
    n_zeros:  how many zeros there are besides, as a sparse matrix has them
    low:      the smallest, NaN if there is none
    high:     the largest
    variance: 1/N, rounded; 0 exactly if all are equal, infinite if it is beyond the largest float
    """

    known: NDArray[np.float64]
    n_zeros: int
    low: float
    high: float
    variance: float

    @property
    def is_known(self) -> bool:
        return len(self.known) + self.n_zeros > 0

    def is_above(self, threshold: float) -> bool:
        """Whether the variance is larger.

        >>> spread_of(np.array([0.0, 1.0])).is_above(0.25), spread_of(np.array([0.0, 1.0])).is_above(0.2)
        (False, True)
        """
        if self.low == self.high or threshold == 0.0:
            return self.low != self.high
        is_near = abs(self.variance - threshold) <= NEAR * threshold
        if is_near or max(self.variance, threshold) < TINY:
            return self._exact() > Fraction(threshold)
        return self.variance > threshold

    def _exact(self) -> Fraction:
        distinct, counts = np.unique(self.known, return_counts=True)
        pairs = [
            (Fraction(number), count)
            for number, count in zip(distinct.tolist(), counts.tolist(), strict=True)
        ]
        n_numbers = len(self.known) + self.n_zeros
        mean = sum((number * count for number, count in pairs), Fraction(0)) / n_numbers
        squares = sum(((number - mean) ** 2 * count for number, count in pairs), mean**2 * self.n_zeros)
        return squares / n_numbers


def spread_of(numbers: NDArray[np.float64], n_zeros: int = 0) -> Spread:
    """The spread of the numbers that are known.

    numbers: finite, NaN for missing
    n_zeros: how many zeros there are besides

    >>> spread_of(np.array([0.1, np.nan, 0.1, 0.1])).variance
    0.0
    """
    known = np.ascontiguousarray(numbers[~np.isnan(numbers)])
    if not len(known):
        edge = 0.0 if n_zeros else np.nan
        return Spread(known, n_zeros, edge, edge, edge)
    low, high = float(known.min()), float(known.max())
    if n_zeros:
        low, high = min(low, 0.0), max(high, 0.0)
    variance = 0.0 if low == high else max(_variance(known, n_zeros), SMALLEST)
    return Spread(known, n_zeros, low, high, variance)


def _variance(known: NDArray[np.float64], n_zeros: int) -> float:
    """Two passes, and what rounding of the mean left over taken off."""
    n_numbers = len(known) + n_zeros
    with np.errstate(over="ignore", invalid="ignore"):
        center = float(known.sum()) / n_numbers
        distances = known - center
        squares = float(np.square(distances).sum()) + n_zeros * center * center
        left_over = (float(distances.sum()) - n_zeros * center) / n_numbers
        variance = squares / n_numbers - left_over * left_over
    return variance if np.isfinite(variance) else np.inf
