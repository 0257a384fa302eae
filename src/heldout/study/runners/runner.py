"""What runs cells: three methods, so that a cluster can be another runner."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Protocol

from heldout.stats.interval import plain

if TYPE_CHECKING:
    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.cells.work import Work


@dataclass(frozen=True)
class CellFailure:
    """A cell without a result: its learner raised, or the process that ran it died.

    key:       which contender, repeat and fold
    error:     in a line: the type of the error and its message, or how the process ended
    lines:     the last lines of the trace; empty after a crash
    attempts:  how often the cell was tried in this run
    is_crash:  whether the process died
    is_memory: whether there was too little memory
    """

    key: CellKey
    error: str
    lines: tuple[str, ...] = ()
    attempts: int = 1
    is_crash: bool = False
    is_memory: bool = False

    def __str__(self) -> str:
        tries = f", tried {self.attempts} times" if self.attempts > 1 else ""
        return f"repeat {self.key.repeat + 1}, fold {self.key.fold + 1}{tries}: {self.error}"

    def to_dict(self) -> dict[str, Any]:
        """The failure as JSON can hold it."""
        record: dict[str, Any] = plain(self)
        return record


class Runner(Protocol):
    """Runs cells, anywhere, and hands their outcomes over in any order."""

    def start(self, work: Work) -> None:
        """Get ready to run cells of this work."""

    def results(self, cells: Iterable[CellKey]) -> Iterator[CellResult | CellFailure]:
        """One outcome for each cell, as they come; `cells` is asked for the next when one is needed."""
        ...

    def stop(self) -> None:
        """End everything that was started, at once; may be called twice."""


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done, then let it happen."""
    if threading.current_thread() is not threading.main_thread():  # signals arrive in the main thread alone
        yield
        return
    arrived: list[tuple[int, FrameType | None]] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: arrived.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if arrived and callable(previous):
            previous(*arrived[0])
