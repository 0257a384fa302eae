"""A linear model as plain Python source: a table of weights and a sum, no import."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.models.linear_answers import LinearAnswers, boolean_words
from heldout.models.python_columns import tables_source
from heldout.models.python_program import HEAD, READING

_SCORES = '''
def _value(name, row):
    """The value of a column as a number; a row without it has no answer."""
    value = _known(name, row.get(name))
    if value is None:
        raise ValueError(f"column {name!r} has no value that this model knows: {row.get(name)!r}")
    return value


def _scores(row):
    """The sum of each function, added up in the order of the columns."""
    values = [_value(name, row) for name in COLUMNS]
    scores = []
    for total, weights in FUNCTIONS:
        for weight, value in zip(weights, values):
            total += weight * value
        scores.append(total)
    return scores

'''

_REGRESSION = '''
def predict(row):
    """The sum of the columns, each times its coefficient."""
    return _scores(row)[0]
'''

_TWO_CLASSES = '''
def predict(row):
    """The class of a row: the second if its margin is above 0."""
    return CLASSES[decision_function(row) > 0]


def decision_function(row):
    """The margin of a row."""
    return _scores(row)[0]
'''

_MANY_CLASSES = '''
def predict(row):
    """The class of the largest score, the first of equals."""
    scores = _scores(row)
    return CLASSES[scores.index(max(scores))]


def decision_function(row):
    """The score of each class."""
    return dict(zip(CLASSES, _scores(row)))
'''


def python_linear(answers: LinearAnswers) -> str:
    """A program with `predict(row)` and, for classes, `decision_function(row)`; a row is a dict."""
    pairs = zip(answers.intercepts.tolist(), answers.weights.tolist(), strict=True)
    tables = [
        ("COLUMNS", "{", _columns(answers), "}"),
        ("FUNCTIONS", "[", (f"({start!r}, {weights!r})" for start, weights in pairs), "]"),
    ]
    head = [HEAD.format(learner=answers.learner)]
    if answers.labels is None:
        ending = _REGRESSION
    else:
        head.append(f"CLASSES = {list(answers.labels)!r}\n")
        ending = _TWO_CLASSES if len(answers.weights) == 1 else _MANY_CLASSES
    return "\n".join([*head, *tables_source(tables), READING, _SCORES, ending])


def _columns(answers: LinearAnswers) -> Iterator[str]:
    """Per column how it is read; the words of a boolean stand for 0 and 1."""
    for column in answers.schema.columns:
        words = boolean_words(column) if column.kind == "boolean" else None
        yield f"{column.name!r}: ({column.kind!r}, {words!r}, None)"
