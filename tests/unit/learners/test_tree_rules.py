"""The rules of a tree say what the tree says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import Column, RequestError, RuleClassifier, Table, TreeClassifier, TreeRegressor
from heldout.learners.rules.path_conditions import ways_through
from heldout.learners.rules.tree_rules import tree_rules
from heldout.table.column import category_column

from .random_tables import other_rows, random_classes, random_rows

SPLITS = st.sampled_from(["multiway", "subset", "one_vs_rest"])
SEEDS = st.integers(0, 2**20)


def with_split_rows(tree: TreeClassifier) -> TreeClassifier:
    """The same tree, which sends a row with a missing value down every branch."""
    tree.tree_ = replace(tree.tree_, splits_unknown=True)
    return tree


def plain_shares(tree: TreeClassifier, row: Table) -> np.ndarray:
    """The class shares of one row, by walking each of its parts down by hand."""
    structure, columns = tree.tree_, tree.inputs_.columns
    grown, waiting = structure.grown, [(0, 1.0)]
    total = np.zeros(grown.value.shape[1])
    while waiting:
        node, part = waiting.pop()
        if grown.feature[node] < 0:
            total += part * grown.value[node] / grown.value[node].sum()
            continue
        column = columns[int(grown.feature[node])]
        label = row[column.name].labels()[0]
        children = list(structure.children(node))
        if label is None or (column.is_category and label not in column.levels):
            weights = grown.weight[children] / grown.weight[children].sum()
            waiting += [(child, part * weight) for child, weight in zip(children, weights, strict=True)]
            continue
        value = column.levels.index(label) if column.is_category else row[column.name].values[0]
        if grown.split_kind[node] == 2:
            taken = [child for child in children if grown.branch_level[child] == value]
            if not taken:
                total += part * grown.value[node] / grown.value[node].sum()
        elif grown.split_kind[node] == 1:
            taken = [children[0] if value <= grown.threshold[node] else children[1]]
        else:
            taken = [children[0] if value in structure.levels_in_set(node) else children[1]]
        waiting += [(child, part) for child in taken]
    return total


@pytest.mark.slow
@given(
    SEEDS,
    SPLITS,
    st.sampled_from(["node_mode", "column_mode", "fractional"]),
    st.sampled_from([None, "pessimistic"]),
)
@settings(max_examples=80)
def test_rules_answer_as_the_tree(seed, splits, missing, prune):
    """Every row, with gaps and new levels, gets the tree's class and shares from the rules it meets.

    A pruned tree may have a branch that was raised, whose ways ask what no known value can meet.
    """
    X, y = random_rows(seed, 80), random_classes(seed, 80)
    y = np.where(X["size"].values > 5, y, np.array(X["town"].labels(), dtype=str))
    tree = TreeClassifier(
        categorical_splits=splits, missing=missing, min_leaf=1, numeric_cuts="plain", prune=prune
    ).fit(X, y)
    rules = tree.rules()
    for rows in (X, other_rows(seed)):
        shares = tree.predict_proba(rows)
        assert rules.predict_proba(rows) == pytest.approx(shares, abs=1e-12)
        assert rules.predict(rows).tolist() == tree.predict(rows).tolist()


@given(SEEDS, SPLITS)
@settings(max_examples=25)
def test_rules_of_a_tree_that_splits_rows_vote_with_shares(seed, splits):
    """A row that the tree splits meets several rules, whose shares add up to its shares in the tree."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    tree = TreeClassifier(
        categorical_splits=splits, missing="node_mode", min_leaf=1, prune=None, smoothing=0
    ).fit(X, y)
    tree = with_split_rows(tree)
    rows = other_rows(seed, 12)
    wanted = np.array([plain_shares(tree, rows[[place]]) for place in range(rows.n_rows)])
    found = tree.rules().predict_proba(rows)
    assert found == pytest.approx(wanted, abs=1e-12)
    assert found.sum(axis=1) == pytest.approx(np.ones(rows.n_rows))


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=40)
def test_tied_parts_of_a_row_have_the_class_of_the_tree(seed):
    """Weights such as 0.1 + 0.2 and 0.3 tie classes but for rounding; rules, reasons and tree agree."""
    X, y = random_rows(seed, 60), random_classes(seed, 60)
    weights = np.random.default_rng(seed).choice([0.1, 0.2, 0.3, 0.7], 60)
    tree = TreeClassifier(min_leaf=0.05, numeric_cuts="plain", prune=None, max_depth=3)
    swept = tree.sweep(X, y, {"max_depth": [2, 3]}, sample_weight=weights)
    tree.fit(X, y, sample_weight=weights)
    rows = other_rows(seed, 30)
    answers = tree.predict(rows).tolist()
    assert tree.rules().predict(rows).tolist() == answers
    assert [tree.explain(rows[[place]]).prediction for place in range(30)] == answers
    assert swept.predict(rows)[1].tolist() == answers


