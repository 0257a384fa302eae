"""Intervals of an AUC, of a difference of two and of an F1 hold the true value as often as the guide says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from heldout.stats.auc_interval import compare_auc
from heldout.stats.bootstrap import bootstrap_confusion
from heldout.stats.f1_interval import f1_interval

from .noise import CHANCE, is_share
from .row_intervals import auc_hits

N_SETS = 2_000


def coverages(auc: float, sizes: tuple[int, int], spread: float, seed: int) -> tuple[int, int]:
    """How many of the intervals hold the AUC: by Newcombe, and by DeLong where it has an answer."""
    return auc_hits(auc, sizes, spread, N_SETS, np.random.default_rng(seed))


def is_at_least(n_hits: int, share: float) -> bool:
    """Whether so many hits do not speak against a share of at least this."""
    return bool(binomtest(n_hits, N_SETS, share, alternative="less").pvalue > CHANCE)


@pytest.mark.parametrize("sizes", [(20, 20), (10, 90), (3, 30)])
@pytest.mark.parametrize("auc", [0.6, 0.8, 0.95])
def test_newcombe_holds_where_both_classes_are_spread_alike(auc: float, sizes: tuple[int, int]) -> None:
    """Newcombe's method 5 covers 95% or a little more, down to three rows of a class and near an AUC of 1."""
    n_newcombe, _ = coverages(auc, sizes, 1.0, 1)
    assert is_at_least(n_newcombe, 0.95)
    assert n_newcombe / N_SETS < 0.985


def test_newcombe_fails_where_the_rarer_class_is_spread_more() -> None:
    """With 20 rows of a class that is spread twice as much, against 180, it covers 87%, and DeLong 95%."""
    n_newcombe, n_delong = coverages(0.6, (20, 180), 2.0, 2)
    assert is_share(n_newcombe, N_SETS, 0.87)
    assert is_share(n_delong, N_SETS, 0.95)


def test_delong_fails_with_few_rows_near_one() -> None:
    """With ten positive rows and an AUC of .95 DeLong's interval covers less than 93%."""
    _, n_delong = coverages(0.95, (10, 90), 1.0, 3)
    assert n_delong / N_SETS < 0.93


def test_the_paired_test_errs_as_often_as_it_says() -> None:
    """Two equally good scorers on the same 100 rows differ at 5% in about 5% of the sets."""
    generator = np.random.default_rng(4)
    y = np.arange(100) % 2
    n_alarms = n_held = 0
    for _ in range(N_SETS):
        common = y + generator.normal(size=100)
        scores = common + generator.normal(size=(2, 100))
        found = compare_auc(y, scores[0], scores[1])
        assert found.difference is not None
        n_alarms += found.p_value < 0.05
        n_held += 0.0 in found.difference
    assert n_alarms + n_held == N_SETS
    assert 0.04 < n_alarms / N_SETS < 0.065


def test_the_interval_of_f1() -> None:
    """The exact interval of F1 covers at least 95% with 150 rows, the percentile bootstrap 92% to 96%."""
    generator = np.random.default_rng(5)
    shares = np.array([[0.80, 0.05], [0.05, 0.10]])
    true = 2 * 0.10 / (2 * 0.10 + 0.05 + 0.05)

    def f1(counts: np.ndarray) -> np.ndarray:
        return 2 * counts[:, 1, 1] / (2 * counts[:, 1, 1] + counts[:, 0, 1] + counts[:, 1, 0])

    n_exact = n_drawn = 0
    for seed in range(N_SETS):
        counts = generator.multinomial(150, shares.ravel()).reshape(2, 2)
        n_exact += true in f1_interval(counts[1, 1], counts[0, 1], counts[1, 0])
        n_drawn += true in bootstrap_confusion(f1, counts, n_resamples=500, seed=seed)
    assert is_at_least(n_exact, 0.95)
    assert 0.92 < n_drawn / N_SETS < 0.96
