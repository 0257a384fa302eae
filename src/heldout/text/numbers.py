"""Numbers as they stand in sentences and tables.

A number that is not 0 is not printed as 0, and one below 1 not as 1: "0.922 to 1.000" would say that no error
is possible where one was seen. It gets a digit more, and if that does not help, the bound that it keeps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_DECIMALS = 6
# Above it four digits that count are kept, and from the second on powers of ten are shorter than zeros.
FEW_DIGITS, POWERS_OF_TEN = 1e7, 1e15
# What is nearer to 0 or 1 differs by the rounding of a sum.
ROUNDING = 1e-12


def number_text(number: float) -> str:
    """Three digits after the point for what lies around 1, three that count for smaller and larger ones, and
    from 1,000 on the whole number.
    """
    if math.isnan(number):
        return "unknown"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    size = abs(number)
    if size == 0 or 0.01 <= size < 10:
        return _stated(number, 3)
    return _whole(number) if size >= 1000 else f"{float(f'{number:.3g}'):.10g}"


def number_texts(numbers: Sequence[float], guide: float | None = None) -> list[str]:
    """Numbers that stand beside each other, with the same digits: a tiny one does not look large.

    guide: the number that is looked at first, such as the best score; left out, the first of them, or half of
           what they span where that is more
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
        return number_text(number)
    return _stated(number, decimals) if abs(number) < FEW_DIGITS else _whole(number)


def _stated(number: float, decimals: int) -> str:
    """So many decimals, or one more where the number would be rounded to 0 or to 1, or else its bound."""
    for digits in (decimals, decimals + 1):
        rounded = round(number, digits) + 0.0  # a negative number that is rounded to nothing has no sign
        if not _hides(number, rounded, decimals):
            return f"{rounded:,.{digits}f}"
    if number < 0:  # 0 is no end for what can be negative
        return f"{0.0:.{decimals}f}"
    step = f"{10.0 ** -(decimals + 1):.{decimals + 1}f}"
    return f"<{step}" if rounded == 0 else f">{1 - float(step):.{decimals + 1}f}"


def _hides(number: float, rounded: float, decimals: int) -> bool:
    """Whether rounding makes it certain; numbers with fewer than three decimals are no rates."""
    if abs(number - rounded) <= ROUNDING:
        return False
    return rounded == 0 or (rounded == 1 and number < 1 and decimals >= 3)


def align_points(texts: Sequence[str]) -> list[str]:
    """Numbers or intervals of one column, with spaces behind them so that their points stand in line."""
    tails = [len(text) - text.find(".") if "." in text else 0 for text in texts]
    longest = max(tails, default=0)
    return [
        f"{text}{' ' * (longest - tail)}" if tail else text for text, tail in zip(texts, tails, strict=True)
    ]


def _whole(number: float) -> str:
    if abs(number) >= POWERS_OF_TEN:
        return f"{number:.3g}"
    return f"{number:,.0f}" if abs(number) < FEW_DIGITS else f"{float(f'{number:.4g}'):,.0f}"


def share_text(share: float, decimals: int = 0) -> str:
    """Percents; 0% and 100% only where it is nothing or everything."""
    percents, step = f"{100 * share:.{decimals}f}", 10.0**-decimals
    if float(percents) == 100 and share < 1:
        return f">{100 - step:.{decimals}f}%"
    return f"<{step:.{decimals}f}%" if float(percents) == 0 and share > 0 else f"{percents}%"


def percent_text(share: float) -> str:
    """A share as a percentage, without a digit that says nothing."""
    return f"{100 * share:.10g}%"


def p_value_text(p_value: float) -> str:
    """A p-value, which is never printed as 0."""
    if math.isnan(p_value):
        return "p is not known"
    return f"p = {_stated(p_value, 3)}" if p_value >= 0.0005 else "p < 0.001"
