"""Missing values filled at fit: by the mode of the column, or by that of the column in the row's class.

The mode of a category is its most common level, the first of equals; that of a number is the lower
median, which is a number that occurs. Weights count. A column without a known value stays unknown.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputColumn
from heldout.inputs.training_inputs import TrainingRows
from heldout.table.codes import CodedColumn


def fill_rows(rows: TrainingRows, missing: str) -> TrainingRows:
    """The rows without missing values, and with a schema that says what fills those of other rows.

    missing: "column_mode", or "class_mode", which fills by class here and by column later
    """
    if missing == "class_mode":
        rows = _gathered(rows)
    return rows.with_columns([_filled(column, coded, rows, missing) for column, coded in rows.pairs])


def _filled(
    column: InputColumn, coded: CodedColumn, rows: TrainingRows, missing: str
) -> tuple[InputColumn, CodedColumn]:
    codes = rows.codes(coded)
    counts = np.bincount(codes, rows.weights, coded.n_codes + 1)
    known = counts[: coded.n_codes]
    if not known.any():
        return column, coded
    mode = _mode(known, column.is_category)
    fill = float(mode) if column.is_category else float(coded.distinct_numbers()[mode])
    column = replace(column, fill=fill)
    if not counts[coded.n_codes]:
        return column, coded
    if missing == "column_mode":
        return column, _with_codes(coded, np.where(coded.codes == coded.n_codes, mode, coded.codes))
    assert rows.classes is not None
    is_unknown = codes == coded.n_codes
    modes = _modes_by_class(codes, coded.n_codes, rows, mode, column.is_category)
    return column, _with_codes(coded, np.where(is_unknown, modes[rows.classes], codes))


def _mode(weights: NDArray[np.floating | np.integer], is_category: bool) -> int:
    if is_category:
        return int(weights.argmax())
    below = np.cumsum(weights)
    return int(np.searchsorted(below, below[-1] / 2))


def _modes_by_class(
    codes: NDArray[np.unsignedinteger], n_codes: int, rows: TrainingRows, mode: int, is_category: bool
) -> NDArray[np.intp]:
    """The mode of each class; that of the column where no row of the class has a value."""
    assert rows.classes is not None
    modes = np.full(rows.n_classes, mode)
    for label in range(rows.n_classes):
        inside = rows.classes == label
        weights = None if rows.weights is None else rows.weights[inside]
        known = np.bincount(codes[inside], weights, n_codes + 1)[:n_codes]
        if known.any():
            modes[label] = _mode(known, is_category)
    return modes


def _with_codes(coded: CodedColumn, codes: NDArray[np.integer]) -> CodedColumn:
    codes = codes.astype(coded.codes.dtype)
    if coded.is_category:
        return replace(coded, codes=codes)
    return CodedColumn(codes, coded.n_codes, distinct=coded.distinct_numbers())


def _gathered(rows: TrainingRows) -> TrainingRows:
    """A table of these rows alone: a row that was chosen twice may have two classes."""
    if rows.row_index is None:
        return rows
    columns = [_gathered_column(coded, rows.codes(coded)) for coded in rows.columns]
    return replace(rows, columns=tuple(columns), row_index=None)


def _gathered_column(coded: CodedColumn, codes: NDArray[np.unsignedinteger]) -> CodedColumn:
    if coded.is_category:
        return replace(coded, codes=codes)
    is_present = np.bincount(codes, minlength=coded.n_codes + 1)[: coded.n_codes] > 0
    rank_of = np.append(np.cumsum(is_present) - 1, np.count_nonzero(is_present))
    distinct = coded.distinct_numbers()[is_present]
    return CodedColumn(rank_of[codes].astype(codes.dtype), len(distinct), distinct=distinct)
