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
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from heldout.arrays import Floats
from heldout.metrics.metric import Metric
from heldout.stats.comparison import Comparison
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.predictions import Predictions
from heldout.verdict.rule import Rule
from heldout.verdict.standing import Rivals, Standing

# The share of the scores' own variance that is added.
ADDED = 0.25
# In fewer resamples than this share nothing is learned of a model that beats guessing.
FEWEST_THAT_BEAT = 0.1


@dataclass(frozen=True, eq=False)
class Rival:
    """One that could have been chosen in a race.

    name:        of the contender; with its setting where settings were chosen among without an outer loop
    predictions:     out of fold
    bits:        its description length, as `Standing.compared_bits` has it
    is_baseline: whether it only guesses
    contender:   whose setting this is; left out, it is the contender itself
    is_kept_out: whether it was not shown to beat the baseline, so that the rule cannot take it
    gate_error:  the standard error of its lead over the baseline by which the gate judged it; NaN for unknown
    gate_freedom: the degrees of freedom that go with it
    """

    name: str
    predictions: Predictions
    bits: float = math.nan
    is_baseline: bool = False
    contender: str = ""
    is_kept_out: bool = False
    gate_error: float = math.nan
    gate_freedom: float = math.inf

    @property
    def whose(self) -> str:
        """The name of the contender."""
        return self.contender or self.name


def make_rivals(
    standings: Sequence[Standing], kept_out: Collection[str] = (), against: Sequence[Comparison] = ()
) -> tuple[Rival, ...]:
    """All that could have been chosen in a race: its contenders, or in quick plans each with every setting.

    kept_out: names of those that the rule cannot take
    against:  the comparisons with the baseline that decided it
    """
    found: list[Rival] = []
    for each in standings:
        if not each.is_complete:
            continue
        model_predictions = {
            f"{each.name}, setting {index + 1}": one for index, one in enumerate(each.settings)
        }
        if not model_predictions and each.out_of_fold is not None:
            model_predictions = {each.name: each.out_of_fold}
        error, freedom = _gate_of(each.name, against)
        known = (each.compared_bits, each.is_baseline, each.name, each.name in kept_out, error, freedom)
        found += [Rival(name, predictions, *known) for name, predictions in model_predictions.items()]
    return tuple(found)


def _gate_of(name: str, against: Sequence[Comparison]) -> tuple[float, float]:
    """Standard error and degrees of freedom of the comparison with the baseline."""
    for each in against:
        if isinstance(each, PairedComparison) and name in (each.name_a, each.name_b):
            return each.standard_error, each.degrees_of_freedom
    return math.nan, math.inf


@dataclass(frozen=True, eq=False)
class ScoredChoices:
    """Choices with their scores.

    goodness:    of each choice that counts: the score, with its sign turned where smaller is better
    frequencies: how many plain resamples, with no noise but their own, chose each rival
    n_guesses:   how many did not count because no model beat the baseline
    n_kept_out:  how many did not count because their choice cannot win
    n_lost:      how many had no score
    """

    goodness: Floats
    frequencies: tuple[int, ...]
    n_guesses: int = 0
    n_kept_out: int = 0
    n_lost: int = 0

    @property
    def mean(self) -> float:
        """The mean goodness; NaN where no choice counts."""
        return float(self.goodness.mean()) if len(self.goodness) else math.nan


