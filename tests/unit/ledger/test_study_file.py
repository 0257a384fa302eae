"""The file itself: one file after close, append-only for everyone, readable wherever it lies."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from heldout.ledger import connection as connections
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.schema import (
    APPLICATION_ID,
    VERSION,
    expected_objects,
    objects_of,
    schema_text,
)

from .made_ledger import cell_entries, made_file, rows_of


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_one_file_after_close(tmp_path: Path) -> None:
    """While it is open there is a log; after close there is one plain file that SQLite finds sound."""
    ledger = Ledger.create(tmp_path / "a.heldout")
    ledger.append(cell_entries(0))
    assert "a.heldout-wal" in names_in(tmp_path)
    ledger.close()
    assert names_in(tmp_path) == ["a.heldout"]
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert plain.execute("PRAGMA foreign_key_check").fetchall() == []


def test_the_writer_is_durable(tmp_path: Path) -> None:
    """A writer has a write-ahead log and synchronous=FULL, also after opening again."""
    Ledger.create(tmp_path / "a.heldout").close()
    with Ledger.open(tmp_path / "a.heldout") as ledger:
        assert ledger.connection is not None
        assert ledger.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ledger.connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.skipif(sys.platform == "win32", reason="a file system of POSIX")
def test_without_shared_memory_a_journal_serves(tmp_path: Path) -> None:
    """Where there can be no write-ahead log the journal mode is DELETE with synchronous=EXTRA, and it works.

    SQLite's dot-file locks are those of disks without shared memory.
    """
    made_file(tmp_path / "a.heldout")
    uri = f"{(tmp_path / 'a.heldout').as_uri()}?vfs=unix-dotfile"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connections.make_durable(connection)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (3,)
    with Ledger(tmp_path / "a.heldout", connection, query_only=False) as ledger:
        ledger.append(cell_entries(7))
        assert ledger.verify().is_unbroken
    assert names_in(tmp_path) == ["a.heldout"]


@pytest.mark.slow
def test_a_forgotten_ledger_is_folded_when_python_ends(tmp_path: Path) -> None:
    """A script that never closes its ledger leaves one file."""
    code = (
        "from heldout.ledger.ledger import Ledger; from heldout.ledger.fact import Entry; import sys;"
        "ledger = Ledger.create(sys.argv[1]); ledger.append([Entry('note', 'n', {})])"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code, str(tmp_path / "a.heldout")], check=True)
    assert names_in(tmp_path) == ["a.heldout"]
    with Ledger.open(tmp_path / "a.heldout") as ledger:
        assert ledger.n_facts == 1


def test_whoever_closes_last_folds(tmp_path: Path) -> None:
    """A reader that outlives the writer leaves one file when it closes, with every fact in it."""
    path = tmp_path / "a.heldout"
    writer = Ledger.create(path)
    writer.append(cell_entries(0))
    reader = Ledger.open(path, query_only=True)
    assert reader.n_facts == 8
    writer.append(cell_entries(1))
    writer.close()
    assert reader.n_facts == 16
    reader.close()
    assert names_in(tmp_path) == ["a.heldout"]
    with Ledger.open(path, query_only=True) as again:
        assert again.n_facts == 16


FOLD = """
import sqlite3, sys
try:
    print(sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode = DELETE").fetchone()[0])
except sqlite3.OperationalError as error:
    print(error)
"""


def test_opening_a_study_twice_frees_no_lock(tmp_path: Path) -> None:
    """While a ledger is open, another may come and go in this process: no other process takes the log away.

    On POSIX a process loses its locks on a file as soon as it closes the file once, wherever that is.
    """
    path = tmp_path / "a.heldout"
    with Ledger.create(path) as ledger:
        ledger.append(cell_entries(0))
        Ledger.open(path, query_only=True).close()
        Ledger.open(path).close()
        done = subprocess.run(
            [sys.executable, "-c", FOLD, str(path)], capture_output=True, text=True, check=True
        )
        assert done.stdout == "database is locked\n"
        ledger.append(cell_entries(1))
        assert ledger.verify().is_unbroken
    assert names_in(tmp_path) == ["a.heldout"]


READ_ONLY = """
import os, sys
from heldout.errors import LedgerError
from heldout.ledger.ledger import Ledger
from heldout.ledger.schema import expected_objects
expected_objects()
if os.geteuid() == 0:  # to root everything is permitted
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
with Ledger.open(sys.argv[1], query_only=True) as ledger:
    print(ledger.n_facts, ledger.verify().is_unbroken)
for write in (Ledger.open, lambda path: Ledger.create(path + ".new")):
    try:
        write(sys.argv[1])
    except LedgerError as error:
        print(error.what)
"""


@pytest.fixture
def media() -> Iterator[Path]:
    """A folder that everybody may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name, "media")
        folder.mkdir()
        yield folder
        folder.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="users of POSIX")
