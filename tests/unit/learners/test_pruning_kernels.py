"""The kernels of the prunings against plain twins, on random trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import TreeClassifier, TreeRegressor, native
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.learners.pruning.cost_complexity import critical_alphas, leaf_costs, path_of, totals_at
from heldout.learners.pruning.node_losses import critical_significances, node_losses

from .plain_pruning import (
    is_split,
    leaves_of,
    loss_of,
    plain_chi_square,
    plain_cut,
    plain_reduced_error,
    plain_weakest_links,
    splits_of,
)
from .plain_walk import plain_answer, plain_losses
from .same_tree import differing_fields
from .tables import as_table, mixed_answers, mixed_cells

SETTINGS = st.fixed_dictionaries(
    {
        "categorical_splits": st.sampled_from(["multiway", "subset", "one_vs_rest"]),
        "missing": st.sampled_from(["fractional", "node_mode"]),
        "min_leaf": st.sampled_from([1, 3]),
        "min_gain": st.sampled_from([0.0, None]),
    }
)


def many_towns(n_rows, seed):
    """So many levels that a node rarely has them all: rows then stop at it."""
    cells = mixed_cells(n_rows, seed)
    return cells | {"town": [town and f"{town}{k % 3}" for k, town in enumerate(cells["town"])]}


def classifier(setting, seed):
    cells = many_towns(40, seed)
    tree = TreeClassifier.cart(**{**setting, "prune": None})
    return tree.fit(as_table(cells), mixed_answers(cells, seed))


def regressor(setting, seed):
    cells = many_towns(40, seed)
    y = np.array([float(age or 40) for age in cells["age"]]) + 9 * (mixed_answers(cells, seed) == "stays")
    return TreeRegressor(**{**setting, "prune": None}).fit(as_table(cells), y)


def new_rows(tree, seed):
    """Rows that the tree has not seen, for the kernel and as lists for its twin."""
    (inputs,) = prediction_blocks(tree, as_table(many_towns(30, seed + 50)), tree.inputs_)
    rows = []
    for row in range(30):
        values = [
            inputs.numbers[row, place] if place >= 0 else inputs.levels[row, -1 - place]
            for place in tree.inputs_.number_of.tolist()
        ]
        places = tree.inputs_.number_of.tolist()
        is_unknown = [np.isnan(v) if p >= 0 else v < 0 for v, p in zip(values, places, strict=True)]
        rows.append([None if gone else v for v, gone in zip(values, is_unknown, strict=True)])
    return inputs, rows


@pytest.mark.slow
@given(SETTINGS, st.integers(0, 20), st.booleans())
@settings(max_examples=40)
def test_weakest_links_are_found_one_by_one(setting, seed, is_regression):
    """The critical alphas are those at which the plain sequence removes each split."""
    tree = (regressor if is_regression else classifier)(setting, seed).tree_.grown
    expected = plain_weakest_links(tree, leaf_costs(tree))
    assert critical_alphas(tree) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(st.integers(0, 20), st.integers(0, 10**6))
@settings(max_examples=40)
def test_weakest_links_of_any_costs(seed, luck):
    """Also where a split costs more than its node, and where many alphas tie."""
    tree = classifier({"categorical_splits": "multiway"}, seed).tree_.grown
    costs = np.random.default_rng(luck).integers(0, 6, len(tree.feature)).astype(float)
    assert native.weakest_links(tree, costs) == pytest.approx(plain_weakest_links(tree, costs))


@given(SETTINGS, st.integers(0, 20))
@settings(max_examples=30)
def test_the_path_tells_leaves_and_impurities(setting, seed):
    """At each alpha of the path the tree has so many leaves and so much impurity left."""
    tree = classifier(setting, seed).tree_.grown
    path, criticals = path_of(tree), critical_alphas(tree)
    for alpha, impurity, n_leaves in zip(path.alphas, path.impurities, path.n_leaves, strict=True):
        cut = {node for node in range(len(criticals)) if is_split(tree, node) and criticals[node] <= alpha}
        leaves = leaves_of(tree, cut)
        assert len(leaves) == n_leaves
        left = sum(tree.weight[leaves] * tree.impurity[leaves]) / tree.weight[0]
        assert impurity == pytest.approx(left, abs=1e-12)


@given(st.integers(0, 20), st.integers(0, 10**6))
@settings(max_examples=40)
def test_totals_of_every_alpha_are_those_of_its_tree(seed, luck):
    """The sums over leaves and over splits, for alphas on the path and between, are the plain ones."""
    tree = classifier({"categorical_splits": "multiway"}, seed).tree_.grown
    draw = np.random.default_rng(luck)
    as_leaf, as_split = draw.integers(0, 9, (2, len(tree.feature))).astype(float)
    criticals = critical_alphas(tree)
    alphas = np.sort(np.concatenate([[0.0, np.inf], np.unique(criticals), draw.random(5) / 5]))
    found = totals_at(alphas, tree, criticals, as_leaf, as_split)
    for alpha, total in zip(alphas, found, strict=True):
        cut = {node for node in splits_of(tree, set()) if criticals[node] <= alpha}
        assert total == pytest.approx(loss_of(tree, cut, as_leaf, as_split))


@given(SETTINGS, st.integers(0, 20), st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_cut_tree_is_the_plain_one(setting, seed, luck):
    """Every array of the cut tree, bit for bit."""
    tree = classifier(setting, seed).tree_.grown
    is_cut = np.random.default_rng(luck).random(len(tree.feature)) < 0.2
    expected = plain_cut(tree, set(np.flatnonzero(is_cut).tolist()))
    assert differing_fields(native.cut_tree(tree, is_cut), expected) == []


@given(SETTINGS, st.integers(0, 20), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_losses_and_answers_are_those_of_rows_that_fall_one_by_one(setting, seed, is_regression, has_weights):
    """What nodes lose, what is lost at splits where rows stop, and what rows are answered."""
    learner = (regressor if is_regression else classifier)(setting, seed)
    tree, splits_unknown = learner.tree_.grown, learner.tree_.splits_unknown
    inputs, rows = new_rows(learner, seed)
    draw = np.random.default_rng(seed)
    weights = draw.choice([0.5, 1.0, 3.0], 30) if has_weights else np.ones(30)
    answers = draw.normal(50, 20, 30) if is_regression else draw.integers(0, 2, 30).astype(np.uint32)
    found = node_losses(
        tree,
        inputs,
        learner.inputs_.number_of,
        splits_unknown,
        None if is_regression else answers,
        answers if is_regression else None,
        weights,
    )
    as_leaf, as_split = plain_losses(tree, rows, answers, weights, splits_unknown, is_regression)
    assert found.as_leaf == pytest.approx(as_leaf)
    assert found.as_split == pytest.approx(as_split, rel=1e-9, abs=1e-7 * max(1, as_leaf.max()))
    expected = [plain_answer(tree, row, splits_unknown, is_regression) for row in rows]
    told = native.predict_tree(
        tree, inputs.numbers, learner.inputs_.number_of, inputs.levels, splits_unknown, 1, is_regression
    )
    assert told == pytest.approx(np.array(expected), rel=1e-12, abs=1e-14)


@given(SETTINGS, st.integers(0, 20), st.booleans(), st.booleans())
@settings(max_examples=60)
def test_reduced_error_is_the_plain_one(setting, seed, best_first, ties):
    """The same splits go, in either order, also where rows stop at a split."""
    learner = classifier(setting, seed)
    tree, splits_unknown = learner.tree_.grown, learner.tree_.splits_unknown
    inputs, rows = new_rows(learner, seed)
    answers = np.random.default_rng(seed).integers(0, 2, 30).astype(np.uint32)
    losses = node_losses(tree, inputs, learner.inputs_.number_of, splits_unknown, answers, None, np.ones(30))
    found = native.reduced_error(tree, losses.charged(tree), best_first, ties)
    as_leaf, as_split = plain_losses(tree, rows, answers, np.ones(30), splits_unknown, False)
    expected = plain_reduced_error(tree, as_leaf, as_split, best_first, ties)
    kept = splits_of(tree, {node for node in splits_of(tree, set()) if found[node]})
    assert kept == splits_of(tree, expected)


@given(SETTINGS, st.integers(0, 20), st.integers(0, 10**6))
@settings(max_examples=30)
def test_charged_losses_add_up_to_the_loss_of_any_pruned_tree(setting, seed, luck):
    """Whatever is cut, the sum over the leaves is what the cut tree loses, stopped rows included."""
    learner = classifier({**setting, "categorical_splits": "multiway"}, seed)
    tree, splits_unknown = learner.tree_.grown, learner.tree_.splits_unknown
    inputs, rows = new_rows(learner, seed)
    answers = np.random.default_rng(seed).integers(0, 2, 30).astype(np.uint32)
    losses = node_losses(tree, inputs, learner.inputs_.number_of, splits_unknown, answers, None, np.ones(30))
    cut = set(np.flatnonzero(np.random.default_rng(luck).random(len(tree.feature)) < 0.3).tolist())
    plain = plain_losses(tree, rows, answers, np.ones(30), splits_unknown, False)
    assert sum(losses.charged(tree)[leaves_of(tree, cut)]) == pytest.approx(loss_of(tree, cut, *plain))


@given(SETTINGS, st.integers(0, 20), st.sampled_from([0.0, 0.001, 0.05, 0.3, 0.8, 1.0]))
@settings(max_examples=40)
def test_chi_square_is_the_plain_one(setting, seed, significance):
    """The critical significances cut what testing from below cuts, by SciPy's own test."""
    tree = classifier(setting, seed).tree_.grown
    criticals = critical_significances(tree)
    found = {node for node in splits_of(tree, set()) if criticals[node] > significance}
    assert splits_of(tree, found) == splits_of(tree, plain_chi_square(tree, significance))


def test_stops_are_counted_at_a_split_without_a_branch():
    """A row whose level has no branch in its node is lost there, in no leaf."""
    cells = np.array([["a", "x"], ["a", "y"], ["b", "x"], ["b", "z"]], dtype=object)
    X, y = cells.repeat([4, 2, 4, 2], axis=0), np.repeat([0, 1, 1, 1], [4, 2, 4, 2])
    tree = TreeClassifier.id3(categorical=[0, 1]).fit(X, y)
    assert str(tree) == "x0 = a\n|   x1 = x: 0 (4)\n|   x1 = y: 1 (2)\nx0 = b: 1 (6)"
    a_and_z = PredictionInputs(np.empty((1, 0)), np.array([[0, 2]], dtype=np.int32))
    truth = np.array([1], dtype=np.uint32)
    losses = node_losses(tree.tree_.grown, a_and_z, tree.inputs_.number_of, False, truth, None, np.ones(1))
    assert losses.as_leaf.tolist() == [0, 1, 0, 0, 0]
    assert losses.as_split.tolist() == [0, 1, 0, 0, 0]
    assert losses.charged(tree.tree_.grown).tolist() == [0, 1, 0, 1, 0]
