"""Class factors: the mean probability of new rows has the shares of the classes, and nothing else changes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.learners.class_shares import calibrated, class_factors, factors_beyond_noise


def apart(seed: int = 0, n_rows: int = 900) -> tuple[np.ndarray, np.ndarray]:
    """Three classes, of which the rarest lies around the others."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, 3))
    y = np.where((X**2).sum(axis=1) + draw.normal(size=n_rows) > 6, "out", np.where(X[:, 0] > 0, "a", "b"))
    return X, y


def test_factors_give_the_mean_its_shares() -> None:
    """Rows count by their weights, and a row that counts twice is two rows."""
    draw = np.random.default_rng(1)
    probabilities, shares = draw.dirichlet([1, 2, 3], 40), np.array([0.2, 0.2, 0.6])
    weights = draw.integers(1, 4, 40)
    factors = class_factors(probabilities, shares, weights.astype(float))
    assert factors.max() == 1.0
    mean = np.average(calibrated(probabilities, factors), axis=0, weights=weights)
    assert mean == pytest.approx(shares, abs=1e-3)
    assert np.array_equal(factors, class_factors(np.repeat(probabilities, weights, axis=0), shares))


def test_noise_is_not_mended() -> None:
    """The mean of few rows may be off by chance; of many rows the same difference is a bias."""
    probabilities = np.tile([0.4, 0.6], (10, 1))
    codes = np.array([0] * 5 + [1] * 5)
    assert factors_beyond_noise(probabilities, codes).tolist() == [1.0, 1.0]
    many = factors_beyond_noise(np.tile(probabilities, (40, 1)), np.tile(codes, 40))
    assert many == pytest.approx([1.0, 2 / 3], abs=1e-4)
    weighed = factors_beyond_noise(np.tile(probabilities, (40, 1)), np.tile(codes, 40), np.full(400, 0.25))
    assert np.array_equal(weighed, many)
    assert factors_beyond_noise(np.empty((0, 2)), np.empty(0, dtype=np.intp)).tolist() == [1.0, 1.0]


def test_a_class_that_no_row_has_keeps_its_factor() -> None:
    """It cannot be learned from these rows how likely it is."""
    probabilities = np.tile([0.5, 0.3, 0.2], (900, 1))
    factors = factors_beyond_noise(probabilities, np.repeat([0, 1], 450))
    assert np.isfinite(factors).all()
    assert (factors > 0).all()


@pytest.mark.parametrize("learner", [ho.TreeClassifier(), ho.RuleClassifier()])
def test_factors_change_probabilities_alone(learner: Any) -> None:
    """Classes, texts and the fitted learner itself stay as they are; every probability is multiplied."""
    X, y = apart()
    model = learner.fit(X, y)
    plain, text, factors = model.predict_proba(X), model.to_text(), np.array([0.1, 1.0, 0.4])
    changed = model._with_class_factors(factors)
    assert changed.predict(X).tolist() == model.predict(X).tolist()
    assert changed.to_text() == text
    assert np.array_equal(changed.predict_proba(X), calibrated(plain, factors))
    assert np.array_equal(model.predict_proba(X), plain)
    again = changed.fit(X, y)
    assert np.array_equal(again.predict_proba(X), plain)


def test_explanations_and_rules_of_a_tree_have_the_factors() -> None:
    """What is shown of a row is what is predicted of it."""
    X, y = apart()
    tree = ho.TreeClassifier().fit(X, y)._with_class_factors(np.array([0.1, 1.0, 0.4]))
    told = tree.predict_proba(X[:1])[0]
    assert list(tree.explain(X[:1]).distribution.values()) == told.tolist()
    assert any(np.array_equal(rule.distribution, told) for rule in tree.rules())


@pytest.mark.parametrize("options", [{}, {"combine": "vote"}, {"class_weight": "balanced"}])
def test_a_calibrated_forest_has_the_shares_in_new_rows(options: dict[str, Any]) -> None:
    """Rows out of the bag tell how far off the mean is; `predict` does not change."""
    X, y = apart(2, 3000)
    off = {}
    for calibrate in (False, True):
        forest = ho.ForestClassifier(50, **options)
        model = (forest._fit_calibrated if calibrate else forest.fit)(X[:1500], y[:1500])
        shares = np.array([np.mean(y[1500:] == name) for name in model.classes_])
        off[calibrate] = np.abs(model.predict_proba(X[1500:]).mean(axis=0) - shares).max()
        labels = model.predict(X)
        off[f"labels {calibrate}"] = labels.tolist()
    assert off[True] < max(0.01, off[False])
    assert off["labels True"] == off["labels False"]
    assert (model.class_factors_ < 1).any()
    assert (model.fit(X, y).class_factors_ == 1).all()


def test_where_no_row_is_new_the_factors_are_1() -> None:
    """Without a bootstrap, or with one group, every tree has seen every row, and nobody complains."""
    X, y = apart(4, 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        models = [
            ho.ForestClassifier(5, bootstrap=False)._fit_calibrated(X, y),
            ho.ForestClassifier(5)._fit_calibrated(X, y, groups=np.zeros(60)),
            ho.ForestClassifier(1)._fit_calibrated(X[:2], y[:2]),
        ]
    assert all((model.class_factors_ == 1).all() for model in models)
