"""The Brier score and its three parts: how far from the shares, how far apart, how uncertain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.errors import RequestError
from heldout.metrics.probability_inputs import ProbabilityRows, of_the_positive, probability_rows
from heldout.metrics.reliability import checked_bins, checked_by, probability_bins
from heldout.stats.interval import Result
from heldout.stats.metric_families import probability_squares
from heldout.text.numbers import number_text
from heldout.text.words import plural


@dataclass(frozen=True)
class BrierScore(Result):
    """The mean squared error of probabilities; score = reliability − resolution + uncertainty + within_bins.

    Attributes
    ----------
    score
        0 is perfect. Two classes: (p − happened)², from 0 to 1. Several: the sum of that over the
        classes, from 0 to 2, as Brier had it; of two classes that would be twice as much
    reliability
        how far the probabilities lie from the shares among the rows that got them; 0 is best
    resolution
        how far these shares lie apart from the share of all rows; the larger, the better
    uncertainty
        the score of always saying the share of all rows
    within_bins
        what the bins hide: 0 where rows are taken together only if they got the same probability
    n_groups
        how many distinct probabilities, or bins
    n_rows
        how many rows were judged
    n_classes
        2, or how many there are
    is_binned
        whether the groups are bins

    Examples
    --------
    >>> found = brier([0, 0, 1, 1], [0.25, 0.25, 0.25, 0.75])
    >>> found.score, round(found.reliability, 3), round(found.resolution, 3), found.uncertainty
    (0.1875, 0.021, 0.083, 0.25)
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float
    n_groups: int
    n_rows: int
    n_classes: int = 2
    is_binned: bool = False

    @property
    def skill(self) -> float:
        """1 − score / uncertainty: 1 is perfect, 0 no better than always saying the shares."""
        return 1.0 - self.score / self.uncertainty if self.uncertainty > 0 else math.nan

    def __float__(self) -> float:
        return self.score

    def __str__(self) -> str:
        always = "always saying the share" if self.n_classes == 2 else "always saying the shares"
        first = (
            f"Brier score {number_text(self.score)} ({plural(self.n_rows, 'row')};"
            f" {always} gets {number_text(self.uncertainty)})"
        )
        parts = (
            f"reliability {number_text(self.reliability)} − resolution {number_text(self.resolution)}"
            f" + uncertainty {number_text(self.uncertainty)}"
        )
        kind = ("bin", "bins") if self.is_binned else ("distinct probability", "distinct probabilities")
        over = f"over {plural(self.n_groups, *kind)}"
        if self.is_binned:
            sign = "−" if self.within_bins < 0 else "+"
            parts += f" {sign} {number_text(abs(self.within_bins))} within bins"
        sentences = [f"{first} = {parts}, {over}."]
        if not self.is_binned and 2 * self.n_groups > self.n_rows > 1:
            sentences.append("Few rows share a probability, so the parts say little; n_bins=10 makes groups.")
        sentences.append(
            "These are means over these rows, and the score mixes being right with being honest."
        )
        return " ".join(sentences)

    def to_svg(self) -> str:
        """The score and its parts on one scale."""
        named = {
            "score": self.score,
            "reliability": self.reliability,
            "resolution": self.resolution,
            "uncertainty": self.uncertainty,
        }
        lines = [
            PictureInterval(name, value, 0.0, value, f"{name} {number_text(value)}", index=min(index, 1))
            for index, (name, value) in enumerate(named.items())
        ]
        return interval_svg(lines, title="Brier score and its parts", ends=(0.0, max(*named.values(), 0.25)))


