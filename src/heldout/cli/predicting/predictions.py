"""What a model predicts for rows, and which of their values no training row had."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from heldout.cli.predicting.input_chunks import InputChunk
from heldout.cli.predicting.model_columns import ModelColumns
from heldout.errors import DataError
from heldout.features.level_encoder import UnseenLevelWarning
from heldout.models.pipeline_steps import last_inside
from heldout.table.column import NUMERIC_KINDS, number_label
from heldout.table.table import Table
from heldout.text.words import plural, shorten


@dataclass(frozen=True, eq=False)
class Predictions:
    """The predictions for some rows."""

    prediction: NDArray[Any]  # a number, or the position of a class
    probabilities: NDArray[np.float64] | None = None  # rows × classes; None where the model has none


@dataclass(eq=False)
class Predictor:
    """A model that predicts chunk by chunk."""

    model: BaseEstimator  # as it was loaded
    wanted: ModelColumns  # its columns
    notes: list[str] = field(default_factory=list)  # what it warned of, each once

    @property
    def classes(self) -> NDArray[Any] | None:
        """The classes in order; None for a model of numbers."""
        known: NDArray[Any] | None = getattr(last_inside(self.model), "classes_", None)
        return known

    @property
    def labels(self) -> list[str] | None:
        """The classes as a user would write them."""
        return None if self.classes is None else [label_text(label) for label in self.classes.tolist()]

    @property
    def has_probabilities(self) -> bool:
        return self.classes is not None and hasattr(self.model, "predict_proba")

    def predict(self, table: Table, chunk: InputChunk) -> Predictions:
        """The predictions for the rows of a chunk."""
        rows = _convert_rows(table, self.wanted.form)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                prediction = np.asarray(self.model.predict(rows))
                probabilities = self.model.predict_proba(rows) if self.has_probabilities else None
            except DataError as error:
                raise _locate_in_file(error, chunk) from error
        for warning in caught:
            text = str(warning.message)
            if not issubclass(warning.category, UnseenLevelWarning) and text not in self.notes:
                self.notes.append(text)
        if self.classes is not None:
            prediction = np.searchsorted(self.classes, prediction)
        return Predictions(prediction, probabilities)


def label_text(label: object) -> str:
    """A class as a user would write it."""
    if isinstance(label, bool | np.bool_):
        return "true" if label else "false"
    return number_label(float(label)) if isinstance(label, float | np.floating) else str(label)


def _convert_rows(table: Table, form: str) -> Any:
    if form == "documents":
        return table.columns[0]
    if form == "table":
        return table
    if all(column.kind in NUMERIC_KINDS for column in table.columns):
        return np.asarray(table)
    cells = np.empty(table.shape, dtype=object)
    for position, column in enumerate(table.columns):
        cells[:, position] = column.values if column.kind in NUMERIC_KINDS else column.labels()
    return cells


def _locate_in_file(error: DataError, chunk: InputChunk) -> DataError:
    """The rows of an error are those of a chunk, whose position is added."""
    if not chunk.first_row:
        return error
    first, last = chunk.first_row + 1, chunk.first_row + chunk.n_rows
    where = f"in rows {first:,} to {last:,} of the file, counted from the first of them: {error.where}"
    return DataError(error.what, where=where, fix=error.fix)


MOST_NAMED = 5
# Of a column in which nearly every value is new, not every one is kept.
_MOST_KEPT = 1000


@dataclass
class UnseenLevel:
    """A level that no training row had: how many rows have it, and where the first of them is."""

    level: str
    n_rows: int
    first: str


@dataclass(eq=False)
class UnseenValues:
    """Counted over all chunks."""

    wanted: ModelColumns
    # By column, the levels that training never saw, in the order in which they come
    levels: dict[str, dict[str, UnseenLevel]] = field(default_factory=dict)
    n_unseen: dict[str, int] = field(default_factory=dict)  # by column, how many values have such a level
    n_missing: dict[str, int] = field(default_factory=dict)  # by column, how many values are missing

    def count(self, table: Table, chunk: InputChunk) -> None:
        """Count the rows of a chunk."""
        for column, wanted in zip(table.columns, self.wanted.columns, strict=True):
            if not wanted.is_read:
                continue
            if column.n_missing:
                self.n_missing[column.name] = self.n_missing.get(column.name, 0) + column.n_missing
            if wanted.levels is None or not column.levels:
                continue
            counts = np.bincount(column.values + 1, minlength=len(column.levels) + 1)[1:]
            new = [k for k, level in enumerate(column.levels) if counts[k] and not wanted.knows(level)]
            if new:
                self._add(column.name, column.levels, new, counts, column.values, chunk)

    def _add(
        self,
        name: str,
        levels: tuple[str, ...],
        new: list[int],
        counts: NDArray[np.intp],
        codes: NDArray[np.int32],
        chunk: InputChunk,
    ) -> None:
        kept = self.levels.setdefault(name, {})
        self.n_unseen[name] = self.n_unseen.get(name, 0) + int(counts[new].sum())
        first_rows = {code: int(np.argmax(codes == code)) for code in new[:_MOST_KEPT]}
        for code in sorted(first_rows, key=first_rows.__getitem__):
            known = kept.get(levels[code])
            if known is not None:
                known.n_rows += int(counts[code])
            elif len(kept) < _MOST_KEPT:
                position = chunk.describe_row(first_rows[code])
                kept[levels[code]] = UnseenLevel(levels[code], int(counts[code]), position)

    def sentences(self) -> list[str]:
        """A sentence for each column that has some."""
        return [self._sentence(name, list(levels.values())) for name, levels in self.levels.items()]

    def _sentence(self, name: str, levels: list[UnseenLevel]) -> str:
        named = [
            f"{shorten(level.level, 40)!r} ({plural(level.n_rows, 'row')}, first {level.first})"
            for level in levels[:MOST_NAMED]
        ]
        n_more = len(levels) - MOST_NAMED
        more = f" and {'more' if len(levels) == _MOST_KEPT else f'{n_more:,} more'}" if n_more > 0 else ""
        values = plural(self.n_unseen[name], "value")
        what = f"{values} that no training row had, unknown to the model"
        return f"column '{name}': {what}: {', '.join(named)}{more}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        unseen = {
            name: {
                "n_rows": self.n_unseen[name],
                "levels": [vars(level) for level in list(levels.values())[:_MOST_KEPT]],
            }
            for name, levels in self.levels.items()
        }
        return {"unseen": unseen, "missing": dict(self.n_missing)}
