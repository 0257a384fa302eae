"""Lines with labels at their ends."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.axes import PictureAxis
from heldout.charts.line_picture import PictureLine, PictureLines, line_svg, spread_apart
from heldout.charts.scales import Tick

STEP = 10.0


@given(st.lists(st.floats(0, 400), min_size=1, max_size=20))
def test_labels_do_not_overlap_and_stay_inside(wanted):
    """Places are a step apart, within the plane, and in the order of the ends of the lines."""
    x_values = spread_apart(wanted, 0.0, 400.0, STEP)
    ordered = sorted(x_values)
    assert all(b - a >= STEP - 1e-9 for a, b in itertools.pairwise(ordered))
    assert ordered[0] >= -1e-9
    assert ordered[-1] <= 400 + 1e-9
    by_wanted = [x_values[k] for k in sorted(range(len(wanted)), key=lambda k: wanted[k])]
    assert by_wanted == ordered


@given(st.lists(st.integers(0, 39), min_size=1, max_size=20, unique=True))
def test_labels_that_have_room_stay_where_they_are(tens):
    """A label moves only if another one is in its way."""
    wanted = [10.0 * ten for ten in tens]
    assert spread_apart(wanted, 0.0, 400.0, STEP) == wanted


def test_a_line_without_a_label_has_none():
    """Only labelled lines take room on the right, and the level of 0 is drawn where it is known."""
    axis = PictureAxis("x", (Tick(0.0, "0"), Tick(1.0, "1")))
    line = PictureLine("", "a line", ((0.0, 0.0), (1.0, 1.0)), 0)
    bare = line_svg(PictureLines("t", "c", "d", axis, axis, [line]))
    named = line_svg(
        PictureLines("t", "c", "d", axis, axis, [PictureLine("name", "a", line.points, 0)], zero=0.5)
    )
    assert ">name<" in named
    assert float(named.split('width="')[1].split('"')[0]) > float(bare.split('width="')[1].split('"')[0])
    assert ("stroke-dasharray" in bare, "stroke-dasharray" in named) == (False, True)
