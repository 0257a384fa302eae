"""How a file is written is decided over all of its rows, so a chunk is read as the whole column would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.column_formats import RowReader
from heldout.cli.predicting.csv_input import CsvInput
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.cli.predicting.model_columns import ModelColumns, WantedColumn
from heldout.cli.predicting.predict_file import file_formats

NUMBERS = (
    "1", "12.5", "1.234", "1234", "1,5", "1,234", "12,345.6", "1.234,5", "0,75", "0.75", "007", "-3", "+4",
    "1e3", "$5", "$1,200", "($3)", "5%", "€7", "1 234", "1 234,5", "inf", "NA", "", "?", " 8 ", "word",
    "1.2.3.4", "10.20.30.40", "(4)", "-$2", ".5", ",5", "1'000",
)  # fmt: skip
DATES = (
    "2024-01-31", "2024-01-31 10:30:00", "31/01/2024", "01/31/2024", "03/04/2024", "3 Jan 2024",
    "Feb 7, 2024", "20240131", "1/2/24", "NA", "", "word", "2024-02-30", "31/02/2024", "2024/5/6",
    "2024-01-31T10:30Z", "03/04/2024 1:30 PM", "03/04/2024 13:30",
)  # fmt: skip
BOOLEANS = ("yes", "no", "Yes", "NO", "true", "false", "1", "0", "maybe", "NA", "", "y", "Y", "YES")
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def in_chunks(path: Path, kind: str, n_bytes: int, **reading: Any) -> tuple[list[Any], str | None]:
    """The column x of a file as chunks read it, and the decimal mark that was found."""
    source = ByteSource(path, path.name)
    file = CsvInput(source, delimiter=reading.pop("delimiter", ","), size=ChunkSize(n_bytes))
    wanted = ModelColumns((WantedColumn("x", kind),))
    formats = file_formats(file, wanted, {"x": 0}, reading)
    reader = RowReader(wanted, {"x": 0}, formats)
    tables = [reader.table(chunk) for chunk in file.chunks()]
    return [label for table in tables for label in table["x"].labels()], formats.rules.decimal


def outcome(read: Any) -> Any:
    """What was read, or that it was refused."""
    try:
        return read()
    except ho.DataError:
        return "refused"


def three_ways(folder: Path, kind: str, values: list[str], n_bytes: int, delimiter: str = ",") -> list[Any]:
    """A column of these values as small chunks give it, as one large chunk does, and as a table does."""
    path = folder / "x.csv"
    lines = [f'"{value}"{delimiter}-' for value in values]
    path.write_text("\n".join([f"x{delimiter}y", *lines]) + "\n", encoding="utf-8")
    chunked = [outcome(lambda n=n: in_chunks(path, kind, n, delimiter=delimiter)) for n in (n_bytes, 1 << 20)]
    decimal = None if chunked[0] == "refused" else chunked[0][1]
    whole = outcome(
        lambda: ho.read_table(path, kinds={"x": kind}, decimal=decimal, delimiter=delimiter)["x"].labels()
    )
    return [each if each == "refused" else each[0] for each in chunked] + [whole]


@pytest.mark.slow
@given(values=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=8), n_bytes=st.integers(1, 60))
@example(values=["1,5", "1,234"], n_bytes=1)
@example(values=["1.234", "1,5"], n_bytes=1)
@example(values=["$5", "7"], n_bytes=1)
@quick
def test_numbers_of_a_chunk_are_those_of_the_whole(tmp_path: Path, values: list[str], n_bytes: int) -> None:
    """Numbers in every dress are read in chunks as in one piece, or refused by both."""
    small, large, whole = three_ways(tmp_path, "number", values, n_bytes)
    assert small == large == whole


@pytest.mark.slow
@given(values=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=6), n_bytes=st.integers(1, 60))
@example(values=["1.234", "5.678"], n_bytes=1)
@settings(quick, max_examples=30)
def test_files_with_semicolons_are_read_alike(tmp_path: Path, values: list[str], n_bytes: int) -> None:
    """Where points may stand between thousands, chunks say what the whole says."""
    small, large, whole = three_ways(tmp_path, "number", values, n_bytes, delimiter=";")
    assert small == large == whole


@pytest.mark.slow
@given(values=st.lists(st.sampled_from(DATES), min_size=1, max_size=6), n_bytes=st.integers(1, 60))
@example(values=["13/04/2024", "03/04/2024"], n_bytes=1)
@example(values=["13/04/2024", "04/13/2024"], n_bytes=1)
@quick
def test_dates_of_a_chunk_are_those_of_the_whole(tmp_path: Path, values: list[str], n_bytes: int) -> None:
    """The order of day and month is that of the whole column, in every chunk."""
    small, large, whole = three_ways(tmp_path, "date", values, n_bytes)
    assert small == large == whole


@pytest.mark.slow
@given(values=st.lists(st.sampled_from(BOOLEANS), min_size=1, max_size=8), n_bytes=st.integers(1, 60))
@settings(quick, max_examples=30)
def test_booleans_of_a_chunk_are_those_of_the_whole(tmp_path: Path, values: list[str], n_bytes: int) -> None:
    """A boolean has its words from the whole column, also where a chunk has one of them."""
    small, large, whole = three_ways(tmp_path, "boolean", values, n_bytes)
    assert small == large == whole
