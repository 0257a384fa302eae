"""Classification forests: answers, votes, importances, what they print, and what they refuse."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from heldout import DataError, ForestClassifier, InputTypeError, RequestError, Table, Task, datasets
from heldout.native import forests

from ..random_tables import other_rows, random_classes, random_rows
from .same_forest import blobs, differing_parts


def test_probabilities_are_the_mean_of_the_shares_of_the_leaves():
    """What is answered can be read from the nodes by hand."""
    X, y = blobs()
    forest = ForestClassifier(7, min_leaf=5, smoothing=0).fit(X, y)
    new = blobs(seed=1)[0]
    grown, ends = forest.forest_, forest.apply(new)
    mean = np.zeros((len(new), 3))
    for tree in range(7):
        value = grown.value[grown.tree_begin[tree] + ends[:, tree]]
        mean += value / value.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.predict_proba(new), mean / 7, rtol=1e-14)
    assert np.array_equal(forest.predict(new), forest.classes_[forest.predict_proba(new).argmax(axis=1)])
    np.testing.assert_allclose(np.exp(forest.predict_log_proba(new)), forest.predict_proba(new), rtol=1e-12)


def test_votes_are_counted():
    """With combine="vote" each tree counts once, for its largest share."""
    X, y = blobs()
    forest = ForestClassifier(10, min_leaf=5, combine="vote", smoothing=0).fit(X, y)
    grown, ends = forest.forest_, forest.apply(X)
    votes = np.zeros((len(X), 3))
    for tree in range(10):
        chosen = grown.value[grown.tree_begin[tree] + ends[:, tree]].argmax(axis=1)
        votes[np.arange(len(X)), chosen] += 1
    np.testing.assert_allclose(forest.predict_proba(X), votes / 10, rtol=1e-14)


def test_a_tie_goes_to_the_first_class():
    """Two trees of different opinions answer the class that comes first."""
    X, y = np.zeros((8, 1)), np.array(["b", "a"] * 4)
    assert set(ForestClassifier(3, bootstrap=False).fit(X, y).predict(X)) == {"a"}


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
@pytest.mark.parametrize("max_features", ["sqrt", None])
def test_the_same_forest_on_any_number_of_threads(n_jobs, max_features):
    """Bits do not depend on threads, in growing, answering, and out of the bag."""
    X, y = random_rows(3, 300), random_classes(3, 300)
    one = ForestClassifier(12, max_features=max_features, sample_fraction=0.4, oob_score=True, n_jobs=1).fit(
        X, y
    )
    many = clone(one).set_params(n_jobs=n_jobs).fit(X, y)
    assert differing_parts(one, many) == []
    new = other_rows(3)
    assert one.predict_proba(new).tobytes() == many.predict_proba(new).tobytes()
    assert np.array_equal(one.apply(new), many.apply(new))
    shuffled = [forest.permutation_importances(X, y) for forest in (one, many)]
    assert shuffled[0].mean.tobytes() == shuffled[1].mean.tobytes()


def test_the_seed_decides():
    """The same seed gives the same forest, None is 0, and another seed another forest."""
    X, y = blobs()
    by_none, by_0, by_1 = (ForestClassifier(5, random_state=seed).fit(X, y) for seed in (None, 0, 1))
    assert differing_parts(by_none, by_0) == []
    assert "forest_" not in differing_parts(by_0, by_1)
    assert "threshold" in differing_parts(by_0, by_1)


def test_a_random_state_gives_other_forests_one_after_the_other():
    """A RandomState is drawn from, as scikit-learn's learners do it."""
    X, y = blobs()
    state = np.random.RandomState(0)
    first, second = (ForestClassifier(3, random_state=state).fit(X, y) for _ in range(2))
    again = ForestClassifier(3, random_state=np.random.RandomState(0)).fit(X, y)
    assert first.seed_ != second.seed_
    assert differing_parts(first, again) == []


