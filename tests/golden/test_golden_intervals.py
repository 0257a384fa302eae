"""Intervals whose numbers are known from elsewhere."""

from __future__ import annotations

import pytest

from heldout.stats.rate_interval import rate_interval


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [("normal", 0.1052, 0.3348), ("wilson", 0.1275, 0.3524), ("clopper_pearson", 0.1153, 0.3596)],
)
def test_error_of_22_percent_on_50_rows(method: str, low: float, high: float) -> None:
    """The lecture's 95% interval of an error of .22 on 50 rows, by three methods."""
    found = rate_interval(11, 50, method)
    assert found.estimate == 0.22
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    # The lecture prints [.11, .33], which is the normal one.
    if method == "normal":
        assert (round(found.low, 2), round(found.high, 2)) == (0.11, 0.33)
