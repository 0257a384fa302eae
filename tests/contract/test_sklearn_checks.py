"""Every learner passes scikit-learn's own suite, without an expected failure."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency, parametrize_with_checks

from heldout import RuleClassifier, TreeClassifier, TreeRegressor

LEARNERS = [
    RuleClassifier(),
    RuleClassifier(estimate="validation", min_leaf=1),
    TreeClassifier(),
    TreeClassifier.id3(),
    TreeClassifier.cart(),
    TreeClassifier(criterion="error", min_gain=None),
    TreeClassifier(max_leaves=8, class_weight="balanced"),
    TreeClassifier(prune="reduced_error", missing="column_mode"),
    TreeClassifier(prune="chi_square", missing="node_mode"),
    TreeRegressor(),
    TreeRegressor(min_leaf=1, max_depth=6),
    TreeRegressor(prune="reduced_error", missing="fractional"),
    TreeRegressor(prune_alpha="cv"),
]


@parametrize_with_checks(LEARNERS)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    """A check of scikit-learn's suite passes."""
    check(estimator)


@pytest.mark.parametrize(
    "learner",
    [TreeClassifier(), TreeRegressor(), RuleClassifier()],
    ids=lambda learner: type(learner).__name__,
)
def test_frames_without_a_column_are_refused_in_scikit_learn_words(learner: BaseEstimator):
    """The check that scikit-learn keeps for its own estimators passes as well."""
    check_dataframe_column_names_consistency(type(learner).__name__, learner)
