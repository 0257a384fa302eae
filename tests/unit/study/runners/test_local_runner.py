"""The local runner: in this process or in others, by fork or from nothing, with the same answers."""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import heldout as ho
from heldout.errors import InputTypeError, RequestError
from heldout.study.cells.cell import CellKey, CellResult, run_cell
from heldout.study.cells.work import Work
from heldout.study.runners import local
from heldout.study.runners.local import NOT_FORKABLE, LocalRunner, hidden_main, start_method_for
from heldout.study.runners.runner import CellFailure

from .made_cells import keys_of, made_result, made_work

WORK = made_work("tree")


def process_of(work: Work, key: CellKey) -> CellResult:
    """A result whose note is the process that made it."""
    from dataclasses import replace

    return replace(made_result(work, key), notes=(str(os.getpid()),))


def results(runner: LocalRunner, cells: list[CellKey], work: Work = WORK) -> list[CellResult]:
    runner.start(work)
    try:
        found = list(runner.results(cells))
    finally:
        runner.stop()
    assert not any(isinstance(outcome, CellFailure) for outcome in found), found
    return [outcome for outcome in found if isinstance(outcome, CellResult)]


def test_one_job_runs_in_this_process() -> None:
    """With n_jobs=1 no process is started."""
    found = results(LocalRunner(1, run_cell=process_of), keys_of(WORK))
    assert {result.notes for result in found} == {(str(os.getpid()),)}


def test_one_cell_runs_in_this_process() -> None:
    """A single cell needs no other process, however many there may be."""
    found = results(LocalRunner(8, run_cell=process_of), keys_of(WORK)[:1])
    assert found[0].notes == (str(os.getpid()),)


def test_no_cell_is_no_work() -> None:
    """Without cells nothing is started."""
    assert results(LocalRunner(2, start_method="spawn"), []) == []


def test_there_are_never_more_processes_than_cells() -> None:
    """Eight processes for two cells are two."""
    cells = keys_of(WORK)[:2]
    found = results(LocalRunner(8, run_cell=process_of), cells)
    assert {result.notes for result in found}.isdisjoint({(str(os.getpid()),)})
    assert len({result.notes for result in found}) <= 2


def test_left_out_n_jobs_is_one_per_usable_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cores that this process may not use do not count."""
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("the system does not say")
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5})
    assert LocalRunner().n_jobs == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert local.usable_cores() == 1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_real_cells_are_the_same_however_they_are_run(n_jobs: int) -> None:
    """A cell gives the same bits in this process and in another as when it is called."""
    cells = keys_of(WORK)
    expected = {key: run_cell(WORK, key) for key in cells}
    for found in results(LocalRunner(n_jobs), cells):
        wanted = expected[found.key]
        assert found.scores == wanted.scores
        assert (found.chosen, found.bits, found.notes) == (wanted.chosen, wanted.bits, wanted.notes)
        for name, array in wanted.predictions.items():
            np.testing.assert_array_equal(found.predictions[name], array)


def test_a_runner_can_be_used_again() -> None:
    """After stop, start gets it ready for other work."""
    runner = LocalRunner(2)
    first = results(runner, keys_of(WORK))
    other = made_work("other", folds=ho.KFold(2))
    runner.start(WORK)
    list(runner.results(keys_of(WORK)))  # and left running
    second = results(runner, keys_of(other), other)
    assert (len(first), len(second)) == (6, 4)


@pytest.mark.slow
def test_a_script_without_a_main_guard_works(tmp_path: Path) -> None:
    """Processes from nothing do not run the script again, know its classes, and give the same bits."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import heldout as ho\n"
        "from made_cells import keys_of, made_work\n"
        "from heldout.study.cells.cell import run_cell\n"
        "from heldout.study.cells.cell_entries import cell_entries\n"
        "from heldout.study.runners.local import LocalRunner\n"
        "print('once', flush=True)\n"
        "class Mine:\n"
        "    def run(self, work, key):\n"
        "        return run_cell(work, key)\n"
        "forest = ho.Contender('forest', ho.ForestClassifier(n_trees=3), {'min_leaf': [1, 3]})\n"
        "work = made_work('tree', others=[forest])\n"
        "def bits(result):\n"
        "    entries = cell_entries(result)\n"
        "    arrays = [sorted((name, a.tobytes()) for name, a in e.arrays.items()) for e in entries]\n"
        "    return [(e.kind, e.key, e.body.get('result', e.body)) for e in entries], arrays\n"
        "runner = LocalRunner(1, start_method='spawn', run_cell=Mine().run)\n"
        "runner.start(work)\n"
        "found = [bits(result) for result in runner.results(keys_of(work))]\n"
        "runner.stop()\n"
        "print(found == [bits(run_cell(work, key)) for key in keys_of(work)])\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("once\nTrue\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_forking_beside_threads_warns_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning of Python 3.12 about threads does not reach the user, who could do nothing about it."""
    fork = os.fork

    def warning_fork() -> int:
        warnings.warn("use of fork() may lead to deadlocks in the child", DeprecationWarning, stacklevel=2)
        return fork()

    monkeypatch.setattr(os, "fork", warning_fork)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(results(LocalRunner(2), keys_of(WORK))) == 6


def test_plans_can_be_run_from_any_thread() -> None:
    """Workers start, settle and answer also when the one who asks is not the main thread."""
    import threading

    found: list[CellResult] = []
    thread = threading.Thread(target=lambda: found.extend(results(LocalRunner(2), keys_of(WORK))))
    thread.start()
    thread.join()
    assert len(found) == 6


@pytest.mark.slow
def test_nothing_stays_open() -> None:
    """After runs, with crashes too, there are no more open files than before."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("the system does not list them")

    def die(work: Work, key: CellKey) -> CellResult:
        os._exit(1)

    def n_open() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    counts = []
    for _ in range(3):
        runner = LocalRunner(2, start_method="fork", run_cell=die)
        runner.start(WORK)
        assert all(isinstance(outcome, CellFailure) for outcome in runner.results(keys_of(WORK)[:1]))
        runner.stop()
        counts.append(n_open())
    assert counts[0] == counts[2]


