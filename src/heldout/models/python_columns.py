"""Columns, values and tables as Python source, which the programs of trees and of rules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from heldout.learners.inputs.input_schema import InputColumn, InputSchema
from heldout.models.level_words import is_made_of_dates, meant_levels

Table = tuple[str, str, Iterable[str], str]


def tables_source(tables: Iterable[Table]) -> list[str]:
    """Tables of the program, a line for each entry.

    tables: the name, the opening bracket, the entries and the closing bracket of each

    >>> print(*tables_source([("RULES", "[", ["1", "2"], "]")]))
    RULES = [
        1,
        2,
    ]
    <BLANKLINE>
    """
    return [
        f"{name} = {opening}\n" + "".join(f"    {line},\n" for line in lines) + f"{closing}\n"
        for name, opening, lines, closing in tables
    ]


def column_lines(schema: InputSchema, used: Iterable[int]) -> Iterator[str]:
    """Per column that is asked for: how it is read, its levels, and what fills an unknown value."""
    for position in used:
        column = schema.columns[position]
        fill = None if column.fill is None else plain_value(column, column.fill)
        yield f"{column.name!r}: ({_reading(column)!r}, {_levels(column)}, {fill!r})"


def _reading(column: InputColumn) -> str:
    if column.kind in ("number", "date", "boolean"):
        return column.kind
    if column.level_values is None:
        return "word"
    return "date" if is_made_of_dates(column) else "number"


def _levels(column: InputColumn) -> str:
    """The values that are known, as source; a boolean has them as they stand, and by meaning."""
    if column.kind == "boolean":
        exact = {level: level for level in column.levels}
        meant = {word: column.levels[code] for word, code in meant_levels(column).items()}
        return f"({exact!r}, {meant!r})"
    if column.is_category:
        return set_source([plain_value(column, level) for level in range(len(column.levels))])
    return "None"


def plain_value(column: InputColumn, value: float) -> str | float:
    """A number, or the level at this position."""
    if not column.is_category:
        return float(value)
    if column.level_values is not None:
        return float(column.level_values[int(value)])
    return column.levels[int(value)]


def set_source(members: list[Any]) -> str:
    """A set that stands in the order given, whatever the order of its hashes."""
    return "{" + ", ".join(map(repr, members)) + "}"
