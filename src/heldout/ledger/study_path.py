"""The path of a study file: is it one, is there a file, and what do its first bytes say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from heldout.errors import InputTypeError, LedgerError, RequestError
from heldout.table.file_bytes import check_file, first_bytes


def study_path(path: Any) -> Path:
    """The path, whole and without links, or an InputTypeError."""
    if (
        isinstance(path, str | os.PathLike)
        and isinstance(os.fspath(path), str)
        and "\0" not in os.fspath(path)
    ):
        return Path(path).resolve()
    raise InputTypeError(
        f"{path!r:.60} is not the path of a study file",
        where=f"a {type(path).__name__}",
        fix="hand over a string or a pathlib.Path, such as 'churn.heldout'",
    )


def check_new(path: Path) -> None:
    """An error unless a study file can be made at the path; an empty file may be taken."""
    if path.is_dir():
        raise RequestError(
            "a study is one file, and this is a folder",
            where=f"'{path}'",
            fix=f"name a file in it, such as '{path / 'study.heldout'}'",
        )
    if not path.parent.is_dir():
        raise RequestError(
            "the folder of the study file is not there",
            where=f"'{path.parent}'",
            fix="make it, or check the path",
        )
    if path.exists() and path.stat().st_size > 0:
        raise standing_file(path)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise LedgerError(
            "a study file cannot be written here",
            where=f"'{path}'",
            fix="check who may write to the folder, or name another one",
        )


def standing_file(path: Path) -> LedgerError:
    """The error for a file that must not be written over."""
    return LedgerError(
        "there is a file of this name already, and a study is never written over",
        where=f"'{path}'",
        fix="open it, or name another file",
    )


def check_standing(path: Path) -> None:
    """An error unless the path is a file that may be read and holds something.

    The file is not opened: on POSIX, closing it would free the locks that SQLite has on it in this process.
    """
    check_file(path)
    if not os.access(path, os.R_OK):
        raise LedgerError("the study file cannot be read", where=f"'{path}'", fix="check who may read it")
    if path.stat().st_size == 0:
        raise no_study(path, "the file is empty")


def identity_of(path: Path) -> tuple[int, int] | None:
    """Which file lies at the path, whatever its name; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def check_existing(path: Path, identity: tuple[int, int] | None) -> None:
    """A LedgerError if the open file was moved, deleted or replaced: what is written now would be lost.

    identity: what `identity_of` gave when it was opened
    """
    if identity_of(path) != identity:
        raise LedgerError(
            "the study file was moved, deleted or replaced while it was open",
            where=f"'{path}'",
            fix="put it back and open it again; what was written before is in it",
        )


def other_content(path: Path) -> LedgerError:
    """The error for a file that SQLite takes for none of its own, so that it has no locks on it to lose."""
    head = first_bytes(path, 12)
    text = head.decode("utf-8", "ignore")  # the last character may be cut
    is_text = all(sign.isprintable() or sign.isspace() for sign in text) and len(text) > len(head) / 2
    return no_study(path, f"it begins with {(text if is_text else head)!r}")


def no_study(path: Path, why: str) -> LedgerError:
    """The error for a file that is something else."""
    return LedgerError(
        f"this is not a study file: {why}",
        where=f"'{path}'",
        fix="name a file that Study.create made; a copy that was cut short has to be copied again",
    )
