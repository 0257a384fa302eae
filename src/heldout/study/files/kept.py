"""Things that are made once and asked for often: the latest of each kind are kept, others are made again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

Thing = TypeVar("Thing")


class Kept:
    """What was made, by kind and key. What is kept must follow from its key alone.

    A pickle of it is empty: whoever reads it makes things again.

    >>> kept = Kept()
    >>> kept.made("square", 3, lambda: 9), kept.made("square", 3, lambda: 1 / 0)
    (9, 9)
    """

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[Hashable, object]] = {}

    def made(self, kind: str, key: Hashable, make: Callable[[], Thing], most: int = 8) -> Thing:
        """The thing of this key, made now if it is not there.

        most: how many of the kind are kept at a time; the one that was made first makes room
        """
        things = self._by_kind.setdefault(kind, {})
        if key not in things:
            made = make()
            while len(things) >= most:
                things.pop(next(iter(things)))
            things[key] = made
        found: Thing = things[key]  # type: ignore[assignment]
        return found

    def count(self, kind: str) -> int:
        """How many of a kind are kept."""
        return len(self._by_kind.get(kind, {}))

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        return Kept, ()
