"""How the columns of a file are written, known from all rows before the first is predicted.

`1,234` is a number in one way or another only when the whole column is known, and so is 03/04/2024. A chunk
that is read alone could be read otherwise than its neighbor. So the file is gone through once, and of each
column that is not plain one example is kept of every format in which a value is written. Later each chunk is
read together with these examples, and is so read as the whole column would be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from heldout.cli.predicting.input_chunks import InputChunk, InputFile
from heldout.cli.predicting.model_columns import ModelColumns, WantedColumn
from heldout.errors import DataError
from heldout.table.arrow_strings import trim_strings
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.infer_arrow import infer_arrow, is_string_type, plain_strings
from heldout.table.infer_strings import without_markers
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import without_number_markers
from heldout.table.parse_dates import iso_days
from heldout.table.parse_numbers import decorated_numbers, has_decimal_point, plain_numbers
from heldout.table.read_as_kind import read_as
from heldout.table.table import Table

# A column of numbers or dates is written in a few formats; what has more is no such column, and is refused.
MOST_EXAMPLES = 2000
_WATCHED = ("number", "date", "boolean")


@dataclass(eq=False)
class ColumnFormats:
    """How one column of strings is written, or one of numbers that is to be a boolean."""

    column: WantedColumn  # what the model wants of it
    is_plain: bool = True  # is every value a plain number or an ISO date, which is read alike in any company?
    has_point: bool = False  # is there a decimal point that cannot stand between thousands?
    # By way of writing, the first value that is written so, and where it is
    examples: dict[Any, tuple[Any, str]] = field(default_factory=dict)

    def values(self, kind: pa.DataType) -> pa.Array:
        """The examples as an Arrow array."""
        return pa.array([value for value, _ in self.examples.values()], kind)

    @property
    def row_texts(self) -> list[str]:
        return [index for _, index in self.examples.values()]


@dataclass(frozen=True, eq=False)
class FileFormats:
    """How a file is written."""

    n_rows: int  # in all
    rules: TypingRules  # by which its columns are read, all of them decided
    columns: Mapping[int, ColumnFormats]  # by position, for columns that are to be numbers, dates or booleans


def find_formats(file: InputFile, wanted: Mapping[int, WantedColumn], rules: TypingRules) -> FileFormats:
    """Go through all rows of a file, and see how the columns that a model wants are written."""
    watched = {index: ColumnFormats(column) for index, column in wanted.items() if column.kind in _WATCHED}
    n_rows = 0
    for chunk in file.chunks(list(wanted)):
        n_rows += chunk.n_rows
        for formats, strings in _watched_strings(chunk, watched, rules):
            _update_is_plain(formats, strings)
    may_group = file.points_may_group and rules.decimal is None
    doubtful = {
        index for index, formats in watched.items() if _needs_examples(formats, rules.decimal, may_group)
    }
    _collect_examples(file, {index: watched[index] for index in doubtful}, rules)
    if rules.decimal is None:
        rules = replace(rules, decimal=_decimal_mark(watched.values()))
        rest = {
            p: w for p, w in watched.items() if p not in doubtful and _needs_examples(w, rules.decimal, False)
        }
        _collect_examples(file, rest, rules)
    return FileFormats(n_rows, rules, watched)


def _watched_strings(
    chunk: InputChunk, watched: Mapping[int, ColumnFormats], rules: TypingRules
) -> Iterator[tuple[ColumnFormats, Any]]:
    """The columns that are strings, without what stands for a missing value; numbers for a boolean too."""
    for index, formats in watched.items():
        values = chunk.columns[index]
        if is_string_type(values.type):
            strings = trim_strings(plain_strings(values))
            yield formats, without_markers(strings, rules.missing.markers(formats.column.name))[0]
        elif formats.column.kind == "boolean" and is_number_type(values.type):
            yield formats, values


def is_number_type(kind: pa.DataType) -> bool:
    """Whether the values of this Arrow type are numbers, of which two may stand for yes and no."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _update_is_plain(formats: ColumnFormats, strings: pa.ChunkedArray) -> None:
    if not formats.is_plain:
        return
    if formats.column.kind == "number":
        formats.is_plain = plain_numbers(strings) is not None
        formats.has_point = formats.has_point or (formats.is_plain and has_decimal_point(strings))
    elif formats.column.kind == "date":
        formats.is_plain = strings.null_count == len(strings) or iso_days(strings) is not None
    else:
        formats.is_plain = False


def _needs_examples(formats: ColumnFormats, decimal: str | None, may_group: bool) -> bool:
    is_doubtful = formats.column.kind == "number" and (decimal == "," or may_group)
    return not formats.is_plain or is_doubtful


def _collect_examples(file: InputFile, watched: Mapping[int, ColumnFormats], rules: TypingRules) -> None:
    if not watched:
        return
    for formats in watched.values():
        formats.is_plain = False
    for chunk in file.chunks(list(watched)):
        for formats, strings in _watched_strings(chunk, watched, rules):
            if len(formats.examples) < MOST_EXAMPLES:
                _add_examples(formats, strings, chunk)


def _add_examples(formats: ColumnFormats, strings: pa.ChunkedArray, chunk: InputChunk) -> None:
    distinct = pc.unique(
        strings.combine_chunks() if strings.num_chunks != 1 else strings.chunk(0)
    ).drop_null()
    shapes = _shapes(distinct, formats.column.kind).to_pylist()
    for index, shape in enumerate(shapes):
        if shape not in formats.examples and len(formats.examples) < MOST_EXAMPLES:
            value = distinct[index].as_py()
            formats.examples[shape] = (
                value,
                chunk.describe_row(pc.index(strings, pa.scalar(value, strings.type)).as_py()),
            )