def brier(
    y: Any,
    probabilities: Any,
    labels: Any = None,
    weights: Any = None,
    positive: Any = None,
    n_bins: int | None = None,
    by: str = "frequency",
) -> BrierScore:
    """The mean squared error of probabilities, with its parts.

    Parameters
    ----------
    y
        the true label of each row
    probabilities
        of the positive class, one per row; or a column for each label
    labels
        in the order of the columns, such as model.`classes_`; left out, those of y, sorted
    weights
        the sample weight of each row
    positive
        the class that one probability per row belongs to; left out, the last of two
    n_bins
        None takes rows together that got the same probability, so that the three parts add up to the
        score; a number makes so many bins, and what they hide is a fourth part
    by
        how bins are cut: "frequency" or "width"

    Examples
    --------
    >>> print(brier(["no", "no", "yes", "yes"], [0.2, 0.2, 0.2, 0.8]))
    Brier score 0.190 (4 rows; always saying the share gets 0.250) = reliability 0.023 − resolution 0.083 + \
uncertainty 0.250, over 2 distinct probabilities. These are means over these rows, and the score mixes being \
right with being honest.
    """
    rows = probability_rows(y, probabilities, labels, weights, positive)
    if rows.is_of_one_class or len(rows.labels) == 2:
        rows = of_the_positive(rows)
    table, happened = _indicators(rows)
    groups, means = _groups(rows, table, n_bins, checked_by(by))
    weight = np.ones(len(table)) if rows.weights is None else rows.weights / rows.weights.max()
    score = _mean_row(weight, probability_squares(table, happened))
    parts = _parts(table, happened, groups, means, weight)
    n_classes = 2 if rows.is_of_one_class else table.shape[1]
    return BrierScore(score, *parts, int(groups.max()) + 1, rows.n_rows, n_classes, n_bins is not None)


def _indicators(rows: ProbabilityRows) -> tuple[Floats, Floats]:
    """Probabilities and what happened as columns: one of two classes, else all."""
    if rows.is_of_one_class:
        return rows.probabilities[:, None], rows.happened[:, None].astype(np.float64)
    return rows.probabilities, np.eye(len(rows.labels))[rows.happened]


def _groups(
    rows: ProbabilityRows, table: Floats, n_bins: int | None, by: str
) -> tuple[NDArray[np.intp], Floats | None]:
    """The group of each row, and the probabilities of each where all its rows share them."""
    if n_bins is not None:
        if not rows.is_of_one_class:
            raise RequestError(
                "bins are made of the probabilities of one class",
                where=f"probabilities has {table.shape[1]} columns",
                fix="leave n_bins out, or hand over the column of one class with positive=…",
            )
        return probability_bins(rows.probabilities, rows.weights, checked_bins(n_bins), by), None
    if rows.is_of_one_class:
        distinct, groups = np.unique(rows.probabilities, return_inverse=True)
        return groups, distinct[:, None]
    distinct, groups = np.unique(table, axis=0, return_inverse=True)
    return groups.ravel(), distinct


def _parts(
    table: Floats,
    happened: Floats,
    groups: NDArray[np.intp],
    means: Floats | None,
    weight: Floats,
) -> tuple[float, float, float, float]:
    """Reliability, resolution, uncertainty, and what the groups hide."""
    sizes = np.bincount(groups, weight).astype(np.float64)
    shares = _group_means(happened, groups, weight, sizes)
    predicted = _group_means(table, groups, weight, sizes) if means is None else means
    whole = (happened * weight[:, None]).sum(axis=0) / weight.sum()
    reliability = _mean_row(sizes, ((predicted - shares) ** 2).sum(axis=1))
    resolution = _mean_row(sizes, ((shares - whole) ** 2).sum(axis=1))
    uncertainty = float((whole * (1.0 - whole)).sum())
    within = 0.0
    if means is None:
        off_stated, off_share = table - predicted[groups], happened - shares[groups]
        within = _mean_row(weight, (off_stated * (off_stated - 2.0 * off_share)).sum(axis=1))
    return reliability, resolution, uncertainty, within


def _group_means(columns: Floats, groups: NDArray[np.intp], weight: Floats, sizes: Floats) -> Floats:
    sums = [np.bincount(groups, column * weight, minlength=len(sizes)) for column in columns.T]
    return np.column_stack(sums) / sizes[:, None]


def _mean_row(weight: Floats, numbers: Floats) -> float:
    return float((weight * numbers).sum() / weight.sum())
