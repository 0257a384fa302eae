"""Whether so few rows would be sealed that their score says next to nothing, and what to do instead."""

from __future__ import annotations

import math

from heldout.stats.planning import rows_for_width
from heldout.stats.rate_interval import rate_interval
from heldout.table.describe import plural

# A score that is known to within 15 points on either side is the least that is worth a seal.
HALF_WIDTH = 0.15
EXPECTED = 0.8


def seal_advice(n_rows: int, n_held: int, unit: str = "row", is_classification: bool = True) -> str:
    """A sentence where the sealed rows are too few to tell anything; empty where they are enough.

    Too few are those on which a share of 80% right has a 95% interval wider than ±15 points. The error of
    numbers is known no better from as few rows.

    n_rows:            all rows, or groups
    n_held:            those of them that would be sealed
    unit:              "row", or "group" where rows of a group are not independent
    is_classification: whether the score is a share of rows

    >>> print(seal_advice(50, 10))
    10 sealed rows say little: 0.8 on them has the 95% interval 0.44 to 0.97. Without a seal, held=0, \
nested cross-validation judges by all 50 rows; to know it within 0.15 takes 33 sealed rows, of 165.
    >>> seal_advice(500, 100)
    ''
    """
    needed = rows_for_width(EXPECTED, 2 * HALF_WIDTH).n_rows
    if not n_held or n_held >= needed:
        return ""
    counted = plural(n_held, f"sealed {unit}")
    says = "says" if n_held == 1 else "say"
    if is_classification:
        found = rate_interval(round(EXPECTED * n_held), n_held, method="clopper_pearson")
        known = f"{found.estimate:.2g} on them has the 95% interval {found.low:.2f} to {found.high:.2f}"
        wanted = f"to know it within {HALF_WIDTH:g}"
    else:
        known = f"an error is known from them within {_error_of_rmse(n_held):.0%} at best"
        wanted = f"to know it within {_error_of_rmse(needed):.0%}"
    in_all = math.ceil(needed * n_rows / n_held)
    return (
        f"{counted} {says} little: {known}. Without a seal, held=0, nested cross-validation judges by all"
        f" {plural(n_rows, unit)}; {wanted} takes {needed} sealed {unit}s, of {in_all:,}."
    )


def _error_of_rmse(n_rows: int) -> float:
    """Half the 95% interval of a root mean squared error, as a share of it, for normal errors."""
    return 1.96 / math.sqrt(2 * n_rows)
