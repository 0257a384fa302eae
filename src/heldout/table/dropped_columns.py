"""Columns that the user leaves out, before any kind is decided: they cannot stand in the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from heldout.errors import KindError, RequestError
from heldout.table.raw_table import RawTable
from heldout.table.suggestion import suggestion


def names_to_drop(drop: str | Iterable[str] | None) -> list[str]:
    """The names as a list, each once.

    drop: a name, or several

    >>> names_to_drop("id"), names_to_drop(("id", "zip", "id")), names_to_drop(None)
    (['id'], ['id', 'zip'], [])
    """
    if drop is None:
        return []
    if isinstance(drop, Mapping) or not isinstance(drop, Iterable):
        raise _no_names(drop)
    names = [drop] if isinstance(drop, str) else list(drop)
    if not all(isinstance(name, str) for name in names):
        raise _no_names(drop)
    return list(dict.fromkeys(names))


def without_columns(raw: RawTable, names: Sequence[str], asked: Mapping[str, Iterable[str]]) -> RawTable:
    """What a reader found, without some of its columns.

    names: of the columns to leave out
    asked: by parameter of read_table the columns that it says something about
    """
    if not names:
        return raw
    _check(raw, names, asked)
    kept = [position for position, name in enumerate(raw.names) if name not in names]
    listed = ", ".join(repr(name) for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return replace(
        raw,
        names=tuple(raw.names[position] for position in kept),
        arrays=tuple(raw.arrays[position] for position in kept),
        header=tuple(raw.header[position] for position in kept) if raw.header else (),
        notes=(*raw.notes, f"left out as asked: {listed}{more}"),
        has_first=raw.has_first and raw.names[0] not in names,
    )


def _check(raw: RawTable, names: Sequence[str], asked: Mapping[str, Iterable[str]]) -> None:
    for name in names:
        if name not in raw.names:
            raise RequestError(
                f"there is no column {name!r} to drop",
                where=f"drop={name!r:.80}",
                fix=suggestion(name, raw.names),
            )
    for parameter, columns in asked.items():
        for name in columns:
            if name in names:
                raise RequestError(
                    f"column {name!r} is dropped, and {parameter} says something about it",
                    where=f"drop and {parameter}",
                    fix="leave out one of the two",
                )
    if set(raw.names) <= set(names):
        raise RequestError(
            "no column would be left", where=f"drop names all {len(raw.names)}", fix="drop fewer"
        )


def _no_names(drop: Any) -> KindError:
    return KindError(
        "drop is the name of a column, or a list of names",
        where=f"drop={drop!r:.60}",
        fix='write drop="id" or drop=["id", "zip"]',
    )
