"""What cannot be opened, read or written is refused in three parts, and nothing that was finished is lost."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import HeldoutError, InputTypeError, LedgerError, RequestError
from heldout.ledger.connection import child_error, unfolded_error
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.run_lock import holder_of

from .made_ledger import cell_entries, made_file, rows_of


@pytest.fixture(scope="module")
def original() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        made_file(Path(folder, "a.heldout"))
        yield Path(folder, "a.heldout")


def refused(error: type[HeldoutError], call: Callable[..., Any], *arguments: Any) -> HeldoutError:
    """The error, which has all three parts."""
    with pytest.raises(error) as caught:
        call(*arguments)
    assert caught.value.what
    assert caught.value.where
    assert caught.value.fix
    return caught.value


def test_paths_that_are_none(tmp_path: Path) -> None:
    """Numbers, bytes and open files are no paths."""
    for odd in (7, b"a.heldout", None, sys.stdin, "a\0b"):
        assert "path" in refused(InputTypeError, Ledger.open, odd).what
        assert "path" in refused(InputTypeError, Ledger.create, odd).what


def test_places_where_no_file_is(tmp_path: Path) -> None:
    """A missing file names the near one; folders and missing folders are said."""
    made_file(tmp_path / "churn.heldout")
    assert "'churn.heldout'" in refused(RequestError, Ledger.open, tmp_path / "chrun.heldout").fix
    assert "folder" in refused(RequestError, Ledger.open, tmp_path).what
    assert "folder" in refused(RequestError, Ledger.create, tmp_path).what
    assert "folder" in refused(RequestError, Ledger.create, tmp_path / "no" / "a.heldout").what
    assert "folder" in refused(RequestError, Ledger.open, tmp_path / "no" / "a.heldout").where


def test_a_study_is_never_written_over(tmp_path: Path) -> None:
    """Creating where a study or any other file stands is refused, and the file stays as it is."""
    for name, content in (("a.heldout", None), ("notes.txt", b"mine")):
        path = tmp_path / name
        if content is None:
            made_file(path)
        else:
            path.write_bytes(content)
        before = path.read_bytes()
        assert "never written over" in refused(LedgerError, Ledger.create, path).what
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"a,b\n1,2\n", "it begins with 'a,b"),
        ("gr\u00f6\u00dfe,gr\u00fcn".encode(), "it begins with 'gr\u00f6\u00dfe,gr"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\r", "it begins with b'"),
        (b"SQLite", "it begins with 'SQLite'"),
    ],
)
def test_files_of_other_kinds(tmp_path: Path, content: bytes, said: str) -> None:
    """An empty file, a CSV and a beginning alone are no study files, and the error says what they are."""
    path = tmp_path / "a.heldout"
    path.write_bytes(content)
    for query_only in (False, True):
        assert said in refused(LedgerError, Ledger.open, path, query_only).what


def test_other_sqlite_files(tmp_path: Path) -> None:
    """An SQLite file of another program is refused and stays byte for byte what it is."""
    path = tmp_path / "a.heldout"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    before = path.read_bytes()
    for query_only in (False, True):
        assert "something else" in refused(LedgerError, Ledger.open, path, query_only).what
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.heldout"]


def test_a_newer_version(original: Path, tmp_path: Path) -> None:
    """A file of a later version is refused with the advice to update, for readers too."""
    path = Path(shutil.copy(original, tmp_path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for query_only in (False, True):
        error = refused(LedgerError, Ledger.open, path, query_only)
        assert "newer Heldout" in error.what
        assert "version 99" in error.where
        assert "upgrade" in error.fix


def test_a_file_that_another_process_writes(original: Path, tmp_path: Path) -> None:
    """A writer waits as long as it was told, then says who is in the way; readers go on meanwhile."""
    path = Path(shutil.copy(original, tmp_path))
    with Ledger.open(path, timeout=0.1) as ledger, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "another process" in refused(LedgerError, ledger.append, [Entry("note", "n", {})]).what
        with Ledger.open(path, query_only=True, timeout=0.1) as reader:
            assert reader.n_facts == 17
        other.rollback()
        assert ledger.append([Entry("note", "n", {})])[0].number == 18


def test_a_file_that_was_taken_away(tmp_path: Path) -> None:
    """Nothing is written to a study that was moved or replaced while it was open; put back, it goes on."""
    path, elsewhere = tmp_path / "a.heldout", tmp_path / "b.heldout"
    with Ledger.create(path) as ledger:
        ledger.append(cell_entries(0))
        path.rename(elsewhere)
        assert "moved" in refused(LedgerError, ledger.append, [Entry("note", "n", {})]).what
        path.write_bytes(b"another file")
        assert "replaced" in refused(LedgerError, ledger.append, [Entry("note", "n", {})]).what
        elsewhere.rename(path)
        assert ledger.append([Entry("note", "n", {})])[0].number == 9


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    """When no page can be added the append fails in words, earlier facts stand, and room lets it go on."""
    path = tmp_path / "a.heldout"
    with Ledger.create(path) as ledger:
        ledger.append(cell_entries(0))
        assert ledger.connection is not None
        pages = ledger.connection.execute("PRAGMA page_count").fetchone()[0]
        ledger.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        large = Entry("cell", "large", {}, {"values": np.zeros(10_000)})
        error = refused(LedgerError, ledger.append, [Entry("note", "before it", {}), large])
        assert "disk is full" in error.what
        assert "nothing that was finished is lost" in error.what
        assert ledger.n_facts == 8
        ledger.connection.execute("PRAGMA max_page_count = 1000000")
        assert ledger.append([large])[0].number == 9
        assert ledger.verify().is_unbroken


FULL = """
import resource, sys
import numpy as np
from heldout.errors import LedgerError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
ledger = Ledger.create(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
written = 0
try:
    for number in range(1000):
        ledger.append([Entry("cell", str(number), {}, {"values": np.full(500, number)})])
        written += 1
except LedgerError as error:
    print(written, ledger.n_facts, "nothing that was finished is lost" in error.what)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    ledger.close()
except LedgerError as error:
    print(error.what)
with Ledger.open(sys.argv[1], query_only=True) as reader:
    print(reader.n_facts)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("limit", [300_000, 1_000_000])
def test_a_disk_that_takes_no_more(tmp_path: Path, limit: int) -> None:
    """In a process whose files cannot grow past a limit, every acknowledged fact is found afterwards."""
    path = tmp_path / "a.heldout"
    script = [sys.executable, "-W", "error", "-c", FULL, str(path), str(limit)]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    stopped, closed, read = done.stdout.splitlines()
    written, n_facts, is_said = stopped.split()
    assert closed.startswith("the study could not be made one file; nothing is lost")
    assert read == written
    assert int(written) > 5
    assert written == n_facts
    assert is_said == "True"
    with Ledger.open(path) as ledger:
        assert ledger.n_facts == int(written)
        assert ledger.verify().is_unbroken
        last = ledger.facts()[-1]
        assert (ledger.array(last, "values") == int(written) - 1).all()
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.heldout"]


def everything_in(path: Path, query_only: bool) -> bool:
    """Reads all that a study file holds; whether verify found nothing."""
    with Ledger.open(path, query_only=query_only, timeout=0.1) as ledger:
        is_unbroken = ledger.verify().is_unbroken
        for fact in ledger.facts():
            ledger.arrays(fact)
        ledger.results_digest()
        return is_unbroken


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), min_size=1, max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_flipped_bytes_are_an_error_or_a_finding(
    original: Path, flips: list[tuple[int, int]], at_front: bool, query_only: bool
) -> None:
    """A file with flipped bytes gives a LedgerError or a broken chain, or they did not matter to any row."""
    data = bytearray(original.read_bytes())
    for place, by in flips:
        data[place % (120 if at_front else len(data))] ^= by
    assert is_refused_broken_or_unharmed(original, bytes(data), query_only)


