"""Which character separates the fields of a file.

The rule: of comma, semicolon, tab and bar, the one that gives every one of the first 200 records,
the header included, the same number of fields, and more than one. If several do, it is not guessed.
If none does, the one under which most records agree with the header; Arrow then refuses the others.
If the header has none of them, it is a file of one column, unless one_column.py finds that
something else sets fields apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from heldout.errors import DataError, RequestError
from heldout.table.csv_records import Record, records
from heldout.table.one_column import refuse_one_column

CANDIDATES = (",", ";", "\t", "|")
NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}

_SAMPLE = 200


@dataclass(frozen=True)
class Dialect:
    """The delimiter, and what is to be said about it."""

    delimiter: str
    notes: tuple[str, ...] = ()


def dialect(data: bytes, begin: int, line: int, delimiter: str | None, comment: str = "") -> Dialect:
    """The delimiter that the user named, or the one that the rule above finds.

    begin, line: where the header is
    """
    if delimiter is not None:
        return Dialect(_checked(delimiter), _doubts(data, begin, line, delimiter, comment))
    counts = {
        mark: [record.n_fields for record in _sample(data, mark, begin, line, comment)] for mark in CANDIDATES
    }
    steady = [mark for mark in CANDIDATES if counts[mark][0] > 1 and len(set(counts[mark])) == 1]
    if len(steady) > 1:
        raise _undecided(steady, counts, line)
    if steady:
        return _noted(steady[0])
    split = [mark for mark in CANDIDATES if counts[mark][0] > 1]
    if split:
        return _noted(max(split, key=lambda mark: counts[mark].count(counts[mark][0]) / len(counts[mark])))
    _refuse_title(data, begin, line, comment, counts)
    refuse_one_column(data, _sample(data, ",", begin, line, comment))
    return Dialect(",")


def _sample(data: bytes, mark: str, begin: int, line: int, comment: str) -> Sequence[Record]:
    return list(islice(records(data, mark, begin, line, comment), _SAMPLE))


def _noted(mark: str) -> Dialect:
    if mark == ",":
        return Dialect(mark)
    return Dialect(mark, (f"fields are separated by {NAMES[mark]}; delimiter= overrides",))


def _doubts(data: bytes, begin: int, line: int, delimiter: str, comment: str) -> tuple[str, ...]:
    """One column, where another delimiter would give several, is read as asked, and said."""
    if any(record.n_fields > 1 for record in _sample(data, delimiter, begin, line, comment)):
        return ()
    for mark in CANDIDATES:
        counts = {record.n_fields for record in _sample(data, mark, begin, line, comment)}
        if len(counts) == 1 and max(counts) > 1:
            return (f"{delimiter!r} gives one column, where {NAMES[mark]} would give {max(counts)}",)
    return ()


def _checked(delimiter: str) -> str:
    if (
        isinstance(delimiter, str)
        and len(delimiter) == 1
        and delimiter.isascii()
        and delimiter not in '\r\n"'
    ):
        return delimiter
    raise RequestError(
        "a delimiter is one ASCII character, and neither a quote nor a line end",
        where=f"delimiter={delimiter!r}",
        fix='leave it out to have it found, or say "," or ";" or "\\t"',
    )


def _undecided(steady: Sequence[str], counts: dict[str, list[int]], line: int) -> DataError:
    ways = " and ".join(f"{counts[mark][0]} by {NAMES[mark]}" for mark in steady)
    return DataError(
        "the fields may be separated in more than one way",
        where=f"from line {line} on, every line has fields: {ways}",
        fix=f"say which with delimiter={steady[0]!r} or delimiter={steady[1]!r}",
    )


def _refuse_title(data: bytes, begin: int, line: int, comment: str, counts: dict[str, list[int]]) -> None:
    """A title above the header would make a table of one column."""
    for mark in CANDIDATES:
        rest = counts[mark][1:]
        if len(rest) > 1 and len(set(rest)) == 1 and rest[0] > 1:
            first, second = islice(records(data, mark, begin, line, comment), 2)
            text = data[first.begin : first.end][:40].decode("utf-8", "replace")
            raise DataError(
                "the first line is not a header of the lines below it",
                where=f"line {first.line} has 1 field, {text!r}, line {second.line} has {rest[0]}",
                fix=f"remove it or say skip_lines={first.line}; "
                f"if the file has one column, say delimiter with a character it does not hold",
            )
