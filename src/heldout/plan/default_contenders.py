"""The contenders that a task gets where no one names others."""

from __future__ import annotations

import math
from typing import Any

from heldout.errors import HeldoutError, InputTypeError
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.plan.contender import Contender
from heldout.plan.task_metrics import is_imbalanced
from heldout.split.k_fold import KFold
from heldout.split.row_facts import RowFacts
from heldout.table.task import Task

# Of equal scores the first setting wins, so every list begins with what is simplest or smoothest.
NUMBERS_OF_NEIGHBORS = (51, 31, 21, 15, 11, 9, 7, 5, 3, 1)
LEAVES = (20, 10, 5, 2)
CONFIDENCES = (0.01, 0.05, 0.1, 0.25, 0.5)
SHARES = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001)
EPOCHS = (1, 3, 10, 30)


def default_contenders(task: Task) -> tuple[Contender, ...]:
    """A sensible set of contenders for a task, each with the settings it chooses among.

    For classes: baseline, tree (C4.5, pruned), rules, forest, neighbors, perceptron. For numbers: baseline,
    tree, forest, neighbors, ridge. Trees, rules and forests take categories and gaps as they are; for the
    others they are filled, scaled and encoded within each fold. Where one of several classes has more than
    70% of the rows, trees, rules and forests may also weigh classes alike; of two classes every contender
    gets a threshold of its own instead, chosen within the training rows.

    Parameters
    ----------
    task
        of its rows only the number and the shares of classes are looked at, and its groups and times

    Examples
    --------
    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> [contender.name for contender in ho.default_contenders(task)]
    ['baseline', 'tree', 'rules', 'forest', 'neighbors', 'perceptron']
    """
    if not isinstance(task, Task):
        raise InputTypeError(
            "contenders are chosen for a Task",
            where=f"default_contenders got a {type(task).__name__}",
            fix="hand over study.task, or ho.Task(table, target=…)",
        )
    return _for_numbers(task) if task.kind == "regression" else _for_classes(task)


def _for_classes(task: Task) -> tuple[Contender, ...]:
    is_weighed = is_imbalanced(task) and len(task.classes) > 2
    weighed = {"class_weight": [None, "balanced"]} if is_weighed else {}
    grown = {"min_leaf": list(LEAVES), "prune_confidence": list(CONFIDENCES)}
    drawn = {"max_features": ["sqrt", 1 / 3], "n_trees": [50, 100]}
    return (
        Contender("baseline", BaselineClassifier()),
        Contender("tree", TreeClassifier.c45(), weighed | grown),
        Contender("rules", RuleClassifier(), weighed | {"min_leaf": [10, 2]}),
        Contender("forest", ForestClassifier(), weighed | drawn),
        Contender("neighbors", NeighborsClassifier(k=1, calibrate=True), _neighbor_space(task)),
        Contender("perceptron", Perceptron(), {"epochs": list(EPOCHS)}),
    )


def _for_numbers(task: Task) -> tuple[Contender, ...]:
    return (
        Contender("baseline", BaselineRegressor()),
        Contender("tree", TreeRegressor(), {"min_leaf": list(LEAVES[:-1]), "prune_alpha": list(SHARES)}),
        Contender("forest", ForestRegressor(), {"n_trees": [50, 100]}),
        Contender("neighbors", NeighborsRegressor(k=1), _neighbor_space(task)),
        Contender("ridge", RidgeRegressor(), {"alpha": _penalties(task.n_rows)}),
    )


def _neighbor_space(task: Task) -> dict[str, Any]:
    """No more neighbors than the smallest part that is learned from has rows."""
    most = fewest_inner_rows(task)
    return {"k": [k for k in NUMBERS_OF_NEIGHBORS if k <= most]}


def _penalties(n_rows: int) -> list[float]:
    """From ten times the number of rows, roughly, down to a hundred-thousandth of it, by half powers of ten.

    Columns have the variance 1, so a penalty as large as the number of rows halves a single coefficient.
    """
    top = round(math.log10(max(n_rows, 1))) + 1
    return [round(10.0 ** (top - step / 2), 10 - top) for step in range(13)]


def fewest_inner_rows(task: Task) -> int:
    """A bound on the training rows of every tuning fold within every fold; at least 1.

    10 folds with 5 within them leave 72% of the rows, 2 with 2 leave a quarter, which is taken. Groups and
    time may leave less, so there the folds are made.
    """
    n_rows = task.n_rows // 4
    if task.groups is not None or task.time is not None:
        n_rows = min(n_rows, *_inner_sizes(RowFacts.of(task)))
    return max(n_rows, 1)


def _inner_sizes(facts: RowFacts) -> list[int]:
    sizes = [facts.n_rows]
    try:
        for fold in KFold(10).folds(facts, shrink=True):
            inner = KFold(5).folds(facts.take(fold.train), shrink=True)
            sizes += [len(each.train) for each in inner]
    except HeldoutError:  # so few groups or times that no plan can be run; it will say so
        return [1]
    return sizes
