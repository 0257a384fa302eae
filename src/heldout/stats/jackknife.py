"""The jackknife: bias and standard error of a statistic, by leaving out each row once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import KindError
from heldout.stats.bootstrap_ends import is_same
from heldout.stats.choices import check_confidence
from heldout.stats.interval import Interval
from heldout.stats.left_out import Statistic, left_out_values, resampled_arrays, value_of
from heldout.stats.resamples import resample_plan
from heldout.stats.result import Result
from heldout.stats.shown_number import shown

NOT_SAID = "The jackknife holds for statistics that change smoothly with the rows, and fails for a median."


@dataclass(frozen=True)
class Jackknife(Result):
    """What leaving out each row, or each group, says about a statistic.

    estimate:       the statistic of all rows
    bias:           by how much it is too large on average, as far as the jackknife can tell
    standard_error: how much it varies from sample to sample
    interval:       the estimate ± Student's t × standard error; the bias is told, not subtracted

    >>> print(jackknife(np.var, np.array([1.0, 4.0, 2.0, 8.0, 5.0, 3.0]), what="variance"))
    variance 5.139, 95% interval -3.234 to 13.512 (jackknife, Student's t, 6 rows). Bias -1.028, standard \
error 3.257. The jackknife holds for statistics that change smoothly with the rows, and fails for a median. \
Of intervals made this way about 95% hold the true value; that is not the probability that this one does.
    """

    estimate: float
    bias: float
    standard_error: float
    interval: Interval

    @property
    def corrected(self) -> float:
        """The estimate without its bias."""
        return self.estimate - self.bias

    def __str__(self) -> str:
        return str(self.interval)

    def to_svg(self) -> str:
        """The interval as a picture."""
        return self.interval.to_svg()


def jackknife(
    statistic: Statistic,
    *arrays: Any,
    groups: Any = None,
    confidence: float = 0.95,
    what: str = "statistic",
    reference: float | None = None,
) -> Jackknife:
    """Bias, standard error and interval of a statistic; it is computed once per row, or per group.

    statistic: takes the arrays and gives one number
    arrays:    of one or two dimensions, the same rows in each
    groups:    one label per row: whole groups are left out, because rows of a group are not independent
    what:      what the statistic is, for the sentence
    reference: a value to compare with, for the picture

    With fewer than two rows or groups, or where leaving out some of them leaves no value, bias and standard
    error are NaN, and a note says why.

    >>> found = jackknife(np.mean, np.array([1.0, 2.0, 6.0]))
    >>> found.estimate, found.bias, round(found.standard_error, 4)
    (3.0, 0.0, 1.5275)
    """
    if not callable(statistic):
        raise KindError(
            "statistic must be a function",
            where=f"jackknife({statistic!r:.40}, …)",
            fix="give the function first, then its arrays",
        )
    confidence = check_confidence(confidence)
    rows = resampled_arrays(arrays, "jackknife")
    plan = resample_plan(len(rows[0]), groups=groups)
    estimate = value_of(statistic, rows, "all rows") if len(rows[0]) else math.nan
    values = left_out_values(statistic, rows, plan.left_out()) if plan.n_units > 1 else np.empty(0)
    bias, error, note = _moments(estimate, values, plan.unit)
    half = _student(confidence, plan.n_units) * error if error == error else math.nan
    interval = Interval(
        what,
        estimate,
        estimate - half,
        estimate + half,
        confidence,
        "jackknife, Student's t",
        plan.n_units,
        plan.unit,
        reference,
        (note or f"Bias {shown(bias)}, standard error {shown(error)}.", NOT_SAID),
    )
    return Jackknife(estimate, bias, error, interval)


def _moments(estimate: float, values: NDArray[np.float64], unit: str) -> tuple[float, float, str]:
    """Bias, standard error, and what is to be said."""
    n_units = len(values)
    if n_units < 2:
        return math.nan, math.nan, f"It takes at least two {unit}s to leave one out."
    n_without = int((~np.isfinite(values)).sum())
    if n_without or not math.isfinite(estimate):
        note = f"{n_without:,} of {n_units:,} {unit}s could not be left out: there is then no finite value."
        return math.nan, math.nan, note if n_without else "The rows as they are give no finite value."
    if is_same(values):
        bias = (n_units - 1) * (float(values[0]) - estimate)
        return (
            bias,
            math.nan,
            f"Without any one {unit} the value is the same, so there is no spread to learn from.",
        )
    mean = float(values.mean())
    error = math.sqrt((n_units - 1) / n_units * float(((values - mean) ** 2).sum()))
    return (n_units - 1) * (mean - estimate), error, ""


def _student(confidence: float, n_units: int) -> float:
    from scipy.special import stdtrit

    return float(-stdtrit(n_units - 1, (1 - confidence) / 2))
