"""How much a score varies, seen by leaving out parts of the rows: the jackknife of parts.

It takes any metric, draws nothing, and is the same for rows, groups and blocks of time. With more than a
hundred units several are left out together, which says the same about a mean at less cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.judged_rows import JudgedRows

Numbers = NDArray[np.float64]
MOST_PARTS = 100


def all_counts(rows: JudgedRows) -> Numbers:
    """One line of counts: every row that was tested, once.

    >>> all_counts(JudgedRows(np.arange(3.0), np.array([[0, -1, 1]])))
    array([[1., 0., 1.]])
    """
    return np.asarray(rows.units >= 0, dtype=np.float64)[np.newaxis]


def left_out_counts(rows: JudgedRows) -> Numbers:
    """A line of counts for each part that is left out.

    >>> left_out_counts(JudgedRows(np.arange(3.0), np.array([[0, 1, 1]]), groups=np.array([7, 7, 8])))
    array([[0., 0., 1.],
           [1., 1., 0.]])
    """
    n_parts = min(rows.n_units, MOST_PARTS)
    part = np.where(rows.units >= 0, rows.units % n_parts, -1)
    is_kept = (part[np.newaxis] != np.arange(n_parts)[:, np.newaxis]) & (part >= 0)
    return np.asarray(is_kept, dtype=np.float64)


def jackknife_variance(values: Numbers) -> float:
    """The variance of a score, from its values without each part; NaN where one of them has no value.

    Of several repeats it is the mean, because answers to the same rows say little more than one of them.

    values: parts × repeats

    >>> jackknife_variance(np.array([[0.5], [1.0], [0.0]]))  # a mean of three numbers: s²/3
    0.3333333333333333
    """
    n_parts = len(values)
    if n_parts < 2 or not np.isfinite(values).all():
        return float("nan")
    spread = ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return float((n_parts - 1) / n_parts * spread.mean())
