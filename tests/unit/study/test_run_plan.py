"""A run of a plan: what it records, what it skips, and how it ends when something goes wrong."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import heldout as ho
from heldout.errors import LedgerError
from heldout.ledger.ledger import Ledger
from heldout.study.cells.cell import CellKey, CellResult
from heldout.study.cells.work import Work
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.progress import RunState
from heldout.study.runs.run_plan import plan_entries, run_plan

from .runners.made_cells import behaving, keys_of, made_result, made_work, name_of

WORK = made_work("tree", "odd")
RunCell = Callable[[Work, CellKey], CellResult]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path / "some.heldout") as found:
        yield found


def runner(run: RunCell = made_result, n_jobs: int = 1) -> LocalRunner:
    return LocalRunner(n_jobs, run_cell=run)


def undisturbed(folder: Path, work: Work = WORK, run: RunCell = made_result) -> str:
    with Ledger.create(folder / "undisturbed.heldout") as found:
        run_plan(found, work, runner(run))
        return found.results_digest(work.resolved.digest)


class Seen:
    """Progress that is kept."""

    def __init__(self) -> None:
        self.states: list[RunState] = []
        self.is_over = False

    def begin(self, state: RunState) -> None:
        self.states.append(state)

    def update(self, state: RunState) -> None:
        self.states.append(state)

    def end(self, state: RunState) -> None:
        self.is_over = True


def test_a_run_records_the_plan_first_and_then_every_cell(ledger: Ledger) -> None:
    """Plan and contenders stand before the first cell; then there is one fact per cell."""
    summary = run_plan(ledger, WORK, runner())
    kinds = [fact.kind for fact in ledger.facts()]
    assert kinds[:5] == ["plan", "contender", "contender", "contender", "cell"]
    assert ledger.keys("cell") == {key.text for key in keys_of(WORK)}
    assert (summary.n_cells, summary.n_run, summary.n_found, summary.is_complete) == (9, 9, 0, True)
    plan = ledger.fact("plan", WORK.resolved.digest)
    assert plan is not None
    assert plan.body["fold_indices"] == [[0, 0], [0, 1], [0, 2]]
    assert plan.body["versions"]["heldout"]
    assert {fact.body["name"] for fact in ledger.facts("contender")} == {"baseline", "tree", "odd"}


def test_the_plan_is_recorded_even_if_the_first_cell_never_comes(ledger: Ledger) -> None:
    """What was decided stands in the ledger before anything is computed."""

    def never(work: Work, key: CellKey) -> CellResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_plan(ledger, WORK, runner(never))
    assert [fact.kind for fact in ledger.facts()] == ["plan", "contender", "contender", "contender"]


def test_finished_cells_are_not_run_again(ledger: Ledger) -> None:
    """A second run computes nothing and shows nothing."""
    run_plan(ledger, WORK, runner())
    n_facts, seen = ledger.n_facts, Seen()

    def never(work: Work, key: CellKey) -> CellResult:
        raise AssertionError("computed twice")

    summary = run_plan(ledger, WORK, runner(never), seen)
    assert (summary.n_run, summary.n_found) == (0, 9)
    assert ledger.n_facts == n_facts
    assert seen.states == []


def test_another_plan_takes_over_the_cells_that_it_shares(ledger: Ledger) -> None:
    """A plan with one more contender runs the cells of that one alone."""
    run_plan(ledger, WORK, runner())
    summary = run_plan(ledger, made_work("tree", "odd", "new"), runner())
    assert (summary.n_cells, summary.n_found, summary.n_run) == (12, 9, 3)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_real_cells_give_the_same_digest_on_any_number_of_workers(n_jobs: int, tmp_path: Path) -> None:
    """Cells that really learn, in this process and in others: one digest of results."""
    with Ledger.create(tmp_path / "other.heldout") as ledger:
        run_plan(ledger, WORK, LocalRunner(n_jobs))
        digest = ledger.results_digest(WORK.resolved.digest)
        assert ledger.verify().is_unbroken
    with Ledger.create(tmp_path / "one.heldout") as ledger:
        run_plan(ledger, WORK, LocalRunner(1))
        assert ledger.results_digest(WORK.resolved.digest) == digest


def test_cells_may_come_in_any_order(tmp_path: Path) -> None:
    """A runner that hands the last cell over first gives the same digest."""

    class Backwards:
        def start(self, work: Work) -> None:
            self.work = work

        def results(self, cells: Any) -> Iterator[CellResult]:
            for key in reversed(list(cells)):
                yield made_result(self.work, key)

        def stop(self) -> None:
            self.is_stopped = True

    backwards = Backwards()
    with Ledger.create(tmp_path / "back.heldout") as ledger:
        run_plan(ledger, WORK, backwards)
        assert ledger.results_digest(WORK.resolved.digest) == undisturbed(tmp_path)
    assert backwards.is_stopped


def test_a_learner_that_raises_is_recorded_and_the_run_goes_on(ledger: Ledger) -> None:
    """The failure says which contender, repeat and fold, the error and the last lines."""

    def fail(key: CellKey) -> None:
        raise ValueError(f"not on fold {key.fold}")

    summary = run_plan(ledger, WORK, runner(behaving(odd=fail)))
    assert (summary.n_run, len(summary.failures), summary.is_complete) == (6, 3, False)
    assert "odd, repeat 1, fold 2: ValueError: not on fold 1" in str(summary)
    assert "tries them again" in str(summary)
    body = ledger.facts("failure")[0].body
    assert (body["name"], body["repeat"], body["fold"]) == ("odd", 0, 0)
    assert (body["error"], body["attempts"], body["is_crash"]) == ("ValueError: not on fold 0", 1, False)
    assert body["lines"][-1] == "ValueError: not on fold 0"
    assert body["plan"] == WORK.resolved.digest
    assert not ledger.has("cell", body["cell"])


def test_the_next_run_tries_failed_cells_again_and_counts(ledger: Ledger, tmp_path: Path) -> None:
    """Every failure stays a fact; when the cause is gone the results are those of an undisturbed run."""

    def fail(key: CellKey) -> None:
        raise ImportError("no such library")

    for _ in range(2):
        run_plan(ledger, WORK, runner(behaving(odd=fail)))
    assert sorted(key.rpartition(":")[2] for key in ledger.keys("failure")) == ["1", "1", "1", "2", "2", "2"]
    summary = run_plan(ledger, WORK, runner())
    assert (summary.n_found, summary.n_run, summary.is_complete) == (6, 3, True)
    assert ledger.results_digest(WORK.resolved.digest) == undisturbed(tmp_path)


@pytest.mark.slow
def test_a_worker_that_dies_is_recorded_after_three_tries(ledger: Ledger) -> None:
    """A learner that ends its process costs its own cells and nobody else's."""
    summary = run_plan(ledger, WORK, runner(behaving(odd=lambda key: os._exit(1)), n_jobs=2))
    assert (summary.n_run, len(summary.failures)) == (6, 3)
    assert all(fact.body["is_crash"] and fact.body["attempts"] == 3 for fact in ledger.facts("failure"))


