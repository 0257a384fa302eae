"""Does what was said to happen in 3 of 10 cases happen in 3 of 10? Out-of-fold probabilities in bins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.probability_bins import probability_bins
from heldout.report.answers.asked_rows import AskedRows
from heldout.report.answers.short_numbers import one_rounded
from heldout.stats.rate_ends import wilson_ends

Floats = NDArray[np.float64]
N_BINS = 10
CONFIDENCE = 0.95


def reliability_numbers(
    asked: AskedRows, said: Floats, happened: NDArray[np.bool_], by: str = "frequency", n_bins: int = N_BINS
) -> dict[str, Any]:
    """Bins of similar probabilities with the share that came true, and its interval.

    said:     a probability for each question
    happened: whether it came true
    by:       "frequency" for bins of about as many rows, "width" for equal parts of 0 … 1

    >>> from heldout.report.answers.asked_rows import asked_rows
    >>> from heldout.verdict.judged_rows import JudgedRows
    >>> asked = asked_rows(JudgedRows(np.zeros(4), np.array([[0, 1, 0, 1]])))
    >>> said, happened = np.array([0.1, 0.2, 0.8, 0.9]), np.array([False, True, True, True])
    >>> found = reliability_numbers(asked, said, happened, n_bins=2)
    >>> [(each["said"], each["share"]) for each in found["bins"]]
    [(0.15, 0.5), (0.85, 1.0)]
    """
    said = np.clip(said, 0.0, 1.0)
    places = probability_bins(said, asked.weights, n_bins, by)
    order = np.argsort(places, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(places[order])) + 1)
    bins = [_bin(asked, said, happened, part) for part in parts]
    total = sum(each["n_rows"] for each in bins)
    gap = sum(each["n_rows"] * abs(each["said"] - each["share"]) for each in bins) / total
    return {
        "bins": bins,
        "calibration_error": one_rounded(gap),
        "n_within": sum(each["low"] <= each["said"] <= each["high"] for each in bins),
        "confidence": CONFIDENCE,
        "by": by,
    }


def _bin(
    asked: AskedRows, said: Floats, happened: NDArray[np.bool_], part: NDArray[np.intp]
) -> dict[str, Any]:
    weights, said, happened = asked.weights[part], said[part], happened[part]
    share = float(np.average(happened, weights=weights))
    n_rows = rows_behind(happened, weights, asked.rows[part], asked.units[part])
    low, high = wilson_ends(share, n_rows, CONFIDENCE)
    return {
        "from": one_rounded(float(said.min())),
        "to": one_rounded(float(said.max())),
        "said": one_rounded(float(np.average(said, weights=weights))),
        "share": one_rounded(share),
        "low": one_rounded(low),
        "high": one_rounded(high),
        "n_rows": one_rounded(float(weights.sum())),
    }


def rows_behind(
    happened: NDArray[np.bool_], weights: Floats, rows: NDArray[np.intp], units: NDArray[np.intp]
) -> float:
    """On how many independent rows a share rests: answers of one row, or rows of one group, are not.

    The variance of a ratio of sums over units (linearised), turned into the number of rows whose share would
    vary as much; never more than the rows stand for. Where all came out alike nothing varies, and the units
    are counted.

    rows, units: of each answer the row, and what is independent of what

    >>> happened, rows = np.array([True, True, False, False]), np.arange(4)
    >>> rows_behind(happened, np.ones(4), rows, rows), rows_behind(happened, np.ones(4), rows, rows // 2)
    (4.0, 2.0)
    """
    total = float(weights.sum())
    share = float(np.dot(happened, weights)) / total
    variance = float((_sums(weights * (happened - share), units) ** 2).sum()) / total**2
    if variance == 0:
        return total**2 / float((_sums(weights, units) ** 2).sum())
    most = total**2 / float((_sums(weights, rows) ** 2).sum())
    return min(share * (1 - share) / variance, most)


def _sums(numbers: Floats, units: NDArray[np.intp]) -> Floats:
    return np.asarray(np.bincount(units, numbers))
