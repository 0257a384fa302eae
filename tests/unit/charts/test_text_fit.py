"""What of a text fits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.svg import ELLIPSIS, fitted, text_width


@given(st.text(), st.floats(20, 300))
def test_what_is_cut_fits_and_begins_as_the_whole(text, width):
    """The text as it is if it fits, else a beginning with an ellipsis that fits."""
    shown = fitted(text, width, 12)
    assert text_width(shown, 12) <= width + 0.02
    if shown != text:
        assert shown.endswith(ELLIPSIS)
        assert text.startswith(shown[: -len(ELLIPSIS)])


def test_a_box_made_for_a_text_holds_it():
    """The width of a text is enough for it, whatever the sum of its parts is rounded to."""
    for text in ("canker_lesion", "+2 leaves, 1 level", "Chinstrap"):
        assert fitted(text, (text_width(text, 13) + 22.0) - 22.0, 13) == text


def test_wide_scripts_take_more_room():
    """Chinese signs are as wide as they are high, marks upon letters take no room."""
    assert text_width("漢字", 10) == 20
    assert text_width("e\u0301", 10) == text_width("e", 10)
