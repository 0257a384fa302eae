"""Every question that was asked out of fold: of which row, in which repeat, by which fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.judged_rows import JudgedRows

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RequestedRows:
    """One line for each row and each repeat that tested it.

    rows:    the place of the row
    repeats: which repeat asked
    folds:   which fold asked; every repeat has folds of its own, so this counts on over repeats
    weights: what the answer counts, so that all answers together count as one pass over the rows
    units:   the row itself, its group or its block of time: what is independent of what
    """

    rows: Indices
    repeats: Indices
    folds: Indices
    weights: NDArray[np.float64]
    units: Indices

    @property
    def n_folds(self) -> int:
        """Folds of all repeats."""
        return int(self.folds.max()) + 1

    @property
    def rows_of_a_fold(self) -> int:
        """How many rows a fold tests, about."""
        return max(round(len(self.rows) / self.n_folds), 1)

    def kept(self, is_kept: NDArray[np.bool_]) -> RequestedRows:
        """The same for some of the questions."""
        whole = (self.rows, self.repeats, self.folds, self.units)
        rows, repeats, folds, units = (column[is_kept] for column in whole)
        return RequestedRows(rows, repeats, folds, self.weights[is_kept], units)

    def is_constant(self, predictions: NDArray[Any]) -> bool:
        """Whether every fold has one answer for all its rows, as a guess has.

        answers: one for each question, or a line of them
        """
        parts = self.parts() if self.n_folds < len(self.rows) else [np.arange(len(self.rows))]
        return all(bool((predictions[part] == predictions[part[0]]).all()) for part in parts)

    def parts(self) -> list[Indices]:
        """The places of the questions of each fold."""
        order = np.argsort(self.folds, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.folds[order])) + 1)


def requested_rows(rows: JudgedRows) -> RequestedRows:
    """The questions that were asked of these rows."""
    repeats, indices = np.nonzero(rows.is_tested)
    numbers = repeats * rows.n_folds + rows.folds[repeats, indices]
    folds: NDArray[Any] = np.unique(numbers, return_inverse=True)[1]
    weights = rows.row_weights[indices] / rows.n_repeats
    return RequestedRows(indices, repeats, folds.astype(np.intp), weights, rows.units[indices])
