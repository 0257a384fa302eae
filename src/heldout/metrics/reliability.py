"""The reliability diagram: does what is said to happen in 3 of 10 cases happen in 3 of 10?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.charts.reliability_picture import PictureBin, reliability_svg
from heldout.checks.values import check_confidence
from heldout.errors import RequestError
from heldout.metrics.probability_inputs import ProbabilityRows, of_the_positive, probability_rows
from heldout.stats.interval import Result
from heldout.stats.rate_interval import wilson_ends
from heldout.text.numbers import number_text, percent_text
from heldout.text.words import plural, suggestion


@dataclass(frozen=True)
class ReliabilityBin:
    """Rows of similar probability.

    low, high:             the smallest and the largest probability in it
    n_rows:                how many rows
    weight:                what they count
    mean_probability:      what was said, on average
    share:                 of the rows the share in which it happened
    share_low, share_high: the Wilson interval of the share
    """

    low: float
    high: float
    n_rows: int
    weight: float
    mean_probability: float
    share: float
    share_low: float
    share_high: float


@dataclass(frozen=True)
class Reliability(Result):
    """Bins of probabilities beside the shares that came true.

    Attributes
    ----------
    bins
        from the smallest probabilities to the largest; empty ones are left out
    n_rows
        how many rows were judged
    by
        how the bins were cut: "frequency" or "width"
    confidence
        of the intervals of the shares
    positive
        the class whose probabilities these are

    Examples
    --------
    >>> found = reliability([0, 0, 0, 1, 1, 1, 0, 1], [0.1, 0.1, 0.2, 0.2, 0.8, 0.8, 0.9, 0.9], n_bins=2)
    >>> [(round(each.mean_probability, 3), each.share) for each in found.bins]
    [(0.15, 0.25), (0.85, 0.75)]
    """

    bins: tuple[ReliabilityBin, ...]
    n_rows: int
    by: str
    confidence: float
    positive: Any

    @property
    def calibration_error(self) -> float:
        """The mean distance of probability and share over the bins, by weight.

        It depends on the bins, and is above 0 for perfect probabilities too: shares of few rows scatter.
        """
        total = sum(each.weight for each in self.bins)
        return sum(each.weight * abs(each.mean_probability - each.share) for each in self.bins) / total

    @property
    def n_within(self) -> int:
        """In how many bins the interval of the share holds the mean probability."""
        return sum(each.share_low <= each.mean_probability <= each.share_high for each in self.bins)

    def __str__(self) -> str:
        made = f"{plural(len(self.bins), 'bin')} by {self.by}, {plural(self.n_rows, 'row')}"
        level = percent_text(self.confidence)
        return (
            f"Reliability of the probabilities of {self.positive!r:.40} ({made}): probability and share lie"
            f" {number_text(self.calibration_error)} apart on average, and in {self.n_within}"
            f" of {len(self.bins)} bins the mean probability lies in the {level} interval of the share"
            " (Wilson, each for itself). Even perfect probabilities lie apart from the shares of"
            " few rows, and what is reliable"
            " need not tell the classes apart."
        )

    def to_svg(self) -> str:
        """Share over probability, with intervals, and the diagonal on which they agree."""
        drawn = [
            PictureBin(
                each.mean_probability,
                each.share,
                each.share_low,
                each.share_high,
                each.weight,
                self._in_words(each),
            )
            for each in self.bins
        ]
        caption = f"{plural(self.n_rows, 'row')}, {plural(len(self.bins), 'bin')} by {self.by}"
        return reliability_svg(
            drawn, f"Reliability of the probabilities of {self.positive}", caption, str(self)
        )

    def _in_words(self, each: ReliabilityBin) -> str:
        predicted = f"said {number_text(each.mean_probability)}, happened in {number_text(each.share)}"
        ends = f"{number_text(each.share_low)} to {number_text(each.share_high)}"
        level = percent_text(self.confidence)
        return f"{predicted} of {plural(each.n_rows, 'row')}, {level} interval {ends}"


def reliability(
    y: Any,
    probabilities: Any,
    n_bins: int = 10,
    by: str = "frequency",
    labels: Any = None,
    weights: Any = None,
    positive: Any = None,
    confidence: float = 0.95,
) -> Reliability:
    """Bins of similar probabilities, and how often it happened in each.

    Parameters
    ----------
    y
        the true label of each row
    probabilities
        of the positive class, one per row; or two columns
    n_bins
        how many at most; rows of one probability stay together
    by
        "frequency" for bins of about as many rows, "width" for 0 … 1 cut into equal parts
    labels
        in the order of the columns, such as model.`classes_`; left out, those of y, sorted
    weights
        the sample weight of each row; intervals then rest on (Σw)²/Σw² rows
    positive
        the class that one probability per row belongs to; left out, the last of two
    confidence
        of the intervals

    Examples
    --------
    >>> print(reliability([0, 0, 0, 1], [0.1, 0.1, 0.6, 0.6], n_bins=2).bins[1].share)
    0.5
    """
    level, way, most = check_confidence(confidence), checked_by(by), checked_bins(n_bins)
    rows = of_the_positive(probability_rows(y, probabilities, labels, weights, positive))
    indices = probability_bins(rows.probabilities, rows.weights, most, way)
    bins = tuple(_bin(rows, indices == index, level) for index in range(int(indices.max()) + 1))
    return Reliability(bins, rows.n_rows, way, level, rows.positive)


def _bin(rows: ProbabilityRows, is_in: NDArray[np.bool_], confidence: float) -> ReliabilityBin:
    predicted, happened = rows.probabilities[is_in], rows.happened[is_in]
    weight = np.ones(len(predicted)) if rows.weights is None else rows.weights[is_in]
    scaled = weight / weight.max()
    total = float(scaled.sum())
    share = float((scaled * happened).sum()) / total
    ends = wilson_ends(share, total**2 / float((scaled**2).sum()), confidence)
    mean = min(max(float((scaled * predicted).sum()) / total, float(predicted.min())), float(predicted.max()))
    return ReliabilityBin(
        float(predicted.min()),
        float(predicted.max()),
        len(predicted),
        float(weight.sum()),
        mean,
        share,
        *ends,
    )


BY = ("frequency", "width")
MOST_BINS = 10_000


def probability_bins(
    probabilities: NDArray[np.float64], weights: NDArray[np.float64] | None, n_bins: int, by: str
) -> NDArray[np.intp]:
    """The bin of each probability, counted from 0; empty bins are left out.

    n_bins: how many at most
    by:     "frequency" for about the same weight in each, "width" for 0 … 1 cut into equal parts
    """
    if by == "width":
        edges = np.arange(1, n_bins) / n_bins
        raw = np.searchsorted(edges, probabilities, side="right")
    else:
        distinct, indices = np.unique(probabilities, return_inverse=True)
        sizes = np.bincount(indices, weights, minlength=len(distinct))
        middles = np.cumsum(sizes) - sizes / 2
        raw = np.minimum((n_bins * middles / sizes.sum()).astype(np.intp), n_bins - 1)[indices]
    return np.asarray(np.unique(raw, return_inverse=True)[1], dtype=np.intp)


def checked_bins(n_bins: Any) -> int:
    """A whole number from 1 to MOST_BINS."""
    if isinstance(n_bins, int | np.integer) and not isinstance(n_bins, bool) and 1 <= n_bins <= MOST_BINS:
        return int(n_bins)
    raise RequestError(
        f"n_bins must be a whole number from 1 to {MOST_BINS:,}",
        where=f"n_bins={n_bins!r:.40}",
        fix="use 10, for example",
    )


def checked_by(by: Any) -> str:
    """The way of cutting if it is known."""
    if by in BY:
        return str(by)
    raise RequestError(f"bins cannot be made by {by!r}", where=f"by={by!r}", fix=suggestion(str(by), BY))
