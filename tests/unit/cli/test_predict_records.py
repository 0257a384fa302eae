"""Records are cut alike wherever a text is divided, also around quotes that quote nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.cli.predicting import csv_input
from heldout.cli.predicting.byte_streams import ByteSource
from heldout.cli.predicting.csv_input import record_cuts
from heldout.cli.predicting.input_chunks import ChunkSize
from heldout.table.csv_header import records

PIECES = ("a", ",", "\n", "\r\n", "\r", '"b"', '"c\nd"', '"e""f"', '5"', '"g,h"', "é", '"')


def streamed(text: bytes, n_bytes: int) -> tuple[list[bytes], str]:
    """The records of a text that comes in parts, and what was wrong."""
    found: list[bytes] = []
    rest, place, is_last = b"", 0, False
    while not is_last:
        more = text[place : place + n_bytes]
        place, is_last = place + n_bytes, len(more) < n_bytes
        part = rest + more
        cuts = record_cuts(part, ",", is_last)
        pairs = zip(cuts.begins.tolist(), cuts.ends.tolist(), strict=True)
        found += [part[begin:end] for begin, end in pairs]
        if cuts.problem:
            return found, cuts.problem
        rest = part[cuts.n_used :]
    return found, ""


@pytest.mark.slow
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=25), n_bytes=st.integers(1, 30))
@example(pieces=['"e""f"', "\r\n", '5"', "\n", '"c\nd"', "\r"], n_bytes=1)
@example(pieces=['5"', "\r\n", '"b"', '"e""f"', '"c\nd"', "\n"], n_bytes=16)
@settings(max_examples=300, deadline=None)
def test_parts_have_the_records_of_the_whole(pieces: list[str], n_bytes: int) -> None:
    """Read in parts of any size, a text has the records that the scanner finds in one piece."""
    text = "".join(pieces).encode()
    whole: list[bytes] = []
    problem = ""
    for record in records(text, ",", keep_blank=True):
        if record.problem:
            problem = record.problem
            break
        whole.append(text[record.begin : record.end])
    found, trouble = streamed(text, n_bytes)
    assert bool(trouble) == bool(problem)
    assert found == whole


def test_a_quote_that_never_ends_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many bytes without the end of a record, the line on which it begins is named."""
    monkeypatch.setattr(csv_input, "MOST_RECORD_BYTES", 1000)
    path = tmp_path / "open.csv"
    path.write_text("a,b\n1,2\n" + '3,"4\n' + "5,6\n" * 1000)
    file = csv_input.CsvInput(ByteSource(path, "open.csv"), size=ChunkSize(100))
    with pytest.raises(ho.DataError, match="a quote is opened and not closed") as error:
        list(file.chunks())
    assert error.value.where.startswith("line 3,")


def test_rows_that_are_longer_than_a_chunk_are_read(tmp_path: Path) -> None:
    """A chunk grows until a row ends in it."""
    path = tmp_path / "long.csv"
    path.write_text(f"a,b\n{'x' * 5000},1\n2,3\n")
    chunks = list(csv_input.CsvInput(ByteSource(path, "long.csv"), size=ChunkSize(7)).chunks())
    assert [value for chunk in chunks for value in chunk.columns[1].to_pylist()] == ["1", "3"]


def test_places_are_lines_of_the_file(tmp_path: Path) -> None:
    """A row is found by its number and by the line on which it begins, whatever came before."""
    path = tmp_path / "lines.csv"
    path.write_text('# note\na,b\n1,"x\ny"\n\n2,3\n4,5\n')
    chunks = csv_input.CsvInput(ByteSource(path, "lines.csv"), size=ChunkSize(3)).chunks()
    places = [chunk.describe_row(row) for chunk in chunks for row in range(chunk.n_rows)]
    assert places == ["row 1 (line 3)", "row 2 (line 6)", "row 3 (line 7)"]
