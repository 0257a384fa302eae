"""By what a study file is known, before anything opens it."""

from __future__ import annotations

import os

# A study is an SQLite file whose header names the program that it belongs to.
_BEGINS, _MARK, _MARK_AT = b"SQLite format 3\0", b"HELD", 68


def is_study(path: str) -> bool:
    """Whether a file is a study, by its first bytes.

    path: of the file, which need not be there

    >>> is_study("no/such/file")
    False
    """
    if not os.path.isfile(path):
        return False  # what is taken from a pipe is gone for whoever reads it next
    try:
        with open(path, "rb") as file:
            head = file.read(_MARK_AT + len(_MARK))
    except OSError:
        return False  # whoever reads it says what is wrong
    return head.startswith(_BEGINS) and head.endswith(_MARK)
