"""Which words mean which level: a category is matched letter by letter, a boolean by its meaning too."""

from __future__ import annotations

from heldout.learners.inputs.boolean_words import FALSE_WORDS, TRUE_WORDS
from heldout.learners.inputs.input_schema import InputColumn
from heldout.table.column import date_label, number_label


def meant_levels(column: InputColumn) -> dict[str, int]:
    """The words, in small letters, that stand for a level of a boolean; in any spelling of them.

    A word that is itself a level stands for that level first.

    >>> meant = meant_levels(InputColumn("paid", "boolean", ("No", "Yes")))
    >>> meant["false"], meant["true"], meant["no"]
    (0, 1, 0)
    """
    meant: dict[str, int] = {}
    for code, level in enumerate(column.levels):
        for words in (FALSE_WORDS, TRUE_WORDS):
            if level.casefold() in words:
                meant |= dict.fromkeys(words, code)
    return meant


def has_ambiguous_words(column: InputColumn) -> bool:
    """Whether two levels of a boolean mean the same, so that its letters decide which is meant."""
    meanings = [level.casefold() in TRUE_WORDS for level in column.levels if _has_meaning(level)]
    return len(set(meanings)) < len(meanings)


def is_made_of_dates(column: InputColumn) -> bool:
    """Whether the numbers behind the levels of a category are days.

    >>> import numpy as np
    >>> is_made_of_dates(InputColumn("joined", "category", ("1970-01-02",), np.array([1.0])))
    True
    """
    if column.level_values is None:
        return False
    pairs = list(zip(column.levels, column.level_values.tolist(), strict=True))
    are_numbers = all(level == number_label(value) for level, value in pairs)
    return not are_numbers and all(level == date_label(value) for level, value in pairs)


def _has_meaning(level: str) -> bool:
    return level.casefold() in FALSE_WORDS or level.casefold() in TRUE_WORDS
