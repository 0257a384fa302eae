"""The first split of a tree with fractional rows, against every split that there is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import native
from heldout.native import GrowOptions
from heldout.table.codes import CodedColumn, code_numbers

CRITERIA = ["entropy", "gini", "error", "squared_error"]


def impurity(criterion: str, answers: np.ndarray, weights: np.ndarray) -> float:
    """How bad a group is, by the definition of the criterion."""
    total = weights.sum()
    if criterion == "squared_error":
        mean = (weights * answers).sum() / total
        return float((weights * (answers - mean) ** 2).sum() / total)
    shares = np.array([weights[answers == answer].sum() for answer in np.unique(answers)]) / total
    if criterion == "gini":
        return float(1 - (shares**2).sum())
    return float(1 - shares.max() if criterion == "error" else -(shares * np.log2(shares)).sum())


def best_gain(criterion: str, groupings: list[np.ndarray], answers: np.ndarray, weights: np.ndarray) -> float:
    """The largest gain of the groupings, each a group per row with -1 for unknown."""
    gains = [-np.inf]
    for groups in groupings:
        known = groups >= 0
        sizes = {group: weights[groups == group].sum() for group in np.unique(groups[known])}
        if len(sizes) < 2 or sum(size >= 1 for size in sizes.values()) < 2:
            continue
        after = sum(
            size * impurity(criterion, answers[groups == group], weights[groups == group])
            for group, size in sizes.items()
        )
        known_weight = weights[known].sum()
        before = impurity(criterion, answers[known], weights[known])
        gains.append(known_weight / weights.sum() * (before - after / known_weight))
    return float(max(gains))


def groupings_of(values: np.ndarray, splits: str) -> list[np.ndarray]:
    """Every way to split levels (or, with splits "cuts", numbers); -1 is unknown."""
    present = np.unique(values[values >= 0])
    if splits == "multiway":
        return [values]
    if splits == "cuts":
        return [np.where(values < 0, -1, values <= cut) for cut in present[:-1]]
    sizes = [1] if splits == "one_vs_rest" else range(1, len(present))
    return [
        np.where(values < 0, -1, np.isin(values, chosen))
        for size in sizes
        for chosen in combinations(present.tolist(), size)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("splits", ["multiway", "subset", "one_vs_rest", "cuts"])
@given(seed=st.integers(0, 10**9), is_weighted=st.booleans())
def test_no_split_gains_more(criterion: str, splits: str, seed: int, is_weighted: bool) -> None:
    """The gain of the root is the largest among the known rows, as a part of all rows."""
    draw = np.random.default_rng(seed)
    n_rows = int(draw.integers(4, 25))
    values = draw.integers(0, 5, n_rows)
    _, values = np.unique(values, return_inverse=True)
    n_levels = int(values.max()) + 1
    values[draw.integers(0, n_rows)] = -1
    answers = draw.integers(0, 2, n_rows)
    weights = draw.integers(1, 4, n_rows).astype(np.float64) if is_weighted else np.ones(n_rows)
    column = (
        code_numbers(np.where(values < 0, np.nan, values))
        if splits == "cuts"
        else CodedColumn(np.where(values < 0, n_levels, values).astype(np.uint8), n_levels)
    )
    is_regression = criterion == "squared_error"
    tree = native.grow_tree(
        [column],
        None,
        None if is_regression else answers.astype(np.uint32),
        0 if is_regression else 2,
        answers.astype(np.float64) if is_regression else None,
        weights if is_weighted else None,
        GrowOptions(
            criterion,
            categorical_splits="multiway" if splits == "cuts" else splits,
            max_depth=1,
            missing="fractional",
        ),
    )
    best = best_gain(criterion, groupings_of(values, splits), answers, weights)
    if len(tree.feature) == 1:
        assert best == -np.inf or tree.impurity[0] == 0
    else:
        assert tree.gain[0] == pytest.approx(best, abs=1e-12)
