"""A column of strings that stays in Arrow until its values are asked for.

A million Python strings take a tenth of a second and a hundred megabytes to make, and most tables
with a column of text or identifiers never use them: such columns are left out of learning.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from heldout.table.column import Column
from heldout.table.strings import object_strings


class StringColumn(Column):
    """A text or identifier column made from Arrow strings.

    values: a chunked Arrow array of strings, null for missing; or what any Column takes, so that
            dataclasses.replace makes one from another
    """

    def __init__(
        self, name: str, kind: str, values: Any, levels: tuple[str, ...] = (), reason: str = ""
    ) -> None:
        if not isinstance(values, pa.ChunkedArray):
            super().__init__(name, kind, values, levels, reason)
            values = pa.chunked_array([pa.array(self.__dict__["values"], pa.string())])
        fields = {"name": name, "kind": kind, "levels": (), "reason": reason, "_coded": None}
        for field, value in {**fields, "strings": values}.items():
            object.__setattr__(self, field, value)

    def __len__(self) -> int:
        return len(self.__dict__["strings"])

    @cached_property
    def values(self) -> NDArray[Any]:
        """An object array of str, None for missing; made when it is first asked for."""
        objects = object_strings(self.__dict__["strings"])
        objects.flags.writeable = False
        return objects

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """One claim per row."""
        return np.asarray(self.__dict__["strings"].is_null(), dtype=np.bool_)

    @property
    def n_missing(self) -> int:
        return int(self.__dict__["strings"].null_count)
