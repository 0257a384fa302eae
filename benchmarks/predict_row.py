"""Time to answer for a million rows with a tree of 10,000 leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from benchmarks.grown_out import CLASSIFIER_GROWN_OUT
from benchmarks.interleave import interleaved_work
from benchmarks.outcome import OURS, Entry, Outcome, speed_goals
from benchmarks.problem import Numbers, Problem, numbers_problem
from benchmarks.xgboost_program import one_tree_options
from benchmarks.ydf_program import columns_of, silent_ydf, vertical_dataset

N_LEAVES = 10_000


def predict() -> Outcome:
    """All start from the same float64 array; with "(own form)" the conversion is not on the clock."""
    problem = numbers_problem(200_000, 30)
    X = np.random.default_rng(3).permutation(np.tile(problem.X, (5, 1)))
    work: dict[str, Callable[[], Any]] = {}
    leaves: dict[str, int] = {}
    notes = []
    for prepare in (_heldout, _sklearn, _ydf, _xgboost):
        try:
            pieces, n_leaves = prepare(problem, X)
        except ImportError as failure:
            notes.append(f"left out: {failure}")
            continue
        work |= pieces
        leaves |= dict.fromkeys(pieces, n_leaves)
    seconds = interleaved_work(work, 5)
    entries = tuple(
        Entry(name, rounds, n_leaves=leaves[name], is_shown_only="own form" in name)
        for name, rounds in seconds.items()
    )
    title = f"predict 1,000,000 x 30 numbers, tree of {N_LEAVES:,} leaves"
    goals = speed_goals(entries, {"fastest peer": 1.5})
    return Outcome(title, "seconds on the wall, 1 thread", entries, goals, tuple(notes))


def _heldout(problem: Problem, X: Numbers) -> tuple[dict[str, Callable[[], Any]], int]:
    options = {"max_leaves": N_LEAVES, "min_leaf": 1, "n_jobs": 1}
    tree = ho.TreeClassifier.cart(**options, **CLASSIFIER_GROWN_OUT).fit(problem.X, problem.y)
    return {OURS: lambda: tree.predict(X)}, tree.n_leaves_


def _sklearn(problem: Problem, X: Numbers) -> tuple[dict[str, Callable[[], Any]], int]:
    tree = DecisionTreeClassifier(max_leaf_nodes=N_LEAVES, random_state=0).fit(problem.X, problem.y)
    own = X.astype(np.float32)
    work = {"scikit-learn": lambda: tree.predict(X), "scikit-learn (own form)": lambda: tree.predict(own)}
    return work, int(tree.get_n_leaves())


def _ydf(problem: Problem, X: Numbers) -> tuple[dict[str, Callable[[], Any]], int]:
    ydf = silent_ydf()
    learner = ydf.CartLearner(
        label="target",
        max_depth=-1,
        min_examples=1,
        validation_ratio=0.0,
        growing_strategy="BEST_FIRST_GLOBAL",
        max_num_nodes=N_LEAVES,
        num_threads=2,
    )
    model = learner.train(vertical_dataset(problem))
    inputs = columns_of(X, problem)
    own = ydf.create_vertical_dataset(inputs, data_spec=model.data_spec(), required_columns=list(inputs))
    work = {
        "ydf": lambda: model.predict(columns_of(X, problem), num_threads=1),
        "ydf (own form)": lambda: model.predict(own, num_threads=1),
    }
    return work, (int(model.num_nodes()) + 1) // 2


def _xgboost(problem: Problem, X: Numbers) -> tuple[dict[str, Callable[[], Any]], int]:
    import xgboost

    options = one_tree_options(problem, 1) | {
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "max_leaves": N_LEAVES,
    }
    model = xgboost.train(options, xgboost.DMatrix(problem.X, label=problem.y), 1)
    # No own form: for a DMatrix that it has seen, xgboost returns the answers of the last call.
    return {"xgboost": lambda: model.inplace_predict(X)}, sum(
        tree.count("leaf=") for tree in model.get_dump()
    )
