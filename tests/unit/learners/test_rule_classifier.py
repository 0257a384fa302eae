"""Lists of rules."""

import pickle
from copy import copy
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedKFold

from heldout import (
    Column,
    DataError,
    InputTypeError,
    RequestError,
    RuleClassifier,
    Table,
    TreeClassifier,
    TreeRegressor,
    datasets,
)

from .random_tables import other_rows, random_classes, random_rows
from .tables import FORMS, mixed_answers, mixed_cells


def first_match(rules: RuleClassifier, rows: Table) -> list[str]:
    """The answers by reading the rules one row at a time."""
    cells = {name: rows[name].labels() for name in rows}
    numbers = {name: rows[name].values for name in ("size", "joined")}
    answers = []
    for place in range(rows.n_rows):
        answer = rules.default_class_
        for rule in rules.rules_:
            is_met = True
            for condition in rule.conditions:
                name = condition.column.name
                if cells[name][place] is None:
                    is_met = False
                elif condition.levels is not None:
                    allowed = [condition.column.levels[level] for level in condition.levels]
                    is_met &= cells[name][place] in allowed
                else:
                    low = -np.inf if condition.low is None else condition.low.threshold
                    high = np.inf if condition.high is None else condition.high.threshold
                    is_met &= bool(low < numbers[name][place] <= high)
            if is_met:
                answer = rule.prediction
                break
        answers.append(answer)
    return answers


@pytest.mark.slow
@given(st.integers(0, 2**20), st.sampled_from(["pessimistic", "validation"]))
@settings(max_examples=30)
def test_the_first_rule_that_is_met_answers(seed, estimate):
    """A plain reading of the rules gives what predict gives; the unknown meets no condition."""
    X, y = random_rows(seed, 80), random_classes(seed, 80, 2)
    rules = RuleClassifier(estimate=estimate, min_leaf=1).fit(X, y)
    for rows in (X, other_rows(seed, 30)):
        assert rules.predict(rows).tolist() == first_match(rules, rows)


@pytest.mark.slow
@given(st.integers(0, 2**20), st.booleans())
@settings(max_examples=30)
def test_what_the_rules_tell_of_themselves_is_counted(seed, is_weighted):
    """Coverage, accuracy and probabilities are those of the training rows, by weight."""
    X, y = random_rows(seed, 80), random_classes(seed, 80)
    weights = np.random.default_rng(seed).integers(1, 4, 80).astype(float) if is_weighted else np.ones(80)
    rules = RuleClassifier(min_leaf=1, smoothing=0).fit(X, y, sample_weight=weights)
    predicted_by = np.full(80, len(rules.rules_))
    for place, rule in reversed(list(enumerate(rules.rules_))):
        alone = copy(rules)
        alone.rules_ = [rule]
        inside = alone._rule_indices(X) == 0
        predicted_by[inside] = place
        assert rule.n_rows == inside.sum()
        assert rule.weight == weights[inside].sum()
        assert rule.right == weights[inside & (y == rule.prediction)].sum()
    found = rules.predict_proba(X)
    for place, rule in enumerate([*rules.rules_, rules.default_rule_]):
        inside = predicted_by == place
        if inside.any():
            shares = [weights[inside & (y == label)].sum() for label in rules.classes_]
            assert found[inside] == pytest.approx(np.tile(shares / np.sum(shares), (inside.sum(), 1)))
            assert rule.prediction == rules.classes_[np.argmax(shares)]


@pytest.mark.slow
@given(st.integers(0, 2**20))
@settings(max_examples=30)
def test_a_weight_is_a_number_of_rows(seed):
    """A row of weight 2 counts like two rows, and a row of weight 0 like none."""
    X, y = random_rows(seed, 60), random_classes(seed, 60, 2)
    weights = np.random.default_rng(seed).integers(0, 3, 60)
    repeated = np.repeat(np.arange(60), weights)
    weighted = RuleClassifier().fit(X, y, sample_weight=weights)
    copied = RuleClassifier().fit(X[repeated], y[repeated])
    assert [rule.formula() for rule in weighted.rules_] == [rule.formula() for rule in copied.rules_]
    assert weighted.predict_proba(X) == pytest.approx(copied.predict_proba(X))


