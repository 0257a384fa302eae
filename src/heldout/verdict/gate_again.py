"""The baseline gate, asked again with the scores of each resample: who would have been let in there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from heldout.verdict.rival import Rival

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


def gate_again(
    goodness: Numbers, errors: Numbers, rivals: Sequence[Rival], guess: int, level: float
) -> Flags:
    """Resamples × rivals: who beats the baseline, by one-sided tests that Holm adjusts.

    As on all rows: the same standard errors and degrees of freedom where the gate had them, one test for each
    contender. A contender with several settings is tested by its best one.

    goodness: resamples × rivals
    errors:   rivals × rivals, for those without a standard error of their own
    guess:    the place of the baseline to beat
    level:    of the whole family

    >>> rivals = [Rival("guess", None, is_baseline=True), Rival("a", None), Rival("b", None)]
    >>> goodness = np.array([[0.5, 0.72, 0.68], [0.5, 0.70, 0.68], [0.5, 0.69, 0.69]])
    >>> gate_again(goodness, np.full((3, 3), 0.1), rivals, 0, 0.05).tolist()
    [[False, True, True], [False, True, True], [False, False, False]]
    """
    p_values = _p_values(goodness, errors, rivals, guess)
    names = [each.whose for each in rivals if not each.is_baseline]
    models = np.flatnonzero([not each.is_baseline for each in rivals])
    best = {name: models[[each == name for each in names]] for name in dict.fromkeys(names)}
    of_contenders = np.sort(
        np.column_stack([p_values[:, cols].min(axis=1) for cols in best.values()]), axis=1
    )
    allowed = level / (len(best) - np.arange(len(best)))
    n_passed = np.logical_and.accumulate(of_contenders <= allowed, axis=1).sum(axis=1)
    limits = np.concatenate([[-1.0], allowed])[n_passed]
    return np.asarray(p_values <= limits[:, np.newaxis])


def _p_values(goodness: Numbers, errors: Numbers, rivals: Sequence[Rival], guess: int) -> Numbers:
    """Of no lead at all; 2 for baselines, and where there is no score."""
    own = np.array([each.gate_error for each in rivals])
    error = np.where(np.isnan(own), errors[:, guess], own)
    freedom = np.array([each.gate_freedom for each in rivals])
    lead = goodness - goodness[:, [guess]]
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(error > 0, lead / error, np.where(lead > 0, np.inf, -np.inf))
    is_t = np.isfinite(freedom) & ~np.isnan(own)
    p_values = ndtr(-size)
    p_values[:, is_t] = stdtr(freedom[is_t], -size[:, is_t])
    p_values[:, [each.is_baseline for each in rivals]] = 2.0
    return np.where(np.isnan(lead), 2.0, p_values)
