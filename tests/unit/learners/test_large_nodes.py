"""The core on tables large enough to take every one of its ways: no column gains more, in any node."""

import numpy as np
import pytest

from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.native import GrowOptions, apply_tree, grow_tree, rank_columns
from heldout.table.codes import CodedColumn

from .numpy_judge import Node, best_gain

IS_CATEGORY = [False, False, False, False, True, True]


def large_table(n_rows, n_classes, has_gaps, has_weights, seed):
    """Columns of few and of many distinct numbers, small and large categories."""
    draw = np.random.default_rng(seed)
    columns = [
        draw.integers(0, 3, n_rows),
        draw.integers(0, 200, n_rows),
        draw.integers(0, 1000, n_rows) / 8,
        draw.normal(size=n_rows),
        draw.integers(0, 4, n_rows),
        draw.integers(0, 40, n_rows),
    ]
    X = np.column_stack(columns).astype(float)
    told = X[:, 0] + (X[:, 1] > 120) + np.sin(X[:, 2]) + X[:, 3] + (X[:, 5] % 3 == 0)
    answers = told + draw.normal(size=n_rows)
    if n_classes:
        answers = np.digitize(answers, np.quantile(answers, np.arange(1, n_classes) / n_classes))
    if has_gaps:
        X[draw.random(X.shape) < 0.1] = np.nan
    return X, answers, draw.choice([0.5, 1.0, 2.5], n_rows) if has_weights else None


def coded(X):
    return [
        CodedColumn(codes, n_codes, None if is_category else column)
        for is_category, column, (codes, n_codes) in zip(IS_CATEGORY, X.T, rank_columns(X), strict=True)
    ]


def row_sums(answers, weights, n_classes):
    weights = np.ones(len(answers)) if weights is None else weights
    if n_classes:
        return np.eye(n_classes)[answers] * weights[:, None]
    centred = answers - np.average(answers, weights=weights)
    return np.column_stack([weights, weights * centred])


def paths_of(grown, columns, X):
    """Which rows pass which node, told by the core's own way down."""
    number_of = InputSchema(
        tuple(InputColumn("", "category" if is_category else "number") for is_category in IS_CATEGORY)
    ).number_of
    levels = np.where(np.isnan(X[:, IS_CATEGORY]), -1, X[:, IS_CATEGORY]).astype(np.int32)
    numbers = np.asfortranarray(X[:, ~np.array(IS_CATEGORY)])
    ends = apply_tree(grown, numbers, number_of, np.asfortranarray(levels))
    return TreeStructure(grown).paths(ends).tocsc()


@pytest.mark.slow
@pytest.mark.parametrize("has_weights", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("has_gaps", [False, True], ids=["whole", "gaps"])
@pytest.mark.parametrize(
    ("criterion", "splits", "n_classes"),
    [
        ("entropy", "multiway", 2),
        ("entropy", "multiway", 5),
        ("gini", "subset", 2),
        ("gini", "one_vs_rest", 4),
        ("error", "multiway", 3),
        ("squared_error", "subset", 0),
        ("squared_error", "multiway", 0),
    ],
)
def test_no_column_gains_more_in_any_node(criterion, splits, n_classes, has_gaps, has_weights):
    """In every node the gain is the largest of any column, and the counts are those of its rows."""
    X, answers, weights = large_table(1500, n_classes, has_gaps, has_weights, seed=n_classes)
    columns = coded(X)
    options = GrowOptions(criterion=criterion, categorical_splits=splits, min_leaf=2.0, min_gain=0.0)
    classes = answers.astype(np.uint32) if n_classes else None
    grown = grow_tree(columns, None, classes, n_classes, None if n_classes else answers, weights, options)
    sums = row_sums(answers, weights, n_classes)
    marks = paths_of(grown, columns, X)
    assert len(grown.feature) > 50
    for node in range(len(grown.feature)):
        rows = marks.indices[marks.indptr[node] : marks.indptr[node + 1]]
        inside = Node(sums[rows], criterion, splits, 2.0)
        assert grown.n_rows[node] == len(rows)
        assert grown.weight[node] == pytest.approx(inside.weight(sums[rows]).sum())
        gains = [
            best_gain(inside, X[rows, column], is_category) for column, is_category in enumerate(IS_CATEGORY)
        ]
        assert max(grown.gain[node], 0.0) == pytest.approx(max(*gains, 0.0), abs=1e-9)
        if grown.feature[node] >= 0:
            assert gains[grown.feature[node]] == pytest.approx(grown.gain[node], abs=1e-9)
