"""The names of the columns that come, by which those that leave are named."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import _check_feature_names_in


def names_that_come(transformer: Any, input_features: Any) -> list[str]:
    """The names that are given, checked in scikit-learn's words, or those of fit.

    Columns of a frame that are named by numbers have no `feature_names_in_`, and yet leave under their names.
    """
    if input_features is None:
        names: list[str] = transformer.inputs_.names
        return names
    return [str(name) for name in _check_feature_names_in(transformer, input_features)]
