"""Arrays of objects or strings, some of whose columns are named as categories.

An array says nothing about its columns, so a column of words is a category only if `categorical` names
it. The others must be numbers, as scikit-learn wants them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.inputs.input_schema import InputColumn
from heldout.table.column import Column, category_column, number_label
from heldout.table.table import Table


def mixed_array(X: object) -> NDArray[Any] | None:
    """X as a 2-D array of objects if it has strings in it, else None."""
    objects = object_array(X)
    if objects is None:
        return None
    return objects if any(isinstance(value, str) for value in objects.flat) else None


def object_array(X: object) -> NDArray[Any] | None:
    """X as a 2-D array of objects if it is an array of objects or strings, or nested lists; else None."""
    if isinstance(X, list | tuple):
        try:
            X = np.array(X, dtype=object)
        except ValueError:  # rows of different lengths: scikit-learn has words for them
            return None
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "OUT":
        return None
    return X.astype(object)


def table_from_mixed(X: NDArray[Any], categories: Collection[int], words: Collection[int] = ()) -> Table:
    """The columns x0, x1, …: numbers, and categories where a named column has words.

    words: columns that are categories whether or not a word is among these rows
    """
    columns = [_column(f"x{k}", X[:, k], k in categories, k in words) for k in range(X.shape[1])]
    return Table(columns)


def _column(name: str, values: NDArray[Any], may_be_category: bool, is_category: bool) -> Column:
    if is_category or (may_be_category and any(isinstance(value, str) for value in values)):
        return category_column(name, [_label(value) for value in values.tolist()])
    try:
        return Column(name, "number", values.astype(np.float64))
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{error}: column '{name}' is no column of numbers",
            where=_first_word(values),
            fix=f"name it in categorical, as [{name[1:]}], or hand over a table or a frame",
        ) from error


def _label(value: object) -> str | None:
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return number_label(float(value))
    return str(value)


def _first_word(values: NDArray[Any]) -> str:
    words = [row for row, value in enumerate(values.tolist()) if not _is_number(value)]
    return f"{len(words)} of {len(values)} rows, first {values[words[0]]!r:.40} in row {words[0] + 1}"


def _is_number(value: Any) -> bool:
    try:
        float(np.nan if value is None else value)
    except (TypeError, ValueError):
        return False
    return True


FALSE_WORDS = ("false", "no", "n", "f", "off", "0")
TRUE_WORDS = ("true", "yes", "y", "t", "on", "1")
_MEANING = dict.fromkeys(FALSE_WORDS, False) | dict.fromkeys(TRUE_WORDS, True)


def boolean_codes(given: Column, column: InputColumn) -> list[int]:
    """For each level that the column has now, its position among the levels of fit, or -1."""
    code_of = {level: code for code, level in enumerate(column.levels)}
    by_meaning = {meaning(level): code for level, code in code_of.items() if meaning(level) is not None}
    codes = [code_of.get(level, by_meaning.get(meaning(level), -1)) for level in given.levels]
    # A column that had one level at fit is in no split, so nothing depends on what it says now.
    if max(codes, default=-1) < 0 and len(column.levels) > 1 and given.n_missing < len(given):
        raise unknown_words(given, column)
    return codes


def meaning(level: str) -> bool | None:
    """What a word says, None if it says neither true nor false."""
    return _MEANING.get(level.casefold())


def unknown_words(given: Column, column: InputColumn) -> DataError:
    """The error for a boolean of which no word says which of the levels of fit it is."""
    now, then = " and ".join(map(repr, given.levels)), " and ".join(map(repr, column.levels))
    return DataError(
        f"boolean column '{column.name}' has other levels than at fit",
        where=f"{len(given) - given.n_missing} of {len(given)} rows have {now} now, {then} were there at fit",
        fix="spell them as at fit, or fit again on the new words",
    )
