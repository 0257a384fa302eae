"""On pure noise nested cross-validation says ½, however many settings were tried inside."""

from __future__ import annotations

from functools import cache

import numpy as np

from .noise import is_centered
from .noise_studies import NestedNoise, nested_noise

N_SETS = 2_000


@cache
def measured() -> NestedNoise:
    """2,000 sets of 60 rows, 40 settings, 5 × 4 folds."""
    return nested_noise(N_SETS)


def test_the_nested_estimate_is_a_half() -> None:
    """Over 2,000 sets of noise the nested accuracy of 40 settings is .50 ± .005 on average."""
    found = measured()
    assert len(found.nested) == N_SETS
    assert abs(found.nested.mean() - 0.5) <= 0.005
    assert is_centered(found.nested, 0.5)


def test_the_best_inner_score_is_not() -> None:
    """On the same sets the best of 40 inner scores is above .58 on average, and hardly ever below ½."""
    found = measured()
    assert found.inner.mean() > 0.58
    assert np.mean(found.inner > 0.5) > 0.98


def test_one_estimate_alone_may_be_far_from_a_half() -> None:
    """A promise holds on average: single estimates from 60 rows scatter by .06 to .09."""
    assert 0.06 < measured().nested.std(ddof=1) < 0.09