def test_tables_frames_and_arrays_give_the_same_forest():
    """The same numbers and levels, however they are handed over."""
    X, y = blobs()
    names = [f"column {place}" for place in range(5)]
    array, frame = (ForestClassifier(4).fit(given, y) for given in (X, pd.DataFrame(X, columns=names)))
    assert [name for name in differing_parts(array, frame) if "feature_names" not in name] == ["data_mark_"]
    assert list(frame.feature_names_in_) == names


def test_categories_and_gaps_are_taken_as_they_are():
    """A table with all kinds of columns, and new rows with levels that were never seen."""
    X, y = random_rows(0, 150), random_classes(0, 150)
    for missing in ("node_mode", "column_mode"):
        for categorical_splits in ("subset", "multiway", "one_vs_rest"):
            forest = ForestClassifier(8, missing=missing, categorical_splits=categorical_splits).fit(X, y)
            shares = forest.predict_proba(other_rows(0))
            np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)


def test_class_mode_warns_where_new_rows_are_filled_by_column():
    """New rows have no class yet: they are filled otherwise, and the forest says so."""
    X, y = random_rows(0, 150), random_classes(0, 150)
    forest = ForestClassifier(4, missing="class_mode").fit(X, y)
    with pytest.warns(UserWarning, match="filled by the mode of their column"):
        forest.predict(other_rows(0))


def test_importances_are_shares_of_the_gain():
    """They sum to 1, and columns that tell the class have more than noise."""
    X, y = blobs(400)
    importances = ForestClassifier(30).fit(X, y).feature_importances_
    assert importances.sum() == pytest.approx(1)
    assert importances[:3].min() > importances[3:].max()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("categorical_splits", ["subset", "multiway"])
def test_importances_are_those_that_the_core_adds_up(monkeypatch, criterion, categorical_splits):
    """The gains that follow from the nodes are those by which the splits were chosen."""
    grown = []
    grow = forests.grow_forests
    monkeypatch.setattr(forests, "grow_forests", lambda *given: grown.extend(grow(*given)) or grown)
    X, y = random_rows(0, 150), random_classes(0, 150)
    forest = ForestClassifier(6, criterion=criterion, categorical_splits=categorical_splits).fit(X, y)
    shares = grown[0].importance / grown[0].importance.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.feature_importances_, shares.mean(axis=0), rtol=1e-9)


def test_the_nodes_are_counted():
    """Leaves, nodes and depth are those of the trees, walked one by one."""
    X, y = random_rows(5, 120), random_classes(5, 120)
    forest = ForestClassifier(6, categorical_splits="multiway").fit(X, y)
    grown, deepest = forest.forest_, 0
    for begin in grown.tree_begin[:-1]:
        waiting = [(0, 0)]
        while waiting:
            node, depth = waiting.pop()
            deepest = max(deepest, depth)
            first, n_children = grown.first_child[begin + node], grown.n_children[begin + node]
            if grown.feature[begin + node] >= 0:
                waiting += [(child, depth + 1) for child in range(first, first + n_children)]
    assert forest.depth_ == deepest
    assert forest.n_nodes_ == len(grown.feature) == grown.tree_begin[-1]
    assert forest.n_leaves_ == int((grown.split_kind == 0).sum())


def test_max_depth_and_min_leaf_limit_the_trees():
    """No way down is longer, and no leaf lighter, than was asked for."""
    X, y = blobs()
    forest = ForestClassifier(10, max_depth=3, min_leaf=7).fit(X, y)
    assert forest.depth_ <= 3
    assert forest.forest_.weight[forest.forest_.feature < 0].min() >= 7
    assert ForestClassifier(3, max_depth=0).fit(X, y).n_nodes_ == 3


def test_min_gain_stops_what_gains_less():
    """A forest that must gain much is smaller; None splits whatever the gain."""
    X, y = blobs()
    sizes = [ForestClassifier(5, min_gain=min_gain).fit(X, y).n_nodes_ for min_gain in (None, 0.0, 0.1, 10)]
    assert sizes[0] >= sizes[1] > sizes[2] > sizes[3] == 5


