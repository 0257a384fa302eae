"""Every transformer of tables passes scikit-learn's own suite."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from .transformers import CHECKED

# Checks that scikit-learn keeps for its own estimators.
FURTHER = [
    "check_dataframe_column_names_consistency",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_set_output_transform_polars",
    "check_global_output_transform_pandas",
]

# Checks of `set_output` hand over arrays where a frame was fitted.
pytestmark = pytest.mark.filterwarnings(
    "ignore::heldout.features.categories.unseen_levels.UnseenLevelWarning",
    "ignore:X does not have valid feature names",
)


@parametrize_with_checks(CHECKED)
def test_scikit_learn_finds_nothing_to_say(estimator: BaseEstimator, check: Any) -> None:
    """A check of scikit-learn's suite passes."""
    check(estimator)


@pytest.mark.parametrize("name", FURTHER)
@pytest.mark.parametrize("transformer", CHECKED, ids=repr)
def test_names_and_containers_are_as_scikit_learn_wants_them(transformer: BaseEstimator, name: str) -> None:
    """A check of names and of `set_output` passes, which the suite leaves to scikit-learn's own estimators."""
    getattr(estimator_checks, name)(type(transformer).__name__, clone(transformer))
