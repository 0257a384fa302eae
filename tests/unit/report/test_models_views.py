"""What is said of a fitted model in plain values: the numbers are those of others, the texts are bounded."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.report.models.model_figures import model_figures
from heldout.report.models.model_text import FEW_LINES, MOST_CHARACTERS, MOST_LINES
from heldout.report.models.views.coefficient_view import MOST_COEFFICIENTS
from heldout.report.models.views.model_view import is_readable, model_view

RANDOM = np.random.default_rng(11)
NUMBERS = RANDOM.normal(size=(400, 6))
CLASSES = np.where(np.sin(3 * NUMBERS[:, 0]) + NUMBERS[:, 1] * NUMBERS[:, 2] > 0, "stay", "leave")
TARGETS = 3 * NUMBERS[:, 0] - NUMBERS[:, 1] + RANDOM.normal(size=400)
HOSTILE = "<script>alert('x')</script> & \"y\" \u202e" + "long " * 50


def hostile_frame() -> ho.Table:
    """Six columns with names that mean harm, and one of many levels."""
    columns = {f"{HOSTILE}{place}": NUMBERS[:, place].tolist() for place in range(6)}
    return ho.read_table(columns | {"level": [f"<b>{n % 40}</b>" for n in range(400)]})


FITTED: dict[str, Any] = {
    "tree": ho.TreeClassifier(numeric_cuts="plain", min_leaf=1, prune=None).fit(
        NUMBERS, RANDOM.permutation(CLASSES)
    ),
    "regression tree": ho.TreeRegressor(min_leaf=3).fit(NUMBERS, TARGETS),
    "leaf": ho.TreeClassifier(max_depth=0).fit(NUMBERS, CLASSES),
    "rules": ho.RuleClassifier().fit(NUMBERS, CLASSES),
    "forest": ho.ForestClassifier(10).fit(NUMBERS, CLASSES),
    "linear": ho.LinearRegressor().fit(NUMBERS, TARGETS),
    "ridge": make_pipeline(ho.Scale(), ho.RidgeRegressor()).fit(NUMBERS, TARGETS),
    "perceptron": ho.Perceptron().fit(NUMBERS, CLASSES),
    "three": ho.Perceptron().fit(NUMBERS, np.array(list("abc"))[np.arange(400) % 3]),
    "voted": ho.Perceptron(variant="voted", epochs=1).fit(NUMBERS[:40], CLASSES[:40]),
    "near": ho.NeighborsClassifier(k=3, weights="inverse").fit(NUMBERS, CLASSES),
    "guess": ho.BaselineClassifier().fit(NUMBERS, CLASSES),
    "mean": ho.BaselineRegressor().fit(NUMBERS, TARGETS),
    "foreign": DecisionTreeClassifier(random_state=0).fit(NUMBERS, CLASSES),
    "hostile": ho.TreeClassifier(min_leaf=2).fit(hostile_frame(), CLASSES),
    "hostile rules": ho.RuleClassifier().fit(hostile_frame(), CLASSES),
}
FORMS = {
    "tree": "tree", "regression tree": "tree", "leaf": "tree", "hostile": "tree", "rules": "rules",
    "hostile rules": "rules", "forest": "importances", "linear": "coefficients", "ridge": "coefficients",
    "perceptron": "coefficients", "three": "coefficients", "voted": "none", "near": "rows",
    "guess": "class", "mean": "constant", "foreign": "none",
}  # fmt: skip


@pytest.mark.parametrize("name", FITTED)
def test_every_view_is_plain_bounded_and_has_a_takeaway(name: str) -> None:
    """Any model becomes JSON with a sentence; its texts fit a terminal, its pictures and numbers a page."""
    view = model_view(FITTED[name])
    assert view["form"] == FORMS[name]
    assert json.loads(json.dumps(view, allow_nan=False)) == view
    assert len(json.dumps(view)) < 40_000
    assert view["takeaway"].endswith(".")
    for text, most_lines in ((view["text"], MOST_LINES), (view["short"], FEW_LINES)):
        lines = text.split("\n")
        assert len(lines) <= most_lines
        assert max(map(len, lines)) <= MOST_CHARACTERS
    [(_, figures)] = model_figures([view])
    assert sum(len(figure.picture) + len(figure.narrow) for figure in figures) < 60_000
    assert not any("<script>" in figure.picture + figure.narrow for figure in figures)
    assert all(figure.takeaway and figure.rows and figure.headings for figure in figures)


def test_coefficients_and_intervals_are_those_of_scipy() -> None:
    """With one column the interval of the slope is estimate ± t · standard error of scipy's linregress."""
    x, y = NUMBERS[:50, 0], TARGETS[:50]
    view = model_view(ho.LinearRegressor().fit(x[:, None], y))
    peer = stats.linregress(x, y)
    reach = stats.t.ppf(0.975, 48) * peer.stderr
    intercept, slope = view["coefficients"]
    assert slope["estimate"] == pytest.approx(peer.slope)
    assert (slope["low"], slope["high"]) == pytest.approx((peer.slope - reach, peer.slope + reach))
    assert slope["p"] == pytest.approx(peer.pvalue, rel=1e-6)
    assert intercept["estimate"] == pytest.approx(peer.intercept)
    assert view["has_intervals"]