def test_the_bag_is_as_large_as_asked():
    """Draws are a share of the rows, or of their weight, and at most 16 for each row."""
    X, y = blobs(100)
    draws = {
        (bootstrap, share, weight): ForestClassifier(2, bootstrap=bootstrap, sample_fraction=share)
        .fit(X, y, np.full(100, weight))
        .forest_.weight[0]
        for bootstrap, share, weight in [
            (True, 1.0, 1.0),
            (True, 0.5, 1.0),
            (True, 1.0, 3.0),
            (True, 1.0, 500.0),
            (True, 0.001, 1.0),
            (False, 0.3, 1.0),
            (False, 0.3, 2.0),
            (False, 1.0, 2.5),
        ]
    }
    assert list(draws.values()) == [100, 50, 300, 1600, 1, 30, 60, 250]


@pytest.mark.parametrize(
    ("bootstrap", "consequence"),
    [(True, "a bag draws only as many rows as they weigh together"), (False, "min_leaf may forbid")],
)
def test_weights_far_below_1_are_warned_of(bootstrap, consequence):
    """With what comes of them here, whether they are those of rows or of classes."""
    X, y = blobs(100)
    forest = ForestClassifier(2, bootstrap=bootstrap)
    with pytest.warns(UserWarning, match=consequence):
        forest.fit(X, y, np.full(100, 0.02))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the weights of classes draw no rows
        forest.set_params(class_weight=dict.fromkeys(range(3), 0.05)).fit(X, y)


def test_without_bootstrap_a_weight_is_a_number_of_rows():
    """Weights and repeated rows give the same answers, exactly."""
    X, y = blobs(80)
    weights = np.random.default_rng(0).integers(0, 4, 80)
    weighted = ForestClassifier(5, bootstrap=False).fit(X, y, weights)
    repeated = ForestClassifier(5, bootstrap=False).fit(X.repeat(weights, axis=0), y.repeat(weights))
    new = blobs(seed=1)[0]
    assert np.array_equal(weighted.predict_proba(new), repeated.predict_proba(new))
    assert np.array_equal(weighted.apply(new), repeated.apply(new))


def test_rows_of_weight_0_are_left_out():
    """They could as well not be there, with bootstrap too."""
    X, y = blobs(80)
    weights = np.where(np.arange(80) % 3 == 0, 0.0, 1.0)
    weighted = ForestClassifier(5).fit(X, y, weights)
    without = ForestClassifier(5).fit(X[weights > 0], y[weights > 0], weights[weights > 0])
    assert differing_parts(weighted, without) == []


@pytest.mark.parametrize("weights", ["balanced", {0: 1.0, 1: 7.0}], ids=str)
def test_class_weight_moves_the_decision_alone(weights):
    """Trees and probabilities are those without; `predict` is the largest probability times weight."""
    X, y = blobs(300, n_classes=2)
    X, y = X[(y == 0) | (np.arange(300) % 5 == 0)], y[(y == 0) | (np.arange(300) % 5 == 0)]
    plain, weighted = ForestClassifier(30).fit(X, y), ForestClassifier(30, class_weight=weights).fit(X, y)
    assert differing_parts(plain, weighted) == ["class_weights_"]
    new = blobs(500, n_classes=2, seed=1)[0]
    probabilities = weighted.predict_proba(new)
    assert np.array_equal(plain.predict_proba(new), probabilities)
    expected = (probabilities * weighted.class_weights_).argmax(axis=1)
    assert np.array_equal(weighted.predict(new), expected)
    assert np.mean(expected == 1) > np.mean(plain.predict(new) == 1)


def test_a_class_of_weight_0_is_not_learned():
    """Its rows could as well not be there, but that the class has a name and the probability 0."""
    X, y = blobs(90)
    without = ForestClassifier(5).fit(X[y > 0], y[y > 0])
    left_out = ForestClassifier(5, class_weight={0: 0.0}).fit(X, y)
    assert np.array_equal(left_out.predict_proba(X)[:, 1:], without.predict_proba(X))
    assert not left_out.predict_proba(X)[:, 0].any()
    assert np.array_equal(left_out.predict(X), without.predict(X))
    with pytest.raises(RequestError, match="no row is left that has a weight"):
        ForestClassifier(5, class_weight=dict.fromkeys(range(3), 0.0)).fit(X, y)


