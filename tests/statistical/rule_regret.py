"""How much a rule loses: it chooses among learners by cross-validation, and others would have done better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.verdict import (
    BestMean,
    JudgedRows,
    Predictions,
    Rule,
    SimplestWithinNoise,
    Standing,
    compare_contenders,
    estimate_score,
)

from .cross_validations import Contender, seeded, stratified_folds
from .populations import Population, Rows

N_FOLDS, N_REPEATS, N_ASKED = 10, 3, 4_000
ACCURACY = metric_named("accuracy")
STUMP = Contender("stump", lambda: ho.TreeClassifier(max_depth=1, n_jobs=1))
PRUNED = Contender("pruned tree", lambda: ho.TreeClassifier(prune="cost_complexity", n_jobs=1))
FOREST = Contender("forest", lambda: ho.ForestClassifier(n_trees=50, random_state=0, n_jobs=1))
NEIGHBORS = Contender("neighbors", lambda: ho.NeighborsClassifier(k=11, n_jobs=1))
GUESS = Contender("baseline", ho.BaselineClassifier)
CONTENDERS = (STUMP, PRUNED, FOREST, NEIGHBORS)
RULES: Mapping[str, Rule] = {
    "best mean": BestMean(),
    "simplest within one standard error": SimplestWithinNoise(margin=None),
    "simplest within one standard error and one point, whatever the error": SimplestWithinNoise(
        error_share=None
    ),
    "simplest within one standard error and one point (default)": SimplestWithinNoise(),
}
WITH_BASELINE = "default rule, with a baseline to beat"


@dataclass(frozen=True)
class Regret:
    """What one rule lost in one place.

    population, n_rows: the place
    rule:               its name
    losses:             of each made set: the error of the model it chose minus the least of all, in points
    shortest:           the share of sets in which it chose the shortest description
    """

    population: str
    n_rows: int
    rule: str
    losses: tuple[float, ...]
    shortest: float

    @property
    def mean(self) -> float:
        return float(np.mean(self.losses))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(np.std(self.losses, ddof=1) / np.sqrt(len(self.losses)))

    @property
    def bad(self) -> float:
        """The share of sets that lost more than five points."""
        return float(np.mean(np.array(self.losses) > 5))


def regrets(population: Population, n_rows: int, n_sets: int) -> list[Regret]:
    """The regret of every rule on so many made sets."""
    generator = seeded("regret", population.name, n_rows)
    losses: dict[str, list[float]] = {name: [] for name in (*RULES, WITH_BASELINE)}
    shortest: dict[str, list[bool]] = {name: [] for name in losses}
    for _ in range(n_sets):
        rows, fresh = population.rows(generator, n_rows), population.draw(generator, N_ASKED)
        standings, judged = stood(rows, generator)
        true = {each.name: error_of(each, rows, fresh) for each in (*CONTENDERS, GUESS)}
        best = min(true[each.name] for each in CONTENDERS)
        four = [each for each in standings if not each.is_baseline]
        simplest = min(four, key=lambda each: each.bits).name
        chosen = {name: winner(rule, four, judged) for name, rule in RULES.items()}
        chosen[WITH_BASELINE] = winner(SimplestWithinNoise(), standings, judged)
        for name, taken in chosen.items():
            losses[name].append(100 * (true[taken] - best))
            shortest[name].append(taken == simplest)
    return [
        Regret(population.name, n_rows, name, tuple(each), float(np.mean(shortest[name])))
        for name, each in losses.items()
    ]


def winner(rule: Rule, standings: list[Standing], judged: JudgedRows) -> str:
    """Whom the rule takes."""
    return rule.decide(standings, compare_contenders(standings, ACCURACY, judged), ACCURACY).winner


def stood(rows: Rows, generator: np.random.Generator) -> tuple[list[Standing], JudgedRows]:
    """All contenders cross-validated on the same folds."""
    X, y = rows.views[0], np.asarray(rows.y, dtype=np.int64)
    folds = np.array([stratified_folds(y, N_FOLDS, generator) for _ in range(N_REPEATS)])
    judged = JudgedRows(y, folds, classes=(0, 1), positive=1)
    return [stands(each, X, y, judged) for each in (*CONTENDERS, GUESS)], judged


def stands(contender: Contender, X: np.ndarray, y: np.ndarray, judged: JudgedRows) -> Standing:
    """One contender after 3 × 10 folds."""
    labels = np.empty(judged.folds.shape, dtype=np.int64)
    scores = np.empty((N_REPEATS, N_FOLDS))
    bits = []
    for repeat in range(N_REPEATS):
        for fold in range(N_FOLDS):
            is_test = judged.folds[repeat] == fold
            model = contender.make().fit(X[~is_test], y[~is_test])
            labels[repeat, is_test] = model.predict(X[is_test])
            scores[repeat, fold] = (labels[repeat, is_test] == y[is_test]).mean()
            bits.append(model.description_bits())
    answers = Predictions(labels=labels)
    return Standing(
        contender.name,
        "accuracy",
        estimate_score(ACCURACY, answers, judged),
        scores,
        answers,
        bits=float(np.median(bits)),
        is_baseline=contender is GUESS,
    )


def error_of(contender: Contender, rows: Rows, fresh: Rows) -> float:
    """The error of the model that is used in the end, fitted on all rows."""
    model = contender.make().fit(rows.views[0], rows.y)
    return float((model.predict(fresh.views[0]) != fresh.y).mean())
