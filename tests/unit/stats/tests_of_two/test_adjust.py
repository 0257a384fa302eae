"""p-values of many tests, adjusted."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.adjust import METHODS, adjust
from heldout.stats.sign_test import sign_test

P_VALUES = st.lists(st.integers(0, 1000), max_size=12)


def rejected_step_up(p_values: list[Fraction], level: Fraction) -> set[int]:
    """Benjamini and Hochberg's rule: all up to the last that lies below its line."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    last = 0
    for rank, place in enumerate(order, start=1):
        if p_values[place] <= level * rank / len(p_values):
            last = rank
    return set(order[:last])


def rejected_step_down(p_values: list[Fraction], level: Fraction) -> set[int]:
    """Holm's rule: one after the other, until one lies above its line."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    rejected = set()
    for rank, place in enumerate(order):
        if p_values[place] > level / (len(p_values) - rank):
            break
        rejected.add(place)
    return rejected


@given(P_VALUES, st.sampled_from([1, 5, 10, 50]))
def test_discoveries_are_those_of_the_rules(thousandths: list[int], percent: int) -> None:
    """In fractions the rules as they are stated find the same discoveries."""
    p_values, level = [Fraction(each, 1000) for each in thousandths], Fraction(percent, 100)
    expected = {
        "holm": rejected_step_down(p_values, level),
        "benjamini_hochberg": rejected_step_up(p_values, level),
        "bonferroni": {place for place, p in enumerate(p_values) if p * len(p_values) <= level},
    }
    for method, places in expected.items():
        found = adjust([float(p) for p in p_values], method, level=float(level))
        assert {place for place, is_one in enumerate(found.is_rejected) if is_one} == places
        assert found.n_discoveries == len(places)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_adjusted_values_keep_order_and_never_shrink(p_values: list[float]) -> None:
    """They are at least p, at most 1, in the same order; Bonferroni ≥ Holm ≥ Benjamini-Hochberg."""
    adjusted = {method: np.array(adjust(p_values, method).adjusted) for method in METHODS}
    for found in adjusted.values():
        assert (found >= np.array(p_values) * (1 - 1e-12)).all()
        assert (found <= 1).all()
        assert (np.diff(found[np.argsort(p_values, kind="stable")]) >= 0).all()
    assert (adjusted["bonferroni"] >= adjusted["holm"] - 1e-15).all()
    assert (adjusted["holm"] >= adjusted["benjamini_hochberg"] - 1e-15).all()
    assert adjusted["benjamini_hochberg"] == pytest.approx(false_discovery_control(p_values))


def test_results_and_names_are_taken() -> None:
    """Results of tests give their p-values, a dict gives its names."""
    tests = {"tree": sign_test(9, 1), "rule": sign_test(5, 5)}
    found = adjust(tests)
    assert found.names == ("tree", "rule")
    assert found.adjusted == pytest.approx((2 * tests["tree"].p_value, 1.0))
    assert found.discoveries == ("tree",)
    assert adjust([0.2, 0.01], names=["a", "b"]).discoveries == ("b",)


def test_it_says_what_it_promises() -> None:
    """The sentence has every test, the discoveries, and what the method promises."""
    text = str(adjust([0.0001, 0.5], "holm", names=["tree", "rule"]))
    assert text.startswith(
        "2 tests, 1 discovery at 5% (Holm). tree: p < 0.001, adjusted < 0.001. rule: p = 0.500"
    )
    assert "at most 5% hold a false discovery" in text
    assert "on average at most 10% are false" in str(adjust([0.1], "benjamini_hochberg", level=0.1))
    assert "And 8 more." in str(adjust([0.1] * 20))


def test_none_and_one() -> None:
    """No test gives no discovery; a single one keeps its p-value by every method."""
    assert adjust([]).adjusted == ()
    assert adjust([]).to_svg().startswith("<svg")
    assert str(adjust([])).startswith("0 tests, 0 discoveries")
    for method in METHODS:
        assert adjust([0.05], method).adjusted == (0.05,)
        assert adjust([0.05], method).n_discoveries == 1
    json.dumps(adjust([0.05]).to_dict(), allow_nan=False)


def test_the_picture_names_every_test() -> None:
    """Each test has a line, and names are escaped."""
    svg = adjust([0.01, 0.9], names=["<tree>", "rule"]).to_svg()
    assert "&lt;tree&gt;" in svg
    assert "rule: p = 0.900" in svg


def test_what_is_refused() -> None:
    """NaN, values outside 0 … 1, unknown methods, levels in percent and wrong names are refused."""
    with pytest.raises(DataError, match="first nan in test 2"):
        adjust([0.1, math.nan])
    with pytest.raises(DataError, match=r"first 1\.5"):
        adjust([0.1, 1.5])
    with pytest.raises(RequestError, match="did you mean 'benjamini_hochberg'"):
        adjust([0.1], "fdr")
    with pytest.raises(RequestError, match="level"):
        adjust([0.1], level=5)
    with pytest.raises(DataError, match="1 name for 2 tests"):
        adjust([0.1, 0.2], names=["a"])
    with pytest.raises(InputTypeError):
        adjust(0.1)
    with pytest.raises(InputTypeError):
        adjust(["a", "b"])
    with pytest.raises(DataError, match="one dimension"):
        adjust([[0.1, 0.2], [0.3, 0.4]])
