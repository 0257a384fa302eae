"""What the page about the study file says is so, and it is as fast as a run needs it."""

from __future__ import annotations

import doctest
import hashlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger

from .made_ledger import cell_entries, made_file

PAGE = Path(__file__).parents[3] / "docs" / "study-file.md"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory, if there is one: what a disk takes to write is not ours."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        yield Path(name)


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of the page run and print what stands below them."""
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```.*$", "", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner()
    runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)
    assert runner.tries > 5


def test_the_page_lists_every_column(tmp_path: Path) -> None:
    """Each table and view of the file stands on the page with exactly its columns."""
    made_file(tmp_path / "a.heldout", n_cells=0)
    rows = re.findall(r"^\| `(\w+)` \| (`.*) \|$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    listed = {view: re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", columns)) for view, columns in rows}
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as connection:
        views = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'")]
        columns = {
            view: [row[1] for row in connection.execute(f"PRAGMA table_info({view})")] for view in views
        }
    assert len(views) >= 10
    for view in views:
        assert listed[view] == [name for name in columns[view] if name not in ("number", "at")], view


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the sqlite3 program is not installed")
def test_the_shell_checks_a_fact(tmp_path: Path) -> None:
    """The statement of the page gives, by the sqlite3 program, the text whose SHA-256 is the hash."""
    made_file(tmp_path / "a.heldout")
    statement = re.search(r'"(SELECT previous \|\|.*?number = 7)"', PAGE.read_text("utf-8"), flags=re.DOTALL)
    assert statement is not None
    as_the_shell_reads_it = statement.group(1).replace("\\\n", "")
    asked = ["sqlite3", "-readonly", "-noheader", str(tmp_path / "a.heldout"), as_the_shell_reads_it]
    text = subprocess.run(asked, capture_output=True, check=True).stdout
    with Ledger.open(tmp_path / "a.heldout", query_only=True) as ledger:
        assert hashlib.sha256(text[:-1]).hexdigest() == ledger.facts()[6].hash


def test_a_cell_is_written_in_less_than_two_milliseconds(folder: Path) -> None:
    """A cell's eight facts with three arrays of 1,000 rows take less than 2 ms of a processor."""
    with Ledger.create(folder / "a.heldout") as ledger:
        times = []
        for number in range(30):
            entries = cell_entries(number, n_rows=1000)
            start = time.process_time()
            ledger.append(entries)
            times.append(time.process_time() - start)
        assert min(times) < 0.002


@pytest.mark.slow
def test_ten_thousand_facts_are_read_in_half_a_second(folder: Path) -> None:
    """Reading 10,000 facts, and verifying them, each takes less than half a second of a processor."""
    with Ledger.create(folder / "a.heldout") as ledger:
        body = {"metric": "accuracy", "value": 0.5, "name": "tree"}
        ledger.append([Entry("score", f"{number:064d}:accuracy", body) for number in range(10_000)])
        reading, verifying = [], []
        for _ in range(3):
            start = time.process_time()
            assert len(ledger.facts()) == 10_000
            reading.append(time.process_time() - start)
            start = time.process_time()
            assert ledger.verify().n_facts == 10_000
            verifying.append(time.process_time() - start)
        assert min(reading) < 0.5
        assert min(verifying) < 0.5
