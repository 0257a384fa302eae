"""What a cell learns does not depend on its test rows: replaced by garbage, they change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import heldout as ho
from heldout.metrics.metric_registry import metric_named
from heldout.plan.contender import Contender
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.study.cells.cell import run_cell
from heldout.study.cells.cell_entries import cell_entries
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.work import Work
from heldout.table.column import category_column

from ..unit.study.made_work import cells_of, key_of, made_work
from .fitted_state import state_of
from .made_rows import made_rows

N_ROWS = 90
CLASSES = ("high", "low", "middle")
NUMBERS = ("TreeRegressor", "ForestRegressor", "NeighborsRegressor", "LinearRegressor", "RidgeRegressor")

LEARNERS: list[tuple[Any, Any]] = [
    (ho.TreeClassifier(), {"max_depth": [1, 3, None], "min_leaf": [1, 5]}),
    (ho.TreeClassifier(), {"prune": ["reduced_error", "pessimistic"]}),
    (ho.RuleClassifier(), {"min_leaf": [2, 6]}),
    (ho.ForestClassifier(), {"n_trees": [2, 5]}),
    (ho.NeighborsClassifier(), {"k": [1, 5, 9]}),
    (ho.Perceptron(), {"epochs": [1, 4]}),
    (ho.BaselineClassifier(), {"strategy": ["prior", "majority"]}),
    (ho.TreeRegressor(), {"max_depth": [1, 3, None]}),
    (ho.ForestRegressor(), {"n_trees": [2, 5]}),
    (ho.NeighborsRegressor(), {"k": [1, 5, 9]}),
    (ho.LinearRegressor(), {"fit_intercept": [True, False]}),
    (ho.RidgeRegressor(), {"alpha": [0.01, 1.0, 100.0]}),
    (ho.BaselineRegressor(), {"strategy": ["mean", "median"]}),
    (LogisticRegression(max_iter=15), {"C": [0.01, 1.0]}),
]


def _columns(
    is_garbage: NDArray[np.bool_], form: str, is_regression: bool
) -> tuple[ho.Table, dict[str, Any]]:
    """Inputs and what else belongs to the rows; garbage has values, levels, words and answers of its own."""
    X = made_rows(form, N_ROWS, is_garbage)
    draws = np.random.default_rng(5)
    size = made_rows("whole", N_ROWS, np.zeros(N_ROWS, dtype=bool))["size"].values
    strength = size + 0.2 * draws.standard_normal(N_ROWS)
    labels = np.array(CLASSES)[(strength > 0.4).astype(int) + (strength > 0.6)]
    y: NDArray[Any] = (
        np.where(is_garbage, -1e9, strength) if is_regression else np.where(is_garbage, "high", labels)
    )
    groups = np.where(is_garbage, "0 before all", [f"g{place}" for place in draws.integers(0, 25, N_ROWS)])
    time = np.where(is_garbage, -1.0, draws.permutation(N_ROWS).astype(np.float64))
    weights = np.where(is_garbage, 1e6, draws.integers(1, 4, N_ROWS).astype(np.float64))
    return X, {"y": y, "groups": groups, "time": time, "weights": weights}


def _work(contender: Contender, form: str, is_regression: bool, roles: tuple[str, ...]) -> Work:
    """Two folds made by hand over the true rows, so that nothing but the values changes later."""
    X, known = _columns(np.zeros(N_ROWS, dtype=bool), form, is_regression)
    table = ho.Table([*X.columns, ho.Column("answer", "number", np.arange(N_ROWS) % 2 * 1.5)])
    task = ho.Task(table, "answer", kind="regression" if is_regression else "classification")
    place = np.arange(N_ROWS)
    folds = [Fold(0, part, place[place % 2 != part], place[place % 2 == part]) for part in range(2)]
    choose_by = metric_named("mse" if is_regression else "accuracy")
    metrics = [choose_by] if is_regression else [choose_by, metric_named("balanced_accuracy")]
    made = made_work(task, contender, folds=folds, choose_by=choose_by, metrics=metrics)
    return _over(made, X, known, roles, () if is_regression else CLASSES)


def _over(
    work: Work, X: ho.Table, known: dict[str, Any], roles: tuple[str, ...], classes: tuple[str, ...]
) -> Work:
    used = {role: known[role] for role in roles if role != "weights"}
    facts = RowFacts(known["y"], work.facts.kind, **used)
    weights = known["weights"] if "weights" in roles else None
    return replace(work, X=X, y=known["y"], facts=facts, weights=weights, classes=classes, positive=None)


def _check_nothing_leaks(contender: Contender, form: str = "table", roles: tuple[str, ...] = ()) -> None:
    is_regression = type(contender.learner).__name__ in (*NUMBERS, "BaselineRegressor")
    work = _work(contender, form, is_regression, roles)
    for fold in work.folds:
        is_test = np.isin(np.arange(N_ROWS), fold.test)
        garbage = _over(work, *_columns(is_test, form, is_regression), roles, work.classes)
        for row in fold.test[:3]:
            assert garbage.X["size"].values[row] != work.X["size"].values[row]
        found = [_learned(each, contender, fold, work.X) for each in (work, garbage)]
        assert found[0] == found[1]


def _learned(work: Work, contender: Contender, fold: Fold, X: ho.Table) -> Any:
    """All that a cell learns: inner folds, choice, scores, model, bits, and answers to rows that stay."""
    inner = [(part.train.tolist(), part.judged.tolist()) for part in work.tuning_folds(fold)]
    cell = run_cell(work, key_of(work, contender.name, fold))
    chosen = chosen_on(work, contender, fold.train)
    answers = chosen.fitted.predict(X.take(fold.train))
    return (
        inner,
        cell.chosen,
        cell.choice_scores.tobytes(),
        cell.bits,
        state_of(chosen.fitted.learner),
        state_of(chosen.fitted.preparation),
        answers.tobytes(),
        [look for look in cell.looks if look.what != "score"],
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("learner", "space"), LEARNERS, ids=lambda given: type(given).__name__ if hasattr(given, "fit") else ""
)
def test_test_rows_leave_no_trace(learner: Any, space: Any) -> None:
    """For every learner, on gaps, categories, dates and texts: garbage in the test rows changes nothing."""
    _check_nothing_leaks(ho.Contender("tried", learner, space))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("roles", [("groups",), ("time",), ("weights",), ("groups", "time", "weights")])
def test_groups_times_and_weights_of_test_rows_leave_no_trace(roles: tuple[str, ...]) -> None:
    """Other groups, times and weights in the test rows change neither the inner folds nor what is learned."""
    _check_nothing_leaks(ho.Contender("tried", ho.TreeClassifier(), {"max_depth": [1, 4]}), roles=roles)
    _check_nothing_leaks(ho.Contender("tried", ho.RidgeRegressor(), {"alpha": [0.1, 9.0]}), "whole", roles)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_preparation_and_resampling_see_training_rows_only() -> None:
    """A preparation with settings of its own, and resampled classes, learn from the training part alone."""
    space = {"k": [1, 5], "prepare__scale__by": ["variance", "max"]}
    near = ho.Contender("tried", ho.NeighborsClassifier(), space, resample="up")
    _check_nothing_leaks(near)


def _written(result: Any) -> list[Any]:
    """The entries of a cell without its clock."""
    return [
        (
            entry.kind,
            entry.key,
            entry.body["result"] if entry.kind == "cell" else entry.body,
            sorted((name, array.tobytes()) for name, array in entry.arrays.items()),
        )
        for entry in cell_entries(result)
    ]


def test_a_whole_cell_is_the_same_in_every_order() -> None:
    """Cells give the same entries alone, in reverse order, after others, and from work that was pickled."""
    import pickle

    work = _work(ho.Contender("tried", ho.ForestClassifier(), {"n_trees": [2, 5]}), "table", False, ())
    keys = [key_of(work, "tried", fold) for fold in work.folds]
    forward = [_written(run_cell(work, key)) for key in keys]
    backward = [_written(run_cell(replace(work), key)) for key in reversed(keys)][::-1]
    assert forward == backward
    # Fresh processes are tried where they are started: test_a_script_without_a_main_guard_works.
    fresh, their_keys = pickle.loads(pickle.dumps((work, keys)))
    assert [_written(run_cell(fresh, key)) for key in their_keys] == forward


@pytest.mark.parametrize("name", ["ForestClassifier", "NeighborsClassifier", "TreeClassifier"])
def test_threads_change_nothing(name: str) -> None:
    """A learner that may use two threads gives the bits of one."""
    space = {"k": [1, 5]} if name == "NeighborsClassifier" else {"min_leaf": [1, 4]}
    if name == "NeighborsClassifier":
        learners = [ho.NeighborsClassifier(n_jobs=n_jobs) for n_jobs in (1, 2)]
    else:
        learners = [getattr(ho, name)(n_jobs=n_jobs, random_state=3) for n_jobs in (1, 2)]
    found = []
    for learner in learners:
        work = _work(ho.Contender("tried", learner, space), "table", False, ())
        cells = [run_cell(work, key_of(work, "tried", fold)) for fold in work.folds]
        found.append(
            [
                (cell.chosen, cell.choice_scores.tobytes(), cell.bits, state_of(cell.predictions))
                for cell in cells
            ]
        )
    assert found[0] == found[1]


def test_all_rows_are_chosen_on_as_a_cell_chooses() -> None:
    """`chosen_on` over the training part of a fold is what the cell of that fold learned."""
    contender = ho.Contender("tried", ho.TreeClassifier(), {"max_depth": [1, 2, None]})
    work = _work(contender, "table", False, ())
    fold = work.folds[0]
    cell = run_cell(work, key_of(work, "tried", fold))
    chosen = chosen_on(work, contender, fold.train)
    assert chosen.choice.setting == cell.chosen
    assert chosen.fitted.length.bits == cell.bits
    answers = work.codes_of(chosen.fitted.predict(work.X.take(fold.test)), "tried")
    assert answers.tolist() == cell.predictions["labels"].tolist()


def test_a_learner_that_memorises_scores_at_chance_across_groups() -> None:
    """Rows of a group are near copies with one answer by chance: known groups are easy, new ones a coin."""
    draws = np.random.default_rng(8)
    nest = np.repeat(np.arange(60), 4)
    spot = draws.standard_normal(60)[nest] + 1e-4 * draws.standard_normal(240)
    answer = np.array(["no", "yes"])[draws.permutation(np.arange(60) % 2)][nest]
    table = ho.Table(
        [
            ho.Column("spot", "number", spot),
            ho.Column("nest", "number", nest.astype(np.float64)),
            category_column("answer", answer.tolist()),
        ]
    )
    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 2]})
    together = made_work(ho.Task(table, "answer", groups="nest"), near, folds=ho.KFold(5))
    apart = made_work(ho.Task(table.drop("nest"), "answer"), near, folds=ho.KFold(5))
    means = [
        np.mean([cell.scores["accuracy"] for cell in cells_of(work, "near")]) for work in (together, apart)
    ]
    assert means[1] > 0.95
    assert abs(means[0] - 0.5) < 3 * 0.5 / np.sqrt(60)