def test_rules_are_fewer_than_leaves_and_as_good():
    """In folds of two tables a few rules are about as accurate as the whole unpruned tree."""
    right: dict[str, list[float]] = {"tree": [], "rules": []}
    for name, target in (("house_votes", "party"), ("penguins", "species")):
        table = datasets.load(name)
        X, y = table.drop(target), np.array(table[target].labels())
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(y, y):
            tree = TreeClassifier(prune=None).fit(X[train], y[train])
            rules = RuleClassifier().fit(X[train], y[train])
            assert len(rules.rules_) < tree.n_leaves_ / 2
            right["tree"] += (tree.predict(X[test]) == y[test]).tolist()
            right["rules"] += (rules.predict(X[test]) == y[test]).tolist()
    assert np.mean(right["rules"]) >= np.mean(right["tree"]) - 0.01


def test_a_fitted_tree_gives_the_same_rules():
    """from_tree on the tree that fit would grow gives what fit gives."""
    cells = mixed_cells(200)
    X, y = FORMS["table"](cells), mixed_answers(cells)
    tree = TreeClassifier.c45(prune=None).fit(X, y)
    direct = RuleClassifier().fit(X, y)
    assert str(RuleClassifier.from_tree(tree, X, y)) == str(direct)
    assert str(RuleClassifier.from_tree(tree, X, y, sample_weight=np.ones(200))) == str(direct)


def test_every_form_of_x_gives_the_same_rules():
    """A table and the frames of three libraries are read alike, sparse and dense arrays too."""
    cells = mixed_cells(120)
    y = mixed_answers(cells)
    texts = {str(RuleClassifier().fit(form(cells), y)) for form in FORMS.values()}
    assert len(texts) == 1
    X = np.random.default_rng(0).integers(0, 4, (90, 3)).astype(float)
    labels = (X[:, 0] > 1).astype(int)
    dense, sparse = RuleClassifier().fit(X, labels), RuleClassifier().fit(csr_matrix(X), labels)
    assert str(dense) == str(sparse)
    assert sparse.predict(csr_matrix(X)).tolist() == dense.predict(X).tolist()


def test_validation_rows_may_be_given():
    """Given rows decide which preconditions stay, and nothing is set aside."""
    draw = np.random.default_rng(3)
    X = draw.normal(size=(300, 4))
    y = ((X[:, 0] > 0) ^ (draw.random(300) < 0.2)).astype(int)
    other = draw.normal(size=(200, 4))
    truth = (other[:, 0] > 0).astype(int)
    rules = RuleClassifier(estimate="validation").fit(X, y, validation=(other, truth))
    assert sum(rule.n_rows for rule in rules.rules_) >= 100
    assert {condition.column.name for rule in rules.rules_ for condition in rule.conditions} == {"x0"}
    tree = TreeClassifier(prune=None).fit(X, y)
    given = RuleClassifier.from_tree(tree, X, y, estimate="validation", validation=(other, truth))
    assert str(given) == str(rules)


def test_the_seed_decides_what_is_set_aside():
    """The same seed gives the same rules, another seed mostly others."""
    X, y = random_rows(1, 200), random_classes(1, 200, 2)
    texts = [str(RuleClassifier(estimate="validation", random_state=seed).fit(X, y)) for seed in (0, 0, 1, 2)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
    assert texts[0] == str(RuleClassifier(estimate="validation").fit(X, y))


def test_a_weight_does_not_put_a_row_on_both_sides():
    """Of 200 rows of weight 2 a quarter is set aside, and the other 150 rows make the rules."""
    X, y = random_rows(2, 200), random_classes(2, 200, 2)
    rules = RuleClassifier(estimate="validation", max_depth=0).fit(X, y, sample_weight=np.full(200, 2.0))
    assert (rules.default_rule_.n_rows, rules.default_rule_.weight) == (150, 300)


def test_groups_are_set_aside_together():
    """What the rules were counted on is seven whole groups, so three whole ones were set aside."""
    X, y = random_rows(4, 200, gaps=0.0), random_classes(4, 200, 2)
    groups = np.repeat(np.arange(10), 20)
    rules = RuleClassifier(estimate="validation", validation_fraction=0.3, smoothing=0).fit(
        X, y, groups=groups
    )
    assert len(growing_groups(rules, X, y, groups)) == 7


def growing_groups(rules: RuleClassifier, X: Table, y: np.ndarray, groups: np.ndarray) -> list[int]:
    """The seven groups whose rows have the shares of classes that the rules tell."""
    places = rules._rule_indices(X)
    wanted = [rule.distribution for rule in [*rules.rules_, rules.default_rule_]]
    for chosen in combinations(range(10), 7):
        inside = np.isin(groups, chosen)
        found = []
        for place in range(len(wanted)):
            labels = y[inside & (places == place)]
            found.append([np.mean(labels == label) if len(labels) else 0.0 for label in rules.classes_])
        if np.allclose(found, wanted):
            return list(chosen)
    raise AssertionError("the rows that were grown on are not seven whole groups")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"estimate": "guess"}, "estimate must be 'pessimistic' or 'validation'"),
        ({"prune_confidence": 0}, "prune_confidence must be a number above 0 and at most 0.5"),
        ({"validation_fraction": 1.0}, "validation_fraction must be a number above 0 and below 1"),
        ({"min_leaf": 0}, "min_leaf must be a number above 0"),
        ({"n_jobs": 0}, "n_jobs must be"),
    ],
)
def test_parameters_are_checked(settings, words):
    """A value that is not allowed is refused, with those that are."""
    with pytest.raises(RequestError, match=words):
        RuleClassifier(**settings).fit([[0.0], [1.0]], [0, 1])


