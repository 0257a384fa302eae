"""Runs in a process group of their own, which can be killed at any moment."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np

import heldout as ho
from heldout.ledger.ledger import Ledger
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.cell import CellKey, CellResult, cell_keys, run_cell
from heldout.study.cells.work import Work, work_of
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.run_plan import run_plan


def made_work(n_repeats: int) -> Work:
    """Real learners on a few rows: three contenders with settings to choose among, five folds a repeat."""
    task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    contenders = [
        ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [1, 2, 4]}),
        ho.Contender("forest", ho.ForestClassifier(n_trees=5), {"min_leaf": [1, 3]}),
    ]
    plan = ho.Plan(contenders, folds=ho.KFold(5, repeats=n_repeats), tuning=ho.KFold(2))
    return work_of(task, resolve_plan(plan, task, seed=1))


class KilledRuns:
    """One study that is run again and again, each time by a new process with two workers.

    folder: where the study and the notes of the runs are
    work:   what is run
    pause:  seconds that a cell takes at least
    """

    def __init__(self, folder: Path, work: Work, pause: float = 0.01) -> None:
        self.path = folder / "study.heldout"
        self.work = work
        self.pause = pause
        self.n_runs = 0
        self._folder = folder
        Ledger.create(self.path).close()

    def started(self) -> BaseProcess:
        """A new run, in a new process group."""
        self.n_runs += 1
        process = multiprocessing.get_context("fork").Process(target=self._run, args=(self.n_runs,))
        process.start()
        return process

    def cells_done(self) -> frozenset[str]:
        """The cells in the study file."""
        with Ledger.open(self.path, query_only=True) as ledger:
            assert ledger.verify().is_unbroken
            return ledger.keys("cell")

    def cells_wanted(self) -> frozenset[str]:
        """The cells of the plan; repeats may deal the same rows."""
        return frozenset(key.text for key in cell_keys(self.work))

    def cells_begun(self, run: int) -> list[str]:
        """The cells that the workers of a run began with."""
        notes = self._folder / f"run-{run}"
        return notes.read_text().splitlines() if notes.exists() else []

    def last_words(self, run: int) -> str:
        """What a run said when it was interrupted."""
        return (self._folder / f"end-{run}").read_text()

    def digest(self) -> str:
        """The digest of the results."""
        with Ledger.open(self.path, query_only=True) as ledger:
            return ledger.results_digest(self.work.resolved.digest)

    def _run(self, number: int) -> None:
        os.setsid()
        notes = self._folder / f"run-{number}"

        def noted(work: Work, key: CellKey) -> CellResult:
            with open(notes, "a", encoding="utf-8") as file:
                file.write(f"{key.text}\n")
            time.sleep(self.pause)
            return run_cell(work, key)

        try:
            with Ledger.open(self.path) as ledger:
                run_plan(ledger, self.work, LocalRunner(2, run_cell=noted))
        except KeyboardInterrupt as end:
            (self._folder / f"end-{number}").write_text(str(end))
            os._exit(130)


def killed_again_and_again(runs: KilledRuns, n_kills: int, longest: float, seed: int) -> int:
    """Start runs and kill them, the whole group or the parent alone; how many were killed before their end.

    longest: seconds after which a run is killed at the latest
    """
    random = np.random.default_rng(seed)
    n_killed = 0
    for number in range(n_kills):
        done = runs.cells_done()
        process = runs.started()
        time.sleep(float(random.uniform(0.0, longest)))
        assert process.pid is not None
        is_alone = number % 3 == 2
        if process.is_alive():
            kill = os.kill if is_alone or os.getpgid(process.pid) != process.pid else os.killpg
            kill(process.pid, signal.SIGKILL)
        process.join()
        n_killed += process.exitcode == -signal.SIGKILL
        assert process.exitcode in (0, -signal.SIGKILL)
        assert done <= runs.cells_done()
        assert done.isdisjoint(runs.cells_begun(runs.n_runs)), "a finished cell was run again"
    return n_killed
