"""A file that is written whole or not at all: beside its place first, then into it."""

from __future__ import annotations

import gzip
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heldout.cli.predicting.byte_source import STANDARD
from heldout.errors import RequestError

_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextmanager
def whole_file(path: str) -> Iterator[Any]:
    """A stream whose bytes are at the path once all of them are written; packed if it ends in .gz.

    To standard output, a pipe or a device they go at once.

    path: of the file, which is replaced if it is there; "-" for standard output

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(f"{folder}/a.txt") as stream:
    ...         _ = stream.write(b"all of it")
    ...         print(Path(folder, "a.txt").exists())
    ...     print(Path(folder, "a.txt").read_text())
    False
    all of it
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with _opened(path) as stream:
            yield stream
        return
    place = Path(os.path.realpath(path))  # where a link leads; the link stays one
    beside = place.parent / f".{place.name[:40]}.{secrets.token_hex(8)}"
    try:
        handle = os.open(beside, _NEW_FILE, 0o666)
    except OSError as error:
        raise _refused(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            if place.suffix.lower() == ".gz":
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield packed
            else:
                yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException as error:
        os.unlink(beside)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = path  # a full disk does not say which
        raise


def _opened(path: str) -> Any:
    """What is no file, and cannot be put in another's place."""
    try:
        return open(path, "wb")
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: str, error: OSError) -> RequestError:
    return RequestError(
        "a file cannot be written here",
        where=f"'{path}': {error.strerror or error}",
        fix="choose a place that exists and where you may write, with -o",
    )
