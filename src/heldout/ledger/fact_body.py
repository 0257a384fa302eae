"""What a fact says, as a frozen record: written as JSON, and checked when it is read again.

The fields and their types are the whole format of a kind of fact. A body that lacks a field, or holds
something else in it, is refused with the name of the field, so that nobody further up has to ask what may be
missing.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from heldout.errors import LedgerError
from heldout.ledger.chain import json_number, number_of_json
from heldout.ledger.fact import Entry, Fact
from heldout.stats.interval import Result

Reader = Callable[[Any], Any]


@dataclass(frozen=True)
class FactBody:
    """The body of one kind of fact; `fact_kind` says which."""

    fact_kind: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them."""
        return {field.name: json_form(getattr(self, field.name)) for field in dataclasses.fields(self)}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Self:
        """The body that `to_dict` wrote; a LedgerError where it is something else."""
        try:
            found: Self = _read_record(cls, form)
        except (TypeError, ValueError) as error:
            raise LedgerError(
                f"a fact of the study file is not what a {cls.fact_kind} is: {error}",
                where=f"{form!r:.80}",
                fix="make the study again with this version of heldout",
            ) from None
        return found

    @classmethod
    def read(cls, fact: Fact) -> Self:
        """The body of a fact of this kind."""
        return cls.from_dict(fact.body)

    def entry(self, key: str, arrays: Mapping[str, NDArray[Any]] | None = None, once: bool = False) -> Entry:
        """What the ledger is handed to make a fact of it."""
        return Entry(self.fact_kind, key, self.to_dict(), {} if arrays is None else arrays, once)


def json_form(value: Any) -> Any:
    """A value of a field as JSON can hold it: NaN is null, infinities are words, records are objects."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, Mapping):
        return {str(name): json_form(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_form(each) for each in value]
    if isinstance(value, FactBody | Result):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: json_form(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def _read_record(kind: type[Any], form: Any) -> Any:
    """A dataclass from the object that JSON holds; what it does not know is left alone."""
    if not isinstance(form, Mapping):
        raise TypeError(f"{kind.__name__} is an object, not {form!r:.40}")
    values = {}
    for name, read, is_needed in _field_readers(kind):  # type: ignore[arg-type]
        if name in form:
            try:
                values[name] = read(form[name])
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name!r}: {error}") from None
        elif is_needed:
            raise ValueError(f"it has no {name!r}")
    return kind(**values)


@cache
def _field_readers(kind: type[Any]) -> tuple[tuple[str, Reader, bool], ...]:
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return tuple(
        (
            field.name,
            _reader(hints[field.name]),
            field.default is missing and field.default_factory is missing,
        )
        for field in dataclasses.fields(kind)
        if field.init
    )


def _reader(hint: Any) -> Reader:
    """What turns the JSON of a value into a value of this type, or raises."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        (inner,) = (_reader(part) for part in parts if part is not type(None))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _tuple_reader(parts)
    if origin is not None and issubclass(origin, Mapping):
        inner = _reader(parts[1])
        return lambda value: {name: inner(each) for name, each in _checked(value, dict).items()}
    if hint is float:
        return _read_float
    if hint in (str, bool, int):
        return lambda value: _checked(value, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if dataclasses.is_dataclass(hint):
        return lambda value: _read_record(typing.cast(type[Any], hint), value)
    return lambda value: value


def _tuple_reader(parts: tuple[Any, ...]) -> Reader:
    if parts[-1] is Ellipsis:
        each = _reader(parts[0])
        return lambda value: tuple(each(entry) for entry in _checked(value, list))
    readers = [_reader(part) for part in parts]
    return lambda value: tuple(
        read(entry) for read, entry in zip(readers, _checked(value, list), strict=True)
    )


def _read_float(value: Any) -> float:
    if value is None or type(value) in (int, float) or value in ("inf", "-inf"):
        return number_of_json(value)
    raise TypeError(f"a number is wanted, not {value!r:.40}")


def _checked(value: Any, kind: type[Any]) -> Any:
    # A bool is an int to isinstance, and a tuple is what a body holds before it was written.
    if type(value) is kind or (kind is list and type(value) is tuple):
        return value
    raise TypeError(f"{kind.__name__} is wanted, not {value!r:.40}")
