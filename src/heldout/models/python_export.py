"""A tree as plain Python source: a table of nodes and a loop, no import, no nesting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heldout.learners.inputs.input_schema import InputColumn
from heldout.learners.trees.first_largest import TIE
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.python_columns import column_lines, plain_value, set_source, tables_source
from heldout.models.python_program import ANSWERING, CLASSIFIER, HEAD, READING, REGRESSOR, WALKING
from heldout.models.tree_answers import TreeAnswers


def python_export(answers: TreeAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", column_lines(answers.schema, answers.used), "}"),
        ("NODES", "[", node_lines(answers), "]"),
        ("ANSWERS", "[", _answers(answers), "]"),
    ]
    parts = [HEAD.format(learner=answers.learner)]
    if answers.labels is not None:
        parts.append(f"CLASSES = {list(answers.labels)!r}\nTIE = {TIE!r}\n")
    parts += tables_source(tables)
    ending = [REGRESSOR] if answers.labels is None else [CLASSIFIER, ANSWERING]
    return "\n".join([*parts, READING, WALKING, *ending])


def node_lines(answers: TreeAnswers) -> Iterator[str]:
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
        return set_source([plain_value(column, level) for level in structure.levels_in_set(node)])
    branches = [(int(structure.grown.branch_level[child]), child) for child in structure.children(node)]
    return repr({plain_value(column, level): child for level, child in branches})


def _answers(answers: TreeAnswers) -> Iterator[str]:
    """Per node: the mean, or the position of its class, the probabilities, and by what parts are decided."""
    for node in range(answers.structure.n_nodes):
        if answers.labels is None:
            yield repr(float(answers.numbers[node, 0]))
        else:
            told = [answers.numbers]
            if answers.decides_apart and answers.shares is not None:
                told.append(answers.shares)
            yield repr((answers.best[node], *(tuple(each[node].tolist()) for each in told)))
