"""Conditions on one column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.inputs.input_schema import InputColumn
from heldout.learners.rules.condition import Condition, Cut

AGE = InputColumn("age")
TOWN = InputColumn("town", "category", ("Aachen", "Bonn", "Köln", "Trier", "Ulm"))


def cut(threshold: float) -> Cut:
    return Cut(threshold, threshold - 0.5, threshold + 0.5)


@pytest.mark.parametrize(
    ("low", "high", "words", "formula"),
    [
        (20, 35, "age is above 20 and at most 35", "20 < age ≤ 35"),
        (20, None, "age is above 20", "age > 20"),
        (None, 35, "age is at most 35", "age ≤ 35"),
    ],
)
def test_ranges_in_words_and_as_formulas(low, high, words, formula):
    """The two ends of a range are one condition."""
    condition = Condition(AGE, 0, *(None if end is None else cut(end) for end in (low, high)))
    assert str(condition) == words
    assert condition.formula() == formula


@pytest.mark.parametrize(
    ("levels", "words", "formula"),
    [
        ((4,), "town is Ulm", "town = Ulm"),
        ((1, 4), "town is Bonn or Ulm", "town ∈ {Bonn, Ulm}"),
        ((0, 1, 2), "town is neither Trier nor Ulm", "town ∉ {Trier, Ulm}"),
        ((0, 1, 2, 3), "town is not Ulm", "town ≠ Ulm"),
    ],
)
def test_levels_in_words_and_as_formulas(levels, words, formula):
    """The shorter list is named: the levels allowed, or those that are not."""
    condition = Condition(TOWN, 1, levels=levels)
    assert str(condition) == words
    assert condition.formula() == formula


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Condition(AGE, 0, low=cut(20), unknown_share=1), "age is above 20 or unknown"),
        (Condition(AGE, 0, cut(20), cut(35), unknown_share=1), "age is above 20 and at most 35, or unknown"),
        (Condition(AGE, 0, cut(35), cut(20), unknown_share=1), "age is unknown"),
        (Condition(TOWN, 1, levels=(1, 4), unknown_share=1), "town is Bonn, Ulm or unknown"),
        (Condition(TOWN, 1, levels=(0, 1, 2, 3), unknown_share=1), "town is not Ulm, or unknown"),
        (Condition(TOWN, 1, levels=(1, 4), unknown_share=0.4), "town is Bonn or Ulm"),
    ],
)
def test_the_unknown_in_words(condition, words):
    """What takes rows with a missing value says so; a share of them is not told."""
    assert str(condition) == words


def test_dates_in_words():
    """A date is not above another but after it."""
    joined = InputColumn("joined", "date")
    condition = Condition(joined, 0, Cut(18320.5, 18320, 18321), Cut(18330.0, 18330, 18331))
    assert str(condition) == "joined is after 2020-02-28 and no later than 2020-03-09"


def test_long_lists_of_levels_are_cut_short():
    """Ten levels are named, or all if that is wanted."""
    column = InputColumn("plant", "category", tuple(f"p{place:02}" for place in range(40)))
    condition = Condition(column, 0, levels=tuple(range(0, 40, 3)))
    assert str(condition).endswith("p24, p27 or … (4 more)")
    assert "p39" in condition.words(most_levels=None)


@pytest.mark.parametrize("level", ["unknown", "Ulm or Bonn", "a, b", "not here", "", "x (y)"])
def test_levels_that_could_be_words_of_the_sentence_are_quoted(level):
    """A level called unknown is not taken for a gap."""
    column = InputColumn("town", "category", (level, "b", "c"))
    assert str(Condition(column, 0, levels=(0,))) == f"town is {level!r}"


@pytest.mark.parametrize(
    "level",
    ["a ∧ b", "a∨b", "x(y)", "(x", "x)", "{x", "x}", "a,b", "≤3", "<3", ">50K", "a=b", "≠a", "∈", "a and b"],
)
def test_levels_that_could_be_parts_of_a_formula_are_quoted(level):
    """A label with a sign or a bracket of formulas in it is not taken for one."""
    column = InputColumn("town", "category", (level, "b", "c", "d", "e"))
    assert Condition(column, 0, levels=(0,)).formula() == f"town = {level!r}"
    assert Condition(column, 0, levels=(0, 1)).formula() == f"town ∈ {{{level!r}, b}}"


def test_names_with_signs_are_quoted_in_a_formula():
    """So is a column's name, but for the brackets of a unit."""
    assert Condition(InputColumn("a ∧ b"), 0, low=cut(1)).formula() == "'a ∧ b' > 1"
    assert Condition(InputColumn("width (cm)"), 0, low=cut(1)).formula() == "width (cm) > 1"


@given(st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), max_size=6), st.floats(-6, 6))
def test_narrowed_ranges_are_the_intersection(sides, value):
    """A value meets the merged condition if it meets every part."""
    merged = Condition(AGE, 0)
    parts = []
    for is_low, place in sides:
        end = {"low": cut(place)} if is_low else {"high": cut(place)}
        parts.append(Condition(AGE, 0, **end))
        merged = merged.narrowed(**end)
    values = np.array([value, np.nan])
    wanted = np.logical_and.reduce([part.is_met(values) for part in parts] or [~np.isnan(values)])
    assert merged.is_met(values).tolist() == wanted.tolist()
    both = [side.is_met(values) for side in merged.sides]
    assert np.logical_and.reduce(both or [~np.isnan(values)]).tolist() == wanted.tolist()


@given(st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=4))
def test_narrowed_levels_are_the_intersection(sets):
    """A level meets the merged condition if it is in every set; -1 is in none."""
    merged = Condition(TOWN, 1)
    for levels in sets:
        merged = merged.narrowed(levels=levels)
    values = np.arange(-1, 5, dtype=np.int32)
    wanted = [value in set.intersection(*sets) for value in values.tolist()]
    assert merged.is_met(values).tolist() == wanted
    assert merged.allows_a_value == any(wanted)


def test_shares_of_unknown_values_are_multiplied():
    """A row that is split twice on one column keeps the product of the two shares."""
    condition = Condition(AGE, 0, unknown_share=1.0).narrowed(low=cut(1), unknown_share=0.5)
    condition = condition.narrowed(high=cut(9), unknown_share=0.25)
    assert condition.shares(np.array([5.0, 0.0, np.nan])).tolist() == [1.0, 0.0, 0.125]
    assert condition.can_be_met
    assert not Condition(AGE, 0, cut(9), cut(1)).can_be_met
