"""What the choices of a rule score, when the choosing is repeated with noise that is known.

The scores of all rows vary by chance, and whoever wins was lucky. How lucky is seen by adding a little more
chance: the rule chooses by scores to which noise with a share τ of their own variance was added, and what it
chooses is scored as on all rows less that noise divided by τ. A choice picks up the noise that was added and
the noise that was there before alike, in the ratio τ to 1. So what is left on average is the true score of
what the rule chooses when the variance is 1 + τ times as large. With τ = 1 that is what the rows outside of a
bootstrap sample tell; but such choices are worse than the one that was made, and their scores too low. With a
quarter little of this is left, and the number varies hardly more (docs/methods/corrected-choice.md).

How scores vary, and vary together, is seen in resamples of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.verdict.repeated_choice import RepeatedChoice
from heldout.verdict.rival import Rival
from heldout.verdict.rule import Rule

Numbers = NDArray[np.float64]
# The share of the scores' own variance that is added.
ADDED = 0.25
# In fewer resamples than this share nothing is learned of a model that beats guessing.
FEWEST_THAT_BEAT = 0.1


@dataclass(frozen=True, eq=False)
class ScoredChoices:
    """Choices with their scores.

    goodness:    of each choice that counts: the score, with its sign turned where smaller is better
    frequencies: how many plain resamples, with no noise but their own, chose each rival
    n_guesses:   how many did not count because no model beat the baseline
    n_kept_out:  how many did not count because their choice cannot win
    n_lost:      how many had no score
    """

    goodness: Numbers
    frequencies: tuple[int, ...]
    n_guesses: int = 0
    n_kept_out: int = 0
    n_lost: int = 0

    @property
    def mean(self) -> float:
        """The mean goodness; NaN where no choice counts."""
        return float(self.goodness.mean()) if len(self.goodness) else math.nan


def scored_choices(
    inside: Numbers, on_all: Numbers, rivals: Sequence[Rival], metric: Metric, rule: Rule, factor: float
) -> ScoredChoices:
    """The choosing, repeated and scored.

    Where the rule asks who beats the baseline, that is asked again each time. What it chooses counts only if
    it may win on all rows, so that nobody else lends a score.

    inside: resamples × rivals: goodness on the rows drawn
    on_all: the goodness of each on all rows
    factor: by how much the variance of a difference exceeds that of one pass over independent rows

    >>> from heldout.metrics.metric_registry import metric_named
    >>> from heldout.verdict.best_mean import BestMean
    >>> inside = 0.7 + 0.05 * np.random.default_rng(1).normal(size=(1000, 6))
    >>> alike = [Rival(name, None) for name in "abcdef"]
    >>> on_all = np.array([0.76, 0.68, 0.72, 0.7, 0.65, 0.69])
    >>> round(scored_choices(inside, on_all, alike, metric_named("accuracy"), BestMean(), 2.0).mean, 2)
    0.71
    """
    choice = RepeatedChoice(rivals, on_all, _errors(inside) * math.sqrt(factor), metric, rule)
    noise = _centered(inside)
    goodness = np.where(np.isinf(on_all), on_all, on_all + math.sqrt(ADDED) * noise)
    chosen = choice.chosen(goodness)
    is_guess = chosen < 0
    is_out = ~is_guess & choice.is_kept_out[chosen]
    if (is_guess | is_out).mean() > 1 - FEWEST_THAT_BEAT:
        chosen = choice.chosen_among_winners(goodness)
        is_guess, is_out = chosen < 0, np.zeros(len(chosen), dtype=np.bool_)
    counted = np.flatnonzero(~is_guess & ~is_out)
    scores = on_all[chosen[counted]] - noise[counted, chosen[counted]] / math.sqrt(ADDED)
    known = scores[np.isfinite(scores)]
    plain = choice.chosen(inside)
    return ScoredChoices(
        known,
        tuple(map(int, np.bincount(plain[plain >= 0], minlength=len(rivals)))),
        int(is_guess.sum()),
        int(is_out.sum()),
        len(scores) - len(known),
    )


def _centered(inside: Numbers) -> Numbers:
    """How far each score lies from its mean over the resamples; NaN where there is none."""
    is_known = np.isfinite(inside)
    means = np.where(is_known, inside, 0.0).sum(axis=0) / np.maximum(is_known.sum(axis=0), 1)
    with np.errstate(invalid="ignore"):
        return np.where(is_known, inside - means, np.nan)


def _errors(inside: Numbers) -> Numbers:
    """The standard error of every difference, as it varies over the resamples."""
    centered = np.nan_to_num(_centered(inside))
    products = centered.T @ centered / max(len(inside) - 1, 1)
    own = np.diag(products)
    return np.asarray(np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * products, 0.0)))
