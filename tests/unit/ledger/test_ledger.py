"""Facts are written once, in one chain, and read back as they were."""

from __future__ import annotations

import hashlib
import json
import pickle
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from heldout.errors import InputTypeError, LedgerError, RequestError
from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger
from heldout.ledger.plan_facts import PlanFact

from .made_ledger import cell_entries, made_file


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path / "a.heldout") as made:
        yield made


def test_facts_come_back_as_they_were_written(ledger: Ledger) -> None:
    """What append gives and what facts reads are equal, in order, and each is found by its name."""
    written = ledger.append(cell_entries(0)) + ledger.append(cell_entries(1))
    assert ledger.facts() == written
    assert [fact.number for fact in written] == list(range(1, 17))
    assert ledger.facts("cell") == tuple(fact for fact in written if fact.kind == "cell")
    assert ledger.fact("score", "contender:1:protocol:auc") in written
    assert ledger.fact("score", "no such") is None
    assert ledger.has("cell", "contender:0:protocol")
    assert not ledger.has("plan", "contender:0:protocol")
    assert ledger.keys("cell") == {"contender:0:protocol", "contender:1:protocol"}
    assert ledger.n_facts == 16


def test_the_chain_can_be_computed_by_hand(tmp_path: Path) -> None:
    """Each hash is SHA-256 of seven lines of the row, by plain SQLite and hashlib, from zeros on."""
    head = made_file(tmp_path / "a.heldout")
    with closing(sqlite3.connect(tmp_path / "a.heldout")) as connection:
        rows = connection.execute(
            "SELECT previous, number, at, kind, key, arrays, body, hash FROM fact ORDER BY number"
        ).fetchall()
    before = "0" * 64
    for *fields, digest in rows:
        assert fields[0] == before
        assert digest == hashlib.sha256("\n".join(map(str, fields)).encode()).hexdigest()
        before = digest
    assert before == head


def test_bodies_are_canonical_json(ledger: Ledger) -> None:
    """Keys are sorted, tuples are lists, NumPy's numbers are numbers, what is not finite is null."""
    body = {
        "z": (1, 2),
        "a": np.float64(0.1),
        "n": float("nan"),
        "i": np.int64(3),
        "deep": {"b": [np.inf], "a": 1},
    }
    (fact,) = ledger.append([Entry("note", "n", body)])
    assert fact.body == {"z": [1, 2], "a": 0.1, "n": None, "i": 3, "deep": {"b": [None], "a": 1}}
    with closing(sqlite3.connect(ledger.path)) as connection:
        (text,) = connection.execute("SELECT body FROM fact").fetchone()
    assert text == json.dumps(fact.body, sort_keys=True, separators=(",", ":"))


def test_keys_that_are_numbers_are_sorted_as_texts(ledger: Ledger) -> None:
    """A dict with numbers for keys has the same text as the dict with their texts."""
    first, second = ledger.append([Entry("note", "a", {9: 1, 10: 2}), Entry("note", "b", {"10": 2, "9": 1})])
    assert first.body == second.body == {"9": 1, "10": 2}
    with closing(sqlite3.connect(ledger.path)) as connection:
        assert connection.execute("SELECT count(DISTINCT body) FROM fact").fetchone() == (1,)


@pytest.mark.parametrize(
    "array",
    [
        np.array([True, False]),
        np.arange(5, dtype=np.int8),
        np.arange(6, dtype=np.uint16).reshape(2, 3),
        np.arange(4, dtype=">i4"),
        np.array([0.5, np.nan, -np.inf, -0.0]),
        np.arange(12.0).reshape(3, 4).T,
        np.array(["a", "größe", ""]),
        np.array(["", ""]),
        np.zeros((0, 3), dtype=np.float32),
        np.array(7.5),
        np.frombuffer(b"\x00\xffbytes", dtype=np.uint8),
    ],
    ids=lambda array: f"{array.dtype}{array.shape}",
)
def test_arrays_come_back_bit_for_bit(ledger: Ledger, array: np.ndarray) -> None:
    """An array comes back with its type, shape and bits, and is the caller's own."""
    (fact,) = ledger.append([Entry("cell", "c", {}, {"values": array})])
    back = ledger.array(fact, "values")
    assert back.shape == array.shape
    assert back.dtype == array.dtype.newbyteorder("=")
    assert back.tobytes() == np.ascontiguousarray(array, dtype=back.dtype).tobytes()
    assert back.flags.writeable
    assert list(ledger.arrays(fact)) == ["values"]


