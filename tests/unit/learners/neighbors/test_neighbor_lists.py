"""Neighbors that are searched once for a table are those that every fold of it would find."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import heldout as ho
from heldout.learners.neighbors import neighbor_lists
from heldout.table.table import Table

KS = {"k": [1, 2, 7, 12]}


def made_table(n_rows: int = 150, digits: int = 1, seed: int = 0) -> Table:
    """Rounded numbers: many rows are equally far from each other, and some are equal."""
    numbers = np.random.default_rng(seed).normal(size=(n_rows, 3)).round(digits)
    return ho.read_table({name: numbers[:, place] for place, name in enumerate("abc")})


def parts(n_rows: int, seed: int = 1) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn from, fewer and fewer of them, and all others."""
    generator = np.random.default_rng(seed)
    for share in (0.9, 0.7, 0.3):
        is_member = generator.random(n_rows) < share
        yield np.flatnonzero(is_member), np.flatnonzero(~is_member)


@pytest.mark.parametrize("metric", ["l2", "l1", "linf", "cosine"])
@pytest.mark.parametrize("weights", ["uniform", "inverse"])
def test_shared_neighbors_answer_as_those_of_each_fold(metric: str, weights: str) -> None:
    """Sweeps and fits on parts of a shared table answer bit for bit as on one that is not shared."""
    table, plain = made_table(), made_table()
    y = np.random.default_rng(2).normal(size=150)
    learner = ho.NeighborsRegressor(metric=metric, weights=weights, k=7)
    assert learner.share(table, 12)
    for train, test in parts(150):
        shared = learner.sweep(table[train], y[train], KS).predict(table[test])
        alone = learner.sweep(plain[train], y[train], KS).predict(plain[test])
        assert shared.tobytes() == alone.tobytes()
        one = clone(learner).fit(table[train], y[train]).predict(table[test])
        assert one.tobytes() == alone[2].tobytes()


@pytest.mark.parametrize("weights", ["uniform", "inverse"])
def test_probabilities_of_shared_neighbors_are_those_of_each_fold(weights: str) -> None:
    """What is learned from the training rows, each answered by the others, is the same from the lists."""
    table, plain = made_table(), made_table()
    y = np.where(
        np.abs(np.column_stack([table[name].values for name in "abc"])).sum(axis=1) > 3, "far", "near"
    )
    learner = ho.NeighborsClassifier(weights=weights, k=7, calibrate=True)
    assert learner.share(table, 12)
    for train, test in parts(150):
        shared = learner.sweep(table[train], y[train], KS)
        alone = learner.sweep(plain[train], y[train], KS)
        assert shared.predict_proba(table[test]).tobytes() == alone.predict_proba(plain[test]).tobytes()
        for place, k in enumerate(KS["k"]):
            one = clone(learner).set_params(k=k).fit(plain[train], y[train])
            assert np.array_equal(one.class_factors_, shared.model(place).class_factors_)
            assert one.class_factors_.min() < 1
            assert (
                one.predict_proba(plain[test]).tobytes() == alone.predict_proba(plain[test])[place].tobytes()
            )


def test_shared_neighbors_are_really_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fold of a shared table asks the lists, and one of another table does not."""
    asked = []
    among = neighbor_lists.NeighborLists.among
    monkeypatch.setattr(
        neighbor_lists.NeighborLists, "among", lambda *given: asked.append(1) or among(*given)
    )
    table, labels = made_table(), np.arange(150) % 2
    learner = ho.NeighborsClassifier(calibrate=True)
    learner.share(table, 5)
    train, test = np.arange(100), np.arange(100, 150)
    fitted = learner.fit(table[train], labels[train])
    assert len(asked) == 1  # the training rows ask for the others
    fitted.predict(table[test])
    assert len(asked) == 2
    learner.predict(made_table()[test])
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("train", "test"),
    [
        (np.r_[0:50, 40:80], np.arange(90, 150)),
        (np.arange(100)[::-1], np.arange(100, 150)),
        (np.arange(100), np.arange(50, 150)),
        (np.arange(100), np.array([140, 120, 120])),
    ],
    ids=["rows twice", "rows turned around", "rows that learn and are asked", "asked out of order"],
)
def test_other_selections_answer_as_without_lists(train: np.ndarray, test: np.ndarray) -> None:
    """Rows that come twice, in another order or on both sides are answered as on a table without lists."""
    table, plain, y = made_table(), made_table(), np.random.default_rng(3).normal(size=150)
    learner = ho.NeighborsRegressor(k=9, weights="inverse")
    learner.share(table, 9)
    shared = clone(learner).fit(table[train], y[train]).predict(table[test])
    alone = clone(learner).fit(plain[train], y[train]).predict(plain[test])
    assert shared.tobytes() == alone.tobytes()


@pytest.mark.parametrize("metric", ["mahalanobis", "gower", "hamming"])
def test_a_metric_that_may_learn_is_not_shared(metric: str) -> None:
    """What a metric learns differs from fold to fold, so its neighbors are not listed."""
    table = made_table()
    assert not ho.NeighborsClassifier(metric=metric).share(table, 5)
    assert table.shared == {}


def test_weights_of_columns_have_lists_of_their_own() -> None:
    """Lists made with other weights of the columns are not asked."""
    table, plain, y = made_table(), made_table(), np.random.default_rng(4).normal(size=150)
    ho.NeighborsRegressor().share(table, 5)
    learner: Any = ho.NeighborsRegressor(feature_weights=[1.0, 5.0, 0.0])
    train, test = np.arange(100), np.arange(100, 150)
    shared = clone(learner).fit(table[train], y[train]).predict(table[test])
    alone = clone(learner).fit(plain[train], y[train]).predict(plain[test])
    assert shared.tobytes() == alone.tobytes()


def test_rows_too_far_apart_are_not_listed() -> None:
    """A row at which distances overflow keeps the lists away, and folds without it still learn."""
    numbers = np.random.default_rng(5).normal(size=(60, 2))
    numbers[-1] = 1e200
    table = ho.read_table({"a": numbers[:, 0], "b": numbers[:, 1]})
    learner = ho.NeighborsClassifier(k=3)
    assert not learner.share(table, 58)
    model = learner.fit(table[np.arange(40)], np.arange(40) % 2)
    assert len(model.predict(table[np.arange(40, 59)])) == 19


def test_a_pickled_model_leaves_the_lists_behind() -> None:
    """The neighbors of rows that a model did not learn from are no part of it."""
    table, labels = made_table(), np.arange(150) % 2
    learner = ho.NeighborsClassifier(calibrate=True)
    learner.share(table, 5)
    train, test = np.arange(100), np.arange(100, 150)
    model = learner.fit(table[train], labels[train])
    again = pickle.loads(pickle.dumps(model))
    assert again._listed is None
    assert (again.predict(table[test]) == model.predict(table[test])).all()
