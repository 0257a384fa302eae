"""Intervals on rows that were looked at before."""

from __future__ import annotations

import json
import math
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from heldout.errors import DataError, HeldoutError, RequestError
from heldout.stats.after_looks import AfterLooks, auc_after_looks, f1_after_looks, rate_after_looks
from heldout.stats.auc_interval import auc_interval, newcombe_ends
from heldout.stats.f1_interval import f1_interval
from heldout.stats.looks import Looks, auc_ends_at, n_answers, rate_ends_at
from heldout.stats.rate_interval import rate_interval

Y = [0, 1, 1, 0, 1, 0, 0, 1, 1, 0] * 6
SCORES = [label * 2 + (row * 7) % 5 for row, label in enumerate(Y)]


def ends(interval: Any) -> tuple[float, float]:
    return interval.low, interval.high


def test_the_first_look_is_the_plain_interval() -> None:
    """Without earlier looks both intervals are those of the plain functions."""
    plain: list[tuple[AfterLooks, Any]] = [
        (rate_after_looks(40, 50), rate_interval(40, 50)),
        (f1_after_looks(30, 10, 5), f1_interval(30, 10, 5)),
        (auc_after_looks(Y, SCORES), auc_interval(Y, SCORES)),
    ]
    for found, wanted in plain:
        assert found.bits == 0
        assert ends(found.adaptive) == pytest.approx(ends(wanted))
        assert ends(found.fixed) == pytest.approx(ends(wanted))


@pytest.mark.slow
@given(st.integers(1, 200), st.data(), st.integers(1, 300))
def test_fixed_models_share_the_level(n_rows: int, data: st.DataObject, looks: int) -> None:
    """For models fixed beforehand the level is divided by their number: SciPy's interval at 1 − α/m."""
    n_hits = data.draw(st.integers(0, n_rows))
    found = rate_after_looks(n_hits, n_rows, looks=looks)
    wanted = binomtest(n_hits, n_rows).proportion_ci(1 - 0.05 / looks, method="exact")
    assert ends(found.fixed) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


def test_bits_divide_the_level_by_a_power() -> None:
    """The adaptive interval is Clopper-Pearson at α · 2^−bits, also where that is 0 in floats."""
    found = rate_after_looks(40, 50, looks=4, bits=20.0)
    wanted = binomtest(40, 50).proportion_ci(1 - 0.05 * 2.0**-20, method="exact")
    assert ends(found.adaptive) == pytest.approx((wanted.low, wanted.high), abs=1e-8)
    far = rate_after_looks(4000, 5000, bits=2000.0)
    assert 0.05 * 2.0**-2000 == 0
    assert ends(far.adaptive) == rate_ends_at(4000, 5000, math.log(0.05) - 2000 * math.log(2))
    assert 0.2 < far.adaptive.low < 0.8 < far.adaptive.high < 1


def test_looks_are_counted_in_bits() -> None:
    """Three looks of n + 1 answers, or the record that says the same, give the same interval."""
    counted = rate_after_looks(160, 200, looks=3)
    recorded = rate_after_looks(160, 200, looks=Looks((n_answers("rate", 200),) * 2))
    assert counted == recorded
    assert counted.looks == 3
    assert counted.bits == pytest.approx(math.log2(1 + 201 + 201 * 201))


def test_rounded_answers_cost_less() -> None:
    """Earlier scores shown with two digits leave a narrower interval than exact ones."""
    rounded = Looks((n_answers("rate", 5000, digits=2),) * 3)
    assert (
        rate_after_looks(4000, 5000, looks=rounded).adaptive.width
        < rate_after_looks(4000, 5000, looks=4).adaptive.width
    )


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(1, 30))
def test_f1_after_looks_holds_the_estimate(tp: int, fp: int, fn: int, tn: int, looks: int) -> None:
    """The intervals of F1 hold it, lie in 0 … 1, and the adaptive one is never the narrower."""
    found = f1_after_looks(tp, fp, fn, tn, looks=looks)
    if tp + fp + fn == 0:
        assert math.isnan(found.estimate)
        assert ends(found.adaptive) == (0.0, 1.0)
        assert "Nothing was counted" in str(found)
        return
    for interval in (found.fixed, found.adaptive):
        assert 0 <= interval.low <= found.estimate + 1e-12
        assert found.estimate - 1e-12 <= interval.high <= 1
    assert found.adaptive.low <= found.fixed.low + 1e-12
    assert found.adaptive.high >= found.fixed.high - 1e-12


