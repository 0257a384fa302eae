"""What a model file holds of least squares and ridge."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.models.model_archive import (
    ArrayMembers,
    Forms,
    check_finite,
    damaged,
    read_arrays,
    read_sizes,
    short,
    write_arrays,
)
from heldout.models.records.json_values import ALL_KINDS
from heldout.models.records.learner_record import (
    CLASSES,
    LearnerRecord,
    check_classes,
    check_count,
    check_flag,
    check_number,
    is_vector,
    set_attributes,
)
from heldout.models.records.neighbors_record import check_cells
from heldout.models.records.tree_record import require
from heldout.native.perceptron import VotedUpdates

_COLUMNS = ("n_columns",)
Linear = RidgeRegressor | LinearRegressor


class RidgeRecord(LearnerRecord[Linear]):
    """A RidgeRegressor: a coefficient for each column, the penalty, and what it left of freedom."""

    forms: ClassVar[Forms] = {"coef_": ("<f8", _COLUMNS)}  # the arrays, one entry for each column
    plain = frozenset({"intercept_", "n_rows_", "alpha_", "df_"})
    shaped = frozenset({"coef_"})

    def check_writable(self, model: Linear) -> None:
        if not np.isfinite(model.coef_).all() or not np.isfinite(model.intercept_):
            raise RequestError(
                "a coefficient is not a finite number, so the model has no answers to keep",
                where=f"{np.count_nonzero(~np.isfinite(model.coef_))} of {len(model.coef_)} coefficients",
                fix="scale the columns, or the targets, and fit again",
            )

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_number(attributes.get("intercept_"), "intercept_")
        check_count(attributes.get("n_rows_"), "n_rows_", lowest=1)
        for name in ("alpha_", "df_"):
            check_number(attributes.get(name), name, lowest=0.0)

    def write_parts(self, model: Linear) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {}, write_arrays("linear", vars(model), self.forms)

    def read_parts(self, model: Linear, parts: dict[str, Any], members: ArrayMembers) -> None:
        arrays = read_arrays("linear", self.forms, {"n_columns": len(model.inputs_.columns)}, members)
        check_finite(arrays, ("coef_",), "the model")
        set_attributes(model, arrays)


class LinearRecord(RidgeRecord):
    """A LinearRegressor: beside the coefficients their errors, which may be unknown."""

    forms: ClassVar[Forms] = {"coef_": ("<f8", _COLUMNS), "standard_errors_": ("<f8", _COLUMNS)}
    shaped = frozenset({"coef_", "standard_errors_"})
    plain = frozenset(
        {
            "intercept_", "n_rows_", "intercept_standard_error_", "residual_variance_", "residual_degrees_",
            "r_squared_", "rank_",
        }
    )  # fmt: skip

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_number(attributes.get("intercept_"), "intercept_")
        check_number(attributes.get("residual_degrees_"), "residual_degrees_")
        check_count(attributes.get("n_rows_"), "n_rows_", lowest=1)
        check_count(attributes.get("rank_"), "rank_")
        if attributes["rank_"] > len(schema.columns):
            raise damaged("more columns are independent than there are", f"rank_: {attributes['rank_']}")
        # These may be NaN, where they are not known.
        for name in ("intercept_standard_error_", "residual_variance_"):
            value = attributes.get(name)
            if type(value) is not float or value < 0:
                raise damaged(f"{name} is not a number that it can be", short(value))
        r_squared = attributes.get("r_squared_")
        if type(r_squared) is not float or r_squared > 1:
            raise damaged("r_squared_ is not a number that it can be", short(r_squared))

    def read_parts(self, model: Linear, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read_parts(model, parts, members)
        if (model.standard_errors_ < 0).any():
            raise damaged("the error of a coefficient is negative", "standard_errors_")


_WEIGHTS: Forms = {"coef_": ("<f8", ("n_functions", "n_columns")), "intercept_": ("<f8", ("n_functions",))}
_UPDATES: Forms = {
    "values": ("<f8", ("n_stored",)),
    "columns": ("<i4", ("n_stored",)),
    "ends": ("<i8", ("n_ends",)),
    "row": ("<u4", ("n_updates",)),
    "raised": ("<u4", ("n_updates",)),
    "lowered": ("<u4", ("n_updates",)),
    "votes": ("<f8", ("n_updates",)),
}
# The sizes that the JSON declares of the updates, and the least that each can be.
_SIZES = {"n_stored": 0, "n_added_rows": 1, "n_updates": 1}


class PerceptronRecord(LearnerRecord[Perceptron]):
    """A Perceptron: a row of weights for each class, one for two; or, voted, every update that was made."""

    plain = CLASSES | {"n_rows_", "n_mistakes_", "n_epochs_", "is_separated_"}
    shaped = frozenset({"coef_", "intercept_", "updates_"})
    parts = frozenset({"updates"})

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        classes: Any = attributes.get("classes_")
        check_classes(attributes, max(len(classes), 2) if is_vector(classes, "biufUO") else None)
        for name in ("n_rows_", "n_epochs_", "n_mistakes_"):
            check_count(attributes.get(name), name, lowest=1)
        check_flag(attributes.get("is_separated_"), "is_separated_")

    def write_parts(self, model: Perceptron) -> tuple[dict[str, Any], dict[str, bytes]]:
        if not hasattr(model, "updates_"):
            return {"updates": None}, write_arrays("perceptron", vars(model), _WEIGHTS)
        updates = model.updates_
        record = {
            "has_intercept": bool(updates.has_intercept),
            "sizes": {
                "n_stored": len(updates.values),
                "n_added_rows": len(updates.ends) - 1,
                "n_updates": len(updates.row),
            },
        }
        return {"updates": record}, write_arrays("perceptron", vars(updates), _UPDATES)

    def read_parts(self, model: Perceptron, parts: dict[str, Any], members: ArrayMembers) -> None:
        n_classes, n_columns = len(model.classes_), len(model.inputs_.columns)
        if parts["updates"] is not None:
            model.updates_ = _updates(parts["updates"], members, n_classes, n_columns)
            if len(model.updates_.row) != model.n_mistakes_:
                raise damaged("there are more or fewer updates than mistakes", f"{model.n_mistakes_}")
            return
        sizes = {"n_functions": 1 if n_classes == 2 else n_classes, "n_columns": n_columns}
        arrays = read_arrays("perceptron", _WEIGHTS, sizes, members)
        check_finite(arrays, ("coef_", "intercept_"), "the perceptron")
        set_attributes(model, arrays)


def _updates(record: object, members: ArrayMembers, n_classes: int, n_columns: int) -> VotedUpdates:
    if type(record) is not dict or set(record) != {"has_intercept", "sizes"}:
        raise damaged("the updates are not described as they should be", short(record))
    check_flag(record["has_intercept"], "has_intercept")
    sizes = read_sizes(record["sizes"], _SIZES, "the perceptron")
    sizes["n_ends"] = sizes["n_added_rows"] + 1
    arrays: dict[str, Any] = read_arrays("perceptron", _UPDATES, sizes, members)
    check_finite(arrays, ("values", "votes"), "the perceptron")
    check_cells(arrays["columns"], arrays["ends"], n_columns)
    require(arrays["row"] < sizes["n_added_rows"], "an update adds a row that is not there")
    for name in ("raised", "lowered"):
        require(arrays[name] < n_classes, "an update is for a class that is none")
    require(arrays["raised"] != arrays["lowered"], "an update adds to the class from which it subtracts")
    require(arrays["votes"] >= 0, "weights have less than no vote")
    with np.errstate(over="ignore"):
        n_votes = float(arrays["votes"].sum())
    if not 0 < n_votes < np.inf:
        raise damaged("nothing has a vote", "votes")
    return VotedUpdates(**arrays, has_intercept=record["has_intercept"])


# A sum of shares that were rounded one by one.
_SLACK = 1e-9


class BaselineRegressorRecord(LearnerRecord[BaselineRegressor]):
    """A BaselineRegressor: one number. It takes columns of any kind and looks at none."""

    plain = frozenset({"constant_", "n_rows_"})
    kinds = ALL_KINDS

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_number(attributes.get("constant_"), "constant_")
        check_count(attributes.get("n_rows_"), "n_rows_", lowest=1)


class BaselineClassifierRecord(LearnerRecord[BaselineClassifier]):
    """A BaselineClassifier: the share of each class."""

    plain = CLASSES | {"class_prior_", "n_rows_"}
    kinds = ALL_KINDS

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        shares: Any = attributes.get("class_prior_")
        is_shares = is_vector(shares, "f") and shares.dtype == np.float64
        if not is_shares or not ((shares >= 0) & (shares <= 1)).all():
            raise damaged("the shares of the classes are no shares", "attribute class_prior_")
        check_classes(attributes, len(shares))
        if not abs(math.fsum(shares) - 1) <= _SLACK:
            raise damaged("the shares of the classes are not 1 together", "attribute class_prior_")
        check_count(attributes.get("n_rows_"), "n_rows_", lowest=1)
