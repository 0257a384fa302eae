"""The columns of a Table as numbers, for learners that count in nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.learners.inputs.boolean_words import meaning, unknown_words
from heldout.learners.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.inputs.prediction_inputs import kind_changed
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.table.table import Table

WHOLE = "matrix of the whole table"


def numeric_schema(table: Table) -> InputSchema:
    """The columns as they are to be remembered; those of words are refused, all of them at once."""
    others = [(name, kind) for name, kind in table.kinds.items() if kind not in (*NUMERIC_KINDS, "boolean")]
    if others:
        raise _no_numbers(others, table.n_columns)
    # Numbers have no levels: their rows need not be taken to say so.
    levels = {name: () if kind in NUMERIC_KINDS else table[name].levels for name, kind in table.kinds.items()}
    return InputSchema(tuple([InputColumn(name, kind, levels[name]) for name, kind in table.kinds.items()]))


def columns_matrix(table: Table, schema: InputSchema) -> NDArray[np.float64]:
    """Rows × columns, with NaN for what is missing.

    schema: the columns of fit; one that is of another kind now is refused
    """
    whole = table.shared.get(WHOLE)
    if whole is not None and [column.kind for column in schema.columns] == list(table.kinds.values()):
        rows = table.base_rows
        return np.array(whole if rows is None else whole[rows])
    matrix = np.empty(table.shape, dtype=np.float64)
    for position, (given, column) in enumerate(zip(table.columns, schema.columns, strict=True)):
        matrix[:, position] = _numbers(given, column)
    return matrix


def share_matrix(table: Table) -> None:
    """Keep a table of numbers as one matrix too, of which every selection takes its rows at once.

    >>> numbers = Table([Column("size", "number", np.array([1.0, 2.0]))])
    >>> share_matrix(numbers)
    >>> columns_matrix(numbers[[1]], numeric_schema(numbers))
    array([[2.]])
    """
    if table.base_rows is None and table.n_columns and set(table.kinds.values()) <= set(NUMERIC_KINDS):
        table.shared[WHOLE] = columns_matrix(table, numeric_schema(table))


def boolean_numbers(levels: tuple[str, ...]) -> dict[str, float]:
    """0 or 1 for each level of a boolean: what the word says, or else its place.

    >>> boolean_numbers(("yes",)), boolean_numbers(("out", "in"))
    ({'yes': 1.0}, {'out': 0.0, 'in': 1.0})
    """
    said = [meaning(level) for level in levels]
    known = [word for word in said if word is not None]
    if known and len(set(said)) == len(said):
        # Where one of two words says something, the other is the opposite.
        words = [not known[0] if word is None else word for word in said]
        return {level: float(word) for level, word in zip(levels, words, strict=True)}
    return {level: float(place) for place, level in enumerate(levels)}


def _numbers(given: Column, column: InputColumn) -> NDArray[np.float64]:
    if given.kind != column.kind:
        if given.n_missing < len(given):
            raise kind_changed(column, given.kind, len(given), given.n_missing)
        return np.full(len(given), np.nan)
    if column.kind != "boolean":
        return np.asarray(given.values)
    number_of = boolean_numbers(column.levels)
    if any(meaning(level) is not None for level in column.levels):
        by_meaning = {level: float(said) for level in given.levels if (said := meaning(level)) is not None}
        number_of = by_meaning | number_of
    if not set(given.levels) <= set(number_of):
        raise unknown_words(given, column)
    # A missing value has the position -1 and so finds the last entry.
    numbers = np.array([*(number_of[level] for level in given.levels), np.nan])
    return np.asarray(numbers[given.values])


def _no_numbers(others: list[tuple[str, str]], n_columns: int) -> DataError:
    listed = ", ".join(f"'{name}' ({kind})" for name, kind in others[:5])
    more = f" and {len(others) - 5} more" if len(others) > 5 else ""
    advice = []
    if any(kind != "identifier" for _, kind in others):
        advice.append(
            "put ho.prepare_for(learner, task) before the learner, or encode them, with ho.OneHot and"
            " ho.BagOfWords for instance; trees and forests take categories as they are, and so do neighbors"
            ' with metric="gower"'
        )
    identifier = next((name for name, kind in others if kind == "identifier"), None)
    if identifier is not None:
        advice.append(
            "an identifier tells rows apart and says nothing about others: leave it out, or, if it counts"
            f" something, read it as a number with kinds={{{identifier!r}: 'number'}}"
        )
    return DataError(
        "a learner that counts in numbers cannot take columns of words or identifiers",
        where=f"{len(others)} of {n_columns} columns: {listed}{more}",
        fix="; ".join(advice),
    )
