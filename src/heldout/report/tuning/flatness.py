"""How flat an optimum is: which settings the noise of the folds cannot tell from the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Sums of equal numbers differ in their last digits.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Flatness:
    """What the settings of a contender scored, beside the best of them.

    best:      the place of the best mean, the first of equals
    means:     of each setting over the cells; NaN where one of them has no finite score
    noise:     how much its difference to the best varies in what the choice is made by
    is_within: whether the difference is within that noise
    """

    best: int
    means: Floats
    noise: Floats
    is_within: NDArray[np.bool_]

    @property
    def n_within(self) -> int:
        return int(self.is_within.sum())


def flatness(scores: Floats, larger_is_better: bool, test_share: float, is_nested: bool) -> Flatness | None:
    """The settings beside the best one; None where no setting has a finite score in every cell.

    scores:     cells × settings
    test_share: the share of the rows that a cell leaves out
    is_nested:  whether every cell chose by its own scores, from inside its training part; otherwise one
                choice was made by the mean over the cells

    Noise is what could have turned the choice. Where every cell chose for itself it is the standard
    deviation of the difference over the cells: within it, some cells liked the setting better. Where one
    choice was made by the mean, it is the standard error of that, as Nadeau and Bengio (2003) correct it for
    folds that share training rows.

    >>> scores = np.array([[0.8, 0.5], [0.9, 0.6], [0.7, 0.6]])
    >>> found = flatness(scores, True, test_share=1 / 3, is_nested=True)
    >>> found.best, found.is_within.tolist()
    (0, [True, False])
    """
    scores = np.where(np.isfinite(scores), scores, np.nan)  # a loss may be infinite, and cannot be drawn
    means = scores.mean(axis=0)
    if not len(scores) or np.isnan(means).all():
        return None
    signed = means if larger_is_better else -means
    best = int(np.nanargmax(signed))
    gaps = signed[best] - signed
    noise = _deviations(scores - scores[:, [best]])
    if not is_nested:
        noise *= np.sqrt(1 / len(scores) + test_share / (1 - test_share))
    with np.errstate(invalid="ignore"):
        is_within = gaps <= noise + _ROUNDING * max(abs(float(means[best])), 1.0)
    is_within[best] = True
    return Flatness(best, means, noise, is_within)


def _deviations(differences: Floats) -> Floats:
    """The standard deviation of each column; not known from a single row."""
    if len(differences) < 2:
        return np.full(differences.shape[1], np.nan)
    with np.errstate(invalid="ignore"):
        return np.asarray(differences.std(axis=0, ddof=1))


def within_range(values: Sequence[object], is_within: Sequence[bool], best: int) -> tuple[object, object]:
    """The lowest and the highest value around the best one between which every setting is within noise.

    values: numbers, from the lowest to the highest

    >>> within_range([1, 3, 5, 7], [False, True, True, False], 2)
    (3, 5)
    """
    first = last = best
    while first > 0 and is_within[first - 1]:
        first -= 1
    while last + 1 < len(values) and is_within[last + 1]:
        last += 1
    return values[first], values[last]
