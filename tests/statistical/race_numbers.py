"""Races of contenders that really differ: is the number of the verdict the true score of the winner it names?

Nothing is learned. Each contender is right on each row with a known probability, or off by an error of known
size, and contenders go wrong on the same rows more often than by chance, as models do. So the true score of
whoever wins is known exactly, and only the choosing is measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from heldout.metrics.metric_registry import metric_named
from heldout.verdict import (
    JudgedRows,
    Predictions,
    Rule,
    SimplestWithinNoise,
    Standing,
    compare_contenders,
    estimate_score,
    make_verdict,
)

from .cross_validations import seeded

Numbers = NDArray[np.float64]
N_REPEATS, N_FOLDS, N_RESAMPLES = 3, 10, 200
POSITIVES = 0.1


@dataclass(frozen=True)
class RaceOf:
    """A made race.

    name:   in words
    metric: by which is chosen
    skills: of the contenders: the probability of being right (accuracy and balanced accuracy), how far the
            two classes lie apart (AUC and log loss), or the spread of the errors (mse and rmse, where noise
            has 1)
    n_rows: of a set
    size:   of a group; 1 for rows that stand for themselves
    """

    name: str
    metric: str
    skills: tuple[float, ...]
    n_rows: int
    size: int = 1

    @property
    def is_imbalanced(self) -> bool:
        return self.metric in ("balanced_accuracy", "auc", "log_loss")

    @property
    def is_of_numbers(self) -> bool:
        return self.metric in ("mse", "rmse")


@dataclass(frozen=True)
class RaceNumbers:
    """What verdicts printed, an entry for each set.

    too_good:   the number minus the true score of the winner, turned so that above 0 is too good: in points;
                of errors of numbers, in percent of it
    own:        the same of the winner's own score
    is_held:    whether the interval holds the true score
    is_guess:   whether the baseline won
    is_broken:  whether the number was better than the winner's own score, that score outside of the
                interval, or an end at the edge of the range
    """

    race: RaceOf
    too_good: Numbers
    own: Numbers
    is_held: NDArray[np.bool_]
    is_guess: NDArray[np.bool_]
    is_broken: NDArray[np.bool_]


ONE_GOOD = (0.70, 0.70, 0.85, 0.70, 0.70, 0.70)
NEAR_GUESSING = RaceOf("near guessing, regression", "rmse", (1.9, 1.9, 2.0, 2.0, 2.1, 1.6), 100)
RACES = (
    *(RaceOf("one good, five bad", "accuracy", ONE_GOOD, n) for n in (100, 400)),
    *(RaceOf("two good, four bad", "accuracy", (0.84, 0.70, 0.70, 0.85, 0.70, 0.70), n) for n in (100, 400)),
    *(RaceOf("six ties", "accuracy", (0.70,) * 6, n) for n in (100, 400)),
    *(RaceOf("spread evenly", "accuracy", (0.60, 0.64, 0.68, 0.72, 0.76, 0.80), n) for n in (100, 400)),
    RaceOf("near the edge", "accuracy", (0.97, 0.96, 0.95, 0.9, 0.9, 0.9), 200),
    *(RaceOf("one good, groups of four", "accuracy", ONE_GOOD, n, size=4) for n in (100, 400)),
    *(
        RaceOf("one good, 10% positives", "balanced_accuracy", (0.70, 0.80, 0.70, 0.70, 0.70, 0.70), n)
        for n in (200, 500)
    ),
    *(RaceOf("one good, 10% positives", "auc", (1.0, 1.5, 1.0, 1.0, 1.0, 1.0), n) for n in (200, 500)),
    *(RaceOf("six ties, 10% positives", "auc", (1.2,) * 6, n) for n in (200, 500)),
    RaceOf("one good, 10% positives", "log_loss", (1.2, 2.0, 1.2, 1.2, 1.2, 1.2), 500),
    *(
        RaceOf("one good, regression", metric, (1.0, 0.5, 1.0, 1.0, 1.0, 1.0), 200)
        for metric in ("mse", "rmse")
    ),
    *(RaceOf("six ties, regression", metric, (1.0,) * 6, 400) for metric in ("mse", "rmse")),
    NEAR_GUESSING,
)


def race_numbers(race: RaceOf, n_sets: int, rule: Rule | None = None) -> RaceNumbers:
    """Verdicts over made sets, each with its contenders in another order of lengths."""
    rule = SimplestWithinNoise() if rule is None else rule
    metric = metric_named(race.metric)
    generator = seeded("race", race.name, race.metric, race.n_rows)
    true = true_scores(race)
    found = []
    for seed in range(n_sets):
        rows, standings = _set(race, generator)
        comparisons = compare_contenders(standings, metric, rows)
        with patch("heldout.verdict.resamples.MOST", N_RESAMPLES):
            verdict = make_verdict(standings, comparisons, rule, metric, rows, seed=seed)
        number, winner = verdict.number, next(each for each in standings if each.name == verdict.winner)
        truth = true[standings.index(winner)]
        unit = metric.sign * 100 / (truth if race.is_of_numbers else 1)
        edges = {metric.lowest, metric.highest} & {number.low, number.high}
        is_broken = metric.sign * (number.estimate - winner.score) > 0 or winner.score not in number
        found.append(
            (
                unit * (number.estimate - truth),
                unit * (winner.score - truth),
                truth in number,
                winner.is_baseline,
                is_broken or bool(edges and winner.score not in edges),
            )
        )
    too_good, own, is_held, is_guess, is_broken_in = np.array(found).T
    return RaceNumbers(
        race, too_good, own, is_held.astype(bool), is_guess.astype(bool), is_broken_in.astype(bool)
    )


@cache
def true_scores(race: RaceOf) -> tuple[float, ...]:
    """Of the baseline, and of each contender."""
    if race.is_of_numbers:
        squares = (5.0, *(1 + skill**2 for skill in race.skills))
        return tuple(map(math.sqrt, squares)) if race.metric == "rmse" else squares
    if race.metric == "auc":
        return (0.5, *(float(norm.cdf(skill / math.sqrt(2))) for skill in race.skills))
    if race.metric == "log_loss":
        guess = -(POSITIVES * math.log(POSITIVES) + (1 - POSITIVES) * math.log(1 - POSITIVES))
        return (guess, *map(_true_log_loss, race.skills))
    return (0.5, *race.skills)


@cache
def _true_log_loss(skill: float) -> float:
    """By the sum over a fine grid of scores."""
    grid = np.linspace(-10, 10, 20_001)
    weights = norm.pdf(grid) * (grid[1] - grid[0])
    of_ones, of_others = _probabilities(grid + skill, skill), _probabilities(grid, skill)
    return float(-(POSITIVES * np.log(of_ones) + (1 - POSITIVES) * np.log1p(-of_others)) @ weights)


def _probabilities(scores: Numbers, skill: float) -> Numbers:
    """Of the positive class, where its scores are normal around the skill and those of the other around 0."""
    logits = math.log(POSITIVES / (1 - POSITIVES)) + skill * scores - skill**2 / 2
    return 1 / (1 + np.exp(-logits))


def _set(race: RaceOf, generator: np.random.Generator) -> tuple[JudgedRows, list[Standing]]:
    groups = None if race.size == 1 else np.arange(race.n_rows) // race.size
    noise = _noise(race, generator, groups)
    if race.is_of_numbers:
        signal = 2 * generator.normal(size=race.n_rows)
        y = signal + generator.normal(size=race.n_rows)
        answers = [Predictions(values=np.zeros((N_REPEATS, race.n_rows)))]
        answers += [Predictions(values=signal + s * each) for s, each in zip(race.skills, noise, strict=True)]
        rows = JudgedRows(y, _folds(generator, np.zeros(race.n_rows)))
    else:
        share = POSITIVES if race.is_imbalanced else 0.5
        y = generator.permutation(np.arange(race.n_rows) < share * race.n_rows).astype(np.intp)
        answers = [_classified(race, y, None, 0.0)]
        answers += [_classified(race, y, each, s) for s, each in zip(race.skills, noise, strict=True)]
        strata = np.zeros(race.n_rows) if groups is not None else y
        rows = JudgedRows(y, _folds(generator, strata, groups), (0, 1), 1, groups=groups)
    lengths = [1.0, *(20.0 + 10 * generator.permutation(len(race.skills)))]
    metric = metric_named(race.metric)
    return rows, [
        Standing(
            "baseline" if not place else f"c{place}",
            race.metric,
            estimate_score(metric, each, rows),
            _fold_scores(race.metric, each, rows),
            each,
            bits=lengths[place],
            is_baseline=not place,
        )
        for place, each in enumerate(answers)
    ]


def _noise(race: RaceOf, generator: np.random.Generator, groups: NDArray[np.intp] | None) -> Numbers:
    """Contenders × repeats × rows, standard normal: half of it shared by all contenders of a row."""
    n_all, n_rows = len(race.skills), race.n_rows
    shared, own = generator.normal(size=n_rows), generator.normal(size=(n_all, 1, n_rows))
    again = generator.normal(size=(n_all, N_REPEATS, n_rows))
    noise = math.sqrt(0.5) * shared + math.sqrt(0.3) * own + math.sqrt(0.2) * again
    if groups is None:
        return noise
    together = generator.normal(size=int(groups.max()) + 1)[groups]
    return math.sqrt(0.7) * noise + math.sqrt(0.3) * together


def _classified(race: RaceOf, y: NDArray[np.intp], noise: Numbers | None, skill: float) -> Predictions:
    """Labels, and probabilities where they are asked for; without noise those of guessing."""
    if race.metric in ("auc", "log_loss"):
        ones = np.full((N_REPEATS, len(y)), POSITIVES)
        if noise is not None:
            ones = _probabilities(noise + skill * y, skill)
        labels = (ones > 0.5).astype(np.int64)
        return Predictions(labels=labels, probabilities=np.stack([1 - ones, ones], axis=2))
    if noise is None:
        return Predictions(labels=np.zeros((N_REPEATS, len(y)), dtype=np.int64))
    return Predictions(labels=np.where(noise < norm.ppf(skill), y, 1 - y))


def _folds(
    generator: np.random.Generator, strata: NDArray[np.generic], groups: NDArray[np.intp] | None = None
) -> NDArray[np.intp]:
    """Repeats × rows: each stratum, or the groups as wholes, dealt to the folds in turn."""
    if groups is not None:
        dealt = [generator.permutation(int(groups.max()) + 1) % N_FOLDS for _ in range(N_REPEATS)]
        return np.array([each[groups] for each in dealt])
    found = np.empty((N_REPEATS, len(strata)), dtype=np.intp)
    for line in found:
        order = generator.permutation(len(strata))
        order = order[np.argsort(strata[order], kind="stable")]
        line[order] = np.arange(len(strata)) % N_FOLDS
    return found


def _fold_scores(metric: str, answers: Predictions, rows: JudgedRows) -> Numbers:
    """Repeats × folds of means over rows; NaN where a score is none, and rows are compared together."""
    if metric in ("mse", "rmse"):
        losses = (rows.y - answers.values) ** 2
    elif metric == "log_loss":
        assert answers.probabilities is not None
        ones = answers.probabilities[:, :, 1]
        losses = -np.where(rows.y == 1, np.log(ones), np.log1p(-ones))
    elif metric == "accuracy":
        losses = (answers.labels == rows.y).astype(float)
    else:
        return np.full((N_REPEATS, N_FOLDS), np.nan)
    means = np.array(
        [
            np.bincount(folds, line, N_FOLDS) / np.bincount(folds, minlength=N_FOLDS)
            for folds, line in zip(rows.folds, losses, strict=True)
        ]
    )
    return np.sqrt(means) if metric == "rmse" else means
