"""What the steps share that drop columns: the others pass as they are, and what was dropped can be read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.features.transformer import Transformer
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import column_numbers, leaving_columns, requested_container
from heldout.text.layout import align_cells
from heldout.text.words import plural, shorten
from heldout.types import PerRow, TableLike

MOST_SHOWN = 50


class ColumnPruner(Transformer):
    """Drops columns by what they are in the training rows."""

    _takes_sparse = True

    kept_: NDArray[np.bool_]
    dropped_: tuple[DroppedColumn, ...]

    @abstractmethod
    def _reasons(self, entry: Entry, chosen: NDArray[np.intp]) -> Sequence[str]:
        """For each column that is acted on why it is dropped, "" if it is kept; sets what was measured."""

    @abstractmethod
    def _measured(self) -> Sequence[float]:
        """What was measured of each column that is acted on."""

    @abstractmethod
    def _no_column(self, n_rows: int) -> DataError:
        """The error for X of which no column would be left."""

    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned: one for each column, kept or dropped."""
        self._check_is_fitted()
        return float(len(self.columns_))

    def to_text(self) -> str:
        """Which columns were dropped, and why, of the first fifty."""
        self._check_is_fitted()
        n_acted, n_dropped = len(self.columns_), len(self.dropped_)
        rows = plural(self.n_rows_, "training row")
        if not n_dropped:
            return f"none of {plural(n_acted, 'column')} dropped, judged by {rows}"
        lines = [f"{n_dropped:,} of {plural(n_acted, 'column')} dropped, judged by {rows}"]
        shown = self.dropped_[:MOST_SHOWN]
        lines += align_cells([(shorten(each.name, 40), each.reason) for each in shown])
        if n_dropped > len(shown):
            lines.append(f"  and {n_dropped - len(shown):,} more")
        return "\n".join(lines)

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        reasons = self._reasons(entry, chosen)
        kept = np.array([not reason for reason in reasons], dtype=np.bool_)
        if not kept.any() and len(chosen) == len(entry.schema.columns):
            raise self._no_column(entry.n_rows)
        self.kept_ = kept
        judged = zip(chosen.tolist(), self._measured(), reasons, strict=True)
        self.dropped_ = tuple(
            [
                DroppedColumn(entry.schema.columns[index].name, measured, reason)
                for index, measured, reason in judged
                if reason
            ]
        )

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        indices = self._leaving_indices()
        if entry.form == "sparse":
            from scipy.sparse import csr_array  # takes 0.1 s

            return csr_array(entry.matrix[:, indices])
        if entry.matrix is not None and requested_container(self) == "default":
            return np.ascontiguousarray(entry.matrix[:, indices])
        return leaving_columns(self, X, entry.form, [entry.columns[index] for index in indices])

    def _names_out(self, names: list[str]) -> list[str]:
        return [names[index] for index in self._leaving_indices()]

    def _leaving_indices(self) -> list[int]:
        gone = set(self.columns_[~self.kept_].tolist())
        return [index for index in range(self.n_features_in_) if index not in gone]


def numbers_at(entry: Entry, index: int) -> NDArray[np.float64]:
    """The values of one column that is not sparse; of a boolean 0 and 1."""
    if entry.matrix is not None:
        return np.asarray(entry.matrix[:, index])
    return column_numbers(entry.columns[index])


@dataclass(frozen=True)
class DroppedColumn:
    """A column that does not go on.

    name:   of the column
    found:  what it was judged by: the number of training rows in which it is seen, or its variance in them,
            NaN if none of its values is known
    reason: why it was dropped, in words
    """

    name: str
    found: float
    reason: str
