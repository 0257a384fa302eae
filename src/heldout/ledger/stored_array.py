"""Arrays as the ledger keeps them: a type, a shape, plain bytes, and a digest of all three."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import KindError

# Little-endian numbers of up to 8 bytes, booleans, strings of a fixed length: nothing that can be executed.
_DTYPES = re.compile(r"\|b1|[|][iu]1|<[iu][248]|<f[248]|<U\d{1,9}")


@dataclass(frozen=True)
class StoredArray:
    """An array as it lies in the study file.

    dtype:   as NumPy spells it, "<f8"
    shape:   a JSON list, "[3,2]"
    content: the bytes, in the order of C
    digest:  SHA-256 of dtype, a blank, shape, a line break and the bytes

    >>> stored = stored_array("values", np.array([1.5, 2.5]))
    >>> stored.dtype, stored.shape, unpacked(stored).tolist()
    ('<f8', '[2]', [1.5, 2.5])
    """

    dtype: str
    shape: str
    content: bytes
    digest: str


def stored_array(name: str, array: NDArray[Any]) -> StoredArray:
    """The array, packed; a KindError for what is no plain array.

    name: for the error

    >>> stored_array("seen", np.array([True, False])).content
    b'\\x01\\x00'
    """
    values = np.asarray(array)
    little = values.dtype.newbyteorder("<").str
    if not _DTYPES.fullmatch(little):
        raise KindError(
            f"the ledger keeps no array of {values.dtype}",
            where=f"array {name!r} of shape {values.shape}",
            fix="turn it into numbers, booleans, strings of a fixed length (astype('U')) or bytes (uint8)",
        )
    content = np.ascontiguousarray(values, dtype=little).tobytes()
    shape = json.dumps(list(values.shape), separators=(",", ":"))
    return StoredArray(little, shape, content, array_digest(little, shape, content))


def array_digest(dtype: str, shape: str, content: bytes) -> str:
    """The digest of an array.

    >>> array_digest("<f8", "[0]", b"") == hashlib.sha256(b"<f8 [0]" + bytes([10])).hexdigest()
    True
    """
    digest = hashlib.sha256(f"{dtype} {shape}\n".encode("utf-8", "surrogateescape"))
    digest.update(content)
    return digest.hexdigest()


def unpacked(stored: StoredArray) -> NDArray[Any]:
    """The array again, the caller's own; a ValueError if the parts do not fit together.

    >>> unpacked(stored_array("empty", np.zeros((0, 3)))).shape
    (0, 3)
    """
    shape = json.loads(stored.shape)
    if not _DTYPES.fullmatch(stored.dtype) or not _is_shape(shape):
        raise ValueError(f"there is no array of {stored.dtype!r:.20} and shape {stored.shape!r:.40}")
    dtype = np.dtype(stored.dtype)
    if math.prod(shape) * dtype.itemsize != len(stored.content):
        raise ValueError(f"{len(stored.content)} bytes are not an array of {stored.dtype} and {stored.shape}")
    # NumPy's frombuffer takes no empty buffer and no type of no bytes ("<U0").
    if not stored.content:
        return np.zeros(shape, dtype)
    return np.frombuffer(stored.content, dtype).reshape(shape).copy()


def _is_shape(shape: Any) -> bool:
    return isinstance(shape, list) and all(type(length) is int and length >= 0 for length in shape)
