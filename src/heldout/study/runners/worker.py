"""A worker process: it takes cells from its pipe, one by one, and sends back what they gave."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from heldout.study.runners.attempt import attempt, failure_of
from heldout.study.runners.one_thread import keep_one_thread

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.cells.work import Work
    from heldout.study.runners.attempt import RunCell
    from heldout.study.runners.runner import CellFailure

    Pipe = Connection[Any, Any]

READY = "ready"
_INHERITED: list[Any] = []
GLANCE = 0.5  # seconds between two looks whether the parent is still there


def work_forked(pipe: Pipe, foreign: Sequence[Pipe], parent: int, run_cell: RunCell, work: Work) -> None:
    """The life of a worker that was forked: everything is there already.

    pipe:    this worker's end
    foreign: the ends of the parent, which the fork has copied: while they are open here, the others would
             not notice that the parent is gone
    parent:  the number of the parent's process
    """
    gc.freeze()  # collecting would write into pages that are shared with the parent
    for end in foreign:
        end.close()
    _open_own_streams()
    _settle(lambda: os.getppid() != parent, is_held=True)
    pipe.send(READY)
    _serve(pipe, run_cell, work)


def work_spawned(pipe: Pipe, path: str) -> None:
    """The life of a worker that started from nothing: the work is mapped from a file.

    path: what `mapped_work.write_work` wrote
    """
    import multiprocessing

    from heldout.study.runners.mapped_work import map_work

    parent = multiprocessing.parent_process()
    _settle(lambda: parent is None or not parent.is_alive())
    try:
        run_cell, work = map_work(path)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send(READY)
    _serve(pipe, run_cell, work)


def _serve(pipe: Pipe, run_cell: RunCell, work: Work) -> None:
    while True:
        try:
            key = pipe.recv()
        except (EOFError, OSError):
            return
        if key is None:
            return
        try:
            pipe.send_bytes(_packed(attempt(run_cell, work, key), key))
        except OSError:
            return


def _packed(outcome: CellResult | CellFailure, key: CellKey) -> bytes:
    try:
        return pickle.dumps(outcome, protocol=5)
    except Exception as error:
        return pickle.dumps(failure_of(error, key), protocol=5)


def _settle(is_orphan: Callable[[], bool], is_held: bool = False) -> None:
    """What a process has to do before it is a good worker."""
    import multiprocessing

    from joblib import parallel_config

    _forget_signals()
    keep_one_thread(is_held)
    parallel_config("sequential")  # a learner with n_jobs=-1 would take the cores of the other workers
    # A daemon is ended with its parent, which is wanted, but may have no children, which learners may want.
    multiprocessing.current_process().daemon = False
    threading.Thread(target=_end_with_parent, args=(is_orphan,), daemon=True).start()


def _open_own_streams() -> None:
    """Another thread of the parent may have been printing when it forked: its lock would be held for ever."""
    _INHERITED.extend([sys.stdout, sys.stderr])  # kept: what is freed is flushed, a second time
    sys.stdout, sys.stderr = _stream(1), _stream(2)


def _stream(number: int) -> TextIO:
    try:
        return open(number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    except OSError:
        return open(os.devnull, "w", encoding="utf-8")


def _forget_signals() -> None:
    """Ctrl-C goes to the whole group, and is the parent's business; its other handlers are not ours."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_with_parent(is_orphan: Callable[[], bool]) -> None:
    """A cell may take hours; without a parent nobody will take its result."""
    while not is_orphan():
        time.sleep(GLANCE)
    os._exit(0)
