"""How X enters neighbors: as numbers, or as numbers and levels where the metric can compare levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.errors import DataError, KindError, RequestError
from heldout.learners.inputs.array_checks import has_kinds
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.inputs.numeric_inputs import numeric_rows, numeric_training
from heldout.learners.inputs.sparse_inputs import is_sparse
from heldout.learners.neighbors.learned_metric import SPARSE_METRICS
from heldout.learners.neighbors.mixed_rows import (
    mixed_rows,
    mixed_training,
    refuse_unknown,
    words_need_kinds,
)
from heldout.learners.neighbors.stored_rows import StoredRows, only_numbers


def check_local(metric: str, X: Any, is_linear: bool) -> None:
    """Refuse rows that the metric, or the way of putting answers together, cannot use."""
    _refuse_sparse(metric, X, is_linear)
    if is_linear and metric in ("gower", "hamming"):
        raise RequestError(
            'local="linear" needs rows that are points of numbers',
            where=f"metric={metric!r} also compares levels, along which no slope runs",
            fix='use local="mean", or another metric',
        )


def rows_at_fit(learner: Any, X: Any) -> tuple[InputSchema, StoredRows]:
    """The columns, and the rows in memory of their own; sets `n_features_in_` and `feature_names_in_`."""
    metric = learner.metric
    check_local(metric, X, learner._is_linear)
    if metric == "gower":
        return mixed_training(learner, X)
    if metric == "hamming" and has_kinds(X):
        schema, rows = mixed_training(learner, X)
        refuse_unknown(rows, schema)
        return schema, rows
    try:
        inputs = numeric_training(learner, X, accepts_sparse=True, keeps_float32=True)
    except DataError as error:
        raise words_need_kinds(error) if metric == "hamming" else error from error.__cause__
    matrix = inputs.matrix
    is_own = has_kinds(X) or (type(X) is np.ndarray and not np.may_share_memory(matrix, X))
    return inputs.schema, only_numbers(matrix if is_own else matrix.copy())


def rows_later(learner: Any, X: Any) -> StoredRows:
    """X after fit, in the form of the training rows."""
    metric, schema = learner.metric_, learner.inputs_
    # Whether planes are asked for may have changed since fit.
    for given in (learner.numbers_, X):
        check_local(metric, given, learner._is_linear)
    if metric == "gower":
        return mixed_rows(learner, X, schema)
    if metric == "hamming" and (schema.n_categories or has_kinds(X)):
        rows = mixed_rows(learner, X, schema)
        refuse_unknown(rows, schema)
        return rows
    return only_numbers(numeric_rows(learner, X, schema, accepts_sparse=True, keeps_float32=True))


def _refuse_sparse(metric: str, X: Any, is_linear: bool) -> None:
    if not is_sparse(X) or (metric in SPARSE_METRICS and not is_linear):
        return
    asked = 'local="linear"' if is_linear else f"metric={metric!r}"
    raise KindError(
        f"{asked} cannot take a sparse matrix",
        where=f"X is a sparse matrix of shape {X.shape}",
        fix='use metric="l2", "l1" or "cosine" with local="mean", or hand over X.toarray()',
    )