def test_libraries_that_a_fork_would_break_are_spawned() -> None:
    """A contender of such a library, a subclass or a part of a pipeline too, has workers from nothing."""

    class Booster:
        def get_params(self, deep: bool = True) -> dict[str, object]:
            return {}

    Booster.__module__ = "lightgbm.sklearn"

    class Mine(Booster):
        pass

    class Wrapped:
        def get_params(self, deep: bool = True) -> dict[str, object]:
            return {"inner": Mine()}

    def made(learner: object, **tuned: object) -> Work:
        contender = SimpleNamespace(learner=learner, prepare="auto", settings=lambda: [tuned])
        return SimpleNamespace(resolved=SimpleNamespace(contenders=(contender,)))  # type: ignore[return-value]

    assert "lightgbm" in NOT_FORKABLE
    assert [start_method_for(made(learner)) for learner in (Booster(), Mine(), Wrapped())] == ["spawn"] * 3
    assert start_method_for(made(ho.TreeClassifier(), final=Mine())) == "spawn"
    plain = start_method_for(made(ho.TreeClassifier(), k=3))
    assert plain == ("fork" if sys.platform == "linux" else "spawn")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"n_jobs": 0}, RequestError, "at least one process"),
        ({"n_jobs": -1}, RequestError, "None"),
        ({"n_jobs": "two"}, InputTypeError, "number of processes"),
        ({"n_jobs": True}, InputTypeError, "number of processes"),
        ({"n_jobs": 1.5}, InputTypeError, "number of processes"),
        ({"start_method": "thread"}, RequestError, "fork, spawn"),
    ],
)
def test_odd_requests_are_refused(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    """What is no number of processes and no way to start them is refused in three parts."""
    with pytest.raises(error, match=words) as caught:
        LocalRunner(**arguments)  # type: ignore[arg-type]
    assert caught.value.where  # type: ignore[attr-defined]
    assert caught.value.fix  # type: ignore[attr-defined]


def test_work_that_cannot_be_sent_is_refused() -> None:
    """A learner that cannot be pickled gets advice where processes start from nothing."""
    import threading

    lock = threading.Lock()

    def run(work: Work, key: CellKey) -> CellResult:
        with lock:
            return made_result(work, key)

    runner = LocalRunner(2, start_method="spawn", run_cell=run)
    runner.start(WORK)
    with pytest.raises(RequestError, match="cannot be sent") as caught:
        list(runner.results(keys_of(WORK)))
    runner.stop()
    assert "n_jobs=1" in caught.value.fix
    assert multiprocessing.active_children() == []


def test_a_new_process_finds_an_empty_main() -> None:
    """While a process is started, the script that started it cannot be imported again."""
    before = sys.modules["__main__"]
    with hidden_main():
        assert not hasattr(sys.modules["__main__"], "__file__")
    assert sys.modules["__main__"] is before
