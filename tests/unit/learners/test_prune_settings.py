"""Parameters of a pruning that is not the one chosen."""

import warnings

import numpy as np
import pytest

from heldout import RequestError, TreeClassifier, TreeRegressor
from heldout.learners.trees.pruned_trees import PRUNING_WITH

X = np.arange(40.0)[:, None]
y = np.arange(40) // 10 % 2

CHANGED = {
    "prune_alpha": 0.1,
    "prune_confidence": 0.1,
    "raise_subtrees": False,
    "prune_significance": 0.2,
    "prune_order": "bottom_up",
    "prune_ties": False,
    "validation_fraction": 0.5,
}


def test_every_parameter_of_a_pruning_is_known():
    """No parameter that a docstring gives to a pruning is forgotten."""
    assert set(CHANGED) == set(PRUNING_WITH)
    named = {name for name in TreeClassifier().get_params() if name.startswith("prune_")}
    assert named <= set(PRUNING_WITH)


@pytest.mark.parametrize("name", CHANGED)
def test_a_space_with_a_parameter_that_nothing_uses_is_refused(name):
    """Settings that would all be equal are no sweep; the fix names the pruning that is missing."""
    pruning = PRUNING_WITH[name]
    other = "chi_square" if pruning != "chi_square" else "pessimistic"
    space = {"prune": [None, other], name: [CHANGED[name]]}
    with pytest.raises(RequestError, match=f"{name} is in the space, and no setting prunes by it") as caught:
        TreeClassifier().sweep(X, y, space)
    assert f"the settings have None, '{other}'" in caught.value.where
    assert f'add "prune": ["{pruning}"]' in caught.value.fix
    with pytest.raises(RequestError, match="no setting prunes by it"):
        TreeClassifier().sweep(X, y, [{"prune": None, name: CHANGED[name]}, {"prune": other}])
    assert len(TreeClassifier().sweep(X, y, space | {"prune": [pruning, other]})) == 2


def test_the_learners_own_pruning_counts():
    """A space need not name the pruning that the learner has anyway."""
    with pytest.raises(RequestError, match="prune_alpha"):
        TreeClassifier().sweep(X, y, {"prune_alpha": [0, 0.1]})
    assert len(TreeClassifier.cart().sweep(X, y, {"prune_alpha": [0, 0.1]})) == 2
    assert len(TreeRegressor().sweep(X, y, {"prune_alpha": [0, 0.1]})) == 2


@pytest.mark.parametrize("name", CHANGED)
def test_fit_warns_of_a_parameter_without_effect(name):
    """At the line that called fit; not where the pruning asks for it."""
    with pytest.warns(UserWarning, match=f"{name}={CHANGED[name]!r} has no effect") as caught:
        TreeClassifier(prune=None, **{name: CHANGED[name]}).fit(X, y)
    assert caught[0].filename == __file__
    TreeClassifier(prune=PRUNING_WITH[name], **{name: CHANGED[name]}).fit(X, y)


def test_defaults_paths_and_sweeps_do_not_warn():
    """Only what was changed is spoken of, and a path or a sweep prunes by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for prune in (None, *dict.fromkeys(PRUNING_WITH.values())):
            TreeClassifier(prune=prune).fit(X, y)
        TreeRegressor(prune=None).fit(X, y)
        path = TreeRegressor(prune_alpha=0.1, min_leaf=1).cost_complexity_path(X, y)
        assert path.n_leaves[0] == 4
        space = {"prune": [None, "cost_complexity"], "prune_alpha": [0, 0.1]}
        assert len(TreeClassifier().sweep(X, y, space)) == 4


@pytest.mark.parametrize("confidence", [5e-324, 1e-300, 1e-17, 0.5])
def test_every_confidence_that_is_allowed_prunes(confidence):
    """The deviate of a tiny chance is a number; smaller chances keep less."""
    draw = np.random.default_rng(0)
    table, answers = draw.normal(size=(200, 3)), draw.integers(0, 2, 200)
    tree = TreeClassifier(prune_confidence=confidence).fit(table, answers)
    assert tree.n_leaves_ <= TreeClassifier(prune_confidence=0.5).fit(table, answers).n_leaves_


@pytest.mark.parametrize("confidence", [0.51, 0.9, 1])
def test_an_upper_limit_is_above_the_middle(confidence):
    """With a confidence beyond a half the limit would be below what was seen."""
    with pytest.raises(RequestError, match=r"prune_confidence must be a number above 0 and at most 0\.5"):
        TreeClassifier(prune_confidence=confidence).fit(X, y)
