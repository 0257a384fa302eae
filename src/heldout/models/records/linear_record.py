"""What a model file holds of least squares and ridge."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from heldout.errors import RequestError
from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    check_finite,
    read_arrays,
    written_arrays,
)
from heldout.models.records.fitted_values import check_count, check_number
from heldout.models.records.learner_record import LearnerRecord

_COLUMNS = ("n_columns",)


class RidgeRecord(LearnerRecord):
    """A RidgeRegressor: a coefficient for each column, the penalty, and what it left of freedom.

    forms: the arrays, one entry for each column
    """

    forms: ClassVar[Forms] = {"coef_": ("<f8", _COLUMNS)}
    plain = frozenset({"intercept_", "n_rows_", "alpha_", "df_"})
    shaped = frozenset({"coef_"})

    def check_writable(self, model: Any) -> None:
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

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {}, written_arrays("linear", vars(model), self.forms)

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        arrays = read_arrays("linear", self.forms, {"n_columns": len(model.inputs_.columns)}, members)
        check_finite(arrays, ("coef_",), "the model")
        vars(model).update(arrays)


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

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read(model, parts, members)
        if (model.standard_errors_ < 0).any():
            raise damaged("the error of a coefficient is negative", "standard_errors_")
