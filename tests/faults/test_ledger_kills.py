"""kill -9 at any moment loses no fact that was acknowledged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heldout.ledger.ledger import Ledger

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks and signals of POSIX")

SCRIPT = Path(__file__).with_name("ledger_writers.py")


def killed_writers(study: Path, n_kills: int, seed: int) -> set[str]:
    """Lets three writers be killed so many times each; the keys that they had acknowledged."""
    Ledger.create(study).close()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), str(study), "3", str(n_kills), str(seed)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    told = json.loads(done.stdout)
    assert told == {"n_killed": 3 * n_kills, "is_reader_well": True, "complaints": ""}, done.stderr
    assert done.stderr == ""
    return set(study.with_suffix(".acknowledged").read_text("utf-8").split())


def check_what_is_left(study: Path, acknowledged: set[str], n_lives: int) -> None:
    """Every acknowledged cell is there, whole; of the others, at most one per killed writer."""
    with Ledger.open(study) as ledger:
        found = ledger.verify()
        assert found.is_unbroken, found
        cells = ledger.facts("cell")
        assert {cell.key for cell in cells} >= acknowledged
        assert len(cells) <= len(acknowledged) + n_lives
        assert ledger.keys("score") == {f"{cell.key}:accuracy" for cell in cells}
        for cell in cells:
            values = ledger.array(cell, "values")
            assert values.shape == (300,)
            assert (values == cell.body["result"]["number"]).all()
    left = sorted(path.name for path in study.parent.iterdir() if path.name.startswith(study.name))
    assert left == [study.name]


def test_no_acknowledged_fact_is_lost(tmp_path: Path) -> None:
    """Three writers are killed 15 times each; all that was acknowledged is there, in one sound file."""
    study = tmp_path / "a.heldout"
    acknowledged = killed_writers(study, n_kills=15, seed=2)
    assert len(acknowledged) > 45
    check_what_is_left(study, acknowledged, n_lives=45)


def test_what_a_killed_writer_leaves_is_one_file_after_the_next_close(tmp_path: Path) -> None:
    """The log of a killed writer is read by whoever opens the study next, and is gone when that closes."""
    code = (
        "import os, sys; from heldout.ledger.ledger import Ledger; from heldout.ledger.fact import Entry\n"
        "ledger = Ledger.create(sys.argv[1]); lock = ledger.writing(); lock.__enter__()\n"
        "ledger.append([Entry('note', str(number), {}) for number in range(9)])\n"
        "os.kill(os.getpid(), 9)"
    )
    study = tmp_path / "a.heldout"
    done = subprocess.run([sys.executable, "-c", code, str(study)], check=False)
    assert done.returncode == -9
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"a.heldout", "a.heldout-wal", "a.heldout-shm", "a.heldout.lock"}
    copies = tmp_path / "copies"
    copies.mkdir()
    for name in ("a.heldout", "a.heldout-wal"):
        shutil.copy(tmp_path / name, copies)
    with Ledger.open(copies / "a.heldout", query_only=True) as reader:
        assert reader.n_facts == 9
    assert [path.name for path in copies.iterdir()] == ["a.heldout"]
    with Ledger.open(study) as ledger:
        assert ledger.n_facts == 9
    assert {path.name for path in tmp_path.iterdir()} == {"a.heldout", "copies"}
