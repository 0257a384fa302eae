"""Parameters: what is allowed, and what the refusal says."""

import numpy as np
import pytest

from heldout import InputTypeError, RequestError, TreeClassifier, TreeRegressor
from heldout.learners.parameters import Parameter, check_parameters

X = np.array([[0.0], [1.0], [2.0], [3.0]])
y = np.array([0, 0, 1, 1])


def test_a_misspelt_word_is_refused_with_the_list_and_the_one_meant():
    """The error names every allowed value, where the wrong one stands, and the nearest."""
    with pytest.raises(RequestError) as caught:
        TreeClassifier(criterion="ginni").fit(X, y)
    assert caught.value.what == "criterion must be 'gain_ratio', 'entropy', 'gini' or 'error'"
    assert caught.value.where == "TreeClassifier(criterion='ginni')"
    assert caught.value.fix == "did you mean 'gini'?"


@pytest.mark.parametrize(
    "setting",
    [
        {"criterion": "squared_error"},
        {"missing": "surrogate"},
        {"numeric_cuts": "c50"},
        {"prune": "reduced"},
        {"prune_alpha": "auto"},
        {"prune_alpha": -0.1},
        {"prune_confidence": 0},
        {"prune_confidence": 1},
        {"prune_significance": 1.5},
        {"prune_order": "top_down"},
        {"validation_fraction": 0},
        {"validation_fraction": 1},
        {"categorical": "none"},
        {"categorical_splits": "binary"},
        {"max_depth": -1},
        {"max_depth": 10**400},
        {"min_leaf": -(10**400)},
        {"min_leaf": 0},
        {"min_leaf": float("nan")},
        {"min_gain": float("inf")},
        {"max_leaves": 0},
        {"cost_rule": "none"},
        {"cost_exponent": -0.5},
        {"class_weight": "heavy"},
        {"n_jobs": 0},
    ],
    ids=str,
)
def test_a_value_that_is_not_allowed_is_a_value_error(setting):
    """Each parameter refuses what it does not know, at fit and not before."""
    tree = TreeClassifier(**setting)
    with pytest.raises(RequestError) as caught:
        tree.fit(X, y)
    assert all([caught.value.what, caught.value.where, caught.value.fix])


@pytest.mark.parametrize(
    "setting",
    [
        {"criterion": None},
        {"average_gain": 1},
        {"max_depth": [3]},
        {"min_leaf": None},
        {"prune_ties": None},
        {"prune_alpha": None},
        {"n_jobs": object()},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_a_value_of_another_type_is_a_type_error(setting):
    """A wrong type is told from a wrong value."""
    with pytest.raises(InputTypeError):
        TreeClassifier(**setting).fit(X, y)


def test_a_regressor_knows_its_own_criterion_only():
    """The two trees have separate tables of parameters."""
    with pytest.raises(RequestError, match="must be 'squared_error'"):
        TreeRegressor(criterion="gini").fit(X, y)


def test_numpy_numbers_are_numbers():
    """A grid search over an array hands over NumPy scalars."""
    tree = TreeClassifier(max_depth=np.int64(1), min_leaf=np.float32(1.0), min_gain=np.float64(0.0))
    assert tree.fit(X, y).depth_ == 1


def test_a_large_limit_is_written_out():
    """The most epochs are a whole number, and are shown as one."""
    assert Parameter("epochs", number="integer", lowest=1, highest=2**32 - 1).allowed.endswith(
        "at most 4,294,967,295"
    )


def test_no_threads_are_refused_after_fit_too():
    """n_jobs that was changed after fit is looked at when the tree is walked."""
    tree = TreeClassifier().fit(X, y).set_params(n_jobs=0)
    with pytest.raises(RequestError, match="n_jobs must be None or an integer other than 0"):
        tree.predict(X)


def test_a_long_value_is_shortened():
    """The error shows the beginning of a long value, never all of it."""
    parameter = Parameter("min_leaf", number="number")
    holder = type("Holder", (), {"min_leaf": list(range(1000))})()
    with pytest.raises(InputTypeError) as caught:
        check_parameters(holder, [parameter])
    assert len(caught.value.where) < 90


def test_every_copy_of_a_sweep_is_checked() -> None:
    """A value that is not allowed is refused in whichever setting it stands, also one left as it was."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    for space in (
        [{"min_leaf": 1}, {"max_depth": -3}],
        [{"max_depth": -3}, {"min_leaf": 1}],
        {"min_leaf": [1, 2, -1]},
    ):
        with pytest.raises(RequestError, match="must be"):
            TreeClassifier().sweep(X, y, space)
    with pytest.raises(RequestError, match="max_depth must be"):
        TreeClassifier(max_depth=-3).sweep(X, y, [{"max_depth": 2}, {"min_leaf": 1}])
