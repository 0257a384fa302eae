"""Pictures of curves: what is seen, and how small they stay."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.curve_picture import PLANE, curve_path
from heldout.charts.line_picture import bent_positions, visible_indices
from heldout.charts.svg import Box
from heldout.metrics.precision_recall import precision_recall
from heldout.metrics.roc import roc

SQUARE = Box(0.0, 0.0, PLANE, PLANE)


def corners(path: str) -> np.ndarray:
    """The points of a path."""
    return np.array([[float(number) for number in point.split()] for point in path[1:].split("L")])


def distances(points: np.ndarray, line: np.ndarray) -> np.ndarray:
    """How far each point lies from a line of straight pieces."""
    best = np.full(len(points), np.inf)
    for start, end in itertools.pairwise(line):
        along = end - start
        length = float(along @ along)
        share = np.clip((points - start) @ along / length, 0, 1) if length else np.zeros(len(points))
        best = np.minimum(best, np.hypot(*(points - start - share[:, None] * along).T))
    return best


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 50, 3500]))
def test_no_point_moves_visibly(seed, n_points):
    """Every point of the curve lies within half a pixel of the line that is drawn."""
    draw = np.random.default_rng(seed)
    across = np.sort(draw.random(n_points))
    upwards = np.clip(np.cumsum(draw.normal(size=n_points)) / n_points**0.5 / 4 + 0.5, 0, 1)
    path = curve_path(across, upwards, SQUARE)
    points = np.column_stack([PLANE * across, PLANE - PLANE * upwards])
    assert distances(points[:: max(n_points // 40, 1)], corners(path)).max() < 0.75


def test_pictures_stay_small():
    """A curve of a million points is drawn by a few hundred, in both planes."""
    draw = np.random.default_rng(0)
    y = draw.random(1_000_000) < 0.1
    scores = draw.normal(size=1_000_000) + y
    for curve in (roc(y, scores), precision_recall(y, scores)):
        assert len(curve.to_svg()) < 40_000


def test_a_wild_curve_is_bounded_too():
    """A line that jumps at every point keeps at most four points for every column of the picture."""
    draw = np.random.default_rng(0)
    across, upwards = np.linspace(0, 1, 300_000), draw.random(300_000)
    kept = visible_indices(across, 800, upwards)
    assert len(kept) <= 3200
    assert kept[0] == 0
    assert kept[-1] == 299_999


def test_straight_lines_have_two_ends():
    """Points on a line are not drawn, and a place that is visited twice does no harm."""
    line = np.linspace(0, 1, 2000)
    assert bent_positions(line, line, 0.1).tolist() == [0, 1999]
    assert bent_positions(np.zeros(4), np.zeros(4), 0.1).tolist() == [0, 3]
    assert bent_positions(np.array([0.0, 1.0, 0.0]), np.zeros(3), 0.1).tolist() == [0, 1, 2]


def test_what_is_in_the_picture():
    """Curve and hull are named with their areas, corners have their thresholds, guessing is a dashed line."""
    picture = roc([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.9]).to_svg()
    root = ElementTree.fromstring(picture)
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "curve0.833" in texts
    assert "hull0.917" in texts
    assert "false positive rate" in texts
    assert picture.count("<circle") == 4
    assert "threshold 0.4: false positive rate 0.000, true positive rate 0.667" in picture
    assert len(re.findall('stroke-dasharray="4 4"', picture)) == 1


def test_several_curves():
    """Other curves are named in the legend, and no hull is drawn then."""
    y = [0, 1, 0, 1]
    first, second = roc(y, [1, 2, 3, 4]), roc(y, [1, 3, 2, 4])
    picture = first.to_svg(name="tree <1>", others={"forest": second})
    ElementTree.fromstring(picture)
    assert "tree &lt;1&gt;" in picture
    assert ">forest<" in picture
    assert ">hull<" not in picture
    picture = precision_recall(y, [1, 2, 3, 4]).to_svg(others={"b": precision_recall(y, [1, 3, 2, 4])})
    assert ">achievable<" not in picture
    assert ">b<" in picture


@pytest.mark.parametrize("n_curves", [1, 9, 12])
def test_more_curves_than_colors(n_curves):
    """Past the last color lines are grey, and every curve is named all the same."""
    y = [0, 1, 0, 1]
    others = {f"m{place}": roc(y, [1, 2, 3, 4]) for place in range(n_curves)}
    picture = roc(y, [1, 2, 3, 4]).to_svg(others=others)
    ElementTree.fromstring(picture)
    assert [name for name in others if f">{name}<" not in picture] == []
    assert ("class-other" in picture) == (n_curves >= 8)


def test_arcs_are_drawn_as_arcs():
    """Between two far points of a precision-recall curve the line sags as the counts say."""
    y = np.repeat([1, 0, 1, 0], [500, 500, 500, 8500])
    scores = np.repeat([2.0, 1.0], [1000, 9000])
    picture = precision_recall(y, scores).to_svg()
    paths = re.findall(r'd="(M[^"]*L[^"]*)"', picture)
    assert max(len(path.split("L")) for path in paths) > 10
