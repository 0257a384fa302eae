"""Levels that no training row has are taken out, and the others numbered anew.

So a tree grown on some rows of a large table is bit for bit the tree grown on a table of these rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.input_schema import InputColumn
from heldout.table.codes import CodedColumn
from heldout.table.column import sort_levels

Rows = NDArray[np.uint32] | None


def compact_levels(column: InputColumn, coded: CodedColumn, rows: Rows) -> tuple[InputColumn, CodedColumn]:
    """The column with the levels that occur in these rows, and its codes for every row of the table.

    A row that is not meant and has another level is coded as missing; nobody looks at it.
    """
    codes = coded.codes if rows is None else coded.codes[rows]
    counts = np.bincount(codes, minlength=coded.n_codes + 1)[: coded.n_codes]
    kept = _in_order(column, np.flatnonzero(counts))
    if len(kept) == coded.n_codes and np.array_equal(kept, np.arange(len(kept))):
        return column, coded
    code_of = np.full(coded.n_codes + 1, len(kept), dtype=np.min_scalar_type(len(kept)))
    code_of[kept] = np.arange(len(kept))
    levels = tuple(column.levels[position] for position in kept.tolist())
    values = None if column.level_values is None else column.level_values[kept]
    smaller = InputColumn(column.name, column.kind, levels, values)
    return smaller, CodedColumn(code_of[coded.codes], len(kept))


def _in_order(column: InputColumn, present: NDArray[np.intp]) -> NDArray[np.intp]:
    """The levels present, in the order that a table of the training rows alone would give them."""
    if column.level_values is not None or column.kind == "boolean":
        return present
    position_of = {column.levels[position]: position for position in present.tolist()}
    return np.array([position_of[level] for level in sort_levels(list(position_of))], dtype=np.intp)
