"""Images as they enter a transformer: arrays that are there already, or files that are read one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
# Rows and columns, or one number for both; None leaves images as they are.
ImageSize: TypeAlias = int | tuple[int, int] | None


class Images(ABC):
    """Images, each rows × columns, or rows × columns × channels of more than one; all numbers are finite."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Image]: ...

    @abstractmethod
    def called(self, position: int) -> str:
        """What the user calls the image at this position."""


@dataclass(frozen=True, eq=False)
class ArrayImages(Images):
    """Images in memory: one array of all, or a list of arrays that may differ in shape."""

    arrays: NDArray[Any] | Sequence[Image]

    def __len__(self) -> int:
        return len(self.arrays)

    def __iter__(self) -> Iterator[Image]:
        return iter(self.arrays)

    def called(self, position: int) -> str:
        return f"image {position + 1:,}"


def shape_words(shape: tuple[int, ...]) -> str:
    """A shape in words."""
    channels = f" in {shape[2]} channels" if len(shape) == 3 else ""
    return f"{shape[0]} × {shape[1]} pixels{channels}"


def as_floats(image: Image) -> NDArray[np.float64]:
    return np.ascontiguousarray(image, dtype=np.float64)
