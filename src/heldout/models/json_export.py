"""A tree as JSON: everything that is needed to answer a row, for readers in other languages.

The guide page model-files.md describes every field; `version` counts up when one changes its meaning.
"""

from __future__ import annotations

from typing import Any

from heldout.learners.trees.first_largest import TIE
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.json_columns import column_fields, json_text
from heldout.models.tree_answers import TreeAnswers

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
