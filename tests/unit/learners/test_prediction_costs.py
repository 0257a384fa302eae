"""What a prediction costs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import TreeClassifier, TreeRegressor
from heldout.learners import score_attributes

from .random_tables import other_rows, random_classes, random_rows

COSTS = {"size": 2.0, "town": 30.0, "joined": 0.5}


@given(st.integers(0, 2**20), st.sampled_from(["node_mode", "column_mode", "fractional"]))
@settings(max_examples=30)
def test_a_row_pays_once_for_every_column_that_it_is_asked_for(seed, missing):
    """The explanation of a row names the columns, and their costs are the cost of the row."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    tree = TreeClassifier(missing=missing, feature_costs=COSTS, min_leaf=1, prune=None).fit(X, y)
    rows = other_rows(seed, 8)
    paid = tree.prediction_costs(rows)
    for place in range(rows.n_rows):
        asked = {step.column for step in tree.explain(rows[[place]]).steps} - {""}
        assert paid[place] == pytest.approx(sum(COSTS.get(name, 1.0) for name in asked))


@given(st.integers(0, 2**20), st.sampled_from(["node_mode", "column_mode"]), st.booleans())
@settings(max_examples=30)
def test_the_expected_cost_is_the_mean_over_the_training_rows(seed, missing, is_weighted):
    """The nodes' weights alone give the weighted mean of what the training rows pay."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    weights = np.random.default_rng(seed).integers(1, 5, 50).astype(float) if is_weighted else None
    tree = TreeClassifier(missing=missing, feature_costs=COSTS, prune=None).fit(X, y, sample_weight=weights)
    wanted = np.average(tree.prediction_costs(X), weights=weights)
    assert tree.expected_cost_ == pytest.approx(wanted)


def test_split_rows_pay_their_parts_in_the_expected_cost():
    """A part of a row counts with its part in the mean, though the row itself pays in full."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [np.nan, 0.0]])
    tree = TreeClassifier(
        missing="fractional", numeric_cuts="plain", min_leaf=0.5, feature_costs=[4, 10], prune=None
    ).fit(X, ["a", "b", "c", "c", "c"])
    assert tree.prediction_costs(X).tolist() == [14, 14, 4, 4, 14]
    assert tree.expected_cost_ == pytest.approx((4 * 5 + 10 * 2.5) / 5)


