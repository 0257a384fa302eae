"""What a model file holds of the transformers of categories: the levels of each column."""

from __future__ import annotations

from typing import Any

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.fitted_values import check_words_of_columns
from heldout.models.records.transformer_record import TransformerRecord


class LevelsRecord(TransformerRecord):
    """A LevelEncoder: the levels of each column that is acted on, in their order."""

    plain = TransformerRecord.plain | {"levels_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        check_words_of_columns(attributes["levels_"], "levels_", len(attributes["columns_"]))

    def is_for(self, model: Any, kind: str) -> bool:
        """The numbers of an array are levels too."""
        is_array = not hasattr(model, "feature_names_in_")
        return super().is_for(model, kind) or (is_array and kind == "number")


class OneHotRecord(LevelsRecord):
    """A OneHot: the levels, and whether the first is left out."""

    plain = LevelsRecord.plain | {"drops_first_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        if type(attributes["drops_first_"]) is not bool:
            raise damaged("drops_first_ is neither true nor false", short(attributes["drops_first_"]))


class OrdinalRecord(LevelsRecord):
    """An Ordinal: the levels, and for which columns their order was given."""

    plain = LevelsRecord.plain | {"is_given_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        given = attributes["is_given_"]
        is_flags = type(given) is tuple and all(type(flag) is bool for flag in given)
        if not is_flags or len(given) != len(attributes["columns_"]):
            raise damaged("is_given_ does not say yes or no for each column", short(given))
