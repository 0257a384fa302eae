"""How often tests of two learners tell apart what is equally good.

Both contenders are the same learner; each sees another of two exchangeable views of the rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.stats.corrected_resampled_t import corrected_resampled_t
from heldout.stats.five_by_two import five_by_two
from heldout.stats.mcnemar import mcnemar
from heldout.stats.paired_tests import paired_t, signed_rank

from .cross_validations import Contender, Crossed, crossed, seeded
from .populations import Numbers, Population, Rows

LEVEL = 0.05
DEFAULT = "corrected resampled t, 3 × 10 (default)"


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
        DEFAULT: corrected_resampled_t(differences[:3]).p_value,
        "plain t over 3 × 10": paired_t(differences[:3].ravel(), zeros[:3].ravel()).p_value,
        "5 × 2 t": five_by_two(halves).p_value,
        "Wilcoxon over ten folds": signed_rank(differences[0], zeros[0]).p_value,
    }
    if n_repeats == 10:
        made["corrected resampled t, 10 × 10"] = corrected_resampled_t(differences).p_value
        made["plain t over 10 × 10"] = paired_t(differences.ravel(), zeros.ravel()).p_value
    if first.y.dtype.kind == "i":
        answers = (each.answers.predicted[0].astype(np.int64) for each in (first, second))
        made["McNemar on pooled predictions"] = mcnemar(first.y, *answers).p_value
    return made


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
