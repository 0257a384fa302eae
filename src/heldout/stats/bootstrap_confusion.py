"""An interval for any function of a confusion matrix: the matrix is drawn again, not the rows.

Rows in the same cell are alike to every such function, so drawing n rows with replacement is drawing a
multinomial of n: a few numbers, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError, RequestError
from heldout.stats.bootstrap_ends import LeftOut, bootstrap_interval, checked_request
from heldout.stats.choices import check_seed
from heldout.stats.interval import Interval

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
CountStatistic = Callable[[Counts], Any]


def bootstrap_confusion(
    statistic: CountStatistic,
    counts: Any,
    method: str = "percentile",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    is_stratified: bool = False,
    seed: int = 0,
    what: str = "statistic",
    reference: float | None = None,
) -> Interval:
    """A function of counts with its interval.

    statistic:     takes counts of the shape resamples × true class × predicted class, gives one number per
                   resample; NaN where there is none
    counts:        the confusion matrix (true × predicted), or what has one as its `counts`; whole numbers
    method:        "percentile" or "bca"
    is_stratified: each true class keeps its size, as where classes were sampled separately
    seed:          the same seed gives the same answer

    >>> def f1(counts):
    ...     hits = counts[:, 1, 1]
    ...     return 2 * hits / (2 * hits + counts[:, 0, 1] + counts[:, 1, 0])
    >>> found = bootstrap_confusion(f1, [[880, 20], [40, 60]], what="F1")
    >>> round(found.estimate, 3), round(found.low, 2), round(found.high, 2)
    (0.667, 0.58, 0.74)
    """
    request = checked_request(method, n_resamples, confidence, what, reference)
    matrix = _whole_counts(counts)
    n_rows = int(matrix.sum())
    generator = np.random.default_rng(check_seed(seed))
    if not n_rows:
        return bootstrap_interval(request, np.nan, np.full(1, np.nan), list, 0, "row")
    estimate = float(_values(statistic, matrix[np.newaxis])[0])
    drawn = drawn_counts(matrix, request.n_resamples, generator, is_stratified)
    notes = ("Drawn were the rows of each true class by itself.",) if is_stratified else ()
    return bootstrap_interval(
        request,
        estimate,
        _values(statistic, drawn),
        lambda: _jackknifed(statistic, matrix, is_stratified),
        n_rows,
        "row",
        notes,
    )


def drawn_counts(
    matrix: Counts, n_resamples: int, generator: np.random.Generator, is_stratified: bool
) -> Counts:
    """Confusion matrices of as many rows, drawn with replacement: resamples × true × predicted.

    >>> drawn = drawn_counts(np.array([[3, 1], [0, 2]]), 5, np.random.default_rng(0), True)
    >>> drawn.shape, drawn.sum(axis=2).tolist()[0]
    ((5, 2, 2), [4, 2])
    """
    if not is_stratified:
        drawn = generator.multinomial(int(matrix.sum()), _shares(matrix.ravel()), size=n_resamples)
        return np.asarray(drawn.reshape(n_resamples, *matrix.shape), dtype=np.int64)
    lines = [
        generator.multinomial(int(line.sum()), _shares(line), size=n_resamples)
        if line.any()
        else np.zeros((n_resamples, len(line)), dtype=np.int64)
        for line in matrix
    ]
    return np.stack(lines, axis=1)


def _shares(cells: Counts) -> Numbers:
    """The chance of each cell; empty cells last in no sum, so they stay empty for certain."""
    return np.asarray(cells / cells.sum(), dtype=np.float64)


def _values(statistic: CountStatistic, counts: Counts) -> Numbers:
    try:
        with np.errstate(all="ignore"):  # 0/0 is NaN, and counted
            given = statistic(counts)
    except Exception as error:
        raise RequestError(
            f"the statistic failed: {type(error).__name__}: {str(error)[:200]}",
            where=f"counts of the shape {counts.shape}",
            fix="let it take resamples × true × predicted, such as counts[:, 1, 1]",
        ) from error
    values = np.asarray(given)
    if values.shape != counts.shape[:1] or values.dtype.kind not in "biuf":
        raise KindError(
            "the statistic must give one number per resample",
            where=f"counts of the shape {counts.shape} gave the shape {values.shape}",
            fix="let it take resamples × true × predicted, such as counts[:, 1, 1]",
        )
    return values.astype(np.float64)


def _jackknifed(statistic: CountStatistic, matrix: Counts, is_stratified: bool) -> list[LeftOut]:
    """The statistic without one row of each cell that has rows."""
    filled = np.argwhere(matrix > 0)
    without = np.repeat(matrix[np.newaxis], len(filled), axis=0)
    without[np.arange(len(filled)), filled[:, 0], filled[:, 1]] -= 1
    values, sizes = _values(statistic, without), matrix[filled[:, 0], filled[:, 1]].astype(np.float64)
    if not is_stratified:
        return [LeftOut(values, sizes)]
    lines = [filled[:, 0] == line for line in range(len(matrix))]
    return [LeftOut(values[chosen], sizes[chosen]) for chosen in lines]


def _whole_counts(counts: Any) -> Counts:
    given = np.asarray(getattr(counts, "counts", counts))
    if given.ndim != 2 or given.dtype.kind not in "biuf":
        raise KindError(
            "counts must be a matrix of numbers, true × predicted",
            where=f"counts of the shape {given.shape} and type {given.dtype}",
            fix="give a confusion matrix",
        )
    is_wrong = ~np.isfinite(given) | (given < 0) | (given != np.rint(given))
    if is_wrong.any():
        place = tuple(int(index) for index in np.argwhere(is_wrong)[0])
        raise DataError(
            "a confusion matrix that is drawn again must hold whole numbers of rows",
            where=f"{int(is_wrong.sum())} of {given.size} cells, first {given[place]!r:.40} in cell {place}",
            fix="count rows without weights; weighted rows can be drawn by `bootstrap`",
        )
    return given.astype(np.int64)
