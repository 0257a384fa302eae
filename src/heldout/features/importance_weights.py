"""Weights that let training rows stand for a population that they were not drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.features.shift.membership import membership
from heldout.features.shift.two_samples import TwoSamples, two_samples
from heldout.learners.parameters import N_JOBS, Parameter, refusal
from heldout.text.numbers import number_text
from heldout.text.words import plural
from heldout.types import Estimator, TableLike

PARAMETERS = (
    Parameter("folds", number="integer", lowest=2),
    Parameter("seed", number="integer", lowest=0),
    Parameter("most", choices=(None,), number="number", lowest=1),
    N_JOBS,
)
LITTLE = 0.1
HALF = 0.5


@dataclass(frozen=True, eq=False)
class ImportanceWeights:
    """A weight for each training row; `fit(X, y, sample_weight=result.weights)` uses them.

    Attributes
    ----------
    weights
        one per training row, 1 on average
    auc
        how well the two samples can be told apart, on rows that the models have not seen: 0.5 not at all,
        1 wholly
    n_population
        how many rows of the population there were
    folds
        how many models were fitted, each to the rows of the others' folds
    learner
        what the models are, in words
    most
        the largest weight that was allowed, or None
    n_clipped
        how many weights are `most` because they would be larger
    n_bounded
        how many rows had a probability of 0 or 1, which would be no weight or an infinite one
    reached
        about what part of the population lies where training has rows: the mean of the weights before it
        was made 1. Far below 1 no weights let training stand for the population
    """

    weights: Floats
    auc: float
    n_population: int
    folds: int
    learner: str
    most: float | None
    n_clipped: int
    n_bounded: int
    reached: float

    @property
    def n_train(self) -> int:
        return len(self.weights)

    @property
    def effective_rows(self) -> float:
        """So many rows of equal weight tell a mean as precisely: (Σw)² ÷ Σw² (Kish)."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    @property
    def largest(self) -> float:
        return float(self.weights.max())

    @property
    def largest_row(self) -> int:
        """The position of the row with the largest weight."""
        return int(self.weights.argmax())

    @property
    def largest_share(self) -> float:
        """What part of all weight one row has."""
        return float(self.weights.max() / self.weights.sum())

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "n_train": self.n_train,
            "n_population": self.n_population,
            "effective_rows": self.effective_rows,
            "auc": self.auc,
            "largest": self.largest,
            "largest_row": self.largest_row,
            "largest_share": self.largest_share,
            "folds": self.folds,
            "learner": self.learner,
            "most": self.most,
            "n_clipped": self.n_clipped,
            "n_bounded": self.n_bounded,
            "reached": self.reached,
            "weights": self.weights.tolist(),
        }

    def __str__(self) -> str:
        share, largest = self.effective_rows / self.n_train, self.largest_share
        rows, population = plural(self.n_train, "training row"), plural(self.n_population, "row")
        lines = [
            f"Weights for {rows}, so that they stand for a population known by {population}",
            f"  estimated by {self.learner},",
            f"  each row by a model that has not seen it ({self.folds} folds)",
            f"  the two samples can be told apart with an AUC of {number_text(self.auc)}"
            " (0.5: not at all, 1: wholly)",
            f"  effective rows: {self.effective_rows:,.1f} of {self.n_train:,} ({share:.0%})",
            f"  largest weight: {self.largest:.4g}, {largest:.2%} of all (row {self.largest_row + 1:,})",
            *self._remarks(share),
            "  No weight mends a region that training never saw; ho.coverage(train, population) names it.",
        ]
        return "\n".join(lines)

    def _remarks(self, share: float) -> list[str]:
        """What a user should know of these weights in particular."""
        remarks = []
        if self.n_clipped:
            remarks.append(f"  {plural(self.n_clipped, 'weight')} would be larger than most={self.most:g}")
        if self.n_bounded:
            rows = plural(self.n_bounded, "row")
            remarks.append(f"  {rows} had a probability of 0 or 1, moved inside by one row")
        if self.reached < HALF:
            part = f"about {self.reached:.0%} of the population"
            remarks.append(f"  Training reaches only {part}: nothing stands for the rest.")
        if share < LITTLE or self.largest_share > LITTLE:
            remarks.append("  A few rows carry most of the weight: what is computed with them is uncertain.")
        return remarks


