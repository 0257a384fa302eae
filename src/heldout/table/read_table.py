"""The one door for data: a file or something in memory goes in, a typed table comes out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.errors import InputTypeError, RequestError
from heldout.table.raw_table import RawTable, source_of
from heldout.table.table import Table
from heldout.text.words import first_few, short_repr, suggestion

if TYPE_CHECKING:
    from heldout.table.read_memory import InMemory

_TEXT = ("csv", "tsv", "txt", "tab", "data", "dat")
_FORMAT_OF_SUFFIX = {
    **dict.fromkeys(_TEXT, "csv"),
    **dict.fromkeys(("parquet", "pq"), "parquet"),
    **dict.fromkeys(("feather", "arrow", "ipc"), "feather"),
    **dict.fromkeys(("xlsx", "xls", "xlsm", "xlsb", "ods"), "excel"),
    "arff": "arff",
    **dict.fromkeys(("sqlite", "sqlite3", "db"), "sqlite"),
}
_FORMAT_OF_CONTENT = {
    "parquet": "parquet",
    "arrow": "feather",
    "feather 1": "feather",
    "sqlite": "sqlite",
    "xls": "excel",
}
_OPTIONS = {
    "csv": ("delimiter", "encoding", "header", "names", "comment", "skip_lines", "decimal", "day_first"),
    "excel": ("sheet", "header", "names", "skip_lines", "decimal", "day_first"),
    "arff": ("encoding", "decimal", "day_first"),
    "sqlite": ("table", "query", "decimal", "day_first"),
    "parquet": ("decimal", "day_first"),
    "feather": ("decimal", "day_first"),
    "memory": ("names", "decimal", "day_first"),
}


def read_table(
    source: str | os.PathLike[str] | InMemory,
    kinds: Mapping[str, str] | None = None,
    missing: Iterable[str] | Mapping[str, Iterable[str]] | None = None,
    *,
    drop: str | Iterable[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    day_first: bool | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    comment: str | None = None,
    skip_lines: int | None = None,
    sheet: str | int | None = None,
    table: str | None = None,
    query: str | None = None,
) -> Table:
    """A typed table from a file or from memory; nothing is guessed without saying so in its notes.

    Every column gets a kind from all of its values, by the rules of `heldout.table.kinds`; print the
    table to see them with their reasons.

    Parameters
    ----------
    source
        path of a CSV or TSV (also .gz), Parquet, Feather, Excel, ARFF or SQLite file; or a pandas, polars
        or pyarrow table, a NumPy array, a dict of columns, a list of dicts
    kinds
        the kind of columns where the guess is not wanted, as {"zip": "category"}
    missing
        strings that stand for missing values, instead of the usual ones; or {"age": ["unknown"]}
    drop
        columns to leave out, before their kinds are decided: a name, or several
    delimiter
        what separates fields, if it is not to be found out
    decimal
        "," or ".", where numbers may be read both ways
    day_first
        how 03/04/2024 is read
    encoding
        of a text file; UTF-8, or what a byte order mark says, if it is not given
    header
        does the first line hold names? None: yes, but it must not look like a row
    names
        the columns' names, where a file has no header (header=False), instead of those in its header
        (header=True), or for an array
    comment
        what comment lines begin with, "" for none
    skip_lines
        lines above the header, in Excel rows of the sheet
    sheet
        name or position of an Excel sheet
    table
        name of a SQLite table
    query
        a SELECT for a SQLite file

    Examples
    --------
    >>> table = read_table({"age": [41, None, 29], "smokes": ["yes", "no", "?"]})
    >>> table["age"].kind, table["smokes"].kind, table["smokes"].n_missing
    ('number', 'boolean', 1)
    """
    # Arrow takes a quarter of a second to import: only those who read pay for it.
    from heldout.table.build_table import build_table

    given = {
        "delimiter": delimiter,
        "decimal": decimal,
        "day_first": day_first,
        "encoding": encoding,
        "header": header,
        "names": names,
        "comment": comment,
        "skip_lines": skip_lines,
        "sheet": sheet,
        "table": table,
        "query": query,
    }
    # What can be gone through only once would be empty when the source is written down.
    missing = list(missing) if isinstance(missing, Iterator) else missing
    given = {option: value for option, value in given.items() if value is not None}
    check_option_values(given)
    dropped = names_to_drop(drop)
    requested = {
        name: each for name, each in (("kinds", kinds), ("missing", missing)) if isinstance(each, Mapping)
    }
    raw = without_columns(_read_source(source, given), dropped, requested)
    built = build_table(raw, kinds, missing, decimal, day_first)
    stated = {"kinds": kinds, "missing": missing, "drop": dropped or None, **given}
    return built.with_source(source_of(source, stated))


def _read_source(source: str | os.PathLike[str] | InMemory | Table, given: dict[str, Any]) -> RawTable:
    if isinstance(source, Table):
        raise InputTypeError("this is a table already", f"{source.n_rows:,} rows", "use it as it is")
    if not isinstance(source, str | os.PathLike):
        from heldout.table.read_memory import read_in_memory

        _check_options("memory", given)
        return read_in_memory(source, given.get("names"))
    from heldout.table.file_bytes import check_file, first_bytes, refuse_other_content

    path = check_file(Path(source).expanduser())
    kind = format_of(path)
    if kind in ("csv", "arff"):
        refuse_other_content(first_bytes(path, 2000), path)
    _check_options(kind, given)
    return _read_file(
        path, kind, {name: given[name] for name in given if name not in ("decimal", "day_first")}
    )


def _read_file(path: Path, kind: str, options: dict[str, Any]) -> RawTable:
    if kind == "parquet":
        from heldout.table.read_arrow_files import read_parquet

        return read_parquet(path)
    if kind == "feather":
        from heldout.table.read_arrow_files import read_feather

        return read_feather(path)
    if kind == "excel":
        from heldout.table.read_excel import read_excel

        return read_excel(path, **options)
    if kind == "sqlite":
        from heldout.table.read_sqlite import read_sqlite

        return read_sqlite(path, **options)
    from heldout.table.file_bytes import file_bytes, refuse_other_content

    data = file_bytes(path)
    refuse_other_content(data, path)
    if kind == "arff":
        from heldout.table.read_arff import read_arff

        return read_arff(data, **options)
    from heldout.table.read_csv import CsvOptions, read_csv

    return read_csv(data, CsvOptions(**options))


def format_of(path: Path) -> str:
    """By the name's ending; by the first bytes where the ending says nothing."""
    suffixes = [suffix[1:].lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == "gz":
        suffixes.pop()
    if suffixes and suffixes[-1] in _FORMAT_OF_SUFFIX:
        return _FORMAT_OF_SUFFIX[suffixes[-1]]
    from heldout.table.file_bytes import content_format, first_bytes

    found = content_format(first_bytes(path, 2000))
    return _FORMAT_OF_CONTENT.get(found, "csv")


def _check_options(kind: str, given: Mapping[str, Any]) -> None:
    for option in given:
        if option not in _OPTIONS[kind]:
            sources = [name for name, options in _OPTIONS.items() if option in options]
            raise RequestError(
                f"{option}= says nothing about this source",
                where=f"{option}={given[option]!r}, the source is {kind}",
                fix=f"leave it out; it is for {' and '.join(sources)}",
            )


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _is_list_of_strings(value: object) -> bool:
    if isinstance(value, str) or not hasattr(value, "__len__") or not hasattr(value, "__getitem__"):
        return False
    return isinstance(value, Iterable) and all(isinstance(name, str) for name in value)


# Per option: whether a value may be given, what may be, and an example.
_RULES: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "header": (lambda value: isinstance(value, bool), "True or False", "True"),
    "day_first": (lambda value: isinstance(value, bool), "True or False", "True"),
    "skip_lines": (_is_count, "a whole number, 0 or more", "1"),
    "decimal": (lambda value: isinstance(value, str) and value in (",", "."), "',' or '.'", "','"),
    "encoding": (lambda value: isinstance(value, str), "a name", "'latin-1'"),
    "comment": (lambda value: isinstance(value, str), "a string, '' for none", "'#'"),
    "names": (_is_list_of_strings, "a list of strings", "['age', 'city']"),
    "sheet": (lambda value: isinstance(value, str) or _is_count(value), "a name, or a position from 0", "0"),
    "table": (lambda value: isinstance(value, str), "the name of a table", "'people'"),
    "query": (lambda value: isinstance(value, str), "a SELECT, as a string", "'SELECT ...'"),
}


