"""Numbers as a summary keeps them: few digits, few points, and nothing that JSON does not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.charts.line_picture import bent_positions, visible_indices

# A picture has 400 pixels: a line that bends by less than a tenth of one looks straight.
TOLERANCE = 0.1 / 400
N_COLUMNS = 800
MOST_POINTS = 240


def rounded(numbers: Sequence[float] | Floats, digits: int = 6) -> list[float | None]:
    """Numbers with so many digits that count; None for what is not finite."""
    return [one_rounded(float(number), digits) for number in np.asarray(numbers).tolist()]


def one_rounded(number: float, digits: int = 6) -> float | None:
    """A number with so many digits that count; None if it is not finite."""
    return float(f"{number:.{digits}g}") if math.isfinite(number) else None


def numbers_of(values: Sequence[Any]) -> Floats:
    """The numbers that `rounded` wrote; NaN for None."""
    return np.array([math.nan if value is None else float(value) for value in values])


def thinned(across: Floats, upwards: Floats) -> tuple[list[float | None], list[float | None]]:
    """A line from left to right with few points, which looks the same: its corners stay.

    across, upwards: between 0 and 1, the first not falling
    """
    if not len(across):
        return [], []
    kept = visible_indices(across, N_COLUMNS, upwards)
    across, upwards = across[kept], upwards[kept]
    tolerance = TOLERANCE
    bent = bent_positions(across, upwards, tolerance)
    while len(bent) > MOST_POINTS:
        tolerance *= 1.5
        bent = bent_positions(across, upwards, tolerance)
    return rounded(across[bent], 5), rounded(upwards[bent], 5)
