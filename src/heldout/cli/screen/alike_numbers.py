"""Numbers of a table that is read from top to bottom: the same digits in every line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from heldout.stats.shown_number import shown

MOST_DECIMALS = 6


def alike_numbers(numbers: Sequence[float], guide: float) -> list[str]:
    """The numbers with as many decimals as one of them deserves; what is not a number is empty.

    numbers: of the table
    guide:   the number that is looked at first, such as the best score

    >>> alike_numbers([1.6334, 10.12, math.nan], guide=1.6334), alike_numbers([340.2, 23964], guide=340.2)
    (['1.633', '10.120', ''], ['340', '24,000'])
    """
    decimals = _decimals(guide)
    if decimals is None:
        return ["" if math.isnan(number) else shown(number) for number in numbers]
    return [_shown(number, decimals) for number in numbers]


def _decimals(guide: float) -> int | None:
    """Three for what lies around 1, else those of three digits that count; None where that is no help."""
    size = abs(guide)
    if not math.isfinite(size) or size >= 1e7:
        return None
    if size == 0 or 0.01 <= size < 10:
        return 3
    decimals = max(2 - math.floor(math.log10(size)), 0)
    return decimals if decimals <= MOST_DECIMALS else None


def _shown(number: float, decimals: int) -> str:
    if math.isnan(number):
        return ""
    if math.isinf(number) or abs(number) >= 1e10:
        return shown(number)
    rounded = float(f"{number:.3g}") if abs(number) >= 1000 else number
    return f"{round(rounded, decimals) + 0.0:,.{decimals}f}"  # and never a 0 with a sign
