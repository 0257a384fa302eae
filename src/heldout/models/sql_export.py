"""Models as one SELECT: SQLite, DuckDB and PostgreSQL predict as the model does.

A tree is one flat WHEN for each path through it, no nesting: SQLite's parser overflows at 24 nested CASEs.
All that a path requires of one column is merged into one condition. Where the tree splits a row with a
missing value among its branches, each probability is a sum over the paths of products of shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import Way, ways_through
from heldout.models.column_values import boolean_words
from heldout.models.exported_models import (
    ExportedBaseline,
    ExportedLinear,
    ExportedModel,
    ExportedRules,
    ExportedTree,
    Label,
)
from heldout.models.sql_conditions import (
    LARGEST,
    identifier,
    is_in,
    is_met,
    joined,
    label_literal,
    met_share,
    missing_share,
    number_literal,
    sql_value,
    text_literal,
)

MOST_LETTERS = 1_000_000
# A sum in order nests as deep as it is long, and SQLite takes a depth of 1,000.
MOST_COLUMNS = 500


@dataclass(frozen=True)
class _Statement:
    """A SELECT, what makes it long, and what would make it shorter."""

    text: str
    size: str
    less: str


def sql_export(
    model: ExportedModel,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the prediction, and the probability of each class.

    Of a linear model there are decision values in place of probabilities.

    Parameters
    ----------
    model
        What is exported; not a forest.
    table
        The table's name, or a tuple of schema and name.
    prefix
        Put before the names of the columns that are added.
    max_length
        The most letters that the statement may have.
    """
    statement = _STATEMENTS[type(model)](model, source_name(table), prefix)
    if len(statement.text) > max_length:
        raise RequestError(
            f"the SQL would have {len(statement.text):,} letters, and {max_length:,} are allowed",
            where=statement.size,
            fix=f'export to "python" or "json", {statement.less}, or allow more with max_length=',
        )
    return statement.text


def source_name(table: str | tuple[str, ...]) -> str:
    """A table's name, or schema and name."""
    parts = (table,) if isinstance(table, str) else table
    if not isinstance(parts, tuple | list) or not all(isinstance(part, str) for part in parts):
        raise InputTypeError(
            "table must be a name, or a tuple of schema and name",
            where=f"table={table!r:.60}",
            fix='use a string such as "data", or a tuple such as ("main", "data")',
        )
    if not all(parts) or not parts:
        raise RequestError(
            "a table needs a name",
            where=f"table={table!r:.60}",
            fix='leave table out for "data", or give names that are not empty',
        )
    return ".".join(map(identifier, parts))


def output_names(labels: Sequence[Label] | None, prefix: str, number: str = "probability") -> list[str]:
    """The name of the prediction, then of the number of each class; no two are alike."""
    names = [f"{prefix}prediction"]
    for label in labels or ():
        name = wanted = f"{prefix}{number}_{label}"
        count = 1
        # SQL takes names for the same that differ only in capital letters.
        while name.casefold() in map(str.casefold, names):
            count += 1
            name = f"{wanted}_{count}"
        names.append(name)
    return names


def _refuse_clashes(schema: InputSchema, added: Sequence[str]) -> None:
    """Refuse columns that SQL takes for each other, or for a column that is added."""
    twice = [name for name, count in Counter(map(str.casefold, schema.names)).items() if count > 1]
    if twice:
        alike = [name for name in schema.names if name.casefold() == twice[0]]
        raise RequestError(
            "two columns differ only in capital letters, which SQL does not tell apart",
            where=" and ".join(map(repr, alike[:2])),
            fix='rename one and fit again, or export to "python"',
        )
    taken = set(map(str.casefold, added))
    clashes = [name for name in schema.names if name.casefold() in taken]
    if clashes:
        raise RequestError(
            "a column of the table has the name of a column that the SQL adds",
            where=f"{clashes[0]!r}",
            fix='give a prefix for the names that are added, such as prefix="tree_"',
        )


