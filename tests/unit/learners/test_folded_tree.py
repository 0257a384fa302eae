"""Which part of a tree is shown."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import Table, TreeClassifier
from heldout.learners.pictures.tree_drawing import MOST_BRANCHES, shown_nodes
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.table.column import category_column


@pytest.fixture(scope="module")
def structure() -> TreeStructure:
    """A tree of about 200 leaves."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(1500, 4))
    y = (X[:, 0] * X[:, 1] + draw.normal(size=1500) > 0).astype(int)
    return TreeClassifier.cart(max_leaves=200, prune=None).fit(X, y).tree_


def wide_structure() -> TreeStructure:
    """A root with forty branches of one to forty rows."""
    levels = [f"t{k:02}" for k in range(40) for _ in range(k + 1)]
    answers = [k % 2 for k in range(40) for _ in range(k + 1)]
    return TreeClassifier.id3(prune=None).fit(Table([category_column("town", levels)]), answers).tree_


def test_everything_is_shown_if_nothing_is_limited(structure):
    """Without limits every node of the tree is there, in its order."""
    assert structure.n_leaves > 100
    assert [part.node for part in shown_nodes(structure, None, None)] == list(range(structure.n_nodes))


@pytest.mark.parametrize("max_leaves", [2, 5, 30])
def test_the_budget_is_used_and_kept(structure, max_leaves):
    """A picture has as many ends as it may have, no more."""
    shown = shown_nodes(structure, None, max_leaves)
    assert sum(not part.is_open for part in shown) == max_leaves


def test_the_heaviest_nodes_are_opened_first(structure):
    """No closed node that could be opened has more weight than an open one had below the same budget."""
    shown = shown_nodes(structure, None, 30)
    weights = structure.grown.weight
    opened = [weights[part.node] for part in shown if part.is_open]
    folded = [weights[part.node] for part in shown if not part.is_open and structure.children(part.node)]
    assert min(opened) >= max(folded)


def test_a_depth_folds_what_is_below(structure):
    """Nodes at the given depth stay closed, and all above them are open."""
    shown = shown_nodes(structure, 3, None)
    for part in shown:
        is_split = bool(structure.children(part.node))
        assert part.is_open == (is_split and structure.depths[part.node] < 3)


def test_one_end_is_the_folded_root(structure):
    """One end, or a depth of 0, shows the root alone."""
    for folded in (shown_nodes(structure, None, 1), shown_nodes(structure, 0, None)):
        assert [(part.node, part.is_open) for part in folded] == [(0, False)]


def test_a_split_into_more_branches_than_ends_is_opened():
    """A root that has more branches than the picture may have ends is opened, unless one end is asked for."""
    assert len(shown_nodes(wide_structure(), None, 2)) == 1 + MOST_BRANCHES
    assert len(shown_nodes(wide_structure(), None, 1)) == 1


def test_parents_stand_before_their_children(structure):
    """Every node names a parent that stands before it, and siblings are together."""
    shown = shown_nodes(structure, None, 30)
    assert all(part.parent < place for place, part in enumerate(shown))
    parents = [part.parent for part in shown]
    assert parents == sorted(parents)


def test_very_many_branches_are_bundled():
    """Of forty branches the heaviest are shown in their order, and the others are one."""
    structure = wide_structure()
    *branches, rest = shown_nodes(structure, None, 30)[1:]
    assert len(branches) == MOST_BRANCHES - 1
    assert [part.node for part in branches] == list(range(26, 41))
    assert rest.bundle == tuple(range(1, 26))
    assert len(shown_nodes(structure, None, None)) == 41


@pytest.mark.slow
def test_a_chain_is_folded():
    """A degenerate tree neither recurses nor takes long, whether it is folded or not."""
    X = np.arange(30_001.0)[:, None]
    structure = TreeClassifier.cart(prune=None).fit(X, np.arange(30_001) % 2).tree_
    assert structure.depth == 30_000
    assert len(shown_nodes(structure, None, None)) == 60_001
    assert len(shown_nodes(structure, 6, 30)) == 13
