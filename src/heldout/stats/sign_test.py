"""The sign test: who wins more often, whatever the size of the wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from heldout.checks.values import check_confidence, check_count
from heldout.stats.comparison import Significance
from heldout.stats.rate_interval import rate_interval
from heldout.stats.score_pairs import ROUNDING, pair_names, score_pairs


def sign_test(
    wins: int,
    losses: int,
    ties: int = 0,
    names: tuple[str, str] = ("A", "B"),
    unit: str = "pair",
    confidence: float = 0.95,
) -> Significance:
    """Whether one of two wins more often than the other: exact, two-sided.

    Parameters
    ----------
    wins, losses
        how often the first and how often the second was better
    ties
        how often neither was; they say nothing about who wins, and are left out
    names
        of the two, for the sentences
    unit
        what was counted, in the singular: "row", "data set"
    confidence
        of the interval of the share of wins (Clopper-Pearson), which agrees with the test

    Notes
    -----
    Without a win or a loss p is 1.

    Examples
    --------
    >>> found = sign_test(50, 40)
    >>> round(found.p_value, 5), round(found.difference.low, 3), round(found.difference.high, 3)
    (0.34283, 0.447, 0.66)
    """
    n_wins, n_losses = check_count("wins", wins), check_count("losses", losses)
    n_ties, confidence = check_count("ties", ties), check_confidence(confidence)
    first, second = pair_names(names)
    share = rate_interval(
        n_wins, n_wins + n_losses, confidence=confidence, what=f"{first}'s share of the wins"
    )
    tied = f", {n_ties:,} tied" if n_ties else ""
    return Significance(
        "sign test",
        f"{first} and {second} win equally often",
        binomial_p(n_wins, n_losses),
        float(n_wins),
        n_wins + n_losses + n_ties,
        unit,
        f"{first} won {n_wins:,}, {second} {n_losses:,}{tied}",
        replace(share, unit=unit, reference=0.5),
        () if n_wins + n_losses else (f"No {unit} has a winner, so nothing speaks for either.",),
        {"wins": float(n_wins), "losses": float(n_losses), "ties": float(n_ties)},
    )


def sign_test_of_scores(
    scores_a: Any,
    scores_b: Any,
    is_larger_better: bool = True,
    names: tuple[str, str] = ("A", "B"),
    unit: str = "pair",
    confidence: float = 0.95,
) -> Significance:
    """The sign test of scores in pairs; scores that agree in 14 digits are tied.

    Parameters
    ----------
    scores_a, scores_b
        one score per row, fold or data set, in the same order; infinities have an order
    is_larger_better
        the direction; False for errors
    names, unit, confidence
        as for `sign_test`

    Examples
    --------
    >>> found = sign_test_of_scores([0.9, 0.8, 0.7, 0.3], [0.8, 0.7, 0.6, 0.1 + 0.2])
    >>> found.details, found.p_value
    ({'wins': 3.0, 'losses': 0.0, 'ties': 1.0}, 0.25)
    """
    wins, losses, ties = count_wins(scores_a, scores_b, is_larger_better)
    return sign_test(wins, losses, ties, names, unit, confidence)


def count_wins(scores_a: Any, scores_b: Any, is_larger_better: bool = True) -> tuple[int, int, int]:
    """How often the first was better, how often the second, how often neither."""
    a, b = score_pairs(scores_a, scores_b, is_finite=False)
    with np.errstate(invalid="ignore", over="ignore"):  # infinities are tied with themselves alone
        is_close = np.abs(a - b) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))
    is_tie = (a == b) | (is_close & np.isfinite(a) & np.isfinite(b))
    is_win = ((a > b) if is_larger_better else (a < b)) & ~is_tie
    n_wins, n_ties = int(is_win.sum()), int(is_tie.sum())
    return n_wins, len(a) - n_wins - n_ties, n_ties


def binomial_p(wins: int, losses: int) -> float:
    """The exact two-sided p of so many wins, if both were as likely; 1 where there are none."""
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses, 0.5).pvalue) if wins + losses else 1.0
