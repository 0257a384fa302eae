"""An interval for any function of rows, by drawing rows again and again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import KindError
from heldout.stats.bootstrap_ends import LeftOut, bootstrap_interval, checked_request
from heldout.stats.choices import check_seed
from heldout.stats.interval import Interval
from heldout.stats.left_out import Statistic, left_out_values, resampled_arrays, value_of
from heldout.stats.resamples import ResamplePlan, resample_plan

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

    statistic:  takes the arrays and gives one number; NaN where these rows have none, which is counted
    arrays:     of one or two dimensions, the same rows in each; they are drawn together
    method:     "percentile": the quantiles of the resamples; "bca": corrected for bias and skewness
    stratify:   one label per row: each stratum, such as a class, keeps its size
    groups:     one label per row: whole groups are drawn, because rows of a group are not independent
    time:       one moment per row: circular blocks of consecutive rows are drawn, because neighbors in time
                are not independent
    block:      rows in such a block; left out, the cube root of the number of rows. Without `time` the rows
                are taken to stand in order
    seed:       the same seed gives the same answer
    what:       what the statistic is, for the sentence
    reference:  a value to compare with, for the picture

    Where every resample gives the same value, or more than half none, there is no interval: a note says why.

    >>> wages = np.array([9.5, 11.0, 12.5, 14.0, 18.0, 23.0, 31.0, 12.0, 10.5, 16.0])
    >>> found = bootstrap(np.median, wages, what="median wage")
    >>> found.estimate, found.low, found.high
    (13.25, 11.0, 19.5)
    """
    if not callable(statistic):
        raise KindError(
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
    for place, drawn in enumerate(plan.draws(generator, request.n_resamples)):
        resample = [array[drawn] for array in rows]
        values[place] = value_of(statistic, resample, f"resample {place + 1}")
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
    return [np.concatenate([parts[place] for place in share]) for share in shares]
