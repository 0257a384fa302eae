"""From curves to the positions that a picture shows."""

from __future__ import annotations

import math

import numpy as np

from heldout.arrays import Floats
from heldout.charts.curve_picture import N_COLUMNS, CurveDot, CurvePlane
from heldout.charts.line_picture import visible_indices
from heldout.metrics.ranked_curve import RankedCurve, class_sizes, shares
from heldout.text.numbers import number_text
from heldout.text.words import plural

ROC_PLANE = CurvePlane("false positive rate", "true positive rate (recall)", has_diagonal=True)
PRECISION_PLANE = CurvePlane("recall", "precision", has_diagonal=False)
# An arc is drawn by points this far apart, as shares of the width.
ARC_STEP = 0.01
_NOTHING = np.empty(0)


def roc_points(curve: RankedCurve) -> tuple[Floats, Floats]:
    """False and true positive rates; nothing if a class is empty."""
    if curve.n_positives == 0 or curve.n_negatives == 0:
        return _NOTHING, _NOTHING
    return shares(curve.false_positives, curve.n_negatives), shares(curve.true_positives, curve.n_positives)


def precision_points(curve: RankedCurve) -> tuple[Floats, Floats]:
    """Recalls and precisions with points on the arcs between them; nothing if there are no positives."""
    if curve.n_positives == 0:
        return _NOTHING, _NOTHING
    hits, alarms = curve.true_positives[1:], curve.false_positives[1:]
    recall = shares(hits, curve.n_positives)
    kept = visible_indices(recall, N_COLUMNS, hits / (hits + alarms))
    hits, alarms = _with_arcs(hits[kept], alarms[kept], curve.n_positives)
    precision = hits / (hits + alarms)
    # From the left edge the first precision is kept: the interpolation towards nothing.
    return np.append(0.0, hits / curve.n_positives), np.append(precision[0], precision)


def corner_dots(hull: RankedCurve) -> list[CurveDot]:
    """The corners of a hull, each with its threshold and rates in words; none if a class is empty."""
    across, upwards = roc_points(hull)
    known = zip(across.tolist(), upwards.tolist(), hull.thresholds.tolist(), strict=False)
    return [CurveDot(x, y, f"{_corner(threshold)}: {_rates(x, y)}") for x, y, threshold in known]


def _corner(threshold: float) -> str:
    return "threshold not known" if math.isnan(threshold) else f"threshold {threshold:.6g}"


def _rates(false_positive_rate: float, true_positive_rate: float) -> str:
    false_rate, true_rate = number_text(false_positive_rate), number_text(true_positive_rate)
    return f"false positive rate {false_rate}, true positive rate {true_rate}"


def picture_caption(curve: RankedCurve, area: float) -> str:
    """What stands above the picture.

    area: of the curve; NaN where nothing can be drawn
    """
    rows = f"{plural(curve.n_rows, 'row')}, {class_sizes(curve)}"
    return f"{rows}: no curve" if math.isnan(area) else f"areas; {rows}"


def _with_arcs(hits: Floats, alarms: Floats, n_positives: float) -> tuple[Floats, Floats]:
    """Further points wherever two are far apart, on the line between their counts."""
    n_parts = np.maximum(np.ceil(np.diff(hits) / (n_positives * ARC_STEP)), 1.0).astype(np.intp)
    starts = np.repeat(np.arange(len(n_parts)), n_parts)
    within = np.arange(len(starts)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
    share = within / n_parts[starts]
    filled = [
        np.append(column[starts] + share * np.diff(column)[starts], column[-1]) for column in (hits, alarms)
    ]
    return filled[0], filled[1]