def _select(source: str, outputs: Sequence[str], names: Sequence[str]) -> str:
    """All columns of a source, and these expressions behind them."""
    pairs = zip(outputs, names, strict=True)
    listed = ",\n".join(f"  {output} AS {identifier(name)}" for output, name in pairs)
    return f"SELECT t.*,\n{listed}\nFROM {source} AS t"


def _select_twice(
    source: str,
    inner: tuple[Sequence[str], Sequence[str]],
    outer: tuple[Sequence[str], Sequence[str]],
    is_kept: bool = False,
) -> str:
    """Expressions with their names, and then others that use them.

    `is_kept` asks the database to compute the inner ones once, however often the outer ones use them.
    """
    name = identifier("heldout_rows")
    materialized = " MATERIALIZED" if is_kept else ""
    first, second = _select(source, *inner), _select(name, *outer)
    return f"WITH {name} AS{materialized} (\n{first}\n)\n{second}"


def _numbered_statement(
    model: ExportedTree | ExportedRules, cases: str, ends: Sequence[int], source: str, prefix: str, what: str
) -> str:
    """First the number of the node or rule in which each row ends, and then what that predicts."""
    marker, names = f"{prefix}heldout_{what}", output_names(model.labels, prefix)
    _refuse_clashes(model.schema, [marker, *names])
    column = f"t.{identifier(marker)}"
    outputs = [] if model.labels is None else [_label_case(column, model.labels, model.best, ends)]
    outputs += [_number_case(column, model.outputs[:, k], ends) for k in range(model.n_outputs)]
    return _select_twice(source, ([cases], [marker]), (outputs, names))