def importance_weights(
    train: TableLike,
    population: TableLike,
    *,
    learner: Estimator | None = None,
    folds: int = 5,
    seed: int = 0,
    most: float | None = None,
    n_jobs: int | None = None,
) -> ImportanceWeights:
    """How often each training row should count, so that all of them together look like the population.

    A classifier learns to tell training rows from rows of the population. Where it sees the population p
    times as likely as training, beyond the sizes of the samples, a training row counts p times. No row is
    judged by a model that has seen it. This mends a sample that is biased in the columns that are given,
    where the answer depends on these columns in the same way in both; and it mends nothing where training
    has no rows at all.

    Parameters
    ----------
    train
        the inputs of the training rows, without the target: a Table, a frame or an array
    population
        rows as the model will meet them, in the same form, with the same columns; no target is needed
    learner
        a classifier with predict_proba, which gets the rows in the form in which they came; None for a
        forest that takes categories and missing values, and sees where values are missing
    folds
        how many parts both samples are divided into
    seed
        of the folds and of the forest
    most
        the largest weight that is allowed, at least 1; the others share what is taken off, so that the
        mean stays 1. It makes weighted results less uncertain and less free of bias
    n_jobs
        threads of the forest; None is one, -1 all processors

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> train, population = generator.normal(40, 10, (500, 1)), generator.normal(48, 10, (500, 1))
    >>> result = importance_weights(train, population)
    >>> weighted = np.average(train[:, 0], weights=result.weights)
    >>> print(f"{train.mean():.1f}, weighted {weighted:.1f}, population {population.mean():.1f}")
    39.7, weighted 48.0, population 47.3
    """
    requested = {"folds": folds, "seed": seed, "most": most, "n_jobs": n_jobs}
    for parameter in PARAMETERS:
        if not parameter.allows(requested[parameter.name]):
            raise refusal("importance_weights", parameter, requested[parameter.name])
    samples = two_samples(train, population, ("train", "population"))
    _refuse_few_rows(samples, folds)
    found = membership(samples, learner, int(folds), int(seed), n_jobs)
    weights, n_clipped = _of_mean_1(found.ratios, most)
    return ImportanceWeights(
        weights,
        auc=found.auc,
        n_population=samples.second.n_rows,
        folds=int(folds),
        learner=found.learner,
        most=most,
        n_clipped=n_clipped,
        n_bounded=found.n_bounded,
        reached=float(found.ratios.mean()),
    )


def _refuse_few_rows(samples: TwoSamples, folds: int) -> None:
    for name, table in zip(samples.names, (samples.first, samples.second), strict=True):
        if table.n_rows < max(folds, 2):
            raise RequestError(
                f"{name} has fewer rows than there are folds",
                where=f"{plural(table.n_rows, 'row')} and folds={folds}",
                fix="give more rows, or fewer folds (at least 2)",
            )


def _of_mean_1(ratios: Floats, most: float | None) -> tuple[Floats, int]:
    """Weights in proportion to the ratios with the mean 1, none above `most`; and how many are clipped."""
    weights = ratios / ratios.mean()
    if most is None or weights.max() <= most:
        return weights, 0
    is_clipped = np.zeros(len(weights), dtype=np.bool_)
    while (weights[~is_clipped] > most).any():
        is_clipped |= weights > most
        left_over = len(weights) - most * np.count_nonzero(is_clipped)
        free = ratios[~is_clipped]
        weights[is_clipped] = most
        weights[~is_clipped] = free * (left_over / free.sum()) if len(free) else 0.0
    return weights, int(np.count_nonzero(is_clipped))
