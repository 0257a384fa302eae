"""What a model file holds of every transformer of tables: its columns, and arrays with an entry for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from heldout.features.transformer import COLUMNS
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    read_arrays,
    written_arrays,
)
from heldout.models.records.fitted_values import check_all_there, check_count, is_vector
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.schema_record import ALL_KINDS

FOLDER = "fitted"


class TransformerRecord(LearnerRecord):
    """A transformer; one that learns nothing but its columns needs no more than this.

    forms: the arrays that are learned, with their types and sizes: n_acted (the columns that are acted on),
           n_columns, or one that `sizes_of` tells

    What `set_output` was told is not kept: it is about the program that asks, not about the rows of fit.
    """

    forms: ClassVar[Forms] = {}
    plain = frozenset({"n_rows_", "columns_"})
    rebuilt = frozenset({"_sklearn_output_config"})
    kinds = ALL_KINDS

    def parameters(self) -> Iterable[Parameter]:
        return (*super().parameters(), COLUMNS)

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_all_there(attributes, self.plain)
        check_count(attributes["n_rows_"], "n_rows_", lowest=1)
        places: Any = attributes["columns_"]
        if not is_vector(places, "i") or places.dtype != np.intp:
            raise damaged("the columns that are acted on are no positions", "attribute columns_")
        is_inside = (places >= 0) & (places < len(schema.columns))
        if not is_inside.all() or not (np.diff(places) > 0).all():
            raise damaged(
                "the columns that are acted on are not ascending or not there", "attribute columns_"
            )

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        return {}, written_arrays(FOLDER, vars(model), self.forms_of(model))

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        self._check_kinds(model)
        sizes = {"n_acted": len(model.columns_), "n_columns": len(model.inputs_.columns)}
        arrays = read_arrays(FOLDER, self.forms_of(model), {**sizes, **self.sizes_of(model)}, members)
        self.check_arrays(model, arrays)
        vars(model).update(arrays)

    def forms_of(self, model: Any) -> Forms:
        """The arrays that a transformer of these parameters and plain values has."""
        return self.forms

    def sizes_of(self, model: Any) -> dict[str, int]:
        """Further sizes, which follow from the parameters and the plain values."""
        return {}

    def is_for(self, model: Any, kind: str) -> bool:
        """Whether the transformer may act on a column of this kind."""
        return bool(model._is_for(kind))

    def check_arrays(self, model: Any, arrays: dict[str, Any]) -> None:
        """Refuse arrays that do not fit together, the columns or the parameters."""
        return

    def _check_kinds(self, model: Any) -> None:
        """Every column that is acted on is of a kind that the transformer is for."""
        for place in model.columns_.tolist():
            column = model.inputs_.columns[place]
            if not self.is_for(model, column.kind):
                raise damaged(
                    f"a column is acted on that a {type(model).__name__} is not for",
                    f"{short(column.name)}, {column.kind}",
                )
