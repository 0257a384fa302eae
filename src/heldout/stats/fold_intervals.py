"""Intervals for cross-validated means that others use, under their names, with what they really hold.

None of them is a default: the first is too short, the second fails on rare classes, the third is too short.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.checks.values import check_confidence, check_count
from heldout.errors import RequestError
from heldout.stats.checked_values import normal_z
from heldout.stats.cross_validated_interval import CrossValidatedInterval, pooled_variance
from heldout.stats.out_of_fold import estimand, folds_in_words, out_of_fold

HELD_PLAIN_ONCE = (0.58, 0.95)
HELD_PLAIN_REPEATED = (0.24, 0.76)
HELD_CORRECTED_ONCE = (0.76, 1.0)
HELD_CORRECTED_REPEATED = (0.60, 0.98)
HELD_WALD = (0.73, 1.0)

OVERLAP = (
    "It takes folds as independent, which they are not: their training rows overlap, so it is too short."
)
REPEATS = "Each repeat uses the same rows again, so it is far too short."
STRATA = "It rests on the spread between folds alone, which stratified folds of rare classes hide."
POOLED = "It takes out-of-fold losses as independent rows, which they are not, so it tends to be too short."
NO_SPREAD = "All are equal, and without a spread there is no interval."
ONE_FOLD = "Of one fold no spread is known, so there is no interval."


def plain_t_interval(
    fold_scores: Any, confidence: float = 0.95, what: str = "mean score"
) -> CrossValidatedInterval:
    """The mean over folds ± Student's t standard errors, as if folds were independent; too short.

    Parameters
    ----------
    fold_scores
        repeats × folds, or folds: one score per fold
    what
        what the mean is, for the sentence

    Examples
    --------
    >>> print(plain_t_interval([0.80, 0.85, 0.90, 0.75, 0.80], what="accuracy").notes[0])
    It takes folds as independent, which they are not: their training rows overlap, so it is too short.
    """
    scores = out_of_fold(fold_scores, "fold_scores")
    is_repeated = len(scores) > 1
    messages = (OVERLAP, REPEATS) if is_repeated else (OVERLAP,)
    held = HELD_PLAIN_REPEATED if is_repeated else HELD_PLAIN_ONCE
    return _t_interval(scores, 1 / scores.size, "plain t", check_confidence(confidence), what, messages, held)


def corrected_t_interval(
    fold_scores: Any,
    n_folds: int | None = None,
    test_share: float | None = None,
    confidence: float = 0.95,
    what: str = "mean score",
) -> CrossValidatedInterval:
    """The mean over folds ± Student's t, with the variance of Nadeau and Bengio (2003).

    Where folds were independent the variance of the mean would be s²/m; here it is s²·(1/m + test/train).

    Parameters
    ----------
    fold_scores
        repeats × folds, or folds: one score per fold
    n_folds
        K; left out, as many as there are scores in a repeat; a fold then tests 1/K of the rows
    test_share
        for repeated hold-out, the share of the rows that was tested; instead of n_folds

    Examples
    --------
    >>> found = corrected_t_interval([0.80, 0.85, 0.90, 0.75, 0.80], what="accuracy")
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.82, 0.714, 0.926)
    """
    scores = out_of_fold(fold_scores, "fold_scores")
    overlap = _overlap(scores, n_folds, test_share)
    held = HELD_CORRECTED_REPEATED if len(scores) > 1 else HELD_CORRECTED_ONCE
    made = "corrected resampled t"
    return _t_interval(
        scores, 1 / scores.size + overlap, made, check_confidence(confidence), what, (STRATA,), held
    )


def pooled_wald_interval(
    losses: Any, n_folds: int | None = None, confidence: float = 0.95, what: str = "mean loss"
) -> CrossValidatedInterval:
    """The mean of out-of-fold losses ± z standard errors, as if they were independent rows; too short.

    Parameters
    ----------
    losses
        repeats × rows, or rows: the loss of each row, such as 1 for an error
    n_folds
        K, for the sentence

    Examples
    --------
    >>> found = pooled_wald_interval([1, 0, 0, 0, 1, 0, 0, 1, 0, 0], n_folds=5, what="error")
    >>> round(found.estimate, 3), round(found.low, 3), round(found.high, 3)
    (0.3, 0.001, 0.599)
    """
    confidence = check_confidence(confidence)
    values = out_of_fold(losses, "losses")
    n_repeats, n_rows = values.shape
    folds = 0 if n_folds is None else check_count("n_folds", n_folds, lowest=2)
    mean = float(values.mean())
    variance = pooled_variance(values) if n_rows > 1 else 0.0
    half = normal_z(confidence) * math.sqrt(variance) if values.min() < values.max() else math.nan
    messages = (POOLED,) if half == half else (POOLED, NO_SPREAD)
    return CrossValidatedInterval(
        what,
        mean,
        mean - half,
        mean + half,
        confidence=confidence,
        method="pooled Wald" + (f", {folds_in_words(n_repeats, folds)}" if folds else ""),
        n_rows=n_rows,
        notes=messages,
        estimand=estimand(n_rows, folds) if folds else "",
        n_folds=folds,
        n_repeats=n_repeats,
        held=HELD_WALD,
    )


def _t_interval(
    scores: Floats,
    per_variance: float,
    made: str,
    confidence: float,
    what: str,
    messages: tuple[str, ...],
    held: tuple[float, float],
) -> CrossValidatedInterval:
    """The mean ± t · √(per_variance · s²), or no ends where the scores have no spread."""
    mean, half = float(scores.mean()), math.nan
    if scores.size < 2:
        messages = (*messages, ONE_FOLD)
    elif scores.min() == scores.max():
        messages = (*messages, NO_SPREAD)
    else:
        from scipy.special import stdtrit

        quantile = -float(stdtrit(scores.size - 1, (1 - confidence) / 2))
        half = quantile * math.sqrt(per_variance * float(np.var(scores, ddof=1)))
    n_repeats, n_folds = scores.shape
    return CrossValidatedInterval(
        what,
        mean,
        mean - half,
        mean + half,
        confidence=confidence,
        method=f"{made}, {folds_in_words(n_repeats, n_folds)}" if n_repeats > 1 else made,
        n_rows=scores.size,
        unit="fold",
        notes=messages,
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=held,
    )


def _overlap(scores: Floats, n_folds: Any, test_share: Any) -> float:
    """Tested rows over training rows."""
    if test_share is None:
        folds = scores.shape[1] if n_folds is None else check_count("n_folds", n_folds, lowest=2)
        if n_folds is not None and scores.size % folds:
            raise RequestError(
                "fold_scores does not hold whole repeats",
                where=f"{scores.size} scores, n_folds={folds}",
                fix="give one score per fold, repeats × folds; for repeated hold-out say test_share",
            )
        return 1 / (folds - 1) if folds > 1 else math.nan
    is_share = isinstance(test_share, int | float | np.floating) and 0 < test_share < 1
    if n_folds is not None or not is_share:
        raise RequestError(
            "test_share must be a number above 0 and below 1, and stands instead of n_folds",
            where=f"test_share={test_share!r:.40}, n_folds={n_folds!r:.40}",
            fix="say n_folds for folds, and test_share for repeated hold-out",
        )
    return float(test_share) / (1 - float(test_share))
