"""Numbers in the bodies of facts: JSON knows neither NaN nor infinities."""

from __future__ import annotations

import math


def json_number(value: float) -> float | str | None:
    """A score as JSON can hold it: NaN is null, infinities are words.

    >>> json_number(0.5), json_number(math.nan), json_number(-math.inf)
    (0.5, None, '-inf')
    """
    if math.isnan(value):
        return None
    return float(value) if math.isfinite(value) else "inf" if value > 0 else "-inf"


def number_of_json(value: float | str | None) -> float:
    """The score that `json_number` wrote.

    >>> number_of_json("-inf"), number_of_json(None)
    (-inf, nan)
    """
    return math.nan if value is None else float(value)
