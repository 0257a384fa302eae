"""Column names checked by scikit-learn itself, so that its words are its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features

from heldout.errors import DataError
from heldout.table.describe import plural
from heldout.table.table import Table


def record_names(learner: Any, X: Any) -> None:
    """Set `feature_names_in_` and `n_features_in_` from a table, a frame or an array."""
    if isinstance(X, Table) and X.n_columns:
        learner.feature_names_in_ = np.array(X.names, dtype=object)
        learner.n_features_in_ = X.n_columns
        return
    _check_feature_names(learner, _with_names(X), reset=True)
    _check_n_features(learner, X, reset=True)


def check_names(learner: Any, X: Any) -> None:
    """Refuse columns that are missing, new, or in another order than at fit."""
    # Folds ask this very often, and scikit-learn's way to the names of a table is long.
    if isinstance(X, Table) and X.names == tuple(getattr(learner, "feature_names_in_", ())):
        return
    try:
        _check_feature_names(learner, _with_names(X), reset=False)
    except ValueError as error:
        raise DataError(
            str(error).rstrip(),
            where=f"given {plural(X.shape[1], 'column')}, and {learner.n_features_in_} at fit",
            fix="select the columns of feature_names_in_, in that order",
        ) from error
    _check_n_features(learner, X, reset=False)


def _with_names(X: Any) -> Any:
    """An empty Arrow table carries the names of a Table where scikit-learn can read them."""
    if not isinstance(X, Table):
        return X
    import pyarrow as pa  # takes 0.1 s

    return pa.table({name: pa.array([], pa.null()) for name in X.names})
