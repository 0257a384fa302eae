"""Models as one SELECT: SQLite, DuckDB and PostgreSQL predict as the model does.

A tree is one flat WHEN for each path through it, no nesting: SQLite's parser overflows at 24 nested CASEs.
All that a path requires of one column is merged into one condition. Where the tree splits a row with a
missing value among its branches, each probability is a sum over the paths of products of shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.class_shares import TIE
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import Way, ways_through
from heldout.models.column_values import boolean_words
from heldout.models.exported_models import (
    BaselineAnswers,
    Label,
    LinearAnswers,
    RuleAnswers,
    TreeAnswers,
)
from heldout.models.sql_conditions import (
    LARGEST,
    identifier,
    is_in,
    is_met,
    joined,
    label_literal,
    met_share,
    number_literal,
    sql_value,
    text_literal,
    unknown_share,
)

MOST_LETTERS = 1_000_000


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


def added_names(
    schema: InputSchema,
    labels: tuple[Label, ...] | None,
    prefix: str,
    marker: str | None = None,
    number: str = "probability",
) -> list[str]:
    """The answer's name, then that of each class's probability; no two alike, nor like a column's.

    marker: a further name that is added, or None
    number: what there is of each class
    """
    names = [f"{prefix}prediction"]
    taken = {names[0].casefold()}
    for label in labels or ():
        name = wanted = f"{prefix}{number}_{label}"
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted}_{count}"
        taken.add(name.casefold())
        names.append(name)
    _refuse_clashes(schema, taken if marker is None else {*taken, marker.casefold()})
    return names


def _refuse_clashes(schema: InputSchema, taken: set[str]) -> None:
    twice = [name for name, count in Counter(map(str.casefold, schema.names)).items() if count > 1]
    if twice:
        alike = [name for name in schema.names if name.casefold() == twice[0]]
        raise RequestError(
            "two columns differ only in capital letters, which SQL does not tell apart",
            where=" and ".join(map(repr, alike[:2])),
            fix='rename one and fit again, or export to "python"',
        )
    clashes = [name for name in schema.names if name.casefold() in taken]
    if clashes:
        raise RequestError(
            "a column of the table has the name of a column that the SQL adds",
            where=f"{clashes[0]!r}",
            fix='give a prefix for the names that are added, such as prefix="tree_"',
        )


def listed_outputs(outputs: list[str], names: list[str]) -> str:
    """Expressions with their names, one to a line."""
    pairs = zip(outputs, names, strict=True)
    return ",\n".join(f"  {output} AS {identifier(name)}" for output, name in pairs)


def claim(conditions: Sequence[Condition]) -> str:
    """That a row as a whole meets all conditions."""
    claims = [met for condition in conditions if (met := is_met(condition)) is not None]
    return joined(claims, "AND") if claims else "1 = 1"


def checked_length(statement: str, max_length: int, where: str, less: str) -> str:
    """The statement, if it is short enough.

    where: what makes it long
    less:  what makes it shorter
    """
    if len(statement) > max_length:
        raise RequestError(
            f"the SQL would have {len(statement):,} letters, and {max_length:,} are allowed",
            where=where,
            fix=f'export to "python" or "json", {less}, or allow more with max_length=',
        )
    return statement


@dataclass(frozen=True)
class Numbered:
    """What each numbered end of a row answers: a node of a tree, or a rule.

    marker:  the name of the column that tells the number
    ends:    the numbers that a row can have
    best:    by number, the position of its class; not asked for without labels
    numbers: by number, the probabilities of the classes, or the mean
    labels:  the classes; None for a regression
    """

    marker: str
    ends: Sequence[int]
    best: Sequence[int]
    numbers: NDArray[np.float64]
    labels: tuple[Label, ...] | None


def numbered_rows(cases: str, answers: Numbered, source: str, added: list[str]) -> str:
    """A SELECT that first finds the number of each row's end, and then what that answers.

    cases: an expression for the number
    added: as `added_names` gives them
    """
    marker = identifier(answers.marker)
    outputs = [_numbered_label(answers)] if answers.labels is not None else []
    n_numbers = len(answers.labels or (0,))
    outputs += [_numbered_value(answers, place) for place in range(n_numbers)]
    return (
        f'WITH "heldout_reached" AS (\n  SELECT t.*,\n    {cases} AS {marker}\n'
        f"  FROM {source} AS t\n)\n"
        f'SELECT r.*,\n{listed_outputs(outputs, added)}\nFROM "heldout_reached" AS r'
    )


def _numbered_label(answers: Numbered) -> str:
    assert answers.labels is not None
    cases = []
    for place, label in enumerate(answers.labels):
        places = ", ".join(str(number) for number in answers.ends if answers.best[number] == place)
        if places:
            cases.append(f"WHEN r.{identifier(answers.marker)} IN ({places}) THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


def _numbered_value(answers: Numbered, place: int) -> str:
    """The probability of a class or the mean; ends without the class are left to ELSE."""
    numbers = {number: float(answers.numbers[number, place]) for number in answers.ends}
    cases = [f"WHEN {number} THEN {number_literal(value)}" for number, value in numbers.items() if value != 0]
    return f"CASE r.{identifier(answers.marker)} {' '.join(cases)} ELSE 0e0 END" if cases else "0e0"


Parts = list[tuple[str | None, list[str]]]


def sql_export(
    answers: TreeAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the answer, and the probability of each class.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    ways = list(ways_through(answers.structure, answers.schema))
    marker = f"{prefix}heldout_node"
    added = added_names(answers.schema, answers.labels, prefix, marker)
    source = source_name(table)
    if any(0 < unknown_share(condition) < 1 for way in ways for condition in way.conditions):
        statement = _split_rows(answers, ways, source, added)
    else:
        statement = _whole_rows(answers, ways, source, added, marker)
    where = f"{len(ways):,} ways through the tree, {len(added) - 1:,} probabilities"
    return checked_length(statement, max_length, where, "prune the tree")


def _whole_rows(answers: TreeAnswers, ways: list[Way], source: str, added: list[str], marker: str) -> str:
    """Each row ends in one node, whose number is found first."""
    cases = "\n".join(f"      WHEN {claim(way.conditions)} THEN {way.node}" for way in ways)
    nodes = sorted({way.node for way in ways})
    ends = Numbered(marker, nodes, answers.best, answers.numbers, answers.labels)
    return numbered_rows(f"CASE\n{cases}\n    END", ends, source, added)


def _split_rows(answers: TreeAnswers, ways: list[Way], source: str, added: list[str]) -> str:
    """A row may end in several nodes, each with a share of it."""
    parts = [_share(way) for way in ways]
    sums = _sums(answers.numbers, ways, parts)
    if answers.labels is None:
        return f"SELECT t.*,\n{listed_outputs(sums, added)}\nFROM {source} AS t"
    can_be_certain = (answers.numbers.max(axis=0) >= 1.0).tolist()
    sums = [_at_most_one(total) if can else total for total, can in zip(sums, can_be_certain, strict=True)]
    answer = listed_outputs([_decision(answers, ways, parts, added[1:])], added[:1])
    return (
        f'WITH "heldout_reached" AS MATERIALIZED (\n  SELECT t.*,\n{listed_outputs(sums, added[1:])}\n'
        f"  FROM {source} AS t\n)\n"
        f'SELECT t.*,\n{answer}\nFROM "heldout_reached" AS t'
    )


def _share(way: Way) -> tuple[str | None, list[str]]:
    """What a row must meet as a whole, and the factors that may be a part of it."""
    is_whole = [unknown_share(condition) in (0, 1) for condition in way.conditions]
    pairs = list(zip(way.conditions, is_whole, strict=True))
    claims = [met for c, whole in pairs if whole and (met := is_met(c)) is not None]
    factors = [met_share(condition) for condition, whole in pairs if not whole]
    return joined(claims, "AND") or None, factors


def _at_most_one(total: str) -> str:
    """Parts of a row that all end in certain nodes may add up to more than 1 by rounding."""
    return f"CASE WHEN {total} > 1e0 THEN 1e0 ELSE {total} END"


def _sums(told: NDArray[np.float64], ways: list[Way], parts: Parts) -> list[str]:
    """For each class, or for the mean, what the nodes tell, added up by the parts of a row."""
    return [_sum(told[:, place].tolist(), ways, parts) for place in range(told.shape[1])]


def _sum(told: list[float], ways: list[Way], parts: Parts) -> str:
    terms = []
    for way, (wanted, factors) in zip(ways, parts, strict=True):
        number = told[way.node]
        if number == 0:
            continue
        product = joined([*factors, number_literal(number)], "*")
        terms.append(f"({product})" if wanted is None else f"CASE WHEN {wanted} THEN {product} ELSE 0e0 END")
    return joined(terms, "+") if terms else "0e0"


def _decision(answers: TreeAnswers, ways: list[Way], parts: Parts, names: list[str]) -> str:
    """The class: by the probabilities that were added up, or by shares of weight where these differ."""
    if not answers.decides_apart:
        return _first_largest(answers, ways, [f"t.{identifier(name)}" for name in names])
    assert answers.shares is not None
    shares = [f"s.{identifier(f'heldout_share_{place}')}" for place in range(len(names))]
    sums = _sums(answers.shares, ways, parts)
    listed = ", ".join(f"{total} AS {name[2:]}" for total, name in zip(sums, shares, strict=True))
    return f"(SELECT {_first_largest(answers, ways, shares)} FROM (SELECT {listed}) AS s)"


def _first_largest(answers: TreeAnswers, ways: list[Way], sums: list[str]) -> str:
    """The first class that no other exceeds by more than rounding.

    A row that ends as a whole in a node of equal or nearly equal classes is answered by the node.
    """
    assert answers.labels is not None
    cases = [
        f"WHEN {claim(way.conditions)} THEN {label_literal(answers.labels[answers.best[way.node]])}"
        for way in ways
        if answers.answers_by_itself[way.node]
        and all(condition.allows_a_value for condition in way.conditions)
    ]
    for place, label in enumerate(answers.labels):
        mine = f"{sums[place]} + {number_literal(TIE)}"
        claims = [f"{mine} >= {other}" for k, other in enumerate(sums) if k != place]
        cases.append(f"WHEN {joined(claims, 'AND') or '1 = 1'} THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


# A sum in order nests as deep as it is long, and SQLite takes a depth of 1,000.
MOST_COLUMNS = 500


def sql_linear(
    answers: LinearAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, of classes the margins, and the answer.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    n_columns = len(answers.schema.columns)
    if n_columns > MOST_COLUMNS:
        raise RequestError(
            "a sum of so many columns is nested too deeply for a database",
            where=f"{n_columns:,} columns, and {MOST_COLUMNS} are the most",
            fix='export to "python" or "json", or fit on fewer columns',
        )
    source = source_name(table)
    functions = range(len(answers.weights))
    if answers.labels is None:
        added = added_names(answers.schema, None, prefix)
        sums = listed_outputs([_weighted_sum(answers, 0)], added)
        statement = f"SELECT t.*,\n{sums}\nFROM {source} AS t"
    else:
        owners = answers.labels if len(functions) > 1 else answers.labels[1:]
        answer, *margins = added_names(answers.schema, owners, prefix, number="margin")
        sums = listed_outputs([_weighted_sum(answers, function) for function in functions], margins)
        label = listed_outputs([_label(answers, margins)], [answer])
        statement = (
            f'WITH "heldout_sums" AS (\n  SELECT t.*,\n{sums}\n  FROM {source} AS t\n)\n'
            f'SELECT r.*,\n{label}\nFROM "heldout_sums" AS r'
        )
    where = f"{len(functions)} sums of {n_columns:,} columns"
    return checked_length(statement, max_length, where, "fit on fewer columns")


def _weighted_sum(answers: LinearAnswers, function: int) -> str:
    """The intercept and the terms one after the other: databases add from the left."""
    terms = [number_literal(float(answers.intercepts[function]))]
    for weight, column in zip(answers.weights[function].tolist(), answers.schema.columns, strict=True):
        terms.append(f"{number_literal(weight)} * {_value(column)}")
    return " + ".join(terms)


def _value(column: InputColumn) -> str:
    if column.kind == "date":
        raise RequestError(
            "databases count the days of a date each in its own way, so no sum of dates is the same in all",
            where=f"column '{column.name}'",
            fix='export to "python" or "json", or turn dates into numbers before you fit',
        )
    if column.kind != "boolean":
        return sql_value(column)
    exact, meant = boolean_words(column)
    source, cases = sql_value(column), []
    for number in (0.0, 1.0):
        levels = [text_literal(word) for word, value in exact.items() if value == number]
        cases += [f"WHEN {is_in(source, levels)} THEN {number_literal(number)}"] if levels else []
    for number in (0.0, 1.0):
        words = [text_literal(word) for word, value in meant.items() if value == number]
        cases += [f"WHEN {is_in(f'LOWER{source}', words)} THEN {number_literal(number)}"] if words else []
    return f"CASE {' '.join(cases)} END"


def _label(answers: LinearAnswers, margins: list[str]) -> str:
    """The class with the largest margin, the first of equals; NULL where there is none, or NaN."""
    assert answers.labels is not None
    labels = [label_literal(label) for label in answers.labels]
    columns = [f"r.{identifier(margin)}" for margin in margins]
    if len(columns) == 1:
        (margin,) = columns
        return f"CASE WHEN {margin} <= 0e0 THEN {labels[0]} WHEN {margin} <= {LARGEST} THEN {labels[1]} END"
    cases = []
    for place, (margin, label) in enumerate(zip(columns, labels, strict=True)):
        claims = [f"{margin} <= {LARGEST}", *[f"{margin} >= {other}" for other in columns[place + 1 :]]]
        cases.append(f"WHEN {' AND '.join(claims)} THEN {label}")
    return f"CASE {' '.join(cases)} END"


def sql_rules(
    answers: RuleAnswers,
    table: str | tuple[str, ...] = "data",
    prefix: str = "",
    max_length: int = MOST_LETTERS,
) -> str:
    """A SELECT that gives the columns of the table, the rule, the answer, and the probability of each class.

    table:      the table's name, or a tuple of schema and name
    prefix:     put before the names of the columns that are added
    max_length: the most letters that the statement may have
    """
    marker = f"{prefix}heldout_rule"
    added = added_names(answers.schema, answers.labels, prefix, marker)
    n_rules = len(answers.conditions)
    ends = Numbered(marker, range(n_rules + 1), answers.best, answers.numbers, answers.labels)
    statement = numbered_rows(_cases(answers), ends, source_name(table), added)
    where = f"{n_rules:,} rules, {len(added) - 1:,} probabilities"
    return checked_length(statement, max_length, where, "prune the rules with a smaller prune_confidence")


def _cases(answers: RuleAnswers) -> str:
    """The place of the first rule that a row meets; the default comes after the last."""
    default = len(answers.conditions)
    if not default:
        return f"{default}"
    cases = [
        f"      WHEN {claim(conditions)} THEN {place}" for place, conditions in enumerate(answers.conditions)
    ]
    return "\n".join(["CASE", *cases, f"      ELSE {default}", "    END"])


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
