"""ONNX: inputs, types of classes, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.inputs.input_schema import InputSchema
from heldout.table.column import category_column

from .model_samples import deep_tree
from .reference_predictions import assert_same
from .run_exports import onnx_predictions, onnx_session


def test_an_array_of_numbers_is_one_input() -> None:
    """A model of columns without names takes X as a whole, in float64."""
    draw = np.random.default_rng(2)
    X = draw.normal(size=(400, 4))
    X[draw.random(X.shape) < 0.1] = np.nan
    y = draw.integers(0, 5, 400)
    tree = ho.TreeClassifier.cart(prune=None, missing="node_mode").fit(X, y)
    session = onnx_session(tree)
    assert [entry.name for entry in session.get_inputs()] == ["X"]
    label, probabilities = session.run(None, {"X": X})
    assert label.dtype == np.int64
    assert label.tolist() == tree.predict(X).tolist()
    assert probabilities.tobytes() == tree.predict_proba(X).tobytes()


def test_thresholds_are_float64() -> None:
    """Two neighbouring doubles on both sides of a threshold are told apart."""
    low = np.nextafter(0.1, 0)
    X = np.array([[low], [0.1], [np.nextafter(0.1, 1)]])
    tree = ho.TreeClassifier.cart(prune=None).fit(X, [0, 1, 2])
    assert onnx_session(tree).run(["label"], {"X": X})[0].tolist() == [0, 1, 2]


@pytest.mark.slow
def test_many_levels_cost_few_tests() -> None:
    """A split of a thousand levels is found by halving, and answers each level as the tree."""
    words = [f"w{k}" for k in range(1_000)]
    tree = ho.TreeClassifier.id3(prune=None, missing="node_mode", min_leaf=1)
    tree.fit(ho.Table([category_column("word", words)]), np.arange(1_000) % 7)
    rows = [{"word": word} for word in [*words, "new", None]]
    assert_same(tree, rows, onnx_predictions(tree, {"word": "word"}, rows))


def test_the_metadata_describe_the_columns() -> None:
    """Kinds, levels and units of the inputs stand in the model."""
    columns = [category_column("town", ["Ulm", "Köln"]), ho.Column("at", "date", np.array([1.0, 2.0]))]
    tree = ho.TreeClassifier.cart(prune=None).fit(ho.Table(columns), ["a", "b"])
    described = onnx_session(tree, missing="refuse").get_modelmeta().custom_metadata_map
    assert json.loads(described["heldout.columns"]) == [
        {"name": "town", "kind": "category", "levels": ["Köln", "Ulm"]},
        {"name": "at", "kind": "date", "unit": "days since 1970-01-01"},
    ]
    assert json.loads(described["heldout.classes"]) == ["a", "b"]


def split_tree() -> Any:
    tree = ho.TreeClassifier.cart(prune=None, missing="node_mode").fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    tree.tree_ = dataclasses.replace(tree.tree_, splits_unknown=True)
    return tree


def test_rows_that_would_be_split_are_refused() -> None:
    """A tree that splits rows is refused, unless its user says that it may stop at missing values."""
    with pytest.raises(ho.RequestError, match="splits a row") as caught:
        ho.export(split_tree(), "onnx")
    assert 'missing="refuse"' in caught.value.fix
    session = onnx_session(split_tree(), missing="refuse")
    assert session.run(["label"], {"X": np.array([[1.0], [3.0]])})[0].tolist() == [0, 1]
    for output in ("label", "probabilities"):
        with pytest.raises(Exception, match=r"missing_value_would_split_the_row.*out of data bounds"):
            session.run([output], {"X": np.array([[1.0], [np.nan]])})


def test_filled_trees_need_no_refusal() -> None:
    """Where every column of the splits is filled no row is split, and ONNX answers as the tree."""
    tree = split_tree()
    filled = dataclasses.replace(tree.inputs_.columns[0], fill=3.0)
    tree.inputs_ = InputSchema((filled,))
    answer = onnx_session(tree).run(["label"], {"X": np.array([[np.nan]])})
    assert answer[0].tolist() == [1]


def test_deep_trees_are_refused() -> None:
    """Runtimes build trees by recursion, so a tree deeper than stated is refused."""
    tree = deep_tree(1_001)
    with pytest.raises(ho.RequestError, match="deeper than 1,000"):
        ho.export(tree, "onnx")
    rows = [{"X": value} for value in (-1.0, 0.5, 700.2, 1e9)]
    X = np.array([[row["X"]] for row in rows])
    shallow = deep_tree(1_000)
    assert onnx_session(shallow).run(None, {"X": X})[0].tolist() == shallow.predict(X).tolist()


def test_classes_that_onnx_lacks_are_refused() -> None:
    """Numbers with decimals are neither text nor whole."""
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], [0, 1])
    tree.classes_ = np.array([0.5, 1.5])
    with pytest.raises(ho.RequestError, match="text or whole numbers"):
        ho.export(tree, "onnx")


def test_text_that_onnx_lacks_is_refused() -> None:
    """A class with a NUL would be cut off by runtimes."""
    tree = ho.TreeClassifier.cart(prune=None, missing="node_mode").fit([[1.0], [2.0]], ["a\0b", "b"])
    with pytest.raises(ho.RequestError, match="a class cannot be written in ONNX"):
        ho.export(tree, "onnx")


def test_names_of_the_graph_give_way_to_columns() -> None:
    """Columns may be called what the graph calls its own values."""
    names = ["label", "probabilities", "features", "node", "labels"]
    columns = [ho.Column(name, "number", np.array([0.0, 1.0])) for name in names]
    tree = ho.TreeClassifier.cart(prune=None).fit(ho.Table(columns), ["a", "b"])
    session = onnx_session(tree, missing="refuse")
    assert [entry.name for entry in session.get_outputs()] == ["label_", "probabilities_"]
    inputs = {name: np.array([[1.0]]) for name in names}
    assert session.run(None, inputs)[0].tolist() == ["b"]


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks onnx is told what to install."""
    monkeypatch.setitem(sys.modules, "onnx", None)
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ho.RequestError) as caught:
        ho.export(tree, "onnx", missing="refuse")
    assert "heldout[onnx]" in caught.value.fix


def test_the_same_tree_gives_the_same_bytes() -> None:
    """The export is deterministic."""
    assert ho.export(split_tree(), "onnx", missing="refuse") == ho.export(
        split_tree(), "onnx", missing="refuse"
    )
