"""What `export` is asked for, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho


@pytest.fixture
def tree() -> Any:
    return ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], ["a", "b"])


def test_an_unknown_format_is_refused(tree: Any) -> None:
    """The error lists the formats and guesses which was meant."""
    with pytest.raises(ho.RequestError, match="'sql', 'python', 'json', 'onnx'") as caught:
        ho.export(tree, "SQL")
    assert "'sql'" in caught.value.fix
    with pytest.raises(ho.RequestError, match="format must be"):
        ho.export(tree, "pmml")


def test_an_option_of_another_format_is_refused(tree: Any) -> None:
    """`table` means nothing to Python."""
    with pytest.raises(ho.RequestError, match="not an option of the format 'python'"):
        ho.export(tree, "python", table="data")
    with pytest.raises(ho.RequestError, match='missing must be None or "refuse"'):
        ho.export(tree, "onnx", missing="guess")


def test_what_is_no_fitted_tree_is_refused() -> None:
    """Other objects, and trees before fit."""
    with pytest.raises(ho.KindError, match="a dict cannot be exported"):
        ho.export({}, "sql")
    with pytest.raises(ho.RequestError, match="not fitted"):
        ho.export(ho.TreeRegressor(), "json")


def test_classes_that_are_not_plain_are_refused(tree: Any) -> None:
    """A class must be a value that every language knows."""
    tree.classes_ = np.array([b"a", b"b"], dtype=object)
    with pytest.raises(ho.RequestError, match="neither text nor a finite number"):
        ho.export(tree, "json")


def test_a_single_leaf_is_exported_everywhere() -> None:
    """A tree that asks nothing answers the same for every row."""
    tree = ho.TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    for name in ("sql", "python", "json", "onnx"):
        assert ho.export(tree, name)
