"""How often intervals of a cross-validated mean hold the true value, and how wide they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.stats.auc_interval import auc_interval
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_interval import (
    cross_validated_f1,
    cross_validated_mse,
    cross_validated_rate,
)
from heldout.stats.f1_interval import f1_of_jaccard
from heldout.stats.fold_intervals import corrected_t_interval, plain_t_interval, pooled_wald_interval
from heldout.stats.interval import Interval
from heldout.stats.rate_interval import rate_interval

from .cross_validations import Contender, Crossed, crossed, seeded, truth
from .populations import Population

N_REPEATS, N_FOLDS = 3, 10
WALD = "pooled Wald"
AUC_POOLED = "AUC, pooled DeLong on the logit scale"
F1_POOLED = "F1, pooled Wilson on TP / (TP + FP + FN)"


@dataclass(frozen=True)
class Coverage:
    """What one kind of interval did in one place.

    population, contender, n_rows: the place
    method:  the kind of interval
    n_held:  how many intervals held the true value
    n_sets:  of how many
    width:   the mean width over that of the pooled one: Wald's for losses, uncorrected for AUC and F1
    """

    population: str
    contender: str
    n_rows: int
    method: str
    n_held: int
    n_sets: int
    width: float

    @property
    def share(self) -> float:
        return self.n_held / self.n_sets


def coverage(contender: Contender, population: Population, n_rows: int, n_sets: int) -> list[Coverage]:
    """The coverage of every interval, by cross-validation of so many made sets."""
    true = truth(contender, population, n_rows)
    held: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    generator = seeded("coverage", contender.name, population.name, n_rows)
    for _ in range(n_sets):
        rows = population.rows(generator, n_rows)
        found = crossed(contender, rows, N_REPEATS, N_FOLDS, generator)
        made = of_loss(found, population.is_classified)
        targets = dict.fromkeys(made, true.loss)
        if population.is_classified:
            others = of_ranks(found)
            made |= others
            targets |= {name: true.auc if "AUC" in name else true.f1 for name in others}
            made["F1, of single models"], targets["F1, of single models"] = (
                made["F1 (default)"],
                true.single_f1,
            )
        for name, interval in made.items():
            held.setdefault(name, []).append(targets[name] in interval)
            widths.setdefault(name, []).append(interval.width)
    mean_widths = {name: float(np.nanmean(each)) for name, each in widths.items()}
    place = population.name, contender.name, n_rows
    return [
        Coverage(*place, name, sum(each), len(each), mean_widths[name] / mean_widths[pooled(name)])
        for name, each in held.items()
    ]


def pooled(method: str) -> str:
    """The interval with which this one is compared: as if out-of-fold losses were independent rows."""
    return {"AUC": AUC_POOLED, "F1": F1_POOLED}.get(method.split()[0].strip(","), WALD)


def of_loss(found: Crossed, is_classified: bool) -> dict[str, Interval]:
    """Every interval of the mean loss, by its name in the tables."""
    losses, folds = found.losses, found.fold_means(N_FOLDS)
    once = losses[:1]
    made: dict[str, Interval] = {
        "t over ten folds": plain_t_interval(folds[:1]),
        "t over 3 × 10 folds": plain_t_interval(folds),
        WALD: pooled_wald_interval(once, N_FOLDS),
        "corrected resampled t, 10 folds": corrected_t_interval(folds[:1]),
        "corrected resampled t, 3 × 10 folds": corrected_t_interval(folds),
    }
    if is_classified:
        made["pooled Wilson"] = rate_interval(once.sum(), once.size, "wilson")
        made["corrected Wilson (default)"] = cross_validated_rate(losses, N_FOLDS)
        return made
    return made | {"log scale, corrected (default)": cross_validated_mse(losses, N_FOLDS)}


def of_ranks(found: Crossed) -> dict[str, Interval]:
    """The intervals of AUC and F1."""
    scores, predicted = found.answers.scores, found.answers.predicted.astype(np.int64)
    return {
        AUC_POOLED: auc_interval(found.y, scores[0], method="delong_logit"),
        "AUC (default)": cross_validated_auc(found.y, scores, N_FOLDS),
        F1_POOLED: pooled_f1(found.y == 1, predicted[0] == 1),
        "F1 (default)": cross_validated_f1(found.y, predicted, N_FOLDS, positive=1),
    }


def pooled_f1(is_positive: Any, is_called: Any) -> Interval:
    """The interval of F1 as if the rows were independent."""
    jaccard = rate_interval((is_positive & is_called).sum(), (is_positive | is_called).sum(), "wilson")
    ends = (f1_of_jaccard(value) for value in (jaccard.estimate, jaccard.low, jaccard.high))
    return Interval("F1", *ends)
