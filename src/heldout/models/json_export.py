"""Models as JSON: everything that is needed to predict a row, for readers in other languages.

The guide page model-files.md describes every field; `version` counts up when one changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from heldout.inputs.input_schema import InputColumn
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.column_values import boolean_words, is_made_of_dates, meant_levels
from heldout.models.exported_models import (
    ExportedBaseline,
    ExportedForest,
    ExportedLinear,
    ExportedModel,
    ExportedRules,
    ExportedTree,
)

VERSION = 1

Fields = dict[str, Any]


def json_export(model: ExportedModel) -> str:
    """The model as one JSON object, a node, rule or function to a line."""
    form, fields = _FORMS[type(model)]
    head = {
        "format": form,
        "version": VERSION,
        "learner": model.learner,
        "classes": None if model.labels is None else list(model.labels),
    }
    # Long lists come as text already, so that each of their entries has a line of its own.
    lines = [
        f"{_text(key)}: {value if isinstance(value, _Lines) else _text(value)}"
        for key, value in (head | fields(model)).items()
    ]
    return "{" + ",\n".join(lines) + "}\n"


class _Lines(str):
    """A list as JSON, an entry to a line."""

    def __new__(cls, entries: Iterable[str], between: str = ",\n") -> _Lines:
        return super().__new__(cls, f"[\n{between.join(entries)}\n]")


def _text(value: object) -> str:
    return json.dumps(value, allow_nan=False)


def _tree(tree: ExportedTree) -> Fields:
    return {"tie": TIE, "columns": _columns(tree), "nodes": _nodes(tree)}


def _forest(forest: ExportedForest) -> Fields:
    return {
        "combine": "vote" if forest.is_vote else "average",
        "tie": TIE,
        "class_weights": None if forest.weights is None else list(forest.weights),
        "class_shares": None if forest.shares is None else list(forest.shares),
        "smoothing": forest.smoothing,
        "class_factors": None if forest.factors is None else list(forest.factors),
        "columns": _columns(forest),
        "trees": _Lines(map(_nodes, forest.trees()), between=","),
    }


def _nodes(tree: ExportedTree) -> _Lines:
    return _Lines(_text(_node(tree, node)) for node in range(tree.structure.n_nodes))


def _node(tree: ExportedTree, node: int) -> Fields:
    fields: Fields = {"node": node}
    if tree.labels is None:
        fields["mean"] = float(tree.outputs[node, 0])
    else:
        fields |= {"class": tree.best[node], "probabilities": tree.outputs[node].tolist()}
        if tree.decides_by_shares and tree.shares is not None:
            fields["class_shares"] = tree.shares[node].tolist()
    if not tree.is_leaf(node):
        position = int(tree.structure.grown.feature[node])
        fields |= {"column": position, **_split(tree, node), **_missing(tree, node)}
    return fields


def _split(tree: ExportedTree, node: int) -> Fields:
    structure = tree.structure
    children, kind = list(structure.children(node)), int(structure.grown.split_kind[node])
    if kind == THRESHOLD:
        return {"threshold": float(structure.grown.threshold[node]), "children": children}
    if kind == LEVEL_SET:
        return {"first_levels": structure.levels_in_set(node), "children": children}
    levels = [int(structure.grown.branch_level[child]) for child in children]
    return {"branch_levels": levels, "children": children}


def _missing(tree: ExportedTree, node: int) -> Fields:
    """Where a missing value goes: to one node, or to every child with a share."""
    child = tree.missing_child(node)
    if child is not None:
        return {"missing": child}
    return {"shares": [float(tree.structure.shares[child]) for child in tree.structure.children(node)]}


def _rules(rules: ExportedRules) -> Fields:
    predictions = [
        {"class": best, "probabilities": shares}
        for best, shares in zip(rules.best, rules.outputs.tolist(), strict=True)
    ]
    entries = (
        _text({"conditions": [_condition(c) for c in conditions], **prediction})
        for conditions, prediction in zip(rules.conditions, predictions, strict=False)
    )
    return {"columns": _columns(rules), "rules": _Lines(entries), "default": predictions[-1]}


def _condition(condition: Condition) -> Fields:
    fields: Fields = {"column": condition.position}
    if condition.levels is not None:
        return {**fields, "levels": list(condition.levels)}
    if condition.low is not None:
        fields["above"] = condition.low.threshold
    if condition.high is not None:
        fields["at_most"] = condition.high.threshold
    return fields


def _linear(linear: ExportedLinear) -> Fields:
    pairs = zip(linear.intercepts.tolist(), linear.weights.tolist(), strict=True)
    functions = _Lines(_text({"intercept": start, "weights": weights}) for start, weights in pairs)
    return {"columns": [_linear_column(column) for column in linear.schema.columns], "functions": functions}


def _linear_column(column: InputColumn) -> Fields:
    fields: Fields = {"name": column.name, "kind": column.kind}
    if column.kind == "boolean":
        fields["numbers"], fields["meanings"] = boolean_words(column)
    return fields


def _baseline(baseline: ExportedBaseline) -> Fields:
    fields: Fields = {"prediction": baseline.prediction}
    if baseline.labels is not None:
        fields["probabilities"] = list(baseline.probabilities)
    return fields


_FORMS: dict[type[ExportedModel], tuple[str, Callable[[Any], Fields]]] = {
    ExportedTree: ("heldout tree", _tree),
    ExportedForest: ("heldout forest", _forest),
    ExportedRules: ("heldout rules", _rules),
    ExportedLinear: ("heldout linear", _linear),
    ExportedBaseline: ("heldout baseline", _baseline),
}


def _columns(model: ExportedModel) -> list[Fields]:
    return [_column(column) for column in model.schema.columns]


def _column(column: InputColumn) -> Fields:
    """What a reader must know of a column, as the guide page describes it."""
    fields: Fields = {"name": column.name, "kind": column.kind}
    if column.is_category:
        fields["levels"] = list(column.levels)
    if column.level_values is not None:
        fields["level_values"] = column.level_values.tolist()
        fields["level_values_are"] = "days" if is_made_of_dates(column) else "numbers"
    if column.kind == "boolean":
        fields["meanings"] = meant_levels(column)
    if column.fill is not None:
        fields["fill"] = int(column.fill) if column.is_category else column.fill
    return fields
