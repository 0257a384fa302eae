"""How many folds the rows allow: no more than there are rows, groups, or times to judge."""

from __future__ import annotations

from heldout.errors import DataError
from heldout.split.row_facts import RowFacts
from heldout.table.describe import plural


def allowed_folds(facts: RowFacts, k: int, shrink: bool, lowest: int = 2, n_before: int = 1) -> int:
    """k, or fewer where the rows do not suffice and shrinking is allowed.

    facts:    of the rows
    k:        how many folds are wanted
    shrink:   whether fewer will do, down to `lowest`
    lowest:   the fewest folds that make sense
    n_before: with time, how many blocks come before the first that is judged

    >>> import numpy as np
    >>> allowed_folds(RowFacts(np.arange(3), "regression"), 5, shrink=True)
    3
    >>> allowed_folds(RowFacts(np.arange(3), "regression"), 5, shrink=False)
    Traceback (most recent call last):
    heldout.errors.DataError: 5 folds need at least 5 rows
      where: there are 3 rows
      fix:   use k=3 or less, or more rows
    """
    count, unit = n_units(facts)
    needed_before = 0 if facts.time is None else n_before
    most = count - needed_before
    if most >= k:
        return k
    if shrink and most >= lowest:
        return most
    asked = min(k, lowest) if shrink else k
    raise DataError(
        f"{asked} folds need at least {asked + needed_before} {unit}s",
        where=f"there {'is' if count == 1 else 'are'} {plural(count, unit)}",
        fix=f"use more {unit}s" if most < lowest else f"use k={most} or less, or more {unit}s",
    )


def n_units(facts: RowFacts) -> tuple[int, str]:
    """How many there are of what cannot be split apart, and what it is called."""
    if facts.time is not None:
        return facts.n_times, "distinct time"
    if facts.groups is not None:
        return facts.n_groups, "group"
    return facts.n_rows, "row"
