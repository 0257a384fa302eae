"""Time of `import heldout` beyond NumPy's own import, in a fresh process."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.outcome import Entry, Goal, Outcome

CHILD = """
import time
import numpy
start = time.perf_counter()
import heldout
{use}
print(time.perf_counter() - start)
"""


def import_time() -> Outcome:
    """The public names are loaded when they are first used; both moments are shown."""
    bare = tuple(_seconds("") for _ in range(9))
    used = tuple(_seconds("heldout.TreeClassifier") for _ in range(5))
    entries = (Entry("import heldout", bare), Entry("and TreeClassifier", used))
    goal = Goal("import heldout, beyond NumPy", 0.2, min(bare), at_least=False, unit=" s")
    return Outcome("import time", "seconds on the wall", entries, (goal,))


def _seconds(use: str) -> float:
    command = [sys.executable, "-c", CHILD.format(use=use)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
