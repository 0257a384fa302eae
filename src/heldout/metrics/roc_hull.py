"""The hull over several ROC curves: many models, each used where it is best."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.curve_picture import CurveDot, PictureCurve, curve_svg
from heldout.errors import InputTypeError, RequestError
from heldout.metrics.curve_hull import area_below_roc, check_same_rows, hull_corners
from heldout.metrics.curve_pictures import ROC_PLANE, corner_dots, picture_caption, roc_points
from heldout.metrics.operating_point import OperatingPoint, chosen_index
from heldout.metrics.ranked_curve import class_sizes, frozen
from heldout.metrics.roc import Roc
from heldout.stats.interval import Result, plain
from heldout.text.numbers import number_text
from heldout.text.words import plural

NOTHING, EVERYTHING = "call nothing positive", "call everything positive"


@dataclass(frozen=True)
class BestRange:
    """Where one model is the best.

    model:                its name; at the two ends of the hull no model is needed, and it says so
    false_positive_rates: those of its first and of its last corner in a row
    thresholds:           of these two corners
    slopes:               lowest and highest slope of the lines on which all points cost the same. A false
                          positive that costs a, and a false negative that costs b, make the slope
                          a·negatives / (b·positives)
    """

    model: str
    false_positive_rates: tuple[float, float]
    thresholds: tuple[float, float]
    slopes: tuple[float, float]


@dataclass(frozen=True, eq=False)
class RocHull(Result):
    """The upper convex hull over several ROC curves.

    Attributes
    ----------
    hull
        its corners as a curve, each with the threshold of the model that it belongs to
    models
        the model of each corner; of several that reach it the first that was given
    ranges
        from left to right which model is best where
    curves
        what it was made of

    Examples
    --------
    >>> from heldout.metrics.roc import roc
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> careful = roc(y, [1, 2, 3, 4, 0, 5, 6, 7])
    >>> eager = roc(y, [0, 1, 2, 5, 4, 3, 6, 7])
    >>> found = roc_hull({"careful": careful, "eager": eager})
    >>> [(part.model, part.false_positive_rates) for part in found.ranges]
    [('call nothing positive', (0.0, 0.0)), ('careful', (0.0, 0.0)), ('eager', (0.25, 0.25)), \
('call everything positive', (1.0, 1.0))]
    >>> careful.area, eager.area, found.area
    (0.75, 0.875, 0.96875)
    """

    hull: Roc
    models: tuple[str, ...]
    ranges: tuple[BestRange, ...]
    curves: Mapping[str, Roc]

    @property
    def area(self) -> float:
        """Below the hull; NaN without rows of both classes."""
        return self.hull.area

    @property
    def never_best(self) -> tuple[str, ...]:
        """The models that are not needed, whatever the costs: other models reach all that they reach."""
        return tuple(name for name in self.curves if name not in self.models)

    def threshold(
        self,
        *,
        recall: float | None = None,
        precision: float | None = None,
        cost: tuple[float, float] | None = None,
    ) -> OperatingPoint:
        """The corner that serves best, with its model and threshold; exactly one thing is asked for.

        Parameters
        ----------
        recall
            at least so much; of the corners that have it the one of the highest precision
        precision
            at least so much; of the corners that have it the one of the highest recall
        cost
            of a false positive and of a false negative; no model has a cheaper threshold

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> y = [0, 0, 1, 1]
        >>> found = roc_hull({"a": roc(y, [1, 2, 0, 3]), "b": roc(y, [1, 3, 2, 3])})
        >>> found.threshold(cost=(5, 1)).model, found.threshold(cost=(1, 5)).model
        ('a', 'b')
        """
        index = chosen_index(self.hull.true_positives, self.hull.false_positives, recall, precision, cost)
        return dataclasses.replace(self.hull.point(index), model=self.models[index])

    def to_dict(self) -> dict[str, Any]:
        """The corners, their models and the ranges; the curves by their areas."""
        areas = {name: curve.area for name, curve in self.curves.items()}
        return {
            "hull": self.hull.to_dict(),
            "models": list(self.models),
            "ranges": plain(self.ranges),
            "curves": plain(areas),
            "area": plain(self.area),
            "never_best": list(self.never_best),
        }

    def to_svg(self) -> str:
        """All curves, and the hull over them with its corners.

        Examples
        --------
        >>> from heldout.metrics.roc import roc
        >>> roc_hull([roc([0, 1], [0.1, 0.2])]).to_svg().startswith("<svg")
        True
        """
        points, remark = roc_points(self.hull), number_text(self.area)
        dots = [
            CurveDot(dot.x, dot.y, f"{model}, {dot.title}")
            for dot, model in zip(corner_dots(self.hull), self.models, strict=False)
        ]
        curves = [PictureCurve("hull", *points, 0, remark, str(self), is_dashed=True, dots=dots)]
        for name, curve in self.curves.items():
            remark = number_text(curve.area)
            curves.append(PictureCurve(name, *roc_points(curve), len(curves), remark, str(curve)))
        caption = picture_caption(self.hull, self.area)
        return curve_svg(ROC_PLANE, curves, "Hull over ROC curves", caption, str(self))

    def __str__(self) -> str:
        start = f"Hull over {plural(len(self.curves), 'ROC curve')} of {plural(self.hull.n_rows, 'row')},"
        start += f" {class_sizes(self.hull)}"
        if math.isnan(self.area):
            return f"{start}: without rows of both classes it has no area."
        single = max(self.curves, key=lambda name: self.curves[name].area)
        best = [
            f"{each.model} at false positive rates {_span(*each.false_positive_rates)}"
            for each in self.ranges
            if each.model not in (NOTHING, EVERYTHING)
        ]
        parts = [
            f"{start}: area {number_text(self.area)}, where the best single curve ({single}) has"
            f" {number_text(self.curves[single].area)}.",
            f"Best are {', '.join(best)}." if best else "No model is better than guessing.",
            f"Never best: {', '.join(self.never_best)}." if self.never_best else "",
            "Between corners lots are drawn. Models and thresholds were chosen by these rows; on others the"
            " hull rather lies lower.",
        ]
        return " ".join(part for part in parts if part)


def roc_hull(curves: Mapping[str, Roc] | Sequence[Roc]) -> RocHull:
    """The hull over ROC curves of the same rows: for any costs one of its corners is the best there is.

    Parameters
    ----------
    curves
        by the names of their models; a list is numbered

    Examples
    --------
    >>> from heldout.metrics.roc import roc
    >>> print(roc_hull({"stump": roc([0, 0, 1, 1], [0, 1, 1, 1]), "coin": roc([0, 0, 1, 1], [0, 1, 0, 1])}))
    Hull over 2 ROC curves of 4 rows, 2 positive (1) and 2 negative: area 0.750, where the best single curve \
