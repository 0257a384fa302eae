"""The table that a command line names, read with its options."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.cli.study_files import is_study
from heldout.errors import RequestError

if TYPE_CHECKING:
    from heldout.table.table import Table

_AS_THEY_ARE = ("decimal", "day_first", "encoding", "header", "comment", "skip_lines", "table", "query")


def read_file(file: str, options: Mapping[str, Any]) -> Table:
    """The typed table of a file."""
    from heldout.table.read_table import read_table

    if file == "-":
        raise RequestError(
            "a table is read from a file, because it is read again later",
            where="FILE is -",
            fix="save it first: … > table.csv",
        )
    if file.startswith(("http://", "https://")):
        raise RequestError(
            "a table is read from a file on this machine",
            where=f"'{file}'",
            fix=f"get it first: curl -O {file}",
        )
    refuse_study(file)
    reading = reading_options(options)
    sheet = options.get("sheet")
    if sheet is None:
        return read_table(file, **reading)
    try:
        return read_table(file, sheet=sheet, **reading)
    except RequestError:
        if not sheet.isdecimal():
            raise
        return read_table(file, sheet=int(sheet), **reading)  # no sheet has this name: it is a position


def reading_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `read_table`, from what was typed."""
    reading: dict[str, Any] = {}
    if options.get("drop"):
        reading["drop"] = names_in(options["drop"])
    if options.get("kind"):
        reading["kinds"] = _kinds(options["kind"])
    if options.get("missing"):
        reading["missing"] = _missing(options["missing"])
    if options.get("names"):
        reading["names"] = names_in([options["names"]])
    if options.get("delimiter") is not None:
        reading["delimiter"] = {r"\t": "\t", "tab": "\t"}.get(options["delimiter"], options["delimiter"])
    return reading | {name: options[name] for name in _AS_THEY_ARE if options.get(name) is not None}


def names_in(texts: Iterable[str]) -> list[str]:
    """Names with commas between them; one that holds a comma stands in double quotes."""
    rows = csv.reader(texts, skipinitialspace=True)
    return list(dict.fromkeys(name.strip() for row in rows for name in row if name.strip()))


def refuse_study(file: str) -> None:
    """Refuse a study where a table is needed, with how to go on."""
    if is_study(file):
        raise RequestError(
            "this is a study, and a run begins with its table",
            where=f"'{file}'",
            fix=f"heldout run TABLE --target COLUMN --out {file} goes on with it; "
            f"heldout report {file} shows it",
        )


def _kinds(texts: Sequence[str]) -> dict[str, str]:
    kinds = {}
    for text in texts:
        name, sign, kind = text.rpartition("=")
        if not sign or not name:
            raise RequestError(
                "a kind belongs to a column", where=f"--kind {text}", fix="write --kind zip=category"
            )
        kinds[name] = kind.strip()
    return kinds


def _missing(texts: Sequence[str]) -> list[str] | dict[str, list[str]]:
    by_column: dict[str, list[str]] = {}
    everywhere = [text for text in texts if "=" not in text]
    for text in texts:
        name, sign, marker = text.partition("=")
        if sign:
            by_column.setdefault(name, []).extend([marker] if marker else [])
    if everywhere and by_column:
        raise RequestError(
            "missing holds for every column or for some, not both",
            where=f"--missing {everywhere[0]} and --missing {next(iter(by_column))}=…",
            fix="name the columns in all of them, as --missing age=unknown",
        )
    return by_column or everywhere
