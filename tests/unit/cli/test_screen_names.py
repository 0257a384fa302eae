"""Names of any kind on a screen: wide, long, from right to left, or meant to do harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.cli.screen.terminal import (
    GUTTER,
    Terminal,
    in_ascii,
    labelled,
    pad,
    printable,
    shown_name,
    width_of,
    wrap,
)


@given(st.text(), st.integers(4, 40))
def test_a_shown_name_fits_and_commands_nothing(name: str, most: int) -> None:
    """Whatever a name holds, it takes at most its columns, on one line, without a control character."""
    shown = shown_name(name, most)
    assert width_of(shown) <= most
    assert not any(character < " " or character == "\x7f" for character in shown)
    assert "\u202e" not in shown


@given(st.text(), st.integers(4, 40))
def test_in_ascii_it_fits_too(name: str, most: int) -> None:
    """A terminal without other letters gets ASCII alone, in as many columns."""
    shown = shown_name(name, most, is_unicode=False)
    assert shown.isascii()
    assert len(shown) <= most


@given(st.text(), st.integers(5, 60))
def test_no_wrapped_line_is_too_wide(text: str, width: int) -> None:
    """Sentences are broken at blanks, and words that are too long inside; nothing is lost."""
    lines = wrap(printable(text), width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(printable(text).split())


@pytest.mark.parametrize(
    ("text", "width"),
    [("tree", 4), ("城市", 4), ("👩🔬", 4), ("e\u0301", 1), ("\u2068שלום\u2069", 4), ("ﾊ", 1)],
)
def test_the_width_is_that_of_columns(text: str, width: int) -> None:
    """Wide letters take two columns, accents and marks of direction none."""
    assert width_of(text) == width
    assert width_of(pad(text, 9)) == 9


def test_emoji_stand_by_themselves() -> None:
    """What terminals join in different ways is shown unjoined, so that columns stay aligned."""
    assert printable("👩‍🔬 👍🏽 ❤️") == "👩🔬 👍 ❤"


def test_letters_from_right_to_left_are_isolated() -> None:
    """A name from right to left does not turn the numbers after it around."""
    assert shown_name("שלום", 10) == "\u2068שלום\u2069"
    assert shown_name("\u2069שלום", 10) == "\u2068שלום\u2069"


def test_a_pile_of_accents_is_cut() -> None:
    """A letter keeps three accents of the hundred that someone piles on it."""
    assert printable("a" + "\u0301" * 100) == "a" + "\u0301" * 3


def test_a_command_to_the_terminal_is_marked() -> None:
    """Escape sequences arrive as text that does nothing."""
    assert "\x1b" not in labelled("read", ["red\x1b[31m\x07"], Terminal())[0]


def test_ascii_gives_likeness_or_number() -> None:
    """Signs get a likeness, letters their number, and both can be told from the text around them."""
    assert in_ascii("Köln – 3 × „gut“ …") == r"K\xf6ln - 3 x \u201egut" + '" ...'


def test_a_long_text_is_cut_and_says_so() -> None:
    """With a limit of lines the last one ends in a mark, and every line keeps the margin."""
    lines = labelled("noticed", ["word " * 60], Terminal(60), most_lines=2)
    assert len(lines) == 2
    assert lines[0].startswith("  noticed  word")
    assert lines[1].startswith(" " * GUTTER + "word")
    assert lines[1].endswith("…")
    assert max(map(len, lines)) <= 60
