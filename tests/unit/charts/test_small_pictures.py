"""Small pictures without axes, and the picture of costs against gains."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.small_charts import HISTOGRAM_HEIGHT as HEIGHT
from heldout.charts.small_charts import WIDTH, small_bar, small_histogram
from heldout.charts.tradeoff_picture import TradeoffPoint, tradeoff_svg

HOSTILE = "<script>alert(1)</script>\"'&"


def heights(svg: str) -> list[list[float]]:
    """How tall the bars of each class are."""
    return [
        [-float(tall) for tall in re.findall(r"v(-[\d.]+)", path)] for path in re.findall(r'd="([^"]*)"', svg)
    ]


def test_bars_are_as_tall_as_their_counts() -> None:
    """The fullest bin fills the height, and classes share a bar by their counts."""
    first, second = heights(small_histogram([[1, 3], [1, 1]], "two classes"))
    assert first == [HEIGHT / 4, HEIGHT * 3 / 4]
    assert second == [HEIGHT / 4, HEIGHT / 4]


@given(st.lists(st.lists(st.integers(0, 50), min_size=4, max_size=4), min_size=1, max_size=10))
def test_bars_stay_inside(counts: list[list[int]]) -> None:
    """No bar leaves the picture, whatever is counted, and the picture is well formed."""
    svg = small_histogram(counts, HOSTILE, is_levels=True)
    ElementTree.fromstring(svg)
    starts = [tuple(map(float, each)) for each in re.findall(r"M([\d.]+) ([\d.]+)h", svg)]
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in starts)


def test_nothing_to_count_is_a_picture_too() -> None:
    """Without counts there is an empty picture with its words."""
    assert "<path" not in small_histogram([], "nothing")
    assert 'aria-label="nothing"' in small_histogram([[0, 0]], "nothing")


def test_parts_of_a_bar_lie_behind_each_other() -> None:
    """The parts begin where the one before ends, and names in words are escaped."""
    svg = small_bar([1, 0, 3], 8, HOSTILE)
    ElementTree.fromstring(svg)
    assert re.findall(r'class="f-class-(\d)" x="([\d.]+)%" width="([\d.]+)%"', svg) == [
        ("0", "0", "12.5"),
        ("2", "12.5", "37.5"),
    ]


def points(*names: str) -> list[TradeoffPoint]:
    """Points close to each other, with these names."""
    return [
        TradeoffPoint(name, 10.0 ** (number % 4), 0.9 + 0.001 * number, 0.85, math.nan, name)
        for number, name in enumerate(names, 1)
    ]


def test_names_of_points_do_not_cover_each_other() -> None:
    """Names that fit stand apart, for wide and for narrow pictures."""
    for is_narrow in (False, True):
        svg = tradeoff_svg(points("tree", "rules", "forest", "near"), "t", "d", "bits", "accuracy", is_narrow)
        ElementTree.fromstring(svg)
        for name in ("tree", "rules", "forest", "near"):
            assert f">{name}</text>" in svg


def test_equal_costs_can_be_drawn() -> None:
    """Points at the same place across, or a single one, give a picture without ticks below."""
    same = [TradeoffPoint(HOSTILE, 5.0, 0.5, 0.4, 0.6, HOSTILE), TradeoffPoint("b", 5.0, 0.6, 0.5, 0.7, "b")]
    svg = tradeoff_svg(same, HOSTILE, HOSTILE, "bits", "accuracy")
    ElementTree.fromstring(svg)
    assert svg.count("<circle") == 2
    assert "<script>" not in svg
