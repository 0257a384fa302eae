"""Coverage names the test rows that lie where training has nothing, and says why."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import heldout as ho
from heldout.features.coverage import count_by_chance, ranked

from .shifted import mixed_table, normal


def square_with_a_hole(seed: int, n_rows: int) -> NDArray[np.float64]:
    """Uniform in a square of which the middle is left out."""
    rows = np.random.default_rng(seed).uniform(size=(4 * n_rows, 2))
    return rows[(np.abs(rows - 0.5) > 0.2).any(axis=1)][:n_rows]


def by_hand(train: ho.Table, test: ho.Table, k: int) -> list[float]:
    """The p-values, from the definition of the distance alone."""
    widths = {}
    for column in train.columns:
        if column.kind in ("number", "date"):
            lower, upper = np.quantile(column.values[~column.is_missing], [0.05, 0.95])
            widths[column.name] = upper - lower
    rows, others = (
        [dict(zip(table.names, row, strict=True)) for row in zip(*map(values_of, table.columns), strict=True)]
        for table in (train, test)
    )

    def apart(one: dict[str, object], two: dict[str, object]) -> float:
        terms = [
            abs(one[name] - two[name]) / widths[name] if name in widths else float(one[name] != two[name])
            for name in one
            if one[name] is not None and two[name] is not None
        ]
        return sum(terms) / len(terms) if terms else 1.0

    def far(row: dict[str, object], references: list[dict[str, object]]) -> float:
        return float(np.mean(sorted(apart(row, other) for other in references)[:k]))

    own = [far(row, rows[:place] + rows[place + 1 :]) for place, row in enumerate(rows)]
    found = [far(row, rows) for row in others]
    return [(1 + sum(mine > each - 1e-7 for mine in own)) / (len(own) + 1) for each in found]


def values_of(column: ho.Column) -> list[object]:
    """Numbers, labels, None."""
    if column.kind in ("number", "date"):
        return [None if value != value else value for value in column.values.tolist()]
    return list(column.labels())


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_p_values_are_those_of_the_definition(missing: float) -> None:
    """On mixed tables, with gaps and without, a plain loop over Gower's distances finds the same."""
    train, test = mixed_table(1, 60, missing), mixed_table(2, 30, missing, levels="abcd")
    found = ho.coverage(train, test, k=3, level=0.05)
    assert found.p_values.tolist() == by_hand(train, test, 3)


@given(own=st.lists(st.integers(0, 9), min_size=1, max_size=30), far=st.integers(-1, 10))
@settings(max_examples=50)
def test_ranks_are_exact(own: list[int], far: int) -> None:
    """The p-value is (1 + how many are at least as large) ÷ (how many + 1), ties included."""
    expected = Fraction(1 + sum(value >= far for value in own), len(own) + 1)
    found = ranked(np.array(own, dtype=float), np.array([float(far)]))
    assert Fraction(found[0]).limit_denominator(100) == expected


@pytest.mark.parametrize("by", ["neighbors", "forest"])
def test_a_hole_inside_the_ranges_is_seen(by: str) -> None:
    """Rows in the middle of a square with a hole are outside, though each of their values is known."""
    train, inside = square_with_a_hole(1, 400), np.full((20, 2), 0.5)
    inside += np.random.default_rng(3).uniform(-0.05, 0.05, (20, 2))
    found = ho.coverage(train, inside, by=by, level=0.05)
    assert found.share > 0.9
    assert found.is_more_than_chance
    assert all(row.new_values == () for row in found.rows)
    assert "combination" in str(found)
    ordinary = ho.coverage(train, square_with_a_hole(2, 200), by=by, level=0.05)
    assert ordinary.share < 0.1
    assert not ordinary.is_more_than_chance


@pytest.mark.slow
@pytest.mark.parametrize("by", ["neighbors", "forest"])
@pytest.mark.parametrize("kind", ["array", "table"])
def test_a_row_is_judged_without_the_rows_beside_it(by: str, kind: str) -> None:
    """Each test row alone has the p-value that it has among the others, whatever these are like."""
    if kind == "array":
        train, test = normal(1, 120), normal(2, 12, mean=1.0)
        test[3] = np.nan
        parts = [test[place : place + 1] for place in range(12)]
    else:
        train, test = mixed_table(1, 120), mixed_table(2, 12, levels="cxa")
        parts = [test[place] for place in range(12)]
    together = ho.coverage(train, test, by=by).p_values
    assert together.tolist() == [ho.coverage(train, part, by=by).p_values[0] for part in parts]


