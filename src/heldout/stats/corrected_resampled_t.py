"""Corrected t tests: splits share training rows, so the variance of their mean is larger.

`corrected_resampled_t` is the published test. `cross_validated_t`, the default of every comparison, differs
for repeated folds alone: they ask the same rows again, and so are no further evidence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.checks.values import check_confidence, check_count
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.comparison import Significance
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import is_all_zero, pair_names
from heldout.stats.t_test import NO_T_TEST, mean_of, size_of, spread, t_test
from heldout.text.words import plural


def corrected_resampled_t(
    differences: Any,
    test_share: float | None = None,
    n_folds: int | None = None,
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
    what: str = "",
) -> Significance:
    """Whether two learners differ, from their differences on the same splits (Nadeau & Bengio 2003).

    Parameters
    ----------
    differences
        score of the first minus score of the second, repetitions × folds; or a list with `n_folds` or
        `test_share`
    test_share
        the share of rows that each split tests on, for repeated hold-out
    n_folds
        folds per repetition; left out, the number of columns
    names
        of the two, for the sentences
    confidence
        of the interval of the mean difference
    what
        what the difference is of, such as "accuracy"

    Notes
    -----
    The variance of the mean of m differences is taken as s² (1/m + n_test/n_train) instead of s²/m. Where all
    differences are 0, p is 1; where they are all the same number, or there is but one, there is no p.

    Examples
    --------
    >>> folds = [[0.02, 0.00, 0.05, 0.01, -0.01], [0.03, 0.02, 0.00, 0.04, -0.02]]
    >>> found = corrected_resampled_t(folds, names=("tree", "rule"), what="accuracy")
    >>> round(found.p_value, 3), round(found.difference.low, 3), round(found.difference.high, 3)
    (0.314, -0.016, 0.044)
    """
    given = split_differences(differences)
    ratio = _test_to_train(given, test_share, n_folds)
    m = given.size
    deviation = math.nan if m < 2 else spread(given.ravel())
    corrected = _Corrected(
        "corrected resampled t", m, ratio, deviation, "fold" if test_share is None else "split"
    )
    return corrected.test_of(given.ravel(), names, confidence, what)


def cross_validated_t(
    differences: Any,
    test_to_train: float | None = None,
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
    what: str = "",
) -> Significance:
    """Whether two learners differ, from their differences on the same folds, repeated or not.

    Parameters
    ----------
    differences
        score of the first minus score of the second, repetitions × folds
    test_to_train
        rows that a fold tests for each that it learns from, as a mean over the folds; left out, 1/(K −
        1), which is true of K folds that take turns
    names, confidence, what
        as for `corrected_resampled_t`

    Notes
    -----
    The variance of the mean is taken as s² (1/K + n_test/n_train) with K − 1 degrees of freedom, however
    often the folds are repeated; s² is the variance within a repetition. With one repetition it is the
    corrected resampled t test. That one has 1/(R K) for R repetitions, as if each brought K new folds. They
    bring the same rows, which are answered nearly the same: it alarmed falsely in up to 16%.

    Examples
    --------
    >>> folds = [[0.02, 0.00, 0.05, 0.01, -0.01], [0.03, 0.02, 0.00, 0.04, -0.02]]
    >>> found = cross_validated_t(folds, names=("tree", "rule"), what="accuracy")
    >>> round(found.p_value, 3), round(found.difference.low, 3), round(found.difference.high, 3)
    (0.426, -0.03, 0.058)
    """
    given = np.atleast_2d(split_differences(differences))
    ratio = _test_to_train(given, None, None)
    if test_to_train is not None:
        ratio = _checked_ratio(test_to_train)
    # Each line is divided by the same number, so that squares stay in range.
    deviation = math.sqrt(float(np.mean([(spread(line) / size_of(given)) ** 2 for line in given]))) * size_of(
        given
    )
    return _Corrected("cross-validated t", given.shape[1], ratio, deviation, "fold").test_of(
        given.ravel(), names, confidence, what
    )


@dataclass(frozen=True)
class _Corrected:
    """How a mean of differences varies.

    method:    its name
    n_new:     how many differences count as evidence of their own
    ratio:     rows that are tested on for each that is learned from
    deviation: of single differences
    unit:      what there is a difference of
    """

    method: str
    n_new: int
    ratio: float
    deviation: float
    unit: str

    def test_of(self, numbers: Floats, names: tuple[str, str], confidence: float, what: str) -> Significance:
        confidence = check_confidence(confidence)
        first, second = pair_names(names)
        m, mean = numbers.size, mean_of(numbers)
        reason = _no_test(numbers, self.deviation)
        found, error = NO_T_TEST, math.nan
        if not reason:
            error = self.deviation * math.sqrt(1 / self.n_new + self.ratio)
            found = t_test(mean, error, self.n_new - 1, confidence)
        notes = (reason,) if reason else _notes(self.n_new, self.unit)
        label = f"{what} of {first} minus {what} of {second}" if what else f"{first} minus {second}"
        ends = (found.low, found.high)
        freedom = float(max(self.n_new - 1, 0))
        return Significance(
            f"{self.method} test",
            f"{first} and {second} are equally good",
            1.0 if is_all_zero(numbers) else found.p_value,
            found.statistic,
            m,
            self.unit,
            f"mean difference {mean:.4g}" if m else "no differences",
            Interval(label, mean, *ends, confidence, self.method, m, self.unit, 0.0, notes),
            notes,
            {"standard_error": error, "test_to_train": self.ratio, "degrees_of_freedom": freedom},
        )


def _test_to_train(given: Floats, test_share: Any, n_folds: Any) -> float:
    """How many rows are tested on for each that is learned from."""
    if (test_share is not None) and (n_folds is not None):
        raise RequestError(
            "folds and a share of test rows were both given",
            where=f"test_share={test_share!r:.40}, n_folds={n_folds!r:.40}",
            fix="give n_folds for cross-validation, test_share for repeated hold-out",
        )
    if test_share is not None:
        if isinstance(test_share, Real) and not isinstance(test_share, bool) and 0 < float(test_share) < 1:
            return float(test_share) / (1 - float(test_share))
        raise RequestError(
            "test_share must be a number above 0 and below 1",
            where=f"test_share={test_share!r:.60}",
            fix="use 0.2 where a fifth of the rows is tested on",
        )
    if n_folds is None and given.ndim == 1:
        raise RequestError(
            "a list of differences does not say how large the test parts were",
            where=f"{plural(given.size, 'difference')} in one dimension",
            fix="give repetitions × folds, or n_folds, or test_share for repeated hold-out",
        )
    folds = given.shape[-1] if n_folds is None else check_count("n_folds", n_folds, lowest=2)
    is_whole = folds > 1 and (given.shape[1] == folds if given.ndim == 2 else given.size % folds == 0)
    if not is_whole:
        raise DataError(
            "the differences are not those of whole repetitions",
            where=f"differences has the shape {given.shape}, with {plural(folds, 'fold')} per repetition",
            fix="give one difference per fold, and at least two folds; one split alone needs test_share",
        )
    return 1 / (folds - 1)


def _checked_ratio(test_to_train: Any) -> float:
    is_number = isinstance(test_to_train, Real) and not isinstance(test_to_train, bool)
    if is_number and 0 < float(test_to_train) < math.inf:
        return float(test_to_train)
    raise RequestError(
        "test_to_train must be a number above 0",
        where=f"test_to_train={test_to_train!r:.60}",
        fix="give rows tested on divided by rows learned from, 0.25 where it is one for four",
    )


def _no_test(numbers: Floats, deviation: float) -> str:
    m = len(numbers)
    if m < 2:
        return f"{plural(m, 'difference')}: a t test needs two at least."
    if is_all_zero(numbers):
        return f"All {m:,} differences are 0, so nothing speaks for either."
    least = AGREEMENT * float(np.abs(numbers).max())
    if np.ptp(numbers) > least >= deviation:
        return "The folds of each repetition agree: without a spread there is no t test."
    if np.ptp(numbers) <= least:
        return f"All {m:,} differences are {numbers[0]:.3g}: without a spread there is no t test."
    return ""


def _notes(n_new: int, unit: str) -> tuple[str, ...]:
    return (
        () if n_new > 2 else (f"Two {unit}s leave one degree of freedom: only a huge difference would show.",)
    )


# How large the scores were is not known; differences that agree in ten digits differ by their rounding.
AGREEMENT = 1e-10


def split_differences(differences: Any) -> Floats:
    """One or two dimensions of finite numbers."""
    try:
        numbers = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            "differences must be numbers, one per split",
            where=f"differences, a {type(differences).__name__}",
            fix="give repetitions × folds, every repetition with as many folds",
        ) from error
    if numbers.ndim not in (1, 2):
        raise DataError(
            "differences must be a list, or repetitions × folds",
            where=f"differences has the shape {numbers.shape}",
            fix="give one number per split",
        )
    is_wrong = ~np.isfinite(numbers)
    if is_wrong.any():
        position = tuple(int(index) + 1 for index in np.argwhere(is_wrong)[0])
        raise DataError(
            "some splits have no difference",
            where=f"{int(is_wrong.sum())} of {numbers.size} are NaN or infinite, first at place {position}",
            fix="use a metric that every fold has, or leave the repetition out",
        )
    return numbers
