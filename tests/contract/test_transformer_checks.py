"""Every transformer of tables passes scikit-learn's own suite."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from heldout import Discretize

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

# Checks of `set_output` hand over arrays where a frame was fitted, and frames where an array was.
pytestmark = pytest.mark.filterwarnings(
    "ignore::heldout.features.level_encoder.UnseenLevelWarning",
    "ignore:X does not have valid feature names",
    "ignore:X has feature names",
)


def is_unfit(transformer: BaseEstimator, name: str) -> bool:
    """Whether a check makes a pandas frame of a Table with words: pandas would take it for an array."""
    return isinstance(transformer, Discretize) and name.endswith("output_transform_pandas")


@parametrize_with_checks(CHECKED)
def test_scikit_learn_finds_nothing_to_say(estimator: BaseEstimator, check: Any) -> None:
    """A check of scikit-learn's suite passes."""
    check(estimator)


@pytest.mark.parametrize(
    ("transformer", "name"),
    [(transformer, name) for transformer in CHECKED for name in FURTHER if not is_unfit(transformer, name)],
    ids=lambda value: value if isinstance(value, str) else repr(value),
)
def test_names_and_containers_are_as_scikit_learn_wants_them(transformer: BaseEstimator, name: str) -> None:
    """A check of names and of `set_output` passes, which the suite leaves to its own estimators."""
    getattr(estimator_checks, name)(type(transformer).__name__, clone(transformer))
