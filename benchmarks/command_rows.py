"""What people wait for: the help of the command, the page of a study, the demo. Each in a fresh process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.outcome import Entry, Goal, Outcome

WALL = "seconds on the wall"


def command_help() -> Outcome:
    """`heldout --help`, beside a Python that does nothing: what is left is our own time."""
    bare, asked = [], []
    for _ in range(15):
        bare.append(_seconds([sys.executable, "-c", "pass"]))
        asked.append(_seconds([sys.executable, "-m", "heldout", "--help"]))
    entries = (
        Entry("python, nothing", tuple(bare), is_shown_only=True),
        Entry("heldout --help", tuple(asked)),
    )
    goal = Goal("heldout --help, beyond Python", 0.15, min(asked) - min(bare), at_least=False, unit=" s")
    return Outcome("help of the command", WALL, entries, (goal,))


def demo_and_page() -> Outcome:
    """The whole story of the demo, and its page once more from the study file alone."""
    with tempfile.TemporaryDirectory() as folder:
        told = _seconds([sys.executable, "-m", "heldout", "demo", "--out", folder])
        (Path(folder) / "penguins.csv").unlink()
        study = str(Path(folder) / "penguins.heldout")
        pages = tuple(_seconds([sys.executable, "-m", "heldout", "report", study]) for _ in range(5))
        size = (Path(folder) / "penguins.html").stat().st_size / 1000
    entries = (Entry("heldout demo", (told,)), Entry("heldout report", pages))
    goals = (
        Goal("heldout demo", 30, told, at_least=False, unit=" s"),
        Goal("the page from the study file alone", 2, min(pages), at_least=False, unit=" s"),
        Goal("size of the page", 500, size, at_least=False, unit=" kB"),
    )
    return Outcome("the demo and its page", WALL, entries, goals)


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - start
