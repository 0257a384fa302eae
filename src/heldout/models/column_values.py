"""How exports compare the values of a column: booleans in other words, days behind levels."""

from __future__ import annotations

from heldout.inputs.input_schema import InputColumn
from heldout.inputs.mixed_arrays import FALSE_WORDS, TRUE_WORDS, meaning
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.table.column import date_label, number_label


def meant_levels(column: InputColumn) -> dict[str, int]:
    """The words, in small letters, that stand for a level of a boolean; in any spelling of them.

    A word that is itself a level stands for that level first.
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
    """Whether the numbers behind the levels of a category are days."""
    if column.level_values is None:
        return False
    pairs = list(zip(column.levels, column.level_values.tolist(), strict=True))
    are_numbers = all(level == number_label(value) for level, value in pairs)
    return not are_numbers and all(level == date_label(value) for level, value in pairs)


def _has_meaning(level: str) -> bool:
    return level.casefold() in FALSE_WORDS or level.casefold() in TRUE_WORDS


def boolean_words(column: InputColumn) -> tuple[dict[str, float], dict[str, float]]:
    """0 or 1 for each level of a boolean as it stands, and for words in small letters by what they mean."""
    exact = boolean_numbers(column.levels)
    if all(meaning(level) is None for level in column.levels):
        return exact, {}
    return exact, dict.fromkeys(FALSE_WORDS, 0.0) | dict.fromkeys(TRUE_WORDS, 1.0)


def plain_value(column: InputColumn, value: float) -> str | float:
    """A number, or the level at this position."""
    if not column.is_category:
        return float(value)
    if column.level_values is not None:
        return float(column.level_values[int(value)])
    return column.levels[int(value)]
