"""Forests of all programs on all data sets in the same folds, and what the rows out of the bag say."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

import heldout as ho

from .data_sets import N_FOLDS, SEEDS, DataSet
from .forest_data import FOREST_SETS, filled, forest_data

N_TREES = 100
RANGER = Path(__file__).with_name("ranger_folds.R")
OURS, SKLEARN, RANGER_NAME = "ForestClassifier", "scikit-learn", "ranger"
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BagStanding:
    """Per row, the share of repetitions that answer it wrongly: out of the bag, and left out in folds."""

    out_of_bag: Shares
    left_out: Shares


@dataclass(frozen=True)
class ForestComparison:
    """Share of right answers by program and data set, repetition × fold; and the bags by data set."""

    accuracies: Mapping[str, Mapping[str, Shares]]
    bags: Mapping[str, BagStanding]

    def accuracy(self, program: str, name: str) -> float:
        return float(np.mean(self.accuracies[program][name]))


def compared_forests() -> ForestComparison:
    """Run everything; takes some minutes."""
    ours: dict[str, Shares] = {}
    bags: dict[str, BagStanding] = {}
    theirs: dict[str, Shares] = {}
    for name in FOREST_SETS:
        data = forest_data(name)
        answered = heldout_answers(data)
        ours[name] = fold_accuracies(data, answered)
        bags[name] = BagStanding(out_of_bag_errors(data), 1 - np.mean(answered, axis=0))
        theirs[name] = fold_accuracies(data, sklearn_answers(data))
    return ForestComparison({OURS: ours, SKLEARN: theirs, RANGER_NAME: ranger_accuracies()}, bags)


def heldout_answers(data: DataSet) -> NDArray[np.bool_]:
    """Repetition × row: whether the forest that did not see the row answers rightly."""

    def fit(train: NDArray[np.int64], seed: int) -> Callable[[NDArray[np.int64]], Any]:
        forest = our_forest(seed).fit(data.X.take(train), data.y[train])
        return lambda test: forest.predict(data.X.take(test))

    return _answers(data, fit)


def our_forest(seed: int) -> Any:
    """Heldout's forest with its defaults."""
    return ho.ForestClassifier(n_trees=N_TREES, random_state=seed, n_jobs=2)


def sklearn_answers(data: DataSet) -> NDArray[np.bool_]:
    """scikit-learn knows no categories, so each level becomes a column."""
    X = pd.get_dummies(filled(data), dtype=float).to_numpy()

    def fit(train: NDArray[np.int64], seed: int) -> Callable[[NDArray[np.int64]], Any]:
        forest = RandomForestClassifier(N_TREES, random_state=seed, n_jobs=2).fit(X[train], data.y[train])
        return lambda test: forest.predict(X[test])

    return _answers(data, fit)


def _answers(data: DataSet, fit: Callable[[NDArray[np.int64], int], Any]) -> NDArray[np.bool_]:
    is_right = np.empty((len(SEEDS), len(data.y)), dtype=np.bool_)
    for repetition, seed in enumerate(SEEDS):
        fold_of_row = data.folds(seed)
        for fold in range(N_FOLDS):
            test = np.flatnonzero(fold_of_row == fold)
            answers = fit(np.flatnonzero(fold_of_row != fold), seed)(test)
            is_right[repetition, test] = answers == data.y[test]
    return is_right


def fold_accuracies(data: DataSet, is_right: NDArray[np.bool_]) -> Shares:
    """Repetition × fold: the share of right answers."""
    return np.array(
        [
            [np.mean(answers[data.folds(seed) == fold]) for fold in range(N_FOLDS)]
            for answers, seed in zip(is_right, SEEDS, strict=True)
        ]
    )


def out_of_bag_errors(data: DataSet) -> Shares:
    """Per row the share of repetitions in which the trees that did not see it are wrong together."""
    wrong = np.zeros(len(data.y))
    for seed in SEEDS:
        forest = our_forest(seed).set_params(oob_score=True).fit(data.X, data.y)
        answers = forest.classes_[np.argmax(forest.oob_decision_function_, axis=1)]
        wrong += answers != data.y
    return wrong / len(SEEDS)


def ranger_accuracies() -> dict[str, Shares]:
    """R's ranger on all data sets in one run of R."""
    found = {name: np.empty((len(SEEDS), N_FOLDS)) for name in FOREST_SETS}
    with tempfile.TemporaryDirectory() as folder:
        for name in FOREST_SETS:
            data = forest_data(name)
            folds = {f"fold{seed}": data.folds(seed) for seed in SEEDS}
            frame = filled(data).assign(target=[f"class {label}" for label in data.y], **folds)
            frame.to_csv(Path(folder) / f"{name}.csv", index=False)
        command = ["Rscript", "--vanilla", str(RANGER), folder, str(N_TREES)]
        printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    for line in printed.splitlines():
        name, *numbers = line.split("\t")
        repetition, fold, n_right, n_tested = map(int, numbers)
        found[name][repetition, fold] = n_right / n_tested
    return found
