"""Pruning by cost and complexity: scikit-learn's path, shares of impurity, and alpha by cross-validation."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from heldout import DataError, RequestError, Table, TreeClassifier, TreeRegressor
from heldout.learners.pruning.cost_complexity import FoldTree, alpha_by_folds, critical_alphas
from heldout.learners.pruning.node_losses import NodeLosses
from heldout.learners.pruning.set_aside import fold_masks
from heldout.table.column import category_column

from .same_tree import differing_fields


def exact(X):
    """Values that float32, in which scikit-learn searches, holds exactly."""
    return X.astype(np.float32).astype(np.float64)


def continuous(seed, n_rows=400):
    """Columns without ties, a class and a number that depend on them."""
    draw = np.random.default_rng(seed)
    X = exact(draw.normal(size=(n_rows, 5)))
    score = X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n_rows)
    return X, np.digitize(score, [-0.5, 0.8]), score


def assert_same_path(ours, theirs, scale):
    """Each of their steps is on our path; steps of equal alpha are one of ours."""
    assert ours.scale == pytest.approx(scale)
    assert len(ours.alphas) > 5
    for alpha, impurity in zip(ours.alphas, ours.impurities, strict=True):
        last = np.flatnonzero(theirs.ccp_alphas <= alpha * scale + 1e-12)[-1]
        assert theirs.ccp_alphas[last] == pytest.approx(alpha * scale, abs=1e-12)
        assert theirs.impurities[last] == pytest.approx(impurity, abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(3))
def test_the_path_of_a_classification_is_scikit_learns(criterion, seed):
    """Alphas times the root's impurity, and the impurities left, are theirs."""
    X, y, _ = continuous(seed)
    theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=15, random_state=0)
    ours = TreeClassifier.cart(criterion=criterion, min_leaf=15).cost_complexity_path(X, y)
    root = theirs.fit(X, y).tree_.impurity[0]
    assert_same_path(ours, theirs.cost_complexity_pruning_path(X, y), root)


@pytest.mark.parametrize("seed", range(3))
def test_the_path_of_a_regression_is_scikit_learns(seed):
    """The same for the variance, with weights."""
    X, _, y = continuous(seed)
    weights = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float)
    theirs = DecisionTreeRegressor(max_depth=5, random_state=0)
    ours = TreeRegressor(min_leaf=1, max_depth=5).cost_complexity_path(X, y, weights)
    root = theirs.fit(X, y, weights).tree_.impurity[0]
    assert_same_path(ours, theirs.cost_complexity_pruning_path(X, y, weights), root)


@pytest.mark.parametrize("share", [0.002, 0.01, 0.05, 0.3])
def test_a_pruned_tree_is_scikit_learns(share):
    """Their ccp_alpha is our share times the impurity of the root: same leaves, same answers."""
    for X, y, score in map(continuous, range(3)):
        their_tree = DecisionTreeClassifier(min_samples_leaf=15, random_state=0)
        root = their_tree.fit(X, y).tree_.impurity[0]
        ours = TreeClassifier.cart(min_leaf=15, prune_alpha=share).fit(X, y)
        assert ours.n_leaves_ == their_tree.set_params(ccp_alpha=share * root).fit(X, y).get_n_leaves()
        assert ours.prune_alpha_ == share
        theirs = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
        root = theirs.fit(X, score).tree_.impurity[0]
        theirs.set_params(ccp_alpha=share * root).fit(X, score)
        assert TreeRegressor(prune_alpha=share).fit(X, score).predict(X) == pytest.approx(theirs.predict(X))


@pytest.mark.parametrize("unit", [0.01, 1.0, 100.0, 1e150])
def test_the_unit_of_the_target_does_not_matter(unit):
    """A target in cents gives the tree of the target in dollars."""
    X, y = load_diabetes(return_X_y=True)
    tree = TreeRegressor(prune_alpha=0.01).fit(X, y)
    scaled = TreeRegressor(prune_alpha=0.01).fit(X, y * unit)
    assert 1 < tree.n_leaves_ < TreeRegressor(prune=None).fit(X, y).n_leaves_
    assert np.array_equal(tree.tree_.grown.feature, scaled.tree_.grown.feature)