def test_it_prints_what_it_is():
    """The summary has trees, leaves, score and columns by their names; before fit it is the constructor."""
    task = Task(datasets.load("penguins"), target="species")
    assert str(ForestClassifier(5)) == "ForestClassifier(n_trees=5)"
    text = str(ForestClassifier(50, oob_score=True).fit(task.X, task.y))
    assert text.startswith("50 trees for 3 classes, from 344 rows and 7 columns\nleaves: ")
    assert "\nout of bag: 9" in text
    assert "bill_length_mm" in text.split("\n")[3]
    assert "no column splits" in str(ForestClassifier(2).fit(np.zeros((4, 1)), [0, 1, 0, 1]))


def test_a_tree_is_read_in_the_original_names():
    """`tree_text` shows one tree, with the weights of its bag, and folds what is deep."""
    task = Task(datasets.load("penguins"), target="species")
    forest = ForestClassifier(3, max_features=None, max_depth=2).fit(task.X, task.y)
    text = forest.tree_text(0)
    assert {"Adelie", "Gentoo"} <= set(text.replace(":", " ").split())
    assert {word.strip("|") for word in text.split()} & set(task.X.names)
    assert forest.tree_text(-1) == forest.tree_text(2)
    assert "folded" in forest.tree_text(0, max_depth=1)
    for wrong, error in ((3, RequestError), ("first", InputTypeError)):
        with pytest.raises(error, match="tree"):
            forest.tree_text(wrong)
    with pytest.raises(RequestError, match="max_depth must be"):
        forest.tree_text(0, max_depth=-1)


def test_thresholds_in_text_separate_what_the_tree_separates():
    """A shown threshold is the tree's own number, in as few digits as mean the same."""
    X = np.array([[0.1], [0.3], [1 / 3], [7.0]])
    forest = ForestClassifier(1, bootstrap=False).fit(X, [0, 1, 0, 1])
    shown = {
        float(line.split("<= ")[1].split(":")[0]) for line in forest.tree_text(0).split("\n") if "<=" in line
    }
    grown = forest.forest_
    thresholds = grown.threshold[grown.feature >= 0]
    assert {np.float32(number) for number in shown} == {np.float32(number) for number in thresholds}
    assert max(len(repr(number)) for number in shown) <= 12


def test_copies_pickles_and_clones():
    """A copy answers the same, a clone is not fitted."""
    X, y = random_rows(0, 80), random_classes(0, 80)
    forest = ForestClassifier(30, oob_score=True, sample_fraction=0.5).fit(X, y)
    for twin in (pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest), copy.copy(forest)):
        assert differing_parts(forest, twin) == []
        assert np.array_equal(forest.predict_proba(X), twin.predict_proba(X))
    with pytest.raises(NotFittedError):
        clone(forest).predict(X)
    for method in ("to_text", "description_bits"):
        with pytest.raises(NotFittedError):
            getattr(clone(forest), method)()


def test_the_description_is_the_sum_over_the_trees():
    """A bit per node, column and cut for a split, shares in root-of-rows steps for a leaf."""
    X, y = blobs(60, n_columns=4, n_classes=2)
    forest = ForestClassifier(3).fit(X, y)
    n_splits = forest.n_nodes_ - forest.n_leaves_
    bags = forest.forest_.weight[forest.forest_.split_kind == 0]  # without weights: rows, as often as drawn
    assert bags.sum() == 3 * 60
    leaves = sum(np.log2(np.ceil(np.sqrt(n_rows)) + 1) for n_rows in bags)
    expected = forest.n_nodes_ + n_splits * (np.log2(4) + np.log2(59)) + leaves
    assert forest.description_bits() == pytest.approx(expected, rel=1e-12)
    parts = [clone(forest).set_params(n_trees=n).fit(X, y).description_bits() for n in (1, 2)]
    assert 0 < parts[0] < parts[1] < forest.description_bits()


