"""verify() finds what was done to a study file, and says what."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import RequestError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.verify import Verification

from .made_ledger import cell_entries, made_file, rows_of
from .tampering import Step, rewrite_chain, steps, tamper, tamper_as_far_as_possible, without_triggers


@pytest.fixture(scope="module")
def original() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        made_file(Path(folder, "a.heldout"))
        yield Path(folder, "a.heldout")


@pytest.fixture
def path(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(original, tmp_path))


def verified(path: Path, head: str | None = None) -> Verification:
    with Ledger.open(path, query_only=True) as ledger:
        return ledger.verify(head)


def head_of(path: Path) -> str:
    with Ledger.open(path, query_only=True) as ledger:
        return ledger.head


def test_an_untouched_file_is_unbroken(path: Path) -> None:
    """Nothing is found in a file that nobody touched, with and without its head, and the text says so."""
    found = verified(path, head_of(path))
    assert found.problems == ()
    assert found.is_unbroken
    assert (found.n_facts, found.n_arrays) == (17, 6)
    assert str(found).startswith("The chain is unbroken: 17 facts and 6 arrays are as they were written.")
    assert "kept elsewhere" in str(verified(path))
    assert found.to_dict()["problems"] == []


CHANGES = {
    "edited body": ("UPDATE fact SET body = '{}' WHERE number = 5", "fact 5 (score) was edited"),
    "edited time": ("UPDATE fact SET at = '2020' WHERE number = 5", "fact 5 (score) was edited"),
    "edited key": ("UPDATE fact SET key = 'other' WHERE number = 5", "fact 5 (score) was edited"),
    "edited kind": ("UPDATE fact SET kind = 'note' WHERE number = 5", "fact 5 (note) was edited"),
    "edited digests": ("UPDATE fact SET arrays = '{}' WHERE number = 2", "fact 2 (cell) was edited"),
    "edited array": (
        "UPDATE array SET content = zeroblob(56) WHERE name = 'labels'",
        "array 'labels' of fact 2 (cell) was edited",
    ),
    "edited shape": ("UPDATE array SET shape = '[14]' WHERE name = 'labels'", "array 'labels' of fact 2"),
    "edited type": ("UPDATE array SET dtype = '<f8' WHERE name = 'labels'", "array 'labels' of fact 2"),
    "text as bytes": ("UPDATE fact SET body = CAST(body AS BLOB) WHERE number = 5", "not all of it is text"),
    "first deleted": ("DELETE FROM fact WHERE number = 1", "fact 1 is missing"),
    "one deleted": ("DELETE FROM fact WHERE number = 5", "fact 5 is missing"),
    "many deleted": ("DELETE FROM fact WHERE number BETWEEN 5 AND 8", "facts 5 to 8 are missing"),
    "array deleted": (
        "DELETE FROM array WHERE fact = 2 AND name = 'names'",
        "array 'names' of fact 2 (cell) is missing",
    ),
    "array added": (
        "INSERT INTO array SELECT 3, name, dtype, shape, digest, content FROM array WHERE fact = 2",
        "array 'names' of fact 3 (score) was added",
    ),
    "renumbered": ("UPDATE fact SET number = number + 1 WHERE number = 17", "fact 17 is missing"),
    "deleted and closed up": (
        "DELETE FROM fact WHERE number = 5; UPDATE fact SET number = number - 1 WHERE number > 5",
        "fact 5 (score) does not continue the fact before it",
    ),
    "reordered": (
        "UPDATE fact SET number = -5 WHERE number = 5; UPDATE fact SET number = 5 WHERE number = 6;"
        "UPDATE fact SET number = 6 WHERE number = -5",
        "fact 5 (score) does not continue the fact before it",
    ),
    "swapped arrays": (
        "UPDATE array SET fact = 99 WHERE fact = 2; UPDATE array SET fact = 2 WHERE fact = 10;"
        "UPDATE array SET fact = 10 WHERE fact = 99",
        "array 'labels' of fact 2 (cell) was edited",
    ),
    "inserted before": (
        "INSERT INTO fact SELECT 0, kind, 'k', body, arrays, at, previous, hash FROM fact LIMIT 1",
        "fact 0 (study) stands before the first",
    ),
    "inserted after": (
        "INSERT INTO fact SELECT 18, kind, 'k', body, arrays, at, previous, hash FROM fact LIMIT 1",
        "fact 18 (study) does not continue the fact before it",
    ),
}


@pytest.mark.parametrize(("script", "said"), CHANGES.values(), ids=CHANGES)
def test_each_way_of_tampering_is_named(path: Path, script: str, said: str) -> None:
    """Edits, deletions, insertions, swaps and reorderings are found with the place where they are."""
    tamper(path, *script.split(";"))
    found = verified(path)
    assert any(said in problem for problem in found.problems), found
    assert "not what was written" in str(found)
    assert not any("trigger" in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TRIGGER fact_is_never_changed", "the trigger 'fact_is_never_changed' was dropped"),
        ("CREATE TRIGGER t AFTER INSERT ON fact BEGIN SELECT 1; END", "the trigger 't' was added"),
        ("DROP VIEW score; CREATE VIEW score AS SELECT 1", "the view 'score' was changed"),
        ("ALTER TABLE fact ADD COLUMN more", "the table 'fact' was changed"),
        ("CREATE TABLE more (x)", "the table 'more' was added"),
    ],
)
def test_a_changed_schema_is_said(path: Path, statement: str, said: str) -> None:
    """Triggers, views and tables that were dropped, added or changed are named; facts are still checked."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    found = verified(path)
    assert found.problems == (said,)
    assert found.n_facts == 17


