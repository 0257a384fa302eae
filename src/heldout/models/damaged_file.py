"""The errors for a model file that is not what `save` writes."""

from __future__ import annotations

from heldout.errors import DataError

FIX = "get a fresh copy of the file, or fit and save the model again"


def damaged(what: str, where: str) -> DataError:
    """The error, to be completed with the file's path by `load`."""
    return DataError(what, where, FIX)


def newer(what: str, where: str) -> DataError:
    """The error for a part that this version does not know, so that a later one must have written it."""
    return DataError(
        f"this model file was written by a newer version of Heldout: {what}",
        where,
        "install a newer Heldout, or fit and save the model again with this one",
    )


def short(value: object) -> str:
    """A value of the file as it is shown in an error.

    >>> short("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    text = repr(value) if not isinstance(value, list | dict) else f"{type(value).__name__} of {len(value)}"
    return text if len(text) <= 40 else f"{text[:39]}…"
