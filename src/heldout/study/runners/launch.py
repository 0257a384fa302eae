"""Starting one worker process, by fork or from nothing."""

from __future__ import annotations

import os
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.study.runners.hidden_main import hidden_main
from heldout.study.runners.mapped_work import write_work
from heldout.study.runners.one_thread import one_thread
from heldout.study.runners.worker import work_forked, work_spawned
from heldout.table.column import STRING_KINDS

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from heldout.study.cells.work import Work
    from heldout.study.runners.attempt import RunCell
    from heldout.study.runners.worker import Pipe


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
