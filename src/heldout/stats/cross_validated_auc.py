"""The interval of a cross-validated AUC."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.checks.values import check_confidence
from heldout.stats.auc_interval import Placements, logit_ends, newcombe_ends, placements_of
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.group_spread import auc_group_variance, few_groups_factor, group_codes
from heldout.stats.out_of_fold import check_folds, estimand, folds_in_words, inflation, lines_of
from heldout.stats.two_classes import positive_rows, score_values
from heldout.text.words import plural

HELD = (0.94, 1.0)
HELD_FEW = (0.63, 0.98)
HELD_BY_GROUPS = (0.95, 0.98)
# Below so many rows of a class the interval was seen to cover less than it says (docs/methods).
FEW = 20
NO_AUC = "Without rows of both classes there is no AUC, and none is contradicted."


@dataclass(frozen=True)
class _Seen:
    """What the repeats show of an AUC.

    auc:      the mean over the repeats
    variance: the mean of DeLong's, or of Obuchowski's with groups; NaN where there is none
    sizes:    how many rows are positive and negative, or how many groups hold such rows
    factor:   what the standard error is multiplied by because there are few groups
    """

    auc: float
    variance: float
    sizes: tuple[int, int]
    factor: float


def cross_validated_auc(
    y: Any,
    scores: Any,
    n_folds: int,
    positive: Any = None,
    confidence: float = 0.95,
    what: str = "AUC",
    groups: Any = None,
) -> CrossValidatedInterval:
    """An AUC from out-of-fold scores, with its interval.

    The scores of all folds of a repeat are ranked together, so they have to mean the same in all folds, as
    probabilities do. The interval is DeLong's on the logit scale at the mean over the repeats, with the
    standard error times √(1 + K/(K−1)): each row also trained the models that judge the others.

    Parameters
    ----------
    y
        one label per row, of two classes
    scores
        repeats × rows, or rows; larger where the row is rather held for positive
    n_folds
        K, into how many folds the rows were divided in each repeat
    positive
        the positive class; left out, the last in sorted order
    groups
        one label per row; the spread is then that between groups (Obuchowski), and groups are counted

    Notes
    -----
    Where DeLong's variance has no answer (an AUC of 0 or 1, no spread, fewer than two rows of a class)
    Newcombe's method 5 stands in, with the rows of both classes divided by 1 + K/(K−1), and a note says so.

    Examples
    --------
    >>> y = [0, 1] * 30
    >>> scores = [(7 * row) % 10 / 10 + 0.3 * label for row, label in enumerate(y)]
    >>> found = cross_validated_auc(y, scores, n_folds=10)
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.82, 0.63, 0.924)
    """
    confidence = check_confidence(confidence)
    is_positive, _ = positive_rows(y, positive)
    n_rows = len(is_positive)
    n_folds = check_folds(n_folds, n_rows)
    lines = [score_values(line, n_rows) for line in lines_of(scores, "scores")]
    found = [placements_of(is_positive, line) for line in lines]
    n_units, unit = n_rows, "row"
    if groups is None:
        seen = _by_rows(found)
    else:
        codes, n_units = group_codes(groups, n_rows, n_folds)
        unit = "group"
        seen = _by_groups(found, is_positive, codes, n_units, confidence)
    ends, made, messages = _ends(seen, n_folds, confidence, unit)
    return CrossValidatedInterval(
        what,
        seen.auc,
        *ends,
        confidence=confidence,
        method=f"{made}, {folds_in_words(len(found), n_folds)}",
        n_rows=n_units,
        unit=unit,
        reference=0.5,
        notes=(_sizes(seen, unit), *messages),
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=len(found),
        held=_held(seen, unit),
    )


def _by_rows(found: list[Placements]) -> _Seen:
    first = found[0]
    return _Seen(
        float(np.mean([each.auc for each in found])),
        float(np.mean([each.variance for each in found])),
        (first.n_positives, first.n_negatives),
        1.0,
    )


def _by_groups(
    found: list[Placements],
    is_positive: NDArray[np.bool_],
    codes: NDArray[np.intp],
    n_groups: int,
    confidence: float,
) -> _Seen:
    sizes = len(set(codes[is_positive].tolist())), len(set(codes[~is_positive].tolist()))
    auc = float(np.mean([each.auc for each in found]))
    variance = math.nan
    if min(sizes) > 1:
        each = [auc_group_variance(one, is_positive, codes, n_groups) for one in found]
        variance = float(np.mean(each))
    return _Seen(auc, variance, sizes, few_groups_factor(n_groups, confidence))


def _ends(
    seen: _Seen, n_folds: int, confidence: float, unit: str
) -> tuple[tuple[float, float], str, list[str]]:
    """The ends, how they were made, and what is to be said about it."""
    factor = inflation(n_folds)
    made = (
        "DeLong on the logit scale, corrected"
        if unit == "row"
        else "Obuchowski on the logit scale, corrected"
    )
    if seen.auc != seen.auc:
        return (0.0, 1.0), made, [NO_AUC]
    messages = []
    if min(seen.sizes) < FEW:
        messages.append(f"With fewer than {FEW} {unit}s of a class it tends to be too short.")
    reason = _no_delong(seen, unit)
    if not reason:
        error = math.sqrt(seen.variance * factor) * seen.factor
        return logit_ends(seen.auc, error, confidence), made, messages
    n_positives, n_negatives = (size / factor / seen.factor**2 for size in seen.sizes)
    ends = newcombe_ends(seen.auc, n_positives, n_negatives, confidence)
    return ends, "Newcombe's method 5, corrected", [f"DeLong's has no answer here: {reason}.", *messages]


def _held(seen: _Seen, unit: str) -> tuple[float, float]:
    if min(seen.sizes) < FEW:
        return HELD_FEW
    return HELD if unit == "row" else HELD_BY_GROUPS


def _no_delong(seen: _Seen, unit: str) -> str:
    """Why DeLong's interval on the logit scale cannot be made, or nothing."""
    if seen.auc in (0.0, 1.0):
        return f"the logit of an AUC of {seen.auc:g} is infinite"
    if min(seen.sizes) < 2:
        return f"a class has fewer than two {unit}s"
    return "" if seen.variance > 0 else f"the {unit}s show no spread"


def _sizes(seen: _Seen, unit: str) -> str:
    n_positives, n_negatives = seen.sizes
    if unit == "row":
        return f"{n_positives:,} positive and {plural(n_negatives, 'negative row')}."
    return f"{plural(n_positives, 'group')} with positive rows and {n_negatives:,} with negative ones."
