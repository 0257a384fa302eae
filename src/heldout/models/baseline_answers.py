"""A baseline as JSON, Python or SQL: it answers the same to every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.inputs.input_schema import InputSchema
from heldout.models.json_export import json_text
from heldout.models.sql_conditions import label_literal, number_literal
from heldout.models.sql_statement import (
    MOST_LETTERS,
    added_names,
    checked_length,
    listed_outputs,
    source_name,
)
from heldout.models.tree_answers import Label, plain_labels

VERSION = 1

_HEAD = '''"""A {learner} of Heldout as plain Python: predict(row) answers the same to every row."""

ANSWER = {answer!r}


def predict(row):
    """The same answer for every row."""
    return ANSWER
'''

_SHARES = '''

def predict_proba(row):
    """The same probabilities for every row."""
    return {shares!r}
'''


@dataclass(frozen=True)
class BaselineAnswers:
    """What a baseline answers.

    answer: the class, or the number
    labels: the classes; None for a regression
    shares: the probability of each
    """

    learner: str
    schema: InputSchema
    answer: Label
    labels: tuple[Label, ...] | None
    shares: tuple[float, ...]


def baseline_answers(model: Any, caller: str) -> BaselineAnswers:
    """What a fitted BaselineClassifier or BaselineRegressor answers.

    caller: what was called, for the error
    """
    learner, schema = type(model).__name__, model.inputs_
    if not hasattr(model, "classes_"):
        return BaselineAnswers(learner, schema, float(model.constant_), None, ())
    labels, prior = plain_labels(model.classes_, caller), model.class_prior_
    best = int(prior.argmax())
    shares = np.eye(len(prior))[best] if model.strategy == "majority" else prior
    return BaselineAnswers(learner, schema, labels[best], labels, tuple(shares.tolist()))


def json_baseline(answers: BaselineAnswers) -> str:
    """The answer as one JSON object."""
    fields: dict[str, Any] = {
        "format": "heldout baseline",
        "version": VERSION,
        "learner": answers.learner,
        "classes": None if answers.labels is None else list(answers.labels),
        "answer": answers.answer,
    }
    if answers.labels is not None:
        fields["probabilities"] = list(answers.shares)
    return "{" + ",\n".join(f"{json_text(key)}: {json_text(value)}" for key, value in fields.items()) + "}\n"


def python_baseline(answers: BaselineAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`."""
    source = _HEAD.format(learner=answers.learner, answer=answers.answer)
    if answers.labels is None:
        return source
    return source + _SHARES.format(shares=dict(zip(answers.labels, answers.shares, strict=True)))


def sql_baseline(
    answers: BaselineAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the answer, and the probability of each class.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    outputs = [label_literal(answers.answer), *map(number_literal, answers.shares)]
    added = added_names(answers.schema, answers.labels, prefix)
    statement = f"SELECT t.*,\n{listed_outputs(outputs, added)}\nFROM {source_name(table)} AS t"
    return checked_length(
        statement, max_length, f"{len(outputs) - 1:,} probabilities", "fit on fewer classes"
    )
