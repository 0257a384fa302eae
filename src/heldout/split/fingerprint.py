"""Fingerprints: the same rows have the same digest, in any study and on any machine."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from heldout.errors import DataError
from heldout.table.describe import plural


def rows_digest(rows: Any) -> str:
    """SHA-256 over ascending positions of rows, as 64 hexadecimal digits.

    rows: positions, in any order, each at most once

    >>> rows_digest([0, 2, 5])[:16], rows_digest([5, 0, 2])[:16]
    ('66d47e2e5da6b9db', '66d47e2e5da6b9db')
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

    >>> parts_digest("fold", train=[0, 1], test=[2]) == parts_digest("fold", train=[1, 0], test=[2])
    True
    """
    lines = [f"{part} {'-' if rows is None else rows_digest(rows)}\n" for part, rows in parts.items()]
    return hashlib.sha256(f"heldout {name} 1\n{''.join(lines)}".encode()).hexdigest()
