"""Which points of a long line can be seen: a picture of ten million points has a few hundred."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def visible_places(across: Floats, n_columns: int, upwards: Floats) -> Places:
    """The places of the first, last, lowest and highest point in each column of the picture.

    A line through these points covers the same part of every column as the whole line.

    across:    between 0 and 1, not falling
    n_columns: into how many the picture is cut
    upwards:   the heights

    >>> visible_places(np.linspace(0, 1, 1001), 2, np.linspace(0, 1, 1001)).tolist()
    [0, 499, 500, 1000]
    """
    n_points = len(across)
    if n_points <= 4 * n_columns:
        return np.arange(n_points)
    edges = np.arange(n_columns) / n_columns
    starts = np.unique(np.searchsorted(across, edges, "left"))
    starts = starts[starts < n_points]
    ends = np.append(starts[1:], n_points)
    parts = [slice(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    lowest = [part.start + int(np.argmin(upwards[part])) for part in parts]
    highest = [part.start + int(np.argmax(upwards[part])) for part in parts]
    return np.unique(np.concatenate([starts, ends - 1, lowest, highest]).astype(np.intp))


def bent_places(across: Floats, upwards: Floats, tolerance: float) -> Places:
    """The places at which a line must bend to stay within a tolerance of all its points (Douglas & Peucker).

    >>> bent_places(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0, 0.0]), 0.1).tolist()
    [0, 2, 3]
    """
    is_kept = np.zeros(len(across), dtype=np.bool_)
    is_kept[[0, -1]] = True
    open_spans = [(0, len(across) - 1)]
    while open_spans:
        start, end = open_spans.pop()
        if end - start < 2:
            continue
        distances = _distances(across[start : end + 1], upwards[start : end + 1])
        farthest = int(np.argmax(distances))
        if distances[farthest] > tolerance:
            middle = start + farthest
            is_kept[middle] = True
            open_spans += [(start, middle), (middle, end)]
    return np.flatnonzero(is_kept)


def _distances(across: Floats, upwards: Floats) -> Floats:
    """How far each point lies from the stretch between the first and the last."""
    x, y = across - across[0], upwards - upwards[0]
    length = float(np.hypot(x[-1], y[-1]))
    if length == 0:
        return np.asarray(np.hypot(x, y))
    along = np.clip((x * x[-1] + y * y[-1]) / length**2, 0.0, 1.0)
    return np.asarray(np.hypot(x - along * x[-1], y - along * y[-1]))
