"""Rows of numbers around 0: bars, dots, lines, and what a telephone shows of them."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from heldout.charts.legend import LegendEntry
from heldout.charts.row_picture import NARROW_WIDTH, PictureRow, RowMark, RowPicture, row_svg

SVG = "{http://www.w3.org/2000/svg}"


def picture(*numbers: float, **changes: object) -> str:
    rows = [
        PictureRow(f"row {place}", (RowMark(number),), f"{number}") for place, number in enumerate(numbers)
    ]
    given = {"title": "Numbers", "caption": "c", "axis": "size", "rows": rows}
    return row_svg(RowPicture(**(given | changes)))  # type: ignore[arg-type]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode("utf-8"))


def bars(svg: str) -> list[tuple[float, float]]:
    """Where each bar begins and ends."""
    found = [rect for rect in parsed(svg).iter(f"{SVG}rect") if rect.get("fill-opacity")]
    x_values = [(float(rect.get("x", 0)), float(rect.get("width", 0))) for rect in found]
    return [(left, left + width) for left, width in x_values]


@pytest.mark.parametrize("is_narrow", [False, True])
def test_bars_are_as_long_as_their_numbers(is_narrow: bool) -> None:
    """Bars begin at 0 on one common scale: twice the number is twice the length, and signs are sides."""
    one, two, minus = bars(picture(1.0, 2.0, -1.0, is_narrow=is_narrow))
    assert one[0] == pytest.approx(two[0])
    assert two[1] - two[0] == pytest.approx(2 * (one[1] - one[0]), abs=0.05)
    assert minus[1] == pytest.approx(one[0], abs=0.02)
    assert minus[1] - minus[0] == pytest.approx(one[1] - one[0], abs=0.05)


def test_lines_reach_from_end_to_end_and_unknown_ones_are_not_drawn() -> None:
    """An interval is a line between its ends; a mark without an interval has none."""
    rows = [
        PictureRow("a", (RowMark(1.0, 0.5, 1.5),), "a"),
        PictureRow("b", (RowMark(1.0),), "b"),
        PictureRow("c", (RowMark(math.nan),), "c"),
    ]
    svg = row_svg(RowPicture("t", "", "x", rows, are_bars=False))
    lines = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)M', svg)
    assert len(lines) == 1
    low, high = map(float, lines[0])
    dots = [path.get("d") or "" for path in parsed(svg).iter(f"{SVG}path") if "a4.5" in (path.get("d") or "")]
    assert len(dots) == 2
    middle = float(dots[0].split(" ")[0].removeprefix("M")) + 4.5
    assert middle == pytest.approx((low + high) / 2, abs=0.02)


def test_a_narrow_picture_fits_a_telephone() -> None:
    """It is 328 pixels wide, nothing begins or ends outside, and 0 keeps its tick."""
    svg = picture(-7.0, 3.0, 5.5, is_narrow=True)
    root = parsed(svg)
    assert float(root.get("width", 0)) == NARROW_WIDTH
    assert all(0 <= left <= right <= NARROW_WIDTH for left, right in bars(svg))
    assert "0" in ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_several_marks_in_a_row_have_a_legend_with_their_shapes() -> None:
    """Classes are told apart by colour and by shape, and the legend shows both."""
    row = PictureRow("age", (RowMark(1.0, index=0), RowMark(2.0, index=1)), "age")
    legend = (LegendEntry("yes"), LegendEntry("no"))
    svg = row_svg(RowPicture("t", "", "x", [row], are_bars=False, legend=legend))
    assert svg.count('class="f-class-0"') == svg.count('class="f-class-1"') == 2


def test_hostile_names_stay_text() -> None:
    """Markup in a label, a title or an axis is shown as it is."""
    name = "<script>alert(1)</script>"
    svg = row_svg(RowPicture(name, name, name, [PictureRow(name, (RowMark(1.0),), name)], is_narrow=True))
    assert "<script" not in svg
    assert parsed(svg).findtext(f"{SVG}title") == name


@pytest.mark.parametrize("numbers", [(), (0.0,), (1e308, -1e308), (math.inf,)])
def test_odd_numbers_are_drawn_without_complaint(numbers: tuple[float, ...]) -> None:
    """No row, a row of 0, numbers at the end of the range, and infinity: the picture stays well-formed."""
    assert parsed(picture(*numbers)).tag == f"{SVG}svg"


@pytest.mark.parametrize("is_narrow", [False, True])
def test_ticks_with_separators_are_thinned_by_their_numbers(is_narrow: bool) -> None:
    """Coefficients in the thousands have labels such as -5,000, of which one is still 0."""
    svg = picture(20_000.0, -18_000.0, 4_000.0, is_narrow=is_narrow)
    labels = [text.text for text in parsed(svg).iter(f"{SVG}text")]
    assert "0" in labels
    assert any(label and "0,000" in label for label in labels)
