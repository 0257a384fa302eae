"""A fold: the rows that are learned from, and the rows that are judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.split.fingerprint import parts_digest
from heldout.table.describe import plural

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fold:
    """Positions of rows, ascending; no row is in two parts.

    repeat:     of the whole split, from 0
    number:     of the fold within its repeat, from 0
    train:      rows to learn from
    test:       rows to judge by
    validation: rows to choose a setting by, where the split rotates them; they are not part of train

    >>> fold = Fold(0, 0, train=np.array([0, 1]), test=np.array([2]))
    >>> print(fold)
    repeat 1, fold 1: 2 rows to learn from, 1 row to judge by
    """

    repeat: int
    number: int
    train: Rows
    test: Rows
    validation: Rows | None = None

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the rows; repeat and number are not part of it."""
        return parts_digest("fold", train=self.train, validation=self.validation, test=self.test)

    def __str__(self) -> str:
        rows = [f"{plural(len(self.train), 'row')} to learn from"]
        if self.validation is not None:
            rows.append(f"{len(self.validation):,} to choose by")
        rows.append(f"{plural(len(self.test), 'row')} to judge by")
        return f"repeat {self.repeat + 1}, fold {self.number + 1}: {', '.join(rows)}"

    def to_dict(self) -> dict[str, Any]:
        """Counts and the fingerprint, without the rows."""
        return {
            "repeat": self.repeat,
            "number": self.number,
            "n_train": len(self.train),
            "n_validation": None if self.validation is None else len(self.validation),
            "n_test": len(self.test),
            "digest": self.digest,
        }
