"""Nearness in a forest: training rows are judged by trees that have not seen them, test rows by as many."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho
from heldout.features.shift import near_rows as forest_nearness
from heldout.native.forests import in_bag_counts

from .shifted import normal

K = 3


def table_of(rows: np.ndarray) -> ho.Table:
    return ho.Table([ho.Column(f"x{place}", "number", values.copy()) for place, values in enumerate(rows.T)])


def test_distances_are_those_of_a_plain_loop_over_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row by row and tree by tree, a count of shared leaves finds the same, also in small blocks."""
    train, test = table_of(normal(1, 40)), table_of(normal(2, 7))
    forest = forest_nearness._grown(train, 4, None)
    leaves, others = forest.apply(train), forest.apply(test)
    bags = [in_bag_counts(forest._bagging, tree, 80, None) for tree in range(forest_nearness.N_TREES)]
    unseen = [[tree for tree, bag in enumerate(bags) if bag[row] == 0] for row in range(40)]
    asked = range(round(float(np.mean([len(trees) for trees in unseen]))))

    def far(ends: np.ndarray, trees: list[int] | range, references: list[int]) -> float:
        shares = [np.mean([ends[tree] == leaves[row, tree] for tree in trees]) for row in references]
        return 1 - float(np.mean(sorted(shares)[-K:]))

    own = [far(leaves[row], unseen[row], [r for r in range(40) if r != row]) for row in range(40)]
    new = [far(ends, asked, list(range(40))) for ends in others]
    for cells in (forest_nearness.CELLS_PER_BLOCK, 100):
        monkeypatch.setattr(forest_nearness, "CELLS_PER_BLOCK", cells)
        found = forest_nearness.forest_distances(train, test, K, 4, None)
        np.testing.assert_allclose(found[0], own, rtol=0, atol=1e-6)  # shares are counted in float32
        np.testing.assert_allclose(found[1], new, rtol=0, atol=1e-6)


def test_trees_that_have_not_seen_a_row_do_not_depend_on_it() -> None:
    """Another class for one row changes no tree in whose bag it is not, and some in whose bag it is."""
    rows, labels = table_of(normal(1, 100)), np.repeat([1, 0], 50)
    changed = np.where(np.arange(100) == 17, 0, labels)
    first, second = (
        ho.ForestClassifier(40, min_leaf=5, random_state=3).fit(rows, each) for each in (labels, changed)
    )
    is_out = np.array([in_bag_counts(first._bagging, tree, 100, None)[17] == 0 for tree in range(40)])
    is_same = (first.apply(rows) == second.apply(rows)).all(axis=0)
    assert 0 < is_out.sum() < 40
    assert is_same[is_out].all()
    assert not is_same[~is_out].all()
