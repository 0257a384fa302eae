"""The ledger: the study file as a list of facts that only grows."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from numpy.typing import NDArray

from heldout.errors import HeldoutError, LedgerError, RequestError
from heldout.ledger import run_lock
from heldout.ledger.append import append_entries
from heldout.ledger.chain import canonical_json
from heldout.ledger.connection import (
    child_error,
    connect_reader,
    connect_writer,
    fold,
    in_words,
    make_durable,
    refuse_inherited,
    remember,
    unfolded_error,
)
from heldout.ledger.fact import (
    Entry,
    Fact,
    StoredArray,
    array_digest,
    last_number_and_hash,
    read_fact,
    read_facts,
    unpacked,
)
from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.schema import create_schema
from heldout.ledger.study_path import (
    check_existing,
    check_new,
    check_standing,
    identity_of,
    standing_file,
    study_path,
)
from heldout.ledger.verify import Verification, verify

_ARRAY = "SELECT dtype, shape, digest, content FROM array WHERE fact = ? AND name = ?"


class Ledger:
    """A study file: facts in one chain, written once, each transaction on the disk before it is acknowledged.

    `Ledger.create` makes one, `Ledger.open` opens one. `close`, the end of a with-statement and the end of
    Python close it; then it is one plain file.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, query_only: bool) -> None:
        self.path = path
        self.is_query_only = query_only
        self.connection: sqlite3.Connection | None = connection
        self._process = os.getpid()
        self._identity = identity_of(path)
        self._one_at_a_time = threading.RLock()
        remember(self)

    @classmethod
    def create(cls, path: str | os.PathLike[str], timeout: float = 10.0) -> Ledger:
        """A new, empty study file; what stands there is never written over.

        path:    where it is to be
        timeout: seconds to wait for another process that writes
        """
        index = study_path(path)
        check_new(index)
        with in_words(index):
            connection = connect_writer(index, timeout, mode="rwc")
            try:
                refuse_inherited(index)
                if not create_schema(connection):  # another process was quicker
                    raise standing_file(index)
                make_durable(connection)
            except BaseException:
                connection.close()
                raise
        return cls(index, connection, query_only=False)

    @classmethod
    def open(cls, path: str | os.PathLike[str], query_only: bool = False, timeout: float = 10.0) -> Ledger:
        """A study file that is there.

        path:       where it is
        query_only: it is only asked; works while another process writes, and where nothing may be written
        timeout:    seconds to wait for another process that writes
        """
        index = study_path(path)
        check_standing(index)
        refuse_inherited(index)
        if not query_only and not os.access(index, os.W_OK):
            raise LedgerError(
                "the study file cannot be written",
                where=f"'{index}'",
                fix="check who may write to it; query_only=True only reads",
            )
        with in_words(index):
            connection = connect_reader(index, timeout) if query_only else connect_writer(index, timeout)
        return cls(index, connection, query_only)

    def append(self, entries: Sequence[Entry]) -> tuple[Fact, ...]:
        """Writes entries as facts, in one transaction: all are on the disk when it returns, or none.

        entries: what to write, in this order. One whose kind and key stand already is an error, unless it has
                 `once`: then the standing fact is given back
        """
        if self.is_query_only:
            raise LedgerError(
                "this ledger was opened for reading only",
                where=f"'{self.path}'",
                fix="open it without query_only",
            )
        check_existing(self.path, self._identity)
        with self._using() as connection:
            return append_entries(connection, self.path, entries)

    def facts(self, kind: str | None = None) -> tuple[Fact, ...]:
        """The facts, or those of a kind, in the order in which they were written."""
        with self._using() as connection:
            return read_facts(connection, self.path, kind)

    def only(self, kind: str) -> Fact:
        """The one fact of a kind of which a study has one; a LedgerError where there is none, or several."""
        facts = self.facts(kind)
        if len(facts) == 1:
            return facts[0]
        raise LedgerError(
            f"a study file has one {kind}, and this one has {len(facts)}",
            where=f"'{self.path}'",
            fix="name a file that Study.create made",
        )

    def fact(self, kind: str, key: str) -> Fact | None:
        """The fact of this name, or None."""
        with self._using() as connection:
            return read_fact(connection, self.path, kind, key)

    def has(self, kind: str, key: str) -> bool:
        """Whether there is a fact of this name."""
        with self._using() as connection:
            found = connection.execute(
                "SELECT 1 FROM fact WHERE kind = ? AND key = ?", (kind, key)
            ).fetchone()
        return found is not None

    def keys(self, kind: str) -> frozenset[str]:
        """The keys of all facts of a kind."""
        with self._using() as connection:
            return frozenset(
                key for (key,) in connection.execute("SELECT key FROM fact WHERE kind = ?", (kind,))
            )

    def array(self, fact: Fact, name: str) -> NDArray[Any]:
        """An array of a fact, checked against the digest that the fact holds."""
        with self._using() as connection:
            row = connection.execute(_ARRAY, (fact.number, name)).fetchone()
        if name not in fact.arrays:
            known = ", ".join(map(repr, fact.arrays)) or "no array"
            raise RequestError(f"there is no array {name!r}", where=fact.short, fix=f"it has {known}")
        try:
            if row is None:
                raise ValueError("it is missing")
            dtype, shape, digest, content = row
            if not digest == fact.arrays[name] == array_digest(dtype, shape, content):
                raise ValueError("its digest is another one")
            return unpacked(StoredArray(dtype, shape, content, digest))
        except (ValueError, TypeError) as error:
            raise LedgerError(
                f"the array {name!r} is not what was written: {error}",
                where=f"'{self.path}', {fact.short}",
                fix="verify() says what was changed; take the copy that you kept",
            ) from None

    def arrays(self, fact: Fact) -> dict[str, NDArray[Any]]:
        """All arrays of a fact by name."""
        return {name: self.array(fact, name) for name in fact.arrays}

    @property
    def head(self) -> str:
        """The hash of the last fact, which stands for all of them; zeros if there is none."""
        with self._using() as connection:
            return last_number_and_hash(connection)[1]

    @property
    def n_facts(self) -> int:
        """How many facts there are."""
        with self._using() as connection:
            return last_number_and_hash(connection)[0]

    def verify(self, head: str | None = None) -> Verification:
        """Computes the whole chain again from what lies in the file, and says what is not as it was written.

        head: one that was kept elsewhere (reports and model files carry one): finds also what was cut off at
              the end, and a chain that was rewritten as a whole
        """
        with self._using() as connection:
            return verify(connection, head)

    def results_digest(self, plan: str | None = None) -> str:
        """The digest of what all cells found, or those of a plan; clocks and order have no part in it.

        plan: the plan's digest
        """
        cells = self.facts("cell")
        if plan is not None:
            fact = self.fact("plan", plan)
            if fact is None:
                raise RequestError(
                    "there is no such plan in the study", where=f"plan {plan!r:.80}", fix="see facts('plan')"
                )
            wanted = frozenset(PlanFact.read(fact).cell_keys())
            cells = tuple(cell for cell in cells if cell.key in wanted)
        return results_digest(cells)

    @contextmanager
    def writing(self, timeout: float = 10.0) -> Iterator[None]:
        """Holds the lock of a run: no other process runs this study meanwhile.

        timeout: seconds to wait for another one; then a LedgerError says who holds it
        """
        if self.is_query_only:
            raise LedgerError(
                "this ledger was opened for reading only",
                where=f"'{self.path}'",
                fix="open it without query_only",
            )
        self._usable()
        with run_lock.run_lock(self.path, timeout):
            yield

    @property
    def is_closed(self) -> bool:
        """Whether it was closed; nothing can be read from it then."""
        return self.connection is None

    def close(self) -> None:
        """Makes one plain file of it and closes it; again, and in a forked child, nothing happens."""
        if self.connection is None or self._process != os.getpid():
            return
        with self._one_at_a_time:
            connection, self.connection = self.connection, None
            try:
                if os.access(self.path, os.W_OK):
                    fold(connection)
            except sqlite3.Error as error:
                # A reader leaves to others what it cannot tidy up.
                if not self.is_query_only:
                    raise unfolded_error(error, self.path) from None
            finally:
                connection.close()
            if not self.is_query_only:
                run_lock.remove_stale(self.path)

    def _usable(self) -> sqlite3.Connection:
        if self._process != os.getpid():
            raise child_error(self.path)
        if self.connection is None:
            raise LedgerError("the ledger is closed", where=f"'{self.path}'", fix="open it again")
        return self.connection

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        self._usable()
        with self._one_at_a_time, in_words(self.path):
            yield self._usable()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            # What went wrong first is what the user has to hear.
            with suppress(HeldoutError):
                self.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()

    def __getstate__(self) -> NoReturn:
        raise LedgerError(
            "a ledger cannot be sent to another process or copied",
            where=f"'{self.path}'",
            fix="send its path",
        )

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r}{', query_only=True' if self.is_query_only else ''})"


def results_digest(cells: Iterable[Fact]) -> str:
    """A digest of what cells found, sorted by their keys: without times, numbers in the chain and clocks.

    cells: facts of kind "cell", whose body holds what was found under "result"
    """
    digest = hashlib.sha256(b"heldout results 1\n")
    for cell in sorted(cells, key=lambda fact: fact.key):
        line = canonical_json([cell.key, cell.body.get("result"), cell.arrays])
        digest.update(line.encode("utf-8") + b"\n")
    return digest.hexdigest()
