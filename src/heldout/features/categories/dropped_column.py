"""A column that was dropped, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DroppedColumn:
    """A column that does not go on.

    name:   of the column
    found:  what it was judged by: the number of training rows in which it is seen, or its variance in them,
            NaN if none of its values is known
    reason: why it was dropped, in words
    """

    name: str
    found: float
    reason: str
