"""The exact interval of F1."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from heldout.errors import InputTypeError, RequestError
from heldout.stats.f1_interval import f1_ends, f1_interval, f1_of_jaccard

COUNT = st.integers(0, 60)


@given(COUNT, COUNT, COUNT, st.sampled_from([0.8, 0.95, 0.99]))
def test_it_is_scipy_s_exact_interval_of_jaccard(tp, fp, fn, confidence):
    """SciPy's exact interval of TP/(TP+FP+FN), carried over by 2J/(1+J), is the same."""
    n_rows = tp + fp + fn
    if not n_rows:
        return
    found = f1_interval(tp, fp, fn, confidence)
    jaccard = binomtest(tp, n_rows).proportion_ci(confidence, method="exact")
    wanted = [2 * end / (1 + end) for end in (jaccard.low, jaccard.high)]
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-11)
    assert found.estimate == pytest.approx(float(Fraction(2 * tp, 2 * tp + fp + fn)), rel=1e-15)
    assert found.low <= found.estimate <= found.high


@pytest.mark.parametrize(("n_rows", "jaccard"), [(7, 0.31), (20, 0.5), (20, 0.93)])
def test_it_never_covers_less_than_it_says(n_rows, jaccard):
    """Summed over all counts that may occur, at least 95% have an interval that holds the true F1."""
    true = f1_of_jaccard(jaccard)
    chance = sum(
        math.comb(n_rows, tp) * jaccard**tp * (1 - jaccard) ** (n_rows - tp)
        for tp in range(n_rows + 1)
        if f1_ends(tp, n_rows)[0] <= true <= f1_ends(tp, n_rows)[1]
    )
    assert chance >= 0.95


def test_zero_cases():
    """Without hits F1 and its lower end are 0; without counted rows F1 is NaN and the interval 0 … 1."""
    no_hits = f1_interval(0, 3, 4)
    assert (no_hits.estimate, no_hits.low) == (0.0, 0.0)
    assert 0 < no_hits.high < 1
    perfect = f1_interval(9, 0, 0)
    assert (perfect.estimate, perfect.high) == (1.0, 1.0)
    nothing = f1_interval(0, 0, 0)
    assert math.isnan(nothing.estimate)
    assert (nothing.low, nothing.high) == (0.0, 1.0)
    assert "there is no F1" in str(nothing)


def test_the_sentence():
    """The sentence says that true negatives do not count, and how the interval was made."""
    text = str(f1_interval(30, 10, 20, what="F1 of tree"))
    assert text.startswith("F1 of tree 0.667, 95% interval ")
    assert "(Clopper-Pearson on TP / (TP + FP + FN), 60 counted rows). True negatives do not count." in text


@pytest.mark.parametrize(
    ("counts", "error"),
    [((-1, 2, 3), RequestError), ((1, 2.5, 3), RequestError), ((1, 2, "3"), InputTypeError)],
)
def test_what_makes_no_sense_is_refused(counts, error):
    """Counts that are negative, broken or words are refused by name."""
    with pytest.raises(error, match="must be a whole number"):
        f1_interval(*counts)
