"""Numbers as they stand in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence


def shown(number: float) -> str:
    """Three digits after the point for what lies around 1, three that count for the rest.

    >>> shown(0.78), shown(0.0004271), shown(12345.6), shown(float("nan"))
    ('0.780', '0.000427', '12300', 'unknown')
    """
    if math.isnan(number):
        return "unknown"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    if number == 0 or 0.01 <= abs(number) < 10:
        return f"{number:.3f}"
    return f"{float(f'{number:.3g}'):.10g}"


def shown_alike(numbers: Sequence[float]) -> list[str]:
    """Numbers that stand beside each other, with the same digits: a tiny one does not look large.

    >>> shown_alike([0.978, 0.000132]), shown_alike([0.0004271, 0.0001])
    (['0.978', '0.000'], ['0.000427', '0.0001'])
    """
    largest = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
    if not 0.01 <= largest < 10:
        return [shown(number) for number in numbers]
    # A negative number that is rounded to nothing has no sign.
    return [f"{round(number, 3) + 0.0:.3f}" if math.isfinite(number) else shown(number) for number in numbers]


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
