"""An interval around a cross-validated estimate, and what such intervals were seen to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_confidence
from heldout.errors import DataError
from heldout.stats.checked_values import normal_z
from heldout.stats.f1_interval import NO_ROWS, f1_of_jaccard
from heldout.stats.group_spread import few_groups_factor, group_codes, independent_rows, ratio_variance
from heldout.stats.interval import Interval
from heldout.stats.out_of_fold import (
    check_folds,
    estimand,
    first_in_repeats,
    folds_in_words,
    inflation,
    lines_of,
    out_of_fold,
    zeros_and_ones,
)
from heldout.stats.rate_interval import wilson_ends
from heldout.stats.score_pairs import check_same_kind
from heldout.stats.two_classes import label_array, positive_rows
from heldout.text.numbers import percent_text
from heldout.text.words import plural


@dataclass(frozen=True)
class CrossValidatedInterval(Interval):
    """An estimate from out-of-fold predictions, with its interval.

    Out-of-fold losses are not independent, since every row also trained the models that judge the others. So
    no interval holds exactly what it says, and this one says what it was seen to hold.

    The other fields are those of `Interval`.

    Attributes
    ----------
    n_folds
        into how many folds the rows were divided
    n_repeats
        how often
    held
        the least and the largest share of simulated data sets whose 95% interval held the true value, over
        learners and populations (docs/methods/intervals.md); None where not measured

    Examples
    --------
    >>> found = CrossValidatedInterval(
    ...     "error", 0.2, 0.1, 0.3, method="t over folds", n_rows=10, unit="fold", held=(0.63, 0.95)
    ... )
    >>> print(found)
    error 0.200, 95% interval 0.100 to 0.300 (t over folds, 10 folds). Of 95% intervals made this way \
between 63% and 95% held the true value in simulations, depending on learner and data; that is not \
the probability that this one does.
    """

    n_folds: int = 0
    n_repeats: int = 1
    held: tuple[float, float] | None = None

    def not_given(self) -> str:
        if self.held is None:
            return "How often intervals made this way hold the true value was not measured."
        low, high = map(percent_text, self.held)
        return (
            f"Of 95% intervals made this way between {low} and {high} held the true value in simulations,"
            " depending on learner and data; that is not the probability that this one does."
        )


RATE_HELD = (0.92, 1.0)
RATE_HELD_BY_GROUPS = (0.97, 1.0)


def cross_validated_rate(
    right: Any, n_folds: int, confidence: float = 0.95, what: str = "accuracy", groups: Any = None
) -> CrossValidatedInterval:
    """A rate from out-of-fold predictions, with the corrected Wilson interval.

    Wilson's interval at the mean over the repeats, as if there were n / (1 + K/(K−1)) rows: each row also
    trained the models that judge the others, so n rows say less than n independent ones.

    Parameters
    ----------
    right
        repeats × rows, or rows, of 0 and 1: whether the row was predicted rightly; for an error, wrongly
    n_folds
        K, into how many folds the rows were divided in each repeat
    what
        what the rate is, for the sentence
    groups
        one label per row; rows of a group are not independent, so the spread is that between groups, and
        groups are counted. Rows that follow each other in time: give blocks of time, such as weeks

    Examples
    --------
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
        notes=_messages(n_rows, n_independent, unit),
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=RATE_HELD if groups is None else RATE_HELD_BY_GROUPS,
    )


def _messages(n_rows: int, n_independent: float, unit: str) -> tuple[str, ...]:
    if unit == "row":
        return ()
    return (f"The {n_rows:,} rows vary between groups as {n_independent:,.3g} independent ones would.",)


F1_HELD = (0.90, 1.0)
F1_HELD_BY_GROUPS = (0.96, 0.98)
TOGETHER = (
    "It is the F1 of the answers of all folds together; where some models spot nothing,"
    " the mean F1 of single models is lower."
)


