"""Fitted trees as pictures: names, folding, answers, notebooks."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from heldout import InputTypeError, RequestError, Table, Task, TreeClassifier, TreeRegressor, datasets
from heldout.table.column import category_column

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode("utf-8"))


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in parsed(svg).iter(f"{SVG}text")]


def cards(svg: str) -> dict[str, str]:
    """The title and the description of each node."""
    nodes = [element for element in parsed(svg).iter(f"{SVG}g") if element.get("role") == "img"]
    return {node[0].text: node[1].text for node in nodes}


def tennis_tree() -> TreeClassifier:
    task = Task(datasets.load("play_tennis").drop("Day"), target="PlayTennis")
    return TreeClassifier.id3(prune=None).fit(task.X, task.y)


def large_tree(n_leaves: int = 200, n_rows: int = 3000) -> TreeClassifier:
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n_rows, 6))
    y = (X[:, 0] * X[:, 1] + X[:, 2] + draw.normal(size=n_rows) > 0).astype(int)
    return TreeClassifier.cart(max_leaves=n_leaves, prune=None).fit(X, y)


def test_a_tree_is_told_node_by_node():
    """Each node says how a row comes to it, what it asks or answers, and its distribution."""
    assert cards(tennis_tree().to_svg()) == {
        "All rows: asks for Outlook": "Yes 9, No 5 of 14.",
        "Outlook = Overcast: predicts Yes": "all 4 are Yes.",
        "Outlook = Rain: asks for Wind": "Yes 3, No 2 of 5.",
        "Wind = Strong: predicts No": "all 2 are No.",
        "Wind = Weak: predicts Yes": "all 3 are Yes.",
        "Outlook = Sunny: asks for Humidity": "No 3, Yes 2 of 5.",
        "Humidity = High: predicts No": "all 3 are No.",
        "Humidity = Normal: predicts Yes": "all 2 are Yes.",
    }


def test_the_conditions_stand_on_the_lines():
    """Levels without a sign, thresholds with one; the column's name stands in the node."""
    assert {"Overcast", "Rain", "Sunny", "Outlook", "Yes", "No"} <= set(texts(tennis_tree().to_svg()))
    frame = pd.DataFrame({"size (cm)": [1.0, 2.0, 8.0, 9.0]})
    shown = texts(TreeClassifier.cart(prune=None).fit(frame, ["a", "a", "b", "b"]).to_svg())
    assert {"size (cm)", "≤ 5", "> 5"} <= set(shown)


def test_groups_of_levels_are_named_from_both_sides():
    """A group stands in braces, the other side says not; a single level has a sign."""
    table = Table([category_column("town", list("aabbccdd"))])
    shown = texts(TreeClassifier.cart(prune=None).fit(table, [0, 0, 1, 1, 0, 0, 1, 1]).to_svg())
    assert {"{a, c}", "not {a, c}"} <= set(shown)
    shown = texts(TreeClassifier.cart(prune=None).fit(table, [0, 0, 1, 1, 0, 0, 0, 0]).to_svg())
    assert {"b", "≠ b"} <= set(shown)


@pytest.mark.slow
def test_large_trees_are_folded():
    """Of 200 leaves thirty ends on six levels are shown, and what is folded says how much it is."""
    tree = large_tree()
    svg = tree.to_svg()
    notes = [text for text in texts(svg) if text.startswith("+")]
    assert "200 leaves" in texts(svg)[0]
    assert f"{len(notes)} parts folded" in texts(svg)[0]
    n_predictions = sum("predicts" in title for title in cards(svg)) - len(notes)
    n_folded = sum(int(note.split()[0]) for note in notes)
    assert n_predictions + n_folded == 200
    assert float(parsed(svg).get("width")) < 2000


def test_everything_or_a_depth_can_be_asked_for():
    """max_leaves=None opens all, a depth opens so many levels whatever their leaves."""
    tree = large_tree()
    whole = tree.to_svg(max_leaves=None)
    assert not any(text.startswith("+") for text in texts(whole))
    assert len(parsed(whole).findall(f".//{SVG}g[@role='img']")) == tree.tree_.n_nodes
    shallow = tree.to_svg(max_depth=1)
    assert len(parsed(shallow).findall(f".//{SVG}g[@role='img']")) == 3
    assert len(parsed(tree.to_svg(max_depth=0)).findall(f".//{SVG}g[@role='img']")) == 1


@pytest.mark.slow
def test_two_thousand_leaves_are_drawn_in_seconds():
    """The whole of a very large tree can be drawn."""
    tree = large_tree(2000, 12_000)
    assert tree.n_leaves_ > 1900
    start = time.perf_counter()
    svg = tree.to_svg(max_leaves=None)
    assert time.perf_counter() - start < 5
    parsed(svg)