@pytest.mark.parametrize("unit", [1e-3, 1e150])
def test_the_unit_does_not_matter_in_folds(unit):
    """The errors of large and small targets are compared alike."""
    X, _, y = continuous(0, 150)
    alphas = [TreeRegressor(prune_alpha="cv").fit(X, y * scale).prune_alpha_ for scale in (1, unit)]
    assert alphas[0] == pytest.approx(alphas[1])


@pytest.mark.parametrize("prune", ["cost_complexity", "reduced_error"])
@pytest.mark.parametrize("unit", [1e-170, 1e170])
def test_a_target_whose_variance_is_no_number_is_refused(unit, prune):
    """Nothing is pruned by shares of infinity or of zero, and the error says what to do."""
    X, _, y = continuous(0, 50)
    with pytest.raises(DataError, match="too large") as caught:
        TreeRegressor(prune=prune).fit(X, y * unit)
    assert "prune=None" in caught.value.fix
    assert TreeRegressor(prune=None).fit(X, y * unit).n_leaves_ > 5


def test_alpha_zero_keeps_what_gains_and_alpha_one_nothing():
    """Splits that take impurity away survive alpha 0; nothing takes more than all of it."""
    X, y, _ = continuous(0)
    whole = TreeClassifier.cart(prune=None).fit(X, y)
    kept = TreeClassifier.cart(prune_alpha=0).fit(X, y)
    assert differing_fields(whole.tree_.grown, kept.tree_.grown) == []
    assert TreeClassifier.cart(prune_alpha=1).fit(X, y).n_leaves_ == 1


def test_a_larger_alpha_gives_a_part_of_the_smaller_ones_tree():
    """Leaves fall as alpha grows, and the path says at which alphas."""
    X, y, _ = continuous(1)
    path = TreeClassifier.cart().cost_complexity_path(X, y)
    for place in range(0, len(path.alphas), 5):
        tree = TreeClassifier.cart(prune_alpha=path.alphas[place]).fit(X, y)
        assert tree.n_leaves_ == path.n_leaves[place]
    assert (np.diff(path.n_leaves) < 0).all()
    assert path.n_leaves[-1] == 1


def test_the_path_of_a_tree_of_one_leaf():
    """Where nothing can be split, all impurity is left in the root."""
    path = TreeClassifier.cart().cost_complexity_path(np.zeros((4, 1)), [0, 1, 0, 1])
    assert (path.alphas.tolist(), path.n_leaves.tolist(), path.impurities.tolist()) == ([0.0], [1], [0.5])


def test_the_path_does_not_change_the_learner():
    """It is asked of a tree and grows another one."""
    X, y, _ = continuous(1)
    tree = TreeClassifier.cart(max_depth=2)
    assert tree.cost_complexity_path(X, y).n_leaves[0] <= 4
    assert not tree.__sklearn_is_fitted__()


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_cross_validation_finds_a_small_tree_that_is_as_good(load):
    """On known tables alpha lies on the path, and the tree is smaller than the whole one."""
    X, y = load(return_X_y=True)
    tree = TreeClassifier.cart().fit(X, y)
    assert tree.prune_alpha_ in TreeClassifier.cart().cost_complexity_path(X, y).alphas
    assert 1 < tree.n_leaves_ < TreeClassifier.cart(prune=None).fit(X, y).n_leaves_
    assert tree.score(X, y) > 0.9


