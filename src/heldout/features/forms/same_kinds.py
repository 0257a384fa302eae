"""Columns that come after fit, made to be of the kinds that they were at fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.learners.inputs.boolean_words import boolean_codes
from heldout.learners.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.inputs.prediction_inputs import kind_changed
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, STRING_KINDS, Column


def same_kinds(columns: Sequence[Column], schema: InputSchema) -> tuple[Column, ...]:
    """The columns with the kinds of fit; one that is of another kind and has values is refused.

    A column without any value may be of any kind. A text may have been read as a category or as an
    identifier, which changes nothing in what it says. A boolean has the words of fit.
    """
    pairs = zip(columns, schema.columns, strict=True)
    return tuple([_of_kind(given, expected) for given, expected in pairs])


def _of_kind(given: Column, expected: InputColumn) -> Column:
    if given.kind == expected.kind:
        return _in_words_of_fit(given, expected) if expected.kind == "boolean" else given
    if expected.kind == "text" and given.kind not in NUMERIC_KINDS:
        return Column(given.name, "text", np.array(given.labels(), dtype=object))
    n_missing = given.n_missing
    if n_missing < len(given):
        raise kind_changed(expected, given.kind, len(given), n_missing)
    return _without_values(expected, len(given))


def _in_words_of_fit(given: Column, expected: InputColumn) -> Column:
    if given.levels == expected.levels:
        return given
    codes = boolean_codes(given, expected)
    levels = list(expected.levels)
    for place, level in enumerate(given.levels):
        # Training rows may all have been true; a false is no missing value.
        if codes[place] < 0 and len(levels) < 2:
            codes[place] = len(levels)
            levels.append(level)
    found = np.array([*codes, -1], dtype=np.int32)[given.values]
    return Column(given.name, "boolean", found, tuple(levels), given.reason)


def _without_values(expected: InputColumn, n_rows: int) -> Column:
    name, kind = expected.name, expected.kind
    if kind in LEVEL_KINDS:
        return Column(name, kind, np.full(n_rows, -1, dtype=np.int32), expected.levels)
    if kind in STRING_KINDS:
        return Column(name, kind, np.full(n_rows, None, dtype=object))
    return Column(name, kind, np.full(n_rows, np.nan))
