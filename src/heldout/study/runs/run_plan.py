"""Run what is left of a plan: cell by cell into the ledger, so that nothing finished is ever lost.

A cell is written in one transaction when it is done. Whatever happens between two of them, kill -9, a full
disk, Ctrl-C, the next run finds the finished cells and does the others. A cell that failed has no result, so
the next run tries it again: what was missing may be there by then. Every failure stays in the ledger.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heldout.errors import HeldoutError, LedgerError, RunInterrupted
from heldout.ledger.fact import Entry
from heldout.ledger.plan_facts import ContenderFact, FailureFact, PlanFact
from heldout.stats.interval import plain
from heldout.study.cells.cell import cell_keys
from heldout.study.cells.cell_entries import cell_entries
from heldout.study.cells.work import Work
from heldout.study.files.table_at_hand import versions
from heldout.study.runners.attempt import failure_of
from heldout.study.runners.runner import CellFailure, Runner, hold_interrupts
from heldout.study.runs.progress import Progress, RunState, Silence, duration
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger
    from heldout.study.cells.cell import CellKey, CellResult


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
            raise RunInterrupted(self._n_found + self._n_run, self._n_cells) from None

    def _go(self) -> None:
        self._progress.begin(self._state())
        try:
            self._runner.start(self._work)
            for outcome in self._runner.results(self._queue):
                self._keep(outcome)
                self._progress.update(self._state())
        finally:
            with hold_interrupts():
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
        with hold_interrupts():
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
            self._ledger.append(cell_entries(result))
        except LedgerError:
            raise
        except (HeldoutError, TypeError, ValueError) as error:
            return failure_of(error, result.key)
        return None

    def _failure_entry(self, failure: CellFailure) -> Entry:
        key = failure.key
        self._n_failures[key.text] += 1
        body = FailureFact(
            cell=key.text,
            plan=self._work.resolved.digest,
            contender=key.contender,
            name=self._work.contender(key.contender).name,
            repeat=key.repeat,
            fold=key.fold,
            error=failure.error,
            lines=failure.lines,
            attempts=failure.attempts,
            is_crash=failure.is_crash,
        )
        return body.entry(f"{key.text}:{self._n_failures[key.text]}")

    def _state(self) -> RunState:
        return RunState(
            n_cells=self._n_cells,
            n_done=self._n_found + self._n_run,
            n_failed=len(self._failures),
            contender=self._contender,
            seconds_left=self._queue.seconds_left(),
        )


def plan_entries(work: Work) -> list[Entry]:
    """The plan and its contenders, each written once, however often the plan is run."""
    plan = work.resolved
    fact = PlanFact(
        plan=plan.plan.to_dict(),
        contenders=tuple(contender.digest for contender in plan.contenders),
        choose_reason=plan.choose_reason,
        notes=plan.notes,
        protocol=plan.protocol_digest,
        folds=tuple(fold.digest for fold in plan.folds),
        fold_indices=tuple((fold.repeat, fold.number) for fold in plan.folds),
        versions=versions(),
    )
    contenders = (
        (
            contender.digest,
            ContenderFact(contender.to_dict(), contender.name, contender.is_baseline, contender.n_settings),
        )
        for contender in plan.contenders
    )
    return [fact.entry(plan.digest, once=True), *(body.entry(key, once=True) for key, body in contenders)]


@dataclass(frozen=True)
class RunSummary:
    """What a run did.

    plan:     the digest of the plan
    n_cells:  how many cells the plan has
    n_found:  how many the ledger had already
    n_run:    how many this run has added
    failures: the cells that gave no result, with the reason
    names:    of the contenders of the failures
    seconds:  how long it took
    """

    plan: str
    n_cells: int
    n_found: int
    n_run: int
    failures: tuple[CellFailure, ...] = ()
    names: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether every cell of the plan has a result."""
        return self.n_found + self.n_run == self.n_cells

    def __str__(self) -> str:
        words = f"{self.n_run} of {plural(self.n_cells, 'fit')} in {duration(self.seconds)}"
        if self.n_found:
            words += f", {self.n_found} were there already"
        lines = [f"  {name}, {failure}" for name, failure in zip(self.names, self.failures, strict=True)]
        if lines:
            words += f", {len(lines)} failed; running the plan again tries them again:"
        return "\n".join([words, *lines])

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON can hold it."""
        record: dict[str, Any] = plain(self)
        return record


LAST_STRETCH = 4  # as many of the longest cells, for each worker, are left when long ones get precedence


class CellQueue:
    """Cells in the order in which they are best run; it learns from those that are done how long others take.

    Round by round: a round is one cell of every contender, the slowest first, so that the first results of
    all come early and can be compared. In the last stretch the longest cells go first, so that the workers
    end together.

    cells:     all cells to run; those of a contender stay in their order
    n_workers: how many run at once
    on_start:  is told of every cell that is handed out
    """

    def __init__(
        self,
        cells: Sequence[CellKey],
        n_workers: int = 1,
        on_start: Callable[[CellKey], None] = lambda cell: None,
    ) -> None:
        self._left: dict[str, deque[CellKey]] = {}
        for cell in cells:
            self._left.setdefault(cell.contender, deque()).append(cell)
        self._round = list(self._left)
        self._n_workers = n_workers
        self._on_start = on_start
        self._n_running = dict.fromkeys(self._left, 0)
        self._seconds: dict[str, float] = {}  # the mean of the cells that are done
        self._n_timed = dict.fromkeys(self._left, 0)

    def __iter__(self) -> Iterator[CellKey]:
        return self

    def __length_hint__(self) -> int:
        return sum(map(len, self._left.values()))

    def __next__(self) -> CellKey:
        waiting = [contender for contender, cells in self._left.items() if cells]
        if not waiting:
            raise StopIteration
        if self._is_last_stretch(waiting):
            chosen = max(waiting, key=self.cell_seconds)
        else:
            chosen = self._next_of_round(waiting)
        self._n_running[chosen] += 1
        cell = self._left[chosen].popleft()
        self._on_start(cell)
        return cell

    def is_done(self, contender: str, seconds: float | None) -> None:
        """A cell of this contender took so many seconds; None if it failed."""
        self._n_running[contender] -= 1
        if seconds is not None:
            self._n_timed[contender] += 1
            mean = self._seconds.get(contender, 0.0)
            self._seconds[contender] = mean + (seconds - mean) / self._n_timed[contender]

    def cell_seconds(self, contender: str) -> float:
        """How long a cell of this contender takes, by those that are done; else as long as the longest."""
        known = self._seconds.get(contender)
        return max(self._seconds.values(), default=0.0) if known is None else known

    def seconds_left(self) -> float | None:
        """How long it will take until all are done; None as long as nothing is known."""
        if not self._seconds:
            return None
        n_left = {name: len(cells) + self._n_running[name] for name, cells in self._left.items()}
        total = sum(count * self.cell_seconds(name) for name, count in n_left.items())
        longest = max((self.cell_seconds(name) for name, count in n_left.items() if count), default=0.0)
        return max(total / self._n_workers, longest)

    def _is_last_stretch(self, waiting: list[str]) -> bool:
        if not all(contender in self._seconds for contender in waiting):
            return False  # everybody gets a first cell before anybody has precedence
        longest = max(map(self.cell_seconds, waiting))
        left = sum(len(self._left[contender]) * self.cell_seconds(contender) for contender in waiting)
        return left <= LAST_STRETCH * self._n_workers * longest

    def _next_of_round(self, waiting: list[str]) -> str:
        self._round = [contender for contender in self._round if contender in waiting]
        if not self._round:
            self._round = sorted(waiting, key=self.cell_seconds, reverse=True)
        return self._round.pop(0)