@given(st.integers(0, 10**6), st.booleans())
def test_a_file_that_was_cut_short(original: Path, length: int, query_only: bool) -> None:
    """A file that ends too early gives a LedgerError or a broken chain."""
    data = original.read_bytes()
    assert is_refused_broken_or_unharmed(original, data[: length % len(data)], query_only)


def is_refused_broken_or_unharmed(original: Path, data: bytes, query_only: bool) -> bool:
    """Whether these bytes as a study file are a LedgerError, a broken chain, or hold the original's rows."""
    shared = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        path = Path(folder, "a.heldout")
        path.write_bytes(data)
        try:
            is_unbroken = everything_in(path, query_only)
        except LedgerError:
            return True
        return not is_unbroken or rows_of(path) == rows_of(original)


def test_refusals_name_both_files_and_the_parent() -> None:
    """A file with its log, a forked child and a lock without a holder are each named as they are."""
    full = sqlite3.OperationalError("database or disk is full")
    error = unfolded_error(full, Path("churn.heldout"))
    assert error.where == "'churn.heldout' and 'churn.heldout-wal': database or disk is full"
    assert child_error(Path("churn.heldout")).what == (
        "a forked process cannot use the study file that its parent had open"
    )
    assert holder_of(Path("nobody.lock")) == "another process"
