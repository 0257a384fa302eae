"""Progress: a bar in a terminal, few lines elsewhere, silence on request, nothing on stdout."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pytest

from heldout.errors import InputTypeError
from heldout.study.runs import progress
from heldout.study.runs.progress import Bar, Lines, RunState, Silence, duration, make_progress

STATES = [RunState(4, n, 0, "forest [bold]x", 3.0 - n) for n in range(1, 4)]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_in_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets a bar with the contender, as it is written, the fits done and the time left."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    bar = make_progress(True)
    assert isinstance(bar, Bar)
    bar.begin(RunState(4))
    for state in STATES:
        bar.update(state)
    bar._bar.refresh()
    bar.end(RunState(4, 3, 1, "forest [bold]x", 0.0))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    assert "forest [bold]x" in shown
    assert "3/4" in shown
    assert "under 1 s left" in shown
    assert "1 failed" in shown.splitlines()[-1]


def test_a_long_name_leaves_room_for_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns the longest name that a contender may have is cut, and the numbers stand there whole."""
    stream = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    bar = Bar(stream)
    bar.begin(RunState(1000))
    bar.update(RunState(1000, 123, 4, "a rather long name 👍" + "x" * 40, 3700.0))
    bar._bar.refresh()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).replace("\r", "\n").splitlines()
    bar.end(RunState(1000))
    assert any(
        line.startswith("a rather long n… ") and line.rstrip().endswith("about 1 h 1 min left, 4 failed")
        for line in shown
        if " 127/1000 fits 0:00:0" in line
    )


def test_elsewhere_there_are_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal a line comes after a second, then every five, and one at the end, all on stderr."""
    clock = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    lines = make_progress(True)
    assert isinstance(lines, Lines)
    lines.begin(RunState(1000))
    for number in range(1, 1001):
        clock[0] += 1 / 64
        lines.update(RunState(1000, number, 0, "tree", (1000 - number) / 64))
    lines.end(RunState(1000, 1000, 0, "tree", 0.0))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "heldout: 64 of 1,000 fits done (now: tree), about 15 s left",
        "heldout: 384 of 1,000 fits done (now: tree), about 9.6 s left",
        "heldout: 704 of 1,000 fits done (now: tree), about 4.6 s left",
        "heldout: 1,000 of 1,000 fits done, in 16 s",
    ]


def test_steps_after_the_fits_are_said_as_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines say each step once; a terminal shows the newest alone, and nothing when all is done."""
    stream = io.StringIO()
    for words in ("comparing 3 contenders", "writing [bold]the page", ""):
        Lines(stream).step(words)
    assert stream.getvalue().splitlines() == [
        "heldout: comparing 3 contenders",
        "heldout: writing [bold]the page",
    ]
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    bar = Bar(terminal)
    for words in ("", "comparing 3 contenders", "writing [bold]the page"):
        bar.step(words)
    bar._status._live.refresh()
    bar.step("")
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert "writing [bold]the page" in shown
    assert terminal.getvalue().endswith("\x1b[2K")
    assert bar._status is None


def test_silence_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """With progress=False nothing is written anywhere."""
    silence = make_progress(False)
    assert isinstance(silence, Silence)
    silence.begin(RunState(1))
    silence.update(RunState(1, 1))
    silence.end(RunState(1, 1))
    silence.step("writing the page")
    assert capsys.readouterr() == ("", "")


def test_ones_own_progress_is_taken_and_odd_things_are_refused() -> None:
    """Whatever can begin, update, end and step is taken as it is; a number is not."""
    mine = Lines(io.StringIO())
    assert make_progress(mine) is mine
    with pytest.raises(InputTypeError, match="begin, update, end and step"):
        make_progress(7)  # type: ignore[arg-type]


def test_without_stderr_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program without a console has no stderr at all: its progress goes nowhere, not to stdout."""
    monkeypatch.setattr(sys, "stderr", None)
    lines = make_progress(True)
    lines.begin(RunState(1))
    lines.end(RunState(1, 1))
    assert isinstance(lines, Lines)
    assert capsys.readouterr().out == ""


def test_rich_is_loaded_by_the_bar_alone() -> None:
    """Lines and silence do not pay for what draws bars."""
    code = (
        "import sys, io; from heldout.study.runs.progress import *\n"
        "shown = make_progress(True); shown.begin(RunState(1)); shown.end(RunState(1, 1))\n"
        "print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_state_says_what_failed() -> None:
    """Failed fits are counted in the line."""
    assert str(RunState(9, 3, 2, "knn", None)) == "3 of 9 fits done (now: knn), 2 failed"
    assert str(RunState(9, 7, 2, "knn", 4.0)) == "7 of 9 fits done, 2 failed"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.0, "0.0 s"), (9.97, "10 s"), (59.7, "1 min 0 s"), (3599.6, "1 h 0 min")]
)
def test_durations_round_to_the_next_unit(seconds: float, words: str) -> None:
    """No "60 s" and no "60 min"."""
    assert duration(seconds) == words


def test_the_last_fit_is_said_once() -> None:
    """A fit that ends the run is said by the line that ends it, however long nothing was said."""
    stream = io.StringIO()
    lines = Lines(stream, every=0.0)
    lines.begin(RunState(2))
    for n_done in (1, 2):
        lines.update(RunState(2, n_done, 0, "tree", 1.0))
    lines.end(RunState(2, 2, 0, "tree", 0.0))
    assert [line.split(" done")[0] for line in stream.getvalue().splitlines()] == [
        "heldout: 1 of 2 fits",
        "heldout: 2 of 2 fits",
    ]
