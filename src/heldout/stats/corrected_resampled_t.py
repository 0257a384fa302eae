"""The corrected resampled t test: splits share training rows, so the variance of their mean is larger."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.stats.choices import check_confidence, check_count
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import is_all_zero, pair_names
from heldout.stats.significance import Significance
from heldout.stats.split_differences import AGREEMENT, split_differences
from heldout.stats.t_test import NO_T_TEST, mean_of, spread, t_test
from heldout.table.describe import plural

Numbers = NDArray[np.float64]


def corrected_resampled_t(
    differences: Any,
    test_share: float | None = None,
    n_folds: int | None = None,
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
    what: str = "",
) -> Significance:
    """Whether two learners differ, from their differences on the same splits (Nadeau & Bengio 2003).

    differences: score of the first minus score of the second, repetitions × folds; or a list with `n_folds`
                 or `test_share`
    test_share:  the share of rows that each split tests on, for repeated hold-out
    n_folds:     folds per repetition; left out, the number of columns
    names:       of the two, for the sentences
    confidence:  of the interval of the mean difference
    what:        what the difference is of, such as "accuracy"

    The variance of the mean of m differences is taken as s² (1/m + n_test/n_train) instead of s²/m. Where all
    differences are 0, p is 1; where they are all the same number, or there is but one, there is no p.

    >>> folds = [[0.02, 0.00, 0.05, 0.01, -0.01], [0.03, 0.02, 0.00, 0.04, -0.02]]
    >>> found = corrected_resampled_t(folds, names=("tree", "rule"), what="accuracy")
    >>> round(found.p_value, 3), round(found.difference.low, 3), round(found.difference.high, 3)
    (0.314, -0.016, 0.044)
    """
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    given = split_differences(differences)
    ratio = _test_to_train(given, test_share, n_folds)
    numbers = given.ravel()
    m, mean = numbers.size, mean_of(numbers)
    reason = _no_test(numbers)
    found, error = NO_T_TEST, math.nan
    if not reason:
        error = spread(numbers) * math.sqrt(1 / m + ratio)
        found = t_test(mean, error, m - 1, confidence)
    notes = (reason,) if reason else _notes(m)
    label = f"{what} of {first} minus {what} of {second}" if what else f"{first} minus {second}"
    ends = (found.low, found.high)
    unit = "fold" if test_share is None else "split"
    return Significance(
        "corrected resampled t test",
        f"{first} and {second} are equally good",
        1.0 if is_all_zero(numbers) else found.p_value,
        found.statistic,
        m,
        unit,
        f"mean difference {mean:.4g}" if m else "no differences",
        Interval(label, mean, *ends, confidence, "corrected resampled t", m, unit, 0.0, notes),
        notes,
        {"standard_error": error, "test_to_train": ratio, "degrees_of_freedom": float(max(m - 1, 0))},
    )


def _test_to_train(given: Numbers, test_share: Any, n_folds: Any) -> float:
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


def _no_test(numbers: Numbers) -> str:
    m = len(numbers)
    if m < 2:
        return f"{plural(m, 'difference')}: a t test needs two at least."
    if is_all_zero(numbers):
        return f"All {m:,} differences are 0, so nothing speaks for either."
    if np.ptp(numbers) <= AGREEMENT * float(np.abs(numbers).max()):
        return f"All {m:,} differences are {numbers[0]:.3g}: without a spread there is no t test."
    return ""


def _notes(m: int) -> tuple[str, ...]:
    if m > 2:
        return ()
    return ("Two differences leave one degree of freedom: only a huge difference would show.",)
