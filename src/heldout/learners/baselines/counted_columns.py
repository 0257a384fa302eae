"""How X enters a learner that does not look at it: its columns are counted and its names remembered.

Categories, missing values, infinity and sparse matrices are all the same to it.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils.validation import validate_data

from heldout.learners.inputs.array_checks import has_kinds, is_plain, refuse_foreign
from heldout.learners.inputs.column_names import check_names, record_names
from heldout.learners.inputs.input_schema import InputColumn, InputSchema, numbers_schema
from heldout.learners.inputs.no_table import refuse_no_table
from heldout.learners.inputs.sklearn_refusals import refused_x
from heldout.learners.inputs.training_inputs import refuse_empty
from heldout.table.frames import table_from_frame
from heldout.table.table import Table


def columns_at_fit(learner: Any, X: Any) -> tuple[InputSchema, int]:
    """The columns of X and the number of its rows; sets `n_features_in_` and `feature_names_in_`."""
    if not has_kinds(X):
        n_rows, n_columns = _validated_shape(learner, X, is_fit=True)
        return numbers_schema(n_columns), n_rows
    n_rows = X.n_rows if isinstance(X, Table) else X.shape[0]
    table = X if isinstance(X, Table) else table_from_frame(_first_row(X))
    if n_rows == 0 or table.n_columns == 0:
        refuse_empty(learner, table)
    record_names(learner, X)
    return InputSchema(tuple(InputColumn(name, kind) for name, kind in table.kinds.items())), n_rows


def n_rows_after_fit(learner: Any, X: Any) -> int:
    """The number of rows of X, if it has the columns of fit."""
    if not has_kinds(X):
        return _validated_shape(learner, X, is_fit=False)[0]
    check_names(learner, X)
    return int(X.shape[0])


def _validated_shape(learner: Any, X: Any, is_fit: bool) -> tuple[int, int]:
    is_quick = is_plain(X) and (is_fit or _is_expected(learner, X))
    if is_quick and is_fit:
        learner.n_features_in_ = X.shape[1]
        learner.__dict__.pop("feature_names_in_", None)
    if not is_quick:
        refuse_no_table(X)
        refuse_foreign(X)
        X = _validated(learner, X, is_fit)
    n_rows, n_columns = np.shape(X)
    return int(n_rows), int(n_columns)


def _validated(learner: Any, X: Any, is_fit: bool) -> Any:
    try:
        return validate_data(
            learner, X, reset=is_fit, dtype=None, ensure_all_finite=False, accept_sparse=True
        )
    except ValueError as error:
        raise refused_x(X, error, "hand over a table or a frame") from error


def _is_expected(learner: Any, X: Any) -> bool:
    return X.shape[1] == learner.n_features_in_ and not hasattr(learner, "feature_names_in_")


def _first_row(frame: Any) -> Any:
    """Enough of a frame to know its kinds, which are those of its dtypes."""
    return nw.from_native(frame, eager_only=True).head(1).to_native()