@pytest.mark.parametrize(
    "array",
    [
        np.array([object()]),
        np.array([1j]),
        np.array(["2020-01-01"], "M8[D]"),
        np.array([b"a"]),
        np.zeros(2, np.longdouble),
    ],
    ids=lambda array: str(array.dtype),
)
def test_arrays_of_other_types_are_refused(ledger: Ledger, array: np.ndarray) -> None:
    """Objects, complex numbers, dates, byte strings and long floats are refused, and nothing is written."""
    with pytest.raises(InputTypeError, match="keeps no array"):
        ledger.append([Entry("note", "fine", {}), Entry("cell", "c", {}, {"values": array})])
    assert ledger.facts() == ()


def test_an_unknown_array_is_said(ledger: Ledger) -> None:
    """Asking for an array that a fact does not have names those that it has."""
    fact = ledger.append(cell_entries(0))[0]
    with pytest.raises(RequestError, match=r"no array 'label'[\s\S]*'labels'"):
        ledger.array(fact, "label")


def test_a_fact_is_written_once(ledger: Ledger) -> None:
    """A second fact of a name is an error that leaves nothing of its batch; with once the first stays."""
    (first,) = ledger.append([Entry("plan", "p", {"n": 1})])
    with pytest.raises(LedgerError, match="holds this plan already"):
        ledger.append([Entry("note", "new", {}), Entry("plan", "p", {"n": 2})])
    assert ledger.facts() == (first,)
    again, new = ledger.append([Entry("plan", "p", {"n": 2}, once=True), Entry("note", "new", {})])
    assert again == first
    assert new.number == 2
    assert ledger.append([Entry("plan", "p", {"n": 3}, once=True)]) == (first,)
    assert ledger.append([]) == ()


def test_the_same_name_twice_in_one_batch(ledger: Ledger) -> None:
    """Within one batch, too, a name is written once."""
    first, second = ledger.append([Entry("plan", "p", {"n": 1}), Entry("plan", "p", {"n": 2}, once=True)])
    assert first == second
    with pytest.raises(LedgerError, match="already"):
        ledger.append([Entry("note", "q", {}), Entry("note", "q", {})])
    assert ledger.n_facts == 1


@pytest.mark.parametrize(
    "entry",
    [
        Entry("", "k", {}),
        Entry("Plan", "k", {}),
        Entry("plan", "", {}),
        Entry("plan", "two\nlines", {}),
        Entry("plan", "half a \ud800 character", {}),
        Entry("plan", 7, {}),  # type: ignore[arg-type]
        Entry("plan", "k", {"what": object()}),
        Entry("plan", "k", {"what": {1, 2}}),
        Entry("plan", "k", {"what": b"bytes"}),
        Entry("plan", "k", {"what": "\ud800"}),
        Entry("plan", "k", {}, {"": np.zeros(1)}),
        Entry("plan", "k", {}, {"two\nlines": np.zeros(1)}),
        "an entry",
    ],
    ids=lambda entry: repr(entry)[:60].encode("ascii", "replace").decode(),
)
def test_what_is_no_entry_is_refused(ledger: Ledger, entry: Entry) -> None:
    """Kinds, keys, names and bodies that could not be read back alike are refused in three parts."""
    with pytest.raises(InputTypeError) as caught:
        ledger.append([entry])
    assert caught.value.where
    assert caught.value.fix
    assert ledger.facts() == ()


def test_an_array_that_sqlite_cannot_hold_is_refused(ledger: Ledger) -> None:
    """An array above SQLite's limit is refused before anything is written."""
    assert ledger.connection is not None
    ledger.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 5000)
    with pytest.raises(RequestError, match="too long for SQLite"):
        ledger.append([Entry("cell", "c", {}, {"values": np.zeros(1000)})])
    assert ledger.n_facts == 0


