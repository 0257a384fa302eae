"""A list of rules as plain Python source: a table of rules and a loop, no import."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.learners.rules.condition import Condition
from heldout.models.python_columns import column_lines, plain_value, set_source, tables_source
from heldout.models.python_program import ANSWERING, HEAD, READING, RULE_LIST
from heldout.models.rule_answers import RuleAnswers


def python_rules(answers: RuleAnswers) -> str:
    """A program with `predict(row)` and `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", column_lines(answers.schema, answers.used), "}"),
        ("RULES", "[", _rules(answers), "]"),
        ("ANSWERS", "[", _answers(answers), "]"),
    ]
    head = [HEAD.format(learner=answers.learner), f"CLASSES = {list(answers.labels)!r}\n"]
    return "\n".join([*head, *tables_source(tables), READING, RULE_LIST, ANSWERING])


def _rules(answers: RuleAnswers) -> Iterator[str]:
    """Per rule: its conditions, each a column with what it allows."""
    for conditions in answers.conditions:
        yield f"[{', '.join(f'({c.column.name!r}, {_allowed(c)})' for c in conditions)}]"


def _allowed(condition: Condition) -> str:
    """The levels, or the number that a value must exceed and the one that it must not."""
    if condition.levels is not None:
        return set_source([plain_value(condition.column, level) for level in condition.levels])
    low, high = (None if cut is None else cut.threshold for cut in (condition.low, condition.high))
    return repr((low, high))


def _answers(answers: RuleAnswers) -> Iterator[str]:
    """Per rule, the default last: the position of its class and the probabilities."""
    for best, numbers in zip(answers.best, answers.numbers.tolist(), strict=True):
        yield f"({best}, {tuple(numbers)!r})"
