"""Positions and ticks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from heldout.charts.scales import BandScale, NumberScale, date_ticks, nice_numbers, spanning_scale

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_every_number_lies_on_its_scale(numbers):
    """Positions lie between 0 and 1 and keep the order, from the smallest to the largest floats."""
    scale = spanning_scale(numbers)
    assert scale.low < scale.high
    x_values = scale.positions(np.sort(numbers))
    assert ((x_values >= 0) & (x_values <= 1)).all()
    assert (np.diff(x_values) >= 0).all()
    assert len(scale.ticks) <= 9


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9))
def test_ticks_are_round_and_few(low, width):
    """Between two and nine ticks, all of them on the scale."""
    high = low + width
    assume(width > abs(low) * 1e-6)
    ticks = nice_numbers(low, high)
    assert 2 <= len(ticks) <= 9
    assert all(low - width * 1e-6 <= tick <= high + width * 1e-6 for tick in ticks)


def test_ticks_of_numbers_have_short_labels():
    """No tail of nines or zeros."""
    assert [tick.label for tick in NumberScale(0.0, 0.6).ticks] == [
        "0",
        "0.1",
        "0.2",
        "0.3",
        "0.4",
        "0.5",
        "0.6",
    ]


@pytest.mark.parametrize(
    ("first", "last", "labels"),
    [
        ("2020-02-27", "2020-03-02", ["2020-02-27", "2020-02-28", "2020-02-29", "2020-03-01", "2020-03-02"]),
        ("2020-01-15", "2020-06-15", ["2020-02", "2020-03", "2020-04", "2020-05", "2020-06"]),
        ("1999-06-01", "2003-06-01", ["2000", "2001", "2002", "2003"]),
    ],
)
def test_ticks_of_dates_are_beginnings(first, last, labels):
    """Days, months or years, as the span asks for."""
    low, high = (float(np.datetime64(day, "D").astype(np.int64)) for day in (first, last))
    ticks = date_ticks(low, high)
    assert [label for _, label in ticks] == labels
    assert all(np.datetime64(int(day), "D") == np.datetime64(label, "D") for day, label in ticks)


def test_bands_share_the_side():
    """Each label stands in the middle of its band."""
    scale = BandScale(("a", "b", "c", "d"))
    assert [tick.position for tick in scale.ticks] == [0.125, 0.375, 0.625, 0.875]
    assert scale.edge(4) == 1
