"""Parquet and Feather (Arrow IPC) files as columns with Arrow types."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

from heldout.errors import DataError
from heldout.table.build_table import check_names
from heldout.table.raw_table import RawTable

_PANDAS_INDEX = "__index_level_"
_NAMING = "rename it where the file is written, or read the file yourself and rename the column of that table"


def read_parquet(path: Path) -> RawTable:
    """The columns of a Parquet file."""
    try:
        # Arrow does not read a file with a name twice, and does not say which.
        check_names(pyarrow.parquet.read_schema(path).names, _NAMING)
        table = pyarrow.parquet.read_table(path, partitioning=None)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise _unreadable(path, "Parquet", error) from None
    return raw_from_arrow(table)


def read_feather(path: Path) -> RawTable:
    """The columns of a Feather or Arrow IPC file, or of an Arrow stream."""
    try:
        return raw_from_arrow(pyarrow.feather.read_table(path))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        problem = error
    try:
        with pa.memory_map(str(path)) as source:
            return raw_from_arrow(pyarrow.ipc.open_stream(source).read_all())
    except (pa.ArrowInvalid, OSError):
        raise _unreadable(path, "Feather or Arrow", problem) from None


def raw_from_arrow(table: pa.Table) -> RawTable:
    """A pyarrow table; the index that pandas stored under a name of its own is left out, and said so."""
    hidden = [name for name in table.column_names if name.startswith(_PANDAS_INDEX)]
    kept = [position for position, name in enumerate(table.column_names) if name not in hidden]
    notes = [f"the index that pandas stored as '{name}' is left out" for name in hidden]
    names = tuple(table.column_names[position].strip() for position in kept)
    columns = tuple(table.column(position) for position in kept)
    return RawTable(names, columns, tuple(notes), naming=_NAMING)


def _unreadable(path: Path, wanted: str, error: BaseException) -> DataError:
    return DataError(
        f"the file cannot be read as {wanted}",
        where=f"'{path.name}': {str(error).splitlines()[0][:150]}",
        fix="check that it was written completely, and that its name says what it is",
    )