def _label_case(column: str, labels: Sequence[Label], best: Sequence[int], ends: Sequence[int]) -> str:
    cases = []
    for position, label in enumerate(labels):
        numbers = ", ".join(str(end) for end in ends if best[end] == position)
        if numbers:
            cases.append(f"WHEN {column} IN ({numbers}) THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


def _number_case(column: str, numbers: NDArray[np.float64], ends: Sequence[int]) -> str:
    """The probability of a class or the mean; ends without the class are left to ELSE."""
    values = {end: float(numbers[end]) for end in ends}
    cases = [f"WHEN {end} THEN {number_literal(value)}" for end, value in values.items() if value != 0]
    return f"CASE {column} {' '.join(cases)} ELSE 0e0 END" if cases else "0e0"


def _claim(conditions: Sequence[Condition]) -> str:
    """That a row as a whole meets all conditions."""
    claims = [met for condition in conditions if (met := is_met(condition)) is not None]
    return joined(claims, "AND") if claims else "1 = 1"


def _tree_statement(tree: ExportedTree, source: str, prefix: str) -> _Statement:
    paths = list(ways_through(tree.structure, tree.schema))
    if any(0 < missing_share(condition) < 1 for path in paths for condition in path.conditions):
        text = _split_rows(tree, paths, source, prefix)
    else:
        cases = "\n".join(f"    WHEN {_claim(path.conditions)} THEN {path.node}" for path in paths)
        nodes = sorted({path.node for path in paths})
        text = _numbered_statement(tree, f"CASE\n{cases}\n  END", nodes, source, prefix, "node")
    size = f"{len(paths):,} paths through the tree, {len(tree.labels or ()):,} probabilities"
    return _Statement(text, size, "prune the tree")


# What a row must meet as a whole to take a path, None for nothing, and the factors that may be parts of it.
_Share = tuple[str | None, list[str]]


def _split_rows(tree: ExportedTree, paths: list[Way], source: str, prefix: str) -> str:
    """A row may end in several nodes, each with a share of it."""
    prediction, *probabilities = names = output_names(tree.labels, prefix)
    _refuse_clashes(tree.schema, names)
    shares = [_path_share(path) for path in paths]
    sums = _sums(tree.outputs, paths, shares)
    if tree.labels is None:
        return _select(source, sums, [prediction])
    can_be_certain = (tree.outputs.max(axis=0) >= 1.0).tolist()
    sums = [_at_most_one(total) if can else total for total, can in zip(sums, can_be_certain, strict=True)]
    decision = _decision(tree, paths, shares, probabilities)
    return _select_twice(source, (sums, probabilities), ([decision], [prediction]), is_kept=True)


def _path_share(path: Way) -> _Share:
    is_whole = [missing_share(condition) in (0, 1) for condition in path.conditions]
    pairs = list(zip(path.conditions, is_whole, strict=True))
    claims = [met for c, whole in pairs if whole and (met := is_met(c)) is not None]
    factors = [met_share(condition) for condition, whole in pairs if not whole]
    return joined(claims, "AND") or None, factors


def _at_most_one(total: str) -> str:
    """Parts of a row that all end in certain nodes may add up to more than 1 by rounding."""
    return f"CASE WHEN {total} > 1e0 THEN 1e0 ELSE {total} END"


def _sums(numbers: NDArray[np.float64], paths: list[Way], shares: list[_Share]) -> list[str]:
    """For each class, or for the mean, the numbers of the nodes, added up by the parts of a row."""
    return [_sum(column, paths, shares) for column in numbers.T.tolist()]


def _sum(numbers: list[float], paths: list[Way], shares: list[_Share]) -> str:
    terms = []
    for path, (claim, factors) in zip(paths, shares, strict=True):
        number = numbers[path.node]
        if number == 0:
            continue
        product = joined([*factors, number_literal(number)], "*")
        terms.append(f"({product})" if claim is None else f"CASE WHEN {claim} THEN {product} ELSE 0e0 END")
    return joined(terms, "+") if terms else "0e0"


def _decision(tree: ExportedTree, paths: list[Way], shares: list[_Share], names: list[str]) -> str:
    """The class: by the probabilities that were added up, or by shares of weight where these differ."""
    if not tree.decides_by_shares:
        return _first_largest(tree, paths, [f"t.{identifier(name)}" for name in names])
    assert tree.shares is not None
    columns = [identifier(f"heldout_share_{position}") for position in range(len(names))]
    sums = zip(_sums(tree.shares, paths, shares), columns, strict=True)
    listed = ", ".join(f"{total} AS {column}" for total, column in sums)
    label = _first_largest(tree, paths, [f"s.{column}" for column in columns])
    return f"(SELECT {label} FROM (SELECT {listed}) AS s)"


def _first_largest(tree: ExportedTree, paths: list[Way], sums: list[str]) -> str:
    """The first class that no other exceeds by more than rounding.

    A row that ends as a whole in a node of equal or nearly equal classes gets the class of the node.
    """
    assert tree.labels is not None
    cases = [
        f"WHEN {_claim(path.conditions)} THEN {label_literal(tree.labels[tree.best[path.node]])}"
        for path in paths
        if tree.decides_alone[path.node] and all(condition.allows_a_value for condition in path.conditions)
    ]
    for position, label in enumerate(tree.labels):
        own = f"{sums[position]} + {number_literal(TIE)}"
        claims = [f"{own} >= {other}" for k, other in enumerate(sums) if k != position]
        cases.append(f"WHEN {joined(claims, 'AND') or '1 = 1'} THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


def _rules_statement(rules: ExportedRules, source: str, prefix: str) -> _Statement:
    """The position of the first rule that a row meets; the default comes after the last."""
    n_rules = len(rules.conditions)
    claims = [
        f"    WHEN {_claim(conditions)} THEN {rule}" for rule, conditions in enumerate(rules.conditions)
    ]
    cases = "\n".join(["CASE", *claims, f"    ELSE {n_rules}", "  END"]) if n_rules else "0"
    text = _numbered_statement(rules, cases, range(n_rules + 1), source, prefix, "rule")
    size = f"{n_rules:,} rules, {len(rules.labels):,} probabilities"
    return _Statement(text, size, "prune the rules with a smaller prune_confidence")


def _linear_statement(linear: ExportedLinear, source: str, prefix: str) -> _Statement:
    n_columns = len(linear.schema.columns)
    if n_columns > MOST_COLUMNS:
        raise RequestError(
            "a sum of so many columns is nested too deeply for a database",
            where=f"{n_columns:,} columns, and {MOST_COLUMNS} are the most",
            fix='export to "python" or "json", or fit on fewer columns',
        )
    sums = [_weighted_sum(linear, function) for function in range(len(linear.weights))]
    owners = linear.labels if linear.labels is None or len(sums) > 1 else linear.labels[1:]
    prediction, *values = names = output_names(owners, prefix, number="decision_value")
    _refuse_clashes(linear.schema, names)
    if linear.labels is None:
        text = _select(source, sums, names)
    else:
        label = _largest_label(linear.labels, [f"t.{identifier(name)}" for name in values])
        text = _select_twice(source, (sums, values), ([label], [prediction]))
    return _Statement(text, f"{len(sums)} sums of {n_columns:,} columns", "fit on fewer columns")


def _weighted_sum(linear: ExportedLinear, function: int) -> str:
    """The intercept and the terms one after the other: databases add from the left."""
    terms = [number_literal(float(linear.intercepts[function]))]
    for weight, column in zip(linear.weights[function].tolist(), linear.schema.columns, strict=True):
        terms.append(f"{number_literal(weight)} * {_number(column)}")
    return " + ".join(terms)


def _number(column: InputColumn) -> str:
    """A column as the number that a sum adds."""
    if column.kind == "date":
        raise RequestError(
            "databases count the days of a date each in its own way, so no sum of dates is the same in all",
            where=f"column '{column.name}'",
            fix='export to "python" or "json", or turn dates into numbers before you fit',
        )
    source = sql_value(column)
    if column.kind != "boolean":
        return source
    exact, meant = boolean_words(column)
    cases = []
    # The levels as they stand come before the words that mean them.
    for expression, numbers in ((source, exact), (f"LOWER{source}", meant)):
        for number in (0.0, 1.0):
            words = [text_literal(word) for word, value in numbers.items() if value == number]
            cases += [f"WHEN {is_in(expression, words)} THEN {number_literal(number)}"] if words else []
    return f"CASE {' '.join(cases)} END"


def _largest_label(classes: Sequence[Label], values: list[str]) -> str:
    """The class with the largest decision value, the first of equals; NULL where there is none, or NaN."""
    labels = [label_literal(label) for label in classes]
    if len(values) == 1:
        (value,) = values
        return f"CASE WHEN {value} <= 0e0 THEN {labels[0]} WHEN {value} <= {LARGEST} THEN {labels[1]} END"
    cases = []
    for position, (value, label) in enumerate(zip(values, labels, strict=True)):
        claims = [f"{value} <= {LARGEST}", *[f"{value} >= {other}" for other in values[position + 1 :]]]
        cases.append(f"WHEN {' AND '.join(claims)} THEN {label}")
    return f"CASE {' '.join(cases)} END"


def _baseline_statement(baseline: ExportedBaseline, source: str, prefix: str) -> _Statement:
    outputs = [label_literal(baseline.prediction), *map(number_literal, baseline.probabilities)]
    names = output_names(baseline.labels, prefix)
    _refuse_clashes(baseline.schema, names)
    text = _select(source, outputs, names)
    return _Statement(text, f"{len(outputs) - 1:,} probabilities", "fit on fewer classes")


_STATEMENTS: dict[type[ExportedModel], Callable[[Any, str, str], _Statement]] = {
    ExportedTree: _tree_statement,
    ExportedRules: _rules_statement,
    ExportedLinear: _linear_statement,
    ExportedBaseline: _baseline_statement,
}
