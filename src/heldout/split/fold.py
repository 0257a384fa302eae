"""A fold: the rows that are learned from, and the rows that are judged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from heldout.arrays import Rows
from heldout.errors import DataError
from heldout.text.words import plural


@dataclass(frozen=True, eq=False)
class Fold:
    """Positions of rows, ascending; no row is in two parts.

    repeat:     of the whole split, from 0
    number:     of the fold within its repeat, from 0
    train:      rows to learn from
    test:       rows to judge by
    validation: rows to choose a setting by, where the split rotates them; they are not part of train
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


def rows_digest(rows: ArrayLike) -> str:
    """SHA-256 over ascending positions of rows, as 64 hexadecimal digits.

    rows: positions, in any order, each at most once
    """
    positions = np.asarray(rows)
    if positions.ndim != 1 or (positions.size and positions.dtype.kind not in "iu"):
        raise DataError(
            "rows must be a list of positions",
            where=f"{positions.dtype} of shape {positions.shape}",
            fix="give whole numbers from 0; numpy.flatnonzero turns a mask into them",
        )
    ordered = np.ascontiguousarray(positions, dtype="<i8")
    if not (ordered[1:] > ordered[:-1]).all():
        ordered = np.sort(ordered)
        n_twice = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
        if n_twice:
            raise DataError(
                "a row can be named only once",
                where=plural(n_twice, "repeated row"),
                fix="name each row once",
            )
    digest = hashlib.sha256(f"heldout rows 1\n{len(ordered)}\n".encode())
    digest.update(ordered.data)
    return digest.hexdigest()


def parts_digest(name: str, **parts: Any) -> str:
    """SHA-256 over the digests of several sets of rows, each under its name; None stands for no such part.

    name: what the parts are parts of
    """
    lines = [f"{part} {'-' if rows is None else rows_digest(rows)}\n" for part, rows in parts.items()]
    return hashlib.sha256(f"heldout {name} 1\n{''.join(lines)}".encode()).hexdigest()
