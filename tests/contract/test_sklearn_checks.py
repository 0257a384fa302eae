"""Every learner passes scikit-learn's own suite.

One pair of checks is expected to fail, and only where rows are set aside inside `fit`.
"""

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

ONE_SIDE = "a row lies on one side of an inner split, whatever its weight; copies of it are dealt one by one"


def expected_failures(learner: BaseEstimator) -> dict[str, str]:
    """The checks that a learner cannot pass, with the reason."""
    if isinstance(learner, RuleClassifier):
        sets_aside = learner.estimate == "validation"
    elif learner.prune == "cost_complexity":
        sets_aside = learner.prune_alpha == "cv"
    else:
        sets_aside = learner.prune == "reduced_error"
    if not sets_aside:
        return {}
    return {f"check_sample_weight_equivalence_on_{form}_data": ONE_SIDE for form in ("dense", "sparse")}


@parametrize_with_checks(LEARNERS, expected_failed_checks=expected_failures, xfail_strict=True)
def test_scikit_learn_finds_nothing_to_say(estimator, check):
    """A check of scikit-learn's suite passes, or fails for the reason that is written down."""
    check(estimator)


def test_the_default_learners_have_no_expected_failure():
    """What is expected to fail concerns those who ask for an inner split."""
    defaults = [RuleClassifier(), TreeClassifier(), TreeClassifier.id3(), TreeRegressor()]
    assert [expected_failures(learner) for learner in defaults] == [{}] * 4


@pytest.mark.parametrize(
    "learner",
    [TreeClassifier(), TreeRegressor(), RuleClassifier()],
    ids=lambda learner: type(learner).__name__,
)
def test_frames_without_a_column_are_refused_in_scikit_learn_words(learner: BaseEstimator):
    """The check that scikit-learn keeps for its own estimators passes as well."""
    check_dataframe_column_names_consistency(type(learner).__name__, learner)