def check_option_values(given: Mapping[str, Any]) -> None:
    """A RequestError for the first option whose value is none that it may have."""
    for option, value in given.items():
        if option not in _RULES:
            continue
        is_allowed, allowed, example = _RULES[option]
        if not is_allowed(value):
            raise RequestError(
                f"{option}= is {allowed}",
                where=f"{option}={short_repr(value)}",
                fix=f"say {option}={example}, or leave it out",
            )


def names_to_drop(drop: str | Iterable[str] | None) -> list[str]:
    """The names as a list, each once.

    drop: a name, or several
    """
    if drop is None:
        return []
    if isinstance(drop, Mapping) or not isinstance(drop, Iterable):
        raise _no_names(drop)
    names = [drop] if isinstance(drop, str) else list(drop)
    if not all(isinstance(name, str) for name in names):
        raise _no_names(drop)
    return list(dict.fromkeys(names))


def without_columns(raw: RawTable, names: Sequence[str], requested: Mapping[str, Iterable[str]]) -> RawTable:
    """What a reader found, without some of its columns.

    names: of the columns to leave out
    requested: by parameter of read_table the columns that it says something about
    """
    if not names:
        return raw
    _check(raw, names, requested)
    kept = [position for position, name in enumerate(raw.names) if name not in names]
    return replace(
        raw,
        names=tuple(raw.names[position] for position in kept),
        arrays=tuple(raw.arrays[position] for position in kept),
        header=tuple(raw.header[position] for position in kept) if raw.header else (),
        notes=(*raw.notes, f"left out as requested: {first_few([*map(repr, names)])}"),
        has_first=raw.has_first and raw.names[0] not in names,
    )


def _check(raw: RawTable, names: Sequence[str], requested: Mapping[str, Iterable[str]]) -> None:
    for name in names:
        if name not in raw.names:
            raise RequestError(
                f"there is no column {name!r} to drop",
                where=f"drop={name!r:.80}",
                fix=suggestion(name, raw.names),
            )
    for parameter, columns in requested.items():
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


def _no_names(drop: object) -> InputTypeError:
    return InputTypeError(
        "drop is the name of a column, or a list of names",
        where=f"drop={drop!r:.60}",
        fix='write drop="id" or drop=["id", "zip"]',
    )
