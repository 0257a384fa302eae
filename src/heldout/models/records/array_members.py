"""The arrays of a model as members of its file: each is taken once, with a known type and shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.models.model_archive import damaged, npy_array, npy_bytes, short

MOST_ENTRIES = 2**31 - 1

# A type and the names of its sizes: {"coef_": ("<f8", ("n_columns",))}.
Forms = Mapping[str, tuple[str, tuple[str, ...]]]


class ArrayMembers:
    """The members of a file beside its JSON; what nobody has taken in the end is one too many."""

    def __init__(self, members: Mapping[str, bytes]) -> None:
        self._left = dict(members)

    def take(self, name: str, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """The array of this name, which must have this type and shape."""
        if name not in self._left:
            raise damaged("the file has other parts than this version writes", f"missing {short(name)}")
        return npy_array(self._left.pop(name), dtype, shape, name)

    def take_folder(self, folder: str) -> dict[str, bytes]:
        """All members of a folder, by their names inside it."""
        start = f"{folder}/"
        return {
            name.removeprefix(start): self._left.pop(name)
            for name in list(self._left)
            if name.startswith(start)
        }

    def check_all_taken(self) -> None:
        """Refuse a member that the model does not have."""
        if self._left:
            first = sorted(self._left)[0]
            raise damaged("the file has other parts than this version writes", f"unknown {short(first)}")


def written_arrays(folder: str, arrays: Mapping[str, NDArray[Any]], forms: Forms) -> dict[str, bytes]:
    """Arrays as members, in the order of their forms."""
    for name in forms:
        if max(arrays[name].shape) > MOST_ENTRIES:
            raise RequestError(
                "the model is too large for a model file",
                where=f"{name} has the shape {arrays[name].shape}, and {MOST_ENTRIES:,} entries are the most",
                fix="fit on fewer rows or columns",
            )
    return {member(folder, name): npy_bytes(arrays[name], dtype) for name, (dtype, _) in forms.items()}


def read_arrays(
    folder: str, forms: Forms, sizes: Mapping[str, int], members: ArrayMembers
) -> dict[str, NDArray[Any]]:
    """The arrays that the forms ask for, of these sizes."""
    return {
        name: members.take(member(folder, name), dtype, tuple([sizes[size] for size in shape]))
        for name, (dtype, shape) in forms.items()
    }


def member(folder: str, name: str) -> str:
    """Where an array stands in the file."""
    return f"{folder}/{name}.npy"


def checked_sizes(record: Any, lowest: Mapping[str, int], what: str) -> dict[str, int]:
    """The sizes that the JSON declares, each a whole number that an array can have.

    record: an object of sizes
    lowest: by name the smallest that each may be
    what:   whose sizes they are
    """
    if type(record) is not dict or set(record) != set(lowest):
        raise damaged(f"the sizes of {what} are not described as they should be", short(record))
    for name, least in lowest.items():
        size = record[name]
        if type(size) is not int or not least <= size <= MOST_ENTRIES:
            raise damaged(f"{what} has an impossible size", f"{name}: {short(size)}")
    return {name: record[name] for name in lowest}


def check_finite(arrays: Mapping[str, NDArray[np.floating[Any]]], names: tuple[str, ...], what: str) -> None:
    """Refuse arrays with a number that is none."""
    for name in names:
        if not np.isfinite(arrays[name]).all():
            raise damaged(f"{what} has a number that is not finite", name)
