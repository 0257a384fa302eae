"""How often tests of two learners tell apart what is equally good.

Both contenders are the same learner; each sees another of two exchangeable views of the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.split.fold import Fold
from heldout.split.forward_blocks import forward_folds
from heldout.split.row_facts import RowFacts
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t
from heldout.stats.five_by_two import five_by_two
from heldout.stats.mcnemar import mcnemar
from heldout.stats.paired_tests import paired_t, signed_rank

from .cross_validations import Contender, Crossed, answers, crossed, seeded
from .populations import Numbers, Population, Rows

LEVEL = 0.05
DEFAULT = "cross-validated t, 3 × 10 (default)"
FORWARD = "cross-validated t, forward folds (default)"


@dataclass(frozen=True)
class Alarms:
    """What one test did in one place.

    population, contender, n_rows: the place
    test:     the name of the test
    n_alarms: how many p-values were below 5%
    n_sets:   of how many
    """

    population: str
    contender: str
    n_rows: int
    test: str
    n_alarms: int
    n_sets: int

    @property
    def share(self) -> float:
        return self.n_alarms / self.n_sets


def alarms(
    contender: Contender, population: Population, n_rows: int, n_sets: int, n_repeats: int = 3
) -> list[Alarms]:
    """The false alarms of every test on so many made sets.

    n_repeats: of ten folds; ten of them for the tests over 10 × 10
    """
    found: dict[str, list[bool]] = {}
    generator = seeded("alarms", contender.name, population.name, n_rows)
    for _ in range(n_sets):
        rows = population.rows(generator, n_rows)
        for test, p_value in p_values(contender, rows, generator, n_repeats).items():
            # Where p is not known, since all differences are the same number, no alarm is given.
            found.setdefault(test, []).append(p_value < LEVEL)
    place = population.name, contender.name, n_rows
    return [Alarms(*place, test, sum(each), len(each)) for test, each in found.items()]


def p_values(
    contender: Contender, rows: Rows, generator: np.random.Generator, n_repeats: int
) -> dict[str, float]:
    """The p-value of every test, by its name in the tables."""
    first, second = both_views(contender, rows, n_repeats, 10, generator)
    differences = differences_of(first, second, 10)
    halves = differences_of(*both_views(contender, rows, 5, 2, generator), 2)
    zeros = np.zeros_like(differences)
    made = {
        "paired t over ten folds": paired_t(differences[0], zeros[0]).p_value,
        DEFAULT: cross_validated_t(differences[:3]).p_value,
        "corrected resampled t, 3 × 10": corrected_resampled_t(differences[:3]).p_value,
        "plain t over 3 × 10": paired_t(differences[:3].ravel(), zeros[:3].ravel()).p_value,
        "5 × 2 t": five_by_two(halves).p_value,
        "Wilcoxon over ten folds": signed_rank(differences[0], zeros[0]).p_value,
    }
    if n_repeats == 10:
        made["cross-validated t, 10 × 10"] = cross_validated_t(differences).p_value
        made["corrected resampled t, 10 × 10"] = corrected_resampled_t(differences).p_value
        made["plain t over 10 × 10"] = paired_t(differences.ravel(), zeros.ravel()).p_value
    if first.y.dtype.kind == "i":
        answers = (each.answers.predicted[0].astype(np.int64) for each in (first, second))
        made["McNemar on pooled predictions"] = mcnemar(first.y, *answers).p_value
    return made


def forward_alarms(
    contender: Contender, population: Population, n_rows: int, n_sets: int, n_folds: int
) -> list[Alarms]:
    """The false alarms of the t over blocks of time, each predicted from all rows before it.

    Rows come in the order in which they are drawn. A set whose first block holds one class is drawn anew.
    """
    facts = RowFacts(np.zeros(n_rows), "regression", time=np.arange(n_rows))
    folds = list(forward_folds(facts, n_folds))
    ratio = float(np.mean([len(fold.test) / len(fold.train) for fold in folds]))
    ways = {FORWARD: ratio, "the same by 1/(K − 1)": None, "paired t, forward folds": 1e-12}
    n_alarms = dict.fromkeys(ways, 0)
    generator = seeded("forward", contender.name, population.name, n_rows, n_folds)
    for _ in range(n_sets):
        rows = population.rows(generator, n_rows)
        while population.is_classified and len(set(rows.y[folds[0].train].tolist())) == 1:
            rows = population.rows(generator, n_rows)
        losses = [[_loss(contender, rows, view, fold) for fold in folds] for view in (0, 1)]
        differences = np.subtract(*losses)[np.newaxis]
        for name, each in ways.items():
            n_alarms[name] += cross_validated_t(differences, each).p_value < LEVEL
    place = population.name, contender.name, n_rows
    return [Alarms(*place, f"{name}, K = {n_folds}", found, n_sets) for name, found in n_alarms.items()]


def _loss(contender: Contender, rows: Rows, view: int, fold: Fold) -> float:
    X = rows.views[view]
    predicted = answers(contender, X[fold.train], rows.y[fold.train], X[fold.test]).predicted
    truth = rows.y[fold.test]
    return float(np.mean(predicted != truth if truth.dtype.kind == "i" else (predicted - truth) ** 2))


def both_views(
    contender: Contender, rows: Rows, n_repeats: int, n_folds: int, generator: np.random.Generator
) -> tuple[Crossed, Crossed]:
    """The learner cross-validated on either view, with the same folds."""
    seed = int(generator.integers(2**62))
    first, second = (
        crossed(contender, rows, n_repeats, n_folds, np.random.default_rng(seed), view) for view in (0, 1)
    )
    return first, second


def differences_of(first: Crossed, second: Crossed, n_folds: int) -> Numbers:
    """How much larger the mean loss of the first is: repeats × folds."""
    return first.fold_means(n_folds) - second.fold_means(n_folds)