def test_ridge_coefficients_are_those_of_scikit_learn_and_have_no_interval() -> None:
    """The numbers are a peer's, and the page says why there is no interval around them."""
    view = model_view(FITTED["ridge"])
    peer = make_pipeline(StandardScaler(), Ridge(alpha=1.0)).fit(NUMBERS, TARGETS)
    found = [row["estimate"] for row in view["coefficients"]]
    assert found == pytest.approx([peer[-1].intercept_, *peer[-1].coef_])
    assert all(row["low"] is None for row in view["coefficients"])
    assert "penalty" in view["why_no_interval"]
    assert view["is_scaled"]
    assert view["prepared"] == ["scale"]


def test_the_ends_of_the_drawing_hold_the_rows_that_end_there() -> None:
    """Counts on the cards are those of rows that the conditions pick, counted here by themselves."""
    tree = ho.TreeClassifier(max_depth=2, min_leaf=20).fit(NUMBERS, CLASSES)
    [(_, [figure])] = model_figures([model_view(tree)])
    for way, answer, said in figure.rows:
        is_there = np.ones(400, dtype=bool)
        for condition in way.split(" and "):
            name, sign, number = condition.split(" ")
            column = NUMBERS[:, int(name.removeprefix("x"))]
            is_there &= column <= float(number) if sign == "<=" else column > float(number)
        counts = Counter(CLASSES[is_there].tolist())
        assert said.rstrip(".").endswith(f"of {is_there.sum()}") or f"all {is_there.sum()} are" in said
        assert counts.most_common(1)[0][0] == answer
        assert f"{answer} {counts[answer]}" in said or len(counts) == 1


def test_shares_of_a_guess_are_counted() -> None:
    """The shares of the classes are those of a plain count."""
    view = model_view(FITTED["guess"])
    counts = Counter(CLASSES.tolist())
    assert {row["class"]: row["share"] for row in view["shares"]} == {
        name: pytest.approx(count / 400) for name, count in counts.items()
    }
    assert view["answer"] == counts.most_common(1)[0][0]


def test_a_large_tree_is_folded_and_says_so() -> None:
    """Of a tree with many leaves the parts with the most rows are drawn; text and note tell the rest."""
    view = model_view(FITTED["tree"])
    assert view["n_leaves"] > 30
    assert "leaves below" in view["text"]
    [(_, [figure])] = model_figures([view])
    assert len(figure.rows) <= 16
    assert f"the tree has {view['n_leaves']} leaves" in figure.notes[0]


def test_a_tree_of_one_leaf_asks_nothing() -> None:
    """A tree that never splits is shown as what it is."""
    view = model_view(FITTED["leaf"])
    assert "predicts the same for every row" in view["takeaway"]
    assert (view["columns"], view["depth"], view["n_leaves"]) == ([], 0, 1)


def test_rules_are_listed_from_the_top_with_the_default_last() -> None:
    """The list has every rule in its order, and the answer for all other rows at its end."""
    rules = FITTED["rules"]
    view = model_view(rules)
    assert [rule["answer"] for rule in view["rules"][:-1]] == [
        rule.prediction_text for rule in rules.rules_[: len(view["rules"]) - 1]
    ]
    assert view["rules"][-1]["conditions"] == []
    assert view["n_left_out"] == view["n_rules"] + 1 - len(view["rules"])


def test_many_coefficients_are_counted_where_they_are_left_out() -> None:
    """Of a wide model the largest coefficients are kept, and how many are missing is said."""
    wide = np.random.default_rng(0).normal(size=(150, 100))
    view = model_view(ho.RidgeRegressor().fit(wide, wide @ np.arange(100)))
    kept = [row["name"] for row in view["coefficients"]]
    assert len(kept) == MOST_COEFFICIENTS + 1
    assert view["n_left_out"] == 100 - MOST_COEFFICIENTS
    assert "x99" in kept
    assert "x0" not in kept
    [(_, [figure])] = model_figures([view])
    assert any("leaves out 40 columns" in note for note in figure.notes)


def test_only_trees_and_rules_are_read_as_they_are() -> None:
    """Behind a preparation a tree stays readable; a forest or a formula is not."""
    assert is_readable(make_pipeline(ho.Scale(), ho.TreeClassifier()))
    assert is_readable(ho.RuleClassifier())
    assert not any(is_readable(FITTED[name]) for name in ("forest", "ridge", "near", "guess", "foreign"))


def test_words_are_shown_by_name_and_not_as_positions():
    """Counted words come as a sparse matrix without names; the weights are shown by word nevertheless."""
    dishes = ["bean burrito", "bean taco", "beef burger", "big beef", "hot taco", "cheese burger"] * 5
    shops = ["Bell", "Bell", "King", "King", "Bell", "King"] * 5
    table = ho.read_table({"dish": dishes, "price": np.arange(30.0), "shop": shops}, kinds={"dish": "text"})
    task = ho.Task(table, "shop")
    model = make_pipeline(ho.prepare_for(ho.Perceptron(), task.X), ho.Perceptron())
    view = model_view(model.fit(task.X, task.y))
    names = {row["name"] for row in view["coefficients"]}
    assert {"dish: burrito", "dish: taco", "price"} <= names
    assert not any(name.startswith("x") for name in names)
    assert "dish: burger" in view["text"]
    assert view["takeaway"].startswith("dish: ")