def test_noise_is_pruned_to_the_root():
    """Where nothing can be learned the rule of one standard error keeps nothing."""
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(300, 4)), draw.integers(0, 2, 300)
    assert TreeClassifier.cart(prune=None).fit(X, y).n_leaves_ > 30
    assert TreeClassifier.cart().fit(X, y).n_leaves_ == 1
    assert TreeRegressor(prune_alpha="cv").fit(X, draw.normal(size=300)).n_leaves_ == 1


def test_the_same_data_give_the_same_tree_whatever_their_order():
    """Folds depend on what the rows hold and on the seed, not on the order of rows."""
    X, y, _ = continuous(2, 150)
    order = np.random.default_rng(0).permutation(150)
    tree, again = TreeClassifier.cart().fit(X, y), TreeClassifier.cart().fit(X, y)
    moved = TreeClassifier.cart().fit(X[order], y[order])
    assert differing_fields(tree.tree_.grown, again.tree_.grown) == []
    assert tree.prune_alpha_ == again.prune_alpha_ == pytest.approx(moved.prune_alpha_, rel=1e-9)
    assert np.array_equal(tree.tree_.grown.feature, moved.tree_.grown.feature)
    assert TreeClassifier.cart(random_state=0).fit(X, y).prune_alpha_ == tree.prune_alpha_


def test_another_seed_makes_other_folds():
    """Among some seeds not all choose the same alpha."""
    X, y, _ = continuous(2, 150)
    chosen = {TreeClassifier.cart(random_state=seed).fit(X, y).prune_alpha_ for seed in range(8)}
    assert len(chosen) > 1


def test_groups_keep_copies_together():
    """Rows that occur ten times are learned by heart unless their group is set aside as a whole."""
    draw = np.random.default_rng(3)
    X, y = draw.normal(size=(40, 3)), draw.integers(0, 2, 40)
    copies = np.repeat(np.arange(40), 10)
    loose = TreeClassifier.cart().fit(X[copies], y[copies])
    grouped = TreeClassifier.cart().fit(X[copies], y[copies], groups=copies)
    assert loose.score(X, y) == 1.0
    assert grouped.n_leaves_ == 1


def test_a_whole_weight_does_not_put_a_row_on_both_sides():
    """Whatever all rows weigh, the folds and so the alpha are the same; a copy would be learned by heart."""
    X, y, score = continuous(4, 120)
    once = TreeClassifier.cart().fit(X, y)
    assert once.n_leaves_ < 10 < TreeClassifier.cart(prune=None).fit(X, y).n_leaves_
    for weight in (2.0, 3.0, 4.0):
        weighted = TreeClassifier.cart().fit(X, y, np.full(120, weight))
        assert weighted.prune_alpha_ == pytest.approx(once.prune_alpha_, rel=1e-12)
        assert weighted.n_leaves_ == once.n_leaves_
    plain = TreeRegressor(prune_alpha="cv", min_leaf=1).fit(X, score)
    heavy = TreeRegressor(prune_alpha="cv", min_leaf=2).fit(X, score, np.full(120, 2.0))
    assert heavy.n_leaves_ == plain.n_leaves_


def test_a_single_group_is_refused_by_folds():
    """Who gives groups wants them kept apart, and one group cannot be."""
    X, y, _ = continuous(0, 60)
    with pytest.raises(RequestError, match="no group is left to grow on") as caught:
        TreeClassifier.cart().fit(X, y, groups=np.zeros(60))
    assert "n_groups = 1" in caught.value.where
    assert "two groups" in caught.value.fix
    assert TreeClassifier.cart(prune_alpha=0.1).fit(X, y, groups=np.zeros(60)).n_leaves_ > 1


