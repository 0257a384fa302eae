"""What every result of a measurement can do: print itself, become a dict, become a picture."""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from heldout.charts.notebook_piece import NotebookPiece, piece_html


class Result(ABC):
    """A frozen record that says in words what was measured, how, on how many rows, and what is open."""

    @abstractmethod
    def __str__(self) -> str:
        """What was measured, in a sentence or a few."""

    @abstractmethod
    def to_svg(self) -> str:
        """The same as a picture."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as numbers, strings, booleans, None, lists and dicts, which JSON can hold."""
        assert dataclasses.is_dataclass(self)
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: plain(value) for name, value in fields.items()}

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the picture, and the words behind a fold."""
        title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()
        return NotebookPiece(title, picture=self.to_svg(), words=str(self))

    def _repr_html_(self) -> str:
        return piece_html(self.notebook_piece())


def plain(value: Any) -> Any:
    """A value as JSON can hold it; a number that is not finite becomes None.

    >>> plain({"n": np.int64(3), "ends": (0.5, float("nan"))})
    {'n': 3, 'ends': [0.5, None]}
    """
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value
