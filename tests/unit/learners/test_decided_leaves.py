"""What is shown of a model with a threshold: the classes that are decided for, never the most likely ones."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout.charts.partition_picture import partition_svg
from heldout.learners.decision_threshold import DecisionThreshold
from heldout.learners.pictures.tree_pictures import plane_of_tree
from heldout.report.models.views.model_view import class_view, is_readable, model_view

THRESHOLD = 0.2


def rare_table() -> tuple[ho.Table, list[str]]:
    """A table with 12% positives, and gaps: the most likely class of nearly every leaf is "no"."""
    generator = np.random.default_rng(3)
    numbers = generator.normal(size=(900, 2))
    city = generator.choice(["a", "b", "c"], 900)
    signal = numbers[:, 0] + 0.6 * (city == "a") + 0.9 * generator.normal(size=900)
    y = np.where(signal > np.quantile(signal, 0.88), "yes", "no").tolist()
    numbers[generator.random(numbers.shape) < 0.05] = np.nan
    return ho.read_table({"age": numbers[:, 0], "debt": numbers[:, 1], "city": city}), y


def at_threshold(learner: Any, threshold: float = THRESHOLD) -> tuple[Any, ho.Table]:
    X, y = rare_table()
    return ho.ThresholdClassifier(learner, threshold=threshold, positive="yes").fit(X, y), X


def test_every_leaf_says_what_is_predicted_there() -> None:
    """The class in the text of the leaf that a row ends in is the class that the row gets."""
    model, X = at_threshold(ho.TreeClassifier(missing="node_mode", min_leaf=10))
    tree = model.decided
    leaf_texts = [tree._leaf_text(int(node)) for node in model.estimator_.apply(X)]
    assert [text.split(" (")[0] for text in leaf_texts] == model.predict(X).tolist()
    assert model.predict(X).tolist() != model.estimator_.predict(X).tolist()
    lines = model.to_text().split("\n")
    assert lines[-1] == "It predicts yes from a probability of 20% on."
    assert {text for text in leaf_texts if text.startswith("yes")} <= {
        line.split(": ")[-1] for line in lines[:-1]
    }


def test_the_share_beside_a_leaf_is_the_probability_that_is_compared() -> None:
    """Each leaf ends in the rounded probability of the positive class, which lies on the side it says."""
    model, X = at_threshold(ho.TreeClassifier(missing="node_mode", min_leaf=10))
    probabilities = model.predict_proba(X)[:, 1]
    for node, probability in zip(model.estimator_.apply(X), probabilities, strict=True):
        share = re.search(r"; <?([\d.]+)% yes\)$", model.decided._leaf_text(int(node)))
        assert share
        assert float(share[1]) == pytest.approx(100 * probability, abs=0.7)


def test_the_estimator_itself_still_shows_the_most_likely_class() -> None:
    """Showing what is decided changes nothing in the fitted estimator."""
    model, X = at_threshold(ho.TreeClassifier(min_leaf=10))
    before = model.estimator_.to_text()
    assert "; " in model.to_text()
    assert "; " not in before
    shown = (model.rules(), model.to_svg(), model.explain(X[:1]))
    assert all(shown)
    assert model.estimator_.to_text() == before


@pytest.mark.parametrize("missing", ["node_mode", "fractional"])
def test_rules_of_the_tree_predict_what_the_model_does(missing: str) -> None:
    """Also where missing values split a row among several rules."""
    model, X = at_threshold(ho.TreeClassifier(missing=missing, min_leaf=10))
    rules = model.rules()
    assert rules.predict(X).tolist() == model.predict(X).tolist()
    assert rules.tree.predict(X).tolist() == model.predict(X).tolist()
    assert str(rules).endswith("% yes)\nIt predicts yes from a probability of 20% on.")


def test_a_list_of_rules_says_what_is_decided() -> None:
    """The class of the first rule that a row meets is the class that it gets; wrong rows are counted anew."""
    model, X = at_threshold(ho.RuleClassifier(min_leaf=10), threshold=0.05)
    decided, plain = model.decided, model.estimator_
    assert decided.predict(X).tolist() == model.predict(X).tolist() != plain.predict(X).tolist()
    changed = [
        (old, new)
        for old, new in zip(
            (*plain.rules_, plain.default_rule_), (*decided.rules_, decided.default_rule_), strict=True
        )
        if old.prediction != new.prediction
    ]
    assert changed
    assert all(old.right + new.right == old.weight for old, new in changed)
    assert "% yes)" in str(model)
    assert "% yes)" in model_view(model)["text"]
    assert model_view(model)["rules"][-1]["decided_by"] == decided.default_rule_.decided_by != ""


@pytest.mark.parametrize(
    "learner",
    [
        ho.TreeClassifier(min_leaf=10),
        ho.TreeClassifier(missing="node_mode"),
        ho.NeighborsClassifier(k=9, metric="gower"),
    ],
    ids=["tree-parts", "tree", "neighbors"],
)
def test_the_explanation_of_a_row_ends_in_its_prediction(learner: Any) -> None:
    """For every one of 200 rows, and it says from which probability on."""
    model, X = at_threshold(learner)
    rows = X[:200]
    told = [model.explain(rows[place : place + 1]) for place in range(200)]
    assert [each.prediction for each in told] == model.predict(rows).tolist()
    assert model.predict(rows).tolist() != model.estimator_.predict(rows).tolist()
    assert all(str(each).endswith("It predicts yes from a probability of 20% on.") for each in told)


def test_the_drawing_names_and_colours_what_is_decided() -> None:
    """Leaves of the picture and regions of the plane have the decided class; the caption the threshold."""
    model, _X = at_threshold(ho.TreeClassifier(missing="node_mode", min_leaf=10))
    drawing = model_view(model)["drawing"]
    leaves = [node for node in drawing["nodes"] if node["is_leaf"]]
    texts = {line.split(": ")[-1].split(" (")[0] for line in model.to_text(None).split("\n")[:-1]}
    assert {node["heading"] for node in leaves} == {"no", "yes"} <= texts
    for node in leaves:
        of_class, in_all = (float(count) for count in node["remark"].split(" of "))
        is_yes = node["heading"] == "yes"
        share = of_class / in_all if is_yes else 1 - of_class / in_all
        assert (share >= THRESHOLD) == is_yes
        assert node["place"] == int(is_yes)
    assert drawing["caption"].endswith("yes from a probability of 20% on")
    assert "yes from a probability of 20% on" in model.to_svg()


def test_the_plane_is_coloured_by_what_is_decided() -> None:
    """A region whose rows are mostly "no" has the place of "yes" where yes is predicted in it."""
    X, y = rare_table()
    X = X.select(["age"])
    model = ho.ThresholdClassifier(ho.TreeClassifier(min_leaf=10), threshold=THRESHOLD).fit(X, y)
    plane = plane_of_tree(model.decided, X, y, [0])
    regions = sorted(plane.regions, key=lambda region: region.left)
    assert [region.label for region in regions] != [
        region.label
        for region in sorted(plane_of_tree(model.estimator_, X, y, [0]).regions, key=lambda r: r.left)
    ]
    assert [region.index for region in regions] == [int(region.label == "yes") for region in regions]
    assert "yes" in partition_svg(plane)


def test_a_baseline_that_always_says_the_positive_class_is_shown_so() -> None:
    """By F1 the best guess is always the positive class: text and page say that, not the majority."""
    model, _ = at_threshold(ho.BaselineClassifier(), threshold=0.0)
    assert model.to_text().startswith("always yes\n")
    assert class_view(model.decided)["takeaway"].startswith(
        "It looks at nothing and always says yes, the class of 12%"
    )


def test_a_view_can_be_stored_and_says_the_threshold_once() -> None:
    """A study file holds the view as JSON; the sentence about the threshold is in the takeaway alone."""
    model, _ = at_threshold(ho.TreeClassifier(min_leaf=10))
    view = json.loads(json.dumps(model_view(model)))
    assert view["takeaway"].endswith("It predicts yes from a probability of 20% on.")
    assert "most likely" not in json.dumps(view)
    assert not any("20%" in note for note in view["notes"])


def test_before_the_fit_and_with_one_class_the_estimator_is_shown_as_it_is() -> None:
    """There is nothing to decide: it is asked for what it is, and what it prints."""
    tree = ho.TreeClassifier()
    assert ho.ThresholdClassifier(tree).decided is tree
    assert is_readable(ho.ThresholdClassifier(tree))
    model = ho.ThresholdClassifier(tree).fit([[1.0], [2.0]], ["yes", "yes"])
    assert model.decided is model.estimator_


@given(st.floats(0, 1), st.floats(0.0005, 0.9995))
def test_the_shown_share_lies_on_its_side_of_the_shown_threshold(share: float, threshold: float) -> None:
    """Read beside each other, the two percentages never contradict the decision, but where both are equal."""
    at = DecisionThreshold(threshold, 1, "yes")
    shown = at.share_words(np.array([1 - share, share])).removesuffix("% yes")
    beside = float(re.search(r"([\d.]+)%", at.words)[1])  # type: ignore[index]
    number = float(shown.lstrip("<>"))
    if shown.startswith("<"):
        assert share < 0.01 <= threshold + 1e-4
    elif shown.startswith(">"):
        assert share > 0.99
        assert threshold < 0.9951
    elif len(shown.split(".")[-1]) < 6:
        assert (number >= beside) == (share >= threshold)
    if 0 < share < 1 and abs(share - 0.5) < 0.4999:
        assert shown not in ("0", "100")