def test_a_real_learner_that_raises_is_told_with_its_place(ledger: Ledger) -> None:
    """An estimator that cannot predict is a failure with its contender, and the others are complete."""
    from sklearn.neighbors import KNeighborsClassifier

    from heldout.plan.resolved_plan import resolve_plan
    from heldout.study.cells.work import work_of

    task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    bad = ho.Contender("bad", KNeighborsClassifier(n_neighbors=500))
    plan = ho.Plan([bad, ho.Contender("tree", ho.TreeClassifier())], folds=ho.KFold(2), tuning=ho.KFold(2))
    summary = run_plan(ledger, work_of(task, resolve_plan(plan, task, seed=1)), LocalRunner(2))
    assert (summary.n_run, set(summary.names), len(summary.failures)) == (4, {"bad"}, 2)
    assert "n_neighbors" in summary.failures[0].error
    assert "contender 'bad'" in summary.failures[0].error
    assert any("sklearn" in line for line in summary.failures[0].lines)


def test_progress_is_told_when_a_cell_begins_and_when_it_ends(ledger: Ledger) -> None:
    """Cells done and failed, the contender at work and the time left are known around each cell."""

    def fail(key: CellKey) -> None:
        raise ValueError

    seen = Seen()
    run_plan(ledger, WORK, runner(behaving(odd=fail)), seen)
    counts = [state.n_done + state.n_failed for state in seen.states]
    assert counts == [0, *(count for n_over in range(9) for count in (n_over, n_over + 1))]
    assert (seen.states[-1].n_done, seen.states[-1].n_failed) == (6, 3)
    assert {state.contender for state in seen.states[1:]} == {"baseline", "tree", "odd"}
    assert seen.states[-1].seconds_left == 0.0
    assert seen.is_over


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(n_jobs: int, ledger: Ledger, tmp_path: Path) -> None:
    """After Ctrl-C no process is left, finished cells stand, and the next run ends with the same digest."""
    parent, seen = os.getpid(), Seen()

    def interrupt(key: CellKey) -> None:
        if key.fold == 1:
            os.kill(parent, signal.SIGINT)
            time.sleep(20)

    with pytest.raises(KeyboardInterrupt, match="of 9 fits done, which are kept: run the same plan again"):
        run_plan(ledger, WORK, runner(behaving(odd=interrupt), n_jobs), seen)
    assert multiprocessing.active_children() == []
    assert seen.is_over
    n_done = len(ledger.keys("cell"))
    assert 2 <= n_done < 9
    summary = run_plan(ledger, WORK, runner())
    assert (summary.n_found, summary.n_run) == (n_done, 9 - n_done)
    assert ledger.results_digest(WORK.resolved.digest) == undisturbed(tmp_path)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("ctrl_c")
