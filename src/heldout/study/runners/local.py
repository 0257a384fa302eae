"""Cells on this machine: in this process, or in a few processes that share the table."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from operator import length_hint
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from heldout.errors import InputTypeError, RequestError
from heldout.study.cells.shared_work import share_between_folds
from heldout.study.runners.attempt import attempt
from heldout.study.runners.mapped_work import write_work
from heldout.study.runners.one_thread import one_thread
from heldout.study.runners.pool import Pool
from heldout.study.runners.runner import CellFailure, hold_interrupts
from heldout.study.runners.worker import work_forked, work_spawned
from heldout.table.column import STRING_KINDS

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.cells.work import Work
    from heldout.study.runners.attempt import RunCell
    from heldout.study.runners.worker import Pipe

METHODS = ("fork", "spawn")


class LocalRunner:
    """Runs cells in this process (`n_jobs=1`) or in worker processes.

    n_jobs:       how many processes; None is one per usable core, never more than there are cells
    start_method: "fork" or "spawn", also for one worker; left out, what `start_method_for` says
    run_cell:     what runs a cell; left out, `heldout.study.cells.cell.run_cell`
    """

    def __init__(
        self, n_jobs: int | None = None, start_method: str | None = None, run_cell: RunCell | None = None
    ) -> None:
        _check(n_jobs, start_method)
        self.n_jobs = usable_cores() if n_jobs is None else int(n_jobs)
        self._start_method = start_method
        self._run_cell = run_cell
        self._work: Work | None = None
        self._pool: Pool | None = None
        self._launch: Fork | Spawn | None = None

    def start(self, work: Work) -> None:
        """Get ready; processes are started when there are cells for them."""
        self.stop()  # workers that are still there know another work
        self._work = work

    def results(self, cells: Iterable[CellKey]) -> Iterator[CellResult | CellFailure]:
        """One outcome for each cell, as they come."""
        assert self._work is not None, "start comes first"
        source = iter(cells)
        is_small = min(self.n_jobs, length_hint(source, self.n_jobs)) <= 1
        is_here = is_small and self._start_method is None
        method = "" if is_here else self._start_method or start_method_for(self._work)
        if self._run_cell is None and method != "spawn":  # from nothing, workers begin without it
            share_between_folds(self._work, length_hint(source), self.n_jobs)
        if is_here:
            yield from self._in_this_process(source, self._work)
        else:
            yield from self._in_processes(source, self._work, method)

    def stop(self) -> None:
        """End the worker processes, if there are any; what they were at is lost."""
        with hold_interrupts():
            if self._pool is not None:
                self._pool.stop()
            if self._launch is not None:
                self._launch.close()
            self._pool = self._launch = None

    def _in_this_process(self, cells: Iterator[CellKey], work: Work) -> Iterator[CellResult | CellFailure]:
        run_cell = self._run_cell or _run_cell()
        for key in cells:
            yield attempt(run_cell, work, key)

    def _in_processes(
        self, cells: Iterator[CellKey], work: Work, method: str
    ) -> Iterator[CellResult | CellFailure]:
        if self._pool is None:
            self._launch = (Fork if method == "fork" else Spawn)(self._run_cell or _run_cell(), work)
            self._pool = Pool(self.n_jobs, self._launch)
        yield from self._pool.results(cells)


def usable_cores() -> int:
    """The cores that this process may use, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_cell() -> RunCell:
    from heldout.study.cells.cell import run_cell

    return run_cell


def _check(n_jobs: int | None, start_method: str | None) -> None:
    if n_jobs is not None and (isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__")):
        raise InputTypeError(
            "n_jobs is a number of processes",
            where=f"n_jobs={n_jobs!r}",
            fix="use 1 for this process, 2 or more, or None for one per core",
        )
    if n_jobs is not None and n_jobs < 1:
        raise RequestError(
            "there must be at least one process",
            where=f"n_jobs={n_jobs}",
            fix="use None for one per usable core",
        )
    if start_method is not None and start_method not in METHODS:
        raise RequestError(
            f"unknown way {start_method!r} to start processes",
            where="start_method",
            fix=f"use one of {', '.join(METHODS)}, or leave it out",
        )


class Fork:
    """Starts workers that share every page with this process until one of them writes to it.

    run_cell: what runs a cell
    work:     what cells need; its codes are made here, once, so that all workers find them
    """

    def __init__(self, run_cell: RunCell, work: Work) -> None:
        self._run_cell, self._work = run_cell, work
        make_codes(work)
        self._held = ExitStack()
        self._held.enter_context(one_thread())

    def __call__(self, others: list[Pipe]) -> tuple[BaseProcess, Pipe]:
        from multiprocessing import get_context

        context = get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=work_forked,
            args=(theirs, [ours, *others], os.getpid(), self._run_cell, self._work),
            name="heldout worker",
            daemon=True,
        )
        with warnings.catch_warnings():
            # From 3.12 on Python warns when there are threads: start_method.py says why ours do no harm.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        theirs.close()
        return process, ours

    def close(self) -> None:
        """Give native libraries their threads back."""
        self._held.close()


class Spawn:
    """Starts workers from nothing, which map the work from a file.

    run_cell: what runs a cell
    work:     what cells need
    """

    def __init__(self, run_cell: RunCell, work: Work) -> None:
        self._path: Path = write_work(run_cell, work)

    def __call__(self, others: list[Pipe]) -> tuple[BaseProcess, Pipe]:
        from multiprocessing import get_context

        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process: Any = context.Process(
            target=work_spawned, args=(theirs, str(self._path)), name="heldout worker", daemon=True
        )
        with hidden_main():
            process.start()
        theirs.close()
        return process, ours

    def close(self) -> None:
        """Remove the file."""
        self._path.unlink(missing_ok=True)


def make_codes(work: Work) -> None:
    """Code the columns that learners will ask for; columns keep their codes."""
    X = work.X
    X.select([name for name, kind in X.kinds.items() if kind not in STRING_KINDS]).coded()


# Their pools of threads do not survive a fork: a worker would wait for ever.
NOT_FORKABLE = frozenset(
    {
        "catboost",
        "jax",
        "keras",
        "lightgbm",
        "onnxruntime",
        "polars",
        "skorch",
        "tensorflow",
        "torch",
        "xgboost",
    }
)


def start_method_for(work: Work) -> str:
    """ "fork" on Linux, unless a contender is of a library that a fork would break; else "spawn"."""
    if sys.platform != "linux":
        return "spawn"
    parts = (part for contender in work.resolved.contenders for part in _parts(contender))
    return "spawn" if any(packages_of(part) & NOT_FORKABLE for part in parts) else "fork"


def packages_of(thing: Any) -> set[str]:
    """The packages that a thing's class and its ancestors come from."""
    kind = thing if isinstance(thing, type) else type(thing)
    return {parent.__module__.partition(".")[0] for parent in kind.__mro__ if parent is not object} or {
        "builtins"
    }


def _parts(contender: Any) -> Iterator[Any]:
    """A contender's learner and preparation, what they are made of, and what tuning may put into them."""
    tuned = (value for setting in contender.settings() for value in setting.values())
    for thing in (contender.learner, contender.prepare, *tuned):
        yield thing
        if hasattr(thing, "get_params"):
            yield from thing.get_params(deep=True).values()


@contextmanager
def hidden_main() -> Iterator[None]:
    """While a process is started, `__main__` is empty.

    The standard library has a new process import the script that started it, which for a script without
    `if __name__ == "__main__"` means to do everything again. Our workers need nothing of it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
