"""Worker processes that die, in any way, cost their cell a try and nothing else."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heldout.errors import RequestError
from heldout.study.cells.cell import CellKey, CellResult
from heldout.study.cells.work import Work
from heldout.study.runners.local import LocalRunner
from heldout.study.runners.pool import Pool, end_in_words
from heldout.study.runners.runner import CellFailure

from .made_cells import behaving, keys_of, made_result, made_work, name_of, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
WORK = made_work("tree", "odd", folds=None)
Outcomes = dict[tuple[str, int], CellResult | CellFailure]


def outcomes(
    run: Callable[[Work, CellKey], CellResult], n_jobs: int = 2, cells: list[CellKey] | None = None
) -> Outcomes:
    runner = LocalRunner(n_jobs, start_method="fork", run_cell=run)
    runner.start(WORK)
    try:
        found = list(runner.results(keys_of(WORK) if cells is None else cells))
    finally:
        runner.stop()
    assert multiprocessing.active_children() == []
    named = {(name_of(WORK, outcome.key), outcome.key.fold): outcome for outcome in found}
    assert len(named) == len(found)
    return named


def failures(found: Outcomes) -> dict[tuple[str, int], CellFailure]:
    return {place: outcome for place, outcome in found.items() if isinstance(outcome, CellFailure)}


def once(folder: Path, key: CellKey) -> bool:
    """Whether this cell is here for the first time, in any process."""
    try:
        (folder / f"{key.contender}-{key.fold}").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_every_cell_gives_one_result(n_jobs: int) -> None:
    """With any number of workers each cell comes back once, with its own numbers."""
    found = outcomes(made_result, n_jobs)
    assert len(found) == 9
    for outcome in found.values():
        assert isinstance(outcome, CellResult)
        assert outcome.scores == made_result(WORK, outcome.key).scores
        np.testing.assert_array_equal(outcome.rows, WORK.fold(0, outcome.key.fold).test)


@pytest.mark.slow
def test_a_cell_that_always_kills_its_worker_fails_after_three_tries() -> None:
    """os._exit in every cell of a contender: three tries each, a failure, and all other cells are done."""
    found = outcomes(behaving(odd=lambda key: os._exit(7)))
    assert len(found) == 9
    failed = failures(found)
    assert {name for name, _ in failed} == {"odd"}
    assert len(failed) == 3
    for failure in failed.values():
        assert (failure.is_crash, failure.attempts) == (True, 3)
        assert failure.error == "its process ended by itself, with exit code 7"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_killed_worker_costs_a_try(number: signal.Signals, tmp_path: Path) -> None:
    """A worker that is killed once, by any signal, has its cell tried again, and nothing fails."""

    def die_once(key: CellKey) -> None:
        if once(tmp_path, key):
            faulthandler.disable()
            os.kill(os.getpid(), number)

    assert failures(outcomes(behaving(odd=die_once))) == {}
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.slow
def test_cells_that_crashed_are_tried_alone_and_afresh(tmp_path: Path) -> None:
    """What crashed runs again in a fresh process when nothing else does: two cells may not fit together."""
    running = tmp_path / "running"
    running.mkdir()
    (tmp_path / "seen").mkdir()
    seen_here: list[CellKey] = []

    def run(work: Work, key: CellKey) -> CellResult:
        n_cells = len(seen_here)
        seen_here.append(key)
        mine = running / str(os.getpid())
        is_first = name_of(work, key) == "odd" and once(tmp_path / "seen", key)
        is_second = name_of(work, key) == "odd" and not is_first
        if is_first:
            os._exit(1)
        mine.touch()
        time.sleep(0.02)
        others = len(list(running.iterdir())) - 1
        mine.unlink()
        if is_second and (others or n_cells):
            raise AssertionError(f"{others} others were running, {n_cells} cells ran before in this process")
        return made_result(work, key)

    assert failures(outcomes(run)) == {}


def test_a_learner_that_raises_is_not_tried_again(tmp_path: Path) -> None:
    """An error is an answer: it is recorded once, after one try, and the worker goes on."""

    def fail(key: CellKey) -> None:
        assert once(tmp_path, key)
        raise ValueError(f"fold {key.fold}")

    failed = failures(outcomes(behaving(odd=fail)))
    assert [failed["odd", fold].error for fold in range(3)] == [
        f"ValueError: fold {fold}" for fold in range(3)
    ]
    assert all((failure.attempts, failure.is_crash) == (1, False) for failure in failed.values())


@pytest.mark.slow
def test_memory_that_runs_out_is_tried_once_more_and_told(tmp_path: Path) -> None:
    """A learner that allocates until there is no memory left fails alone, after a second try."""

    def devour(key: CellKey) -> None:
        with open(tmp_path / "tries", "a", encoding="utf-8") as file:
            file.write("x")
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, resource.RLIM_INFINITY))
        kept = []
        while True:
            kept.append(np.ones(2**22))

    failed = failures(outcomes(behaving(odd=devour), cells=keys_of(WORK, "tree") + keys_of(WORK, "odd")[:1]))
    assert failed["odd", 0].error.startswith(("MemoryError", "numpy", "_ArrayMemoryError"))
    assert (failed["odd", 0].attempts, len(failed)) == (2, 1)
    assert (tmp_path / "tries").read_text() == "xx"


def test_what_cannot_be_sent_is_a_failure() -> None:
    """A result that cannot be pickled is told as the cell's error, and the worker lives on."""

    def run(work: Work, key: CellKey) -> CellResult:
        result = made_result(work, key)
        if name_of(work, key) == "odd":
            result.chosen["what"] = lambda: None
        return result

    failed = failures(outcomes(run))
    assert len(failed) == 3
    assert all("pickle" in failure.error.lower() for failure in failed.values())


