"""What is known of a terminal: width, letters, colors."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from heldout.cli.screen.terminal import NARROWEST, SIGNS, Terminal, terminal_of


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def written_to(encoding: str) -> Any:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def test_a_pipe_has_80_columns_and_no_color() -> None:
    """Without a terminal and without COLUMNS the usual width is taken, and nothing is colored."""
    assert terminal_of(io.StringIO(), {}) == Terminal(80, is_unicode=True, has_color=False)


@pytest.mark.parametrize(
    ("asked", "width"), [("132", 132), ("5", NARROWEST), ("wide", 80), ("0", 80), ("", 80)]
)
def test_columns_decides_the_width(asked: str, width: int) -> None:
    """COLUMNS counts where it is a number above 0, and nothing becomes narrower than can be read."""
    assert terminal_of(io.StringIO(), {"COLUMNS": asked}).width == width


def test_a_real_terminal_tells_its_width() -> None:
    """The width is asked of the terminal itself where there is one."""
    ours, theirs = pty.openpty()
    try:
        os.set_blocking(ours, False)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 117, 0, 0))
        with os.fdopen(os.dup(theirs), "w") as stream:
            assert terminal_of(stream, {"TERM": "xterm"}) == Terminal(117, True, True)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("environment", "has_color"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_color_is_for_those_who_want_it(environment: dict[str, str], has_color: bool) -> None:
    """NO_COLOR and a dumb terminal turn color off, whatever else is asked."""
    assert terminal_of(Screen(), environment).has_color is has_color


def test_force_color_colors_a_pipe() -> None:
    """FORCE_COLOR colors what goes into a pipe, and FORCE_COLOR=0 does not."""
    assert terminal_of(io.StringIO(), {"FORCE_COLOR": "1"}).has_color
    assert not terminal_of(io.StringIO(), {"FORCE_COLOR": "0"}).has_color


@pytest.mark.parametrize(
    ("encoding", "environment", "is_unicode"),
    [
        ("utf-8", {}, True),
        ("utf-8", {"LANG": "de_DE.UTF-8"}, True),
        ("latin-1", {}, False),
        ("cp1252", {}, False),
        ("ascii", {}, False),
        ("utf-8", {"LC_ALL": "C"}, False),
        ("utf-8", {"LANG": "POSIX"}, False),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        ("utf-8", {"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, True),
    ],
)
def test_letters_are_those_of_the_stream_and_the_locale(
    encoding: str, environment: dict[str, str], is_unicode: bool
) -> None:
    """A stream that cannot write the signs gets ASCII, and so does a plain C locale."""
    assert terminal_of(written_to(encoding), environment).is_unicode is is_unicode


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"LANG": "C"}, {"LC_ALL": "C.UTF-8"}])
def test_a_real_process_agrees(environment: dict[str, str]) -> None:
    """What Python makes of the locale does not lead to signs that were not asked for, nor to an error."""
    code = (
        "import sys; from heldout.cli.screen.terminal import terminal_of, SIGNS;"
        " sys.stdout.write(terminal_of(sys.stdout).render(SIGNS))"
    )
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | environment, capture_output=True, check=True
    )
    assert done.stdout.isascii() is (environment.get("LC_ALL") != "C.UTF-8")


def test_every_sign_has_a_likeness_in_ascii() -> None:
    """No sign that the screens draw with becomes a number in ASCII."""
    assert Terminal(is_unicode=False).render(SIGNS + "◄×≥²") == "---o:|++-...+><=<x>=^2"


def test_a_style_leaves_the_text_as_it_is() -> None:
    """Colors stand around the text, and where there are none it stands alone."""
    assert Terminal(has_color=True).style("tree", "good") == "\x1b[1;32mtree\x1b[0m"
    assert Terminal().style("tree", "good") == "tree"
