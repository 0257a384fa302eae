"""An interval for any function of rows, by drawing rows again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Counts, Floats
from heldout.checks.values import check_count, check_seed
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.native import ranking
from heldout.stats.auc_interval import Placements, placements_of
from heldout.stats.bootstrap_ends import (
    LeftOut,
    ResamplePlan,
    bootstrap_interval,
    checked_request,
    resample_plan,
)
from heldout.stats.interval import Interval
from heldout.stats.jackknife import Statistic, left_out_values, resampled_arrays, value_of
from heldout.stats.two_classes import positive_rows, score_values

# BCa leaves out units one by one; of more units than this it leaves out equal parts, drawn at random.
MOST_LEFT_OUT = 2000


def bootstrap(
    statistic: Statistic,
    *arrays: Any,
    method: str = "percentile",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    stratify: Any = None,
    groups: Any = None,
    time: Any = None,
    block: int | None = None,
    seed: int = 0,
    what: str = "statistic",
    reference: float | None = None,
) -> Interval:
    """A statistic with its interval, whatever it is computed by.

    Parameters
    ----------
    statistic
        takes the arrays and gives one number; NaN where these rows have none, which is counted
    arrays
        of one or two dimensions, the same rows in each; they are drawn together
    method
        "percentile": the quantiles of the resamples; "bca": corrected for bias and skewness
    stratify
        one label per row: each stratum, such as a class, keeps its size
    groups
        one label per row: whole groups are drawn, because rows of a group are not independent
    time
        one moment per row: circular blocks of consecutive rows are drawn, because neighbors in time are
        not independent
    block
        rows in such a block; left out, the cube root of the number of rows. Without `time` the rows are
        taken to stand in order
    seed
        the same seed gives the same answer
    what
        what the statistic is, for the sentence
    reference
        a value to compare with, for the picture

    Notes
    -----
    Where every resample gives the same value, or more than half none, there is no interval: a note says why.

    Examples
    --------
    >>> wages = np.array([9.5, 11.0, 12.5, 14.0, 18.0, 23.0, 31.0, 12.0, 10.5, 16.0])
    >>> found = bootstrap(np.median, wages, what="median wage")
    >>> found.estimate, found.low, found.high
    (13.25, 11.0, 19.5)
    """
    if not callable(statistic):
        raise InputTypeError(
            "statistic must be a function",
            where=f"bootstrap({statistic!r:.40}, …)",
            fix="give the function first, then its arrays",
        )
    request = checked_request(method, n_resamples, confidence, what, reference)
    rows = resampled_arrays(arrays, "bootstrap")
    n_rows = len(rows[0])
    plan = resample_plan(n_rows, stratify, groups, time, block)
    generator = np.random.default_rng(check_seed(seed))
    if not n_rows:
        return bootstrap_interval(request, np.nan, np.full(1, np.nan), list, 0, "row")
    estimate = value_of(statistic, rows, "all rows")
    values = np.empty(request.n_resamples)
    for index, drawn in enumerate(plan.draws(generator, request.n_resamples)):
        resample = [array[drawn] for array in rows]
        values[index] = value_of(statistic, resample, f"resample {index + 1}")
    notes = () if plan.words == "rows" else (f"Drawn were {plan.words}.",)
    return bootstrap_interval(
        request, estimate, values, lambda: _jackknifed(statistic, rows, plan), plan.n_units, plan.unit, notes
    )


def _jackknifed(statistic: Statistic, arrays: list[NDArray[Any]], plan: ResamplePlan) -> list[LeftOut]:
    """The statistic without each unit, stratum by stratum."""
    parts = plan.left_out()
    strata = plan.strata or [np.arange(len(parts))]
    share = max(len(parts) / MOST_LEFT_OUT, 1.0)
    found = []
    for units in strata:
        members = [parts[unit] for unit in units]
        if len(members) > 1 and share > 1:
            members = _merged(members, int(len(members) / share))
        values = left_out_values(statistic, arrays, members) if len(members) > 1 else np.empty(0)
        found.append(LeftOut(values, np.ones(len(values))))
    return found


def _merged(parts: list[NDArray[np.intp]], n_parts: int) -> list[NDArray[np.intp]]:
    """Fewer and larger parts, to be left out together: the skewness of sums says as much about the rows."""
    order = np.random.default_rng(0).permutation(len(parts))
    shares = np.array_split(order, max(n_parts, 2))
    return [np.concatenate([parts[index] for index in share]) for share in shares]


def bootstrap_auc(
    y: Any,
    scores: Any,
    positive: Any = None,
    method: str = "percentile",
    n_resamples: int = 2000,
    confidence: float = 0.95,
    is_stratified: bool = False,
    seed: int = 0,
    n_threads: int = 1,
    what: str = "AUC",
) -> Interval:
    """The area under the ROC curve with its bootstrap interval.

    Parameters
    ----------
    y, scores, positive
        as for `auc_interval`, whose intervals hold better with few rows and near 1
    method
        "percentile" or "bca"
    is_stratified
        both classes keep their sizes; otherwise a resample may lack one, which is counted
    n_threads
        the answer does not depend on it

    Examples
    --------
    >>> y = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0]
    >>> scores = [0.1, 0.3, 0.35, 0.8, 0.4, 0.7, 0.2, 0.9, 0.5, 0.6]
    >>> found = bootstrap_auc(y, scores, is_stratified=True)
    >>> found.estimate, 0.5 < found.low < 0.7, found.high
    (0.88, True, 1.0)
    """
    request = checked_request(method, n_resamples, confidence, what, reference=0.5)
    is_positive, _ = positive_rows(y, positive)
    values = score_values(scores, len(is_positive))
    found = placements_of(is_positive, values)
    n_threads, seed = check_count("n_threads", n_threads, lowest=1), check_seed(seed)
    resampled = np.full(1, np.nan)
    if found.n_positives and found.n_negatives:
        resampled = ranking.bootstrap_auc(
            values, is_positive, request.n_resamples, seed, is_stratified, n_threads
        )
    notes = [found.sizes]
    if is_stratified:
        notes.append("Drawn were the rows of each class by itself.")
    return bootstrap_interval(
        request,
        found.auc,
        resampled,
        lambda: _jackknifed_auc(found, is_stratified),
        len(is_positive),
        "row",
        tuple(notes),
    )


def _jackknifed_auc(found: Placements, is_stratified: bool) -> list[LeftOut]:
    """The AUC without each row: a row takes its own placement out of the mean over its class."""
    sides = []
    for shares in (found.of_positives, found.of_negatives):
        n_rows = len(shares)
        without = (n_rows * found.auc - shares) / (n_rows - 1) if n_rows > 1 else np.full(n_rows, np.nan)
        sides.append(without)
    if not is_stratified:
        values = np.concatenate(sides)
        return [LeftOut(values, np.ones(len(values)))]
    return [LeftOut(values, np.ones(len(values))) for values in sides]


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

    Parameters
    ----------
    statistic
        takes counts of the shape resamples × true class × predicted class, gives one number per resample;
        NaN where there is none
    counts
        the confusion matrix (true × predicted), or what has one as its `counts`; whole numbers
    method
        "percentile" or "bca"
    is_stratified
        each true class keeps its size, as where classes were sampled separately
    seed
        the same seed gives the same answer

    Examples
    --------
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
        lambda: _jackknifed_counts(statistic, matrix, is_stratified),
        n_rows,
        "row",
        notes,
    )


def drawn_counts(
    matrix: Counts, n_resamples: int, generator: np.random.Generator, is_stratified: bool
) -> Counts:
    """Confusion matrices of as many rows, drawn with replacement: resamples × true × predicted."""
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


def _shares(cells: Counts) -> Floats:
    """The chance of each cell; empty cells last in no sum, so they stay empty for certain."""
    return np.asarray(cells / cells.sum(), dtype=np.float64)


def _values(statistic: CountStatistic, counts: Counts) -> Floats:
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
        raise InputTypeError(
            "the statistic must give one number per resample",
            where=f"counts of the shape {counts.shape} gave the shape {values.shape}",
            fix="let it take resamples × true × predicted, such as counts[:, 1, 1]",
        )
    return values.astype(np.float64)


def _jackknifed_counts(statistic: CountStatistic, matrix: Counts, is_stratified: bool) -> list[LeftOut]:
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
        raise InputTypeError(
            "counts must be a matrix of numbers, true × predicted",
            where=f"counts of the shape {given.shape} and type {given.dtype}",
            fix="give a confusion matrix",
        )
    is_wrong = ~np.isfinite(given) | (given < 0) | (given != np.rint(given))
    if is_wrong.any():
        position = tuple(int(index) for index in np.argwhere(is_wrong)[0])
        raise DataError(
            "a confusion matrix that is drawn again must hold whole numbers of rows",
            where=f"{int(is_wrong.sum())} of {given.size} cells, "
            f"first {given[position]!r:.40} in cell {position}",
            fix="count rows without weights; weighted rows can be drawn by `bootstrap`",
        )
    return given.astype(np.int64)
