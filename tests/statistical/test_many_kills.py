"""Twenty kills of one run, at random moments, many times over."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heldout.ledger.ledger import Ledger
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.run_plan import run_plan

from ..faults.killed_runs import KilledRuns, killed_again_and_again, made_work

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process groups are forked")


@pytest.mark.parametrize("seed", range(5))
def test_twenty_kills_change_nothing(seed: int, tmp_path: Path) -> None:
    """After twenty kill -9s in one run the digest is that of a run that nobody disturbed."""
    work = made_work(n_repeats=6)
    runs = KilledRuns(tmp_path, work, pause=0.1)
    assert killed_again_and_again(runs, n_kills=24, longest=0.2, seed=seed) >= 20
    last = runs.started()
    last.join()
    assert last.exitcode == 0
    assert runs.cells_done() == runs.cells_wanted()
    with Ledger.create(tmp_path / "undisturbed.heldout") as ledger:
        run_plan(ledger, work, LocalRunner(1))
        assert ledger.results_digest(work.resolved.digest) == runs.digest()
