"""ROC and precision over recall of out-of-fold scores: the lines, their hulls, and how far folds scatter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.metrics.curve_pictures import precision_points, roc_points
from heldout.metrics.precision_recall import PrecisionRecall
from heldout.metrics.roc import Roc, roc
from heldout.report.predictions.fold_band import fold_band, fold_spread
from heldout.report.predictions.requested_rows import RequestedRows
from heldout.report.predictions.short_numbers import one_rounded, rounded, thinned

# Where the lines of folds are compared.
GRID = np.linspace(0.0, 1.0, 101)
# Recalls that the table of the picture shows.
RECALLS = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
MOST_CORNERS = 12
# 0.55 · 20 is more than 11: a rate that was counted is found in spite of it.
NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class RankedPredictions:
    """What was asked, and the scores that answered it.

    asked:       the questions
    is_positive: of each whether the row is of the positive class
    scores:      larger where the row is rather held for it
    """

    requested: RequestedRows
    is_positive: NDArray[np.bool_]
    scores: Floats

    def curve(self, indices: Any = slice(None)) -> Roc:
        """The curve of some questions."""
        weights = self.requested.weights[indices]
        return roc(self.is_positive[indices], self.scores[indices], positive=True, weights=weights)

    def fold_curves(self) -> list[Roc]:
        """The curve of each fold that has rows of both classes."""
        parts = [part for part in self.requested.parts() if 0 < self.is_positive[part].sum() < len(part)]
        return [self.curve(part) for part in parts]

    def repeat_areas(self) -> list[float]:
        """The AUC of each repeat by itself."""
        repeats = self.requested.repeats
        return [self.curve(repeats == each).area for each in np.unique(repeats)]


def ranked_numbers(predictions: RankedPredictions) -> dict[str, Any]:
    """The numbers of both pictures, plain and few; none where a class has no row."""
    if predictions.is_positive.all() or not predictions.is_positive.any():
        return {}
    curve, folds = predictions.curve(), predictions.fold_curves()
    areas = [area for area in predictions.repeat_areas() if not math.isnan(area)]
    return {
        "roc": roc_numbers(curve, folds) | {"area": one_rounded(float(np.mean(areas)))},
        "precision_recall": precision_numbers(curve, folds),
    }


def roc_numbers(curve: Roc, folds: list[Roc]) -> dict[str, Any]:
    """The curve over all answers, its hull with thresholds, and the band of the folds.

    folds: the curve of each fold
    """
    across, upwards = thinned(*roc_points(curve))
    hull = curve.hull()
    lines = np.array([rates_at(each, GRID) for each in folds]).reshape(-1, len(GRID))
    areas = [each.area for each in folds]
    return {
        "across": across,
        "upwards": upwards,
        "ranked_together": one_rounded(curve.area),
        "hull": _hull(hull),
        "band": {"across": rounded(GRID, 3)} | fold_band(lines),
        "areas": fold_spread(areas),
        "mean_of_folds": one_rounded(math.fsum(areas) / len(areas)) if areas else None,
    }


def precision_numbers(curve: Roc, folds: list[Roc]) -> dict[str, Any]:
    """Precision over recall of the same counts, the achievable curve, and the band of the folds."""
    whole = _precision_recall(curve)
    best = whole.achievable()
    across, upwards = thinned(*precision_points(whole))
    best_across, best_upwards = thinned(*precision_points(best))
    lines = np.array([precisions_at(each, GRID) for each in folds]).reshape(-1, len(GRID))
    at_recalls = np.array([precisions_at(each, np.array(RECALLS)) for each in folds])
    return {
        "across": across,
        "upwards": upwards,
        "area": one_rounded(whole.area),
        "average_precision": one_rounded(whole.average_precision),
        "base_rate": one_rounded(whole.base_rate),
        "achievable": {"across": best_across, "upwards": best_upwards, "area": one_rounded(best.area)},
        "band": {"across": rounded(GRID, 3)} | fold_band(lines),
        "areas": fold_spread([_precision_recall(each).area for each in folds]),
        "recalls": list(RECALLS),
        "precisions": rounded(precisions_at(curve, np.array(RECALLS))),
        "recall_band": fold_band(at_recalls.reshape(-1, len(RECALLS))),
    }


def rates_at(curve: Roc, false_positive_rates: Floats) -> Floats:
    """The true positive rates at false positive rates; where the curve rises straight, its upper end."""
    return _heights(*roc_points(curve), false_positive_rates, is_left_known=False)


def precisions_at(curve: Roc, recalls: Floats) -> Floats:
    """The precisions at recalls, interpolated by counts (Davis & Goadrich); upper ends of straight falls."""
    found = curve.true_positives / curve.n_positives
    alarms = _heights(found, curve.false_positives, recalls, is_left_known=True)
    hits = recalls * curve.n_positives
    first = _precision_recall(curve).precision[0]
    return np.asarray(np.divide(hits, hits + alarms, out=np.full(len(hits), first), where=hits > 0))


def _heights(across: Floats, upwards: Floats, wanted: Floats, is_left_known: bool) -> Floats:
    """Heights of a line at the wanted places; at some of its own it may rise straight.

    is_left_known: whether at such a place the lower end counts, and not the upper
    """
    is_first, is_last = np.append(True, np.diff(across) > 0), np.append(np.diff(across) > 0, True)
    indices, lower, upper = across[is_first], upwards[is_first], upwards[is_last]
    right = np.minimum(np.searchsorted(indices, wanted - NEAR), len(indices) - 1)
    left = np.maximum(right - 1, 0)
    wide = np.where(right > left, indices[right] - indices[left], 1.0)
    between = upper[left] + (wanted - indices[left]) / wide * (lower[right] - upper[left])
    is_known = np.abs(indices[right] - wanted) <= NEAR
    return np.asarray(np.where(is_known, (lower if is_left_known else upper)[right], between))


def _precision_recall(curve: Roc) -> PrecisionRecall:
    """The same counts in the other plane."""
    counts = (curve.thresholds, curve.true_positives, curve.false_positives)
    return PrecisionRecall(*counts, curve.positive, curve.n_rows)


def _hull(hull: Roc) -> dict[str, Any]:
    """Corners with their thresholds, and what each finds and costs."""
    across, upwards = thinned(*roc_points(hull))
    return {
        "across": across,
        "upwards": upwards,
        "area": one_rounded(hull.area),
        "n_corners": len(hull.thresholds),
        "corners": _corners(hull),
    }


def _corners(hull: Roc) -> list[dict[str, Any]]:
    """The corners but the two ends, at which all rows are called the same; of many a few, evenly."""
    indices = np.arange(1, len(hull.thresholds) - 1)
    if len(indices) > MOST_CORNERS:
        indices = indices[np.linspace(0, len(indices) - 1, MOST_CORNERS).round().astype(np.intp)]
    points = [hull.point(int(index)) for index in indices]
    return [
        {
            "threshold": one_rounded(point.threshold),
            "false_positive_rate": one_rounded(point.fp / hull.n_negatives),
            "recall": one_rounded(point.tp / hull.n_positives),
            "precision": one_rounded(point.tp / (point.tp + point.fp)),
        }
        for point in points
    ]
