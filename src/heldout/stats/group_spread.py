"""How much a cross-validated number varies when whole groups of rows are drawn, not single rows.

Rows of one patient, image or week are not independent. What follows is the spread between groups, as a
bootstrap of groups would find it with many resamples, in closed form: no drawing, no seed. For the AUC it is
that of N. A. Obuchowski, Biometrics 53 (1997), 567-578.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.stats.auc_interval import Placements
from heldout.stats.bootstrap_ends import coded_groups
from heldout.stats.checked_values import normal_z
from heldout.text.words import plural

Codes = NDArray[np.intp]


def group_codes(groups: Any, n_rows: int, n_folds: int) -> tuple[Codes, int]:
    """A number for the group of each row, and how many groups there are."""
    codes = coded_groups(groups, n_rows)
    n_groups = int(codes.max()) + 1
    if n_folds > n_groups:
        raise RequestError(
            "there are more folds than groups",
            where=f"n_folds={n_folds}, {plural(n_groups, 'group')}",
            fix="a group lies in one fold as a whole: use as many folds as groups, or fewer",
        )
    return codes, n_groups


def few_groups_factor(n_groups: float, confidence: float) -> float:
    """By how much Student's quantile exceeds the normal one, for a spread that was seen in so few groups."""
    from scipy.special import stdtrit

    return float(-stdtrit(n_groups - 1, (1 - confidence) / 2)) / normal_z(confidence)


def ratio_variance(above: Floats, below: Floats, codes: Codes, n_groups: int) -> float:
    """The variance of a ratio of sums when whole groups are drawn, such as losses over rows; NaN without any.

    It is what a bootstrap of groups comes to with many resamples and many groups, without the drawing. Of
    several repeats it is the mean, because predictions of the same rows say little more than one of them.

    above: repeats × rows
    below: repeats × rows; 1 for a mean
    """
    found = []
    for numerator, denominator in zip(above, below, strict=True):
        total = denominator.sum()
        if total > 0:
            sums = np.bincount(codes, numerator, n_groups)
            sizes = np.bincount(codes, denominator, n_groups)
            left = sums - numerator.sum() / total * sizes
            found.append(n_groups / (n_groups - 1) * float(left @ left) / total**2)
    return float(np.mean(found)) if found else math.nan


def independent_rows(hits: Floats, counted: Floats, codes: Codes, n_groups: int, confidence: float) -> float:
    """How many independent rows have a rate that varies as much as this one does between groups.

    hits, counted: repeats × rows of 0 and 1; the rate is the hits among the counted rows
    confidence:    of the interval to come: what few groups show is less sure, and counts for fewer rows
    """
    n_counted = float(counted.sum()) / len(counted)
    if n_counted == 0:
        return 0.0
    share = float(hits.sum() / counted.sum())
    variance = ratio_variance(hits, counted, codes, n_groups)
    # Where no group differs from another, each counts as one row: what one of its rows does, all may do.
    n_alike = share * (1 - share) / variance if variance > 0 else float(n_groups)
    return min(n_alike, n_counted) / few_groups_factor(n_groups, confidence) ** 2


def auc_group_variance(found: Placements, is_positive: NDArray[Any], codes: Codes, n_groups: int) -> float:
    """The variance of an AUC when whole groups are drawn, which may hold rows of both classes (Obuchowski).

    found:       the placements of the rows
    is_positive: which rows are of the positive class
    codes:       the group of each row
    """
    auc = found.auc
    positives, is_with_positives = _left_over(found.of_positives - auc, codes[is_positive], n_groups)
    negatives, is_with_negatives = _left_over(found.of_negatives - auc, codes[~is_positive], n_groups)
    n_with = int(is_with_positives.sum()), int(is_with_negatives.sum())
    if min(n_with) < 2:
        return math.nan
    n_pairs = found.n_positives * found.n_negatives
    return (
        n_with[0] / (n_with[0] - 1) * float(positives @ positives) / found.n_positives**2
        + n_with[1] / (n_with[1] - 1) * float(negatives @ negatives) / found.n_negatives**2
        + 2 * n_groups / (n_groups - 1) * float(positives @ negatives) / n_pairs
    )


def _left_over(deviations: Floats, codes: Codes, n_groups: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The sum of the deviations in each group, and which groups have any row here."""
    sums: Floats = np.bincount(codes, deviations, n_groups).astype(np.float64)
    return sums, np.bincount(codes, minlength=n_groups) > 0
