"""Which point of a curve to work at: for a wanted recall, a wanted precision, or given costs."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError

Floats = NDArray[np.float64]


def chosen_place(
    true_positives: Floats, false_positives: Floats, recall: Any, precision: Any, cost: Any
) -> int:
    """The place of the point that serves best; exactly one of the three is asked for.

    recall:    at least so much; of the points that have it the one of the highest precision
    precision: at least so much; of the points that have it the one of the highest recall
    cost:      of a false positive and of a false negative; the cheapest point, of equals the first

    >>> hits, alarms = np.array([0.0, 1.0, 2.0, 2.0]), np.array([0.0, 0.0, 1.0, 2.0])
    >>> chosen_place(hits, alarms, 0.6, None, None), chosen_place(hits, alarms, None, None, (5, 1))
    (2, 1)
    """
    asked = {"recall": recall, "precision": precision, "cost": cost}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) != 1:
        raise RequestError(
            "one thing has to be asked for: a recall, a precision or costs",
            where=f"asked for: {', '.join(given) or 'nothing'}",
            fix="say recall=0.9, precision=0.9 or cost=(of a false positive, of a false negative)",
        )
    if recall is not None:
        return _for_recall(true_positives, false_positives, checked_rate("recall", recall))
    if precision is not None:
        return _for_precision(true_positives, false_positives, checked_rate("precision", precision))
    return _for_cost(true_positives, false_positives, *_checked_costs(cost))


def _for_recall(true_positives: Floats, false_positives: Floats, wanted: float) -> int:
    if true_positives[-1] == 0:
        raise RequestError(
            "there is no recall without positive rows",
            where=f"recall={wanted:g}",
            fix="ask for costs, or judge rows of both classes",
        )
    # Rates and not counts are compared: 0.55 · 20 is more than 11, but 11 / 20 is 0.55.
    first = max(int(np.argmax(true_positives / true_positives[-1] >= wanted)), 1)
    rates = _precision(true_positives[first:], false_positives[first:])
    return first + int(np.flatnonzero(rates == rates.max())[-1])


def _for_precision(true_positives: Floats, false_positives: Floats, wanted: float) -> int:
    rates = _precision(true_positives[1:], false_positives[1:])
    reached = np.flatnonzero(rates >= wanted)
    if not len(reached):
        raise RequestError(
            f"no threshold has a precision of {wanted:g} on these rows",
            where=f"precision={wanted:g}; the highest is {rates.max():.6g}",
            fix=f"ask for at most {math.floor(rates.max() * 1e6) / 1e6:g}",
        )
    return 1 + int(reached[np.argmax(true_positives[1:][reached])])


def _for_cost(true_positives: Floats, false_positives: Floats, of_alarm: float, of_miss: float) -> int:
    costs = of_alarm * false_positives + of_miss * (true_positives[-1] - true_positives)
    return int(np.argmin(costs))


def _precision(true_positives: Floats, false_positives: Floats) -> Floats:
    return np.asarray(true_positives / (true_positives + false_positives))


def checked_rate(name: str, value: Any) -> float:
    """A rate as a float between 0 and 1.

    >>> checked_rate("recall", 1)
    1.0
    """
    if isinstance(value, Real) and not isinstance(value, bool) and 0 <= float(value) <= 1:
        return float(value)
    raise RequestError(
        f"a {name} lies between 0 and 1", where=f"{name}={value!r:.60}", fix=f"say {name}=0.9 for 90%"
    )


def _checked_costs(cost: Any) -> tuple[float, float]:
    """The two costs, the larger of them 1: only their ratio counts."""
    if isinstance(cost, tuple | list) and len(cost) == 2 and all(isinstance(each, Real) for each in cost):
        costs = [float(each) for each in cost]
        if all(0 <= each < math.inf for each in costs) and max(costs) > 0:
            return costs[0] / max(costs), costs[1] / max(costs)
    raise RequestError(
        "costs are two finite numbers of at least 0, not both 0",
        where=f"cost={cost!r:.60}",
        fix="say cost=(1, 5) if a positive row that is missed costs five times a false alarm",
    )