@given(SEEDS, SPLITS)
@settings(max_examples=25)
def test_rules_of_a_regression(seed, splits):
    """The rules of a regression tree give its numbers."""
    X, y = random_rows(seed, 60), np.random.default_rng(seed).normal(size=60)
    tree = TreeRegressor(categorical_splits=splits, min_leaf=2, prune=None).fit(X, y)
    rows = other_rows(seed)
    assert tree.rules().predict(rows) == pytest.approx(tree.predict(rows), rel=1e-12)


@given(SEEDS, SPLITS)
@settings(max_examples=25)
def test_coverage_and_accuracy_are_counted_on_the_training_rows(seed, splits):
    """Each rule covers the rows that it says it covers, and is right as often as it says."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    tree = TreeClassifier(categorical_splits=splits, missing="node_mode", prune=None).fit(X, y)
    ends = tree.apply(X)
    ways = list(ways_through(tree.tree_, tree.inputs_))
    for rule, way in zip(tree.rules(), ways, strict=True):
        inside = ends == way.node if not way.is_empty else np.zeros(50, dtype=bool)
        assert rule.n_rows == rule.weight == inside.sum()
        assert rule.right == (y[inside] == rule.prediction).sum()
    assert sum(rule.n_rows for rule in tree.rules()) == 50


@given(SEEDS, SPLITS)
@settings(max_examples=25)
def test_one_condition_for_each_column(seed, splits):
    """Whatever a way asks of a column is one condition, and every condition can be met."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    tree = TreeClassifier(categorical_splits=splits, missing="node_mode", min_leaf=1, prune=None).fit(X, y)
    for rule in tree.rules():
        positions = [condition.position for condition in rule.conditions]
        assert len(set(positions)) == len(positions)
        assert all(condition.can_be_met for condition in rule.conditions)


def test_an_empty_branch_has_a_rule_of_its_own():
    """A level that the node never saw stops there, and a rule without training rows says so."""
    X = Table([category_column("a", list("xxxxyyyy")), category_column("b", list("ppqqpqrr"))])
    tree = TreeClassifier.id3(prune=None).fit(X, [0, 0, 1, 1, 2, 2, 2, 2])
    empty = [str(rule) for rule in tree.rules() if rule.n_rows == 0]
    assert empty == ["If a is x or unknown, and b is r: 0 (no training rows)"]
    probe = Table([category_column("a", ["x", "y"]), category_column("b", ["r", "q"])])
    assert tree.rules().predict(probe).tolist() == tree.predict(probe).tolist()


def test_the_text_of_a_rule():
    """Names, ranges, levels, coverage, accuracy and interval stand in one sentence."""
    age = np.array([18.0, 19, 25, 30, 33, 35, 40, 41, 25, 30, 33, 34])
    outlook = ["Sunny"] * 8 + ["Rain"] * 4
    X = Table([Column("age", "number", age), category_column("outlook", outlook)])
    y = ["No", "No", "Yes", "Yes", "Yes", "Yes", "No", "No", "No", "No", "No", "No"]
    tree = TreeClassifier.cart(missing="column_mode", prune=None).fit(X, y)
    assert str(tree.rules()[2]) == (
        "If outlook is Sunny, and age is above 22 and at most 37.5: Yes (4 rows, none wrong)"
    )


def test_weights_are_told_where_they_differ_from_rows():
    """A rule of weighted rows tells both; a regression tells no accuracy."""
    tree = TreeClassifier.cart(prune=None).fit([[0.0], [1.0]], ["a", "b"], sample_weight=[1.5, 2.0])
    assert "a (1 row of weight 1.5, none wrong" in str(tree.rules()[0])
    mean = TreeRegressor(min_leaf=1, prune=None).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    assert str(mean.rules()[0]) == "If x0 is at most 1.5 or unknown: 1 (2 rows)"
    assert np.isnan(mean.rules()[0].accuracy)


