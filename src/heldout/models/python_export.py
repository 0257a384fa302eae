"""A tree as plain Python source: a table of nodes and a loop, no import, no nesting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heldout.learners.inputs.input_schema import InputColumn
from heldout.learners.trees.first_largest import TIE
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.level_words import is_made_of_dates, meant_levels
from heldout.models.python_program import CLASSIFIER, HEAD, READING, REGRESSOR, WALKING
from heldout.models.tree_answers import TreeAnswers


def python_export(answers: TreeAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", _columns(answers), "}"),
        ("NODES", "[", _nodes(answers), "]"),
        ("ANSWERS", "[", _answers(answers), "]"),
    ]
    parts = [HEAD.format(learner=answers.learner)]
    if answers.labels is not None:
        parts.append(f"CLASSES = {list(answers.labels)!r}\nTIE = {TIE!r}\n")
    for name, opening, lines, closing in tables:
        parts.append(f"{name} = {opening}\n" + "".join(f"    {line},\n" for line in lines) + f"{closing}\n")
    parts += [READING, WALKING, REGRESSOR if answers.labels is None else CLASSIFIER]
    return "\n".join(parts)


def _columns(answers: TreeAnswers) -> Iterator[str]:
    """Per column that is asked for: how it is read, its levels, and what fills an unknown value."""
    for position in answers.used:
        column = answers.schema.columns[position]
        fill = None if column.fill is None else _plain(column, column.fill)
        yield f"{column.name!r}: ({_reading(column)!r}, {_levels(column)}, {fill!r})"


def _reading(column: InputColumn) -> str:
    if column.kind in ("number", "date", "boolean"):
        return column.kind
    if column.level_values is None:
        return "word"
    return "date" if is_made_of_dates(column) else "number"


def _levels(column: InputColumn) -> str:
    """The values that are known, as source; a boolean has them as they stand, and by meaning."""
    if column.kind == "boolean":
        exact = {level: level for level in column.levels}
        meant = {word: column.levels[code] for word, code in meant_levels(column).items()}
        return f"({exact!r}, {meant!r})"
    if column.is_category:
        return _set([_plain(column, level) for level in range(len(column.levels))])
    return "None"


def _plain(column: InputColumn, value: float) -> str | float:
    """A number, or the level at this position."""
    if not column.is_category:
        return float(value)
    if column.level_values is not None:
        return float(column.level_values[int(value)])
    return column.levels[int(value)]


def _nodes(answers: TreeAnswers) -> Iterator[str]:
    """Per node: column, test, children, and where the unknown goes; None for a leaf."""
    for node in range(answers.structure.n_nodes):
        if answers.is_leaf(node):
            yield "None"
            continue
        column, children = answers.column(node), tuple(answers.structure.children(node))
        unknown: Any = answers.unknown_goes(node)
        if unknown is None:
            unknown = tuple((child, float(answers.structure.shares[child])) for child in children)
        yield f"({column.name!r}, {_test(answers, node, column)}, {children!r}, {unknown!r})"


def _test(answers: TreeAnswers, node: int, column: InputColumn) -> str:
    structure = answers.structure
    kind = int(structure.grown.split_kind[node])
    if kind == THRESHOLD:
        return repr(float(structure.grown.threshold[node]))
    if kind == LEVEL_SET:
        return _set([_plain(column, level) for level in structure.levels_in_set(node)])
    branches = [(int(structure.grown.branch_level[child]), child) for child in structure.children(node)]
    return repr({_plain(column, level): child for level, child in branches})


def _set(members: list[Any]) -> str:
    return "{" + ", ".join(map(repr, members)) + "}"


def _answers(answers: TreeAnswers) -> Iterator[str]:
    """Per node: the mean, or the position of its class and the probabilities."""
    for node in range(answers.structure.n_nodes):
        if answers.labels is None:
            yield repr(float(answers.numbers[node, 0]))
        else:
            yield f"({answers.best[node]}, {tuple(answers.numbers[node].tolist())!r})"
