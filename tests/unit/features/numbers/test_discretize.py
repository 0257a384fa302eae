"""Numbers cut into intervals: by width, by frequency, by entropy, and what the intervals are called."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.preprocessing import KBinsDiscretizer

import heldout as ho
from heldout.features.discretize import interval_names
from heldout.table.column import Column

RANDOM = np.random.default_rng(8)
any_values = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30)
small_values = st.lists(st.integers(0, 12).map(float), min_size=1, max_size=40)


def column(values: object) -> np.ndarray:
    return np.asarray(values, dtype=np.float64).reshape(-1, 1)


@given(any_values, st.integers(2, 9))
def test_width_is_that_of_exact_fractions(values: list[float], n: int) -> None:
    """Every cut is the exact end of an interval, rounded once, and every value lies at the right side."""
    fitted = ho.Discretize(n=n).fit(column(values))
    lowest, highest = min(values), max(values)
    step = (Fraction(highest) - Fraction(lowest)) / n
    ends = {float(Fraction(lowest) + k * step) for k in range(1, n)}
    assert fitted.cuts_[0].tolist() == sorted(end for end in ends if end < highest)
    expected = [sum(value > cut for cut in fitted.cuts_[0]) for value in values]
    assert fitted.transform(column(values)).ravel().tolist() == expected


@pytest.mark.parametrize("n", [7, 60])
def test_width_is_that_of_scikit_learn(n: int) -> None:
    """Where no value lies on a cut KBinsDiscretizer finds the same intervals, of new values too."""
    X, new = RANDOM.normal(size=(200, 3)), RANDOM.normal(size=(50, 3)) * 2
    theirs = KBinsDiscretizer(n_bins=n, encode="ordinal", strategy="uniform").fit(X)
    ours = ho.Discretize(n=n).fit(X)
    np.testing.assert_array_equal(ours.transform(new), theirs.transform(new))
    for cuts, edges in zip(ours.cuts_, theirs.bin_edges_, strict=True):
        np.testing.assert_allclose(cuts, edges[1:-1], rtol=1e-12, atol=1e-15)


def test_frequency_is_that_of_scikit_learn() -> None:
    """Of distinct values whose number n divides KBinsDiscretizer makes the same intervals."""
    X = RANDOM.normal(size=(60, 4))
    for n in (2, 3, 5, 6):
        theirs = KBinsDiscretizer(n, encode="ordinal", strategy="quantile", quantile_method="linear")
        ours = ho.Discretize(n=n, by="frequency").fit_transform(X)
        np.testing.assert_array_equal(ours, theirs.fit_transform(X))
        assert np.bincount(ours[:, 0].astype(int)).tolist() == [60 // n] * n


@given(small_values, st.integers(2, 8))
def test_frequency_follows_its_rule(values: list[float], n: int) -> None:
    """Each cut is the nearest to its share of the rows, the lower of two, and never parts equal values."""
    distinct = sorted(set(values))
    below = {
        (lower + upper) / 2: sum(value <= lower for value in values) for lower, upper in pairwise(distinct)
    }
    wanted = {
        min(below, key=lambda cut: (abs(below[cut] * n - k * len(values)), cut)) for k in range(1, n) if below
    }
    fitted = ho.Discretize(n=n, by="frequency").fit(column(values))
    assert fitted.cuts_[0].tolist() == sorted(wanted)


@given(any_values, st.sampled_from(["width", "frequency"]), st.integers(2, 7))
def test_names_are_distinct_and_true(values: list[float], by: str, n: int) -> None:
    """Intervals have different names, and what a name says is true of every value in its interval."""
    fitted = ho.Discretize(n=n, by=by).fit(ho.Table([Column("x", "number", np.array(values))]))
    names = fitted.intervals_[0]
    assert len(set(names)) == len(names) == len(fitted.cuts_[0]) + 1
    made = fitted.transform(ho.Table([Column("x", "number", np.array(values))]))["x"].labels()
    for value, label in zip(values, made, strict=True):
        assert lies_in(value, str(label))


def lies_in(value: float, label: str) -> bool:
    """Whether a value is in the interval that the label names."""
    if label == "any value":
        return True
    if label.startswith("≤ "):
        return value <= float(label[2:])
    lower, _, upper = label[2:].partition(" to ")
    return value > float(lower) and (not upper or value <= float(upper))


def test_dates_are_cut_and_named_as_dates() -> None:
    """Days have days for ends, times of one day have times, and closer ones still differ."""
    days = np.array([18000.0, 18001.0, 18010.0, 18020.0])
    assert interval_names(np.array([18000.5, 18015.0]), days, "date") == (
        "≤ 2019-04-14",
        "> 2019-04-14 to 2019-04-29",
        "> 2019-04-29",
    )
    hours = 18000.0 + np.array([1.0, 2.0, 3.0]) / 24
    assert interval_names(hours[:2], hours, "date")[0] == "≤ 2019-04-14T01:00:00"
    instants = 18000.0 + np.array([0.0, 4.0, 8.0]) * 2.0**-40
    assert len(set(interval_names(instants[:2], instants, "date"))) == 3
    table = ho.Table([Column("day", "date", days)])
    made = ho.Discretize(n=2).fit_transform(table)
    assert made["day"].labels() == ["≤ 2019-04-24"] * 3 + ["> 2019-04-24"]


def test_entropy_finds_the_petals() -> None:
    """On iris the cuts are those that Weka prints for this table."""
    iris = load_iris(as_frame=True)
    fitted = ho.Discretize(by="entropy").fit(iris.data, iris.target)
    theirs = [[5.55, 6.15], [2.95, 3.3499999999999996], [2.45, 4.75], [0.8, 1.75]]
    assert [cuts.tolist() for cuts in fitted.cuts_] == [pytest.approx(cuts, rel=1e-15) for cuts in theirs]
    assert fitted.intervals_[1] == ("≤ 2.95", "> 2.95 to 3.35", "> 3.35")
    at_most_two = ho.Discretize(n=2, by="entropy").fit(iris.data, iris.target)
    assert [len(cuts) for cuts in at_most_two.cuts_] == [1, 1, 1, 1]


def test_a_column_that_tells_nothing_stays_as_one_interval() -> None:
    """No cut pays for itself in noise: the column is kept with one level, and the text says so."""
    table = ho.read_table({"noise": [1, 2, 3, 4, 5, 6, 7, 8], "signal": [1, 1, 2, 2, 30, 30, 40, 40]})
    fitted = ho.Discretize(by="entropy").fit(table, [0, 1, 0, 1, 2, 2, 2, 2])
    assert fitted.cuts_[0].tolist() == [4.5]
    alone = ho.Discretize(by="entropy").fit(table, [0, 1, 0, 1, 0, 1, 0, 1])
    assert alone.transform(table)["noise"].labels() == ["any value"] * 8
    assert alone.transform(table)["noise"].levels == ("any value",)
    assert str(alone).splitlines()[0] == "noise   any value (no cut pays for its bits)"
    constant = ho.Discretize().fit([[3.0], [3.0]])
    assert str(constant) == "x0  any value (no two values to cut between)"
    assert constant.transform([[99.0]]).tolist() == [[0.0]]


def test_gaps_stay_and_count_for_nothing() -> None:
    """A missing value is in no interval, and a column without any value has one interval."""
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [2.0, np.nan], [9.0, np.nan]])
    for by in ("width", "frequency", "entropy"):
        fitted = ho.Discretize(n=2, by=by).fit(X, [0, 1, 0, 1])
        np.testing.assert_array_equal(np.isnan(fitted.transform(X)), np.isnan(X))
        assert fitted.cuts_[1].tolist() == []
    table = ho.Table([Column("x", "number", X[:, 0])])
    made = ho.Discretize(n=2).fit_transform(table)["x"]
    assert made.labels() == ["≤ 5", None, "≤ 5", "> 5"]
    assert made.reason == "intervals of a number"


def test_values_outside_fall_into_the_first_and_last_interval() -> None:
    """Far below and far above the training values, and on a cut, a value has its interval."""
    fitted = ho.Discretize(n=4).fit(column([0.0, 4.0]))
    assert fitted.transform(column([-1e300, 1.0, 1.1, 3.0, 1e300])).ravel().tolist() == [0, 0, 1, 2, 3]


def test_every_form_gives_the_same_intervals() -> None:
    """A Table and frames get categories, an array their positions; other columns pass."""
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [1.0, 1.0, 1.0, 9.0], "word": list("uvuv")})
    for form in (frame, pl.from_pandas(frame), ho.read_table(frame)):
        made = ho.Discretize(n=2).fit_transform(form)
        assert made.kinds == {"a": "category", "b": "category", "word": "category"}
        assert made["a"].labels() == ["≤ 2.5", "≤ 2.5", "> 2.5", "> 2.5"]
        assert made["word"].labels() == list("uvuv")
        only = ho.Discretize(n=2, columns=["b"]).fit_transform(form)
        assert only["a"].values.tolist() == [1.0, 2.0, 3.0, 4.0]
    X = frame[["a", "b"]].to_numpy()
    assert ho.Discretize(n=2).fit_transform(X).tolist() == [[0, 0], [0, 0], [1, 0], [1, 1]]
    assert ho.Discretize(n=2, columns=[1]).fit_transform(X).tolist() == [[1, 0], [2, 0], [3, 0], [4, 1]]
    with pytest.raises(ho.DataError, match="Sparse data was passed"):
        ho.Discretize().fit(csr_array(X))


def test_frames_keep_index_and_kinds() -> None:
    """With set_output intervals are categories in pandas and polars, and the index stays."""
    frame = pd.DataFrame({"a": [1.0, 4.0, np.nan]}, index=["p", "q", "r"])
    made = ho.Discretize(n=2).set_output(transform="pandas").fit_transform(frame)
    assert made.index.tolist() == ["p", "q", "r"]
    assert made["a"].dtype == "category"
    assert made["a"].tolist()[:2] == ["≤ 2.5", "> 2.5"]
    assert ho.Discretize(n=2).set_output(transform="polars").fit_transform(frame)["a"].to_list() == [
        "≤ 2.5",
        "> 2.5",
        None,
    ]


def test_levels_are_the_intervals_in_order_whatever_rows_come() -> None:
    """One row has all intervals for levels, from low to high, so that codes mean the same in every table."""
    fitted = ho.Discretize(n=3).fit(ho.read_table({"x": [1.5, 20.5, 300.5]}))
    one = fitted.transform(ho.read_table({"x": [250.5]}))["x"]
    assert one.levels == ("≤ 101.167", "> 101.167 to 200.833", "> 200.833")
    assert one.labels() == ["> 200.833"]


def test_entropy_needs_classes() -> None:
    """No y, numbers for y, dates for y, gaps in y and a y of another length are refused with advice."""
    X = np.arange(6.0).reshape(-1, 1)
    entropy = ho.Discretize(by="entropy")
    with pytest.raises(ho.DataError, match="requires y to be passed") as caught:
        entropy.fit(X)
    assert "by='width'" in caught.value.fix
    with pytest.raises(ho.DataError, match="parts classes, and y holds numbers") as caught:
        entropy.fit(X, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
    assert "by='frequency'" in caught.value.fix
    with pytest.raises(ho.DataError, match="column 'day' is of the kind date"):
        entropy.fit(X, Column("day", "date", np.arange(6.0)))
    with pytest.raises(ValueError, match="contains NaN"):
        entropy.fit(X, [0.0, 1.0, np.nan, 0.0, 1.0, 0.0])
    with pytest.raises(ho.DataError, match="contains NaN"):
        entropy.fit(X, ["a", "b", None, "a", "b", "a"])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        entropy.fit(X, [0, 1])
    words = ["a", "a", "a", "b", "b", "b"]
    assert (
        entropy.fit(X, words).cuts_[0].tolist() == entropy.fit(X, pd.Series(words)).cuts_[0].tolist() == [2.5]
    )


def test_it_says_what_it_does() -> None:
    """The intervals are shown by column, and each cut has its bits."""
    table = ho.read_table({"age": [20, 30, 40, 60], "pay": [1, 1, 1, 1], "city": ["u", "v", "u", "v"]})
    fitted = ho.Discretize(n=2, by="frequency").fit(table)
    assert str(fitted) == "age  ≤ 35 | > 35\npay  any value (no two values to cut between)"
    assert fitted.description_bits() == 1.0 + 0.5 * np.log2(4) + 2
    assert fitted.get_feature_names_out().tolist() == ["age", "pay", "city"]
    assert str(ho.Discretize().fit(table[["city"]])) == "no column to cut"


def test_wrong_words_are_answered_with_the_right_ones() -> None:
    """What scikit-learn's users would say is understood well enough to be corrected."""
    with pytest.raises(ho.RequestError) as caught:
        ho.Discretize(by="quantile").fit([[1.0]])
    assert caught.value.fix == "did you mean 'frequency'?"
    with pytest.raises(ho.RequestError, match="n must be None or an integer of at least 2"):
        ho.Discretize(n=1).fit([[1.0]])


