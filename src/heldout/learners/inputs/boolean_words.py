"""Booleans in other words: what was true and false at fit may be yes and no later.

A boolean means the same however it is spelled, so its levels are matched by what they mean. Only where
no word says which level is which is the column refused: to guess would turn every answer around.
"""

from __future__ import annotations

from heldout.errors import DataError
from heldout.learners.inputs.input_schema import InputColumn
from heldout.table.column import Column

FALSE_WORDS = ("false", "no", "n", "f", "off", "0")
TRUE_WORDS = ("true", "yes", "y", "t", "on", "1")
_MEANING = dict.fromkeys(FALSE_WORDS, False) | dict.fromkeys(TRUE_WORDS, True)


def boolean_codes(given: Column, column: InputColumn) -> list[int]:
    """For each level that the column has now, its position among the levels of fit, or -1.

    >>> import numpy as np
    >>> given = Column("paid", "boolean", np.array([0, 1], dtype=np.int32), ("No", "Yes"))
    >>> boolean_codes(given, InputColumn("paid", "boolean", ("false", "true")))
    [0, 1]
    """
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