def test_a_row_without_gaps_is_judged_alike_beside_one_with_gaps() -> None:
    """The faster search for complete rows is chosen row by row: a gap elsewhere moves no p-value."""
    train, test = mixed_table(1, 150, missing=0.0), mixed_table(2, 40, missing=0.0)
    gaps = mixed_table(3, 40, missing=0.5)
    joined = ho.Table(
        [
            ho.Column(a.name, a.kind, np.concatenate([a.values, b.values]), a.levels)
            for a, b in zip(test.columns, gaps.columns, strict=True)
        ]
    )
    assert (ho.coverage(train, test).p_values == ho.coverage(train, joined).p_values[:40]).all()


@pytest.mark.parametrize("by", ["neighbors", "forest"])
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(by: str) -> None:
    """P-values come again bit for bit, with two threads too."""
    train, test = mixed_table(1, 150), mixed_table(2, 50)
    first = ho.coverage(train, test, by=by, seed=1).p_values
    assert (first == ho.coverage(train, test, by=by, seed=1, n_jobs=2).p_values).all()


def test_reasons_name_values_that_training_never_has() -> None:
    """Beyond the range, a level never seen, a gap where there is none: each is said in words."""
    train = mixed_table(1, 200, missing=0.0)
    odd = ho.Table(
        [
            ho.Column("size", "number", np.array([0.0, np.nan])),
            ho.Column("age", "number", np.array([940.0, 40.0])),
            ho.Column("town", "category", np.array([0, 1], dtype=np.int32), ("zzz", "a")),
            ho.Column("paid", "boolean", np.array([1, 0], dtype=np.int32), ("no", "yes")),
            ho.Column("day", "date", np.array([18001.0, 18002.0])),
        ]
    )
    found = ho.coverage(train, odd)
    assert found.outside.tolist() == [0]
    row = found.rows[0]
    assert "age 940 (training 18 to 71)" in row.new_values
    assert "town zzz (never in training)" in row.new_values
    assert row.p_value == pytest.approx(1 / 201)
    assert found.odd_values.tolist() == [1]
    text = str(found)
    assert text.startswith("1 of 2 rows lies unusually far from training")
    assert "row 1: age 940" in text
    assert "first row 2" in text


def test_the_nearest_training_row_is_named() -> None:
    """The nearest of the training rows stands beside the reasons."""
    train = np.arange(150.0).reshape(-1, 1)
    found = ho.coverage(train, [[1000.0], [-500.0]])
    assert [row.nearest for row in found.rows] == [149, 0]
    assert "training row 150" in str(found)


def test_rows_without_a_value_are_left_out() -> None:
    """A training row that knows nothing hides nothing, and a test row that knows nothing is not unusual."""
    train, test = normal(1, 120), normal(2, 8)
    test[0], test[1] = 40.0, np.nan
    padded = np.concatenate([np.full((5, 3), np.nan), train])
    found, plain = ho.coverage(padded, test), ho.coverage(train, test)
    assert (found.p_values == plain.p_values).all()
    assert (found.n_train, found.n_empty) == (120, 5)
    assert found.rows[0].nearest == plain.rows[0].nearest + 5
    assert found.p_values[1] == 1.0


def test_a_species_that_training_lacks_is_found() -> None:
    """Penguins of two islands know no Gentoo: those of the third island are outside, the Adelie are not."""
    table = ho.datasets.load("penguins")
    island, species = (np.array(table[name].labels()) for name in ("island", "species"))
    measured = table[["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex"]]
    is_biscoe = island == "Biscoe"
    for by, least in (("neighbors", 0.99), ("forest", 0.5)):
        found = ho.coverage(measured[~is_biscoe], measured[is_biscoe], by=by)
        is_outside = found.p_values <= 0.01
        assert is_outside[species[is_biscoe] == "Gentoo"].mean() > least
        assert is_outside[species[is_biscoe] == "Adelie"].mean() < 0.05
        assert found.is_more_than_chance


def test_the_nearest_row_is_found_by_the_names_of_levels() -> None:
    """Levels that only some of the test rows have do not mix up those of the training rows."""
    train = ho.Table(
        [
            ho.Column("town", "category", np.repeat(np.arange(3, dtype=np.int32), 50), ("a", "b", "c")),
            ho.Column("size", "number", np.arange(150.0) % 50),
        ]
    )
    test = ho.Table(
        [
            ho.Column("town", "category", np.array([0, 2, 1], dtype=np.int32), ("A", "b", "c")),
            ho.Column("size", "number", np.array([20.0, 500.0, 600.0])),
        ]
    )
    assert [row.nearest for row in ho.coverage(train, test).rows] == [20, 149, 99]


def test_a_number_that_never_varies_counts_as_a_level() -> None:
    """Where training has one number only, another number is different, however near it is."""
    generator = np.random.default_rng(0)
    train = np.column_stack([np.full(200, 5.0), generator.uniform(size=200)])
    found = ho.coverage(train, [[5.0, 0.5], [5.01, 0.5]])
    assert found.outside.tolist() == [1]
    assert "training 5)" in str(found)