@pytest.mark.parametrize("left_as_log", [False, True])
def test_a_file_that_may_not_be_written_can_be_read(media: Path, left_as_log: bool) -> None:
    """Where neither file nor folder may be written a reader works, and a writer is refused in words.

    Also if the header still asks for a write-ahead log, as other programs may leave it.
    """
    path = media / "a.heldout"
    made_file(path)
    if left_as_log:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    path.chmod(0o444)
    media.chmod(0o555)
    script = [sys.executable, "-W", "error", "-c", READ_ONLY, str(path)]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    refused = ["the study file cannot be written", "a study file cannot be written here"]
    assert done.stdout.splitlines() == ["17 True", *refused]
    assert names_in(media) == ["a.heldout"]


PUT = "INSERT INTO fact (number, kind, key, body, arrays, at, previous, hash) SELECT"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE fact SET body = '{}'",
        "UPDATE OR REPLACE fact SET number = 1 WHERE number = 2",
        "DELETE FROM fact",
        "DELETE FROM fact WHERE number = (SELECT max(number) FROM fact)",
        "INSERT OR REPLACE INTO fact SELECT * FROM fact WHERE number = 2",
        f"{PUT} max(number) + 1, 'study', 'digest', '{{}}', '{{}}', at, hash, hash FROM fact",
        f"{PUT} max(number) + 1, 'study', 'digest', '{{}}', '{{}}', at, hash, hash FROM fact".replace(
            "INSERT", "REPLACE"
        ),
        f"{PUT} NULL, 'x', 'y', '{{}}', '{{}}', at, hash, hash FROM fact WHERE number = 17",
        f"{PUT} 0, 'x', 'y', '{{}}', '{{}}', at, hash, hash FROM fact WHERE number = 17",
        f"{PUT} 99, 'x', 'y', '{{}}', '{{}}', at, hash, hash FROM fact WHERE number = 17",
        f"{PUT} 18, 'x', 'y', '{{}}', '{{}}', at, hash, hash FROM fact WHERE number = 16",
        "UPDATE array SET content = x'00'",
        "DELETE FROM array",
        "INSERT OR REPLACE INTO array SELECT * FROM array",
        "INSERT INTO array SELECT fact, 'another', dtype, shape, digest, content FROM array",
    ],
)
def test_any_tool_is_kept_from_changing_facts(tmp_path: Path, statement: str) -> None:
    """Plain SQLite with default settings can't change, delete, replace or put in a fact or array."""
    made_file(tmp_path / "a.heldout")
    before = rows_of(tmp_path / "a.heldout")
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as connection:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(statement)
        connection.commit()
    assert rows_of(tmp_path / "a.heldout") == before


def test_the_header_says_what_it_is(tmp_path: Path) -> None:
    """application_id and user_version lie where SQLite and `file` look for them."""
    made_file(tmp_path / "a.heldout")
    data = (tmp_path / "a.heldout").read_bytes()
    assert data[68:72] == b"HELD" == APPLICATION_ID.to_bytes(4, "big")
    assert int.from_bytes(data[60:64], "big") == VERSION


def test_the_schema_alone_makes_a_study_file(tmp_path: Path) -> None:
    """What `sqlite3 new.heldout < schema.sql` makes is an empty study file."""
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as connection:
        connection.executescript(schema_text())
        assert objects_of(connection) == expected_objects()
    with Ledger.open(tmp_path / "a.heldout") as ledger:
        assert ledger.head == "0" * 64
        assert ledger.verify().is_unbroken


def test_an_empty_file_may_become_a_study(tmp_path: Path) -> None:
    """A file of no bytes, as a process that was killed at once leaves it, is taken; one with bytes is not."""
    (tmp_path / "a.heldout").touch()
    with Ledger.create(tmp_path / "a.heldout") as ledger:
        assert ledger.n_facts == 0


def test_a_moved_file_is_the_same_study(tmp_path: Path) -> None:
    """A closed file can be copied, and goes on where it was, under a name with odd characters."""
    head = made_file(tmp_path / "a.heldout")
    copy = tmp_path / "50% größe? #1 & more.heldout"
    shutil.copy(tmp_path / "a.heldout", copy)
    with Ledger.open(copy) as ledger:
        assert ledger.head == head
        ledger.append([Entry("note", "n", {})])
    assert names_in(tmp_path) == sorted(["a.heldout", copy.name])