def test_a_tree_shows_its_expected_cost_where_costs_were_given():
    """The last line tells the expected cost; without costs there is no such line, and a column costs 1."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = ["a", "b", "c", "c"]
    tree = TreeClassifier.cart(feature_costs={"x1": 10}, prune=None).fit(X, y)
    assert str(tree).splitlines()[-1] == "expected cost of a prediction: 6"
    assert tree.feature_costs_.tolist() == [1, 10]
    plain = TreeClassifier.cart(prune=None).fit(X, y)
    assert "cost" not in str(plain)
    assert plain.expected_cost_ == 1.5
    assert plain.prediction_costs(X).tolist() == [2, 2, 1, 1]
    mean = TreeRegressor(min_leaf=1, feature_costs=[3, 4], prune=None).fit(X, [0, 1, 5, 5])
    assert mean.expected_cost_ == pytest.approx(5.0)


def test_costs_are_those_of_fit():
    """A parameter that is changed after fit changes nothing until the next fit."""
    X = np.array([[0.0], [1.0]])
    tree = TreeClassifier(min_leaf=1, feature_costs=[7], prune=None).fit(X, [0, 1])
    tree.set_params(feature_costs=[9])
    assert tree.expected_cost_ == 7


def test_a_leaf_costs_nothing():
    """A tree without a split asks for nothing."""
    tree = TreeClassifier(feature_costs=[7], prune=None).fit([[0.0], [1.0]], [1, 1])
    assert tree.expected_cost_ == 0
    assert tree.prediction_costs([[5.0]]).tolist() == [0]


def chosen_column(gains: list[float], costs: list[float], rule: str, exponent: float = 1.0) -> int:
    """The column that the published formula prefers."""
    if rule == "tan_schlimmer":
        scores = [gain**2 / cost for gain, cost in zip(gains, costs, strict=True)]
    else:
        scores = [(2**gain - 1) / (cost + 1) ** exponent for gain, cost in zip(gains, costs, strict=True)]
    return int(np.argmax(scores))


def two_columns() -> tuple[np.ndarray, np.ndarray]:
    """Eight rows; the first column gains 1 bit, the second .188722."""
    X = np.array([[0, 0], [0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [1, 1]], dtype=float)
    return X, np.array([0, 0, 0, 0, 1, 1, 1, 1])


@pytest.mark.parametrize(
    ("rule", "exponent", "turning_cost"),
    [
        ("tan_schlimmer", 1.0, 1 / 0.1887218755408671**2),
        ("nunez", 1.0, 2 / (2**0.1887218755408671 - 1) - 1),
        ("nunez", 0.5, 2 * 1 / (2**0.1887218755408671 - 1) ** 2 - 1),
    ],
)
def test_the_cost_at_which_the_cheaper_column_wins(rule, exponent, turning_cost):
    """gain²/cost and (2^gain − 1)/(cost + 1)^w, worked out by hand: 1² / c = .188722² / 1, and so on."""
    X, y = two_columns()
    assert [score.gain for score in score_attributes(X, y)] == pytest.approx([1, 0.1887218755408671])
    roots = []
    for factor in (0.99, 1.01):
        costs = [turning_cost * factor, 1.0]
        tree = TreeClassifier.id3(
            feature_costs=costs, cost_rule=rule, cost_exponent=exponent, max_depth=1, prune=None
        ).fit(X, y)
        roots.append(int(tree.tree_.grown.feature[0]))
        assert roots[-1] == chosen_column([1, 0.1887218755408671], costs, rule, exponent)
    assert roots == [0, 1]


@pytest.mark.parametrize("criterion", ["gain_ratio", "entropy"])
def test_costs_weigh_the_gain_and_not_the_ratio(criterion):
    """Four towns gain 1 bit with a ratio of 1/2; the flag gains .5488 with a ratio of .5750.

    The flag has the larger ratio, and without costs gain ratio takes it. By gain² / cost the towns win at
    equal costs, 1 against .3012, and lose when they cost more than 1 / .5488² = 3.3202 times as much; by
    ratio they would lose at once, .25 against .3307. The average gain, .7744, would forbid the flag.
    """
    towns = pd.Categorical(["a", "b", "a", "b", "c", "d", "c", "d"])
    flag = pd.Categorical(["x", "x", "x", "x", "x", "y", "y", "y"])
    X, y = pd.DataFrame({"town": towns, "flag": flag}), [0, 0, 0, 0, 1, 1, 1, 1]
    town, other = score_attributes(X, y)
    assert (town.gain, town.gain_ratio) == (1, 0.5)
    assert (other.gain, other.gain_ratio) == pytest.approx((0.548795, 0.574996), abs=1e-6)
    turning = 1 / other.gain**2
    assert turning == pytest.approx(3.3203, abs=1e-4)

    def root(**changes):
        tree = TreeClassifier(criterion=criterion, max_depth=1, min_leaf=1, prune=None, **changes)
        return X.columns[tree.fit(X, y).tree_.grown.feature[0]]

    assert root(average_gain=False) == ("flag" if criterion == "gain_ratio" else "town")
    for average_gain in (True, False):
        assert root(average_gain=average_gain, feature_costs=[1, 1]) == "town"
        assert root(average_gain=average_gain, feature_costs=[turning * 0.99, 1]) == "town"
        assert root(average_gain=average_gain, feature_costs=[turning * 1.01, 1]) == "flag"


def test_costs_of_a_regression_weigh_the_share_of_the_variance():
    """x0 explains 16/17 of the variance and x1 the rest, so a cost of 256 turns the choice, in any unit."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    y = np.array([0, 1, 4, 5], dtype=float)
    for unit in (1.0, 1000.0):
        roots = []
        for cost in (255, 257):
            tree = TreeRegressor(feature_costs=[cost, 1], max_depth=1, min_leaf=1, prune=None)
            roots.append(int(tree.fit(X, y * unit).tree_.grown.feature[0]))
        assert roots == [0, 1]