(stump) has 0.750. Best are stump at false positive rates 0.500. Never best: coin. Between corners lots are \
drawn. Models and thresholds were chosen by these rows; on others the hull rather lies lower.
    """
    named = _named_curves(curves)
    first = next(iter(named.values()))
    for curve in named.values():
        check_same_rows(
            (first.false_positives, first.true_positives), (curve.false_positives, curve.true_positives)
        )
    hull, owners = _joined([curve if curve.is_hull else curve.hull() for curve in named.values()])
    names = list(named)
    models = [names[owner] for owner in owners]
    models[0], models[-1] = NOTHING, EVERYTHING
    return RocHull(hull, tuple(models), _ranges(hull, models), named)


def _joined(hulls: Sequence[Roc]) -> tuple[Roc, list[int]]:
    """The hull over hulls, and which of them each corner is of."""
    first = hulls[0]
    sizes = [len(hull.thresholds) for hull in hulls]
    hits = np.concatenate([hull.true_positives for hull in hulls])
    alarms = np.concatenate([hull.false_positives for hull in hulls])
    # All end at the same point, but for the rounding of weights.
    ends = np.cumsum(sizes) - 1
    hits[ends], alarms[ends] = first.n_positives, first.n_negatives
    thresholds = np.concatenate([hull.thresholds for hull in hulls])
    owners = np.repeat(np.arange(len(hulls)), sizes)
    order = np.lexsort((owners, hits, alarms))
    is_new = np.append(True, (np.diff(hits[order]) != 0) | (np.diff(alarms[order]) != 0))
    order = order[is_new]
    corners = order[_upper_corners(alarms[order], hits[order])]
    hits, alarms = frozen(hits[corners]), frozen(alarms[corners])
    area = area_below_roc(hits, alarms)
    hull = Roc(frozen(thresholds[corners]), hits, alarms, first.positive, first.n_rows, True, area)
    return hull, owners[corners].tolist()


def _upper_corners(alarms: Floats, hits: Floats) -> NDArray[np.intp]:
    """The corners of points that are sorted, but do not rise together as those of one curve do."""
    is_highest = hits >= np.maximum.accumulate(hits)
    kept = np.flatnonzero(is_highest)
    return kept[hull_corners(alarms[kept], hits[kept])]


def _ranges(hull: Roc, models: Sequence[str]) -> tuple[BestRange, ...]:
    """Corners of one model in a row, taken together."""
    rates, hits = hull.false_positive_rates, hull.true_positive_rates
    slopes = [math.inf, *_slopes(rates.tolist(), hits.tolist()), 0.0]
    starts = [index for index, model in enumerate(models) if index == 0 or model != models[index - 1]]
    ends = [*starts[1:], len(models)]
    return tuple(
        BestRange(
            models[start],
            (float(rates[start]), float(rates[end - 1])),
            (float(hull.thresholds[start]), float(hull.thresholds[end - 1])),
            (slopes[end], slopes[start]),
        )
        for start, end in zip(starts, ends, strict=True)
    )


def _slopes(across: list[float], upwards: list[float]) -> list[float]:
    steps = zip(across[:-1], across[1:], upwards[:-1], upwards[1:], strict=True)
    return [(high - low) / (right - left) if right > left else math.inf for left, right, low, high in steps]


def _named_curves(curves: Any) -> dict[str, Roc]:
    if isinstance(curves, Roc):
        curves = [curves]
    if isinstance(curves, Mapping):
        named = {str(name): curve for name, curve in curves.items()}
    elif isinstance(curves, Sequence) and not isinstance(curves, str):
        named = {f"model {index + 1}": curve for index, curve in enumerate(curves)}
    else:
        named = {"": curves}
    for wrong in (curve for curve in named.values() if not isinstance(curve, Roc)):
        raise InputTypeError(
            "a hull is made of ROC curves",
            where=f"{wrong!r:.60} is a {type(wrong).__name__}",
            fix="give {'tree': roc(y, scores), …}",
        )
    if not named:
        raise RequestError("there is no curve", where=f"curves={curves!r:.40}", fix="give at least one")
    return named


def _span(low: float, high: float) -> str:
    return number_text(low) if low == high else f"{number_text(low)} to {number_text(high)}"
