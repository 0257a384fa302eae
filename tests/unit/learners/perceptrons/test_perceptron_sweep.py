"""A sweep of perceptrons is a set of separate fits, made in fewer runs."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from heldout import Perceptron, RequestError
from heldout.learners import perceptron_run


def problem(n_classes, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(120, 6)) * (draw.random((120, 6)) < 0.6)
    y = (X @ draw.normal(size=(6, n_classes)) + 0.3 * draw.normal(size=(120, n_classes))).argmax(axis=1)
    return X, np.array(["a", "b", "c", "d"])[y]


def assert_equal_to_fits(perceptron, X, y, space):
    sweep = perceptron.sweep(X, y, space)
    labels, margins = sweep.predict(X), sweep.decision_function(X)
    assert len(labels) == len(sweep) == len(sweep.settings)
    for i, setting in enumerate(sweep.settings):
        alone = clone(perceptron).set_params(**setting).fit(X, y)
        model = sweep.model(i)
        assert model.get_params() | {"random_state": 0} == alone.get_params() | {"random_state": 0}
        assert vars(model).keys() == vars(alone).keys()
        for name in ("n_mistakes_", "n_epochs_", "is_separated_", "n_rows_", "n_features_in_"):
            assert getattr(model, name) == getattr(alone, name)
        if setting.get("variant", perceptron.variant) != "voted":
            assert np.array_equal(model.coef_, alone.coef_)
            assert np.array_equal(model.intercept_, alone.intercept_)
        assert np.array_equal(labels[i], alone.predict(X))
        assert np.array_equal(margins[i], alone.decision_function(X))
        assert np.array_equal(model.decision_function(X), margins[i])


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_every_setting_is_as_if_fitted_alone(n_classes, form):
    """Epochs, variants, orders, intercepts and seeds: each setting has the bits of its own fit."""
    X, y = problem(n_classes)
    space = {
        "epochs": [5, 1, 12, 2],
        "variant": ["averaged", "plain", "voted"],
        "shuffle": [True, False],
        "fit_intercept": [True, False],
        "random_state": [None, 3],
    }
    assert_equal_to_fits(Perceptron(), form(X), y, space)


def test_the_columns_of_a_frame_are_known_to_every_setting():
    """Each model of the sweep of a frame knows the names of its columns, as its own fit does."""
    X, y = problem(3)
    frame = pd.DataFrame(X, columns=list("uvwxyz"))
    assert_equal_to_fits(Perceptron(), frame, y, {"epochs": [1, 2]})
    assert Perceptron().sweep(frame, y, {"epochs": [1, 2]}).model(1).feature_names_in_.tolist() == list(
        "uvwxyz"
    )


def test_epochs_after_the_separation_are_as_if_fitted_alone():
    """Settings of more epochs than it takes to separate the rows equal their own fits, averages included."""
    X = np.array([[-3.0], [-2.0], [-1.5], [1.0], [2.0], [4.0]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    space = {"epochs": list(range(1, 15)), "variant": ["averaged", "plain", "voted"]}
    assert Perceptron(epochs=15).fit(X, y).n_epochs_ < 14
    assert_equal_to_fits(Perceptron(), X, y, space)


def test_epochs_and_variants_share_one_run(monkeypatch):
    """However many epochs and variants are asked for, the rows are gone through once."""
    runs = []
    train = perceptron_run.train_perceptron

    def counted(*arguments, **options):
        runs.append(arguments[3])
        return train(*arguments, **options)

    monkeypatch.setattr(perceptron_run, "train_perceptron", counted)
    X, y = problem(3)
    Perceptron().sweep(X, y, {"epochs": [3, 1, 2], "variant": ["averaged", "plain"]})
    assert runs == [[1, 2, 3]]
    Perceptron().sweep(X, y, {"random_state": [1, 2], "shuffle": [False, True]})
    assert len(runs) == 1 + 3  # two seeds where they matter, and one run where they do not


def test_a_random_state_of_its_own_is_drawn_for_each_setting():
    """A RandomState is copied into each setting, as clone does it, so all settings see the same orders."""
    X, y = problem(2)
    assert_equal_to_fits(Perceptron(random_state=np.random.RandomState(4)), X, y, {"epochs": [1, 3]})


def test_probabilities_are_refused_with_a_reason():
    """A margin is no probability; the error says what can be had."""
    X, y = problem(2)
    with pytest.raises(RequestError, match="a perceptron has no probabilities") as refusal:
        Perceptron().sweep(X, y, {"epochs": [1]}).predict_proba(X)
    assert "decision_function" in refusal.value.fix


def test_the_perceptron_itself_is_not_changed():
    """A sweep fits copies."""
    X, y = problem(2)
    perceptron = Perceptron()
    perceptron.sweep(X, y, {"epochs": [1, 2]})
    assert vars(perceptron) == vars(Perceptron())


def test_a_wrong_setting_is_refused_before_anything_is_fitted():
    """Parameters of every setting are checked."""
    X, y = problem(2)
    with pytest.raises(RequestError, match="epochs must be an integer of at least 1"):
        Perceptron().sweep(X, y, {"epochs": [1, 0]})
    with pytest.raises(RequestError, match="Perceptron has no parameter 'epoch'"):
        Perceptron().sweep(X, y, {"epoch": [1]})
