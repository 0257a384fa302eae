"""CART trees beside R's rpart and scikit-learn."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import heldout as ho

from .comparison import TEN_SETS, Comparison
from .data_sets import WITH_FOLDS, DataSet, data_set

HALF_A_POINT = 0.005
GROWTH = Path(__file__).with_name("rpart_growth.R")


@pytest.mark.parametrize(("ours", "theirs"), [("cart", "rpart"), ("cart unpruned", "scikit-learn")])
def test_accuracy_is_that_of_the_peer(ours: str, theirs: str, comparison: Comparison) -> None:
    """Over the ten sets and five seeds, accuracy is no more than half a point below the peer's."""
    assert comparison.accuracy(ours, TEN_SETS) >= comparison.accuracy(theirs, TEN_SETS) - HALF_A_POINT


def test_growth_is_that_of_rpart(tmp_path: Path) -> None:
    """On rows without missing values, trees of depth 1 to 5 have rpart's leaves and leave its impurity."""
    found = {}
    for name in WITH_FOLDS:
        data = data_set(name)
        is_whole = data.frame.notna().all(axis=1).to_numpy()
        if is_whole.any():
            found[name] = np.flatnonzero(is_whole)
            data.frame.assign(target=data.y)[is_whole].to_csv(tmp_path / f"{name}.csv", index=False)
    command = ["Rscript", "--vanilla", str(GROWTH), str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    theirs = [line.split("\t") for line in printed.splitlines()]
    assert len(theirs) == 5 * len(found)
    for name, depth, n_leaves, impurity in theirs:
        ours = grown(data_set(name), found[name], int(depth))
        assert ours == (int(n_leaves), pytest.approx(float(impurity), rel=1e-12, abs=1e-9)), (name, depth)


def grown(data: DataSet, rows: np.ndarray, depth: int) -> tuple[int, float]:
    """The leaves of an unpruned tree of that depth, and the impurity that they leave, times their rows."""
    tree = ho.TreeClassifier.cart(prune=None, max_depth=depth).fit(data.X.take(rows), data.y[rows])
    counts = tree.tree_.grown.value[tree.tree_.is_leaf]
    return tree.n_leaves_, float(np.sum(counts.sum(axis=1) - (counts**2).sum(axis=1) / counts.sum(axis=1)))
