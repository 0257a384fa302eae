"""Models as plain Python source: tables and a loop, no import, no nesting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.column_values import boolean_words, is_made_of_dates, meant_levels, plain_value
from heldout.models.exported_models import (
    BaselineAnswers,
    ForestAnswers,
    LinearAnswers,
    RuleAnswers,
    TreeAnswers,
)
from heldout.models.python_program import (
    ANSWERING,
    BASELINE,
    BASELINE_SHARES,
    CLASSIFIER,
    FOREST_CLASSIFIER,
    FOREST_REGRESSOR,
    FOREST_WALKING,
    HEAD,
    LINEAR_REGRESSOR,
    LINEAR_SUMS,
    MANY_CLASSES,
    READING,
    REGRESSOR,
    RULE_LIST,
    TWO_CLASSES,
    WALKING,
)


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


def python_forest(answers: ForestAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", column_lines(answers.schema, answers.used), "}"),
        ("TREES", "[", _trees(answers), "]"),
    ]
    n_outputs = 1 if answers.labels is None else len(answers.labels)
    head = [HEAD.format(learner=answers.learner), f"N_OUTPUTS = {n_outputs}\n"]
    if answers.labels is None:
        return "\n".join([*head, *tables_source(tables), READING, FOREST_WALKING, FOREST_REGRESSOR])
    weights = None if answers.weights is None else list(answers.weights)
    head.append(
        f"CLASSES = {list(answers.labels)!r}\nTIE = {TIE!r}\nWEIGHTS = {weights!r}\n"
        f"PRIOR = {list(answers.shares or ())!r}\nSMOOTHING = {answers.smoothing!r}\n"
    )
    return "\n".join([*head, *tables_source(tables), READING, FOREST_WALKING, FOREST_CLASSIFIER, ANSWERING])


def _trees(answers: ForestAnswers) -> Iterator[str]:
    """Per tree: its nodes, and what each of them answers."""
    for tree in answers.trees():
        nodes = "".join(f"        {line},\n" for line in node_lines(tree))
        numbers = "".join(f"        {tuple(row)!r},\n" for row in answers.numbers(tree).tolist())
        yield f"([\n{nodes}    ], [\n{numbers}    ])"


def python_linear(answers: LinearAnswers) -> str:
    """A program with `predict(row)` and, for classes, `decision_function(row)`; a row is a dict."""
    pairs = zip(answers.intercepts.tolist(), answers.weights.tolist(), strict=True)
    tables = [
        ("COLUMNS", "{", _columns(answers), "}"),
        ("FUNCTIONS", "[", (f"({start!r}, {weights!r})" for start, weights in pairs), "]"),
    ]
    head = [HEAD.format(learner=answers.learner)]
    if answers.labels is None:
        ending = LINEAR_REGRESSOR
    else:
        head.append(f"CLASSES = {list(answers.labels)!r}\n")
        ending = TWO_CLASSES if len(answers.weights) == 1 else MANY_CLASSES
    return "\n".join([*head, *tables_source(tables), READING, LINEAR_SUMS, ending])


def _columns(answers: LinearAnswers) -> Iterator[str]:
    """Per column how it is read; the words of a boolean stand for 0 and 1."""
    for column in answers.schema.columns:
        words = boolean_words(column) if column.kind == "boolean" else None
        yield f"{column.name!r}: ({column.kind!r}, {words!r}, None)"


def python_rules(answers: RuleAnswers) -> str:
    """A program with `predict(row)` and `predict_proba(row)`; a row is a dict."""
    tables = [
        ("COLUMNS", "{", column_lines(answers.schema, answers.used), "}"),
        ("RULES", "[", _rules(answers), "]"),
        ("ANSWERS", "[", _rule_answers(answers), "]"),
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


def _rule_answers(answers: RuleAnswers) -> Iterator[str]:
    """Per rule, the default last: the position of its class and the probabilities."""
    for best, numbers in zip(answers.best, answers.numbers.tolist(), strict=True):
        yield f"({best}, {tuple(numbers)!r})"


Table = tuple[str, str, Iterable[str], str]


def tables_source(tables: Iterable[Table]) -> list[str]:
    """Tables of the program, a line for each entry.

    tables: the name, the opening bracket, the entries and the closing bracket of each
    """
    return [
        f"{name} = {opening}\n" + "".join(f"    {line},\n" for line in lines) + f"{closing}\n"
        for name, opening, lines, closing in tables
    ]


def column_lines(schema: InputSchema, used: Iterable[int]) -> Iterator[str]:
    """Per column that is asked for: how it is read, its levels, and what fills an unknown value."""
    for position in used:
        column = schema.columns[position]
        fill = None if column.fill is None else plain_value(column, column.fill)
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
        return set_source([plain_value(column, level) for level in range(len(column.levels))])
    return "None"


def set_source(members: list[Any]) -> str:
    """A set that stands in the order given, whatever the order of its hashes."""
    return "{" + ", ".join(map(repr, members)) + "}"


def python_baseline(answers: BaselineAnswers) -> str:
    """A program with `predict(row)` and, for classes, `predict_proba(row)`."""
    source = BASELINE.format(learner=answers.learner, answer=answers.answer)
    if answers.labels is None:
        return source
    return source + BASELINE_SHARES.format(shares=dict(zip(answers.labels, answers.shares, strict=True)))
