"""Work that is timed, and whose last result is kept to be judged afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Generic, TypeVar

Made = TypeVar("Made")


class KeptResults(Generic[Made]):
    """Pieces of work by name, each of which leaves its result behind.

    >>> kept = KeptResults({"one": lambda: 1})
    >>> kept.work["one"]()
    >>> kept.results
    {'one': 1}
    """

    def __init__(self, pieces: Mapping[str, Callable[[], Made]]) -> None:
        self.results: dict[str, Made] = {}
        self.work: dict[str, Callable[[], None]] = {
            name: partial(self._keep, name, piece) for name, piece in pieces.items()
        }

    def _keep(self, name: str, piece: Callable[[], Made]) -> None:
        self.results[name] = piece()
