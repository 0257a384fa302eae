"""Every way in which a command can end has a number of its own, and words that help."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heldout.cli.failures import ExitCode, run_and_exit
from heldout.errors import DataError, HeldoutError, LedgerError, SealError

from .typed_lines import SMALL, in_a_process, typed, write_rows

LINE = ("run", "fruit.csv", "--target", "ripe", "--drop", "fruit_id", *SMALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study that ran to its end."""
    made = tmp_path_factory.mktemp("codes")
    write_rows(made / "fruit.csv")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(made)
        assert typed(*LINE).exit_code == ExitCode.FINE
    return made


def test_the_numbers_are_those_of_the_guide() -> None:
    """The page of the command line lists every number."""
    page = Path(__file__).parents[3] / "docs" / "guide" / "command-line.md"
    text = page.read_text(encoding="utf-8")
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 4, 70, 130, 141]
    assert [code.name for code in ExitCode if f"| {int(code)} |" not in text] == []


@pytest.mark.slow
def test_0_the_answer_is_on_stdout_and_the_advice_on_stderr(folder: Path) -> None:
    """A run that went well says its facts on stdout, what it does on stderr, and leaves two files."""
    done = in_a_process(*LINE, cwd=folder)
    assert done.returncode == 0
    assert "verdict" in done.stdout
    assert "heldout: going on with" in done.stderr
    assert "nothing had to run again" in done.stderr
    assert {path.name for path in folder.iterdir()} >= {"fruit.csv", "fruit.heldout", "fruit.html"}


def test_1_a_check_found_something() -> None:
    """A command that returns a number ends with it."""
    with pytest.raises(SystemExit) as ended:
        run_and_exit(lambda: ExitCode.FOUND, [])
    assert ended.value.code == 1


