"""What a model file holds of the transformers of numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged
from heldout.models.records.array_members import Forms, check_finite
from heldout.models.records.fitted_values import check_words_of_columns, is_vector
from heldout.models.records.node_checks import MOST_DAYS, require
from heldout.models.records.transformer_record import TransformerRecord


class ScaleRecord(TransformerRecord):
    """A Scale: the mean and the divisor of each column."""

    shaped = frozenset({"center_", "scale_"})
    forms: ClassVar[Forms] = {"center_": ("<f8", ("n_acted",)), "scale_": ("<f8", ("n_acted",))}

    def check_arrays(self, model: Any, arrays: dict[str, Any]) -> None:
        check_finite(arrays, ("center_", "scale_"), "the scale")
        center, scale = arrays["center_"], arrays["scale_"]
        require(scale > 0, "a column is divided by nothing, or by less")
        if (not model.center and center.any()) or (model.by is None and (scale != 1).any()):
            raise damaged("what is learned does not fit the parameters", "center_ and scale_")
        is_date = np.array(
            [model.inputs_.columns[place].kind == "date" for place in model.columns_], dtype=bool
        )
        require(~is_date | (np.abs(center) < MOST_DAYS), "the mean of a date is no date")


class DiscretizeRecord(TransformerRecord):
    """A Discretize: the cuts of each column, and what the intervals between them are called."""

    plain = TransformerRecord.plain | {"cuts_", "intervals_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        cuts: Any = attributes["cuts_"]
        n_acted = len(attributes["columns_"])
        if type(cuts) is not tuple or len(cuts) != n_acted or not all(map(_are_cuts, cuts)):
            raise damaged("the cuts of a column are not finite and ascending", "attribute cuts_")
        check_words_of_columns(attributes["intervals_"], "intervals_", n_acted)
        if [len(names) for names in attributes["intervals_"]] != [len(each) + 1 for each in cuts]:
            raise damaged("there are more or fewer intervals than between the cuts", "attribute intervals_")


def _are_cuts(cuts: Any) -> bool:
    is_numbers = is_vector(cuts, "f") and cuts.dtype == np.float64
    return is_numbers and bool(np.isfinite(cuts).all() and (cuts[1:] > cuts[:-1]).all())