def test_one_wrong_number_in_training_blinds_nothing() -> None:
    """A typing error a million times too large does not hide rows far outside the others."""
    train = normal(1, 300)
    train[0, 0] = 1e6
    far = np.zeros((1, 3))
    far[0, 0] = 30.0
    assert ho.coverage(train, far).outside.tolist() == [0]


def test_rows_of_training_are_inside() -> None:
    """A copy of a training row has a training row at the distance 0 and is not outside."""
    train = mixed_table(4, 300)
    assert ho.coverage(train, train[:50]).share == 0.0


def test_every_form_gives_the_same() -> None:
    """Arrays, lists, frames and Tables with the same numbers give the same p-values."""
    train, test = normal(1, 120), normal(2, 30, mean=1.0)
    names = ["x0", "x1", "x2"]
    frames = [pd.DataFrame(rows, columns=names) for rows in (train, test)]
    expected = ho.coverage(train, test).p_values
    for pair in ((train.tolist(), test.tolist()), frames, [ho.read_table(frame) for frame in frames]):
        assert (ho.coverage(*pair).p_values == expected).all()


def test_words_in_an_array_are_levels() -> None:
    """An array of objects with words is compared by them."""
    generator = np.random.default_rng(0)
    train = np.array([["u" if x < 0.5 else "v", x] for x in generator.uniform(size=150)], dtype=object)
    found = ho.coverage(train, np.array([["u", 0.2], ["w", 0.2]], dtype=object))
    assert found.outside.tolist() == [1]
    assert "x0 w (never in training)" in found.rows[0].new_values


def test_the_expected_count_is_that_of_the_level() -> None:
    """Of 1,000 test rows and 99 training rows 10 are expected at the level 0.01, and many would be rare."""
    found = ho.coverage(normal(1, 99), normal(2, 1000))
    assert found.by_chance.expected == pytest.approx(10.0)
    assert 0 < found.by_chance.tail <= 1
    assert ho.coverage(normal(1, 99), normal(2, 1000, mean=6.0)).is_more_than_chance


def test_the_result_is_plain_and_short() -> None:
    """It goes into JSON, and of many rows the first are shown and the others counted."""
    found = ho.coverage(normal(1, 150), normal(2, 40, mean=9.0))
    assert json.loads(json.dumps(found.to_dict()))["n_outside"] == len(found.rows) == 40
    assert "… and 35 more" in str(found)
    nothing = ho.coverage(normal(1, 150), normal(1, 150))
    assert str(nothing).startswith("0 of 150 rows lie")


def test_a_level_that_can_never_be_reached_is_refused() -> None:
    """With 50 rows no p-value is below 1 ÷ 51: the advice names both ways out, and they work."""
    with pytest.raises(ho.RequestError, match="no row could ever be outside") as caught:
        ho.coverage(normal(1, 50), normal(2, 5))
    assert "99 training rows" in caught.value.fix
    assert "0.0197" in caught.value.fix
    assert ho.coverage(normal(1, 50), normal(2, 5), level=0.0197).n_test == 5
    assert ho.coverage(normal(1, 99), normal(2, 5)).n_test == 5


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"by": "neighbour"}, "by must be"),
        ({"k": 0}, "k must be"),
        ({"k": 200}, "not 200 other"),
        ({"level": 1.0}, "level must be"),
        ({"seed": 1.5}, "seed must be"),
    ],
)
def test_wrong_requests_are_refused(how: dict[str, object], words: str) -> None:
    """Each parameter says what it may be, in three parts."""
    with pytest.raises(ho.HeldoutError, match=words) as caught:
        ho.coverage(normal(1, 120), normal(2, 5), **how)
    assert caught.value.where
    assert caught.value.fix


def test_a_forest_needs_two_columns() -> None:
    """What belongs together cannot be learned from one column."""
    with pytest.raises(ho.RequestError, match="only one"):
        ho.coverage(normal(1, 120, n_columns=1), normal(2, 5, n_columns=1), by="forest")


@pytest.mark.parametrize("by", ["neighbors", "forest"])
def test_hostile_columns_do_no_harm(by: str) -> None:
    """A column without a value, a constant one and one with gaps in all test rows are taken as they are."""
    generator = np.random.default_rng(0)
    train = np.column_stack([np.full(150, np.nan), np.ones(150), generator.normal(size=(150, 2))])
    test = np.array([[3.0, 1.0, np.nan, np.nan], [np.nan] * 4, [np.nan, 1.0, 0.0, 0.0]])
    found = ho.coverage(train, test, by=by)
    assert ((found.p_values > 0) & (found.p_values <= 1)).all()
    assert found.p_values[2] > 0.05


