"""Tab completes names of columns, from the first line of the file that the line names."""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import click

KINDS = ("number", "category", "boolean", "date", "text", "identifier")
_TEXT = {".csv", ".tsv", ".txt", ".tab", ".data", ".dat"}
_ARROW = {".parquet", ".pq", ".feather", ".arrow", ".ipc"}


def complete_columns(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The columns of FILE that begin like this; after a comma of --drop, those that are left."""
    names = column_names(named_file(ctx))
    if param.name != "drop":
        return [name for name in names if name.startswith(incomplete)]
    *before, last = incomplete.split(",")
    return [",".join([*before, name]) for name in names if name.startswith(last) and name not in before]


def complete_kinds(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """COLUMN= for every column; after the sign the kinds."""
    name, sign, kind = incomplete.partition("=")
    if sign:
        return [f"{name}={each}" for each in KINDS if each.startswith(kind)]
    return [f"{each}=" for each in column_names(named_file(ctx)) if each.startswith(name)]


def named_file(ctx: click.Context) -> str:
    """The file that the line names so far; else that of the settings; else nothing.

    ctx: of the line that is being completed
    """
    if ctx.params.get("file"):
        return str(ctx.params["file"])
    from click.shell_completion import split_arg_string

    # An option that still waits for its value keeps click from looking at the rest of the line.
    for word in split_arg_string(os.environ.get("COMP_WORDS", ""))[2:]:
        if not word.startswith("-") and Path(word).expanduser().is_file():
            return word
    from heldout.cli.settings_file import found_settings
    from heldout.errors import HeldoutError

    try:
        found = found_settings(Path.cwd())
    except HeldoutError:
        return ""
    return str(found.path.parent / str(found.values.get("file", ""))) if found is not None else ""


def column_names(path: str) -> list[str]:
    """The names in the head of a file; none where they are not to be had at once.

    path: of the file

    >>> column_names("no such file")
    []
    """
    file = Path(path).expanduser()
    suffixes = [suffix.lower() for suffix in file.suffixes]
    try:
        if suffixes and suffixes[-1] in _ARROW:
            return _names_of_arrow(file)
        if _TEXT & set(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:]):
            return _names_of_text(file)
    except Exception:  # whatever is wrong with the file, Tab stays quiet; the command says it
        return []
    return []


def _names_of_text(file: Path) -> list[str]:
    with file.open("rb") as opened:
        head = opened.read(2)
        opened.seek(0)
        stream = gzip.GzipFile(fileobj=opened) if head == b"\x1f\x8b" else opened
        line = stream.readline(1 << 16).decode("utf-8-sig", errors="replace")
    delimiter = max("\t;,|", key=line.count)
    return [name.strip() for name in next(csv.reader([line], delimiter=delimiter), []) if name.strip()]


def _names_of_arrow(file: Path) -> list[str]:
    import pyarrow.feather
    import pyarrow.parquet

    if file.suffix.lower() in (".parquet", ".pq"):
        return list(pyarrow.parquet.read_schema(file).names)
    return list(pyarrow.feather.read_table(file, memory_map=True).schema.names)