def test_one_row_one_class_and_constant_columns():
    """What tells nothing gives trees of one leaf, which answer what they have seen."""
    one_row = ForestClassifier(3).fit([[1.0, 2.0]], ["a"])
    assert one_row.predict([[5.0, 6.0]]).tolist() == ["a"]
    one_class = ForestClassifier(3).fit(np.arange(10.0).reshape(-1, 1), np.zeros(10, dtype=int))
    assert one_class.predict_proba([[3.0]]).tolist() == [[1.0]]
    constant = ForestClassifier(3, bootstrap=False).fit(np.ones((10, 2)), [0, 1] * 5)
    assert (constant.n_nodes_, constant.predict_proba([[1.0, 1.0]]).tolist()) == (3, [[0.5, 0.5]])
    assert constant.feature_importances_.tolist() == [0.0, 0.0]
    all_missing = ForestClassifier(3).fit(np.full((10, 1), np.nan), [0, 1] * 5)
    assert all_missing.n_nodes_ == 3


@pytest.mark.parametrize(
    ("changes", "error", "what"),
    [
        ({"n_trees": 0}, RequestError, "n_trees must be an integer of at least 1"),
        ({"n_trees": 2.5}, RequestError, "n_trees must be an integer"),
        ({"max_features": 6}, RequestError, "max_features=6 is more than there is"),
        ({"max_features": 1.5}, RequestError, "max_features=1.5 is more than there is"),
        ({"max_features": 0}, RequestError, "max_features must be"),
        ({"max_features": "auto"}, RequestError, "max_features must be"),
        ({"sample_fraction": 1.5}, RequestError, "sample_fraction must be"),
        ({"sample_fraction": 0}, RequestError, "sample_fraction must be"),
        ({"missing": "fractional"}, RequestError, "does not split rows with missing values"),
        ({"criterion": "gain_ratio"}, RequestError, "criterion must be"),
        ({"combine": "votes"}, RequestError, "combine must be"),
        ({"min_leaf": 0}, RequestError, "min_leaf must be"),
        ({"n_jobs": 0}, RequestError, "n_jobs must be"),
        ({"bootstrap": "yes"}, RequestError, "bootstrap must be"),
        ({"bootstrap": False, "oob_score": True}, RequestError, "no row is out of the bag"),
        ({"class_weight": "equal"}, RequestError, "class_weight must be"),
    ],
)
def test_wrong_parameters_are_refused(changes, error, what):
    """Each with what is wrong, where, and how to mend it."""
    X, y = blobs(30)
    with pytest.raises(error, match=what) as refusal:
        ForestClassifier(**{"n_trees": 3} | changes).fit(X, y)
    assert refusal.value.where
    assert refusal.value.fix


def test_wrong_weights_are_refused():
    """Negative weights, weights that are all 0 or no numbers, and weights of another length."""
    X, y = blobs(30)
    for weights, what in (
        (-np.ones(30), "Negative"),
        (np.zeros(30), "non-zero"),
        (np.ones(29), "shape"),
        (np.full(30, np.nan), "contains NaN"),
        (np.full(30, np.inf), "contains infinity"),
    ):
        with pytest.raises(DataError, match=what):
            ForestClassifier(3).fit(X, y, weights)


def test_another_number_of_columns_is_refused_at_prediction():
    """New rows have the columns of fit."""
    X, y = blobs(30)
    with pytest.raises(ValueError, match="features"):
        ForestClassifier(3).fit(X, y).predict(X[:, :3])


def test_a_selection_of_rows_learns_as_if_the_others_did_not_exist():
    """Codes are shared by all rows of a table; what is learned is not."""
    table, y = random_rows(7, 200), random_classes(7, 200)
    chosen = np.flatnonzero(np.arange(200) % 3 > 0)
    part = table.take(chosen)
    one, other = (ForestClassifier(5).fit(X, y[chosen]) for X in (part, _copied(part)))
    assert differing_parts(one, other) == []


def _copied(table):
    """The same rows in a table that knows of no others."""
    return Table(
        [
            type(column)(column.name, column.kind, np.array(column.values), column.levels)
            for column in (table[name] for name in table.names)
        ]
    )
