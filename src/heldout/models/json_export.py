"""Models as JSON: everything that is needed to predict a row, for readers in other languages.

The guide page model-files.md describes every field; `version` counts up when one changes its meaning.
"""

from __future__ import annotations

import json
from typing import Any

from heldout.inputs.input_schema import InputColumn
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.column_values import boolean_words, is_made_of_dates, meant_levels
from heldout.models.exported_models import (
    BaselineAnswers,
    ForestAnswers,
    LinearAnswers,
    RuleAnswers,
    TreeAnswers,
)

VERSION = 1


def json_export(answers: TreeAnswers) -> str:
    """The tree as one JSON object, a node to a line."""
    head: dict[str, Any] = {
        "format": "heldout tree",
        "version": VERSION,
        "learner": answers.learner,
        "classes": None if answers.labels is None else list(answers.labels),
        "tie": TIE,
        "columns": [column_fields(column) for column in answers.schema.columns],
    }
    lines = [f"{json_text(key)}: {json_text(value)}" for key, value in head.items()]
    nodes = ",\n".join(json_text(node_fields(answers, node)) for node in range(answers.structure.n_nodes))
    return "{" + ",\n".join([*lines, f'"nodes": [\n{nodes}\n]']) + "}\n"


def node_fields(answers: TreeAnswers, node: int) -> dict[str, Any]:
    grown = answers.structure.grown
    fields: dict[str, Any] = {"node": node}
    if answers.labels is None:
        fields["mean"] = float(answers.numbers[node, 0])
    else:
        fields |= {"class": answers.best[node], "probabilities": answers.numbers[node].tolist()}
        if answers.decides_apart and answers.shares is not None:
            fields["class_shares"] = answers.shares[node].tolist()
    if not answers.is_leaf(node):
        fields |= {"column": int(grown.feature[node]), **_split(answers, node), **_unknown(answers, node)}
    return fields


def _split(answers: TreeAnswers, node: int) -> dict[str, Any]:
    structure = answers.structure
    children, kind = list(structure.children(node)), int(structure.grown.split_kind[node])
    if kind == THRESHOLD:
        return {"threshold": float(structure.grown.threshold[node]), "children": children}
    if kind == LEVEL_SET:
        return {"first_levels": structure.levels_in_set(node), "children": children}
    levels = [int(structure.grown.branch_level[child]) for child in children]
    return {"branch_levels": levels, "children": children}


def _unknown(answers: TreeAnswers, node: int) -> dict[str, Any]:
    """Where an unknown value goes: to one node, or to every child with a share."""
    goes = answers.unknown_goes(node)
    if goes is not None:
        return {"unknown": goes}
    return {"shares": [float(answers.structure.shares[child]) for child in answers.structure.children(node)]}


def json_text(value: Any) -> str:
    """A value on one line."""
    return json.dumps(value, allow_nan=False)


def column_fields(column: InputColumn) -> dict[str, Any]:
    """What a reader must know of a column, as the guide page describes it."""
    fields: dict[str, Any] = {"name": column.name, "kind": column.kind}
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


def json_forest(answers: ForestAnswers) -> str:
    """The forest as one JSON object, a node to a line."""
    head: dict[str, Any] = {
        "format": "heldout forest",
        "version": VERSION,
        "learner": answers.learner,
        "classes": None if answers.labels is None else list(answers.labels),
        "combine": "vote" if answers.is_vote else "average",
        "tie": TIE,
        "class_weights": None if answers.weights is None else list(answers.weights),
        "class_shares": None if answers.shares is None else list(answers.shares),
        "smoothing": answers.smoothing,
        "columns": [column_fields(column) for column in answers.schema.columns],
    }
    lines = [f"{json_text(key)}: {json_text(value)}" for key, value in head.items()]
    trees = []
    for tree in answers.trees():
        nodes = ",\n".join(json_text(node_fields(tree, node)) for node in range(tree.structure.n_nodes))
        trees.append(f"[\n{nodes}\n]")
    return "{" + ",\n".join([*lines, f'"trees": [\n{",".join(trees)}\n]']) + "}\n"


def json_linear(answers: LinearAnswers) -> str:
    """The model as one JSON object, a function to a line."""
    head: dict[str, Any] = {
        "format": "heldout linear",
        "version": VERSION,
        "learner": answers.learner,
        "classes": None if answers.labels is None else list(answers.labels),
        "columns": [_column(column) for column in answers.schema.columns],
    }
    lines = [f"{json_text(key)}: {json_text(value)}" for key, value in head.items()]
    pairs = zip(answers.intercepts.tolist(), answers.weights.tolist(), strict=True)
    functions = ",\n".join(json_text({"intercept": start, "weights": weights}) for start, weights in pairs)
    return "{" + ",\n".join([*lines, f'"functions": [\n{functions}\n]']) + "}\n"


def _column(column: InputColumn) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if column.kind == "boolean":
        fields["numbers"], fields["meanings"] = boolean_words(column)
    return fields


def json_rules(answers: RuleAnswers) -> str:
    """The rules as one JSON object, a rule to a line."""
    head: dict[str, Any] = {
        "format": "heldout rules",
        "version": VERSION,
        "learner": answers.learner,
        "classes": list(answers.labels),
        "columns": [column_fields(column) for column in answers.schema.columns],
    }
    lines = [f"{json_text(key)}: {json_text(value)}" for key, value in head.items()]
    rules = ",\n".join(
        json_text({"conditions": [_condition(c) for c in conditions], **_answer(answers, place)})
        for place, conditions in enumerate(answers.conditions)
    )
    default = json_text(_answer(answers, len(answers.rules) - 1))
    return "{" + ",\n".join([*lines, f'"rules": [\n{rules}\n]', f'"default": {default}']) + "}\n"


def _condition(condition: Condition) -> dict[str, Any]:
    fields: dict[str, Any] = {"column": condition.position}
    if condition.levels is not None:
        return {**fields, "levels": list(condition.levels)}
    if condition.low is not None:
        fields["above"] = condition.low.threshold
    if condition.high is not None:
        fields["at_most"] = condition.high.threshold
    return fields


def _answer(answers: RuleAnswers, place: int) -> dict[str, Any]:
    return {"class": answers.best[place], "probabilities": answers.numbers[place].tolist()}


BASELINE_VERSION = 1


def json_baseline(answers: BaselineAnswers) -> str:
    """The answer as one JSON object."""
    fields: dict[str, Any] = {
        "format": "heldout baseline",
        "version": BASELINE_VERSION,
        "learner": answers.learner,
        "classes": None if answers.labels is None else list(answers.labels),
        "answer": answers.answer,
    }
    if answers.labels is not None:
        fields["probabilities"] = list(answers.shares)
    return "{" + ",\n".join(f"{json_text(key)}: {json_text(value)}" for key, value in fields.items()) + "}\n"
