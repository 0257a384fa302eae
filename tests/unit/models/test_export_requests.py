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


def test_a_table_without_a_name_is_refused(tree: Any) -> None:
    """Neither a name nor a part of it may be empty, and a name is text."""
    rules = ho.RuleClassifier().fit([[1.0], [2.0]], ["a", "b"])
    for model in (tree, rules):
        for table in ("", ("main", ""), ("", "data"), ()):
            with pytest.raises(ho.RequestError, match="a table needs a name"):
                ho.export(model, "sql", table=table)
        for wrong in (None, 3, ("main", 3), b"data"):
            with pytest.raises(ho.InputTypeError, match="table must be a name"):
                ho.export(model, "sql", table=wrong)
    assert 'FROM "main"."data" AS t' in str(ho.export(tree, "sql", table=("main", "data")))


def test_what_is_no_fitted_tree_is_refused() -> None:
    """Other objects, and trees before fit."""
    with pytest.raises(ho.InputTypeError, match="a dict cannot be exported"):
        ho.export({}, "sql")
    for model in (ho.TreeRegressor(), ho.RuleClassifier()):
        with pytest.raises(ho.RequestError, match="not fitted"):
            ho.export(model, "json")


def test_the_rules_of_a_tree_are_no_model(tree: Any) -> None:
    """What `tree.rules()` gives is a way to read the tree; the error names what can be handed over."""
    with pytest.raises(ho.InputTypeError, match="a TreeRules cannot be exported") as caught:
        ho.export(tree.rules(), "sql")
    assert "RuleClassifier" in caught.value.fix


def test_rules_are_refused_as_onnx() -> None:
    """The error says why, and offers the formats that can hold rules."""
    rules = ho.RuleClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    for options in ({}, {"missing": "refuse"}):
        with pytest.raises(ho.RequestError, match="no lists of rules") as caught:
            ho.export(rules, "onnx", **options)
        assert '"sql", "python" or "json"' in caught.value.fix
        assert f"{len(rules.rules_)} rules" in caught.value.where


def test_classes_that_are_not_plain_are_refused(tree: Any) -> None:
    """A class must be a value that every language knows."""
    rules = ho.RuleClassifier().fit([[1.0], [2.0]], ["a", "b"])
    for model in (tree, rules):
        model.classes_ = np.array([b"a", b"b"], dtype=object)
        with pytest.raises(ho.RequestError, match="neither text nor a finite number"):
            ho.export(model, "json")


def test_a_single_leaf_is_exported_everywhere() -> None:
    """A tree that asks nothing answers the same for every row."""
    tree = ho.TreeClassifier().fit([[1.0], [2.0]], ["a", "a"])
    for name in ("sql", "python", "json", "onnx"):
        assert ho.export(tree, name)
