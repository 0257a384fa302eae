"""A file's bytes, unpacked if they are gzip, and what kind of file its first bytes say it is."""

from __future__ import annotations

import difflib
import gzip
import zlib
from pathlib import Path

from heldout.errors import DataError, RequestError
from heldout.text.words import first_few

# Of files with the same ending so many are named where none has a name like the one asked for.
MOST_NAMED = 3
_SIGNATURES = (
    (b"PK\x03\x04", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"),
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "feather 1"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"%PDF", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"\x80\x04\x95", "pickle"),
    (b"\x80\x05\x95", "pickle"),
)
_MARKUP = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<head", b"<body")


def check_file(path: Path) -> Path:
    """The path, if it is a file that is there; else an error with the nearest names."""
    if path.is_file():
        return path
    if path.is_dir():
        names = sorted(entry.name for entry in path.iterdir() if entry.is_file())
        raise RequestError(
            "a table is read from a file, and this is a folder",
            where=f"'{path}'",
            fix=f"name a file in it: {first_few(names)}" if names else "name a file; there is none in it",
        )
    raise RequestError(f"there is no file '{path}'", where=f"folder '{path.parent}'", fix=_near_names(path))


def file_bytes(path: Path) -> bytes:
    """What is in the file; what gzip packed is unpacked."""
    data = first_bytes(path, -1)
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise DataError(
            "the gzip file is damaged or not complete",
            where=f"'{path.name}', {len(data):,} packed bytes: {error}",
            fix="copy or download it again",
        ) from None


def first_bytes(path: Path, n_bytes: int) -> bytes:
    """The beginning of a file as it lies there; all of it for -1."""
    try:
        with path.open("rb") as file:
            return file.read(n_bytes)
    except OSError as error:
        raise RequestError(
            f"the file cannot be read: {error.strerror}", where=f"'{path}'", fix="check who may read it"
        ) from None


def content_format(data: bytes) -> str:
    """What the first bytes say: "zip", "parquet", "html", ...; "" for what may be text."""
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return name
    start = data[:2000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.lower().startswith(_MARKUP):
        return "html"
    if start.startswith((b'{"', b'[{"', b"[[", b"{\n", b"[\n", b"[{\n", b"[ {")):
        return "json"
    return ""


def refuse_other_content(data: bytes, path: Path) -> None:
    """A DataError for a file that is named as text and is none."""
    found = content_format(data)
    if not found:
        return
    advice = {
        "zip": "if it is an Excel workbook, name it .xlsx; otherwise unpack it first",
        "xls": "name it .xls",
        "parquet": "name it .parquet",
        "arrow": "name it .feather",
        "sqlite": "name it .sqlite",
        "html": "a page was saved instead of the data: download the file itself",
        "json": "turn it into a list of dicts with json.load, and hand that over",
    }
    what = {
        "zip": "a zip archive or an Excel workbook",
        "html": "a page of HTML or XML",
        "sqlite": "an SQLite database",
        "xls": "an Excel workbook",
        "parquet": "a Parquet file",
        "arrow": "an Arrow file",
    }.get(found, f"a {found} file")
    raise DataError(
        f"the file is {what}, not delimited text",
        where=f"'{path.name}', line 1 begins with {data[:12]!r}",
        fix=advice.get(found, "turn it into CSV or Parquet first"),
    )


def _near_names(path: Path) -> str:
    if not path.parent.is_dir():
        return "that folder is not there either: check the path"
    names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    # By what stands before the ending, which many files share.
    stems: dict[str, list[str]] = {}
    for name in sorted(names):
        stems.setdefault(Path(name.lower()).stem, []).append(name)
    close = difflib.get_close_matches(path.stem.lower(), list(stems), n=3, cutoff=0.6)
    if close:
        near = [name for stem in close for name in _alike(stems[stem], path.suffix)]
        return "did you mean " + " or ".join(f"'{name}'" for name in near[:3]) + "?"
    same = [name for name in sorted(names) if Path(name).suffix.lower() == path.suffix.lower()]
    if 0 < len(same) <= MOST_NAMED:
        return f"check the name; the folder has {' and '.join(repr(name) for name in same)}"
    return "check the name; nothing in the folder has one like it"


def _alike(names: list[str], suffix: str) -> list[str]:
    """Those with this ending, where there are any."""
    return [name for name in names if Path(name).suffix.lower() == suffix.lower()] or names