def test_a_value_that_is_written_as_a_cut_lies_on_it() -> None:
    """2.6 is not above the cut between 2.5 and 2.7, and a name of few digits tells the cut itself."""
    prices = ho.read_table({"price": [2.5, 2.7]})
    for fitted in (
        ho.Discretize(n=2, by="frequency").fit(prices),
        ho.Discretize(by="entropy").fit(np.repeat([2.5, 2.7], 4).reshape(-1, 1), np.repeat([0, 1], 4)),
    ):
        assert fitted.cuts_[0].tolist() == [2.6]
        assert fitted.intervals_ == (("≤ 2.6", "> 2.6"),)
    money = ho.Discretize(n=2).fit(ho.read_table({"money": [2603.06, 60000.0]}))
    assert money.intervals_ == (("≤ 31301.53", "> 31301.53"),)


def test_a_name_is_near_its_cut_also_where_no_training_value_is() -> None:
    """Two far numbers are cut at 1000000.5, and 1000000.3 is not called at most 1000000."""
    fitted = ho.Discretize(n=2).fit(ho.read_table({"x": [1_000_000.0, 1_000_001.0]}))
    assert fitted.intervals_ == (("≤ 1000000.5", "> 1000000.5"),)
    thirds = ho.Discretize(n=3).fit(ho.read_table({"x": [1_000_000.0, 1_000_001.0]}))
    assert thirds.intervals_[0][0] == "≤ 1000000.33333"
    times = np.array([18000.25, 18010.25])
    assert interval_names(np.array([18005.25]), times, "date") == (
        "≤ 2019-04-19T06:00:00",
        "> 2019-04-19T06:00:00",
    )
