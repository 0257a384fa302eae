"""Classification or regression: what a target column asks for, by a rule that is stated.

A category or boolean asks for classification. A number asks for it if it has two distinct values, or
at most ten that are all whole, with ten rows for each on average; otherwise it asks for regression.
Dates, text and identifiers are not targets unless the user says how to read them.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pyarrow as pa

from heldout.errors import DataError, RequestError
from heldout.table.column import LEVEL_KINDS, STRING_KINDS, Column, number_label
from heldout.table.parse_numbers import LARGEST_EXACT, is_plain_number
from heldout.text.words import plural

TASK_KINDS = ("classification", "regression")
_MOST_CLASSES_OF_A_NUMBER = 10
_ROWS_PER_CLASS = 10
# More than so many different numbers are an amount, and no list of classes.
MOST_NUMBERS_AS_CLASSES = 100


def target_kind(column: Column, requested: str | None) -> tuple[str, str]:
    """The kind of task and the reason for it, or an error that says why there is none.

    column: the target, missing values already left out
    requested: "classification" or "regression" if the user said so
    """
    if requested is not None and requested not in TASK_KINDS:
        raise RequestError(
            f"unknown kind of task {requested!r}", where="kind", fix=f"use one of {', '.join(TASK_KINDS)}"
        )
    n_distinct = len(np.unique(column.values)) if column.kind not in STRING_KINDS else len(set(column.values))
    _refuse_constant(column, n_distinct)
    kind, reason = _decided(column, n_distinct) if requested is None else (requested, "as requested")
    _refuse_unfit(column, kind, n_distinct)
    return kind, reason


def are_whole(column: Column) -> bool:
    return bool(
        np.all(column.values == np.floor(column.values)) and np.all(np.abs(column.values) < LARGEST_EXACT)
    )


def _decided(column: Column, n_distinct: int) -> tuple[str, str]:
    if column.kind in LEVEL_KINDS:
        return "classification", f"the target is a {column.kind}"
    if column.kind != "number":
        _refuse_kind(column, n_distinct)
    if n_distinct == 2:
        low, high = (number_label(value) for value in np.unique(column.values))
        return "classification", f"the target is a number with two values, {low} and {high}"
    is_few = n_distinct <= _MOST_CLASSES_OF_A_NUMBER and len(column) >= _ROWS_PER_CLASS * n_distinct
    if is_few and are_whole(column):
        return "classification", f"the target has {n_distinct} distinct values, all of them whole"
    return "regression", f"the target is a number with {n_distinct:,} distinct values"


def _refuse_constant(column: Column, n_distinct: int) -> None:
    if n_distinct != 1:
        return
    raise DataError(
        f"the target '{column.name}' is constant",
        where=f"all {plural(len(column), 'row')} with a target hold {column.take(slice(0, 1)).labels()[0]!r}",
        fix="choose another target, or rows in which it varies",
    )


def _refuse_unfit(column: Column, kind: str, n_distinct: int) -> None:
    if column.kind in STRING_KINDS:
        _refuse_kind(column, n_distinct)
    if kind == "classification" and n_distinct == len(column):
        raise DataError(
            f"the target '{column.name}' is different in every row, so there is no class to learn",
            where=f"{plural(n_distinct, 'class', 'classes')} in {plural(len(column), 'row')}",
            fix="choose another target" + (", or kind='regression'" if column.kind == "number" else ""),
        )
    if kind == "classification" and column.kind == "number" and n_distinct > MOST_NUMBERS_AS_CLASSES:
        raise RequestError(
            f"the target '{column.name}' is a number with {n_distinct:,} distinct values, which would each be"
            " a class",
            where=f"{plural(len(column), 'row')}, {len(column) / n_distinct:.1f} for each value on average",
            fix="use kind='regression', or leave kind out; numbers that name classes are read with"
            f" kinds={{{column.name!r}: 'category'}}",
        )
    if kind == "classification" and column.kind == "date":
        _refuse_kind(column, n_distinct)
    if kind == "regression" and column.kind in LEVEL_KINDS:
        raise RequestError(
            f"the target '{column.name}' is a {column.kind}, which regression cannot predict",
            where=f"{len(column.levels)} levels, first {column.levels[0]!r}",
            fix=f"leave kind out, or read it with kinds={{{column.name!r}: 'number'}}",
        )


def _refuse_kind(column: Column, n_distinct: int) -> NoReturn:
    if column.kind == "date":
        raise RequestError(
            f"the target '{column.name}' is a date, which names neither a class nor an amount",
            where=f"{plural(n_distinct, 'distinct date')} in {plural(len(column), 'row')}",
            fix="use kind='regression' to predict the number of days since 1970-01-01",
        )
    is_unique = n_distinct == len(column)
    named = "an identifier" if column.kind == "identifier" else "text"
    others = [] if is_unique else ["category"]
    if bool(is_plain_number(pa.array(column.values, pa.string())).all()):
        others.append("number")
    ways = " or ".join(f"kinds={{{column.name!r}: {kind!r}}}" for kind in others)
    raise DataError(
        f"the target '{column.name}' is {named}" + (", different in every row" if is_unique else ""),
        where=f"{plural(n_distinct, 'distinct value')} in {plural(len(column), 'row')}",
        fix="choose another target" + (f", or read it with {ways}" if ways else ""),
    )