def test_a_tree_of_one_leaf_is_one_card():
    """Without a split there is the answer."""
    tree = TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert cards(tree.to_svg()) == {"All rows: predicts a": "all 2 are a."}
    assert "Regression tree · 1 leaf, 0 levels · 2 rows" in texts(
        TreeRegressor().fit([[1.0], [2.0]], [3, 3]).to_svg()
    )


def test_regression_shows_means_on_a_scale():
    """A leaf shows its mean and its rows, and the picture says what the ends of the bars are."""
    tree = TreeRegressor(min_leaf=1, prune=None).fit([[1.0], [2.0], [8.0], [9.0]], [5.0, 5.0, 7.0, 8.0])
    svg = tree.to_svg()
    assert cards(svg)["x0 <= 5: predicts 5"] == "mean 5, 2 rows."
    assert {"5", "8", "1 row", "2 rows"} <= set(texts(svg))
    assert any("mean of all rows, 6.25" in text for text in texts(svg))


def test_parts_of_rows_are_drawn_by_their_weight():
    """The cards of a regression that splits rows show weights, which add up; the words tell the rows too."""
    X, y = [[1.0], [2.0], [8.0], [np.nan]], [1.0, 1.0, 7.0, 4.0]
    svg = TreeRegressor(missing="fractional", min_leaf=1, prune=None).fit(X, y).to_svg()
    assert {"4 rows", "weight 2.67", "weight 1.33"} <= set(texts(svg))
    assert cards(svg)["x0 <= 5: predicts 1.75"] == "mean 1.75, 3 rows of weight 2.67."


def test_many_classes_share_the_last_colour():
    """Of nineteen classes the eight heaviest have a colour, and the legend says how many others there are."""
    task = Task(datasets.load("soybean"), target="disease")
    svg = TreeClassifier.id3(prune=None).fit(task.X, task.y).to_svg()
    assert any(text.startswith("11 other classes") for text in texts(svg))
    assert "f-class-other" in svg


def test_weights_are_shown_as_they_are():
    """Counts are sums of weights, without decimals where they are whole."""
    tree = TreeClassifier.cart(max_depth=1, prune=None).fit(
        [[0.0], [1.0], [1.0]], ["a", "b", "a"], sample_weight=[1.5, 2.25, 1]
    )
    assert cards(tree.to_svg())["x0 > 0.5: predicts b"] == "b 2.25, a 1 of 3.25."


def test_hostile_names_stay_text():
    """Markup in names of columns, levels and classes is shown, not run."""
    name, level, label = "<script>alert(1)</script>", "</svg><b onload=x>", '"><img src=x>&'
    table = Table([category_column(name, [level, "b\n", level, "b\n"])])
    svg = TreeClassifier.id3(prune=None).fit(table, [label, "y", label, "y"]).to_svg()
    assert "<script" not in svg
    assert "<img" not in svg
    assert f"All rows: asks for {name}" in cards(svg)
    assert f"{name} = {level}: predicts {label!r}" in cards(svg)


def test_pictures_are_reproducible():
    """The same tree gives the same bytes."""
    assert tennis_tree().to_svg() == tennis_tree().to_svg()


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"max_depth": -1}, RequestError),
        ({"max_leaves": 0}, RequestError),
        ({"max_leaves": "all"}, RequestError),
        ({"direction": "up"}, RequestError),
        ({"max_depth": [3]}, InputTypeError),
    ],
)
def test_wishes_that_cannot_be_met_are_refused(wish, error):
    """The error says what is allowed, and where it was asked."""
    with pytest.raises(error, match="must be") as caught:
        tennis_tree().to_svg(**wish)
    assert caught.value.where.startswith("to_svg(")


def test_an_unfitted_tree_has_no_picture():
    """scikit-learn's own error says that fit comes first."""
    for ask in (lambda tree: tree.to_svg(), lambda tree: tree.partition_svg([[1.0]], [1])):
        with pytest.raises(NotFittedError):
            ask(TreeClassifier())


def test_notebooks_show_the_picture_of_a_fitted_tree():
    """A fitted tree is shown as its picture, in both ways in which a notebook asks."""
    tree = tennis_tree()
    assert tree.to_svg() in tree._repr_html_()
    bundle = tree._repr_mimebundle_()
    assert bundle["text/html"] == tree._repr_html_()
    assert bundle["text/plain"] == repr(tree)


def test_notebooks_show_an_unfitted_tree_as_scikit_learn_does():
    """Without a fit there is scikit-learn's diagram, and a pipeline keeps it too."""
    html = TreeClassifier()._repr_html_()
    assert "sk-top-container" in html
    assert "heldout-" not in html
    assert "sk-top-container" in make_pipeline(tennis_tree())._repr_html_()


def test_the_display_setting_of_scikit_learn_is_obeyed():
    """Who wants text gets text."""
    with sklearn.config_context(display="text"):
        assert not hasattr(tennis_tree(), "_repr_html_")
        assert set(tennis_tree()._repr_mimebundle_()) == {"text/plain"}
