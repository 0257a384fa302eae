"""The outside of a model file: a zip of members that are not compressed, JSON and arrays.

Without compression a member is as long as the file says, so there is nothing to unpack and no bomb; the
same members give the same bytes. Arrays are .npy files whose first bytes are known beforehand: they are
compared, never parsed. Each is taken once, with a known type and shape.
"""

from __future__ import annotations

import io
import os
import secrets
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError

MOST_MEMBERS = 10_000
_MOMENT = (1980, 1, 1, 0, 0, 0)
_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
_ZIP_BEGINS, _PICKLE_BEGINS = b"PK", b"\x80"
# What zipfile raises where the bytes make no sense.
_ZIP_FAILURES = (
    zipfile.BadZipFile,
    EOFError,
    IndexError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)


def archive_bytes(members: dict[str, bytes]) -> bytes:
    """A zip of these members, the same bytes whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all: beside it first, then into its place."""
    try:
        name = path.parent / f".{path.name[:40]}.{secrets.token_hex(8)}"
        handle = os.open(name, _NEW_FILE, 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise RequestError(
            "the model file cannot be written",
            where=f"{path}: {error.strerror or error}",
            fix="choose a folder that exists and where you may write",
        ) from error


def read_members(path: Path) -> dict[str, bytes]:
    """All members of a model file, each as long as declared."""
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise RequestError(
            "there is no such model file", where=f"{path}", fix="check the path, or write one with ho.save"
        ) from error
    except OSError as error:
        raise RequestError(
            "the model file cannot be read", where=f"{path}: {error.strerror or error}", fix="check the path"
        ) from error
    _refuse_foreign(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            _check_entries(entries, len(content))
            return {entry.filename: archive.read(entry) for entry in entries}
    except DataError:
        raise
    except _ZIP_FAILURES as error:
        raise damaged("this is not a whole model file", f"{error}"[:80].rstrip(".") or "its zip") from error


def _refuse_foreign(content: bytes) -> None:
    """A DataError for a file that never was a zip; what is left of one is looked at later."""
    if content.startswith(_ZIP_BEGINS) or _ZIP_BEGINS.startswith(content):
        return
    is_pickle = content.startswith(_PICKLE_BEGINS)
    other = "; what pickle or joblib wrote, read with that, if you trust it, and save the model with ho.save"
    raise DataError(
        "this is no model file of Heldout",
        where=f"it begins with {content[:8]!r}{', as a pickle does' if is_pickle else ''}",
        fix=f"check the path: ho.load reads what ho.save wrote{other if is_pickle else ''}",
    )


def _check_entries(entries: list[zipfile.ZipInfo], size: int) -> None:
    names = [entry.filename for entry in entries]
    if len(entries) > MOST_MEMBERS:
        raise damaged("the file has more members than a model", f"{len(entries)} members")
    if len(set(names)) < len(names):
        raise damaged("a member is there twice", short(next(n for n in names if names.count(n) > 1)))
    for entry in entries:
        if entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1:
            raise damaged("a member is compressed or encrypted", short(entry.filename))
        if entry.file_size != entry.compress_size or entry.file_size > size:
            raise damaged("a member declares another size than it has", short(entry.filename))
    if sum(entry.file_size for entry in entries) > size:
        raise damaged("the members declare more than the file holds", f"{size:,} bytes")


def npy_bytes(array: NDArray[np.generic], dtype: str) -> bytes:
    """An array as a .npy file."""
    return npy_head(dtype, array.shape) + np.ascontiguousarray(array, dtype=np.dtype(dtype)).tobytes()


def npy_head(dtype: str, shape: tuple[int, ...]) -> bytes:
    """The first bytes of a .npy file of version 1."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("ascii")


def npy_array(content: bytes, dtype: str, shape: tuple[int, ...], name: str) -> NDArray[np.generic]:
    """The array of a .npy file that must have this type and shape."""
    head = npy_head(dtype, shape)
    n_bytes = np.dtype(dtype).itemsize
    for length in shape:
        n_bytes *= length
    if not content.startswith(head) or len(content) != len(head) + n_bytes:
        raise damaged("an array has another type or size than declared", f"{name}, wanted {dtype} {shape}")
    array = np.frombuffer(content, dtype=np.dtype(dtype), offset=len(head)).reshape(shape)
    return array.astype(array.dtype.newbyteorder("="))


FIX = "get a fresh copy of the file, or fit and save the model again"


def damaged(what: str, where: str) -> DataError:
    """The error, to be completed with the file's path by `load`."""
    return DataError(what, where, FIX)


def other_version(what: str, where: str) -> DataError:
    """The error for a file whose parts are not those that this version writes."""
    return DataError(
        f"this model file was written by another version of Heldout: {what}",
        where,
        "load it with that version, or fit and save the model again with this one",
    )


def short(value: object) -> str:
    """A value of the file as it is shown in an error."""
    text = repr(value) if not isinstance(value, list | dict) else f"{type(value).__name__} of {len(value)}"
    return text if len(text) <= 40 else f"{text[:39]}…"


def file_path(path: object, caller: str) -> Path:
    """The path, if it is one."""
    if isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str):
        return Path(path)
    fix = "hand over the path as a string or a pathlib.Path"
    if hasattr(path, "read") or hasattr(path, "write"):
        fix += ", not an open file: a model file is read and written as a whole"
    elif isinstance(path, bytes):
        fix += ", such as os.fsdecode(...) of these bytes; a model in memory is written to a file first"
    raise InputTypeError(
        f"a {type(path).__name__} is not the path of a model file", where=f"{caller}: {path!r:.60}", fix=fix
    )


MOST_ENTRIES = 2**31 - 1
# A type and the names of its sizes: {"coef_": ("<f8", ("n_columns",))}.
Forms = Mapping[str, tuple[str, tuple[str, ...]]]


class ArrayMembers:
    """The members of a file beside its JSON; what nobody has taken in the end is one too many."""

    def __init__(self, members: Mapping[str, bytes]) -> None:
        self._left = dict(members)

    def take(self, name: str, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """The array of this name, which must have this type and shape."""
        if name not in self._left:
            raise damaged("the file has other parts than this version writes", f"missing {short(name)}")
        return npy_array(self._left.pop(name), dtype, shape, name)

    def take_folder(self, folder: str) -> dict[str, bytes]:
        """All members of a folder, by their names inside it."""
        start = f"{folder}/"
        return {
            name.removeprefix(start): self._left.pop(name)
            for name in list(self._left)
            if name.startswith(start)
        }

    def check_all_taken(self) -> None:
        """Refuse a member that the model does not have."""
        if self._left:
            first = sorted(self._left)[0]
            raise damaged("the file has other parts than this version writes", f"unknown {short(first)}")


def write_arrays(folder: str, arrays: Mapping[str, NDArray[Any]], forms: Forms) -> dict[str, bytes]:
    """Arrays as members, in the order of their forms."""
    for name in forms:
        if max(arrays[name].shape) > MOST_ENTRIES:
            raise RequestError(
                "the model is too large for a model file",
                where=f"{name} has the shape {arrays[name].shape}, and {MOST_ENTRIES:,} entries are the most",
                fix="fit on fewer rows or columns",
            )
    return {member(folder, name): npy_bytes(arrays[name], dtype) for name, (dtype, _) in forms.items()}


def read_arrays(
    folder: str, forms: Forms, sizes: Mapping[str, int], members: ArrayMembers
) -> dict[str, NDArray[Any]]:
    """The arrays that the forms ask for, of these sizes."""
    return {
        name: members.take(member(folder, name), dtype, tuple([sizes[size] for size in shape]))
        for name, (dtype, shape) in forms.items()
    }


def member(folder: str, name: str) -> str:
    """Where an array stands in the file."""
    return f"{folder}/{name}.npy"


def read_sizes(record: object, lowest: Mapping[str, int], what: str) -> dict[str, int]:
    """The sizes that the JSON declares, each a whole number that an array can have."""
    if type(record) is not dict or set(record) != set(lowest):
        raise damaged(f"the sizes of {what} are not described as they should be", short(record))
    for name, least in lowest.items():
        size = record[name]
        if type(size) is not int or not least <= size <= MOST_ENTRIES:
            raise damaged(f"{what} has an impossible size", f"{name}: {short(size)}")
    return {name: record[name] for name in lowest}


def check_finite(arrays: Mapping[str, NDArray[np.floating[Any]]], names: tuple[str, ...], what: str) -> None:
    """Refuse arrays with a number that is none."""
    for name in names:
        if not np.isfinite(arrays[name]).all():
            raise damaged(f"{what} has a number that is not finite", name)