def test_what_cannot_be_asked_is_refused():
    """Validation rows without use, a tree validated on its own rows, other models, unknown classes."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    tree = TreeClassifier(prune=None).fit(X, y)
    with pytest.raises(RequestError, match="rules are not judged by them"):
        RuleClassifier().fit(X, y, validation=(X, y))
    with pytest.raises(RequestError, match="cannot be validated"):
        RuleClassifier.from_tree(tree, X, y, estimate="validation")
    with pytest.raises(InputTypeError, match="made from a TreeClassifier"):
        RuleClassifier.from_tree(TreeRegressor().fit(X, y), X, y)
    with pytest.raises(DataError, match="classes that the tree does not know"):
        RuleClassifier.from_tree(tree, X, [0, 0, 1, 7])


def test_one_class_needs_no_rule():
    """A table of one class is answered by the default."""
    rules = RuleClassifier().fit([[0.0], [1.0], [2.0]], ["a", "a", "a"])
    assert str(rules) == "Always: a (3 rows, none wrong)"
    assert rules.rules_ == []
    assert rules.default_class_ == "a"


def test_rules_survive_pickle():
    """A pickled list of rules answers as before."""
    cells = mixed_cells(100)
    X = FORMS["pandas"](cells)
    rules = RuleClassifier().fit(X, mixed_answers(cells))
    again = pickle.loads(pickle.dumps(rules))
    assert str(again) == str(rules)
    assert again.predict_proba(X).tolist() == rules.predict_proba(X).tolist()


def test_warnings_point_to_the_line_that_called_fit():
    """Lost digits and small weights are told where the user can mend them."""
    X = np.array([[2**53 + 1], [0], [1], [5]])
    with pytest.warns(UserWarning, match="lose their last digits") as digits:
        RuleClassifier().fit(X, [0, 1, 0, 1])
    with pytest.warns(UserWarning, match="the mean weight of a row") as weights:
        RuleClassifier().fit(np.zeros((4, 1)), [0, 1, 0, 1], sample_weight=[1e-3] * 4)
    assert digits[0].filename == weights[0].filename == __file__


def test_an_unfitted_list_prints_as_its_settings():
    """print() shows the rules once there are some."""
    rules = RuleClassifier(min_leaf=5)
    assert str(rules) == repr(rules) == "RuleClassifier(min_leaf=5)"


def test_names_of_columns_stay_where_rows_are_given_to_judge_on():
    """Rows of `validation`, and those of `from_tree`, do not make a learner forget its columns' names."""
    X = Table([Column("age", "number", np.arange(40.0))])
    y = np.where(np.arange(40) < 20, "young", "old")
    tree = TreeClassifier.cart(prune="reduced_error").fit(X, y, validation=(X, y))
    validated = RuleClassifier(estimate="validation").fit(X, y, validation=(X, y))
    for learner in (tree, validated, RuleClassifier.from_tree(tree, X, y)):
        assert learner.feature_names_in_.tolist() == ["age"]
        assert learner.predict(X).tolist() == y.tolist()
