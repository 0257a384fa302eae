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
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.date_text import iso_days
from heldout.table.infer_arrow import infer_arrow, is_string_type, plain_strings
from heldout.table.infer_strings import without_markers
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import without_number_markers
from heldout.table.number_text import decorated_numbers, has_decimal_point, plain_numbers
from heldout.table.requested_kind import read_as
from heldout.table.strings import trimmed
from heldout.table.table import Table

# A column of numbers or dates is written in a few ways; what has more is no such column, and is refused.
MOST_EXAMPLES = 2000


_WATCHED = ("number", "date", "boolean")


@dataclass(eq=False)
class ColumnWays:
    """How one column of strings is written, or one of numbers that is to be a boolean.

    column:    what the model wants of it
    is_plain:  is every value a plain number or an ISO date, which is read alike in any company?
    has_point: is there a decimal point that cannot stand between thousands?
    examples:  by way of writing, the first value that is written so, and where it is
    """

    column: WantedColumn
    is_plain: bool = True
    has_point: bool = False
    examples: dict[Any, tuple[Any, str]] = field(default_factory=dict)

    def values(self, kind: Any) -> Any:
        """The examples as an Arrow array.

        kind: the Arrow type of the column
        """
        return pa.array([value for value, _ in self.examples.values()], kind)

    @property
    def places(self) -> list[str]:
        return [place for _, place in self.examples.values()]


@dataclass(frozen=True, eq=False)
class Ways:
    """How a file is written.

    n_rows:  in all
    rules:   by which its columns are read, all of them decided
    columns: by position, for columns that are to be numbers, dates or booleans
    """

    n_rows: int
    rules: TypingRules
    columns: Mapping[int, ColumnWays]


def ways_of_writing(file: InputFile, wanted: Mapping[int, WantedColumn], rules: TypingRules) -> Ways:
    """Go through all rows of a file, and see how the columns that a model wants are written.

    wanted: by position
    rules:  what is known already: markers of missing values, decimal mark, order of days
    """
    watched = {place: ColumnWays(column) for place, column in wanted.items() if column.kind in _WATCHED}
    n_rows = 0
    for chunk in file.chunks(list(wanted)):
        n_rows += chunk.n_rows
        for ways, strings in _strings_of(chunk, watched, rules):
            _see_whether_plain(ways, strings)
    may_group = file.points_may_group and rules.decimal is None
    told = {place for place, ways in watched.items() if _needs_examples(ways, rules.decimal, may_group)}
    _collect(file, {place: watched[place] for place in told}, rules)
    if rules.decimal is None:
        rules = replace(rules, decimal=_decimal_of(watched.values()))
        rest = {
            p: w for p, w in watched.items() if p not in told and _needs_examples(w, rules.decimal, False)
        }
        _collect(file, rest, rules)
    return Ways(n_rows, rules, watched)


def _strings_of(
    chunk: InputChunk, watched: Mapping[int, ColumnWays], rules: TypingRules
) -> Iterator[tuple[ColumnWays, Any]]:
    """The columns that are strings, without what stands for a missing value; numbers for a boolean too."""
    for place, ways in watched.items():
        values = chunk.columns[place]
        if is_string_type(values.type):
            strings = trimmed(plain_strings(values))
            yield ways, without_markers(strings, rules.missing.markers(ways.column.name))[0]
        elif ways.column.kind == "boolean" and is_number_type(values.type):
            yield ways, values


