"""The work of a plan in one file, which workers map instead of copying it.

Layout: the number of parts and their places (little-endian int64 pairs of start and length), then the parts,
each at a multiple of 64 bytes. Part 0 is a pickle of protocol 5, the others are the buffers of its arrays.
Only processes that we started ourselves read the file, and only we may (mode 0600).
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from heldout.errors import RequestError

if TYPE_CHECKING:
    from heldout.study.cells.work import Work
    from heldout.study.runners.attempt import RunCell

STEP = 64


def write_work(run_cell: RunCell, work: Work) -> Path:
    """Write the work into a new temporary file, and say where it is; nothing is copied in memory.

    run_cell: what runs a cell
    work:     what cells need
    """
    buffers: list[pickle.PickleBuffer] = []
    try:
        first = _pickler().dumps((run_cell, work), protocol=5, buffer_callback=buffers.append)
    except Exception as error:
        raise RequestError(
            "the work cannot be sent to other processes",
            where=f"{type(error).__name__}: {error}",
            fix="use n_jobs=1, which runs in this process, or a learner that can be pickled",
        ) from error
    number, name = tempfile.mkstemp(prefix="heldout-", suffix=".work")
    try:
        with os.fdopen(number, "wb") as file:
            _write_parts(file, [memoryview(first), *(buffer.raw() for buffer in buffers)])
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def map_work(path: str | Path) -> tuple[RunCell, Work]:
    """The work of a file; its arrays lie in the file's pages, shared until somebody writes to them."""
    with open(path, "rb") as file:
        # Private: a learner may write into its input, as it may in a single process.
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    (n_parts,) = struct.unpack_from("<q", mapped)
    indices = struct.unpack_from(f"<{2 * n_parts}q", mapped, 8)
    parts = [mapped[start : start + size] for start, size in zip(indices[::2], indices[1::2], strict=True)]
    pair: tuple[RunCell, Work] = pickle.loads(parts[0], buffers=parts[1:])
    return pair


def _write_parts(file: BinaryIO, parts: list[memoryview]) -> None:
    indices, at = [], _rounded(8 + 16 * len(parts))
    for part in parts:
        indices += [at, part.nbytes]
        at = _rounded(at + part.nbytes)
    file.write(struct.pack(f"<{1 + len(indices)}q", len(parts), *indices))
    for part, start in zip(parts, indices[::2], strict=True):
        file.write(bytes(start - file.tell()))
        file.write(part)


def _rounded(size: int) -> int:
    return -(-size // STEP) * STEP


def _pickler() -> Any:
    """What takes classes of a notebook along, which workers could not import; joblib brings it."""
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):  # its own until 1.5
        try:
            return import_module(name)
        except ImportError:
            continue
    return pickle
