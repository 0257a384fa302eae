"""How labels, scores and weights become the steps of a curve: one for each distinct score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.checks.values import check_amount
from heldout.errors import DataError, RequestError
from heldout.metrics.label_counts import check_row_counts, row_weights
from heldout.native import ranking
from heldout.stats.checked_values import plain_numbers
from heldout.stats.two_classes import check_positive, label_array, positive_rows, score_values


def curve_steps(y: Any, scores: Any, positive: Any, weights: Any) -> tuple[ranking.Steps, Any, int]:
    """The steps from the highest score down, the name of the positive class, and the number of rows.

    y:        one label per row
    scores:   one number per row; infinities have an order, NaN has none
    positive: the positive class; left out, the last of two in sorted order
    weights:  the sample weight of each row
    """
    is_positive, name = spotted_rows(y, positive)
    values = score_values(scores, len(is_positive))
    check_row_counts(len(is_positive), len(values), "scores")
    return ranking.steps(values, is_positive, row_weights(weights, len(values))), name, len(values)


def spotted_rows(y: Any, positive: Any = None) -> tuple[NDArray[np.bool_], Any]:
    """Which rows are of the positive class, and its name.

    A single class that is 0 or 1, False or True, is known for what it is; of any other single class it has
    to be said whether it is the positive one.
    """
    labels = label_array(y)
    check_positive(positive)
    if positive is not None or labels.size == 0:
        is_positive = np.asarray(labels == positive)
        # Only a class that does not occur needs a look at those that do.
        is_found = is_positive.shape == labels.shape and is_positive.any()
        return (is_positive, positive) if is_found else positive_rows(labels, positive)
    if labels.dtype.kind == "b":
        return labels, True
    if labels.dtype.kind in "iu":
        return _spotted_numbers(labels)
    is_positive, name = positive_rows(labels)
    if is_positive.all():
        if not isinstance(name, float) or name not in (0.0, 1.0):
            raise _one_class(name)
        return np.asarray(labels == 1), 1.0
    return is_positive, name


def _spotted_numbers(labels: NDArray[Any]) -> tuple[NDArray[np.bool_], Any]:
    """The same for whole numbers, without a sort: the larger of two."""
    low, high = int(labels.min()), int(labels.max())
    if low == high:
        if high not in (0, 1):
            raise _one_class(high)
        return np.full(len(labels), high == 1), 1
    is_positive = np.asarray(labels == high)
    if high - low > 1 and np.count_nonzero(is_positive) + np.count_nonzero(labels == low) < len(labels):
        return positive_rows(labels)  # which says that there are more than two
    return is_positive, high


def _one_class(label: Any) -> RequestError:
    return RequestError(
        "y has one class, and it is not said whether that is the positive one",
        where=f"y has only {label!r:.40}",
        fix=f"say positive={label!r:.40}, or name the class that does not occur here",
    )


def counted_steps(
    true_positives: Any, false_positives: Any, n_positives: float, n_negatives: float, thresholds: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Points that were counted elsewhere as thresholds and counts that run from nothing to everything.

    true_positives, false_positives: of each point, neither of them falling
    n_positives, n_negatives:        how many there are of each class
    thresholds:                      of the points, falling; or None where they are not known
    """
    fix = "give two lists of counts, and how many rows there are of each class"
    hits = plain_numbers(true_positives, "true_positives", fix)
    alarms = plain_numbers(false_positives, "false_positives", fix)
    for name, total in (("n_positives", n_positives), ("n_negatives", n_negatives)):
        check_amount(name, total)
    if hits.ndim != 1 or hits.shape != alarms.shape:
        raise DataError(
            "a point is a number of true and one of false positives",
            where=f"arrays of the shapes {hits.shape} and {alarms.shape}",
            fix="give two lists of the same length",
        )
    known = np.full(len(hits), np.nan)
    if thresholds is not None:
        known = plain_numbers(thresholds, "thresholds", fix="give one number per point, or none at all")
    if known.shape != hits.shape or (np.diff(known) >= 0).any():
        raise DataError(
            "thresholds must fall from point to point",
            where=f"{len(hits)} points, thresholds of the shape {known.shape}",
            fix="give one threshold per point, from the highest down, or none at all",
        )
    is_begun = len(hits) and hits[0] == 0 and alarms[0] == 0
    is_complete = len(hits) and hits[-1] == n_positives and alarms[-1] == n_negatives
    before, after = ([] if is_begun else [0.0]), ([] if is_complete else [1.0])
    hits = np.concatenate([before, hits, np.multiply(after, n_positives)])
    alarms = np.concatenate([before, alarms, np.multiply(after, n_negatives)])
    known = np.concatenate([np.add(before, np.inf), known, np.subtract(after, np.inf)])
    _check_rising(hits, alarms)
    return known, hits, alarms


def _check_rising(hits: NDArray[np.float64], alarms: NDArray[np.float64]) -> None:
    rises = np.diff(hits) + np.diff(alarms)
    is_wrong = ~((np.diff(hits) >= 0) & (np.diff(alarms) >= 0) & (rises > 0) & np.isfinite(rises))
    if is_wrong.any():
        index = int(np.argmax(is_wrong)) + 1
        raise DataError(
            "from point to point the counts must rise, up to all rows",
            where=f"after ({hits[index - 1]:g}, {alarms[index - 1]:g}) comes"
            f" ({hits[index]:g}, {alarms[index]:g})",
            fix="give the points from the highest threshold down, each of them once",
        )
