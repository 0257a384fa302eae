"""What a model says of rows: its prediction, and the probability of each class where it has one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.cli.predicting.input_chunk import InputChunk
from heldout.cli.predicting.model_columns import ModelColumns
from heldout.errors import DataError
from heldout.features.level_encoder import UnseenLevelWarning
from heldout.models.pipeline_record import last_inside
from heldout.table.column import NUMERIC_KINDS, number_label
from heldout.table.table import Table


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to some rows.

    prediction:    a number, or the position of a class
    probabilities: rows × classes; None where the model has none
    """

    prediction: NDArray[Any]
    probabilities: NDArray[np.float64] | None = None


@dataclass(eq=False)
class Answerer:
    """A model that is asked chunk by chunk.

    model:  as it was loaded
    wanted: its columns
    notes:  what it warned of, each once
    """

    model: Any
    wanted: ModelColumns
    notes: list[str] = field(default_factory=list)

    @property
    def classes(self) -> NDArray[Any] | None:
        """The classes in order; None for a model of numbers."""
        found: NDArray[Any] | None = getattr(last_inside(self.model), "classes_", None)
        return found

    @property
    def labels(self) -> list[str] | None:
        """The classes as a user would write them."""
        return None if self.classes is None else [label_text(label) for label in self.classes.tolist()]

    @property
    def has_probabilities(self) -> bool:
        return self.classes is not None and hasattr(self.model, "predict_proba")

    def answers(self, table: Table, chunk: InputChunk) -> Answers:
        """What the model says of the rows of a chunk.

        table: the rows as the model wants them
        chunk: where they come from
        """
        rows = _in_form(table, self.wanted.form)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                prediction = np.asarray(self.model.predict(rows))
                chances = self.model.predict_proba(rows) if self.has_probabilities else None
            except DataError as error:
                raise _in_file(error, chunk) from error
        for warning in heard:
            text = str(warning.message)
            if not issubclass(warning.category, UnseenLevelWarning) and text not in self.notes:
                self.notes.append(text)
        if self.classes is not None:
            prediction = np.searchsorted(self.classes, prediction)
        return Answers(prediction, chances)


def label_text(label: Any) -> str:
    """A class as a user would write it."""
    if isinstance(label, bool | np.bool_):
        return "true" if label else "false"
    return number_label(float(label)) if isinstance(label, float | np.floating) else str(label)


def _in_form(table: Table, form: str) -> Any:
    if form == "documents":
        return table.columns[0]
    if form == "table":
        return table
    if all(column.kind in NUMERIC_KINDS for column in table.columns):
        return np.asarray(table)
    cells = np.empty(table.shape, dtype=object)
    for place, column in enumerate(table.columns):
        cells[:, place] = column.values if column.kind in NUMERIC_KINDS else column.labels()
    return cells


def _in_file(error: DataError, chunk: InputChunk) -> DataError:
    """The rows of an error are those of a chunk, whose place is added."""
    if not chunk.first_row:
        return error
    first, last = chunk.first_row + 1, chunk.first_row + chunk.n_rows
    where = f"in rows {first:,} to {last:,} of the file, counted from the first of them: {error.where}"
    return DataError(error.what, where=where, fix=error.fix)
