"""What docs/methods/ says of intervals, bounds and plans for rows is found again with fewer sets."""

from __future__ import annotations

import pytest

from .noise import is_share
from .populations import TREE_RULE
from .row_intervals import MEDIAN, VARIANCE, grouped_coverage, rate_coverage, resampled_coverage
from .row_tests import found_differences, largest_deviation, occam_place


@pytest.mark.parametrize("n_rows", [10, 50, 100])
def test_rates_by_counting(n_rows: int) -> None:
    """Clopper-Pearson never holds less than 95%, Wilson 95% on average, the normal one far less near 0."""
    assert rate_coverage("Clopper-Pearson", n_rows)[0] >= 0.95
    assert abs(rate_coverage("Wilson", n_rows)[1] - 0.95) < 0.01
    assert rate_coverage("normal", n_rows)[0] < 0.65


def test_resampling_few_rows() -> None:
    """Of a variance BCa holds more than percentiles, but not 95%; the jackknife fails for a median."""
    of_variance = {each.method: each.n_held / each.n_sets for each in resampled_coverage(VARIANCE, 20, 200)}
    assert of_variance["percentile"] < of_variance["bca"] < 0.95
    of_median = {each.method: each.n_held / each.n_sets for each in resampled_coverage(MEDIAN, 80, 200)}
    assert of_median["jackknife"] < 0.8 < 0.9 < of_median["bca"]


def test_groups_drawn_as_rows_are_too_sure() -> None:
    """Rows that share half of their noise: drawn one by one the interval fails, as groups it is near."""
    held = {each.method: each.n_held / each.n_sets for each in grouped_coverage(40, 10, 200)}
    assert held["of rows"] < 0.8
    assert held["of groups"] > 0.86


def test_planned_power_is_found() -> None:
    """McNemar's exact test finds a difference as often as was planned."""
    held = found_differences(2043, (0.80, 0.82), 0.10, 2000)
    assert held.method == "80.0"
    assert is_share(held.n_held, held.n_sets, 0.80)


def test_bounds_hold_and_are_far() -> None:
    """Hoeffding is passed in fewer sets than it allows; Occam holds in all, far above the true error."""
    mean, bound, n_beyond = largest_deviation(1000, 100, 2000)
    assert n_beyond / 2000 < 0.02
    assert mean < bound
    place = occam_place(TREE_RULE, 1000, 30)
    assert place.n_held == place.n_sets
    assert place.truth < place.tighter <= place.upper
    assert place.tighter > place.truth + 0.05
