"""A list of rules as JSON: everything that is needed to answer a row, for readers in other languages.

The guide page model-files.md describes every field; `version` counts up when one changes its meaning.
"""

from __future__ import annotations

from typing import Any

from heldout.learners.rules.condition import Condition
from heldout.models.json_columns import column_fields, json_text
from heldout.models.rule_answers import RuleAnswers

VERSION = 1


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
