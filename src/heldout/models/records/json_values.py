"""Parameters, fitted attributes and columns as JSON that gives back the same values of the same types.

JSON has no tuples, no sets, no NaN, no arrays, no paths, and dictionaries with strings for keys only; each of
these becomes an object whose one key names what it is. Nothing else is written, and nothing else is read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema, numbers_schema
from heldout.models.model_archive import damaged, short

MOST_NESTING = 8
MOST_BYTES_OF_TEXT = 1 << 26
_DTYPES = {
    np.dtype(name).str
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
} | {"<f2", "<f4", "<f8", "|O"}
_TEXT_DTYPE = re.compile(r"<U([0-9]{1,8})")
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def encode_value(value: Any, name: str, depth: int = 0) -> Any:
    """A value as JSON can hold it."""
    if depth > MOST_NESTING:
        raise _not_plain(value, name)
    if value is None or type(value) in (bool, str) or (type(value) is int and abs(value) < 2**64):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) in (list, tuple):
        return {type(value).__name__: [encode_value(entry, name, depth + 1) for entry in value]}
    if type(value) is dict:
        pairs = value.items()
        return {
            "dict": [[encode_value(k, name, depth + 1), encode_value(v, name, depth + 1)] for k, v in pairs]
        }
    if type(value) in (set, frozenset) and all(type(entry) is str for entry in value):
        return {type(value).__name__: sorted(value)}
    if isinstance(value, PurePath):
        return {"path": str(value)}
    if isinstance(value, np.generic):
        return {"scalar": _encode_array(np.asarray(value), name, depth)}
    if type(value) is np.ndarray:
        return {"array": _encode_array(value, name, depth)}
    raise _not_plain(value, name)


def _encode_array(array: NDArray[Any], name: str, depth: int) -> dict[str, Any]:
    dtype = array.dtype.newbyteorder("<") if array.dtype.kind != "O" else array.dtype
    is_text = _TEXT_DTYPE.fullmatch(dtype.str) is not None and array.nbytes <= MOST_BYTES_OF_TEXT
    if not is_text and dtype.str not in _DTYPES:
        raise _not_plain(array, name)
    values = [encode_value(entry, name, depth + 1) for entry in array.ravel().tolist()]
    return {"dtype": dtype.str, "shape": list(array.shape), "values": values}


def _not_plain(value: object, name: str) -> RequestError:
    return RequestError(
        f"{name} holds what a model file cannot",
        where=f"a {type(value).__name__}: {value!r:.60}",
        fix="use numbers, strings, lists, dicts and arrays of them; for random_state a whole number",
    )


def decode_value(value: object, where: str, depth: int = 0) -> Any:
    """The value that was encode_value."""
    if depth > MOST_NESTING + 1:
        raise damaged("a value is nested too deeply", where)
    if value is None or type(value) in (bool, str, int, float):
        return value
    if type(value) is not dict or len(value) != 1:
        raise damaged("a value has an unknown form", f"{where}: {short(value)}")
    ((kind, content),) = value.items()
    if kind == "float" and type(content) is str and content in _FLOATS:
        return _FLOATS[content]
    if kind in ("list", "tuple") and type(content) is list:
        entries = [decode_value(entry, where, depth + 1) for entry in content]
        return entries if kind == "list" else tuple(entries)
    if kind in ("set", "frozenset") and _are_distinct_words(content):
        return set(content) if kind == "set" else frozenset(content)
    if kind == "path" and type(content) is str:
        return Path(content)
    if kind == "dict" and type(content) is list:
        return _decode_dict(content, where, depth)
    if kind in ("array", "scalar"):
        array = _decode_array(content, where, depth)
        if kind == "array":
            return array
        if array.shape == () and array.dtype.kind != "O":
            return array[()]
    raise damaged("a value has an unknown form", f"{where}: {short(kind)}")


def _are_distinct_words(content: Any) -> bool:
    is_words = type(content) is list and all(type(entry) is str for entry in content)
    return is_words and len(set(content)) == len(content)


def _decode_dict(pairs: list[Any], where: str, depth: int) -> dict[Any, Any]:
    decoded: dict[Any, Any] = {}
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise damaged("a dict has an entry that is no pair", where)
        key = decode_value(pair[0], where, depth + 1)
        if not isinstance(key, str | int | float | bool | np.generic | tuple | None):
            raise damaged("a dict has a key that cannot be one", f"{where}: {short(key)}")
        try:
            decoded[key] = decode_value(pair[1], where, depth + 1)
        except TypeError as error:
            raise damaged("a dict has a key that cannot be one", f"{where}: {short(key)}") from error
    return decoded


def _decode_array(content: object, where: str, depth: int) -> NDArray[Any]:
    if type(content) is not dict or set(content) != {"dtype", "shape", "values"}:
        raise damaged("an array has an unknown form", where)
    dtype, shape, values = content["dtype"], content["shape"], content["values"]
    if type(values) is not list or not _is_shape(shape, len(values)):
        raise damaged("an array has another shape than it declares", f"{where}: {short(shape)}")
    entries = [decode_value(entry, where, depth + 1) for entry in values]
    if not _fits(dtype, entries):
        raise damaged("an array has values that its type does not allow", f"{where}: {short(dtype)}")
    try:
        array = np.array(entries, dtype=np.dtype(dtype)).reshape(shape)
    except (OverflowError, ValueError, TypeError) as error:
        raise damaged(
            "an array has values that its type does not allow", f"{where}: {short(dtype)}"
        ) from error
    return array if array.dtype.kind == "O" else array.astype(array.dtype.newbyteorder("="))


def _is_shape(shape: Any, n_values: int) -> bool:
    is_list = type(shape) is list and len(shape) <= 2
    return is_list and all(type(n) is int and n >= 0 for n in shape) and math.prod(shape) == n_values


def _fits(dtype: object, entries: list[Any]) -> bool:
    """Whether each entry is of the type that the dtype stands for; text is not cut off."""
    if type(dtype) is not str:
        return False
    text = _TEXT_DTYPE.fullmatch(dtype)
    if text is not None:
        length = int(text[1])
        is_small = 4 * length * max(len(entries), 1) <= MOST_BYTES_OF_TEXT
        return is_small and all(type(entry) is str and len(entry) <= length for entry in entries)
    if dtype not in _DTYPES:
        return False
    allowed: dict[str, tuple[type, ...]] = {
        "b": (bool,),
        "i": (int,),
        "u": (int,),
        "f": (float,),
        "O": (str, int, float, bool, type(None)),
    }
    return all(type(entry) in allowed[np.dtype(dtype).kind] for entry in entries)


_FIELDS = {"name", "kind", "levels", "level_values", "fill"}
KINDS = frozenset({"number", "date", "category", "boolean"})
ALL_KINDS = KINDS | {"text", "identifier"}


def encode_schema(schema: InputSchema) -> list[Any]:
    """One object per column; of an array, whose columns may be very many, their names alone."""
    if all(_is_of_an_array(column, position) for position, column in enumerate(schema.columns)):
        return list(schema.names)
    return [
        {
            "name": column.name,
            "kind": column.kind,
            "levels": list(column.levels),
            "level_values": None if column.level_values is None else column.level_values.tolist(),
            "fill": None if column.fill is None else float(column.fill),
        }
        for column in schema.columns
    ]


def decode_schema(record: object, kinds: frozenset[str] = KINDS, needs_columns: bool = True) -> InputSchema:
    """The columns, each of which fits together."""
    if type(record) is not list or (needs_columns and not record):
        raise damaged("the columns are not a list", short(record))
    of_array = numbers_schema(len(record))
    if record and record == of_array.names:
        return of_array
    columns = tuple(
        [
            InputColumn(fields) if type(fields) is str else _column(fields, kinds, f"column {position + 1}")
            for position, fields in enumerate(record)
        ]
    )
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        raise damaged("two columns have the same name", short(Counter(names).most_common(1)[0][0]))
    return InputSchema(columns)


def _is_of_an_array(column: InputColumn, position: int) -> bool:
    is_plain = column.kind == "number" and column.level_values is None and column.fill is None
    return is_plain and column.name == f"x{position}"


def _column(fields: object, kinds: frozenset[str], where: str) -> InputColumn:
    if type(fields) is not dict or set(fields) != _FIELDS:
        raise damaged("a column has other fields than it should", where)
    name, kind, levels = fields["name"], fields["kind"], fields["levels"]
    if type(name) is not str or type(kind) is not str or kind not in kinds:
        raise damaged("a column has no name or an unknown kind", f"{where}: {short(name)}, {short(kind)}")
    if type(levels) is not list or not all(type(level) is str for level in levels):
        raise damaged("the levels of a column are not text", where)
    if len(set(levels)) < len(levels) or (levels and kind not in ("category", "boolean")):
        raise damaged("a column has a level twice, or has levels and is a number", where)
    values = _level_values(fields["level_values"], len(levels), kind, where)
    fill = _fill(fields["fill"], kind, len(levels), where)
    return InputColumn(name, kind, tuple(levels), values, fill)


def _level_values(values: Any, n_levels: int, kind: str, where: str) -> np.ndarray[Any, Any] | None:
    if values is None:
        return None
    is_list = type(values) is list and len(values) == n_levels and kind == "category"
    if not is_list or not all(type(value) is float and math.isfinite(value) for value in values):
        raise damaged("the numbers behind the levels do not fit them", where)
    array = np.array(values, dtype=np.float64)
    if not (np.diff(array) > 0).all():
        raise damaged("the numbers behind the levels are not ascending", where)
    return array


def _fill(fill: Any, kind: str, n_levels: int, where: str) -> float | None:
    if fill is None:
        return None
    is_number = type(fill) is float and math.isfinite(fill)
    is_position = is_number and fill.is_integer() and 0 <= fill < n_levels
    if not is_number or (kind in ("category", "boolean") and not is_position):
        raise damaged("what fills a missing value does not fit the column", f"{where}: {short(fill)}")
    return float(fill)
