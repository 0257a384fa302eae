"""The contenders of a task where no one names others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import heldout as ho
from heldout.errors import InputTypeError
from heldout.plan.default_contenders import fewest_inner_rows
from heldout.plan.resolved_plan import resolve_plan
from heldout.split.row_facts import RowFacts

from .small_tasks import class_task, number_task

CLASSES = ["baseline", "tree", "rules", "forest", "neighbors", "perceptron"]
NUMBERS = ["baseline", "tree", "forest", "neighbors", "ridge"]


def by_name(task: ho.Task) -> dict[str, ho.Contender]:
    """The default contenders of a task."""
    return {contender.name: contender for contender in ho.default_contenders(task)}


def test_their_names() -> None:
    """Classes and numbers each have the contenders that the design names."""
    assert list(by_name(class_task({"no": 30, "yes": 30}))) == CLASSES
    assert list(by_name(number_task())) == NUMBERS


def test_the_tree_is_a_pruned_one_of_c45() -> None:
    """The tree is C4.5's, and chooses how much is pruned."""
    tree = by_name(class_task({"no": 30, "yes": 30}))["tree"]
    assert tree.learner.get_params() == ho.TreeClassifier.c45().get_params()
    assert tree.learner.prune == "pessimistic"
    assert "prune_confidence" in tree.space


@pytest.mark.parametrize(
    "task", [class_task({"no": 40, "yes": 20}), class_task({"a": 9, "b": 9, "c": 9}), number_task(45)]
)
def test_every_setting_learns(task: ho.Task) -> None:
    """The first and last setting of every contender fit a table with categories and gaps, and answer."""
    for contender in ho.default_contenders(task):
        for setting in contender.settings()[:: max(1, contender.n_settings - 1)]:
            learner = contender.learner.set_params(**setting)
            model = make_pipeline(ho.prepare_for(learner, task), learner).fit(task.X, task.y)
            answers = model.predict(task.X)
            assert len(answers) == task.n_rows
            if task.kind == "regression":
                assert np.isfinite(answers).all()
            else:
                assert set(answers) <= set(task.classes)


def test_a_sweep_takes_every_space() -> None:
    """Each space is one that the learner's own sweep takes, in the order of the contender's settings."""
    for task in (class_task({"no": 40, "yes": 40}), number_task(80)):
        for contender in ho.default_contenders(task):
            learner = contender.learner
            if contender.space is None or not hasattr(learner, "sweep"):
                continue
            X = ho.prepare_for(learner, task).fit_transform(task.X)
            assert learner.sweep(X, task.y, contender.space).settings == contender.settings()


@pytest.mark.parametrize(
    "task",
    [
        class_task({"no": 6, "yes": 6}),
        class_task({"no": 40, "yes": 40}, groups=[0] * 55 + list(range(1, 26))),
        class_task({"no": 60, "yes": 60}, time=np.arange(120)),
        number_task(90, time=np.repeat(np.arange(30), 3), groups=np.repeat(np.arange(30), 3)),
        number_task(20),
    ],
    ids=["few", "one large group", "time", "groups and time", "few numbers"],
)
def test_no_more_neighbors_than_rows(task: ho.Task) -> None:
    """The largest k fits into the smallest part that the usual plan learns from, by group and time too."""
    most = max(by_name(task)["neighbors"].space["k"])
    facts = RowFacts.of(task)
    sizes = [
        len(inner.train)
        for fold in ho.KFold(10, repeats=3).folds(facts, 5, shrink=True)
        for inner in ho.KFold(5).folds(facts.take(fold.train), 5, shrink=True)
    ]
    assert most <= min(sizes)
    assert most >= 1


def test_many_rows_have_more_neighbors() -> None:
    """From some 200 rows on all numbers of neighbors are tried, and also by two folds within two."""
    task = class_task({"no": 150, "yes": 150})
    assert by_name(task)["neighbors"].space["k"] == [51, 31, 21, 15, 11, 9, 7, 5, 3, 1]
    assert fewest_inner_rows(task) == 75


def test_one_large_class_of_several_lets_classes_be_weighed() -> None:
    """Of three classes with a large one trees, rules and forests may weigh them; two have thresholds."""
    rare = by_name(class_task({"a": 90, "b": 5, "c": 5}))
    for others in ({"no": 90, "yes": 10}, {"no": 50, "yes": 50}, {"a": 30, "b": 30, "c": 30}):
        even = by_name(class_task(others))
        for name in ("tree", "rules", "forest"):
            assert rare[name].space["class_weight"] == [None, "balanced"]
            assert "class_weight" not in even[name].space


def test_simple_settings_come_first() -> None:
    """Of equal scores the first setting wins, so lists begin with what prunes, smooths or shrinks most."""
    classes, numbers = by_name(class_task({"no": 150, "yes": 150})), by_name(number_task(300))
    assert classes["tree"].space["prune_confidence"] == sorted(classes["tree"].space["prune_confidence"])
    for name, parameter in (
        ("neighbors", "k"),
        ("ridge", "alpha"),
        ("tree", "prune_alpha"),
        ("tree", "min_leaf"),
    ):
        assert numbers[name].space[parameter] == sorted(numbers[name].space[parameter], reverse=True)


@pytest.mark.parametrize("n_rows", [10, 60, 500, 20_000])
def test_penalties_span_what_matters(n_rows: int) -> None:
    """The smallest penalty leaves a column almost as it is, the largest shrinks it to a third or less."""
    alphas = by_name(number_task(n_rows))["ridge"].space["alpha"]
    X = np.random.default_rng(0).normal(size=(n_rows, 1))
    y = 3 * X[:, 0]
    X = ho.Scale().fit_transform(X)
    slopes = [ho.RidgeRegressor(alpha=alpha).fit(X, y).coef_[0] for alpha in (alphas[-1], alphas[0], 0.0)]
    assert slopes[0] == pytest.approx(slopes[2], rel=1e-3)
    assert slopes[1] < slopes[2] / 3
    assert len(set(alphas)) == 13


def test_they_can_be_written_and_read() -> None:
    """A plan of the default contenders goes through JSON, and the digests stay."""
    for task in (class_task({"no": 30, "yes": 30}), number_task()):
        plan = ho.Plan(ho.default_contenders(task))
        assert ho.Plan.from_json(plan.to_json()).digest == plan.digest


def test_they_suit_their_task() -> None:
    """The default contenders resolve without a word but that a perceptron has no probabilities."""
    task = class_task({"no": 60, "yes": 50})
    assert resolve_plan(ho.Plan(ho.default_contenders(task)), task).notes == (
        "No log_loss for perceptron: no probabilities to judge.",
    )
    assert resolve_plan(ho.Plan(ho.default_contenders(number_task())), number_task()).notes == ()


def test_texts_become_words() -> None:
    """A table with texts has the same contenders, and their preparation makes words of it."""
    table = ho.Table(
        [
            ho.Column("note", "text", np.array(["good bread", "bad milk"] * 10, dtype=object)),
            class_task({"no": 10, "yes": 10}).table["target"],
        ]
    )
    task = ho.Task(table, target="target")
    for contender in ho.default_contenders(task):
        model = make_pipeline(ho.prepare_for(contender.learner, task), clone(contender.learner))
        assert len(model.fit(task.X, task.y).predict(task.X)) == 20


@pytest.mark.parametrize("task", [None, "churn", class_task({"no": 5, "yes": 5}).table])
def test_only_a_task_has_contenders(task: Any) -> None:
    """Anything but a task is refused with how to make one."""
    with pytest.raises(InputTypeError, match=r"ho\.Task"):
        ho.default_contenders(task)
