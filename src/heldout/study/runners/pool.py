"""A pool of processes that survives the death of any of them.

Each worker has a pipe of its own, so nobody can spoil another's: there is no common queue whose lock a killed
process could take along. The parent waits for pipes and for deaths at once. A worker that dies costs the cell
it was at; the cell is tried again, in a fresh process, when all others are done and gone, for the most likely
reason is that two large cells did not fit into the memory together.
"""

from __future__ import annotations

import pickle
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import length_hint
from typing import TYPE_CHECKING, Any

from heldout.errors import RequestError
from heldout.study.runners.attempt import failure_of
from heldout.study.runners.runner import CellFailure, hold_interrupts
from heldout.study.runners.worker import READY

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.runners.worker import Pipe

MOST_CRASHES = 3
MOST_FALSE_STARTS = 3
GLANCE = 1.0  # seconds until deaths are looked for that no pipe has told of
SHORT = 0.25  # seconds; cells that take less wait in a worker's pipe for their turn
PATIENCE = 2.0  # seconds that a worker gets to end when it is told to


@dataclass(eq=False)
class Worker:
    """A process, this side's end of its pipe, and the cells it was given, the one it is at first."""

    process: BaseProcess
    pipe: Pipe
    given: deque[CellKey] = field(default_factory=deque)
    since: float = 0.0
    is_ready: bool = False


