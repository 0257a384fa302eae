"""A linear model as one SELECT: a sum in the order of the columns, so that every bit is that of `predict`.

A row with a value that is NULL or unknown has no answer: NULL.
"""

from __future__ import annotations

from heldout.errors import RequestError
from heldout.learners.inputs.input_schema import InputColumn
from heldout.models.linear_answers import LinearAnswers, boolean_words
from heldout.models.sql_conditions import LARGEST, is_in, sql_value
from heldout.models.sql_literals import identifier, label_literal, number_literal, text_literal
from heldout.models.sql_statement import (
    MOST_LETTERS,
    added_names,
    checked_length,
    listed_outputs,
    source_name,
)

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
        sums = listed_outputs([_sum(answers, 0)], added)
        statement = f"SELECT t.*,\n{sums}\nFROM {source} AS t"
    else:
        owners = answers.labels if len(functions) > 1 else answers.labels[1:]
        answer, *margins = added_names(answers.schema, owners, prefix, number="margin")
        sums = listed_outputs([_sum(answers, function) for function in functions], margins)
        label = listed_outputs([_label(answers, margins)], [answer])
        statement = (
            f'WITH "heldout_sums" AS (\n  SELECT t.*,\n{sums}\n  FROM {source} AS t\n)\n'
            f'SELECT r.*,\n{label}\nFROM "heldout_sums" AS r'
        )
    where = f"{len(functions)} sums of {n_columns:,} columns"
    return checked_length(statement, max_length, where, "fit on fewer columns")


def _sum(answers: LinearAnswers, function: int) -> str:
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
