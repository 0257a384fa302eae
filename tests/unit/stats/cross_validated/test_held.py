"""What intervals print about themselves is what docs/methods/intervals.md has measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heldout.stats import cross_validated_auc, fold_intervals, nested_cv_interval
from heldout.stats.cross_validated_interval import (
    F1_HELD,
    F1_HELD_BY_GROUPS,
    MSE_HELD,
    MSE_HELD_BY_GROUPS,
    RATE_HELD,
    RATE_HELD_BY_GROUPS,
)

PAGE = Path(__file__).parents[4] / "docs" / "methods" / "intervals.md"


def module(function):
    """The module that a public function comes from."""
    return __import__(function.__module__, fromlist=["HELD"])


HELD = {
    "t over ten folds": fold_intervals.HELD_PLAIN_ONCE,
    "t over 3 × 10 folds": fold_intervals.HELD_PLAIN_REPEATED,
    "pooled Wald": fold_intervals.HELD_WALD,
    "corrected resampled t, 10 folds": fold_intervals.HELD_CORRECTED_ONCE,
    "corrected resampled t, 3 × 10 folds": fold_intervals.HELD_CORRECTED_REPEATED,
    "corrected Wilson (default)": RATE_HELD,
    "log scale, corrected (default)": MSE_HELD,
    "F1 (default)": F1_HELD,
    "F1, of single models": F1_HELD,
    "nested cross-validation": module(nested_cv_interval).HELD,
    "error, by groups": RATE_HELD_BY_GROUPS,
    "MSE, by groups": MSE_HELD_BY_GROUPS,
    "AUC, by groups": module(cross_validated_auc).HELD_BY_GROUPS,
    "F1, by groups": F1_HELD_BY_GROUPS,
}


def measured(method):
    """The least and the largest share that the page has for an interval, in percent."""
    pattern = rf"^\| \**{re.escape(method)}\** \| \d+ \| ([\d.]+) ± [\d.]+ \| [^|]+ \| [\d.]+ \| ([\d.]+) \|"
    (found,) = re.findall(pattern, PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return tuple(float(share) for share in found)


@pytest.mark.parametrize("method", HELD)
def test_the_range_holds_what_was_measured(method):
    """Neither the least nor the largest share of the page lies beyond the range by more than rounding."""
    least, largest = measured(method)
    low, high = HELD[method]
    assert 100 * low - 0.5 <= least
    assert largest <= 100 * high + 0.5


def test_the_auc_has_two_ranges():
    """Over all places the AUC has the range of few rows; where both classes have 20 or more, the other."""
    least, _ = measured("AUC (default)")
    auc = module(cross_validated_auc)
    assert 100 * auc.HELD_FEW[0] - 0.5 <= least
    places = re.findall(
        r"^\| (?:two Gaussian|tree rule)[^|]*\| [^|]+\| [\d,]+ \| \d+ \| [^|]+\| ([\d.]+) ±",
        PAGE.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    assert len(places) > 10
    assert min(map(float, places)) >= 100 * auc.HELD[0] - 0.5