class Pool:
    """So many worker processes, started when there is a cell for them.

    n_workers: how many at most
    launch:    starts one process; it is handed the pipe ends of the living workers
    """

    def __init__(self, n_workers: int, launch: Callable[[list[Pipe]], tuple[BaseProcess, Pipe]]) -> None:
        self.n_workers = n_workers
        self._launch = launch
        self._workers: list[Worker] = []
        self._crashes: Counter[CellKey] = Counter()
        self._seconds: dict[str, float] = {}  # how long the last cell of a contender took
        self._suspects: deque[CellKey] = deque()
        self._returned: deque[CellKey] = deque()
        self._source: Iterator[CellKey] = iter(())
        self._n_false_starts = 0

    def results(self, cells: Iterable[CellKey]) -> Iterator[CellResult | CellFailure]:
        """What each cell gave, in the order in which they end."""
        self._source = iter(cells)
        self._feed()
        while any(worker.given for worker in self._workers):
            for worker in self._warnings_of():
                done = self._receive(worker) if worker in self._workers else None
                self._feed()
                if done is not None:
                    yield done

    def stop(self) -> None:
        """End every worker: kindly where it is idle, else at once."""
        with hold_interrupts():
            for worker in self._workers:
                _tell_to_end(worker)
            deadline = time.monotonic() + PATIENCE
            for worker in self._workers:
                _bury(worker, max(deadline - time.monotonic(), 0.0))
            self._workers.clear()

    def _feed(self) -> None:
        """Give every idle worker a cell, start workers where cells are left, then fill the pipes."""
        for worker in self._workers:
            if not worker.given and (key := self._next()) is not None:
                self._give(worker, key)
        while len(self._workers) < self.n_workers and (key := self._next()) is not None:
            self._give(self._started(), key)
        for worker in self._workers:
            self._feed_ahead(worker)
        if self._suspects and not any(worker.given for worker in self._workers):
            self.stop()  # idle workers hold memory, and may be what is wrong
            self._give(self._started(), self._suspects.popleft())

    def _feed_ahead(self, worker: Worker) -> None:
        """A short cell waits behind a short one, so that a worker need not wait for the parent's disk.

        Not the last cells, and nothing long: whoever is idle first is to have those.
        """
        has_room = len(worker.given) == 1 and self._is_short(worker.given[0])
        if has_room and length_hint(self._source) > 2 * self.n_workers:
            key = self._next()
            if key is not None and self._is_short(key):
                self._give(worker, key)
            elif key is not None:
                self._returned.appendleft(key)

    def _is_short(self, key: CellKey) -> bool:
        return self._seconds.get(key.contender, SHORT) < SHORT

    def _next(self) -> CellKey | None:
        return self._returned.popleft() if self._returned else next(self._source, None)

    def _started(self) -> Worker:
        with hold_interrupts():
            worker = Worker(*self._launch([other.pipe for other in self._workers]))
            self._workers.append(worker)
        return worker

    def _give(self, worker: Worker, key: CellKey) -> None:
        if not worker.given:
            worker.since = time.monotonic()
        worker.given.append(key)
        with suppress(OSError):  # it is dead, which the next look at it will show
            worker.pipe.send(key)

    def _warnings_of(self) -> list[Worker]:
        """The workers that have sent something, or are gone."""
        from multiprocessing.connection import wait

        ends: list[Any] = []
        for worker in self._workers:
            ends += [worker.pipe, worker.process.sentinel]
        ready = wait(ends, GLANCE)
        if not ready:  # a child of a dead worker may hold its pipe open
            return [worker for worker in self._workers if not worker.process.is_alive()]
        return [w for w in self._workers if w.pipe in ready or w.process.sentinel in ready]

    def _receive(self, worker: Worker) -> CellResult | CellFailure | None:
        """One message of the worker, which may be its death."""
        try:
            if not worker.pipe.poll():
                return None if worker.process.is_alive() else self._lost(worker)
            message = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            return self._lost(worker)
        if not worker.is_ready:
            self._welcome(worker, pickle.loads(message))
            return None
        now = time.monotonic()
        key = worker.given.popleft()
        self._seconds[key.contender], worker.since = now - worker.since, now
        return self._outcome(key, message)

    def _outcome(self, key: CellKey, message: bytes) -> CellResult | CellFailure | None:
        """What a worker sent of a cell; None if the cell will be tried again."""
        try:
            outcome: CellResult | CellFailure = pickle.loads(message)
        except Exception as error:
            return failure_of(error, key)
        if isinstance(outcome, CellFailure) and outcome.is_memory and not self._crashes[key]:
            self._crashes[key] += 1
            self._suspects.append(key)
            return None
        if isinstance(outcome, CellFailure):
            return replace(outcome, attempts=self._crashes[key] + 1)
        return outcome

    def _welcome(self, worker: Worker, word: str) -> None:
        """The first word of a worker: ready, or why it is not."""
        if word != READY:
            raise _no_worker(word)
        worker.is_ready, worker.since, self._n_false_starts = True, time.monotonic(), 0

    def _lost(self, worker: Worker) -> CellFailure | None:
        """A worker is dead: blame the cell it was at, take back the one that waited behind it."""
        _bury(worker, PATIENCE)
        self._workers.remove(worker)
        end = end_in_words(worker.process.exitcode)
        if not worker.is_ready:
            self._n_false_starts += 1
            if self._n_false_starts >= MOST_FALSE_STARTS:
                raise _no_worker(end)
            self._returned.extendleft(reversed(worker.given))
            return None
        if not worker.given:
            return None
        key = worker.given.popleft()
        self._returned.extendleft(reversed(worker.given))
        self._crashes[key] += 1
        if self._crashes[key] < MOST_CRASHES:
            self._suspects.append(key)
            return None
        return CellFailure(key, end, attempts=self._crashes[key], is_crash=True)


def end_in_words(code: int | None) -> str:
    """How a process ended."""
    if code is None or code >= 0:
        return f"its process ended by itself, with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    reason = ", as the system does when memory runs out" if name == "SIGKILL" else ""
    return f"its process was killed ({name}){reason}"


def _no_worker(reason: str) -> RequestError:
    return RequestError(
        "worker processes cannot be started",
        where=reason,
        fix="use n_jobs=1, which runs in this process; workers must be able to import the learner's module",
    )


def _tell_to_end(worker: Worker) -> None:
    if worker.given:
        worker.process.terminate()
        return
    with suppress(OSError):
        worker.pipe.send(None)


def _bury(worker: Worker, patience: float) -> None:
    """Wait for the end of a worker, hasten it if need be, and leave nothing of it behind."""
    worker.process.join(patience)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()
    worker.pipe.close()
