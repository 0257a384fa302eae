"""What a forest grows from: the rows that have a weight, and a mark by which they are known again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.fill_missing_rows import fill_rows
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.description_length import distinct_values
from heldout.native import forests
from heldout.table.codes import CodedColumn
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase

# So many rows and columns are looked at, evenly spread, to know a table again.
MARKED_ROWS = 256
MARKED_COLUMNS = 256


@dataclass(frozen=True, eq=False)
class EnteredRows:
    """What `fit` was given.

    rows:   the rows; their weights are those of the rows and of the classes, multiplied
    counts: the weights of the rows alone; None where each counts once
    labels: the classes of a classification, in order
    """

    rows: TrainingRows
    counts: NDArray[np.float64] | None
    labels: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class ForestRows:
    """What forests of the same rows share.

    rows:     the rows that have a weight, with missing values filled where `missing` says so
    counts:   their weights without those of the classes; None where each counts once
    kept:     which of the given rows they are; None for all
    n_given:  how many rows were given
    n_values: how many distinct values each column has
    mark:     tells whether other rows are the same ones
    """

    rows: TrainingRows
    counts: NDArray[np.float64] | None
    kept: NDArray[np.intp] | None
    n_given: int
    n_values: NDArray[np.int64]
    mark: str

    @property
    def schema(self) -> InputSchema:
        return self.rows.schema

    def bagging_of(self, learner: ForestBase) -> forests.Bagging:
        """Which of these rows the trees of a fitted forest have seen."""
        groups = None if self.rows.groups is None else self.rows.groups.astype(np.uint32)
        bagging: forests.Bagging = learner._bagging
        return replace(bagging, groups=groups)

    def difference(self, learner: ForestBase) -> str:
        """In words, how these rows differ from those of a fitted forest, of which the mark is another."""
        n_rows, n_columns = self.rows.n_rows, len(self.schema.columns)
        if (n_rows, n_columns) == (learner.n_rows_, learner.n_features_in_):
            return "as many rows and columns as at fit, and other values, names, targets, weights or groups"
        return (
            f"{plural(n_rows, 'row')} and {plural(n_columns, 'column')}, and {plural(learner.n_rows_, 'row')}"
            f" and {plural(learner.n_features_in_, 'column')} at fit"
        )

    def grown(self, options: forests.ForestOptions, first_tree: int, n_trees: int) -> forests.GrownForest:
        """So many trees, beginning with the one of this number."""
        return self.grown_together(options, first_tree, n_trees, [options.min_leaf])[0]

    def grown_together(
        self, options: forests.ForestOptions, first_tree: int, n_trees: int, min_leafs: Sequence[float]
    ) -> list[forests.GrownForest]:
        """The same for each of several `min_leaf`, which share what they have in common."""
        return forests.grow_forests(*self.rows.for_kernel, options, first_tree, n_trees, min_leafs)


def forest_rows(entered: EnteredRows, missing: str) -> ForestRows:
    """The rows of a forest that treats missing values in this way."""
    given, counts = entered.rows, entered.counts
    weights, kept = given.weights, None
    if weights is not None and not weights.all():
        kept = np.flatnonzero(weights)
        counts = None if counts is None else counts[kept]
    rows = given.with_weight()
    # Rows of weight 1 are drawn as rows without a weight are, whatever others were left out.
    is_weighted = rows.weights is not None and bool((rows.weights != 1.0).any())
    groups = None if rows.groups is None else np.unique(rows.groups, return_inverse=True)[1]
    weights = rows.weights if is_weighted else None
    rows = replace(rows.compact(), weights=weights, groups=groups)
    n_values, mark = distinct_values(rows), data_mark(rows, entered.labels)
    if missing in ("column_mode", "class_mode"):
        rows = fill_rows(rows, missing)
    return ForestRows(rows, counts, kept, given.n_rows, n_values, mark)


def data_mark(rows: TrainingRows, labels: NDArray[Any] | None) -> str:
    """A digest by which the training rows are known again.

    Every target, weight and group goes into it, and the values of some rows and columns, evenly spread:
    enough to notice other rows or another order of them, for next to no time.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((rows.n_rows, len(rows.columns))).encode())
    digest.update(repr(None if labels is None else labels.tolist()).encode())
    for values in (rows.classes, rows.targets, rows.weights, rows.groups):
        digest.update(b"-" if values is None else np.ascontiguousarray(values).tobytes())
    chosen = _spread(rows.n_rows, MARKED_ROWS)
    for position in _spread(len(rows.columns), MARKED_COLUMNS).tolist():
        digest.update(_marked(rows.schema.columns[position], rows.columns[position], rows, chosen))
    return digest.hexdigest()


def _spread(n: int, most: int) -> NDArray[np.intp]:
    """At most so many of the first n numbers, evenly spread."""
    return np.linspace(0, n - 1, min(n, most)).astype(np.intp)


def _marked(column: InputColumn, coded: CodedColumn, rows: TrainingRows, chosen: NDArray[np.intp]) -> bytes:
    row_index = chosen if rows.row_index is None else rows.row_index[chosen]
    codes = coded.codes[row_index]
    values: NDArray[Any]
    if coded.is_category:
        values = codes.astype(np.int64)
    elif coded.numbers is not None:
        values = coded.numbers[row_index]
    else:
        values = np.append(coded.distinct_numbers(), np.nan)[codes]
    return repr((column.name, column.kind, column.levels)).encode() + values.tobytes()
