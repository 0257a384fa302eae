"""How well each of many classes is told from all others: one AUC for each, with the scatter of folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.report.answers.asked_rows import AskedRows
from heldout.report.answers.confusion_numbers import frequent_classes
from heldout.report.answers.fold_band import fold_spread
from heldout.report.answers.ranked_numbers import RankedAnswers
from heldout.report.answers.short_numbers import one_rounded


def class_areas(
    asked: AskedRows, true: NDArray[np.intp], columns: NDArray[np.float64], labels: list[str]
) -> list[dict[str, Any]]:
    """For each class its AUC against the rest, a mean over the repeats; of many classes the most frequent.

    true:    the code of the class, one for each question
    columns: questions × classes, larger where the row is rather held for the class

    >>> from heldout.report.answers.asked_rows import asked_rows
    >>> from heldout.verdict.judged_rows import JudgedRows
    >>> asked = asked_rows(JudgedRows(np.zeros(4), np.array([[0, 1, 0, 1]])))
    >>> said = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]])
    >>> class_areas(asked, np.array([0, 0, 1, 1]), said, ["a", "b"])[0]["area"]
    0.75
    """
    shown = frequent_classes(true, asked.weights, len(labels)).tolist()
    return [_area(RankedAnswers(asked, true == place, columns[:, place]), labels[place]) for place in shown]


def _area(answers: RankedAnswers, label: str) -> dict[str, Any]:
    n_rows = float(answers.asked.weights[answers.is_positive].sum())
    has_both = answers.is_positive.any() and not answers.is_positive.all()
    return {
        "label": label,
        "n_rows": one_rounded(n_rows),
        "area": one_rounded(_mean(answers.repeat_areas())) if has_both else None,
        "areas": fold_spread([curve.area for curve in answers.fold_curves()]),
    }


def _mean(areas: Sequence[float]) -> float:
    known = [area for area in areas if not math.isnan(area)]
    return math.fsum(known) / len(known) if known else math.nan
