"""Where answered rows go: beside what they were, in the order in which they came."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from heldout.cli.predicting.answers import Answers
from heldout.cli.predicting.input_chunk import InputChunk


@dataclass(frozen=True)
class AddedColumns:
    """What is added to each row.

    names:     of the columns: the prediction, then the probabilities
    labels:    of the classes in order; None for a number
    decimal:   the mark in numbers, that of the file
    is_raw:    whether cells that a spreadsheet would run are left as they are
    """

    names: Sequence[str]
    labels: Sequence[str] | None
    decimal: str = "."
    is_raw: bool = False


class RowOutput(ABC):
    """Writes rows.

    n_guarded: how many cells were made harmless
    """

    n_guarded: int = 0

    @abstractmethod
    def begin(self) -> None:
        """Write what comes before the first row."""

    @abstractmethod
    def write(self, chunk: InputChunk, answers: Answers) -> None:
        """Write rows and their answers."""

    @abstractmethod
    def end(self) -> None:
        """Write what comes after the last row."""

    def abandon(self) -> None:  # noqa: B027
        """Let go of what was begun, after a failure; the stream is thrown away."""

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Begin, and end when all rows are written."""
        try:
            self.begin()
            yield
            self.end()
        except BaseException:
            self.abandon()
            raise
