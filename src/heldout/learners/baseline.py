"""What both baselines share: they predict the same for every row."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from heldout.arrays import Floats
from heldout.inputs.array_checks import has_kinds, is_plain, refuse_foreign, refuse_no_table, refused_x
from heldout.inputs.input_schema import (
    InputColumn,
    InputSchema,
    check_names,
    is_as_at_fit,
    numbers_schema,
    record_names,
    record_width,
)
from heldout.inputs.training_inputs import refuse_empty
from heldout.learners.readable_learner import ReadableLearner
from heldout.learners.sweep import SeparateSweep, separate_sweep
from heldout.table.frames import table_from_frame
from heldout.table.table import Table
from heldout.types import Estimator, PerRow, SettingsSpace, TableLike


class Baseline(ReadableLearner):
    """The model that every other must beat.

    It knows nothing of the columns, so X may be anything: categories, missing values, sparse matrices.
    """

    _learned = "n_rows_"

    strategy: str

    # Set by fit.
    n_features_in_: int
    n_rows_: int
    inputs_: InputSchema

    @abstractmethod
    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None) -> Self:
        """Learn from y alone."""

    def sweep(
        self, X: TableLike, y: ArrayLike, space: SettingsSpace, sample_weight: PerRow = None
    ) -> SeparateSweep:
        """Fit many settings; this baseline is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        space
            parameters with lists of values, such as {"strategy": [...]}, or a list of settings
        """
        return separate_sweep(self, X, y, space, sample_weight=sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _n_rows(self, X: TableLike) -> int:
        """How many predictions are wanted."""
        self._check_is_fitted()
        return n_rows_after_fit(self, X)


def n_rows_with_weight(weights: Floats | None, n_rows: int) -> int:
    """How many rows are learned from: those of weight 0 are not."""
    return n_rows if weights is None else int(np.count_nonzero(weights))


def columns_at_fit(learner: Estimator, X: TableLike) -> tuple[InputSchema, int]:
    """The columns of X and the number of its rows; sets `n_features_in_` and `feature_names_in_`."""
    if not has_kinds(X):
        n_rows, n_columns = _validated_shape(learner, X, is_fit=True)
        return numbers_schema(n_columns), n_rows
    n_rows = X.shape[0]
    table = X if isinstance(X, Table) else table_from_frame(_first_row(X))
    if n_rows == 0 or table.n_columns == 0:
        refuse_empty(learner, table)
    record_names(learner, X)
    return InputSchema(tuple(InputColumn(name, kind) for name, kind in table.kinds.items())), n_rows


def n_rows_after_fit(learner: Estimator, X: TableLike) -> int:
    """The number of rows of X, if it has the columns of fit."""
    if not has_kinds(X):
        return _validated_shape(learner, X, is_fit=False)[0]
    check_names(learner, X)
    return int(X.shape[0])


def _validated_shape(learner: Estimator, X: TableLike, is_fit: bool) -> tuple[int, int]:
    if is_plain(X) and (is_fit or is_as_at_fit(learner, X)):
        if is_fit:
            record_width(learner, X.shape[1])
        return X.shape[0], X.shape[1]
    refuse_no_table(X)
    refuse_foreign(X)
    try:
        checked = validate_data(
            learner, X, reset=is_fit, dtype=None, ensure_all_finite=False, accept_sparse=True
        )
    except ValueError as error:
        raise refused_x(X, error, "hand over a table or a frame") from error
    n_rows, n_columns = checked.shape
    return int(n_rows), int(n_columns)


def _first_row(frame: Any) -> Any:
    """Enough of a frame to know its kinds, which are those of its dtypes."""
    return nw.from_native(frame, eager_only=True).head(1).to_native()
