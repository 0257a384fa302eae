"""What a model file holds of a baseline."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged
from heldout.models.records.fitted_values import (
    CLASSES,
    check_classes,
    check_count,
    check_number,
    is_vector,
)
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.schema_record import ALL_KINDS

# A sum of shares that were rounded one by one.
_SLACK = 1e-9


class BaselineRegressorRecord(LearnerRecord):
    """A BaselineRegressor: one number. It takes columns of any kind and looks at none."""

    plain = frozenset({"constant_", "n_rows_"})
    kinds = ALL_KINDS

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_number(attributes.get("constant_"), "constant_")
        check_count(attributes.get("n_rows_"), "n_rows_", lowest=1)


class BaselineClassifierRecord(LearnerRecord):
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
