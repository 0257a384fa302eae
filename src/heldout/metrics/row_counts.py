"""As many answers as there are rows, and at least one row."""

from __future__ import annotations

from heldout.errors import DataError
from heldout.table.describe import plural


def check_row_counts(n_true: int, n_answers: int, answers: str = "predicted") -> None:
    """An error if the two differ in length, or if there are no rows.

    >>> check_row_counts(3, 3)
    """
    if n_true != n_answers:
        raise DataError(
            f"y and {answers} differ in length",
            where=f"y has {plural(n_true, 'row')}, {answers} has {n_answers:,}",
            fix="give one answer for each row",
        )
    if n_true == 0:
        raise DataError("there are no rows to judge by", where="y is empty", fix="give at least one row")