def is_number_type(kind: Any) -> bool:
    """Whether the values of this Arrow type are numbers, of which two may stand for yes and no."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _see_whether_plain(ways: ColumnWays, strings: Any) -> None:
    if not ways.is_plain:
        return
    if ways.column.kind == "number":
        ways.is_plain = plain_numbers(strings) is not None
        ways.has_point = ways.has_point or (ways.is_plain and has_decimal_point(strings))
    elif ways.column.kind == "date":
        ways.is_plain = strings.null_count == len(strings) or iso_days(strings) is not None
    else:
        ways.is_plain = False


def _needs_examples(ways: ColumnWays, decimal: str | None, may_group: bool) -> bool:
    is_doubtful = ways.column.kind == "number" and (decimal == "," or may_group)
    return not ways.is_plain or is_doubtful


def _collect(file: InputFile, watched: Mapping[int, ColumnWays], rules: TypingRules) -> None:
    if not watched:
        return
    for ways in watched.values():
        ways.is_plain = False
    for chunk in file.chunks(list(watched)):
        for ways, strings in _strings_of(chunk, watched, rules):
            if len(ways.examples) < MOST_EXAMPLES:
                _add_examples(ways, strings, chunk)


def _add_examples(ways: ColumnWays, strings: Any, chunk: InputChunk) -> None:
    distinct = pc.unique(
        strings.combine_chunks() if strings.num_chunks != 1 else strings.chunk(0)
    ).drop_null()
    shapes = _shapes(distinct, ways.column.kind).to_pylist()
    for place, shape in enumerate(shapes):
        if shape not in ways.examples and len(ways.examples) < MOST_EXAMPLES:
            value = distinct[place].as_py()
            ways.examples[shape] = (
                value,
                chunk.place(pc.index(strings, pa.scalar(value, strings.type)).as_py()),
            )


def _shapes(distinct: Any, kind: str) -> Any:
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


def _decimal_of(watched: Iterable[ColumnWays]) -> str | None:
    """The decimal mark that some column shows, which holds for those that may be read both ways."""
    numbers = [ways for ways in watched if ways.column.kind == "number"]
    for ways in numbers:
        reading = decorated_numbers(ways.values(pa.string()), None) if ways.examples else None
        if reading is not None and reading.decimal == ",":
            return ","
    return "." if any(ways.has_point for ways in numbers) else None


_COUNTED = re.compile(r"^[\d,]+ of [\d,]+ rows, ")


@dataclass(frozen=True, eq=False)
class RowReader:
    """Makes tables of chunks.

    wanted:    the columns of the model
    positions: of each of them in the file, by name; None where it is unknown
    ways:      how the file is written
    """

    wanted: ModelColumns
    positions: Mapping[str, int | None]
    ways: Ways

    def table(self, chunk: InputChunk) -> Table:
        """The rows of a chunk."""
        rules = replace(self.ways.rules, place=chunk.place)
        return Table([self._column_of_training(column, chunk, rules) for column in self.wanted.columns])

    def _column_of_training(self, column: WantedColumn, chunk: InputChunk, rules: TypingRules) -> Column:
        """The column; that it could be read as another kind is no help here, and is not said."""
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
            return _unknown(column, chunk.n_rows)
        values = chunk.columns[position]
        if pa.types.is_dictionary(values.type) and column.kind == "category":
            # Levels that a file declares are no markers of missing values, as in training.
            return infer_arrow(column.name, values, False, rules).column
        ways = self.ways.columns.get(position)
        if ways is not None and column.kind == "boolean" and is_number_type(values.type):
            return _with_examples(ways, values, rules)
        if ways is None or not is_string_type(values.type):
            return read_as(column.name, values, column.kind, rules).column
        strings = plain_strings(values)
        return _plain(column, strings, rules) if ways.is_plain else _with_examples(ways, strings, rules)


def _plain(column: WantedColumn, strings: Any, rules: TypingRules) -> Column:
    """Plain numbers and ISO dates, by one cast."""
    known, _ = without_markers(trimmed(strings), rules.missing.markers(column.name))
    if column.kind == "date":
        is_empty = known.null_count == len(known)
        days = np.full(len(known), np.nan) if is_empty else iso_days(known)
        assert days is not None
        return Column(column.name, "date", days)
    numbers = plain_numbers(known)
    assert numbers is not None
    return Column(column.name, "number", without_number_markers(column.name, numbers, rules.missing)[0])


def _with_examples(ways: ColumnWays, strings: Any, rules: TypingRules) -> Column:
    """Read in the company of every way of writing that the whole column has."""
    column, places = ways.column, ways.places
    place_of_row = rules.place

    def place(row: int) -> str:
        return places[row] if row < len(places) else place_of_row(row - len(places))

    together = pa.chunked_array([ways.values(strings.type), *strings.chunks], strings.type)
    found = read_as(column.name, together, column.kind, replace(rules, place=place)).column
    return Column(column.name, column.kind, found.values[len(places) :], found.levels)


def _unknown(column: WantedColumn, n_rows: int) -> Column:
    values: NDArray[Any]
    if column.kind in NUMERIC_KINDS:
        values = np.full(n_rows, np.nan)
    elif column.kind in LEVEL_KINDS:
        values = np.full(n_rows, -1, dtype=np.int32)
    else:
        values = np.full(n_rows, None, dtype=object)
    return Column(column.name, column.kind, values)
