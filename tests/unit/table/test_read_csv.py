"""The CSV reader against the standard library's, on files that both must read alike."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import HeldoutError
from heldout.table.build_table import build_table
from heldout.table.csv_header import fields, records
from heldout.table.read_csv import CsvOptions, read_csv

CELLS = st.text(alphabet='ab7é"\n,; #.', max_size=6)
ROWS = st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=8)
)


def written(rows: list[list[str]], line_end: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerow([f"name {k}" for k in range(len(rows[0]))])
    writer.writerows(rows)
    return text.getvalue().encode()


@pytest.mark.slow
@given(ROWS, st.sampled_from(["\n", "\r\n"]))
def test_every_cell_arrives(rows: list[list[str]], line_end: str) -> None:
    """What the standard library writes is read back cell for cell, white space around it taken off."""
    raw = read_csv(written(rows, line_end), CsvOptions(delimiter=",", header=True))
    table = build_table(raw, kinds=dict.fromkeys(raw.names, "text"), missing=[])
    found = list(zip(*(column.labels() for column in table.columns), strict=True))
    assert found == [tuple(cell.strip() or None for cell in row) for row in rows]


@pytest.mark.slow
@given(ROWS, st.data())
def test_damage_is_refused_in_three_parts(rows: list[list[str]], data: st.DataObject) -> None:
    """One byte taken out gives a table or an error in three parts, never another exception."""
    text = written(rows, "\n")
    position = data.draw(st.integers(0, len(text) - 1))
    parts = ("what", "where", "fix")
    try:
        build_table(read_csv(text[:position] + text[position + 1 :], CsvOptions()))
    except HeldoutError as error:
        parts = (error.what, error.where, error.fix)
    assert all(parts)


@given(ROWS)
def test_scanner_agrees_with_the_standard_library(rows: list[list[str]]) -> None:
    """The scanner that locates errors cuts records and fields as the standard library does."""
    text = written(rows, "\n")
    found = [fields(text, record, ",") for record in records(text, ",")]
    assert found == [
        [cell.strip() for cell in row] for row in csv.reader(io.StringIO(text.decode(), newline=""))
    ]


def test_lines_are_counted_through_quoted_line_ends() -> None:
    """A record's line is the physical one."""
    text = b'a,b\r\n1,"x\ny\r\nz"\r\n2,w\r3,v\n\n4,u'
    assert [record.line for record in records(text, ",")] == [1, 2, 5, 6, 8]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    """Each of the four is found by its even number of fields, and all but the comma are noted."""
    text = delimiter.join(["name", "size"]) + "\n" + delimiter.join(["a", "1"]) + "\n"
    raw = read_csv(text.encode(), CsvOptions())
    assert raw.names == ("name", "size")
    assert bool(raw.notes) == (delimiter != ",")
