"""The interval of a cross-validated F1 score."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.stats.answer_pairs import check_same_kind
from heldout.stats.choices import check_confidence
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.f1_interval import NO_ROWS, f1_of_jaccard
from heldout.stats.group_spread import group_codes, independent_rows
from heldout.stats.out_of_fold import (
    check_folds,
    estimand,
    folds_in_words,
    inflation,
    lines_of,
)
from heldout.stats.rate_ends import wilson_ends
from heldout.stats.two_classes import label_array, positive_rows
from heldout.table.describe import plural

HELD = (0.90, 1.0)
HELD_BY_GROUPS = (0.96, 0.98)
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

    y:         one label per row
    predicted: repeats × rows, or rows, of labels
    n_folds:   K, into how many folds the rows were divided in each repeat
    positive:  the class to spot; left out, of two classes the last in sorted order
    groups:    one label per row; the spread is then that between groups, and groups are counted

    Without a positive row, true or predicted, there is no F1 (NaN), and the interval is 0 … 1.

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
        held=HELD if groups is None else HELD_BY_GROUPS,
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
