"""One try at a cell: what it gives, or what it raises, in words."""

from __future__ import annotations

import hashlib
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from heldout.errors import HeldoutError
from heldout.study.runners.runner import CellFailure

if TYPE_CHECKING:
    from heldout.study.cells.cell import CellKey, CellResult
    from heldout.study.cells.work import Work

    RunCell: TypeAlias = Callable[[Work, CellKey], CellResult]

MOST_LINES = 12
MOST_LETTERS = 2000


def attempt(run_cell: RunCell, work: Work, key: CellKey) -> CellResult | CellFailure:
    """Run one cell; whatever the learner raises becomes a failure, all but Ctrl-C.

    run_cell: what runs a cell
    work:     what cells need
    key:      which one
    """
    with _seeded(work, key):
        try:
            return run_cell(work, key)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit, which a learner has no right to
            return failure_of(error, key)


def failure_of(error: BaseException, key: CellKey) -> CellFailure:
    """What a learner raised, in words."""
    ours = error if isinstance(error, HeldoutError) else None
    # What we raise of a learner's error says where it was; the lines that led to it are the learner's.
    origin = (error.__cause__ or error) if ours else error
    kind = type(error).__name__
    try:
        message = (". ".join(filter(None, [ours.what, ours.where])) if ours else str(error)).strip()
        lines = "".join(traceback.format_exception(origin)).rstrip().splitlines()[-MOST_LINES:]
    except Exception:  # an error that cannot be printed, or no memory left to print it
        message, lines = "", []
    text = message if ours else f"{kind}: {message}" if message else kind
    return CellFailure(key, text[:MOST_LETTERS], tuple(lines), is_memory=isinstance(error, MemoryError))


@contextmanager
def _seeded(work: Work, key: CellKey) -> Iterator[None]:
    """A learner that draws from the global streams draws the same in any process and order."""
    words = f"{work.resolved.seed}:{key.contender}:{key.repeat}:{key.fold}"
    seed = int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "little")
    kept: tuple[Any, Any] = np.random.get_state(), random.getstate()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(kept[0])  # noqa: NPY002
        random.setstate(kept[1])
