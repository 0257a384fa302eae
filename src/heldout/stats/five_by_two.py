"""The 5 × 2 cv tests: five times the rows are halved, and each half judges what the other taught."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.checks.values import check_choice, check_confidence
from heldout.errors import DataError
from heldout.stats.comparison import Significance
from heldout.stats.corrected_resampled_t import AGREEMENT, split_differences
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import pair_names
from heldout.stats.t_test import NO_T_TEST, TTest, mean_of, size_of, t_test

METHODS = {"t": "5 × 2 cv paired t test", "f": "5 × 2 cv paired F test"}
SYNONYMS = {"dietterich": "t", "alpaydin": "f", "F": "f"}
HALVES = "Each half teaches half of the rows; what holds for all of them may differ."


def five_by_two(
    differences: Any,
    method: str = "t",
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
) -> Significance:
    """Whether two learners differ, from five halvings of the rows.

    Parameters
    ----------
    differences
        score of the first minus score of the second: five lines, one per halving, of two numbers
    method
        "t" (Dietterich 1998), or "f" (Alpaydın 1999), which uses all ten differences and is less fickle
    names
        of the two, for the sentences
    confidence
        of the interval of "t", which stands around the first difference, as the test does

    Notes
    -----
    Where both halves agree in all five, p is 1 if all differences are 0, and unknown if not.

    Examples
    --------
    >>> halves = [[0.03, 0.02], [0.01, 0.04], [0.05, 0.02], [0.03, 0.00], [0.02, 0.03]]
    >>> found = five_by_two(halves)
    >>> round(found.statistic, 3), round(found.p_value, 3), round(five_by_two(halves, "f").p_value, 3)
    (1.762, 0.138, 0.134)
    """
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    halves = split_differences(differences)
    if halves.shape != (5, 2):
        raise DataError(
            "5 × 2 takes five pairs of differences",
            where=f"differences has the shape {halves.shape}",
            fix="give five lines of two numbers; for other splits there is corrected_resampled_t",
        )
    size = size_of(halves)
    scaled = halves / size
    is_flat = bool((np.abs(scaled[:, 0] - scaled[:, 1]) <= AGREEMENT * np.abs(scaled).max()).all())
    found = NO_T_TEST if is_flat else _found(scaled, size, method, confidence)
    notes = (*_flat_notes(halves, is_flat), HALVES)
    is_t = method == "t"
    what = f"{first} minus {second}" + (", first half" if is_t else ", mean of ten halves")
    mean = mean_of(halves.ravel())
    estimate = float(halves[0, 0]) if is_t else mean
    made = "5 × 2 cv t" if is_t else "5 × 2 cv F, which has none"
    return Significance(
        METHODS[method],
        f"{first} and {second} are equally good",
        1.0 if is_flat and not halves.any() else found.p_value,
        found.statistic,
        10,
        "test part",
        f"mean difference {mean:.4g}",
        Interval(what, estimate, found.low, found.high, confidence, made, 10, "test part", 0.0, notes),
        notes,
        {"mean_difference": mean},
    )


def _found(scaled: Floats, size: float, method: str, confidence: float) -> TTest:
    """The test of differences that were divided by their size."""
    variances = (scaled[:, 0] - scaled[:, 1]) ** 2 / 2
    if method == "t":
        found = t_test(float(scaled[0, 0]), math.sqrt(float(variances.mean())), 5, confidence)
        return replace(found, low=size * found.low, high=size * found.high)
    from scipy.special import fdtrc

    statistic = float((scaled**2).sum() / (2 * variances.sum()))
    return TTest(statistic, float(fdtrc(10, 5, statistic)), math.nan, math.nan)


def _flat_notes(halves: Floats, is_flat: bool) -> tuple[str, ...]:
    if not is_flat:
        return ()
    if not halves.any():
        return ("All ten differences are 0, so nothing speaks for either.",)
    return ("Both halves agree in all five: without a spread there is no test.",)
