"""Intervals after looks hold as often as they promise, and corrected choices are nearly unbiased.

Models are answers to rows of a population, so that their true scores are known: nothing is fitted but in the
last test, where 40 settings of nearest neighbors are cross-validated on pure noise.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta, binom, binomtest, norm

from heldout.stats.after_looks import f1_after_looks, rate_after_looks
from heldout.stats.looks import f1_ends_at, rate_ends_at
from heldout.stats.rate_interval import wilson_ends
from heldout.stats.selection_bias import selection_bias_corrected

from .noise import CHANCE

PROMISED = 0.94
N_SETS = 2_000


def is_at_least(n_hits: int, n_tries: int, share: float) -> bool:
    """Whether so many hits do not speak against a share of at least this."""
    return bool(binomtest(n_hits, n_tries, share, alternative="less").pvalue > CHANCE)


@pytest.mark.parametrize("m", [1, 5, 20, 100])
@pytest.mark.parametrize(("n_rows", "truth"), [(100, 0.8), (1000, 0.8), (200, 0.95)])
def test_the_winner_of_fixed_models_by_accuracy(n_rows: int, truth: float, m: int) -> None:
    """The accuracy of the best of m models lies in its exact interval at α/m in 94% of sets or more."""
    generator = np.random.default_rng(m)
    best = generator.binomial(n_rows, truth, size=(N_SETS, m)).max(axis=1)
    ends = {n_hits: rate_ends_at(n_hits, n_rows, math.log(0.05 / m)) for n_hits in set(best.tolist())}
    n_held = sum(ends[n_hits][0] <= truth <= ends[n_hits][1] for n_hits in best.tolist())
    assert n_held / N_SETS >= PROMISED
    found = rate_after_looks(int(best[0]), n_rows, looks=m)
    assert (found.fixed.low, found.fixed.high) == pytest.approx(ends[int(best[0])])


@pytest.mark.parametrize("m", [1, 5, 20, 100])
@pytest.mark.parametrize("n_rows", [200, 1000])
def test_the_winner_of_fixed_models_by_f1(n_rows: int, m: int) -> None:
    """F1 of the best of m models, with 10% positives, lies in its interval at α/m in 94% of sets or more."""
    generator = np.random.default_rng(m)
    shares = [0.07, 0.04, 0.03, 0.86]  # hits, false alarms, misses, the rest
    truth = 2 * 0.07 / (2 * 0.07 + 0.04 + 0.03)
    counts = generator.multinomial(n_rows, shares, size=(N_SETS, m))[..., :3]
    f1 = 2 * counts[..., 0] / np.maximum(counts[..., 0] + counts.sum(axis=2), 1)
    n_held = 0
    for winner in counts[np.arange(N_SETS), f1.argmax(axis=1)]:
        low, high = f1_ends_at(int(winner[0]), int(winner.sum()), math.log(0.05 / m))
        n_held += low <= truth <= high
    assert n_held / N_SETS >= PROMISED
    tp, fp, fn = map(int, counts[0, 0])
    assert f1_after_looks(tp, fp, fn, looks=1).fixed.low <= f1[0, 0]


def test_without_the_correction_the_winner_is_missed() -> None:
    """Wilson's interval at α itself holds the accuracy of the best of 100 models in under 60% of sets."""
    best = np.random.default_rng(0).binomial(1000, 0.8, size=(N_SETS, 100)).max(axis=1)
    n_held = sum(wilson_ends(n_hits / 1000, 1000)[0] <= 0.8 for n_hits in best.tolist())
    assert n_held / N_SETS < 0.6


def adaptive_answers(n_rows: int, m: int, n_sets: int, seed: int) -> NDArray[np.int64]:
    """How many rows the last of m models has right, which is built from the answers to the others.

    Labels are coins, so every model has an accuracy of ½ in truth. The first m − 1 guess at random; the last
    votes: each earlier model with its answer, turned around if it had less than half of the rows right.
    """
    generator = np.random.default_rng(seed)
    last = np.empty(n_sets, dtype=np.int64)
    for place in range(n_sets):
        is_right = generator.random((m - 1, n_rows)) < 0.5
        n_right = is_right.sum(axis=1)
        # In terms of being right, turning a model around turns its row of hits around.
        sign = np.where(2 * n_right > n_rows, 1, -1)[:, np.newaxis]
        votes = (sign * (2 * is_right.astype(np.int64) - 1)).sum(axis=0)
        is_tied = votes == 0
        hits = np.where(is_tied, generator.random(n_rows) < 0.5, votes > 0)
        last[place] = hits.sum()
    return last


