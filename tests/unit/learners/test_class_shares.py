"""Class weights serve decisions; probabilities are those of the rows, and none of them is 0."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from heldout import ForestClassifier, NeighborsClassifier, RuleClassifier, TreeClassifier
from heldout.models.export import export

WEIGHTED = [TreeClassifier, RuleClassifier, ForestClassifier]
WEIGHTS = [None, "balanced", {"no": 1.0, "yes": 3.0}]


def rare_rows(seed: int, n: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """Two numbers that tell something about a class of 12%."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 2))
    y = np.where(X[:, 0] + draw.normal(size=n) > 1.65, "yes", "no")
    return X, y


@pytest.mark.parametrize("learner", WEIGHTED)
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_the_mean_probability_is_the_share(learner, weights):
    """In the training rows the classes are as probable as they are frequent, whatever they weigh."""
    X, y = rare_rows(0)
    fitted = learner(class_weight=weights, min_leaf=20).fit(X, y)
    assert fitted.predict_proba(X)[:, 1].mean() == pytest.approx(np.mean(y == "yes"), abs=0.01)


@pytest.mark.parametrize("learner", WEIGHTED)
def test_class_weights_move_the_decision(learner):
    """Balanced classes are found more often, though the probabilities say how rare they are."""
    X, y = rare_rows(1)
    plain, weighted = (learner(class_weight=w, min_leaf=20).fit(X, y) for w in (None, "balanced"))
    assert np.mean(weighted.predict(X) == "yes") > 1.5 * np.mean(plain.predict(X) == "yes")
    by_weight = weighted.predict_proba(X) * weighted.class_weights_
    agree = weighted.predict(X) == weighted.classes_[by_weight.argmax(axis=1)]
    assert agree.mean() > 0.999


def test_a_leaf_has_one_imaginary_row():
    """The probabilities of a leaf are its rows and one more in the shares of the table, exactly."""
    X, y = np.array([[0.0]] * 3 + [[1.0]] * 5), np.array(["a"] * 3 + ["b"] * 4 + ["a"])
    tree = TreeClassifier.cart(prune=None, max_depth=1).fit(X, y)
    wanted = [float((3 + Fraction(1, 2)) / 4), float((1 + Fraction(1, 2)) / 6)]
    assert tree.predict_proba([[0.0], [1.0]])[:, 0].tolist() == pytest.approx(wanted, rel=1e-15)
    bare = TreeClassifier.cart(prune=None, max_depth=1, smoothing=0).fit(X, y)
    assert bare.predict_proba([[0.0], [1.0]])[:, 0].tolist() == [1.0, 0.2]


@pytest.mark.parametrize(
    "learner",
    [TreeClassifier(min_leaf=1), RuleClassifier(), ForestClassifier(20), NeighborsClassifier(k=1)],
    ids=str,
)
def test_nothing_is_certain(learner):
    """No class has the probability 0, and the largest is still the one that is predicted."""
    X, y = rare_rows(2, 300)
    fitted = learner.fit(X[:200], y[:200])
    found = fitted.predict_proba(X[200:])
    assert found.min() > 0
    assert found.sum(axis=1) == pytest.approx(1)
    assert np.array_equal(fitted.predict(X[200:]), fitted.classes_[found.argmax(axis=1)])


@pytest.mark.slow
@pytest.mark.parametrize("learner", [TreeClassifier, ForestClassifier])
def test_a_sweep_takes_out_class_weights_too(learner):
    """Each setting of a sweep has the probabilities of its own fit, to the bit, for any class weights."""
    X, y = rare_rows(3, 400)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    space = {"class_weight": WEIGHTS, "smoothing": [0.0, 1.0], "min_leaf": [2, 10]}
    sweep = learner().sweep(X, y, space)
    for setting, labels, found in zip(sweep.settings, sweep.predict(X), sweep.predict_proba(X), strict=True):
        fitted = learner(**setting).fit(X, y)
        assert np.array_equal(fitted.predict(X), labels)
        assert np.array_equal(fitted.predict_proba(X), found)


@pytest.mark.slow
@pytest.mark.parametrize("learner", WEIGHTED)
def test_exports_take_out_class_weights_too(learner):
    """The Python program of a weighted model has its classes and its probabilities, also for split rows."""
    X, y = rare_rows(4, 300)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    fitted = learner(class_weight="balanced", min_leaf=5).fit(X, y)
    program: dict = {}
    exec(export(fitted, "python"), program)
    rows = [{f"x{k}": value for k, value in enumerate(row)} for row in X.tolist()]
    assert [program["predict"](row) for row in rows] == fitted.predict(X).tolist()
    found = [list(program["predict_proba"](row).values()) for row in rows]
    np.testing.assert_allclose(found, fitted.predict_proba(X), rtol=1e-14)


def test_rows_are_called_rows():
    """Text, rules and picture of a weighted tree count the rows of the table; weights are called weights."""
    X, y = np.array([[0.0]] * 80 + [[1.0]] * 40), np.array(["no"] * 80 + ["no"] * 24 + ["yes"] * 16)
    tree = TreeClassifier.cart(prune=None, max_depth=1, class_weight="balanced").fit(X, y)
    assert (
        str(tree) == "x0 <= 0.5: no (80 rows, weight 46.15)\nx0 > 0.5: yes (40/24 rows, weight 73.85/13.85)"
    )
    assert "yes (40 rows, 24 wrong)" in str(tree.rules())
    picture = tree.to_svg()
    assert "no 104, yes 16 of 120" in picture
    assert "predictions by class weights" in picture


def test_weights_of_rows_are_called_weights():
    """A picture of weighted rows says that its numbers are weights."""
    tree = TreeClassifier.cart(prune=None).fit([[0.0], [1.0]], ["a", "b"], sample_weight=[2.0, 3.0])
    assert "numbers are weights" in tree.to_svg()
    assert (
        "numbers are weights" not in TreeClassifier.cart(prune=None).fit([[0.0], [1.0]], ["a", "b"]).to_svg()
    )