def test_readers_cannot_write(tmp_path: Path) -> None:
    """A query-only ledger refuses to append and to lock, and its connection refuses SQL that writes."""
    made_file(tmp_path / "a.heldout")
    with Ledger.open(tmp_path / "a.heldout", query_only=True) as reader:
        with pytest.raises(LedgerError, match="reading only"):
            reader.append([Entry("note", "n", {})])
        with pytest.raises(LedgerError, match="reading only"), reader.writing():
            pass
        assert reader.connection is not None
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.connection.execute("CREATE TABLE t (x)")


def test_a_reader_sees_what_a_writer_adds(tmp_path: Path) -> None:
    """A reader that is open while a writer writes sees each transaction when it is done."""
    path = tmp_path / "a.heldout"
    with Ledger.create(path) as writer, Ledger.open(path, query_only=True) as reader:
        for number in range(3):
            writer.append(cell_entries(number))
            assert reader.n_facts == writer.n_facts == 8 * (number + 1)
            assert reader.head == writer.head
            assert reader.verify().is_unbroken


def test_two_writers_make_one_chain(tmp_path: Path) -> None:
    """Two ledgers on one file that write in turn continue each other's chain."""
    path = tmp_path / "a.heldout"
    with Ledger.create(path) as one, Ledger.open(path) as other:
        for number in range(4):
            (one if number % 2 else other).append(cell_entries(number))
        assert one.facts() == other.facts()
        assert one.verify().is_unbroken
        assert one.n_facts == 32


def test_threads_may_share_a_ledger(ledger: Ledger) -> None:
    """Four threads that append to one ledger lose nothing and make one chain."""
    failures: list[BaseException] = []

    def work(start: int) -> None:
        try:
            for number in range(start, start + 5):
                ledger.append(cell_entries(number))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(10 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert ledger.n_facts == 160
    assert ledger.verify().is_unbroken


def test_a_closed_ledger_says_so(tmp_path: Path) -> None:
    """After close everything but close is refused, and a ledger cannot be pickled."""
    ledger = Ledger.create(tmp_path / "a.heldout")
    with pytest.raises(LedgerError, match="cannot be sent"):
        pickle.dumps(ledger)
    ledger.close()
    ledger.close()
    with pytest.raises(LedgerError, match="closed"):
        ledger.facts()
    assert repr(ledger) == f"Ledger('{tmp_path / 'a.heldout'}')"


def test_the_digest_of_results_knows_no_clock_and_no_order(tmp_path: Path) -> None:
    """Cells in another order with other times give the same digest; another cell or array another one."""
    digests = []
    for name, order, offset in (("a", (0, 1, 2), 0.0), ("b", (2, 0, 1), 5.0), ("c", (0, 1), 0.0)):
        with Ledger.create(tmp_path / name) as ledger:
            for number in order:
                cell, *rest = cell_entries(number)
                body = {"result": cell.body["result"], "clock": {"fit": offset}}
                ledger.append([*rest, Entry("cell", cell.key, body, cell.arrays)])
            digests.append(ledger.results_digest())
    assert digests[0] == digests[1] != digests[2]
    cell = cell_entries(0)[0]
    with Ledger.create(tmp_path / "d") as ledger:
        ledger.append([Entry("cell", cell.key, cell.body, dict(cell.arrays) | {"labels": np.ones(7, int)})])
        ledger.append([cell_entries(1)[0], cell_entries(2)[0]])
        assert ledger.results_digest() != digests[0]


def test_the_digest_of_a_plan_counts_its_cells_only(ledger: Ledger) -> None:
    """With a plan, only the cells of its contenders, folds and protocol are in the digest."""
    ledger.append(cell_entries(0))
    alone = ledger.results_digest()
    plan = PlanFact({}, ("contender",), "", (), "protocol", ("0",), ((0, 0),), {})
    ledger.append([plan.entry("p"), Entry("plan", "silent", {})])
    ledger.append(cell_entries(1))
    assert ledger.results_digest("p") == alone != ledger.results_digest()
    with pytest.raises(RequestError, match="no such plan"):
        ledger.results_digest("q")
    with pytest.raises(LedgerError, match="it has no 'plan'"):
        ledger.results_digest("silent")
