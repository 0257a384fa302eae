"""A forest as JSON: its trees, each as a list of nodes."""

from __future__ import annotations

from typing import Any

from heldout.learners.trees.first_largest import TIE
from heldout.models.forest_answers import ForestAnswers
from heldout.models.json_columns import column_fields, json_text
from heldout.models.json_export import node_fields

VERSION = 1


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
