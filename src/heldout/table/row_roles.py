"""Columns that say something about a row rather than describe it: its group, its time, its weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.describe import first_of_rows, plural


def check_distinct_roles(roles: dict[str, str]) -> None:
    """No column may be the target and the groups at once, or the like; `roles` is role -> column."""
    role_of: dict[str, str] = {}
    for role, name in roles.items():
        if name in role_of:
            raise RequestError(
                f"column '{name}' cannot be two things at once",
                where=f"given as {role_of[name]} and as {role}",
                fix="give each role a column of its own",
            )
        role_of[name] = role


def group_labels(column: Column) -> NDArray[Any]:
    """One label per row; rows with the same label belong together in every split."""
    _refuse_missing(column, "groups", "drop those rows, or fill in what they belong to")
    labels = column.values if column.kind in NUMERIC_KINDS else np.array(column.labels(), dtype=np.str_)
    if len(np.unique(labels)) < 2:
        raise DataError(
            f"the groups '{column.name}' are one and the same",
            where=f"one group in {plural(len(column), 'row')}",
            fix="leave groups out, or choose a column with several",
        )
    return labels


def time_order(column: Column) -> NDArray[np.float64]:
    """A number per row, later is larger."""
    _require(column, "time", NUMERIC_KINDS, "a date or a number")
    _refuse_missing(column, "time", "drop those rows, or fill in when they happened")
    return column.values


def row_weights(column: Column) -> NDArray[np.float64]:
    """How often each row counts."""
    _require(column, "weights", ("number",), "a number")
    _refuse_missing(column, "weights", "drop those rows, or give them weight 0")
    unfit = ~np.isfinite(column.values) | (column.values < 0)
    if unfit.any():
        raise DataError(
            f"weights '{column.name}' must be finite and not negative",
            where=first_of_rows(unfit, str(column.values[unfit][0])),
            fix="correct those weights, or set them to 0 to leave the rows out",
        )
    if not column.values.any():
        raise DataError(
            f"weights '{column.name}' are all zero", where=f"{len(column)} rows", fix="give some row a weight"
        )
    return column.values


def role_sentence(role: str, column: Column) -> str:
    """What is said about a column that left the inputs for its role."""
    if role == "groups":
        n_groups = len(column.levels) if column.kind in LEVEL_KINDS else len(set(column.values.tolist()))
        return f"'{column.name}' holds the groups ({n_groups:,}) and is not an input"
    return f"'{column.name}' holds the {role} and is not an input"


def _require(column: Column, role: str, kinds: tuple[str, ...], wanted: str) -> None:
    if column.kind not in kinds:
        raise DataError(
            f"{role} must be {wanted}",
            where=f"column '{column.name}' is {column.kind}",
            fix=f"choose another column, or read it with kinds={{{column.name!r}: {kinds[-1]!r}}}",
        )


def _refuse_missing(column: Column, role: str, fix: str) -> None:
    missing = column.is_missing
    if missing.any():
        raise DataError(
            f"{role} '{column.name}' has missing values",
            where=first_of_rows(missing),
            fix=fix,
        )
