"""Runs that are killed, or that meet each other, end with the results of an undisturbed run."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from heldout.ledger.ledger import Ledger
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.run_plan import run_plan

from .killed_runs import KilledRuns, killed_again_and_again, made_work

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process groups are forked")
WORK = made_work(n_repeats=2)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of a run that nobody disturbs, in one process."""
    with Ledger.create(tmp_path_factory.mktemp("undisturbed") / "study.heldout") as ledger:
        assert run_plan(ledger, WORK, LocalRunner(1)).is_complete
        return ledger.results_digest(WORK.resolved.digest)


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path, undisturbed: str) -> None:
    """kill -9 at random moments: no finished cell is lost or run again, and the digest is the same."""
    runs = KilledRuns(tmp_path, WORK, pause=0.05)
    assert killed_again_and_again(runs, n_kills=6, longest=0.15, seed=7) >= 5
    last = runs.started()
    last.join()
    assert last.exitcode == 0
    assert runs.cells_done() == runs.cells_wanted()
    assert runs.digest() == undisturbed


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_in_a_terminal_leaves_nobody_behind(tmp_path: Path, undisturbed: str) -> None:
    """The signal goes to the whole group: all are gone, and the next run ends with the same digest."""
    runs = KilledRuns(tmp_path, WORK, pause=0.05)
    process = runs.started()
    assert process.pid is not None
    while len(runs.cells_begun(1)) < 6:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    process.join()
    assert process.exitcode == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    n_done = len(runs.cells_done())
    assert 0 < n_done < 30
    assert runs.last_words(1).startswith(f"stopped with {n_done} of ")
    runs.started().join()
    assert runs.digest() == undisturbed


def test_two_processes_on_one_study_wait_for_each_other(tmp_path: Path, undisturbed: str) -> None:
    """Both are started at once: no cell is computed twice, and the file is whole."""
    runs = KilledRuns(tmp_path, WORK, pause=0.0)
    first, second = runs.started(), runs.started()
    first.join()
    second.join()
    assert (first.exitcode, second.exitcode) == (0, 0)
    begun = runs.cells_begun(1) + runs.cells_begun(2)
    assert sorted(begun) == sorted(runs.cells_wanted())
    assert runs.digest() == undisturbed
