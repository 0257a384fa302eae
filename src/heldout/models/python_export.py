"""Models as plain Python source: tables and a loop, no import, no nesting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models import python_program as program
from heldout.models.column_values import boolean_words, is_made_of_dates, meant_levels, plain_value
from heldout.models.exported_models import (
    ExportedBaseline,
    ExportedForest,
    ExportedLinear,
    ExportedModel,
    ExportedRules,
    ExportedTree,
)


def python_export(model: ExportedModel) -> str:
    """A program with `predict(row)`, where a row is a dict.

    Of classes it has `predict_proba(row)`, or for a linear model `decision_function(row)`.
    """
    return _PROGRAMS[type(model)](model)


def _tree_program(tree: ExportedTree) -> str:
    tables = [
        _table("COLUMNS", "{}", column_lines(tree.schema, tree.used)),
        _table("NODES", "[]", node_lines(tree)),
        _table("PREDICTIONS", "[]", _tree_predictions(tree)),
    ]
    ends = [program.TREE_REGRESSOR]
    if tree.labels is not None:
        tables.insert(0, f"CLASSES = {list(tree.labels)!r}\nTIE = {TIE!r}\n")
        ends = [program.TREE_CLASSIFIER, program.PREDICTING]
    return _joined(tree, tables, program.STEPPING, program.TREE_WALKING, *ends)


def node_lines(tree: ExportedTree) -> Iterator[str]:
    """By node: column, test, children, and where a missing value goes; None for a leaf."""
    for node in range(tree.structure.n_nodes):
        if tree.is_leaf(node):
            yield "None"
            continue
        column, children = tree.column(node), tuple(tree.structure.children(node))
        missing: object = tree.missing_child(node)
        if missing is None:
            missing = tuple((child, float(tree.structure.shares[child])) for child in children)
        yield f"({column.name!r}, {_test(tree, node, column)}, {children!r}, {missing!r})"


def _test(tree: ExportedTree, node: int, column: InputColumn) -> str:
    structure = tree.structure
    kind = int(structure.grown.split_kind[node])
    if kind == THRESHOLD:
        return repr(float(structure.grown.threshold[node]))
    if kind == LEVEL_SET:
        return set_source([plain_value(column, level) for level in structure.levels_in_set(node)])
    branches = [(int(structure.grown.branch_level[child]), child) for child in structure.children(node)]
    return repr({plain_value(column, level): child for level, child in branches})


def _tree_predictions(tree: ExportedTree) -> Iterator[str]:
    """By node: the mean; or the position of its class, the probabilities, and by what parts are decided."""
    for node in range(tree.structure.n_nodes):
        if tree.labels is None:
            yield repr(float(tree.outputs[node, 0]))
            continue
        numbers = [tree.outputs]
        if tree.decides_by_shares and tree.shares is not None:
            numbers.append(tree.shares)
        yield repr((tree.best[node], *(tuple(array[node].tolist()) for array in numbers)))


def _forest_program(forest: ExportedForest) -> str:
    tables = [
        _table("COLUMNS", "{}", column_lines(forest.schema, forest.used)),
        _table("TREES", "[]", _forest_trees(forest)),
    ]
    ends = [program.FOREST_REGRESSOR]
    if forest.labels is not None:
        weights = None if forest.weights is None else list(forest.weights)
        tables.insert(
            0,
            f"CLASSES = {list(forest.labels)!r}\nTIE = {TIE!r}\nWEIGHTS = {weights!r}\n"
            f"PRIOR = {list(forest.shares or ())!r}\nSMOOTHING = {forest.smoothing!r}\n"
            f"FACTORS = {None if forest.factors is None else list(forest.factors)!r}\n",
        )
        ends = [program.FOREST_CLASSIFIER, program.PREDICTING]
    tables.insert(0, f"N_OUTPUTS = {forest.n_outputs}\n")
    return _joined(forest, tables, program.STEPPING, program.FOREST_WALKING, *ends)


def _forest_trees(forest: ExportedForest) -> Iterator[str]:
    """By tree: its nodes, and what each of them adds to the sums."""
    for tree in forest.trees():
        nodes = "".join(f"        {line},\n" for line in node_lines(tree))
        outputs = "".join(f"        {tuple(row)!r},\n" for row in forest.tree_outputs(tree).tolist())
        yield f"([\n{nodes}    ], [\n{outputs}    ])"


def _linear_program(linear: ExportedLinear) -> str:
    pairs = zip(linear.intercepts.tolist(), linear.weights.tolist(), strict=True)
    tables = [
        _table("COLUMNS", "{}", _linear_columns(linear)),
        _table("FUNCTIONS", "[]", (f"({start!r}, {weights!r})" for start, weights in pairs)),
    ]
    end = program.LINEAR_REGRESSOR
    if linear.labels is not None:
        tables.insert(0, f"CLASSES = {list(linear.labels)!r}\n")
        end = program.TWO_CLASSES if len(linear.weights) == 1 else program.MANY_CLASSES
    return _joined(linear, tables, program.LINEAR_SUMS, end)


def _linear_columns(linear: ExportedLinear) -> Iterator[str]:
    """By column how it is read; the words of a boolean stand for 0 and 1."""
    for column in linear.schema.columns:
        words = boolean_words(column) if column.kind == "boolean" else None
        yield f"{column.name!r}: ({column.kind!r}, {words!r}, None)"


def _rules_program(rules: ExportedRules) -> str:
    predictions = zip(rules.best, rules.outputs.tolist(), strict=True)
    tables = [
        f"CLASSES = {list(rules.labels)!r}\n",
        _table("COLUMNS", "{}", column_lines(rules.schema, rules.used)),
        _table("RULES", "[]", _rule_lines(rules)),
        # The default comes last: it is for the rows that meet no rule.
        _table("PREDICTIONS", "[]", (f"({best}, {tuple(shares)!r})" for best, shares in predictions)),
    ]
    return _joined(rules, tables, program.RULE_LIST, program.PREDICTING)


def _rule_lines(rules: ExportedRules) -> Iterator[str]:
    """By rule: its conditions, each a column with what it allows."""
    for conditions in rules.conditions:
        yield f"[{', '.join(f'({c.column.name!r}, {_allowed(c)})' for c in conditions)}]"


def _allowed(condition: Condition) -> str:
    """The levels, or the number that a value must exceed and the one that it must not."""
    if condition.levels is not None:
        return set_source([plain_value(condition.column, level) for level in condition.levels])
    low, high = (None if cut is None else cut.threshold for cut in (condition.low, condition.high))
    return repr((low, high))


def _baseline_program(baseline: ExportedBaseline) -> str:
    source = program.BASELINE.format(learner=baseline.learner, prediction=baseline.prediction)
    if baseline.labels is None:
        return source
    probabilities = dict(zip(baseline.labels, baseline.probabilities, strict=True))
    return source + program.BASELINE_PROBABILITIES.format(probabilities=probabilities)


_PROGRAMS: dict[type[ExportedModel], Callable[[Any], str]] = {
    ExportedTree: _tree_program,
    ExportedForest: _forest_program,
    ExportedLinear: _linear_program,
    ExportedRules: _rules_program,
    ExportedBaseline: _baseline_program,
}


def _joined(model: ExportedModel, tables: Sequence[str], *functions: str) -> str:
    """A program: its docstring, its tables, how values are read, and the functions of the model."""
    head = program.HEAD.format(learner=model.learner)
    return "\n".join([head, *tables, program.READING, *functions])


def _table(name: str, brackets: str, lines: Iterable[str]) -> str:
    """A table of the program, a line for each entry."""
    return f"{name} = {brackets[0]}\n" + "".join(f"    {line},\n" for line in lines) + f"{brackets[1]}\n"


def column_lines(schema: InputSchema, used: Iterable[int]) -> Iterator[str]:
    """By column that is used: how it is read, its levels, and what fills a missing value."""
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


def set_source(members: Sequence[str | float]) -> str:
    """A set that stands in the order given, whatever the order of its hashes."""
    return "{" + ", ".join(map(repr, members)) + "}"
