"""Run what is left of a plan: cell by cell into the ledger, so that nothing finished is ever lost.

A cell is written in one transaction when it is done. Whatever happens between two of them, kill -9, a full
disk, Ctrl-C, the next run finds the finished cells and does the others. A cell that failed has no result, so
the next run tries it again: what was missing may be there by then. Every failure stays in the ledger.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from heldout.errors import HeldoutError, LedgerError
from heldout.ledger.fact import Entry
from heldout.study.cells.cell import cell_keys
from heldout.study.cells.cell_entries import entries_of
from heldout.study.runners.attempt import failure_of
from heldout.study.runners.runner import CellFailure, Runner
from heldout.study.runs.cell_queue import CellQueue
from heldout.study.runs.interruption import shielded
from heldout.study.runs.plan_entries import plan_entries
from heldout.study.runs.progress import Progress, RunState, Silence
from heldout.study.runs.run_summary import RunSummary

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger
    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.cells.work import Work


def run_plan(ledger: Ledger, work: Work, runner: Runner, progress: Progress | None = None) -> RunSummary:
    """Run the cells of a plan that the ledger does not have yet.

    ledger:   where the plan, its contenders and every cell are kept
    work:     the rows and the plan, with everything decided
    runner:   who computes the cells; it is stopped in the end
    progress: shows how far it is; nobody if left out
    """
    with ledger.writing():
        ledger.append(plan_entries(work))
        run = _Run(ledger, work, runner, progress or Silence())
        if run.cells_left:
            run.go()
        return run.summary()


class _Run:
    """One run of a plan, while it goes on."""

    def __init__(self, ledger: Ledger, work: Work, runner: Runner, progress: Progress) -> None:
        self._ledger, self._work, self._runner, self._progress = ledger, work, runner, progress
        self._began = time.monotonic()
        # Folds may repeat: with every k-th row there is nothing that could differ.
        cells = list({key.text: key for key in cell_keys(work)}.values())
        found = ledger.keys("cell")
        self.cells_left = [key for key in cells if key.text not in found]
        self._n_cells, self._n_found = len(cells), len(cells) - len(self.cells_left)
        self._n_run = 0
        self._failures: list[CellFailure] = []
        self._n_failures = Counter(key.rpartition(":")[0] for key in ledger.keys("failure"))
        self._queue = CellQueue(self.cells_left, getattr(runner, "n_jobs", 1), self._started)
        self._contender = ""

    def go(self) -> None:
        """Run all cells; after Ctrl-C, also a second one, say how to go on."""
        try:
            self._go()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._how_to_go_on()) from None

    def _go(self) -> None:
        self._progress.begin(self._state())
        try:
            self._runner.start(self._work)
            for outcome in self._runner.results(self._queue):
                self._keep(outcome)
                self._progress.update(self._state())
        finally:
            with shielded():
                self._runner.stop()
                self._progress.end(self._state())

    def summary(self) -> RunSummary:
        """What was done."""
        return RunSummary(
            plan=self._work.resolved.digest,
            n_cells=self._n_cells,
            n_found=self._n_found,
            n_run=self._n_run,
            failures=tuple(self._failures),
            names=tuple(self._work.contender(failure.key.contender).name for failure in self._failures),
            seconds=time.monotonic() - self._began,
        )

    def _started(self, key: CellKey) -> None:
        self._contender = self._work.contender(key.contender).name
        self._progress.update(self._state())

    def _keep(self, outcome: CellResult | CellFailure) -> None:
        """One outcome becomes facts; Ctrl-C has to wait for it."""
        with shielded():
            failure = outcome if isinstance(outcome, CellFailure) else self._written(outcome)
            if failure is None:
                self._n_run += 1
            else:
                self._ledger.append([self._failure_entry(failure)])
                self._failures.append(failure)
            seconds = None if isinstance(outcome, CellFailure) else sum(outcome.seconds.values())
            self._queue.is_done(outcome.key.contender, seconds)

    def _written(self, result: CellResult) -> CellFailure | None:
        """Write a result, all of it or nothing; what no ledger could hold is a failure of the cell."""
        try:
            self._ledger.append(entries_of(result))
        except LedgerError:
            raise
        except (HeldoutError, TypeError, ValueError) as error:
            return failure_of(error, result.key)
        return None

    def _failure_entry(self, failure: CellFailure) -> Entry:
        key = failure.key
        self._n_failures[key.text] += 1
        body = {
            "cell": key.text,
            "plan": self._work.resolved.digest,
            "contender": key.contender,
            "name": self._work.contender(key.contender).name,
            "repeat": key.repeat,
            "fold": key.fold,
            "error": failure.error,
            "lines": list(failure.lines),
            "attempts": failure.attempts,
            "is_crash": failure.is_crash,
        }
        return Entry("failure", f"{key.text}:{self._n_failures[key.text]}", body)

    def _state(self) -> RunState:
        return RunState(
            n_cells=self._n_cells,
            n_done=self._n_found + self._n_run,
            n_failed=len(self._failures),
            contender=self._contender,
            seconds_left=self._queue.seconds_left(),
        )

    def _how_to_go_on(self) -> str:
        done = self._n_found + self._n_run
        return (
            f"stopped with {done} of {self._n_cells} fits done, which are kept: "
            "run the same plan again and it goes on from there"
        )
