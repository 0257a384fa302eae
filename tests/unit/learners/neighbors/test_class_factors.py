"""Votes of neighbors have the shares of the classes on average, also where a class lies apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.learners.neighbors import class_factors


def tail_rows(n_rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A class of about 12% that lies around the other, where rows are far from one another."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, 4))
    return X, np.where(np.abs(X).sum(axis=1) + draw.normal(size=n_rows) / 2 > 4.85, "far", "near")


def log_loss(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    told = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float(-np.log(told).mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [{"k": 5}, {"k": 15, "weights": "inverse"}, {"k": 9, "metric": "l1"}], ids=str
)
def test_new_rows_have_the_shares_on_average(settings: dict[str, Any]) -> None:
    """Within .01 over twenty tables, where the plain vote is off by more than .03; log loss gains by it."""
    offs, losses = [], []
    for seed in range(20):
        X, y = tail_rows(1400, seed)
        both = [ho.NeighborsClassifier(**settings, calibrate=c).fit(X[:400], y[:400]) for c in (True, False)]
        share = np.mean(y[:400] == "far")
        offs.append([model.predict_proba(X[400:])[:, 0].mean() - share for model in both])
        losses.append([log_loss(model, X[400:], y[400:]) for model in both])
        assert np.array_equal(*[model.predict(X[400:]) for model in both])
    assert abs(np.mean(offs, axis=0)[0]) <= 0.01
    assert np.mean(offs, axis=0)[1] < -0.03
    assert np.mean(losses, axis=0)[0] < np.mean(losses, axis=0)[1]


def test_training_rows_answered_by_the_others_have_the_shares() -> None:
    """That is what the factors are found by: every row is fitted without, and asked."""
    X, y = tail_rows(60, 3)
    model = ho.NeighborsClassifier(k=5, calibrate=True).fit(X, y)
    told = []
    for row in range(60):
        rest = np.delete(np.arange(60), row)
        plain = ho.NeighborsClassifier(k=5, smoothing=0).fit(X[rest], y[rest])
        prior = np.array([np.mean(y == label) for label in model.classes_])
        votes = (plain.predict_proba(X[[row]]) * 5 + prior / 4) / 5.25 * model.class_factors_
        told.append(votes[0] / votes.sum())
    assert np.mean(told, axis=0) == pytest.approx(prior, abs=1e-3)  # factors have four digits


def test_of_many_rows_some_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evenly spread ones: with fewer of them the mean varies more, and is right on average."""
    monkeypatch.setattr(class_factors, "MOST_ASKED", 300)
    offs = []
    for seed in range(8):
        X, y = tail_rows(1500, seed)
        model = ho.NeighborsClassifier(calibrate=True).fit(X[:1000], y[:1000])
        offs.append(model.predict_proba(X[1000:])[:, 0].mean() - np.mean(y == "far"))
    assert abs(np.mean(offs)) <= 0.01
    assert np.abs(offs).max() <= 0.05


def test_where_nothing_can_be_learned_votes_stay() -> None:
    """One row, one class, or all rows voting alike."""
    assert ho.NeighborsClassifier(k=1, calibrate=True).fit([[0.0]], ["a"]).class_factors_.tolist() == [1.0]
    assert ho.NeighborsClassifier(k=2, calibrate=True).fit(
        [[0.0], [1.0], [2.0]], ["a"] * 3
    ).class_factors_.tolist() == [1.0]
    X, y = tail_rows(50)
    everyone = ho.NeighborsClassifier(k="all", calibrate=True).fit(X, y)
    assert everyone.predict_proba(X[:1])[0, 0] == pytest.approx(np.mean(y == "far"), abs=1e-3)
    off = ho.NeighborsClassifier().fit(X, y)
    assert off.class_factors_.tolist() == [1.0, 1.0]


def test_a_class_without_votes_keeps_a_probability() -> None:
    """A single row is its own only friend: the others never vote for it, and it is not ruled out."""
    X, y = np.arange(30.0)[:, np.newaxis], np.array(["a"] * 29 + ["b"])
    model = ho.NeighborsClassifier(k=3, calibrate=True).fit(X, y)
    told = model.predict_proba(X)
    assert told.min() > 0
    assert told.max() < 1
    bare = ho.NeighborsClassifier(k=3, smoothing=0, calibrate=True).fit(X, y)
    assert np.isfinite(bare.predict_proba(X)).all()