def test_auc_after_looks_takes_what_holds() -> None:
    """For fixed models it is Newcombe's at α/m; where bits were given away, Chernoff's at α · 2^−bits."""
    found = auc_after_looks(Y, SCORES, looks=3)
    assert ends(found.fixed) == pytest.approx(newcombe_ends(found.estimate, 30, 30, alpha=0.05 / 3))
    wanted = auc_ends_at(found.estimate, 30, 30, math.log(0.05) - found.bits * math.log(2))
    assert ends(found.adaptive) == wanted
    assert "Chernoff at 0.05 · 2^-" in str(found)
    assert "about 95%" in str(found)


@pytest.mark.parametrize("bits", [0, 10, 30, 60])
def test_newcombe_would_not_hold_after_bits(bits: int) -> None:
    """Positives above or below all negatives: after bits Newcombe's misses too often, Chernoff's does not."""
    n_each, truth = 50, 0.95
    alpha = 0.05 * 2.0**-bits
    is_missed = {"newcombe": 0.0, "chernoff": 0.0}
    for n_above in range(n_each + 1):
        chance = binom.pmf(n_above, n_each, truth)
        low, high = newcombe_ends(n_above / n_each, n_each, n_each, alpha=alpha)
        is_missed["newcombe"] += chance * (not low <= truth <= high)
        low, high = auc_ends_at(n_above / n_each, n_each, n_each, math.log(alpha))
        is_missed["chernoff"] += chance * (not low <= truth <= high)
    assert is_missed["chernoff"] <= alpha
    assert is_missed["newcombe"] > alpha * (3 if bits == 0 else 2.0 ** (bits / 2))


def test_rows_are_used_up() -> None:
    """With its bits spent, a perfect score's interval reaches the baseline, and the sentence says so."""
    fresh = rate_after_looks(90, 100, baseline=0.8)
    spent = rate_after_looks(100, 100, bits=fresh.budget, baseline=0.8)
    assert spent.adaptive.low == pytest.approx(0.8)
    assert spent.is_used_up
    assert "used up" in str(spent)
    assert not rate_after_looks(100, 100, bits=fresh.budget - 0.1, baseline=0.8).is_used_up
    assert not fresh.is_used_up
    assert "used up" not in str(fresh)


def test_budgets_of_the_kinds() -> None:
    """Errors count from the other side, F1 through Jaccard on positive rows, an AUC by the rarer class."""
    per_row = math.log2(0.025)
    error = rate_after_looks(5, 100, baseline=0.3, is_larger_better=False)
    assert error.budget == pytest.approx(-100 * math.log2(0.7) + per_row)
    f1 = f1_after_looks(20, 5, 10, 65)
    assert f1.baseline == pytest.approx(2 * 30 / 130)
    assert f1.budget == pytest.approx(-30 * math.log2(0.3) + per_row)
    assert auc_after_looks(Y, SCORES).budget == pytest.approx(30 + per_row)
    assert rate_after_looks(5, 10, baseline=0.0).budget == math.inf
    assert rate_after_looks(5, 10, baseline=1.0).is_used_up
    assert rate_after_looks(0, 0).is_used_up


def test_a_score_beside_the_baseline_is_said() -> None:
    """Where the interval holds the baseline but rows are not used up, the sentence says the first only."""
    text = str(rate_after_looks(55, 100, looks=2))
    assert "cannot be told from the baseline" in text
    assert "used up" not in text


def test_the_result_becomes_a_dict_and_a_picture() -> None:
    """It goes through JSON, and the picture is well-formed and draws both intervals."""
    found = auc_after_looks(Y, SCORES, looks=2)
    assert json.loads(json.dumps(found.to_dict()))["adaptive"]["low"] == found.adaptive.low
    picture = ElementTree.fromstring(found.to_svg())
    text = " ".join(picture.itertext())
    assert "however built" in text
    assert "if fixed beforehand" in text


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        (lambda: rate_after_looks(6, 5), DataError, "n_hits=6"),
        (lambda: rate_after_looks(3, 5, looks=0), RequestError, "looks=0"),
        (lambda: rate_after_looks(3, 5, bits=-1), RequestError, "bits=-1"),
        (lambda: rate_after_looks(3, 5, bits=math.inf), RequestError, "bits=inf"),
        (lambda: rate_after_looks(3, 5, looks=Looks((2,)), bits=1), RequestError, "one of the two"),
        (lambda: rate_after_looks(3, 5, baseline=50), RequestError, "0.5"),
        (lambda: rate_after_looks(3, 5, confidence=1), RequestError, "confidence"),
        (lambda: f1_after_looks(3, 5, 1, looks=2), RequestError, "tn"),
    ],
)
def test_nonsense_is_refused(call: Any, error: type[HeldoutError], word: str) -> None:
    """What makes no sense is refused with a way out."""
    with pytest.raises(error) as caught:
        call()
    assert word in str(caught.value)
    assert caught.value.fix
