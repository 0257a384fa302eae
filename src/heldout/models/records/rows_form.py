"""The rows that neighbors keep, as arrays of a model file, and back: dense, or sparse by rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    checked_sizes,
    read_arrays,
    written_arrays,
)
from heldout.models.records.node_checks import require

_DTYPES = ("<f8", "<f4")
# The sizes that the JSON declares, and the least that each can be; sparse rows store some of their cells.
_SIZES = {"n_rows": 1, "n_stored": 0}
_LEVELS: Forms = {"levels": ("<i4", ("n_rows", "n_levels"))}


def rows_record(rows: StoredRows) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the rows in JSON, and their arrays as members of the file."""
    numbers, dtype = rows.numbers, rows.numbers.dtype.newbyteorder("<").str
    n_stored = int(numbers.nnz) if rows.is_sparse else 0
    record = {
        "is_sparse": rows.is_sparse,
        "dtype": dtype,
        "sizes": {"n_rows": rows.n_rows, "n_stored": n_stored},
    }
    parts = {"numbers": numbers, "levels": rows.levels}
    if rows.is_sparse:
        parts |= {"stored": numbers.data, "columns": numbers.indices, "row_begin": numbers.indptr}
    return record, written_arrays("rows", parts, {**_number_forms(rows.is_sparse, dtype), **_LEVELS})


def rows_of_record(
    record: Any, members: ArrayMembers, n_numbers: int, n_levels: int, allows_unknown: bool
) -> StoredRows:
    """The rows, checked.

    n_numbers, n_levels: how many columns of each there are
    allows_unknown:      whether a number may be NaN
    """
    if type(record) is not dict or set(record) != {"is_sparse", "dtype", "sizes"}:
        raise damaged("the rows are not described as they should be", short(record))
    is_csr, dtype = record["is_sparse"], record["dtype"]
    if type(is_csr) is not bool or type(dtype) is not str or dtype not in _DTYPES:
        raise damaged("the rows have an unknown form", f"{short(is_csr)}, {short(dtype)}")
    sizes = checked_sizes(record["sizes"], _SIZES, "the rows")
    if sizes["n_stored"] and not is_csr:
        raise damaged("the rows have an unknown form", f"{sizes['n_stored']} stored cells")
    sizes |= {"n_numbers": n_numbers, "n_levels": n_levels, "n_begins": sizes["n_rows"] + 1}
    arrays = read_arrays("rows", {**_number_forms(is_csr, dtype), **_LEVELS}, sizes, members)
    numbers = _sparse_numbers(arrays, n_numbers) if is_csr else arrays["numbers"]
    values = arrays["stored"] if is_csr else numbers
    is_allowed = ~np.isinf(values) if allows_unknown else np.isfinite(values)
    require(is_allowed.ravel(), "a row has a number that is none")
    return StoredRows(numbers, arrays["levels"])


def check_levels(levels: NDArray[np.int32], schema: InputSchema, lowest: int) -> None:
    """Each level is one of its column; -1 stands for unknown, where that is allowed."""
    n_levels = np.array([len(column.levels) for column in schema.columns if column.is_category], np.int64)
    require(((levels >= lowest) & (levels < n_levels)).ravel(), "a row has a level that its column has not")


def _number_forms(is_csr: bool, dtype: str) -> Forms:
    if not is_csr:
        return {"numbers": (dtype, ("n_rows", "n_numbers"))}
    return {
        "stored": (dtype, ("n_stored",)),
        "columns": ("<i4", ("n_stored",)),
        "row_begin": ("<i8", ("n_begins",)),
    }


def _sparse_numbers(arrays: dict[str, NDArray[Any]], n_columns: int) -> Any:
    """A csr_array whose cells stand once and in order."""
    from scipy.sparse import csr_array  # takes 0.1 s

    columns, begin = arrays["columns"], arrays["row_begin"]
    check_cells(columns, begin, n_columns)
    return csr_array((arrays["stored"], columns, begin.astype(np.int32)), shape=(len(begin) - 1, n_columns))


def check_cells(columns: NDArray[np.int32], begin: NDArray[np.int64], n_columns: int) -> None:
    """Rows follow one another and hold all cells that are stored, each once and in order.

    columns: of each cell
    begin:   where each row begins, and where the last ends
    """
    require((begin >= 0) & (begin <= len(columns)), "a row lies outside the cells that are stored")
    require(np.diff(begin) >= 0, "a row ends before it begins")
    require(np.array([begin[0] == 0, begin[-1] == len(columns)]), "the rows do not hold all cells")
    require((columns >= 0) & (columns < n_columns), "a cell is in no column")
    is_first = np.zeros(len(columns) + 1, dtype=np.bool_)
    is_first[begin] = True
    is_later = columns[1:] > columns[:-1]
    require(
        is_later | is_first[1:-1][: len(is_later)], "the cells of a row are not in the order of the columns"
    )
