"""What a model file holds of neighbors."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from heldout.errors import RequestError
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.neighbors.learned_metric import METRICS, SPARSE_METRICS
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    check_finite,
    read_arrays,
    written_arrays,
)
from heldout.models.records.fitted_values import CLASSES, check_classes, check_per_class
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.node_checks import require
from heldout.models.records.rows_form import check_levels, rows_of_record, rows_record

_WEIGHTS: Forms = {"feature_weights_": ("<f8", ("n_columns",))}
# What each metric has learned from the rows.
_LEARNED: dict[str, Forms] = {
    "gower": {"ranges_": ("<f8", ("n_numbers",))},
    "mahalanobis": {"center_": ("<f8", ("n_columns",)), "factor_": ("<f8", ("n_columns", "n_columns"))},
}
_WITH_LEVELS = ("gower", "hamming")


class NeighborsRecord(LearnerRecord):
    """A NeighborsRegressor, or what a NeighborsClassifier shares with it: the rows, and the metric.

    answers: the attribute with the answer of each row, and its type
    """

    answers: ClassVar[tuple[str, str]] = ("targets_", "<f8")
    plain = frozenset({"metric_"})
    shaped = frozenset(
        {"numbers_", "levels_", "targets_", "feature_weights_", "ranges_", "center_", "factor_"}
    )
    rebuilt = frozenset({"_points"})
    parts = frozenset({"rows"})

    def check_writable(self, model: Any) -> None:
        if callable(model.weights):
            raise RequestError(
                "a model file holds nothing that is executed, and weights is a function",
                where=f"{type(model).__name__}(weights={model.weights!r:.60})",
                fix='use weights="uniform", "inverse" or "gaussian", or keep the rows and fit again',
            )

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        metric = attributes.get("metric_")
        if type(metric) is not str or metric not in METRICS:
            raise damaged("the metric is none that this version knows", short(metric))

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = rows_record(StoredRows(model.numbers_, model.levels_))
        forms = self._forms(model.metric_)
        return {"rows": record}, members | written_arrays("rows", vars(model), forms)

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        schema, metric = model.inputs_, model.metric_
        n_columns = len(schema.columns)
        n_levels = schema.n_categories if metric in _WITH_LEVELS else 0
        n_numbers = n_columns - n_levels
        rows = rows_of_record(parts["rows"], members, n_numbers, n_levels, metric == "gower")
        if rows.is_sparse and metric not in SPARSE_METRICS:
            raise damaged("the metric cannot compare sparse rows", metric)
        if n_levels:
            check_levels(rows.levels, schema, -1 if metric == "gower" else 0)
        sizes = {"n_rows": rows.n_rows, "n_columns": n_columns, "n_numbers": n_numbers}
        arrays = read_arrays("rows", self._forms(metric), sizes, members)
        self._check_answers(arrays[self.answers[0]], model)
        _check_metric(arrays)
        vars(model).update({"numbers_": rows.numbers, "levels_": rows.levels, **arrays})

    def _forms(self, metric: str) -> Forms:
        name, dtype = self.answers
        return {name: (dtype, ("n_rows",)), **_WEIGHTS, **_LEARNED.get(metric, {})}

    def _check_answers(self, answers: Any, model: Any) -> None:
        require(np.isfinite(answers), "an answer is not a finite number")


class NeighborsClassifierRecord(NeighborsRecord):
    """A NeighborsClassifier: its rows answer with the places of their classes."""

    answers = ("class_codes_", "<i4")
    plain = NeighborsRecord.plain | CLASSES | {"n_classes_", "class_factors_"}
    shaped = NeighborsRecord.shaped - {"targets_"} | {"class_codes_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_factors_")
        require(attributes["class_factors_"] > 0, "a class is multiplied by nothing")

    def _check_answers(self, answers: Any, model: Any) -> None:
        require((answers >= 0) & (answers < model.n_classes_), "a row has a class that is none")


def _check_metric(arrays: dict[str, Any]) -> None:
    weights = arrays["feature_weights_"]
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any():
        raise damaged("the weights of the columns are no weights", "feature_weights_")
    if "ranges_" in arrays:
        require(arrays["ranges_"] >= 0, "the range of a column is negative or no number")
    if "factor_" in arrays:
        check_finite(arrays, ("center_", "factor_"), "the covariance")
        is_lower = np.array_equal(arrays["factor_"], np.tril(arrays["factor_"]))
        if not is_lower or not (np.diag(arrays["factor_"]) > 0).all():
            raise damaged("the covariance has no factor such as this", "factor_")