def score_choices(
    inside: Floats, on_all: Floats, rivals: Sequence[Rival], metric: Metric, rule: Rule, factor: float
) -> ScoredChoices:
    """The choosing, repeated and scored.

    Where the rule asks who beats the baseline, that is asked again each time. What it chooses counts only if
    it may win on all rows, so that nobody else lends a score.

    inside: resamples × rivals: goodness on the rows drawn
    on_all: the goodness of each on all rows
    factor: by how much the variance of a difference exceeds that of one pass over independent rows
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


def _centered(inside: Floats) -> Floats:
    """How far each score lies from its mean over the resamples; NaN where there is none."""
    is_known = np.isfinite(inside)
    means = np.where(is_known, inside, 0.0).sum(axis=0) / np.maximum(is_known.sum(axis=0), 1)
    with np.errstate(invalid="ignore"):
        return np.where(is_known, inside - means, np.nan)


def _errors(inside: Floats) -> Floats:
    """The standard error of every difference, as it varies over the resamples."""
    centered = np.nan_to_num(_centered(inside))
    products = centered.T @ centered / max(len(inside) - 1, 1)
    own = np.diag(products)
    return np.asarray(np.sqrt(np.maximum(own[:, np.newaxis] + own - 2 * products, 0.0)))


Flags = NDArray[np.bool_]


def passes_gate_again(
    goodness: Floats, errors: Floats, rivals: Sequence[Rival], guess: int, level: float
) -> Flags:
    """Resamples × rivals: who beats the baseline, by one-sided tests that Holm adjusts.

    As on all rows: the same standard errors and degrees of freedom where the gate had them, one test for each
    contender. A contender with several settings is tested by its best one.

    goodness: resamples × rivals
    errors:   rivals × rivals, for those without a standard error of their own
    guess:    the place of the baseline to beat
    level:    of the whole family
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


def _p_values(goodness: Floats, errors: Floats, rivals: Sequence[Rival], guess: int) -> Floats:
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


Indices = NDArray[np.intp]
NOBODY = -1


@dataclass(frozen=True, eq=False)
class RepeatedChoice:
    """What the choosing is repeated with.

    rivals: that are chosen among
    on_all: the goodness of each on all rows: its score, with its sign turned where smaller is better
    errors: rivals × rivals: the corrected standard error of the difference of two
    metric: what the scores are of
    rule:   that chooses
    """

    rivals: Sequence[Rival]
    on_all: Floats
    errors: Floats
    metric: Metric
    rule: Rule

    def chosen(self, goodness: Floats) -> Indices:
        """Whom the rule takes in each resample; −1 where it would have named no model.

        A rule that asks who beats the baseline names its level: whoever does not beat it in a resample, by
        the same test as on all rows, cannot be taken there.

        goodness: resamples × rivals
        """
        level, guess = self.rule.gate_level, self._guess
        if level is None or guess is None or self._is_baseline.all():
            return self._indices(goodness)
        passes = passes_gate_again(goodness, self.errors, self.rivals, guess, float(level))
        found = self._indices(np.where(passes | self._is_baseline, goodness, np.nan))
        return np.where(passes.any(axis=1), found, NOBODY)

    def chosen_among_winners(self, goodness: Floats) -> Indices:
        """Whom the rule takes in each resample where only those may be taken that may win on all rows."""
        return self._indices(np.where(self.is_kept_out, np.nan, goodness))

    @property
    def is_kept_out(self) -> NDArray[np.bool_]:
        """Who cannot win on all rows."""
        return np.array([each.is_kept_out for each in self.rivals])

    @property
    def _is_baseline(self) -> NDArray[np.bool_]:
        return np.array([each.is_baseline for each in self.rivals])

    @property
    def _guess(self) -> int | None:
        """The place of the best baseline; None where there is none, or none has a score."""
        known = np.where(self._is_baseline & ~np.isnan(self.on_all), self.on_all, -np.inf)
        return int(np.argmax(known)) if np.isfinite(known).any() else None

    def _indices(self, goodness: Floats) -> Indices:
        bits = np.array([each.bits for each in self.rivals])
        is_known, guess = ~np.isnan(self.on_all), self._guess
        reference = float("nan")
        if is_known.any():
            reference = float(self.on_all[int(np.nanargmax(self.on_all)) if guess is None else guess])
        reference *= self.metric.sign
        rivals = Rivals(goodness, self.errors, bits, self._is_baseline, self.metric, reference)
        return self.rule.indices(rivals)
