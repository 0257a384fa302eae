"""Each program on each data set: how many rows it answers rightly in ten folds, and with how many leaves."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import heldout as ho

from .data_sets import N_FOLDS, SEEDS, DataSet
from .plain_tree import n_leaves
from .weka_trees import WekaFits

Rows = NDArray[np.int64]
RPART = Path(__file__).with_name("rpart_folds.R")


@dataclass(frozen=True)
class FoldFit:
    """One fit outside one fold: the rows of the fold that it answered rightly, and its leaves."""

    n_right: int
    n_tested: int
    n_leaves: int
    model: Any = None


Folds = Mapping[tuple[int, int], FoldFit]  # by repetition and fold


@dataclass(frozen=True)
class Standing:
    """One program on one data set, by repetition: the share of rows answered rightly, the mean of leaves."""

    accuracies: tuple[float, ...]
    leaves: tuple[float, ...]

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def n_leaves(self) -> float:
        return float(np.mean(self.leaves))


def standing_of(folds: Folds) -> Standing:
    """The standing that the folds make up.

    >>> standing_of({(0, 0): FoldFit(3, 4, 2), (0, 1): FoldFit(1, 4, 4)})
    Standing(accuracies=(0.5,), leaves=(3.0,))
    """
    repetitions = sorted({repetition for repetition, _ in folds})
    chosen = [[fit for key, fit in folds.items() if key[0] == repetition] for repetition in repetitions]
    return Standing(
        tuple(sum(fit.n_right for fit in fits) / sum(fit.n_tested for fit in fits) for fits in chosen),
        tuple(float(np.mean([fit.n_leaves for fit in fits])) for fits in chosen),
    )


def heldout_folds(data: DataSet, learner: ho.TreeClassifier) -> Folds:
    """A tree of Heldout."""

    def fit(train: Rows, test: Rows, seed: int) -> FoldFit:
        tree = clone(learner).fit(data.X.take(train), data.y[train])
        is_right = tree.predict(data.X.take(test)) == data.y[test]
        return FoldFit(int(np.count_nonzero(is_right)), len(test), tree.n_leaves_, tree)

    return _each_fold(data, fit)


def sklearn_folds(data: DataSet) -> Folds:
    """scikit-learn's tree with its defaults; it knows no categories, so each level becomes a column."""
    X = pd.get_dummies(data.frame, dtype=float).to_numpy()

    def fit(train: Rows, test: Rows, seed: int) -> FoldFit:
        tree = DecisionTreeClassifier(random_state=seed).fit(X[train], data.y[train])
        is_right = tree.predict(X[test]) == data.y[test]
        return FoldFit(int(np.count_nonzero(is_right)), len(test), tree.get_n_leaves())

    return _each_fold(data, fit)


def _each_fold(data: DataSet, fit: Callable[[Rows, Rows, int], FoldFit]) -> Folds:
    found = {}
    for repetition, seed in enumerate(SEEDS):
        fold_of_row = data.folds(seed)
        for fold in range(N_FOLDS):
            train, test = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
            found[repetition, fold] = fit(train, test, seed)
    return found


def j48_folds(fits: WekaFits, name: str) -> Folds:
    """What Weka's program found; leaves that no training row reaches are not counted."""
    return {
        (repetition, fold): FoldFit(fit.n_right, fit.n_tested, n_leaves(fit.tree))
        for (job, repetition, fold), fit in fits.items()
        if job == name and repetition is not None and fold is not None
    }


def rpart_folds(sets: Sequence[DataSet]) -> dict[str, Folds]:
    """R's rpart, pruned by one standard error, on all data sets in one run of R."""
    found: dict[str, dict[tuple[int, int], FoldFit]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for data in sets:
            frame = data.frame.assign(target=data.y)
            folds = {f"fold{seed}": data.folds(seed) for seed in SEEDS}
            frame.assign(**folds).to_csv(Path(folder) / f"{data.name}.csv", index=False)
        command = ["Rscript", "--vanilla", str(RPART), folder]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    for line in printed.splitlines():
        name, *numbers = line.split("\t")
        repetition, fold, n_right, n_tested, n_leaves_of_tree = map(int, numbers)
        found.setdefault(name, {})[repetition, fold] = FoldFit(n_right, n_tested, n_leaves_of_tree)
    return dict(found)
