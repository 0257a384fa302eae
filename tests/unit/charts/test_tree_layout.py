"""The tidy layout: what every drawing must have, on random trees, chains and large trees."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.charts.tree_layout import tidy_centers

GAP = 3.0
CLOSE = 1e-6


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[float]]:
    """Parents before children, siblings in a row, breadths between 1 and 20."""
    n_nodes = draw(st.integers(1, 60))
    reach = draw(st.integers(1, 30))
    parents = [-1] + [draw(st.integers(max(0, node - reach), node - 1)) for node in range(1, n_nodes)]
    breadths = draw(st.lists(st.floats(1, 20), min_size=n_nodes, max_size=n_nodes))
    return parents, breadths


def families(parents: list[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents[1:], start=1):
        children[parent].append(node)
    return children


def levels(parents: list[int]) -> list[list[int]]:
    """The nodes of each level from left to right."""
    children, rows = families(parents), [[0]]
    while rows[-1]:
        rows.append([child for node in rows[-1] for child in children[node]])
    return rows[:-1]


@pytest.mark.slow
@given(trees())
def test_neighbors_on_a_level_keep_their_gap(tree):
    """No two nodes of a level overlap, and the order of the branches is kept."""
    parents, breadths = tree
    centers = tidy_centers(parents, breadths, GAP)
    for row in levels(parents):
        for left, right in itertools.pairwise(row):
            needed = (breadths[left] + breadths[right]) / 2 + GAP
            assert centers[right] - centers[left] >= needed - CLOSE


@pytest.mark.slow
@given(trees())
def test_parents_stand_midway_between_their_outer_children(tree):
    """A parent is centred over its first and its last child."""
    parents, breadths = tree
    centers = tidy_centers(parents, breadths, GAP)
    for node, family in enumerate(families(parents)):
        if family:
            assert centers[node] == pytest.approx((centers[family[0]] + centers[family[-1]]) / 2, abs=CLOSE)


@pytest.mark.slow
@given(trees())
def test_the_drawing_begins_at_zero(tree):
    """The leftmost edge of all nodes is 0."""
    parents, breadths = tree
    centers = tidy_centers(parents, breadths, GAP)
    edges = [center - breadth / 2 for center, breadth in zip(centers, breadths, strict=True)]
    assert min(edges) == pytest.approx(0, abs=CLOSE)


@pytest.mark.slow
@given(trees())
def test_a_mirrored_tree_gets_the_mirrored_drawing(tree):
    """With the branches of every node in reverse order the drawing is reflected."""
    parents, breadths = tree
    children = families(parents)
    order, new_parents = [0], [-1]
    for place, node in enumerate(order):
        order += reversed(children[node])
        new_parents += [place] * len(children[node])
    mirrored = tidy_centers(new_parents, [breadths[node] for node in order], GAP)
    centers = tidy_centers(parents, breadths, GAP)
    width = max(center + breadth / 2 for center, breadth in zip(centers, breadths, strict=True))
    for place, node in enumerate(order):
        assert mirrored[place] == pytest.approx(width - centers[node], abs=CLOSE)


@given(trees())
def test_equal_subtrees_are_drawn_alike(tree):
    """A tree that hangs twice below a root is drawn twice the same, one drawing beside the other."""
    parents, breadths = tree
    n_nodes = len(parents)
    twice = [-1] + [parent + 1 for parent in parents] + [parent + 1 + n_nodes for parent in parents]
    twice[1 + n_nodes] = 0
    centers = tidy_centers(twice, [5.0, *breadths, *breadths], GAP)
    first, second = centers[1 : 1 + n_nodes], centers[1 + n_nodes :]
    distance = second[0] - first[0]
    for left, right in zip(first, second, strict=True):
        assert right - left == pytest.approx(distance, abs=CLOSE)


@pytest.mark.slow
@given(trees())
def test_a_subtree_is_drawn_as_it_would_be_alone(tree):
    """What hangs below the first child of a root has the shape it has without the rest."""
    parents, breadths = tree
    alone = tidy_centers(parents, breadths, GAP)
    centers = tidy_centers([-1, 0, 0] + [1 if p < 0 else p + 3 for p in parents], [5, 5, 5, *breadths], GAP)
    offset = centers[3] - alone[0]
    assert [center - offset for center in centers[3:]] == pytest.approx(alone, abs=CLOSE)


@pytest.mark.parametrize("depth", [1, 4, 9])
def test_a_complete_binary_tree_is_as_narrow_as_its_leaves(depth):
    """Nothing is wasted: the leaves stand side by side with the gap between them."""
    parents = [-1] + [(node - 1) // 2 for node in range(1, 2 ** (depth + 1) - 1)]
    centers = tidy_centers(parents, [10.0] * len(parents), GAP)
    assert max(centers) + 5 == pytest.approx(2**depth * (10 + GAP) - GAP)


def test_small_siblings_between_large_ones_are_spread_evenly():
    """Leaves between two wide subtrees do not all stand at one side."""
    parents = [-1] + [0] * 5 + [1] * 5 + [5] * 5
    centers = tidy_centers(parents, [10.0] * len(parents), GAP)
    steps = [right - left for left, right in itertools.pairwise(centers[1:6])]
    assert steps == pytest.approx([steps[0]] * 4)


@pytest.mark.slow
def test_a_chain_of_100_000_nodes_is_laid_out():
    """A degenerate tree neither recurses nor takes long."""
    start = time.perf_counter()
    centers = tidy_centers([-1, *range(99_999)], [10.0] * 100_000, GAP)
    assert time.perf_counter() - start < 5
    assert set(centers) == {5.0}


def test_time_grows_with_the_number_of_nodes():
    """Combs, whose contours are as long as the tree, are laid out in linear time: no node is seen often."""
    seen = {n_teeth: _contour_steps(n_teeth) for n_teeth in (500, 2000)}
    assert seen[2000] < 4.2 * seen[500]


def _contour_steps(n_teeth: int) -> int:
    """How often the breadth of a node is asked for in a chain that has a leaf at every node."""
    parents = [-1]
    for tooth in range(n_teeth):
        parents += [max(0, 2 * tooth - 1)] * 2

    class Counted(list[float]):
        asked = 0

        def __getitem__(self, place):  # type: ignore[no-untyped-def]
            Counted.asked += 1
            return super().__getitem__(place)

    tidy_centers(parents, Counted([10.0] * len(parents)), GAP)
    return Counted.asked
