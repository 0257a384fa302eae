"""The classification tree as a whole."""

import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from heldout import RequestError, Table, TreeClassifier
from heldout.table.column import category_column

from .same_tree import differing_fields
from .tables import as_table, mixed_answers, mixed_cells

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def noise(n_rows=400, n_columns=5, n_classes=3, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, n_columns)).round(2)
    return X, (X[:, 0] + draw.normal(size=n_rows) > 0.2).astype(int) + draw.integers(0, n_classes - 1, n_rows)


def test_the_default_is_c45():
    """TreeClassifier() has the settings of .c45()."""
    assert TreeClassifier().get_params() == TreeClassifier.c45().get_params()


def test_the_classics():
    """The three classic settings are what their names say."""
    id3, c45, cart = TreeClassifier.id3(), TreeClassifier.c45(), TreeClassifier.cart(max_depth=3)
    assert (id3.missing, id3.numeric_cuts, id3.prune) == ("node_mode", "plain", None)
    assert (c45.missing, c45.numeric_cuts, c45.prune) == ("fractional", "c45", "pessimistic")
    assert (c45.prune_confidence, c45.raise_subtrees) == (0.25, True)
    assert (cart.missing, cart.numeric_cuts, cart.prune) == ("node_mode", "plain", "cost_complexity")
    assert (cart.average_gain, cart.prune_alpha) == (False, "cv")
    assert (id3.criterion, id3.categorical_splits, id3.average_gain, id3.min_leaf) == (
        "entropy",
        "multiway",
        False,
        1,
    )
    assert (c45.criterion, c45.categorical_splits, c45.average_gain, c45.min_leaf) == (
        "gain_ratio",
        "multiway",
        True,
        2,
    )
    assert (cart.criterion, cart.categorical_splits, cart.min_leaf, cart.max_depth) == (
        "gini",
        "subset",
        1,
        3,
    )


def test_growing_stops_where_nothing_is_gained_unless_told_otherwise():
    """No single cut helps on XOR: min_gain=0 stops, min_gain=None grows on to purity."""
    y = np.array([0, 1, 1, 0])
    assert TreeClassifier.id3().fit(XOR, y).n_leaves_ == 1
    assert (TreeClassifier.id3(min_gain=None).fit(XOR, y).predict(XOR) == y).all()


def test_every_criterion_overfits():
    """Grown without limits, every criterion learns distinct rows by heart."""
    X, y = noise()
    X[:, 4] = np.arange(len(X))
    for criterion in ("gain_ratio", "entropy", "gini", "error"):
        tree = TreeClassifier.id3(criterion=criterion, min_gain=None).fit(X, y)
        assert tree.score(X, y) == 1.0


@pytest.mark.parametrize("scale", [1, 100])
def test_a_perfect_feature_is_learned(scale):
    """A column that is the answer is used and nothing else, at ±1 and at ±100."""
    X, y = noise(n_classes=2)
    y = (y > 0).astype(int)
    X[:, 2] = scale * (2 * y - 1)
    for tree in (TreeClassifier.c45(), TreeClassifier.id3(), TreeClassifier.cart()):
        assert tree.fit(X, y).n_leaves_ == 2
        assert tree.score(X, y) == 1.0
        assert tree.feature_importances_[2] == 1.0


def test_limits_are_kept():
    """Depth, leaves and weight in a leaf obey their parameters."""
    X, y = noise()
    assert TreeClassifier.cart(max_depth=4, prune=None).fit(X, y).depth_ == 4
    assert TreeClassifier.cart(max_depth=0, prune=None).fit(X, y).n_leaves_ == 1
    assert TreeClassifier.cart(max_leaves=7, prune=None).fit(X, y).n_leaves_ == 7
    structure = TreeClassifier.cart(min_leaf=10, prune=None).fit(X, y).tree_
    assert structure.grown.weight[structure.is_leaf].min() >= 10
    frugal = TreeClassifier.cart(min_gain=0.01, prune=None).fit(X, y).tree_
    assert frugal.grown.gain[~frugal.is_leaf].min() > 0.01


def test_probabilities_are_shares_of_the_leaf():
    """Probabilities sum to 1 and are the class shares of the training rows in the leaf."""
    X, y = noise()
    tree = TreeClassifier(max_depth=3, smoothing=0).fit(X, y)
    shares = tree.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1)
    leaf = tree.apply(X)
    for node in np.unique(leaf):
        inside = y[leaf == node]
        assert shares[leaf == node][0] == pytest.approx([np.mean(inside == k) for k in tree.classes_])
    assert (tree.predict(X) == tree.classes_[shares.argmax(axis=1)]).all()
    with np.errstate(divide="ignore"):
        assert np.array_equal(tree.predict_log_proba(X), np.log(shares))


def test_a_costly_column_is_avoided():
    """Of two equal columns the cheaper is used; both rules and both spellings of costs."""
    X = np.repeat(np.arange(10.0), 2)[:, None].repeat(2, axis=1)
    y = (X[:, 0] > 4).astype(int)
    for rule in ("tan_schlimmer", "nunez"):
        assert TreeClassifier(feature_costs=[9, 1], cost_rule=rule).fit(X, y).feature_importances_[1] == 1
        by_name = TreeClassifier(feature_costs={"x0": 9}, cost_rule=rule).fit(X, y)
        assert by_name.feature_importances_[1] == 1
    assert TreeClassifier().fit(X, y).feature_importances_[0] == 1


@pytest.mark.parametrize("costs", [[1.0], {"age": 3}, [0, 1], [np.nan, 1]], ids=str)
def test_costs_must_fit_the_columns(costs):
    """One cost above 0 for each column that there is."""
    with pytest.raises(RequestError, match="feature_costs does not fit"):
        TreeClassifier(feature_costs=costs).fit(XOR, [0, 1, 1, 0])