def alpha_by_fitting_each(tree, X, y, groups):
    """The rule of one standard error with a fit and a predict for every fold and every alpha."""
    alphas = tree.cost_complexity_path(X, y).alphas
    rows = clone(tree)._rows(X, y, None, groups)
    between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), 1.0)
    errors = []
    folds = fold_masks(rows, 10, 0)
    for is_held in folds:
        grown, aside = np.flatnonzero(~is_held), np.flatnonzero(is_held)
        answers = [
            clone(tree).set_params(prune_alpha=alpha).fit(X.take(grown), y[grown]).predict(X.take(aside))
            for alpha in between
        ]
        errors.append([_errors(tree, found, y[aside]) for found in answers])
    errors, sizes = np.array(errors), np.array([is_held.sum() for is_held in folds])
    means = (errors * sizes[:, None]).sum(axis=0) / sizes.sum()
    best = means.argmin()
    limit = means[best] + errors[:, best].std(ddof=1) / np.sqrt(10)
    return alphas[np.flatnonzero(means <= limit + 1e-12)[-1]]


def _errors(tree, found, truth):
    return np.mean((found - truth) ** 2) if isinstance(tree, TreeRegressor) else np.mean(found != truth)


@pytest.mark.slow
@pytest.mark.parametrize("with_groups", [False, True], ids=["rows", "groups"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "tree",
    [
        TreeClassifier.cart(categorical_splits="multiway"),
        TreeClassifier.cart(missing="column_mode", criterion="entropy"),
        TreeRegressor(prune_alpha="cv", categorical_splits="multiway"),
    ],
    ids=["multiway", "filled", "regression"],
)
def test_alpha_is_found_as_by_fitting_every_alpha_in_every_fold(tree, seed, with_groups):
    """The sweep inside `fit` equals many fits, also where a fold lacks a level or a node lacks a branch."""
    draw = np.random.default_rng(seed)
    cells = {name: [str(level) for level in draw.integers(0, 4, 50)] for name in "abc"}
    table = Table([category_column(name, [None, *levels[1:]]) for name, levels in cells.items()])
    y = (
        np.array(
            [int(a) + int(b) + bool(draw.random() < 0.2) for a, b in zip(cells["a"], cells["b"], strict=True)]
        )
        // 3
    )
    if isinstance(tree, TreeRegressor):
        y = y * 10.0 + np.arange(50) % 7
    groups = np.arange(50) // 3 if with_groups else None
    found = clone(tree).fit(table, y, groups=groups).prune_alpha_
    assert found == alpha_by_fitting_each(tree, table, y, groups)


def one_split_fold(stump, as_leaf, weight=10.0):
    return FoldTree(stump, NodeLosses(np.array(as_leaf), np.zeros(3)), weight)


def test_one_standard_error_by_hand():
    """Two folds, one split: errors .1 and .3 as a leaf, .1 and .1 as a split."""
    X, y = np.arange(10.0)[:, None], np.array([0] * 5 + [1] * 5)
    stump = TreeClassifier.cart(prune=None).fit(X, y).tree_.grown
    criticals = critical_alphas(stump)
    assert criticals.tolist() == [1.0, 0.0, 0.0]
    # The split's error is .1 in both folds: its standard error is 0, and the leaf's .2 is worse.
    equal = [one_split_fold(stump, [1, 1, 0]), one_split_fold(stump, [3, 1, 0])]
    assert alpha_by_folds(stump, criticals, equal) == 0.0
    # The split's errors .0 and .2 have the standard error .1: the leaf's mean of .2 is within it.
    spread = [one_split_fold(stump, [1, 0, 0]), one_split_fold(stump, [3, 2, 0])]
    assert alpha_by_folds(stump, criticals, spread) == 1.0
    assert alpha_by_folds(stump, criticals, spread[:1]) == 0.0


def test_one_row_and_one_class_are_no_problem():
    """Where there is nothing to fold there is nothing to prune."""
    assert TreeClassifier.cart().fit([[1.0]], ["a"]).prune_alpha_ == 0.0
    assert TreeClassifier.cart().fit([[1.0], [2.0]], ["a", "a"]).n_leaves_ == 1
    assert TreeRegressor(prune_alpha="cv").fit([[1.0], [2.0]], [3.0, 3.0]).n_leaves_ == 1
