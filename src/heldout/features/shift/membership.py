"""To which of two samples does a row belong? Odds from models that have not seen the row.

The odds that a row is of the population, divided by those before looking at it, are the ratio of the two
densities there: how much more often the population has such rows than the training sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from heldout.arrays import Floats
from heldout.errors import DataError, InputTypeError
from heldout.features.shift.two_samples import TwoSamples, partly_missing, stacked_tables, with_missing_flags
from heldout.learners.forest_classifier import ForestClassifier
from heldout.table.table import Table
from heldout.text.words import plural
from heldout.types import Estimator, Labels

# Chosen by simulation: the decision "a forest tells two samples apart".
N_TREES = 50
MIN_LEAF = 20


class ProbabilityModel(Protocol):
    """A classifier that gives probabilities."""

    classes_: Labels

    def fit(self, X: Any, y: Any) -> Self: ...
    def predict_proba(self, X: Any) -> Floats: ...


@dataclass(frozen=True, eq=False)
class Membership:
    """What the models say of rows that they have not seen.

    ratios:    of each training row, how much denser the population is there than the training sample
    auc:       how often a row of the population has higher odds than a training row; mean over the folds
    n_bounded: how many training rows had a probability of 0 or 1, which was moved inside
    learner:   the model in words
    """

    ratios: Floats
    auc: float
    n_bounded: int
    learner: str


def membership(
    samples: TwoSamples, learner: Estimator | None, folds: int, seed: int, n_jobs: int | None
) -> Membership:
    """The ratio of densities at each training row, from models fitted to the other folds.

    samples: training rows and population
    learner: a classifier with predict_proba; None for the forest that holds for all tables
    """
    n_train, n_population = samples.first.n_rows, samples.second.n_rows
    is_default = learner is None
    model = _forest(seed, n_jobs) if is_default else _checked(learner)
    rows = _flagged(samples) if is_default else samples.stacked()
    is_population = np.repeat(np.array([0, 1]), [n_train, n_population])
    fold_of = paired_folds(samples.first, samples.second, folds, seed)
    ratios, aucs, n_bounded = np.empty(n_train), [], 0
    for fold in range(folds):
        others, own = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        shares = _shares(clone(model), rows, is_population, others, own)
        prior = float(is_population[others].mean())
        aucs.append(rank_auc(shares[own < n_train], shares[own >= n_train]))
        if is_default:  # as if each leaf held one further row, divided as all rows are
            shares = (MIN_LEAF * shares + prior) / (MIN_LEAF + 1)
        inside = _inside(shares[own < n_train], len(others))
        n_bounded += int(np.count_nonzero(inside != shares[own < n_train]))
        ratios[own[own < n_train]] = inside / (1 - inside) * (1 - prior) / prior
    return Membership(ratios, float(np.mean(aucs)), n_bounded, _words(model, is_default))


def rank_auc(lower: Floats, upper: Floats) -> float:
    """How often a number of `upper` is above one of `lower`, ties counted half: Wilcoxon-Mann-Whitney."""
    from scipy.stats import rankdata  # takes 0.5 s

    ranks = rankdata(np.concatenate([lower, upper]))
    above = float(ranks[len(lower) :].sum()) - len(upper) * (len(upper) + 1) / 2
    return above / (len(lower) * len(upper))


def _flagged(samples: TwoSamples) -> Table:
    """All rows for the forest, with columns that say where values are missing."""
    rows = stacked_tables(samples.first, samples.second)
    return with_missing_flags(rows, partly_missing(rows))


def _forest(seed: int, n_jobs: int | None) -> ForestClassifier:
    return ForestClassifier(
        N_TREES, criterion="entropy", max_features=None, min_leaf=MIN_LEAF, random_state=seed, n_jobs=n_jobs
    )


def _checked(learner: object) -> ProbabilityModel:
    if isinstance(learner, type) or not hasattr(learner, "predict_proba") or not is_classifier(learner):
        raise InputTypeError(
            "learner must be a classifier with predict_proba",
            where=f"importance_weights(learner={learner!r:.60})",
            fix="give an instance such as ForestClassifier(min_leaf=20), or leave it out",
        )
    return cast("ProbabilityModel", learner)


def _shares(
    model: ProbabilityModel,
    rows: Any,
    is_population: NDArray[np.intp],
    others: NDArray[np.intp],
    own: NDArray[np.intp],
) -> Floats:
    """For the rows of a fold the probability to be of the population."""
    model.fit(_taken(rows, others), is_population[others])
    index = model.classes_.tolist().index(1)
    shares = np.asarray(model.predict_proba(_taken(rows, own)), dtype=np.float64)[:, index]
    if not np.isfinite(shares).all():
        n_wrong = int(np.count_nonzero(~np.isfinite(shares)))
        raise DataError(
            "the learner gave probabilities that are no numbers",
            where=f"{type(model).__name__}, {n_wrong} of {plural(len(shares), 'row')}",
            fix="use another learner, or leave it out",
        )
    return shares


def _taken(rows: Any, positions: NDArray[np.intp]) -> Any:
    if isinstance(rows, Table | np.ndarray):
        return rows[positions]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(rows, positions)


def _inside(shares: Floats, n_rows: int) -> Floats:
    """No share nearer to 0 or 1 than one row of so many can show, so that no weight is infinite."""
    least = 1.0 / (n_rows + 2)
    return np.clip(shares, least, 1 - least)


def _words(model: object, is_default: bool) -> str:
    if is_default:
        return f"a forest of {N_TREES} trees with at least {MIN_LEAF} rows in a leaf"
    return f"{type(model).__name__}"


Indices = NDArray[np.intp]


def paired_folds(first: Table, second: Table, folds: int, seed: int) -> Indices:
    """The fold of every row of the first and then of the second, at random and nearly of the same size.

    Of rows that are equal in every column, the j-th in the second has the fold of the j-th in the first.
    """
    n_first, n_second = first.n_rows, second.n_rows
    upper = np.random.default_rng([seed, 0]).permutation(n_first) % folds
    lower = np.random.default_rng([seed, 1]).permutation(n_second) % folds
    contents = equal_rows(first, second)
    twin = _twins(contents[:n_first], contents[n_first:])
    paired = np.where(twin >= 0, upper[twin], lower)
    if len(np.unique(paired)) == folds:  # else a fold would be without rows to compare
        lower = paired
    return np.concatenate([upper, lower])


def equal_rows(first: Table, second: Table) -> Indices:
    """A number for each row of both, the same for rows that are equal in every column; missing is a value."""
    cells = np.empty((first.n_rows + second.n_rows, first.n_columns))
    for index, (upper, lower) in enumerate(zip(first.columns, second.columns, strict=True)):
        cells[:, index] = np.concatenate([upper.values, lower.values])
    cells[np.isnan(cells)] = np.nan  # one of the many bit patterns that are no number
    cells += 0.0  # minus zero is zero
    whole = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.itemsize * cells.shape[1])))[:, 0]
    return np.asarray(np.unique(whole, return_inverse=True)[1], dtype=np.intp).reshape(-1)


def _twins(upper: Indices, lower: Indices) -> Indices:
    """For each of the lower the place of its twin among the upper, -1 where there is none."""
    index_of = {key: index for index, key in enumerate(zip(upper.tolist(), _counted(upper), strict=True))}
    keys = zip(lower.tolist(), _counted(lower), strict=True)
    return np.array([index_of.get(key, -1) for key in keys], dtype=np.intp)


def _counted(numbers: Indices) -> list[int]:
    """How often each number was there before."""
    seen: dict[int, int] = {}
    counts = []
    for number in numbers.tolist():
        counts.append(seen.get(number, 0))
        seen[number] = counts[-1] + 1
    return counts
