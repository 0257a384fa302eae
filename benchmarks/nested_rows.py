"""Nested cross-validation, ten folds with five inside: a whole study against what is written elsewhere.

Outer and inner folds are drawn alike, and both sides have two processes. Ours is timed from the plan to the
last cell in the study file, which has predictions, scores and looks, for the contender and for a baseline.
What it takes to the verdict, with the winner fitted on all rows, stands beside it.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Perceptron, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.neighbor_searches import faiss_search, intelex_search, sklearn_search
from benchmarks.nested_peers import grid_search_score, neighbor_loop_score
from benchmarks.nested_study import ReadyStudies, table_of
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from benchmarks.problem import Problem, numbers_problem
from benchmarks.program import clocked

CLOCK = "seconds on the wall, 2 processes"
GRID_SEARCH = "scikit-learn, GridSearchCV"
WHOLE = "Heldout, to the verdict"
DEPTHS, LEAVES, ALPHAS = [4, 6, 8, 12, None], [1, 10], [0.0, 0.002]
PENALTIES = np.logspace(-3, 3, 50).tolist()
N_TREES = [10, 50, 100, 200, 500]


def nested_tree() -> Outcome:
    """Twenty settings of depth, leaf size and alpha."""
    problem = numbers_problem(5_000, 20)
    ours = ho.Contender(
        "tree",
        ho.TreeClassifier.cart(),
        {"max_depth": DEPTHS, "min_leaf": LEAVES, "prune_alpha": ALPHAS},
        prepare=None,
    )
    grid = {"max_depth": DEPTHS, "min_samples_leaf": LEAVES, "ccp_alpha": ALPHAS}
    theirs = partial(_grid_search, DecisionTreeClassifier(random_state=0), grid, problem)
    return _outcome("tree, 20 settings", problem, ours, {GRID_SEARCH: theirs}, {GRID_SEARCH: 80})


def nested_neighbors() -> Outcome:
    """K = 1 … 50, also against the best loop by hand."""
    problem = numbers_problem(5_000, 20)
    settings = {"k": list(range(1, 51))}
    ours = ho.Contender("near", ho.NeighborsClassifier(), settings, prepare=None)
    grid = {"n_neighbors": settings["k"]}
    peers: dict[str, Callable[[], float]] = {
        GRID_SEARCH: partial(_grid_search, KNeighborsClassifier(), grid, problem)
    }
    searches: dict[str, Any] = {"scikit-learn": partial(sklearn_search, method="brute")}
    if importlib.util.find_spec("sklearnex"):
        searches["intelex"] = partial(intelex_search, method="brute")
    if importlib.util.find_spec("faiss"):
        searches["faiss"] = faiss_search
    for name, search in searches.items():
        peers[f"loop over {name}"] = partial(neighbor_loop_score, search, problem.X, problem.y)
    wanted = {GRID_SEARCH: 40.0, "fastest peer": 1.5}
    return _outcome("neighbors, K = 1..50", problem, ours, peers, wanted)


def nested_ridge() -> Outcome:
    """Fifty penalties."""
    problem = numbers_problem(5_000, 20, is_regression=True)
    ours = ho.Contender("ridge", ho.RidgeRegressor(), {"alpha": PENALTIES}, prepare=None)
    theirs = partial(_grid_search, Ridge(), {"alpha": PENALTIES}, problem)
    return _outcome("ridge, 50 penalties", problem, ours, {GRID_SEARCH: theirs}, {GRID_SEARCH: 20})


def nested_forest() -> Outcome:
    """10, 50, 100, 200 and 500 trees; the peers take minutes, so each runs once."""
    problem = numbers_problem(5_000, 20)
    ours = ho.Contender("forest", ho.ForestClassifier(), {"n_trees": N_TREES}, prepare=None)
    grid = {"n_estimators": N_TREES}
    theirs = RandomForestClassifier(random_state=0)
    peers = {GRID_SEARCH: partial(_grid_search, theirs, grid, problem)}
    wanted = {GRID_SEARCH: 20.0}
    if importlib.util.find_spec("sklearnex"):
        from sklearnex.ensemble import RandomForestClassifier as Accelerated

        peers["intelex, GridSearchCV"] = partial(_grid_search, Accelerated(random_state=0), grid, problem)
        wanted["intelex, GridSearchCV"] = 4.0
    return _outcome("forest, 10 to 500 trees", problem, ours, peers, wanted, is_long=True)


def nested_default() -> Outcome:
    """All default contenders on breast_cancer, against learners and grids of the same kind and size."""
    X, y = load_breast_cancer(return_X_y=True)
    table = table_of(X, y)
    everyone = ho.default_contenders(ho.Task(table, target="y"))
    contenders = tuple(each for each in everyone if each.name != "rules")
    asked = ("accuracy", "forest")
    with tempfile.TemporaryDirectory() as folder:
        studies = ReadyStudies(folder, table, "y", 6)
        theirs = partial(_best_of, _default_peers(contenders), X, y)
        pieces = KeptResults(
            {
                OURS: partial(studies.cells_score, contenders, *asked),
                WHOLE: partial(studies.study_score, everyone, *asked),
                GRID_SEARCH: theirs,
            }
        )
        seconds = interleaved_work(pieces.work, 2)
    entries = _entries(seconds, pieces.results)
    notes = (
        "settings: " + ", ".join(f"{each.name} {each.n_settings}" for each in everyone),
        "scikit-learn has no rules, so they are compared without; to the verdict is with them",
        _made(studies),
    )
    title = f"all default contenders on breast_cancer, {X.shape[0]} × {X.shape[1]}"
    return Outcome(title, CLOCK, entries, speed_goals(entries, {GRID_SEARCH: 20}), notes)


def cell_overhead() -> Outcome:
    """What a cell costs beyond its learning: a baseline in 300 cells, run one after the other."""
    problem = numbers_problem(1_000, 20)
    baseline = ho.Contender("baseline", ho.BaselineClassifier())
    few, many = (ho.Plan(baseline, folds=ho.KFold(10, repeats=repeats)) for repeats in (1, 30))
    with tempfile.TemporaryDirectory() as folder:
        studies = ReadyStudies(folder, table_of(problem.X, problem.y), "y", 8)
        seconds = interleaved_work(
            {"10 cells": partial(studies.run, few), "300 cells": partial(studies.run, many)}, 3
        )
    a_cell = (min(seconds["300 cells"]) - min(seconds["10 cells"])) / 290 * 1000
    entries = tuple(Entry(name, rounds) for name, rounds in seconds.items())
    goal = Goal("overhead of a cell", 5.0, a_cell, at_least=False, unit=" ms")
    return Outcome("a study of a baseline, 1,000 × 20", "seconds on the wall, 1 process", entries, (goal,))


def _outcome(
    title: str,
    problem: Problem,
    contender: Any,
    peers: Mapping[str, Callable[[], float]],
    wanted: dict[str, float],
    is_long: bool = False,
) -> Outcome:
    asked = ([contender], "mse" if problem.is_regression else "accuracy", contender.name)
    with tempfile.TemporaryDirectory() as folder:
        studies = ReadyStudies(folder, table_of(problem.X, problem.y), "y", 9)
        ours = {OURS: partial(studies.cells_score, *asked), WHOLE: partial(studies.study_score, *asked)}
        pieces: KeptResults[float] = KeptResults({**ours, **peers})
        seconds = _once(pieces) if is_long else interleaved_work(pieces.work, 3, patience_seconds=60)
    entries = _entries(seconds, pieces.results)
    goals = speed_goals(entries, wanted)
    return Outcome(f"{title}, 5,000 × 20", CLOCK, entries, goals, (_made(studies),))


def _made(studies: ReadyStudies) -> str:
    return f"off the clock: {studies.seconds:.3f} s to make the study file, once for all plans"


def _best_of(peers: list[tuple[Any, dict[str, list[Any]]]], X: Any, y: Any) -> float:
    return max(grid_search_score(estimator, grid, X, y, "accuracy") for estimator, grid in peers)


def _once(pieces: KeptResults[float]) -> dict[str, tuple[float, ...]]:
    return {name: (clocked(work)[1],) for name, work in pieces.work.items()}


def _entries(seconds: dict[str, tuple[float, ...]], scores: dict[str, float]) -> tuple[Entry, ...]:
    return tuple(
        Entry(name, rounds, abs(scores[name]), is_shown_only=name == WHOLE)
        for name, rounds in seconds.items()
    )


def _grid_search(estimator: Any, grid: Mapping[str, Any], problem: Problem) -> float:
    scoring = "neg_mean_squared_error" if problem.is_regression else "accuracy"
    return grid_search_score(estimator, grid, problem.X, problem.y, scoring)


def _default_peers(contenders: Any) -> list[tuple[Any, dict[str, list[Any]]]]:
    """Of each kind the peer's own learner with as many settings."""
    spaces = {contender.name: contender.space for contender in contenders}
    tree = {"min_samples_leaf": spaces["tree"]["min_leaf"], "ccp_alpha": [0.1, 0.03, 0.01, 0.003, 0.001]}
    forest = {"max_features": spaces["forest"]["max_features"], "n_estimators": spaces["forest"]["n_trees"]}
    return [
        (DummyClassifier(), {}),
        (DecisionTreeClassifier(random_state=0), tree),
        (RandomForestClassifier(random_state=0), forest),
        (
            make_pipeline(StandardScaler(), KNeighborsClassifier()),
            {"kneighborsclassifier__n_neighbors": spaces["neighbors"]["k"]},
        ),
        (
            make_pipeline(StandardScaler(), Perceptron(random_state=0, tol=None)),
            {"perceptron__max_iter": spaces["perceptron"]["epochs"]},
        ),
    ]
