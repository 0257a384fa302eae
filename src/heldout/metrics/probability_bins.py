"""Probabilities sorted into bins, equal ones always into the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.table.suggestion import suggestion

BY = ("frequency", "width")
MOST_BINS = 10_000


def probability_bins(
    probabilities: NDArray[np.float64], weights: NDArray[np.float64] | None, n_bins: int, by: str
) -> NDArray[np.intp]:
    """The bin of each probability, counted from 0; empty bins are left out.

    n_bins: how many at most
    by:     "frequency" for about the same weight in each, "width" for 0 … 1 cut into equal parts

    >>> probability_bins(np.array([0.1, 0.2, 0.2, 0.8, 0.9]), None, 2, "frequency")
    array([0, 0, 0, 1, 1])
    >>> probability_bins(np.array([0.1, 0.2, 0.2, 0.9]), None, 10, "width")
    array([0, 1, 1, 2])
    """
    if by == "width":
        edges = np.arange(1, n_bins) / n_bins
        raw = np.searchsorted(edges, probabilities, side="right")
    else:
        distinct, places = np.unique(probabilities, return_inverse=True)
        sizes = np.bincount(places, weights, minlength=len(distinct))
        middles = np.cumsum(sizes) - sizes / 2
        raw = np.minimum((n_bins * middles / sizes.sum()).astype(np.intp), n_bins - 1)[places]
    return np.asarray(np.unique(raw, return_inverse=True)[1], dtype=np.intp)


def checked_bins(n_bins: Any) -> int:
    """A whole number from 1 to MOST_BINS.

    >>> checked_bins(10)
    10
    """
    if isinstance(n_bins, int | np.integer) and not isinstance(n_bins, bool) and 1 <= n_bins <= MOST_BINS:
        return int(n_bins)
    raise RequestError(
        f"n_bins must be a whole number from 1 to {MOST_BINS:,}",
        where=f"n_bins={n_bins!r:.40}",
        fix="use 10, for example",
    )


def checked_by(by: Any) -> str:
    """The way of cutting if it is known.

    >>> checked_by("width")
    'width'
    """
    if by in BY:
        return str(by)
    raise RequestError(f"bins cannot be made by {by!r}", where=f"by={by!r}", fix=suggestion(str(by), BY))
