"""The interval of a cross-validated mean squared error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.errors import DataError
from heldout.stats.choices import check_confidence, normal_z
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.group_spread import few_groups_factor, group_codes, ratio_variance
from heldout.stats.out_of_fold import (
    Numbers,
    check_folds,
    estimand,
    first_in_repeats,
    folds_in_words,
    inflation,
    out_of_fold,
)

HELD = (0.94, 1.0)
HELD_BY_GROUPS = (0.96, 1.0)
ALL_ZERO = "All errors are 0, and nothing tells how large those of other rows may be."
NO_SPREAD = "All errors are equal, and nothing tells how far those of other rows may lie."


def cross_validated_mse(
    squared_errors: Any,
    n_folds: int,
    confidence: float = 0.95,
    what: str = "mean squared error",
    groups: Any = None,
) -> CrossValidatedInterval:
    """A mean squared error from out-of-fold predictions, with its interval.

    The interval is normal on the logarithmic scale, with the standard error of the pooled errors times
    √(1 + K/(K−1)): each row also trained the models that judge the others.

    squared_errors: repeats × rows, or rows, of (y − predicted)²; any other loss that is 0 or more will do
    n_folds:        K, into how many folds the rows were divided in each repeat
    what:           what the mean is, for the sentence
    groups:         one label per row; rows of a group are not independent, so the spread is that between
                    groups, and groups are counted. Rows that follow each other in time: give blocks of time

    Where all errors are equal there is no interval (NaN), and a note says why.

    >>> found = cross_validated_mse([1.0, 4.0, 0.0, 9.0, 1.0, 0.0, 4.0, 1.0], n_folds=4)
    >>> found.estimate, round(found.low, 3), round(found.high, 3)
    (2.5, 0.681, 9.174)
    """
    confidence = check_confidence(confidence)
    losses = _checked(squared_errors)
    n_repeats, n_rows = losses.shape
    n_folds = check_folds(n_folds, n_rows)
    # Squares of very small or large losses would leave the range of numbers; relative ones do not.
    scale = float(losses.max()) or 1.0
    relative = losses / scale
    n_units, unit, factor = n_rows, "row", 1.0
    if groups is None:
        variance = pooled_variance(relative)
    else:
        codes, n_units = group_codes(groups, n_rows, n_folds)
        unit, factor = "group", few_groups_factor(n_units, confidence)
        variance = ratio_variance(relative, np.ones_like(relative), codes, n_units)
    mean = float(relative.mean())
    half = normal_z(confidence) * factor * math.sqrt(variance * inflation(n_folds))
    low, high, said = _ends(mean, half, relative)
    return CrossValidatedInterval(
        what,
        scale * mean,
        scale * low,
        scale * high,
        confidence=confidence,
        method=f"normal on the log scale, corrected, {folds_in_words(n_repeats, n_folds)}",
        n_rows=n_units,
        unit=unit,
        notes=said,
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=HELD if groups is None else HELD_BY_GROUPS,
    )


def pooled_variance(losses: Numbers) -> float:
    """The variance of the mean loss as if out-of-fold losses were independent rows.

    Of several repeats it is the mean: predictions of the same rows say little more than one of them.

    losses: repeats × rows

    >>> pooled_variance(np.array([[1.0, 3.0], [2.0, 4.0]]))
    1.0
    """
    n_rows = losses.shape[1]
    return float(losses.var(axis=1, ddof=1).mean()) / float(n_rows)


def _ends(mean: float, half: float, losses: Numbers) -> tuple[float, float, tuple[str, ...]]:
    if mean == 0:
        return math.nan, math.nan, (ALL_ZERO,)
    # Groups whose means agree but for rounding have no spread either.
    if losses.min() == losses.max() or half <= 1e-12 * mean:
        return math.nan, math.nan, (NO_SPREAD,)
    factor = math.exp(half / mean)
    return mean / factor, mean * factor, ()


def _checked(squared_errors: Any) -> Numbers:
    losses = out_of_fold(squared_errors, "squared_errors")
    is_negative = losses < 0
    if is_negative.any():
        raise DataError(
            "squared errors cannot be negative",
            where=first_in_repeats(is_negative),
            fix="give (y − predicted)², not the scores of scikit-learn, which are negative",
        )
    return losses