def _shapes(distinct: pa.Array, kind: str) -> pa.Array:
    """Strings of one shape are read alike: digits are all the same, but for what a reader looks at."""
    if kind == "boolean":
        return distinct
    if kind == "number":
        leading = pc.replace_substring_regex(distinct, r"^(\D*)0", r"\1Z")
        ones = pc.replace_substring_regex(leading, r"\d", "1")
        shapes = pc.replace_substring_regex(ones, "1{4,}", "1111")
        # Four groups may be an address of the Internet, of which the numbers count.
        return pc.if_else(pc.equal(pc.count_substring(distinct, "."), 3), distinct, shapes)
    # Above 12 it is no month.
    day = r"(?:1[3-9]|[23]\d)(\D)"
    first = pc.replace_substring_regex(distinct, rf"^{day}", r"L1\1")
    second = pc.replace_substring_regex(first, rf"^([L\d]\d?\D){day}", r"\1L1\2")
    return pc.replace_substring_regex(second, r"\d", "1")


def _decimal_mark(watched: Iterable[ColumnFormats]) -> str | None:
    """The decimal mark that some column shows, which holds for those that may be read both ways."""
    numbers = [formats for formats in watched if formats.column.kind == "number"]
    for formats in numbers:
        reading = decorated_numbers(formats.values(pa.string()), None) if formats.examples else None
        if reading is not None and reading.decimal == ",":
            return ","
    return "." if any(formats.has_point for formats in numbers) else None


_COUNTED = re.compile(r"^[\d,]+ of [\d,]+ rows, ")


@dataclass(frozen=True, eq=False)
class RowReader:
    """Makes tables of chunks."""

    wanted: ModelColumns  # the columns of the model
    positions: Mapping[str, int | None]  # of each of them in the file, by name; None where it is missing
    formats: FileFormats

    def table(self, chunk: InputChunk) -> Table:
        """The rows of a chunk."""
        rules = replace(self.formats.rules, location=chunk.describe_row)
        return Table([self._column_of_training(column, chunk, rules) for column in self.wanted.columns])

    def _column_of_training(self, column: WantedColumn, chunk: InputChunk, rules: TypingRules) -> Column:
        """The column; advice to read it as another kind is no help here, and left out."""
        try:
            return self._column(column, chunk, rules)
        except DataError as error:
            fix = f"clean those rows, or name what is missing with missing={{{column.name!r}: [...]}}"
            fix = f"the model has a {column.kind} there: {fix}" if "kinds=" in error.fix else error.fix
            # The rows that were counted are those of a chunk, and the examples that it was read with.
            raise DataError(error.what, where=_COUNTED.sub("", error.where), fix=fix) from None

    def _column(self, column: WantedColumn, chunk: InputChunk, rules: TypingRules) -> Column:
        position = self.positions[column.name]
        if position is None:
            return _missing_column(column, chunk.n_rows)
        values = chunk.columns[position]
        if pa.types.is_dictionary(values.type) and column.kind == "category":
            # Levels that a file declares are no markers of missing values, as in training.
            return infer_arrow(column.name, values, False, rules).column
        formats = self.formats.columns.get(position)
        if formats is not None and column.kind == "boolean" and is_number_type(values.type):
            return _with_examples(formats, values, rules)
        if formats is None or not is_string_type(values.type):
            return read_as(column.name, values, column.kind, rules).column
        strings = plain_strings(values)
        return _plain(column, strings, rules) if formats.is_plain else _with_examples(formats, strings, rules)


def _plain(column: WantedColumn, strings: pa.ChunkedArray, rules: TypingRules) -> Column:
    """Plain numbers and ISO dates, by one cast."""
    known, _ = without_markers(trim_strings(strings), rules.missing.markers(column.name))
    if column.kind == "date":
        is_empty = known.null_count == len(known)
        days = np.full(len(known), np.nan) if is_empty else iso_days(known)
        assert days is not None
        return Column(column.name, "date", days)
    numbers = plain_numbers(known)
    assert numbers is not None
    return Column(column.name, "number", without_number_markers(column.name, numbers, rules.missing)[0])


def _with_examples(formats: ColumnFormats, strings: pa.ChunkedArray, rules: TypingRules) -> Column:
    """Read together with an example of every format that the whole column has."""
    column, row_texts = formats.column, formats.row_texts
    index_of_row = rules.location

    def location(row: int) -> str:
        return row_texts[row] if row < len(row_texts) else index_of_row(row - len(row_texts))

    together = pa.chunked_array([formats.values(strings.type), *strings.chunks], strings.type)
    whole = read_as(column.name, together, column.kind, replace(rules, location=location)).column
    return Column(column.name, column.kind, whole.values[len(row_texts) :], whole.levels)


def _missing_column(column: WantedColumn, n_rows: int) -> Column:
    values: NDArray[Any]
    if column.kind in NUMERIC_KINDS:
        values = np.full(n_rows, np.nan)
    elif column.kind in LEVEL_KINDS:
        values = np.full(n_rows, -1, dtype=np.int32)
    else:
        values = np.full(n_rows, None, dtype=object)
    return Column(column.name, column.kind, values)
