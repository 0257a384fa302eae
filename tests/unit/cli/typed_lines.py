"""Lines that a test types: in this process, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from heldout.cli.main import program

# Few cells in this process: what is tested is the line, not what is learned.
SMALL = ("--contenders", "tree", "--folds", "2", "--repeats", "1", "--jobs", "1")


def typed(*words: str) -> Result:
    """What a line gives; a failure that is none of ours is raised here, and not hidden in an exit code."""
    return CliRunner().invoke(program, list(words), prog_name="heldout")


def in_a_process(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, with both streams caught."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"} | options.pop("environment", {})
    return subprocess.run(
        [sys.executable, "-m", "heldout", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        **options,
    )


def write_rows(path: Path, n_rows: int = 60) -> Path:
    """A table of fruit, from whose size it follows whether they are ripe; with a number and a box."""
    lines = []
    for i in range(n_rows):
        size = (i * 7) % 13
        color, ripe = "red" if i % 3 else "green", "yes" if size > 6 else "no"
        lines.append(f"{i},{size},{color},{ripe},box{i % 12},{i / 4}")
    path.write_text("\n".join(["fruit_id,size,color,ripe,box,price", *lines]) + "\n", encoding="utf-8")
    return path
