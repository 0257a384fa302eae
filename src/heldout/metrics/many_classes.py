"""The AUC of more than two classes: one against the rest, or all pairs (Hand & Till 2001)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_choice
from heldout.errors import DataError
from heldout.metrics.class_rates import listed_labels
from heldout.metrics.label_counts import (
    check_row_counts,
    given_labels,
    label_codes,
    occurring_labels,
    row_weights,
)
from heldout.native import ranking
from heldout.stats.checked_values import plain_numbers
from heldout.stats.two_classes import label_array
from heldout.text.words import first_of_rows, plural

AVERAGES = ("macro", "weighted")


def one_vs_rest_auc(
    y: Any,
    probabilities: Any,
    classes: Any = None,
    average: str | None = "macro",
    weights: Any = None,
) -> Any:
    """The AUC of each class against all others, or their mean.

    Parameters
    ----------
    y
        the true label of each row
    probabilities
        a column for each class, larger where the row is rather held for it; votes will do
    classes
        in the order of the columns, such as model.`classes_`; left out, those of y, sorted
    average
        "macro": each class counts the same; "weighted": by its rows; None: an array, one number per class
    weights
        the sample weight of each row

    Notes
    -----
    A class without rows, or without others beside it, has no AUC (NaN) and is left out of the mean; where
    none has one the mean is NaN.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> votes = [[8, 1, 1], [3, 5, 2], [2, 6, 2], [4, 4, 2], [1, 2, 7], [1, 5, 4]]
    >>> one_vs_rest_auc(y, votes, average=None).tolist()
    [0.875, 0.75, 1.0]
    >>> one_vs_rest_auc(y, votes)
    0.875
    """
    if average is not None:
        check_choice("average", average, AVERAGES, {"prevalence": "weighted", "mean": "macro"})
    codes, table, listed = _class_scores(y, probabilities, classes)
    row_weight = row_weights(weights, len(codes))
    areas = np.array(
        [
            ranking.auc(np.ascontiguousarray(table[:, index]), codes == index, row_weight)
            for index in range(len(listed))
        ]
    )
    if average is None:
        return areas
    sizes = np.ones(len(listed))
    if average == "weighted":
        sizes = np.bincount(codes, weights=row_weight, minlength=len(listed)).astype(np.float64)
    return _mean(areas, sizes)


def hand_till(y: Any, probabilities: Any, classes: Any = None, average: str = "macro") -> float:
    """The mean AUC over all pairs of classes, each pair judged on its own rows by the columns of both.

    Unlike one against the rest it does not change when a class has more rows.

    Parameters
    ----------
    y
        the true label of each row
    probabilities
        a column for each class, larger where the row is rather held for it; votes will do
    classes
        in the order of the columns, such as model.`classes_`; left out, those of y, sorted
    average
        "macro": each pair counts the same; "weighted": by its rows

    Notes
    -----
    Pairs with a class without rows are left out; where no pair is left the answer is NaN.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> votes = [[8, 1, 1], [3, 5, 2], [2, 6, 2], [4, 4, 2], [1, 2, 7], [1, 5, 4]]
    >>> round(hand_till(y, votes), 4)
    0.875
    """
    check_choice("average", average, AVERAGES, {"prevalence": "weighted", "mean": "macro"})
    codes, table, listed = _class_scores(y, probabilities, classes)
    rows = [np.flatnonzero(codes == index) for index in range(len(listed))]
    areas, sizes = [], []
    for first in range(len(listed)):
        for second in range(first + 1, len(listed)):
            if len(rows[first]) and len(rows[second]):
                areas.append(_pair_area(table, rows, first, second))
                sizes.append(len(rows[first]) + len(rows[second]) if average == "weighted" else 1)
    return _mean(np.array(areas), np.array(sizes, dtype=np.float64))


def _pair_area(table: Floats, rows: list[NDArray[np.intp]], first: int, second: int) -> float:
    """The mean of how well the column of either class tells the rows of the two apart."""
    both = np.concatenate([rows[first], rows[second]])
    is_first = np.arange(len(both)) < len(rows[first])
    by_first, by_second = table[both, first], table[both, second]
    return (ranking.auc(by_first, is_first) + ranking.auc(by_second, ~is_first)) / 2


def _mean(areas: Floats, sizes: Floats) -> float:
    is_known = ~np.isnan(areas)
    total = float(sizes[is_known].sum())
    return float((areas[is_known] * sizes[is_known]).sum()) / total if total > 0 else math.nan


def _class_scores(y: Any, scores: Any, classes: Any) -> tuple[NDArray[np.int64], Floats, tuple[Any, ...]]:
    """The place of each row's class, and the scores with a column per class."""
    listed = occurring_labels(y) if classes is None else given_labels(classes)
    table = plain_numbers(scores, "probabilities", fix="give what predict_proba gives")
    if table.ndim != 2 or table.shape[1] != len(listed):
        raise DataError(
            f"there must be one column for each of {plural(len(listed), 'class', 'classes')}",
            where=f"probabilities has the shape {table.shape}; the classes are {listed_labels(listed)}",
            fix="say classes=model.classes_: a class may be missing from these rows",
        )
    check_row_counts(len(label_array(y, "y")), len(table), "probabilities")
    is_missing = np.isnan(table).any(axis=1)
    if is_missing.any():
        raise DataError(
            "probabilities holds NaN, which has no order",
            where=first_of_rows(np.asarray(is_missing)),
            fix="leave those rows out",
        )
    return label_codes(y, "y", listed), table, listed