def cross_validated_f1(
    y: Any,
    predicted: Any,
    n_folds: int,
    positive: Any = None,
    confidence: float = 0.95,
    what: str = "F1",
    groups: Any = None,
) -> CrossValidatedInterval:
    """F1 from out-of-fold predictions, with its interval.

    F1 = 2J / (1 + J) with Jaccard's J = TP / (TP + FP + FN), and J is a rate among the rows that are positive
    or are called so: it gets the corrected Wilson interval, whose ends are carried over. Counts are added
    over all folds and repeats, because a fold may hold no positive row; so what is estimated is the F1 of
    many models' predictions taken together, not the mean F1 of single models.

    Parameters
    ----------
    y
        one label per row
    predicted
        repeats × rows, or rows, of labels
    n_folds
        K, into how many folds the rows were divided in each repeat
    positive
        the positive class; left out, of two classes the last in sorted order
    groups
        one label per row; the spread is then that between groups, and groups are counted

    Notes
    -----
    Without a positive row, true or predicted, there is no F1 (NaN), and the interval is 0 … 1.

    Examples
    --------
    >>> y = ["no"] * 60 + ["yes"] * 40
    >>> predicted = ["no"] * 50 + ["yes"] * 10 + ["no"] * 8 + ["yes"] * 32
    >>> found = cross_validated_f1(y, predicted, n_folds=10)
    >>> round(found.estimate, 4), round(found.low, 3), round(found.high, 3)
    (0.7805, 0.611, 0.889)
    """
    confidence = check_confidence(confidence)
    is_positive, name = positive_rows(y, positive)
    n_rows = len(is_positive)
    n_folds = check_folds(n_folds, n_rows)
    is_called = _called(predicted, label_array(y), name)
    hits = (is_called & is_positive).astype(np.float64)
    counted = (is_called | is_positive).astype(np.float64)
    n_repeats = len(hits)
    n_units, unit = n_rows, "row"
    jaccard = float(hits.sum() / counted.sum()) if counted.any() else math.nan
    n_independent = float(counted.sum()) / n_repeats
    if groups is not None:
        codes, n_units = group_codes(groups, n_rows, n_folds)
        unit = "group"
        n_independent = independent_rows(hits, counted, codes, n_units, confidence)
    low, high = (
        wilson_ends(jaccard, n_independent / inflation(n_folds), confidence) if counted.any() else (0.0, 1.0)
    )
    return CrossValidatedInterval(
        what,
        f1_of_jaccard(jaccard),
        f1_of_jaccard(low),
        f1_of_jaccard(high),
        confidence=confidence,
        method=f"corrected Wilson on TP / (TP + FP + FN), {folds_in_words(n_repeats, n_folds)}",
        n_rows=n_units,
        unit=unit,
        notes=(TOGETHER if counted.any() else NO_ROWS,),
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=F1_HELD if groups is None else F1_HELD_BY_GROUPS,
    )


def _called(predicted: Any, truth: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    """Which rows are called positive: repeats × rows."""
    lines = [label_array(line, "predicted") for line in lines_of(predicted, "predicted")]
    n_rows = len(truth)
    for line in lines:
        if len(line) != n_rows:
            raise DataError(
                "predicted does not fit y",
                where=f"predicted has {plural(len(line), 'label')}, y has {plural(n_rows, 'row')}",
                fix="give one line per repeat, and in it one label per row",
            )
        check_same_kind({"y": truth, "predicted": line})
    return np.array([line == positive for line in lines], dtype=np.bool_)


MSE_HELD = (0.94, 1.0)
MSE_HELD_BY_GROUPS = (0.96, 1.0)
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

    Parameters
    ----------
    squared_errors
        repeats × rows, or rows, of (y − predicted)²; any other loss that is 0 or more will do
    n_folds
        K, into how many folds the rows were divided in each repeat
    what
        what the mean is, for the sentence
    groups
        one label per row; rows of a group are not independent, so the spread is that between groups, and
        groups are counted. Rows that follow each other in time: give blocks of time

    Notes
    -----
    Where all errors are equal there is no interval (NaN), and a note says why.

    Examples
    --------
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
    low, high, messages = _ends(mean, half, relative)
    return CrossValidatedInterval(
        what,
        scale * mean,
        scale * low,
        scale * high,
        confidence=confidence,
        method=f"normal on the log scale, corrected, {folds_in_words(n_repeats, n_folds)}",
        n_rows=n_units,
        unit=unit,
        notes=messages,
        estimand=estimand(n_units, n_folds, unit),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=MSE_HELD if groups is None else MSE_HELD_BY_GROUPS,
    )


def pooled_variance(losses: Floats) -> float:
    """The variance of the mean loss as if out-of-fold losses were independent rows.

    Of several repeats it is the mean: predictions of the same rows say little more than one of them.

    losses: repeats × rows
    """
    n_rows = losses.shape[1]
    return float(losses.var(axis=1, ddof=1).mean()) / float(n_rows)


def _ends(mean: float, half: float, losses: Floats) -> tuple[float, float, tuple[str, ...]]:
    if mean == 0:
        return math.nan, math.nan, (ALL_ZERO,)
    # Groups whose means agree but for rounding have no spread either.
    if losses.min() == losses.max() or half <= 1e-12 * mean:
        return math.nan, math.nan, (NO_SPREAD,)
    factor = math.exp(half / mean)
    return mean / factor, mean * factor, ()


def _checked(squared_errors: Any) -> Floats:
    losses = out_of_fold(squared_errors, "squared_errors")
    is_negative = losses < 0
    if is_negative.any():
        raise DataError(
            "squared errors cannot be negative",
            where=first_in_repeats(is_negative),
            fix="give (y − predicted)², not the scores of scikit-learn, which are negative",
        )
    return losses