@pytest.mark.filterwarnings("ignore:the mean weight of a row")
@pytest.mark.parametrize("weight", [5e-324, 1e-320, 1e-310, 1e-160])
def test_rows_of_hardly_any_weight_have_a_text(weight):
    """A rule of next to no weight says so: its accuracy is told, and its interval is all there is."""
    rows, classes = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"]
    tree = TreeClassifier(prune=None).fit(rows, classes, sample_weight=[weight] * 4)
    told = f"a (4 rows of weight {4 * weight:.2g}, 25% of the weight wrong)"
    assert tree.rules().to_text() == f"Always: {told}"
    assert str(RuleClassifier.from_tree(tree, rows, classes, [weight] * 4)).endswith(told)


def test_a_tree_of_one_leaf_has_one_rule():
    """Without a split there is nothing to ask."""
    tree = TreeClassifier(prune=None).fit([[1.0], [2.0]], ["a", "a"])
    assert str(tree.rules()) == "Always: a (2 rows, none wrong)"
    assert tree.to_dnf("a") == "true"


def test_rules_stay_when_the_tree_is_fitted_anew():
    """Rules are those of the tree as it was."""
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    tree = TreeClassifier.cart(prune=None).fit(X, [0, 0, 1, 1])
    rules = tree.rules()
    tree.fit(X, [1, 1, 0, 0])
    assert rules.predict(X).tolist() == [0, 0, 1, 1]
    assert len(rules[:1]) == 1


def test_a_class_that_is_not_there_has_no_formula():
    """The error names the classes that there are."""
    tree = TreeClassifier(min_leaf=1, prune=None).fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(RequestError, match="there is no class 'c'") as caught:
        tree.to_dnf("c")
    assert caught.value.where == "the tree has 2: 'a', 'b'"
    regression = TreeRegressor().fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(RequestError, match="has no classes"):
        regression.rules().predict_proba([[0.0]])


def test_a_class_that_is_never_answered_has_the_empty_formula():
    """No leaf of the tree has a majority of the rarest class."""
    tree = TreeClassifier(max_depth=0, prune=None).fit([[0.0], [1.0], [2.0]], ["a", "a", "b"])
    assert (tree.to_dnf("a"), tree.to_dnf("b")) == ("true", "false")


@given(SEEDS, SPLITS)
@settings(max_examples=25)
def test_the_formula_is_true_where_the_tree_says_so(seed, splits):
    """Read by a plain interpreter, the formula holds for just the rows of known values of its class."""
    X, y = random_rows(seed, 50, gaps=0), random_classes(seed, 50)
    tree = TreeClassifier(categorical_splits=splits, min_leaf=1, prune=None).fit(X.drop("joined"), y)
    rows = random_rows(seed + 9, 40, gaps=0).drop("joined")
    answers = tree.predict(rows)
    for class_ in tree.classes_.tolist():
        formula = tree.to_dnf(class_)
        cells = {name: rows[name].labels() for name in rows}
        found = [
            holds(formula, {name: labels[place] for name, labels in cells.items()})
            for place in range(rows.n_rows)
        ]
        assert found == (answers == class_).tolist()


def holds(formula: str, row: dict[str, str]) -> bool:
    """Whether the formula is true of the row."""
    if formula in ("true", "false"):
        return formula == "true"
    return any(
        all(atom_holds(atom, row) for atom in part.strip("()").split(" ∧ ")) for part in formula.split(" ∨ ")
    )


def atom_holds(atom: str, row: dict[str, str]) -> bool:
    words = atom.split(" ")
    if words[1] == "<":
        return float(words[0]) < float(row[words[2]]) <= float(words[4])
    name, sign, rest = words[0], words[1], " ".join(words[2:])
    if sign in "≤>":
        return (float(row[name]) <= float(rest)) == (sign == "≤")
    levels = rest.strip("{}").split(", ")
    return (row[name] in levels) == (sign in "=∈")


def test_a_very_deep_tree_has_rules():
    """A chain of thousands of splits on one column is read without recursion, each rule a short range."""
    n_rows = 5000
    tree = TreeClassifier.cart(prune=None).fit(np.arange(float(n_rows))[:, None], np.arange(n_rows) % 2)
    rules = tree_rules(tree)
    assert len(rules) == tree.n_leaves_ == n_rows
    assert tree.depth_ > 1000
    assert all(len(rule.conditions) == 1 for rule in rules)