def test_statistics_of_sqlite_are_no_change(path: Path) -> None:
    """ANALYZE and VACUUM by another tool leave a file that is unbroken."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("ANALYZE; VACUUM;")
    assert verified(path).is_unbroken


def test_a_cut_end_is_found_against_the_head(path: Path) -> None:
    """Without its last facts the chain looks whole, and the head that was kept elsewhere says it is not."""
    head = head_of(path)
    tamper(path, "DELETE FROM fact WHERE number > 12")
    assert verified(path).is_unbroken
    assert verified(path).n_facts == 12
    (problem,) = verified(path, head).problems
    assert "cut off at the end" in problem
    assert verified(path, head.upper() + "\n").problems == (problem,)


def test_a_rewritten_chain_is_found_against_the_head(path: Path) -> None:
    """An edit with all hashes computed anew looks whole, and the head that was kept elsewhere finds it."""
    head = head_of(path)
    tamper(path, "UPDATE fact SET body = '{\"value\":0.99}' WHERE number = 5")
    rewrite_chain(path)
    assert verified(path).is_unbroken
    (problem,) = verified(path, head).problems
    assert "rewritten" in problem


def test_an_older_head_still_stands_in_a_longer_chain(path: Path) -> None:
    """A head that was kept before more was written is found in the chain; so is that of an empty one."""
    head = head_of(path)
    with Ledger.open(path) as ledger:
        ledger.append(cell_entries(9))
        assert ledger.head != head
        assert ledger.verify(head).is_unbroken
        assert ledger.verify("0" * 64).is_unbroken


@pytest.mark.parametrize("head", ["", "abc", "g" * 64, 7])
def test_a_head_that_is_none_is_refused(path: Path, head: str) -> None:
    """What is not 64 hexadecimal digits is an error, not a finding."""
    with pytest.raises(RequestError, match="64 hexadecimal"):
        verified(path, head)


def test_an_array_is_checked_when_it_is_read(path: Path) -> None:
    """Reading an array whose bytes were changed is refused, without asking verify."""
    tamper(path, "UPDATE array SET content = zeroblob(56) WHERE name = 'labels'")
    with Ledger.open(path, query_only=True) as ledger:
        cell = ledger.facts("cell")[0]
        with pytest.raises(Exception, match="is not what was written"):
            ledger.array(cell, "labels")
        assert ledger.array(cell, "names")[0] == "row 0"


@pytest.mark.slow
@given(st.lists(steps, min_size=1, max_size=4))
def test_any_tampering_is_found(original: Path, done: list[Step]) -> None:
    """Whatever rows random steps change, remove, move or add by plain SQLite, verify finds it.

    Only what is cut off at the end leaves a sound chain; the head that was kept elsewhere finds that.
    """
    with tempfile.TemporaryDirectory(dir=shared_memory()) as folder:
        path = Path(shutil.copy(original, folder))
        before, head = rows_of(path), head_of(path)
        tamper_as_far_as_possible(path, done)
        after = rows_of(path)
        if after == before:
            assert verified(path, head).is_unbroken
            return
        assert not verified(path, head).is_unbroken
        n_left = len(after["fact"])
        is_cut = after["fact"] == before["fact"][:n_left] and after["array"] == [
            row for row in before["array"] if row[0] <= n_left
        ]
        assert verified(path).is_unbroken == is_cut


@pytest.mark.slow
@given(st.lists(steps, min_size=1, max_size=3))
def test_any_rewriting_is_found_against_the_head(original: Path, done: list[Step]) -> None:
    """Whatever was changed, and all hashes computed anew: the head that was kept elsewhere finds it.

    What only adds to the end is what a chain is for, and no tampering.
    """
    with tempfile.TemporaryDirectory(dir=shared_memory()) as folder:
        path = Path(shutil.copy(original, folder))
        before, head = rows_of(path), head_of(path)
        tamper_as_far_as_possible(path, done)
        with without_triggers(path) as connection:
            connection.execute("DELETE FROM fact WHERE typeof(body || arrays || at || kind || key) <> 'text'")
        try:
            rewrite_chain(path)
        except (sqlite3.Error, TypeError):
            return  # no text to hash: the tampering alone is found, as above
        after = rows_of(path)
        arrays = [row for row in after["array"] if row in before["array"]]
        if after["fact"][: len(before["fact"])] != before["fact"] or arrays != before["array"]:
            assert not verified(path, head).is_unbroken


def shared_memory() -> str | None:
    """Where many small files are made and dropped quickly, if there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def test_problems_are_shown_up_to_ten(path: Path) -> None:
    """A long list is cut in the text, and whole in the record."""
    tamper(path, "UPDATE fact SET body = '{}'")
    found = verified(path)
    assert len(found.problems) == 17
    assert str(found).splitlines()[-1] == "- and 7 more"


def test_an_empty_ledger_is_unbroken(tmp_path: Path) -> None:
    """A ledger without a fact has the head of zeros, and nothing is found."""
    with Ledger.create(tmp_path / "new.heldout") as ledger:
        found = ledger.verify()
        assert (found.is_unbroken, found.n_facts, found.head) == (True, 0, "0" * 64)
        ledger.append([Entry("note", "n", {})])
        assert ledger.verify(found.head).is_unbroken