def test_2_the_line_is_not_understood(folder: Path) -> None:
    """A typo in a command says what was meant, in a real process."""
    done = in_a_process("rnu", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'run'?" in done.stderr


@pytest.mark.slow
def test_3_the_request_is_wrong(folder: Path) -> None:
    """The error has three parts on stderr; stdout is empty."""
    done = in_a_process("run", "friut.csv", "--target", "ripe", cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines() == [
        "heldout: there is no file 'friut.csv'",
        "  where: folder '.'",
        "  fix:   did you mean 'fruit.csv'?",
    ]


@pytest.mark.slow
def test_4_the_table_is_not_the_one_that_was_sealed(folder: Path, tmp_path: Path) -> None:
    """A row that is gone from the table is refused, with what changed and how to go on."""
    (tmp_path / "fruit.heldout").write_bytes((folder / "fruit.heldout").read_bytes())
    rows = (folder / "fruit.csv").read_text().splitlines()
    (tmp_path / "fruit.csv").write_text("\n".join(rows[:-1]) + "\n")
    done = in_a_process(*LINE, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert "60 rows became 59" in done.stderr
    assert "--out fruit-2" in done.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (HeldoutError("what", "where", "fix"), 3),
        (DataError("what", "where", "fix"), 3),
        (SealError("what", "where", "fix"), 4),
        (LedgerError("what", "where", "fix"), 4),
        (MemoryError(), 3),
        (OSError(28, "No space left on device"), 3),
        (PermissionError(13, "Permission denied", "/x"), 3),
    ],
)
def test_errors_have_their_numbers(error: Exception, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """What Heldout raises, and what the machine refuses, end in a number and in three parts."""

    def work() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        run_and_exit(work, [])
    said = capsys.readouterr()
    assert ended.value.code == code
    assert said.out == ""
    assert [line[:8] for line in said.err.splitlines()] == ["heldout:", "  where:", "  fix:  "]


FAULTY = """
import sys
from heldout.cli.main import CommandEntry, LazyCommands
import click, types
module = types.ModuleType("faulty")
@click.command()
@click.option("--json", is_flag=True)
def broken(json):
    raise KeyError("nobody thought of this")
module.broken = broken
sys.modules["faulty"] = module
LazyCommands(name="heldout", entries={"broken": CommandEntry("faulty:broken", "")}).main()
"""


def test_70_a_fault_of_ours_is_saved_to_a_file_that_is_named(tmp_path: Path) -> None:
    """The user sees three lines; the file has the line that was typed, the versions and the whole trace."""
    done = subprocess.run(
        [sys.executable, "-c", FAULTY, "broken"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 70
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (trace,) = tmp_path.glob("heldout-trace-*.txt")
    assert str(trace) in done.stderr
    text = trace.read_text()
    assert "line: heldout broken" in text
    assert "KeyError: 'nobody thought of this'" in text


def test_70_a_trace_that_cannot_be_saved_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where nothing can be written, the trace itself is on stderr."""

    def refused(*args: object, **options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refused)
    with pytest.raises(SystemExit) as ended:
        run_and_exit(lambda: {}["no such key"], [])
    assert ended.value.code == 70
    assert "KeyError: 'no such key'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal")
def test_130_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted in the middle, twice in a row; the same line then ends well, and kill -9 harms nothing."""
    write_rows(tmp_path / "fruit.csv", 150)
    plan = ("--contenders", "forest", "--folds", "5", "--repeats", "3")
    line = ("run", "fruit.csv", "--target", "ripe", "--drop", "fruit_id", *plan)
    for how in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [sys.executable, "-m", "heldout", *line, "--jobs", "2"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        _wait_for_cells(tmp_path / "fruit.heldout", 3, process)
        os.killpg(process.pid, how)
        if how == signal.SIGINT:
            time.sleep(0.02)
            os.killpg(process.pid, how)
        said, told = process.communicate(timeout=60)
        assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL), told
        assert said == ""
        if how == signal.SIGINT:
            assert "fits done, which are kept" in told
            assert "type the same line again: heldout run fruit.csv --target ripe" in told
            assert "Traceback" not in told
    monkeypatch.chdir(tmp_path)
    done = typed(*line, "--jobs", "1", "--json", "-q")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["verdict"]["is_complete"] is True


def _wait_for_cells(study: Path, n_more: int, process: subprocess.Popen[str]) -> None:
    """Until the run has written some more cells."""
    import sqlite3

    wanted = None
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
        if not study.exists():
            continue
        connection = sqlite3.connect(f"file:{study}?mode=ro", uri=True)
        try:
            (n_cells,) = connection.execute("SELECT count(*) FROM fact WHERE kind = 'cell'").fetchone()
        except sqlite3.Error:
            continue
        finally:
            connection.close()
        wanted = n_cells + n_more if wanted is None else wanted
        if n_cells >= wanted:
            return
    raise AssertionError(f"the run ended with {process.poll()} before it was interrupted")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a shell")
@pytest.mark.parametrize("words", [["--help"], ["completion", "bash"]])
def test_141_who_stops_reading_hears_nothing(words: list[str]) -> None:
    """Output into a pipe that nobody reads ends quietly, as that of every program of a shell does."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "heldout", *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (["run", "--json"], 2, "which table?"),
        (["run", "nothing.csv", "--target", "x", "--json"], 3, "there is no file"),
    ],
)
def test_who_asked_for_json_gets_json_of_a_failure_too(
    words: list[str], code: int, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --json there is one object on stdout whatever happens: the parts of the error and its number."""
    monkeypatch.chdir(tmp_path)
    found = typed(*words)
    error = json.loads(found.stdout)["error"]
    assert (found.exit_code, error["code"]) == (code, code)
    assert what in error["what"]
    assert set(error) == {"what", "where", "fix", "code"}
    assert what in found.stderr


def test_after_two_dashes_json_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands behind -- is a file, even if it looks like an option."""
    monkeypatch.chdir(tmp_path)
    found = typed("run", "--target", "x", "--", "--json")
    assert found.exit_code == 3
    assert found.stdout == ""
    assert "there is no file '--json'" in found.stderr
