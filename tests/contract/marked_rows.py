"""A table in which some rows are marked: whatever they hold can be recognized wherever it turns up."""

from __future__ import annotations

import gc
import re
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heldout as ho
from heldout.table.column import category_column

WORD = "sealedaway"
NUMBERS = -7.31e57 * (1 + np.arange(400))  # of inputs, weights, times and targets
DAYS = 61_234.0 + np.arange(400)  # of dates; the years 2137 to 2138
Mask = NDArray[np.bool_]


def marked_table(is_marked: Mask, is_regression: bool = False, *, spares: tuple[str, ...] = ()) -> ho.Table:
    """A table of every kind of column, with gaps; the rows that are not marked are the same for any mark.

    is_marked:     of which rows the values are replaced by values of the same kinds that no other row has
    is_regression: whether the answer is a number
    spares:        columns that keep their values also in marked rows
    """
    n_rows = len(is_marked)
    draws = np.random.default_rng(17).random((n_rows, 8))
    size = _gapped(draws[:, 0], 2)
    strength = np.nan_to_num(size, nan=0.5) + 0.25 * (draws[:, 5] - 0.5)
    columns = [
        ho.Column("size", "number", size),
        ho.Column("count", "number", np.floor(5 * draws[:, 1])),
        ho.Column("day", "date", _gapped(np.floor(18_000 + 30 * draws[:, 2]), 5)),
        _categories("color", [("red", "green", "blue")[int(3 * draw)] for draw in draws[:, 3]], gap=3),
        ho.Column("paid", "boolean", (draws[:, 4] > 0.5).astype(np.int32), ("no", "yes")),
        ho.Column(
            "note", "text", np.array([f"a word {int(9 * draw)} or two" for draw in draws[:, 4]], object)
        ),
        ho.Column("code", "identifier", np.array([f"k{row:04d}" for row in range(n_rows)], object)),
        _categories("house", [f"h{row // 4}" for row in range(n_rows)]),
        ho.Column("when", "number", np.arange(n_rows) + 9 * draws[:, 7]),
        ho.Column("times", "number", 1 + np.floor(3 * draws[:, 6])),
        _answer(strength, is_regression),
    ]
    return ho.Table([each if each.name in spares else _marked(each, is_marked) for each in columns])


def _gapped(values: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    found = values.copy()
    found[place::9] = np.nan
    return found


def _categories(name: str, labels: list[str], gap: int | None = None) -> ho.Column:
    return category_column(
        name, [None if gap is not None and row % 11 == gap else label for row, label in enumerate(labels)]
    )


def _answer(strength: NDArray[np.float64], is_regression: bool) -> ho.Column:
    if is_regression:
        return ho.Column("answer", "number", strength)
    names = np.array(["high", "low", "middle"])[
        (strength < 0.6).astype(int) + ((strength > 0.3) & (strength < 0.6))
    ]
    return category_column("answer", names.tolist())


def _marked(column: ho.Column, is_marked: Mask) -> ho.Column:
    """The column with other values in the marked rows; gaps are filled there."""
    rows = np.flatnonzero(is_marked)
    if column.kind in ("category", "boolean"):
        labels: list[Any] = column.labels()
        if column.kind == "boolean":
            values = column.values.copy()
            values[rows] = 1 - values[rows]
            return ho.Column(column.name, "boolean", values, column.levels)
        for row in rows.tolist():
            # Whole groups are marked, and stay groups.
            labels[row] = f"{WORD} {labels[row] if column.name == 'house' else row % 5}"
        return category_column(column.name, labels)
    values = column.values.copy()
    if column.kind in ("text", "identifier"):
        values[rows] = [f"{WORD}{row} and {WORD}" for row in rows]
    elif column.kind == "date":
        values[rows] = DAYS[rows]
    else:
        values[rows] = np.abs(NUMBERS[rows]) if column.name == "times" else NUMBERS[rows]
    return ho.Column(column.name, column.kind, values)


def reached_from(start: Any) -> Iterator[Any]:
    """Every object that can be reached from this one, by attributes, items, closures and bases of arrays.

    Modules and classes are not entered: through them everything that is loaded can be reached.
    """
    seen: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, types.ModuleType | type):
            continue
        seen[id(each)] = each  # kept, so that no other object gets its id
        yield each
        waiting += _next(each)


def _next(each: Any) -> list[Any]:
    if isinstance(each, np.ndarray):
        held = [] if each.base is None else [each.base]
        return held + (each.ravel().tolist() if each.dtype == object else [])
    if isinstance(each, types.FunctionType):
        return [each.__defaults__, each.__kwdefaults__, each.__closure__]
    if isinstance(each, memoryview):
        return [each.obj]
    return gc.get_referents(each)


def marks_in(objects: Iterator[Any]) -> list[str]:
    """What of marked rows is found in these objects, in short words."""
    found = []
    for each in objects:
        if isinstance(each, np.ndarray):
            is_there = _is_in_array(each)
        elif isinstance(each, str | bytes):
            is_there = _PRINTED.search(each.encode() if isinstance(each, str) else each) is not None
        else:
            is_there = isinstance(each, float) and each in _EVERY_NUMBER
        if is_there:
            found.append(f"{type(each).__name__} {each!r:.80}")
    return found


def _is_in_array(array: NDArray[Any]) -> bool:
    if array.dtype.kind == "f":
        return bool(np.isin(array, _EVERY_NUMBER).any())
    return array.dtype.kind == "U" and bool((np.char.find(array, WORD) >= 0).any())


def marks_in_bytes(content: bytes) -> list[str]:
    """What of marked rows is found in these bytes: as it is printed, and as it lies in memory."""
    lying = [WORD.encode(form) for form in ("utf-32-le", "utf-16-le")]
    lying += [number.tobytes() for number in _EVERY_NUMBER]
    printed = [each.decode() for each in _PRINTED.findall(content)]
    return printed + [repr(each) for each in lying if each in content]


_EVERY_NUMBER = np.concatenate([NUMBERS, -NUMBERS, DAYS])
# The word; numbers of 57 to 60 digits; days as numbers, and as dates.
_PRINTED = re.compile(rf"{WORD}|e\+(?:5[789]|60)|\b61[2-6]\d\d\.0|\b213[78]-\d\d-".encode())