def test_samples_without_values_or_rows_are_refused() -> None:
    """Nothing to compare: no value in training, no test row, one training row, other columns."""
    for train, test, words in (
        (np.full((120, 2), np.nan), normal(2, 5, n_columns=2), "no row of train has a value"),
        (normal(1, 120), np.empty((0, 3)), "test has no rows"),
        (normal(1, 1), normal(2, 5), "not 5 other"),
        (normal(1, 120), normal(2, 5, n_columns=2), "number of columns"),
        (mixed_table(1, 120), mixed_table(2, 5).drop("age"), "different columns"),
    ):
        with pytest.raises(ho.HeldoutError, match=words) as caught:
            ho.coverage(train, test)
        assert caught.value.where
        assert caught.value.fix


def test_booleans_in_other_words_mean_the_same() -> None:
    """yes and no in training and true and false in the test rows are no new levels."""
    train, test = mixed_table(1, 150), mixed_table(2, 20)
    other = ho.Column("paid", "boolean", test["paid"].values, ("false", "true"))
    told = ho.Table([other if column.name == "paid" else column for column in test.columns])
    assert (ho.coverage(train, test).p_values == ho.coverage(train, told).p_values).all()


@pytest.mark.parametrize("by", ["neighbors", "forest"])
@pytest.mark.parametrize("unit", [1e-320, 1e307, 4e307])
def test_numbers_of_any_size_are_compared(by: str, unit: float) -> None:
    """Where ranges are tiny or larger than any number, nothing overflows, and far rows are outside."""
    train = unit * np.clip(normal(1, 150, n_columns=2), -3, 3)
    far = np.array([[4.4 * unit, 4.4 * unit], [1e300, 1e300]]) if unit < 1 else np.full((2, 2), 4.4 * unit)
    found = ho.coverage(train, np.concatenate([train[:5], far]), by=by)
    assert np.isfinite(found.p_values).all()
    assert not (found.outside < 5).any()
    if by == "neighbors":
        assert found.outside.tolist() == [5, 6]


def test_rows_without_a_value_are_not_expected_outside() -> None:
    """The count is compared with what chance gives among the test rows that have a value."""
    test = np.concatenate([normal(2, 100), np.full((900, 3), np.nan)])
    found, plain = ho.coverage(normal(1, 99), test), ho.coverage(normal(1, 99), test[:100])
    assert found.by_chance == plain.by_chance
    assert found.by_chance.expected == pytest.approx(1.0)


def test_no_line_of_the_text_is_wider_than_a_screen() -> None:
    """However many columns are unusual and whatever they are called, lines are wrapped at 110 characters."""
    draw = np.random.default_rng(3)
    names = [f"a column with a long name, number {place}" for place in range(6)]
    train = pd.DataFrame({name: draw.normal(size=200) for name in names})
    lines = str(ho.coverage(train, train.iloc[:4] + 99.0)).split("\n")
    assert max(map(len, lines)) <= 110
    begun = [line[:9] for line in lines if line.startswith("  row")]
    assert begun == [f"  row {row}: " for row in range(1, 5)]


def test_an_identifier_is_not_advised_to_become_words() -> None:
    """A text may become words; a column that tells rows apart is only to be dropped or read otherwise."""
    texts = [f"a note about {row % 7} things that were said" for row in range(120)]
    columns = {"code": [f"C{row:05d}" for row in range(120)], "note": texts, "age": list(range(120))}
    table = ho.read_table(columns, kinds={"code": "identifier", "note": "text"})
    for name, has_words in (("code", False), ("note", True)):
        some = table[[name, "age"]]
        with pytest.raises(ho.DataError) as caught:
            ho.coverage(some, some)
        assert f"'{name}'" in caught.value.what
        assert ("BagOfWords" in caught.value.fix) == has_words


@pytest.mark.slow
@given(st.integers(1, 12), st.integers(2, 40), st.integers(0, 12), st.floats(0.03, 0.97))
def test_the_tail_is_that_of_all_arrangements(n_test: int, n_train: int, count: int, level: float) -> None:
    """Of all orders of training and test distances, equally likely, so many have as many rows outside."""
    n_below = math.floor(level * (n_train + 1) + 1e-9)
    assume(1 <= n_below <= n_train and count <= n_test)
    # Above the n_below-th largest training distance stand n_below - 1 others of training and the outside.
    orders = [
        math.comb(above + n_below - 1, above) * math.comb(n_test - above + n_train - n_below, n_test - above)
        for above in range(n_test + 1)
    ]
    expected = Fraction(sum(orders[count:]), math.comb(n_train + n_test, n_test))
    found = count_by_chance(count, n_test, n_train, level)
    assert sum(orders) == math.comb(n_train + n_test, n_test)
    assert found.tail == pytest.approx(float(expected), rel=1e-9)
    assert found.expected == pytest.approx(n_test * n_below / (n_train + 1))
