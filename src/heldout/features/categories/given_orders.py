"""The orders of levels that a user gives, checked and as words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from heldout.errors import KindError, RequestError
from heldout.learners.inputs.input_schema import column_positions
from heldout.table.column import number_label
from heldout.table.suggestion import suggestion


def given_orders(
    orders: Mapping[Any, Sequence[Any]] | None, names: list[str], acted: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """The levels of each column that has an order, lowest first.

    orders: by name or position of a column
    names:  of all columns
    acted:  the positions of those that an order may be given for

    >>> given_orders({"size": ["S", "L"], 0: [1, 0.5]}, ["grade", "size"], [0, 1])
    {'size': ('S', 'L'), 'grade': ('1', '0.5')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for key, order in (orders or {}).items():
        name = _name_of(key, names, acted)
        if name in found:
            raise RequestError(
                f"column '{name}' has two orders",
                where=f"orders[{key!r}]",
                fix="give it one, by name or position",
            )
        found[name] = _levels(key, order)
    return found


def _name_of(key: Any, names: list[str], acted: Sequence[int]) -> str:
    positions = column_positions([key], names)
    if positions is not None and positions[0] in acted:
        return names[positions[0]]
    known = [names[place] for place in acted]
    what = "there is no column" if positions is None else "this step does not act on column"
    raise RequestError(
        f"{what} {key!r:.60}",
        where=f"orders={{{key!r:.60}: …}}",
        fix=suggestion(str(key), known) if known else "no column is a category; leave orders out",
    )


def _levels(key: Any, order: Any) -> tuple[str, ...]:
    if isinstance(order, str) or not isinstance(order, Sequence | np.ndarray):
        raise KindError(
            "an order is a list of levels, lowest first",
            where=f"orders[{key!r}] is a {type(order).__name__}",
            fix="write it as ['low', 'middle', 'high']",
        )
    levels = tuple([_level(key, value) for value in order])
    if len(set(levels)) < len(levels):
        twice = next(level for place, level in enumerate(levels) if level in levels[:place])
        raise RequestError(
            f"level {twice!r} has two places", where=f"orders[{key!r}]", fix="name each level once"
        )
    if not levels:
        raise RequestError("an order needs levels", where=f"orders[{key!r}]", fix="name them, lowest first")
    return levels


def _level(key: Any, value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, Real) and value == value:
        return number_label(float(value))
    raise KindError(
        "a level is a word or a number",
        where=f"orders[{key!r}] has {value!r:.40}",
        fix="leave it out: a missing value has no place in an order",
    )
