"""What a page says is done, from top to bottom, in one folder and one Python."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from heldout.cli.main import program

from .page_blocks import Block, blocks_of, commands_of

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "examples" / "tables", ROOT / "src" / "heldout" / "datasets" / "data")
QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\]*\"")
PLAIN_LINE = re.compile(r"heldout [^|<>&;$*?`~#]*$", flags=re.DOTALL)  # nothing that only a shell understands
IS_READ_ONLY = {"", "text", "{toctree}", "{public}"}


class PageRunner:
    """Runs the blocks of a page; `complaints` holds what did not come as the page shows it."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.complaints: list[str] = []

    def run(self) -> None:
        """Run every block that is to be run; the working folder must be that of the page."""
        for block in blocks_of(self.page.read_text(encoding="utf-8")):
            if "not run" in block.remarks or block.language in IS_READ_ONLY:
                continue
            if "needs" in block.remarks and shutil.which(block.remarks["needs"]) is None:
                continue
            if "file" in block.remarks:
                (self.folder / block.remarks["file"]).write_text(block.text, encoding="utf-8")
            runs = getattr(self, f"_run_{block.language}", None)
            if runs is not None:
                runs(block)
            elif "file" not in block.remarks:
                self._complain(block, f"nothing runs {block.language!r}, and no remark says why")

    def _complain(self, block: Block, what: str) -> None:
        place = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page
        self.complaints.append(f"{place}:{block.line}: {what}")

    def _run_files(self, block: Block) -> None:
        for name in block.text.split():
            shutil.copy(next(folder / name for folder in TABLES if (folder / name).exists()), self.folder)

    def _run_python(self, block: Block) -> None:
        if ">>> " not in block.text:
            exec(compile(block.text, f"{self.page.name}:{block.line}", "exec"), self.names)
            return
        example = doctest.DocTestParser().get_doctest(
            block.text, self.names, self.page.name, str(self.page), block.line - 1
        )
        example.globs = self.names  # what one block names, the next one knows
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        report: list[str] = []
        runner.run(example, out=report.append, clear_globs=False)
        if runner.failures:
            self._complain(block, "".join(report))

    def _run_console(self, block: Block) -> None:
        commands = commands_of(block.text)
        for position, command in enumerate(commands):
            is_last = position == len(commands) - 1
            expected = int(block.remarks.get("exit", 0)) if is_last else 0
            done = run_command(command.words, self.folder)
            said = f"{done.stdout}{done.stderr}".strip("\n")
            if done.returncode != expected:
                self._complain(block, f"$ {command.words}\nended with {done.returncode}:\n{said}")
            elif command.shown and not is_said(command.shown, done.stdout, done.stderr):
                self._complain(block, f"$ {command.words}\nshown:\n{command.shown}\nsaid:\n{said}")

    def _run_sql(self, block: Block) -> None:
        database = self.folder / block.remarks["database"]
        with sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True) as connection:
            rows = connection.execute(block.text).fetchall()
        connection.close()
        if not rows:
            self._complain(block, "the query finds no row")

    def _run_toml(self, block: Block) -> None:
        tomllib.loads(block.text)

    def _run_json(self, block: Block) -> None:
        json.loads(block.text)


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    stdout: str
    stderr: str
    returncode: int


def run_command(words: str, folder: Path) -> Said:
    """What a command makes of a folder, which is the working folder too.

    Bash runs it. A plain line of `heldout` runs in this Python, also before a pipe: a new one takes two
    seconds to load what this one has loaded already.
    """
    bare = QUOTED.sub(lambda quoted: "x" * len(quoted.group()), words)
    line, pipe, _ = bare.partition(" | ")
    if not PLAIN_LINE.match(line):
        return _by_bash(words, folder)
    said = _here(words[: len(line)], folder)
    if not pipe:
        return said
    read = _by_bash(words[len(line + pipe) :], folder, said.stdout)
    return Said(read.stdout, said.stderr + read.stderr, read.returncode or said.returncode)


def _here(line: str, folder: Path) -> Said:
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as in a process of its own
        arguments = shlex.split(line.replace("\\\n", " "))[1:]
        done = CliRunner().invoke(program, arguments, env=terminal_environment(folder), prog_name="heldout")
    return Said(done.stdout, done.stderr, done.exit_code)


def _by_bash(words: str, folder: Path, given: str = "") -> Said:
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", words],
        cwd=folder,
        env=terminal_environment(folder),
        capture_output=True,
        encoding="utf-8",
        input=given,
        timeout=400,  # of a machine that others use as well
        check=False,
    )
    return Said(ended.stdout, ended.stderr, ended.returncode)


def is_said(shown: str, out: str, err: str) -> bool:
    """Whether a page shows what a command said: stdout, stderr, or both; so progress may be left out."""
    return any(is_as_shown(shown, said.strip("\n")) for said in (out, err, out + err, err + out))


def is_as_shown(shown: str, said: str) -> bool:
    """Whether a page shows what was said; `...` stands for any text, blanks at line ends do not count."""
    shown, said = ("\n".join(line.rstrip() for line in text.split("\n")) + "\n" for text in (shown, said))
    return doctest.OutputChecker().check_output(
        shown, said, doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1
    )


def terminal_environment(folder: Path) -> dict[str, str]:
    """A plain terminal of 80 columns in which the tools of this Python come first."""
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
