"""The digest of a table: the same for the same data, whatever file or frame they came from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.table.column import LEVEL_KINDS, Column

_MICROSECONDS_A_DAY = 86_400_000_000
_MISSING_DATE = np.iinfo(np.int64).min


def table_digest(columns: Sequence[Column], n_rows: int) -> str:
    """SHA-256 over shape, names, kinds and values, as 64 hexadecimal digits."""
    digest = hashlib.sha256(f"heldout table 1\n{n_rows} {len(columns)}\n".encode())
    for column in columns:
        for part in (_encoded(column.name), column.kind.encode(), column_digest(column)):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    return digest.hexdigest()


def column_digest(column: Column) -> bytes:
    """SHA-256 over the values alone; the order of levels and levels that do not occur leave no trace."""
    digest = hashlib.sha256()
    if column.kind == "number":
        digest.update(_canonical_numbers(column.values).data)
    elif column.kind == "date":
        digest.update(_canonical_dates(column.values).data)
    elif column.kind in LEVEL_KINDS:
        _hash_levels(digest, column)
    else:
        _hash_strings(digest, column.values.tolist())
    return digest.digest()


def _canonical_numbers(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One zero and one NaN, little-endian."""
    canonical = values + 0.0
    canonical[np.isnan(canonical)] = np.nan
    return np.ascontiguousarray(canonical, dtype="<f8")


def _canonical_dates(days: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole microseconds: finer than this, a day as a float depends on how it was computed."""
    missing = np.isnan(days)
    microseconds = np.rint(np.where(missing, 0.0, days) * _MICROSECONDS_A_DAY).astype("<i8")
    return np.ascontiguousarray(np.where(missing, _MISSING_DATE, microseconds), dtype="<i8")


def _hash_levels(digest: hashlib._Hash, column: Column) -> None:
    """Positions among the levels that occur, sorted by code point; TRUE and true are one boolean."""
    counts = np.bincount(column.values[column.values >= 0], minlength=len(column.levels))
    used = [position for position, count in enumerate(counts) if count]
    spelling = {position: column.levels[position] for position in used}
    if column.kind == "boolean":
        spelling = {position: level.casefold() for position, level in spelling.items()}
    order = sorted(used, key=lambda position: spelling[position])
    rank = np.full(len(column.levels) + 1, -1, dtype="<i4")
    rank[order] = np.arange(len(order))
    _hash_strings(digest, [spelling[position] for position in order])
    digest.update(np.ascontiguousarray(rank[column.values]).data)


def _hash_strings(digest: hashlib._Hash, strings: Sequence[str | None]) -> None:
    """Lengths first, so that no two lists of strings run together into the same bytes."""
    encoded = [None if string is None else _encoded(string) for string in strings]
    lengths = [-1 if string is None else len(string) for string in encoded]
    digest.update(np.array(lengths, dtype="<i8").data)
    digest.update(b"".join(string for string in encoded if string is not None))


def _encoded(string: str) -> bytes:
    return string.encode("utf-8", "surrogatepass")
