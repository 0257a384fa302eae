"""How the columns of a file are written: found out over all rows before the first is answered.

`1,234` is a number in one way or another only when the whole column is known, and so is 03/04/2024. A chunk
that is read alone could be read otherwise than its neighbor. So the file is gone through once, and of each
column that is not plain one example is kept of every way in which a value is written. Later each chunk is
read together with these examples, and is so read as the whole column would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from heldout.cli.predicting.input_chunk import InputChunk, InputFile
from heldout.cli.predicting.model_columns import WantedColumn
from heldout.table.date_text import iso_days
from heldout.table.infer_arrow import is_string_type, plain_strings
from heldout.table.infer_strings import without_markers
from heldout.table.kinds import TypingRules
from heldout.table.number_text import decorated_numbers, has_decimal_point, plain_numbers
from heldout.table.strings import trimmed

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
