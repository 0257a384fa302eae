"""A linear model as JSON: the columns, and for each function its intercept and weights."""

from __future__ import annotations

from typing import Any

from heldout.learners.inputs.input_schema import InputColumn
from heldout.models.json_columns import json_text
from heldout.models.linear_answers import LinearAnswers, boolean_words

VERSION = 1


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
