"""An ARFF file, read with liac-arff: its declared types are used, nominal levels are categories."""

from __future__ import annotations

import re
from typing import Any

import arff
import numpy as np
import pyarrow as pa

from heldout.errors import DataError
from heldout.table.csv_text import csv_text
from heldout.table.describe import plural
from heldout.table.kinds import boolean_levels
from heldout.table.number_text import LARGEST_EXACT, float_values
from heldout.table.raw_table import RawTable

_KEYWORD = re.compile(r"@(relation|attribute|data)(?!\S)\s*", re.IGNORECASE)
_INTEGER = re.compile(r"(?<=\s)integer$", re.IGNORECASE)
_NAMING = "rename it in the file's @attribute lines"


def read_arff(data: bytes, encoding: str | None = None) -> RawTable:
    """The columns of an ARFF file, dense or sparse.

    data: the file's bytes
    """
    text = csv_text(data, encoding)
    loaded = _loaded(_tidy_header(text.data.decode("utf-8")))
    attributes, rows = loaded["attributes"], loaded["data"]
    if not rows:
        raise DataError(
            "the file has attributes and no rows",
            where=f"{len(attributes)} attributes, @DATA is empty",
            fix="add rows",
        )
    columns = [_array(declared, _values(rows, position)) for position, (_, declared) in enumerate(attributes)]
    notes = [
        f"column '{name}': declared level {unused[0]!r} does not occur"
        + (f", nor do {len(unused) - 1} more" if len(unused) > 1 else "")
        for position, (name, declared) in enumerate(attributes)
        if (unused := _unused(declared, rows, position))
    ]
    names = tuple(str(name).strip() for name, _ in attributes)
    notes += [note for pair in zip(names, columns, strict=True) if (note := _lost_digits(*pair))]
    return RawTable(names, tuple(columns), (*text.notes, *notes), naming=_NAMING)


def _tidy_header(text: str) -> list[str]:
    """The lines, declarations as liac-arff wants them: it knows no tabs, and cuts integers off."""
    lines = re.split(r"\r\n|\r|\n", text)
    for index, line in enumerate(lines):
        found = _KEYWORD.match(line.strip())
        if found is None:
            continue
        rest = line.strip()[found.end() :]
        if found[1].lower() == "data":
            lines[index] = "@data"
            break
        if not rest and found[1].lower() == "attribute":
            raise DataError(
                "an attribute has no name and no type",
                where=f"line {index + 1}, {line.strip()!r}",
                fix="write @attribute, its name and its type",
            )
        lines[index] = f"@{found[1]} " + (_INTEGER.sub("real", rest) or "unnamed")
    return lines


def _loaded(lines: list[str]) -> Any:
    try:
        try:
            return arff.loads(lines)
        except arff.BadLayout:
            return arff.loads(lines, return_type=arff.LOD)
    except arff.ArffException as error:
        line = getattr(error, "line", 0)
        raise DataError(
            "the file cannot be read as ARFF",
            where=f"line {line}: {str(error).partition(chr(10))[0][:200]}" if line > 0 else str(error)[:200],
            fix="mend that line; types are numeric, real, integer, string or {levels}, dates are not read",
        ) from None


def _values(rows: Any, position: int) -> list[Any]:
    """One column; in a sparse row what is not named is 0, and for a nominal its first level."""
    if isinstance(rows[0], dict):
        return [row.get(position, 0) for row in rows]
    return [row[position] for row in rows]


def _array(declared: Any, values: list[Any]) -> Any:
    if isinstance(declared, list):
        strings = [declared[0] if value == 0 else value for value in values]
        array = pa.array([None if value is None else str(value).strip() for value in strings], pa.string())
        # ARFF has no booleans: a nominal of true and false is one.
        found = [level for level in array.unique().to_pylist() if level is not None]
        is_boolean = len(declared) == 2 and boolean_levels([str(level) for level in declared]) is not None
        return pa.chunked_array([array if is_boolean and found else array.dictionary_encode()])
    if declared.upper() == "STRING":
        return pa.chunked_array(
            [pa.array([None if value in (None, 0) else str(value) for value in values], pa.string())]
        )
    return pa.chunked_array(
        [pa.array([None if value is None else float(value) for value in values], pa.float64())]
    )


def _lost_digits(name: str, column: Any) -> str:
    """A note if whole numbers are too long for a float."""
    if not pa.types.is_floating(column.type):
        return ""
    numbers = float_values(column)
    n_large = int(np.count_nonzero((np.abs(numbers) >= LARGEST_EXACT) & np.isfinite(numbers)))
    numbers_beyond = plural(n_large, "number") + " beyond 2^53"
    return f"column '{name}': {numbers_beyond} may have lost digits" if n_large else ""


def _unused(declared: Any, rows: Any, position: int) -> list[str]:
    if not isinstance(declared, list):
        return []
    found = set(_values(rows, position))
    if isinstance(rows[0], dict) and 0 in found:
        found.add(declared[0])
    return [level for level in declared if level not in found]
