"""Intervals as bars: where they begin and end, on which scale, with which signs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.cli.screen.score_table import BarScale, ScoreLine, axis, bar, bar_scale, score_lines
from heldout.cli.screen.terminal import Terminal
from heldout.text.numbers import number_texts

PLAIN = Terminal(is_unicode=False)
NOTHING = math.nan
numbers = st.floats(-1e9, 1e9)


def test_a_bar_runs_from_end_to_end() -> None:
    """On a scale from 0 to 1 over ten columns, 0.2 to 0.8 covers the third column to the eighth or ninth."""
    assert bar(0.5, 0.2, 0.79, BarScale(0, 1, 10), PLAIN, NOTHING) == "  |--o-|  "
    assert bar(0.5, 0.2, 0.79, BarScale(0, 1, 10), Terminal(), NOTHING) == "  ━━━●━━  "


def test_ends_are_exact_to_half_a_column() -> None:
    """An end in the far half of its column is drawn as half a line."""
    assert bar(0.5, 0.26, 0.71, BarScale(0, 1, 10), Terminal(), NOTHING) == "  ╺━━●━╸  "


def test_guessing_has_a_mark_behind_the_bars() -> None:
    """The score of the baseline is seen on every line, unless the bar covers it."""
    assert bar(0.85, 0.8, 0.99, BarScale(0, 1, 10), Terminal(), 0.25) == "  ┊     ●━"
    assert bar(0.85, 0.1, 0.99, BarScale(0, 1, 10), Terminal(), 0.25) == " ━━━━━━━●━"


def test_what_lies_off_the_scale_gets_an_arrow() -> None:
    """A baseline far away is pointed at, on the side on which it lies."""
    scale = BarScale(0.9, 1.0, 8)
    assert bar(0.4, 0.3, 0.5, scale, Terminal(), NOTHING) == "◄       "
    assert bar(7.0, 6.0, 8.0, scale, PLAIN, NOTHING) == "       >"


def test_a_score_without_interval_is_a_dot() -> None:
    """Where there is no interval only the estimate stands there."""
    assert bar(0.5, NOTHING, NOTHING, BarScale(0, 1, 5), PLAIN, NOTHING) == "  o  "


@given(numbers, numbers, numbers, st.integers(4, 48), st.booleans())
def test_a_bar_has_the_width_of_its_scale(
    estimate: float, one: float, other: float, width: int, is_unicode: bool
) -> None:
    """For any numbers the bar is as wide as the scale, and the dot lies within its ends."""
    low, high = sorted([one, other])
    scale = bar_scale([(min(max(estimate, low), high), low, high)], [], width)
    drawn = bar(min(max(estimate, low), high), low, high, scale, Terminal(80, is_unicode), NOTHING)
    assert len(drawn) == width
    assert drawn.count("●" if is_unicode else "o") == 1


def test_the_baseline_is_left_off_where_it_would_press_the_others() -> None:
    """Contenders close together keep at least half of the scale."""
    near = [(0.95, 0.92, 0.97), (0.96, 0.93, 0.98)]
    assert bar_scale(near, [(0.44, 0.36, 0.52)], 20) == BarScale(0.92, 0.98, 20)
    assert bar_scale(near, [(0.90, 0.88, 0.92)], 20) == BarScale(0.88, 0.98, 20)


def test_a_scale_of_one_point_has_room_around_it() -> None:
    """Scores that are all the same do not divide by zero."""
    scale = bar_scale([(1.0, 1.0, 1.0)], [], 10)
    assert scale.low < 1.0 < scale.high
    assert axis(scale).split()


@given(numbers, st.floats(1e-6, 1e6), st.integers(4, 60))
def test_ticks_do_not_run_into_each_other(low: float, span: float, width: int) -> None:
    """The numbers above the bars are apart, and end where the bars end unless one alone is longer."""
    drawn = axis(BarScale(low, low + span, width))
    ticks = drawn.split()
    assert all(float(tick.replace(",", "")) <= low + span + 1e-6 * (abs(low) + span) for tick in ticks)
    assert len(drawn) <= max(width, max(map(len, ticks), default=0))


@pytest.mark.parametrize(
    ("values", "guide", "shown"),
    [
        ([0.994, 0.444, 1.0], 0.994, ["0.994", "0.444", "1.000"]),
        ([340.2, 1250.0, 23964.0], 340.2, ["340", "1,250", "23,964"]),
        ([0.000427, 0.0011], 0.000427, ["0.000427", "0.001100"]),
        ([1e-12, 2e12], 1e-12, ["1e-12", "2,000,000,000,000"]),
        ([-0.0001, -1e-5, math.nan, math.inf], 0.5, ["-0.0001", "0.000", "unknown", "infinity"]),
    ],
)
def test_numbers_of_a_column_have_the_same_digits(
    values: list[float], guide: float, shown: list[str]
) -> None:
    """Decimals are those that the best score deserves, and a rounded 0 has no sign."""
    assert number_texts(values, guide) == shown


def test_columns_give_way_from_the_right() -> None:
    """A narrow terminal loses seconds first, then bits, then the interval in numbers, never the bar."""
    line = ScoreLine("tree", (0.8, 0.7, 0.9), ("0.800", "0.700 to 0.900", "120", "1.5 s"))
    headings = ("", "accuracy", "95% interval", "bits", "time")
    widths = {
        width: score_lines([line], headings, Terminal(width, is_unicode=False))[0]
        for width in (40, 54, 80, 100)
    }
    assert [
        [name for name in ("time", "bits", "interval", "accuracy") if name in widths[width]]
        for width in (100, 80, 54, 40)
    ] == [
        ["time", "bits", "interval", "accuracy"],
        ["bits", "interval", "accuracy"],
        ["interval", "accuracy"],
        ["accuracy"],
    ]