def test_a_second_ctrl_c_does_not_disturb_the_end(ledger: Ledger) -> None:
    """While the runner is being stopped, Ctrl-C waits; what is said is the same."""

    class Stubborn(LocalRunner):
        is_stopped = False

        def stop(self) -> None:
            if self._work is not None:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.01)
            super().stop()
            self.is_stopped = True

    def interrupt(key: CellKey) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(20)

    stubborn, seen = Stubborn(1, run_cell=behaving(odd=interrupt)), Seen()
    with pytest.raises(KeyboardInterrupt, match="stopped with 2 of 9 fits done"):
        run_plan(ledger, WORK, stubborn, seen)
    assert stubborn.is_stopped
    assert seen.is_over


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_in_the_middle_of_a_transaction_waits_for_its_end(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that is being written is written, then the run ends."""
    write = ledger.append

    def slow(entries: Any) -> Any:
        if any(entry.kind == "cell" for entry in entries):
            os.kill(os.getpid(), signal.SIGINT)
        return write(entries)

    monkeypatch.setattr(ledger, "append", slow)
    with pytest.raises(KeyboardInterrupt, match="stopped with 1 of 9 fits done"):
        run_plan(ledger, WORK, runner())
    assert len(ledger.keys("cell")) == 1


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_stays_ignored_where_it_was(ledger: Ledger) -> None:
    """A run that a shell put into the background goes on to its end, and leaves the signal as it was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def interrupt(key: CellKey) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    assert run_plan(ledger, WORK, runner(behaving(odd=interrupt))).n_run == 9
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_full_disk_is_an_error_and_loses_nothing(n_jobs: int, ledger: Ledger, tmp_path: Path) -> None:
    """When the file can grow no more the run ends with advice, its workers too, and can be continued."""
    assert ledger.connection is not None
    ledger.append(plan_entries(WORK))
    (pages,) = ledger.connection.execute("PRAGMA page_count").fetchone()
    ledger.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(LedgerError, match="disk is full") as caught:
        run_plan(ledger, WORK, runner(n_jobs=n_jobs))
    assert "run again" in caught.value.fix
    assert multiprocessing.active_children() == []
    n_done = len(ledger.keys("cell"))
    assert 0 < n_done < 9
    assert ledger.verify().is_unbroken
    ledger.connection.execute("PRAGMA max_page_count = 1000000")
    summary = run_plan(ledger, WORK, runner(n_jobs=n_jobs))
    assert (summary.n_found, summary.n_run) == (n_done, 9 - n_done)
    assert ledger.results_digest(WORK.resolved.digest) == undisturbed(tmp_path)


def test_what_no_ledger_can_hold_is_a_failure_of_its_cell(ledger: Ledger) -> None:
    """A result with an array of objects fails alone, and nothing of it is written."""
    import numpy as np

    def run(work: Work, key: CellKey) -> CellResult:
        result = made_result(work, key)
        if name_of(work, key) == "odd":
            result.predictions["labels"] = np.array([object()])
        return result

    summary = run_plan(ledger, WORK, runner(run))
    assert (summary.n_run, len(summary.failures)) == (6, 3)
    assert not any(fact.body.get("name") == "odd" for fact in ledger.facts("score"))


def test_folds_that_are_the_same_are_run_once(tmp_path: Path) -> None:
    """Where repeats give the same rows there is one cell, not two that quarrel."""
    from dataclasses import replace

    folds = WORK.folds
    twice = (*folds, *(replace(fold, repeat=1) for fold in folds))
    work = replace(WORK, resolved=replace(WORK.resolved, folds=twice))
    with Ledger.create(tmp_path / "twice.heldout") as ledger:
        summary = run_plan(ledger, work, runner())
        assert (summary.n_cells, summary.n_run, len(ledger.keys("cell"))) == (9, 9, 9)


def test_workers_never_touch_the_study_file(ledger: Ledger) -> None:
    """A worker that tries is refused, and the chain stays whole."""
    if sys.platform != "linux":
        pytest.skip("only a fork takes the file along")

    def touch(key: CellKey) -> None:
        with pytest.raises(LedgerError, match="forked process"):
            _ = ledger.head

    summary = run_plan(ledger, WORK, runner(behaving(odd=touch), n_jobs=2))
    assert summary.is_complete
    assert ledger.verify().is_unbroken


def test_a_cell_is_one_transaction(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another reader never sees a cell without its scores."""
    counts: list[tuple[int, int]] = []
    write = ledger.append

    def watched(entries: Any) -> Any:
        found = write(entries)
        with sqlite3.connect(f"file:{ledger.path}?mode=ro", uri=True) as other:
            counts.append(
                tuple(
                    other.execute("SELECT count(*) FROM fact WHERE kind = ?", (kind,)).fetchone()[0]
                    for kind in ("cell", "score")
                )  # type: ignore[arg-type]
            )
        return found

    monkeypatch.setattr(ledger, "append", watched)
    run_plan(ledger, WORK, runner())
    assert counts == [(number, number) for number in range(10)]
