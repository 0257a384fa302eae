"""What a learner raised, with where it happened: which contender, which setting, which inner fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from heldout.errors import HeldoutError, RequestError
from heldout.table.describe import shortened


@contextmanager
def failing_as(
    contender: str,
    setting: Mapping[str, Any] | None = None,
    fold: tuple[int, int] | None = None,
    doing: str = "the fit on the whole training part",
) -> Iterator[None]:
    """Let what is raised inside the block say where it was.

    contender: its name
    setting:   what was fitted; None where it holds for all settings
    fold:      the number of the inner fold, from 0, and how many there are; None outside of tuning
    doing:     what was done, outside of tuning

    >>> with failing_as("tree", {"k": 3}, (1, 5)):
    ...     raise ZeroDivisionError("by zero")
    Traceback (most recent call last):
    heldout.errors.RequestError: a learner failed: ZeroDivisionError: by zero
      where: contender 'tree', setting k=3, inner fold 2 of 5
      fix:   fit it by itself on these rows to see why; leave the setting out if it cannot work
    """
    try:
        yield
    except MemoryError:
        raise  # a matter of the machine: the runner tries again
    except Exception as error:
        where = _place(contender, setting, fold, doing)
        if isinstance(error, HeldoutError):
            raise type(error)(error.what, "; ".join(filter(None, [error.where, where])), error.fix) from error
        raise RequestError(
            f"a learner failed: {type(error).__name__}: {shortened(str(error), 500)}",
            where=where,
            fix="fit it by itself on these rows to see why; leave the setting out if it cannot work",
        ) from error


def _place(
    contender: str, setting: Mapping[str, Any] | None, fold: tuple[int, int] | None, doing: str
) -> str:
    parts = [f"contender {contender!r}"]
    if setting:
        parts.append("setting " + ", ".join(f"{name}={value!r:.40}" for name, value in setting.items()))
    parts.append(doing if fold is None else f"inner fold {fold[0] + 1} of {fold[1]}")
    return ", ".join(parts)