@pytest.mark.parametrize(
    ("costs", "rule", "words", "fix"),
    [
        ({"x1": np.inf}, "tan_schlimmer", "column 'x1' has inf", "above 0"),
        ([1, 0], "tan_schlimmer", "column 'x1' has 0", "above 0"),
        ([-2, 1], "nunez", "column 'x0' has -2", "of at least 0"),
    ],
)
def test_the_cost_that_is_refused_is_named(costs, rule, words, fix):
    """The error names the column and its cost, and what the rule allows."""
    with pytest.raises(RequestError, match="feature_costs does not fit") as caught:
        TreeClassifier(feature_costs=costs, cost_rule=rule).fit(XOR, [0, 1, 1, 0])
    assert caught.value.where == f"feature_costs: {words}"
    assert caught.value.fix == f"use finite costs {fix}"


def test_an_attribute_is_used_once_on_a_path_of_multiway_splits():
    """Below a multiway split all rows have one level, so the column cannot be split on again."""
    draw = np.random.default_rng(2)
    table = Table(
        [category_column(name, [str(level) for level in draw.integers(0, 3, 300)]) for name in "abcd"]
    )
    structure = TreeClassifier.id3(min_gain=None).fit(table, draw.integers(0, 2, 300)).tree_
    assert structure.depth == 4
    for node in np.flatnonzero(structure.is_leaf):
        used = [int(structure.grown.feature[above]) for above in structure.path(int(node))[:-1]]
        assert len(used) == len(set(used))


@pytest.mark.slow
def test_two_threads_grow_the_same_tree_as_one():
    """The answer does not depend on the number of threads."""
    X, y = noise(5000, 8)
    X[::7, 3] = np.nan
    trees = [TreeClassifier.c45(), TreeClassifier.cart(), TreeClassifier.cart(max_leaves=40)]
    trees += [
        TreeClassifier.c45(prune=None),
        TreeClassifier.cart(prune=None),
        TreeClassifier.id3(max_leaves=40),
    ]
    for tree in trees:
        one = tree.set_params(n_jobs=1).fit(X, y).tree_.grown
        two = tree.set_params(n_jobs=2).fit(X, y)
        assert differing_fields(one, two.tree_.grown) == []
        assert np.array_equal(two.apply(X), two.set_params(n_jobs=1).apply(X))


def test_ties_go_to_the_column_on_the_left_and_the_lower_cut():
    """A copied column is never used, and of two equal cuts the lower is."""
    X, y = noise(200, 2)
    doubled = TreeClassifier.cart(prune=None).fit(np.column_stack([X, X]), y)
    assert doubled.tree_.grown.feature.max() <= 1
    tree = TreeClassifier.cart(max_depth=1, prune=None).fit(
        np.array([[0.0], [1.0], [2.0], [3.0]]), [1, 0, 0, 1]
    )
    assert tree.tree_.grown.threshold[0] == 0.5


def chain(n_levels):
    """Alternating classes: cutting off one row at the end is always the best split."""
    X = np.arange(n_levels + 1.0)[:, None]
    return TreeClassifier.cart(prune=None).fit(X, np.arange(n_levels + 1) % 2), X


def assert_usable(tree, X, n_levels):
    assert tree.depth_ == n_levels
    assert (tree.predict(X[:50]) == np.arange(50) % 2).all()
    assert str(tree).count("\n") < 100
    assert "more levels folded]" in str(tree)
    assert pickle.loads(pickle.dumps(tree)).n_leaves_ == n_levels + 1
    assert tree.decision_path(X[-1:]).nnz == n_levels + 1


@pytest.mark.slow
def test_a_tree_of_a_hundred_thousand_levels():
    """A chain of 100,000 levels grows, predicts, is stored, is freed, and prints folded."""
    tree, X = chain(100_000)
    assert_usable(tree, X, 100_000)


def test_a_fitted_tree_can_be_stored_and_brought_back():
    """A pickled tree answers as before."""
    cells = mixed_cells()
    table = as_table(cells)
    tree = TreeClassifier().fit(table, mixed_answers(cells))
    again = pickle.loads(pickle.dumps(tree))
    assert np.array_equal(again.predict_proba(table), tree.predict_proba(table))
    assert str(again) == str(tree)


def test_tables_go_through_scikit_learn_tools():
    """cross_val_score and a pipeline take a Table as X."""
    cells = mixed_cells(90)
    table, y = as_table(cells), mixed_answers(cells)
    scores = cross_val_score(TreeClassifier(), table, y, cv=3)
    assert scores.shape == (3,)
    pipeline = make_pipeline(FunctionTransformer(), TreeClassifier()).fit(table, y)
    assert pipeline.predict(table).shape == (90,)


def test_an_unfitted_tree_says_so():
    """Everything that needs a tree raises scikit-learn's error before fit."""
    for ask in ("predict", "predict_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            getattr(TreeClassifier(), ask)(XOR)
    with pytest.raises(NotFittedError):
        TreeClassifier().to_text()


def test_all_values_missing():
    """A column without a known value is never split on."""
    X = np.column_stack([np.full(6, np.nan), np.arange(6.0)])
    tree = TreeClassifier(min_leaf=1).fit(X, [0, 0, 0, 1, 1, 1])
    assert tree.feature_importances_.tolist() == [0, 1]
    empty = Table([category_column("town", [None] * 4)])
    assert TreeClassifier(min_leaf=1).fit(empty, [0, 1, 0, 1]).n_leaves_ == 1
