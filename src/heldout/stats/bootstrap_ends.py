"""From the values of a statistic in many resamples to the ends of an interval: percentile, and BCa."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats, Rows
from heldout.checks.values import check_choice, check_confidence, check_count
from heldout.errors import DataError, RequestError
from heldout.stats.interval import Interval
from heldout.stats.two_classes import label_array
from heldout.text.numbers import percent_text
from heldout.text.words import first_of_rows, plural

METHODS = {"percentile": "percentile bootstrap", "bca": "BCa bootstrap"}
SYNONYMS = {"bc": "bca", "quantile": "percentile", "basic": "percentile", "accelerated": "bca"}
# So many resamples should lie beyond each end; with 95% that takes 200.
FEWEST_BEYOND = 5
FEWEST_UNITS = 10


@dataclass(frozen=True)
class LeftOut:
    """What the statistic is without each unit of a stratum.

    values: of the statistic, one for each kind of unit that gives the same
    counts: how many units of that kind there are
    """

    values: Floats
    counts: Floats


@dataclass(frozen=True)
class Request:
    """What was asked of a bootstrap, beside the resampling itself."""

    method: str
    n_resamples: int
    confidence: float
    what: str
    reference: float | None = None


def checked_request(
    method: Any, n_resamples: Any, confidence: Any, what: str, reference: float | None = None
) -> Request:
    """The request, refused where it makes no sense."""
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    n_resamples = check_count("n_resamples", n_resamples, lowest=1)
    return Request(method, n_resamples, check_confidence(confidence), what, reference)


def bootstrap_interval(
    request: Request,
    estimate: float,
    resampled: Floats,
    jackknifed: Callable[[], list[LeftOut]],
    n_units: int,
    unit: str,
    notes: tuple[str, ...] = (),
) -> Interval:
    """The interval of a statistic from its values in the resamples.

    estimate:   the statistic of the rows as they are
    resampled:  of each resample; NaN where there is none
    jackknifed: gives the values with each unit left out, stratum by stratum; asked for BCa only
    n_units:    how many rows, groups or blocks there are
    notes:      what is to be said about the resampling
    """
    values = resampled[~np.isnan(resampled)]
    low, high, messages = math.nan, math.nan, _no_ends(estimate, resampled, values)
    if not messages:
        low, high, messages = _ends(request, estimate, values, jackknifed)
        if len(values) < len(resampled):
            messages.insert(0, _left_aside(resampled))
        if n_units < FEWEST_UNITS:
            messages.append(f"With fewer than {FEWEST_UNITS} {unit}s to draw from it tends to be too short.")
        if len(values) * (1 - request.confidence) / 2 < FEWEST_BEYOND:
            messages.append(_too_few(request.confidence))
    return Interval(
        request.what,
        estimate,
        low,
        high,
        request.confidence,
        f"{METHODS[request.method]}, {request.n_resamples:,} resamples",
        n_units,
        unit,
        request.reference,
        (*notes, *messages),
    )


def acceleration(strata: list[LeftOut]) -> float:
    """How fast the standard error changes with the value, by the jackknife; NaN where nothing changes.

    With several strata as Efron and Tibshirani (1993) have it for several samples; SciPy does the same.
    """
    cubes, squares = 0.0, 0.0
    for left in strata:
        n_units = float(left.counts.sum())
        if n_units < 2:
            continue
        if not np.isfinite(left.values).all():
            return math.nan
        if is_same(left.values):
            continue  # equal but for rounding
        mean = float(np.average(left.values, weights=left.counts))
        influence = (n_units - 1) * (mean - left.values) / n_units
        cubes += float((left.counts * influence**3).sum())
        squares += float((left.counts * influence**2).sum())
    return cubes / (6 * squares**1.5) if squares > 0 else math.nan


def is_same(values: Floats) -> bool:
    """Whether all values agree but for rounding, as means of the same number over 6 and over 7 rows do."""
    if not np.isfinite(values).all():
        return bool((values == values[0]).all())
    with np.errstate(over="ignore"):
        return bool(np.ptp(values) <= 1e-14 * np.abs(values).max())


def _ends(
    request: Request, estimate: float, values: Floats, jackknifed: Callable[[], list[LeftOut]]
) -> tuple[float, float, list[str]]:
    tail = (1 - request.confidence) / 2
    if request.method == "percentile":
        return *_quantiles(values, tail, 1 - tail), []
    share = (float((values < estimate).mean()) + float((values <= estimate).mean())) / 2
    if not 0 < share < 1:
        note = (
            "All resamples lie on one side of the estimate, so BCa has no answer and these are percentiles."
        )
        return *_quantiles(values, tail, 1 - tail), [note]
    messages = []
    speed = acceleration(jackknifed())
    if not math.isfinite(speed):
        speed = 0.0
        messages.append("The jackknife has no acceleration here, and it was taken to be 0.")
    low, high = _bca_shares(share, speed, tail)
    return *_quantiles(values, low, high), messages


def _bca_shares(share: float, speed: float, tail: float) -> tuple[float, float]:
    """The shares of the resamples at which the ends stand.

    share: of the resamples that lie below the estimate
    speed: the acceleration
    """
    from scipy.special import ndtr, ndtri

    bias = float(ndtri(share))
    found = []
    for z in (float(ndtri(tail)), -float(ndtri(tail))):
        shifted = bias + z
        slowed = 1 - speed * shifted
        # Past its pole the formula turns around; the end stands where it was heading.
        found.append(float(ndtr(bias + shifted / slowed)) if slowed > 0 else float(shifted > 0))
    return found[0], found[1]


def _quantiles(values: Floats, low: float, high: float) -> tuple[float, float]:
    if np.isfinite(values).all():
        ends = np.quantile(values, [low, high])
        return float(ends[0]), float(ends[1])
    # Between a number and infinity nothing can be interpolated: each end stands outside.
    return float(np.quantile(values, low, method="lower")), float(np.quantile(values, high, method="higher"))


def _no_ends(estimate: float, resampled: Floats, values: Floats) -> list[str]:
    """Why there is no interval, or nothing."""
    if math.isnan(estimate):
        return ["The rows as they are give no value."]
    if len(values) * 2 < len(resampled):
        return [_left_aside(resampled), "That is more than half, so there is no interval."]
    if is_same(values):
        return [
            "Every resample gave the same value: the bootstrap sees only what varies among these rows,"
            " and cannot say how far others may lie."
        ]
    return []


def _left_aside(resampled: Floats) -> str:
    n_without = int(np.isnan(resampled).sum())
    return f"{n_without:,} of {len(resampled):,} resamples gave no value and were left aside."


def _too_few(confidence: float) -> str:
    wanted = math.ceil(2 * FEWEST_BEYOND / (1 - confidence) - 1e-6)
    share = percent_text(confidence)
    return f"For {share} there should be at least {wanted:,} resamples; these ends are rough."


@dataclass(frozen=True)
class ResamplePlan:
    """How rows are drawn, and which of them are left out together by the jackknife.

    unit:    what is drawn: "row", "group", "block"
    n_units: how many of them there are
    parts:   the rows of each unit
    strata:  the units of each stratum; drawn as many as there are, from each by itself
    order:   for blocks the rows in the order of time, otherwise None
    block:   rows in a block
    words:   how it was drawn, for the sentence
    """

    unit: str
    n_units: int
    parts: list[Rows] | None
    strata: list[Rows]
    order: Rows | None
    block: int
    words: str

    def draws(self, generator: np.random.Generator, n_resamples: int) -> Iterator[Rows]:
        """The rows of each resample."""
        for _ in range(n_resamples):
            yield self._drawn_blocks(generator) if self.order is not None else self._drawn_units(generator)

    def _drawn_units(self, generator: np.random.Generator) -> Rows:
        drawn = [units[generator.integers(len(units), size=len(units))] for units in self.strata]
        units = drawn[0] if len(drawn) == 1 else np.concatenate(drawn)
        if self.parts is None:
            return units
        return np.concatenate([self.parts[unit] for unit in units])

    def _drawn_blocks(self, generator: np.random.Generator) -> Rows:
        # The rows are bent to a circle, so that the first and the last are drawn as often as all others.
        assert self.order is not None
        n_rows = len(self.order)
        starts = generator.integers(n_rows, size=math.ceil(n_rows / self.block))
        indices: Rows = (starts[:, np.newaxis] + np.arange(self.block)).ravel()[:n_rows] % n_rows
        return np.asarray(self.order[indices])

    def left_out(self) -> list[Rows]:
        """The rows of each unit, to be left out together; blocks of time lie side by side."""
        if self.order is not None:
            return [self.order[start : start + self.block] for start in range(0, len(self.order), self.block)]
        if self.parts is not None:
            return self.parts
        return [np.array([row]) for row in range(self.n_units)]


def resample_plan(
    n_rows: int, stratify: Any = None, groups: Any = None, time: Any = None, block: Any = None
) -> ResamplePlan:
    """The plan for rows of these strata and groups, or of these times."""
    if time is not None or block is not None:
        if stratify is not None or groups is not None:
            raise RequestError(
                "blocks of time cannot be drawn within strata or groups",
                where="time or block beside stratify or groups",
                fix="leave stratify and groups out; to draw whole days or weeks, give them as groups alone",
            )
        return _blocks(n_rows, time, block)
    if groups is not None:
        return _groups(_codes(groups, n_rows, "groups"), stratify)
    strata, words = _strata(np.arange(n_rows), stratify, n_rows)
    return ResamplePlan("row", n_rows, None, strata, None, 0, f"rows{words}")


def _blocks(n_rows: int, time: Any, block: Any) -> ResamplePlan:
    order = np.arange(n_rows)
    if time is not None:
        moments = label_array(time, "time")
        _check_length(len(moments), n_rows, "time")
        order = np.argsort(moments, kind="stable")
    if block is None:
        length = max(min(math.ceil(n_rows ** (1 / 3) - 1e-9), n_rows // 2), 1)
    else:
        length = check_count("block", block, lowest=1)
    if length > max(n_rows // 2, 1):
        raise RequestError(
            "a block holds more than half of the rows",
            where=f"block={length} of {plural(n_rows, 'row')}",
            fix="use shorter blocks, such that rows a block apart have little to do with each other",
        )
    words = f"circular blocks of {length} consecutive rows"
    return ResamplePlan("block", math.ceil(n_rows / length), None, [], order, length, words)


def _groups(codes: Rows, stratify: Any) -> ResamplePlan:
    n_groups = int(codes.max(initial=-1)) + 1
    by_group = np.argsort(codes, kind="stable")
    parts = np.split(by_group, np.cumsum(np.bincount(codes, minlength=n_groups))[:-1])
    if stratify is None:
        return ResamplePlan("group", n_groups, parts, [np.arange(n_groups)], None, 0, "whole groups")
    labels = label_array(stratify, "stratify")
    _check_length(len(labels), len(codes), "stratify")
    firsts = np.array([part[0] for part in parts])
    is_mixed = labels != labels[firsts][codes]
    if is_mixed.any():
        raise DataError(
            "a group lies in several strata, so it cannot be drawn whole from one",
            where=first_of_rows(is_mixed),
            fix="leave stratify out, or give one stratum per group",
        )
    strata, words = _strata(np.arange(n_groups), labels[firsts], n_groups)
    return ResamplePlan("group", n_groups, parts, strata, None, 0, f"whole groups{words}")


def _strata(units: Rows, stratify: Any, n_units: int) -> tuple[list[Rows], str]:
    if stratify is None:
        return [units], ""
    codes = _codes(stratify, n_units, "stratify")
    strata = [np.flatnonzero(codes == stratum) for stratum in range(int(codes.max(initial=-1)) + 1)]
    return strata, f" of each of {plural(len(strata), 'stratum', 'strata')} by itself"


def coded_groups(groups: Any, n_rows: int) -> Rows:
    """A number from 0 on for the group of each row."""
    return _codes(groups, n_rows, "groups")


def _codes(labels: Any, n_rows: int, name: str) -> Rows:
    values = label_array(labels, name)
    _check_length(len(values), n_rows, name)
    try:
        return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)
    except TypeError as error:
        raise DataError(
            f"{name} holds labels of several types, which have no order",
            where=f"{name}, such as {values[0]!r:.40}",
            fix="make them all words or all numbers",
        ) from error


def _check_length(n_given: int, n_rows: int, name: str) -> None:
    if n_given != n_rows:
        raise DataError(
            f"{name} does not fit the arrays",
            where=f"{name} has {plural(n_given, 'entry', 'entries')}, the arrays {plural(n_rows, 'row')}",
            fix="give one per row",
        )