@pytest.mark.parametrize("n_rows", [100, 1000])
@pytest.mark.parametrize("m", [5, 20, 100])
def test_adaptive_use(n_rows: int, m: int) -> None:
    """A vote built from earlier answers escapes the interval at α/m, and not the one by bits."""
    n_sets = 300
    n_fixed = n_bits = 0
    for n_hits in adaptive_answers(n_rows, m, n_sets, seed=m).tolist():
        found = rate_after_looks(n_hits, n_rows, looks=m)
        n_fixed += 0.5 in found.fixed
        n_bits += 0.5 in found.adaptive
    assert is_at_least(n_bits, n_sets, 0.95)
    assert n_bits / n_sets >= PROMISED
    if m >= 20:
        assert n_fixed / n_sets < {20: 0.8, 100: 0.01}[m]


def misses(n_rows: int, level: float, truths: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often Clopper-Pearson's interval at this level misses each truth, by SciPy's binomial."""
    hits = np.arange(n_rows + 1)
    low = np.nan_to_num(beta.ppf(level / 2, hits, n_rows - hits + 1))
    high = np.nan_to_num(beta.ppf(1 - level / 2, hits + 1, n_rows - hits), nan=1.0)
    is_missed = (truths[:, np.newaxis] < low) | (truths[:, np.newaxis] > high)
    return np.asarray((binom.pmf(hits, n_rows, truths[:, np.newaxis]) * is_missed).sum(axis=1))


def test_looks_hold_together_at_the_bits_of_the_last_one() -> None:
    """Exact, two models on 25 rows: as recorded one of both may miss in over 5%, told together in under 1%.

    The first was recorded at α and the second at α · 2^−bits. With the bits of the second look both hold.
    """
    n_rows, truths = 25, np.linspace(0.3, 0.7, 4001)
    later = rate_after_looks(15, n_rows, looks=2)
    level = 0.05 * 2.0**-later.bits
    first, second, again = (misses(n_rows, each, truths).max() for each in (0.05, level, level))
    assert 1 - (1 - first) * (1 - second) > 0.05
    assert first + second <= 2 * 0.05
    assert again + second < 0.01


def test_bits_are_spent_by_an_attack_that_uses_them() -> None:
    """Who asks for one row after the other learns a label per look; the interval by bits still holds ½.

    Each look asks for a model that differs from the last in one row: the answer tells that row's label. After
    40 looks the model has 40 rows right for sure and the others by chance.
    """
    generator = np.random.default_rng(3)
    n_rows, n_looks, n_sets = 100, 40, 300
    n_fixed = n_bits = 0
    for _ in range(n_sets):
        n_hits = n_looks + int(generator.binomial(n_rows - n_looks, 0.5))
        found = rate_after_looks(n_hits, n_rows, looks=n_looks + 1)
        n_fixed += 0.5 in found.fixed
        n_bits += 0.5 in found.adaptive
    assert n_fixed / n_sets < 0.3
    assert n_bits == n_sets


def noise_predictions(n_rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Out-of-fold predictions of 40 settings of nearest neighbors for balanced labels that nothing explains.

    The settings are eight choices of three of twenty columns, each with five numbers of neighbors.
    """
    generator = np.random.default_rng(seed)
    y = generator.permutation(np.arange(n_rows) % 2)
    X = generator.normal(size=(n_rows, 20))
    folds = np.empty(n_rows, dtype=np.int64)
    for label in (0, 1):
        members = np.flatnonzero(y == label)
        folds[members] = np.arange(len(members)) % 10
    predicted = np.empty((n_rows, 40), dtype=np.int64)
    for place in range(8):
        columns = X[:, np.random.default_rng(place).choice(20, 3, replace=False)]
        distance = np.square(columns[:, np.newaxis] - columns[np.newaxis]).sum(axis=2)
        distance[folds[:, np.newaxis] == folds[np.newaxis]] = np.inf
        nearest = y[np.argsort(distance, axis=1)[:, :21]]
        for setting, n_neighbors in enumerate((1, 3, 7, 13, 21)):
            predicted[:, 5 * place + setting] = 2 * nearest[:, :n_neighbors].sum(axis=1) > n_neighbors
    return predicted, y


@pytest.mark.parametrize(
    ("n_rows", "best", "corrected"), [(60, -0.12, (-0.035, -0.02)), (200, -0.07, (-0.017, -0.009))]
)
def test_the_corrected_choice_on_noise(n_rows: int, best: float, corrected: tuple[float, float]) -> None:
    """The best of 40 settings on noise looks .12 better than it is with 60 rows; corrected, .02 to .035.

    What is left comes from the folds: rows outside a resample were predicted by models that saw those inside.
    """
    found = []
    for seed in range(400):
        predicted, y = noise_predictions(n_rows, seed)
        choice = selection_bias_corrected(predicted, y, "error", n_bootstraps=300)
        found.append((choice.best_score - 0.5, choice.corrected - 0.5, 0.5 in choice.interval))
    means = np.mean(found, axis=0)
    noise = norm.isf(CHANCE) * np.std(found, axis=0, ddof=1) / math.sqrt(len(found))
    assert means[0] < best
    assert corrected[0] - noise[1] < means[1] < corrected[1] + noise[1]
    assert means[1] > 0.3 * means[0]
    assert means[2] >= PROMISED
