"""The jackknife: bias and standard error of a statistic, by leaving out each row once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats, Rows
from heldout.checks.values import check_confidence
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.bootstrap_ends import is_same, resample_plan
from heldout.stats.interval import Interval, Result
from heldout.text.numbers import number_text
from heldout.text.words import plural

NOT_SAID = "The jackknife holds for statistics that change smoothly with the rows, and fails for a median."


@dataclass(frozen=True)
class Jackknife(Result):
    """What leaving out each row, or each group, says about a statistic.

    Attributes
    ----------
    estimate
        the statistic of all rows
    bias
        by how much it is too large on average, as far as the jackknife can tell
    standard_error
        how much it varies from sample to sample
    interval
        the estimate ± Student's t × standard error; the bias is told, not subtracted

    Examples
    --------
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

    Parameters
    ----------
    statistic
        takes the arrays and gives one number
    arrays
        of one or two dimensions, the same rows in each
    groups
        one label per row: whole groups are left out, because rows of a group are not independent
    what
        what the statistic is, for the sentence
    reference
        a value to compare with, for the picture

    Notes
    -----
    With fewer than two rows or groups, or where leaving out some of them leaves no value, bias and standard
    error are NaN, and a note says why.

    Examples
    --------
    >>> found = jackknife(np.mean, np.array([1.0, 2.0, 6.0]))
    >>> found.estimate, found.bias, round(found.standard_error, 4)
    (3.0, 0.0, 1.5275)
    """
    if not callable(statistic):
        raise InputTypeError(
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
        (note or f"Bias {number_text(bias)}, standard error {number_text(error)}.", NOT_SAID),
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


Statistic = Callable[..., Any]


def resampled_arrays(arrays: Sequence[Any], caller: str) -> list[NDArray[Any]]:
    """The arrays as NumPy has them; all must have the same number of rows."""
    if not arrays:
        raise RequestError(
            f"{caller} needs at least one array",
            where=f"{caller}(statistic)",
            fix="give the rows to resample",
        )
    found = [np.asarray(array) for array in arrays]
    lengths = [array.shape[0] if array.ndim else None for array in found]
    if None in lengths:
        raise InputTypeError(
            "an array has no rows",
            where=f"array {lengths.index(None) + 1} of {len(found)} is {arrays[lengths.index(None)]!r:.40}",
            fix="give arrays; put what is not resampled into the statistic",
        )
    if len(set(lengths)) > 1:
        raise DataError(
            "the arrays have different numbers of rows",
            where=f"rows: {', '.join(map(str, lengths))}",
            fix="give arrays of the same rows; put what is not resampled into the statistic",
        )
    return found


def value_of(statistic: Statistic, arrays: Sequence[NDArray[Any]], where: str) -> float:
    """The statistic of these arrays as a float; NaN is allowed and means that there is none.

    where: which arrays they are, for the error
    """
    try:
        with np.errstate(all="ignore"):  # 0/0 is NaN, and counted
            value = statistic(*arrays)
    except Exception as error:
        raise RequestError(
            f"the statistic failed: {type(error).__name__}: {str(error)[:200]}",
            where=where,
            fix="let it return NaN for rows that have no value, or give stratify so that no class is missing",
        ) from error
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "biuf":
        raise InputTypeError(
            "the statistic must give one number",
            where=f"{where}: it gave {value!r:.60}",
            fix="return a float; bootstrap each number by itself",
        )
    return float(array.reshape(-1)[0])


def left_out_values(statistic: Statistic, arrays: Sequence[NDArray[Any]], parts: Sequence[Rows]) -> Floats:
    """The statistic without each of these parts of the rows."""
    is_kept = np.ones(len(arrays[0]), dtype=np.bool_)
    values = np.empty(len(parts))
    for index, part in enumerate(parts):
        is_kept[part] = False
        kept = [array[is_kept] for array in arrays]
        where = f"part {index + 1} of {len(parts)} left out, {plural(len(kept[0]), 'row')} kept"
        values[index] = value_of(statistic, kept, where)
        is_kept[part] = True
    return values
