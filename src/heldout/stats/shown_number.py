"""Numbers as they stand in sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_DECIMALS = 6
# Above it four digits that count are kept, and from the second on powers of ten are shorter than zeros.
FEW_DIGITS, POWERS_OF_TEN = 1e7, 1e15


def shown(number: float) -> str:
    """Three digits after the point for what lies around 1, three that count for smaller and larger ones, and
    from 1,000 on the whole number.

    >>> shown(0.78), shown(0.0004271), shown(45.0), shown(12345.6), shown(float("nan"))
    ('0.780', '0.000427', '45', '12,346', 'unknown')
    """
    if math.isnan(number):
        return "unknown"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    size = abs(number)
    if size == 0 or 0.01 <= size < 10:
        return f"{number:.3f}"
    return _whole(number) if size >= 1000 else f"{float(f'{number:.3g}'):.10g}"


def shown_alike(numbers: Sequence[float], guide: float | None = None) -> list[str]:
    """Numbers that stand beside each other, with the same digits: a tiny one does not look large.

    guide: the number that is looked at first, such as the best score; left out, the first of them, or half of
           what they span where that is more

    >>> shown_alike([0.978, 0.000132]), shown_alike([0.0004271, 0.0001])
    (['0.978', '0.000'], ['0.000427', '0.000100'])
    >>> shown_alike([85731.9, 985.2]), shown_alike([1.6334, 10.12], guide=1.6334)
    (['85,732', '985'], ['1.633', '10.120'])
    """
    if guide is None or not math.isfinite(guide):
        known = [number for number in numbers if math.isfinite(number)] or [0.0]
        guide = max(abs(known[0]), max(known) / 2 - min(known) / 2)
    decimals = _decimals(abs(guide))
    return [_with_decimals(number, decimals) for number in numbers]


def _decimals(size: float) -> int | None:
    """Three for what lies around 1, else those of three digits that count; None where that is no help."""
    if size == 0 or 0.01 <= size < 10:
        return 3
    decimals = max(2 - math.floor(math.log10(size)), 0)
    return decimals if decimals <= MOST_DECIMALS else None


def _with_decimals(number: float, decimals: int | None) -> str:
    if decimals is None or not math.isfinite(number):
        return shown(number)
    # A negative number that is rounded to nothing has no sign.
    return f"{round(number, decimals) + 0.0:,.{decimals}f}" if abs(number) < FEW_DIGITS else _whole(number)


def _whole(number: float) -> str:
    if abs(number) >= POWERS_OF_TEN:
        return f"{number:.3g}"
    return f"{number:,.0f}" if abs(number) < FEW_DIGITS else f"{float(f'{number:.4g}'):,.0f}"


def shown_percent(share: float) -> str:
    """A share as a percentage, without a digit that says nothing.

    >>> shown_percent(0.95), shown_percent(0.999), shown_percent(0.9875)
    ('95%', '99.9%', '98.75%')
    """
    return f"{100 * share:.10g}%"


def shown_p(p_value: float) -> str:
    """A p-value, which is never printed as 0.

    >>> shown_p(0.0421), shown_p(0.34283), shown_p(1e-9), shown_p(float("nan"))
    ('p = 0.042', 'p = 0.343', 'p < 0.001', 'p is not known')
    """
    if math.isnan(p_value):
        return "p is not known"
    return f"p = {p_value:.3f}" if p_value >= 0.0005 else "p < 0.001"
