"""The interval of a cross-validated rate: accuracy or error over folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.stats.choices import check_confidence
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.group_spread import group_codes, independent_rows
from heldout.stats.out_of_fold import (
    check_folds,
    estimand,
    folds_in_words,
    inflation,
    zeros_and_ones,
)
from heldout.stats.rate_ends import wilson_ends

HELD = (0.92, 1.0)
HELD_BY_GROUPS = (0.97, 1.0)


def cross_validated_rate(
    right: Any, n_folds: int, confidence: float = 0.95, what: str = "accuracy", groups: Any = None
) -> CrossValidatedInterval:
    """A rate from out-of-fold predictions, with the corrected Wilson interval.

    Wilson's interval at the mean over the repeats, as if there were n / (1 + K/(K−1)) rows: each row also
    trained the models that judge the others, so n rows say less than n independent ones.

    right:   repeats × rows, or rows, of 0 and 1: whether the row was predicted rightly; for an error, wrongly
    n_folds: K, into how many folds the rows were divided in each repeat
    what:    what the rate is, for the sentence
    groups:  one label per row; rows of a group are not independent, so the spread is that between groups, and
             groups are counted. Rows that follow each other in time: give blocks of time, such as weeks

    >>> right = np.array([[1] * 170 + [0] * 30, [1] * 174 + [0] * 26, [1] * 166 + [0] * 34])
    >>> print(cross_validated_rate(right, n_folds=10))
    accuracy 0.850, 95% interval 0.765 to 0.908 (corrected Wilson, 3 × 10 folds, 200 rows). Expected score \
when trained on 9/10 of these rows, about 180; one fitted model may do better or worse. Of \
95% intervals made this way between 92% and 100% held the true value in simulations, \
depending on learner and data; that is not the probability that this one does.
    """
    confidence = check_confidence(confidence)
    hits = zeros_and_ones(right, "right")
    n_repeats, n_rows = hits.shape
    n_folds = check_folds(n_folds, n_rows)
    share = float(hits.mean())
    n_units, unit, n_independent = n_rows, "row", float(n_rows)
    if groups is not None:
        codes, n_units = group_codes(groups, n_rows, n_folds)
        unit = "group"
        n_independent = independent_rows(hits, np.ones_like(hits), codes, n_units, confidence)
    return CrossValidatedInterval(
        what,
        share,
        *wilson_ends(share, n_independent / inflation(n_folds), confidence),
        confidence=confidence,
        method=f"corrected Wilson, {folds_in_words(n_repeats, n_folds)}",
        n_rows=n_units,
        unit=unit,
        notes=_said(n_rows, n_independent, unit),
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=HELD if groups is None else HELD_BY_GROUPS,
    )


def _said(n_rows: int, n_independent: float, unit: str) -> tuple[str, ...]:
    if unit == "row":
        return ()
    return (f"The {n_rows:,} rows vary between groups as {n_independent:,.3g} independent ones would.",)
