"""Tests at 5% alarm about as often as they say where there is nothing, and the interval beside them holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from heldout.stats.adjust import adjust
from heldout.stats.corrected_resampled_t import corrected_resampled_t
from heldout.stats.five_by_two import five_by_two
from heldout.stats.mcnemar import mcnemar_of_counts, tango_ends
from heldout.stats.paired_tests import paired_t, signed_rank, two_sample_t
from heldout.stats.randomization_test import randomization_test
from heldout.stats.sign_test import sign_test

from .noise import CHANCE, is_share

N_SETS = 2_000
Draws = np.random.Generator


def n_alarms(p_value: Callable[[Draws], float], seed: int) -> int:
    """In how many of the sets p is at most 5%."""
    generator = np.random.default_rng(seed)
    return sum(p_value(generator) <= 0.05 for _ in range(N_SETS))


@cache
def mcnemar_p(only_a: int, only_b: int, n_rows: int, method: str) -> float:
    """Each pair of counts comes often."""
    return mcnemar_of_counts(only_a, only_b, n_rows, method).p_value


@cache
def sign_p(wins: int, losses: int) -> float:
    """Each number of wins comes often."""
    return sign_test(wins, losses).p_value


def is_at_most(n_hits: int, share: float) -> bool:
    """Whether so many hits do not speak against a share of at most this."""
    return bool(binomtest(n_hits, N_SETS, share, alternative="greater").pvalue > CHANCE)


@pytest.mark.parametrize("n_pairs", [10, 37, 200])
def test_the_sign_test_is_never_too_eager(n_pairs: int) -> None:
    """With equal winners it alarms in at most 5% of the sets."""

    def p_value(generator: Draws) -> float:
        wins = int(generator.binomial(n_pairs, 0.5))
        return sign_p(wins, n_pairs - wins)

    assert is_at_most(n_alarms(p_value, 1), 0.05)


@pytest.mark.parametrize(("n_rows", "discordant"), [(50, 0.3), (200, 0.1), (1000, 0.05)])
def test_mcnemar(n_rows: int, discordant: float) -> None:
    """Exact alarms in at most 5%; mid-p in at most 6%, and in more than exact."""
    shares = [discordant / 2, discordant / 2, 1 - discordant]
    alarms = {}
    for method in ("exact", "mid_p"):

        def p_value(generator: Draws, method: str = method) -> float:
            only_a, only_b, _ = generator.multinomial(n_rows, shares)
            return mcnemar_p(int(only_a), int(only_b), n_rows, method)

        alarms[method] = n_alarms(p_value, 2)
    assert is_at_most(alarms["exact"], 0.05)
    assert is_at_most(alarms["mid_p"], 0.055)
    assert alarms["mid_p"] > alarms["exact"]


@pytest.mark.parametrize("shares", [(0.1, 0.1), (0.15, 0.05), (0.05, 0.01), (0.4, 0.1)])
@pytest.mark.parametrize("n_rows", [30, 100, 500])
def test_tangos_interval_holds_the_difference(shares: tuple[float, float], n_rows: int) -> None:
    """Of the intervals of a difference of accuracies at least 93% hold the true one."""
    generator = np.random.default_rng(3)
    counts = generator.multinomial(n_rows, [*shares, 1 - sum(shares)], size=N_SETS)
    distinct, times = np.unique(counts[:, :2], axis=0, return_counts=True)
    difference = shares[0] - shares[1]
    n_held = 0
    for (only_a, only_b), n_times in zip(distinct.tolist(), times.tolist(), strict=True):
        low, high = tango_ends(only_a, only_b, n_rows)
        n_held += n_times * (low <= difference <= high)
    assert is_at_most(N_SETS - n_held, 0.07)


def test_the_t_tests_on_normal_scores() -> None:
    """Paired and Welch's, with spreads of 1 and 3, alarm in 5% of the sets."""

    def paired(generator: Draws) -> float:
        return paired_t(generator.normal(size=8), np.zeros(8)).p_value

    def apart(generator: Draws) -> float:
        return two_sample_t(generator.normal(size=8), 3 * generator.normal(size=20)).p_value

    assert is_share(n_alarms(paired, 4), N_SETS, 0.05)
    assert is_share(n_alarms(apart, 5), N_SETS, 0.05)


def test_signed_ranks_on_long_tails_and_ties() -> None:
    """Around 0 evenly, with long tails or rounded to many ties and zeros, at most 5%."""

    def long_tails(generator: Draws) -> float:
        return signed_rank(generator.standard_t(2, size=25), np.zeros(25)).p_value

    def rounded(generator: Draws) -> float:
        return signed_rank(np.round(generator.normal(size=25)), np.zeros(25)).p_value

    assert is_share(n_alarms(long_tails, 6), N_SETS, 0.05)
    assert is_at_most(n_alarms(rounded, 7), 0.05)


def test_swapping_of_f1() -> None:
    """Two equally good classifiers on 300 rows, 20% positive, differ in F1 at 5% in at most 5% of sets."""

    def p_value(generator: Draws) -> float:
        y = generator.random(300) < 0.2
        answers = y ^ (generator.random((2, 300)) < 0.15)
        return randomization_test(y, answers[0], answers[1], "f1", n_swaps=500).p_value

    assert is_at_most(n_alarms(p_value, 8), 0.05)


def test_the_corrected_test_on_the_correlation_it_supposes() -> None:
    """Differences that share 1/K of their variance: corrected 5%, plain more than 40%."""
    share = 1 / 10

    def differences(generator: Draws) -> np.ndarray:
        return np.sqrt(share) * generator.normal() + np.sqrt(1 - share) * generator.normal(size=(10, 10))

    corrected = n_alarms(lambda generator: corrected_resampled_t(differences(generator)).p_value, 9)
    plain = n_alarms(
        lambda generator: paired_t(differences(generator).ravel(), np.zeros(100), unit="fold").p_value, 9
    )
    assert is_share(corrected, N_SETS, 0.05)
    assert plain / N_SETS > 0.4


def test_five_by_two_on_independent_halves() -> None:
    """Both the t and the F test stay at or below 5.5% where halves are independent, F below t."""
    alarms = [
        n_alarms(
            lambda generator, method=method: five_by_two(generator.normal(size=(5, 2)), method).p_value, 10
        )
        for method in ("t", "f")
    ]
    assert all(is_at_most(alarm, 0.055) for alarm in alarms)


def test_many_tests() -> None:
    """Of 20 tests, 14 of nothing: Holm errs in at most 5% of the sets, step-up in 5% × 14/20 of its finds."""
    from scipy.special import ndtr

    generator = np.random.default_rng(11)
    shift = np.repeat([0.0, 3.0], [14, 6])
    n_false_families, false_shares = {"holm": 0, "bonferroni": 0}, []
    for _ in range(N_SETS):
        p_values = 2 * ndtr(-np.abs(generator.normal(size=20) + shift))
        for method in n_false_families:
            n_false_families[method] += any(adjust(p_values, method).is_rejected[:14])
        found = adjust(p_values, "benjamini_hochberg")
        false_shares.append(sum(found.is_rejected[:14]) / max(found.n_discoveries, 1))
    assert all(is_at_most(count, 0.05) for count in n_false_families.values())
    # Its share of false discoveries is 5% times the share of tests of nothing.
    error = np.std(false_shares) / np.sqrt(N_SETS)
    assert abs(np.mean(false_shares) - 0.05 * 14 / 20) < 3.3 * error
