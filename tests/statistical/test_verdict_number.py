"""The verdict's number is corrected for all that was tried in a study, also in plans that were edited."""

from __future__ import annotations

from functools import cache

from .noise_studies import VerdictNoise, verdict_noise

N_SETS = 100


@cache
def measured() -> VerdictNoise:
    """100 studies of noise with 60 open rows, five plans of six contenders each."""
    return verdict_noise(N_SETS)


def test_the_number_is_chance_on_average() -> None:
    """After five edited plans of six contenders the verdict's number is within .02 of chance on average."""
    assert abs(measured().default.mean() - 0.5) <= 0.02


def test_the_best_scores_beside_it_are_not() -> None:
    """The best inner score, and the best of the 30 nested ones, promise more than .55 on the same sets."""
    found = measured()
    assert found.inner.mean() > 0.55
    assert found.best.mean() > 0.55


def test_the_correction_does_it_not_the_baseline() -> None:
    """Also under a rule that always takes the best score the number is within .02 of chance on average."""
    found = measured()
    assert abs(found.best_mean.mean() - 0.5) <= 0.02
    assert found.best_mean.std() > 0.02
    assert found.n_sure / N_SETS >= 0.94


def test_nothing_is_said_to_beat_guessing() -> None:
    """In noise something beats the baseline in at most 5% of the studies."""
    assert measured().n_winners / N_SETS <= 0.05