@pytest.mark.slow
def test_workers_killed_at_any_moment_lose_nothing(tmp_path: Path) -> None:
    """Every cell sets off a kill -9 of its worker some milliseconds later: every cell gives its result."""

    def run(work: Work, key: CellKey) -> CellResult:
        # A cell dies twice at most: by the timer of the cell before it, and tried again by its own.
        if once(tmp_path, key):
            delay = np.random.default_rng(len(list(tmp_path.iterdir()))).uniform(0, 0.03)
            threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()
        time.sleep(0.01)
        return made_result(work, key)

    found = outcomes(run)
    assert len(found) == 9
    assert failures(found) == {}


def test_a_worker_ignores_ctrl_c_and_forgets_the_handlers_of_its_parent() -> None:
    """Ctrl-C is the parent's business; a handler that the user has set does not run in workers."""

    def look(key: CellKey) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    try:
        assert failures(outcomes(behaving(tree=look))) == {}
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_workers_use_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a worker BLAS, OpenMP and joblib are held to one thread, also in libraries loaded later."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    def look(key: CellKey) -> None:
        from joblib import effective_n_jobs
        from threadpoolctl import threadpool_info

        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
        assert effective_n_jobs(-1) == 1
        assert os.environ["OMP_NUM_THREADS"] == "1"

    assert failures(outcomes(behaving(tree=look))) == {}
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.slow
def test_workers_end_when_their_parent_is_gone(tmp_path: Path) -> None:
    """Kill the parent alone, in the middle of long cells: its workers are gone within seconds."""

    def note(key: CellKey) -> None:
        (tmp_path / str(os.getpid())).touch()
        time.sleep(60)

    def parent() -> None:
        runner = LocalRunner(2, start_method="fork", run_cell=behaving(tree=note, odd=note, baseline=note))
        runner.start(WORK)
        list(runner.results(keys_of(WORK)))

    process = multiprocessing.get_context("fork").Process(target=parent)
    process.start()
    assert until(lambda: len(list(tmp_path.iterdir())) == 2)
    process.kill()
    process.join()
    workers = [int(path.name) for path in tmp_path.iterdir()]
    assert until(lambda: not any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers))


def test_workers_may_have_children() -> None:
    """A learner may start processes of its own, though workers end with their parent."""

    def fork(key: CellKey) -> None:
        child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(0,))
        child.start()
        child.join()

    assert failures(outcomes(behaving(odd=fork))) == {}


@pytest.mark.slow
def test_a_child_that_holds_the_pipe_does_not_hide_the_death_of_its_parent(tmp_path: Path) -> None:
    """A dead worker whose own child keeps its pipe open is noticed all the same."""

    def leave_a_child(key: CellKey) -> None:
        if once(tmp_path, key):
            if os.fork() == 0:
                time.sleep(3)
                os._exit(0)
            os._exit(1)

    started = time.monotonic()
    found = outcomes(behaving(odd=leave_a_child), cells=keys_of(WORK, "odd")[:1])
    assert failures(found) == {}
    assert time.monotonic() - started < 2.9


def test_workers_that_cannot_start_are_an_error_and_not_the_fault_of_cells() -> None:
    """Where processes die before they have begun, the run ends with advice instead of failing every cell."""

    def launch(others: list[Any]) -> tuple[Any, Any]:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=os._exit, args=(4,))
        process.start()
        theirs.close()
        return process, ours

    pool = Pool(2, launch)
    with pytest.raises(RequestError, match="cannot be started") as caught:
        list(pool.results(keys_of(WORK)))
    pool.stop()
    assert "n_jobs=1" in caught.value.fix
    assert multiprocessing.active_children() == []


def test_cells_are_asked_for_one_by_one() -> None:
    """The next cell is taken when a worker needs one, so that the order can follow what is known by then."""
    taken: list[CellKey] = []

    def source() -> Iterator[CellKey]:
        for key in keys_of(WORK):
            taken.append(key)
            yield key

    runner = LocalRunner(2, start_method="fork", run_cell=made_result)
    runner.start(WORK)
    results = runner.results(source())
    next(results)
    assert len(taken) <= 4
    assert len(list(results)) == 8
    runner.stop()


def test_stopping_in_the_middle_ends_busy_workers_at_once() -> None:
    """Workers in the middle of a long cell are gone when stop returns, and stop may be called again."""
    runner = LocalRunner(2, start_method="fork", run_cell=behaving(odd=lambda key: time.sleep(60)))
    runner.start(WORK)
    results = runner.results(keys_of(WORK, "tree")[:1] + keys_of(WORK, "odd"))
    next(results)
    started = time.monotonic()
    runner.stop()
    runner.stop()
    assert time.monotonic() - started < 2
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    ("code", "words"),
    [(-11, "killed (SIGSEGV)"), (-9, "memory runs out"), (-99, "signal 99"), (0, "exit code 0")],
)
def test_ends_are_told_in_words(code: int, words: str) -> None:
    """Signals have names, and the one that the system sends when memory runs out says so."""
    assert words in end_in_words(code)
