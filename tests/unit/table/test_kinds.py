"""The rules by which columns get their kinds, and how the user overrides them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import DataError, HeldoutError
from heldout.table.infer_strings import without_markers
from heldout.table.kinds import boolean_levels, is_identifier_name
from heldout.table.parse_dates import iso_days, spelled_dates
from heldout.table.read_table import read_table


def kind(values: list[Any], name: str = "x", **options: Any) -> str:
    return read_table({"first": ["a"] * len(values), name: values}, **options)[name].kind


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "2.5", "-3e4", "+7", ".5"], "number"),
        (["0", "1", "1"], "number"),
        (["yes", "no", None], "boolean"),
        (["y", "n", "y"], "boolean"),
        (["yes", "maybe", "no"], "category"),
        (["y", "y"], "category"),
        (["2024-01-31", "2023-02-28"], "date"),
        (["2024-01-31T10:30:00Z", "2023-02-28T00:00:00+02:00"], "date"),
        (["2024-01-31T10:30:00Z", "2023-02-28"], "category"),
        (["Jan 3, 2024", "Feb 14, 2023"], "date"),
        (["31.12.2024", "01.02.2023"], "date"),
        (["1/2/24", "3/4/24"], "category"),
        (["20240131", "20230228"], "number"),
        (["007", "12"], "identifier"),
        (["0.5", "00.5"], "number"),
        (["12345678901234567890", "1"], "identifier"),
        (["1 234", "12 345"], "number"),
        (["(12)", "3"], "category"),
        (["($12)", "$3"], "number"),
        (["(-$12)", "$3"], "category"),
        (["−12", "3"], "number"),
        (["192.168.100.200", "192.168.100.201"], "category"),
        (["1.234.567.890", "1.234.100.200"], "number"),
        (["555 100 200", "555 100 201"], "category"),
        (["1 234 567", "999"], "number"),
        (["1/31/2024 1:30 PM", "2/1/2024 12:05 am"], "date"),
        (["1/31/2024 13:30 PM", "2/1/2024 12:05 AM"], "category"),
        (["1/31/2024 13:30", "2/1/2024 12:05 AM"], "category"),
        (["", None, "NA"], "number"),
        ([f"K{k}" for k in range(10)], "identifier"),
        ([f"K{k}" for k in range(9)], "category"),
        ([f"K{k % 5}" for k in range(100)], "category"),
        ([f"3f2504e0-4f89-11d3-9a0c-{k:012d}" for k in range(20)], "identifier"),
        ([f"this is sentence {k} of many" for k in range(20)], "text"),
        ([k / 7 for k in range(100)], "number"),
        ([True, False, None], "boolean"),
        ([1, 2, None], "number"),
        ([2**60, 1], "identifier"),
    ],
)
def test_kind_of_contents(values: list[Any], expected: str) -> None:
    """Each rule gives its kind."""
    assert kind(values) == expected


def test_every_inferred_kind_has_a_reason() -> None:
    """Nothing is guessed without saying why, and what the user said needs no reason."""
    table = read_table(
        {"a": [1, 2], "b": ["x", "y"], "c": ["yes", "no"], "d": ["2024-01-01", None], "e": ["007", "1"]},
        kinds={"b": "category"},
    )
    assert [column.reason != "" for column in table.columns] == [True, False, True, True, True]


def test_whole_numbers_are_identifiers_only_by_the_stated_rule() -> None:
    """Distinct whole numbers need the name, or must count the rows of the first column."""
    distinct = [7, 3, 99, 41]
    assert kind(distinct) == "number"
    assert kind(distinct, name="customer_id") == "identifier"
    assert kind([7, 3, 7, 41], name="customer_id") == "number"
    assert kind([7.5, 3.25], name="customer_id") == "number"
    counting = list(range(1, 31))
    assert read_table({"a": counting, "b": counting}).kinds == {"a": "identifier", "b": "number"}
    assert read_table({"a": counting[:19]}).kinds == {"a": "number"}


def test_kinds_override() -> None:
    """Every kind can be asked for, from strings and from typed columns alike."""
    source = {"s": ["1", "0", "1", None], "n": [1, 0, 1, None]}
    for name in source:
        for wanted in ("number", "category", "boolean", "text", "identifier"):
            column = read_table(source, kinds={name: wanted})[name]
            assert column.kind == wanted
            assert column.labels() == ["1", "0", "1", None]
    days = read_table({"d": ["20240131", "20240201"]}, kinds={"d": "date"})["d"]
    assert days.labels() == ["2024-01-31", "2024-02-01"]
    unclear = {"d": ["01/02/2024", "03/04/2024"]}
    assert read_table(unclear, day_first=True)["d"].labels() == ["2024-02-01", "2024-04-03"]
    assert read_table(unclear, day_first=False)["d"].labels() == ["2024-01-02", "2024-03-04"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kinds": {"agee": "number"}}, ("no column 'agee'", "kinds", "did you mean 'age'?")),
        ({"kinds": {"age": "nubmer"}}, ("unknown kind 'nubmer'", "column 'age'", "did you mean 'number'?")),
        ({"kinds": ["age"]}, ("dict", "list", 'kinds={"zip": "category"}')),
        (
            {"kinds": {"city": "number"}},
            ("text where numbers", "2 of 3 rows, first 'Rome' in row 1", "category"),
        ),
        ({"kinds": {"city": "date"}}, ("text where dates", "2 of 3 rows, first 'Rome' in row 1", "category")),
        ({"kinds": {"age": "boolean"}}, ("3 distinct values", "row", "category")),
        ({"kinds": {"when": "date"}}, ("day/month/year or month/day/year", "row 1", "day_first")),
        ({"missing": "NA"}, ("list of strings", "'NA'", "missing=['NA']")),
        ({"missing": [9]}, ("are strings", "first 9", "'9'")),
        ({"missing": {"citty": []}}, ("no column 'citty'", "missing", "'city'")),
        ({"decimal": ";"}, ("',' or '.'", "';'", "decimal=','")),
    ],
)
def test_wrong_requests(options: dict[str, Any], words: tuple[str, str, str]) -> None:
    """A request that cannot be met says so in three parts, with the count and the first row."""
    source = {
        "age": ["1", "2", "3"],
        "city": ["Rome", None, "Oslo"],
        "when": ["01/02/2024", None, "02/03/2024"],
    }
    with pytest.raises(HeldoutError) as caught:
        read_table(source, **options)
    for word, part in zip(words, (caught.value.what, caught.value.where, caught.value.fix), strict=True):
        assert word in part


def test_markers_are_counted_and_overridable() -> None:
    """Markers are missing in every column of strings, with their counts in the notes."""
    source = {"n": ["1", "NA", "?", "nan"], "c": ["x", "None", " NA ", "y"]}
    table = read_table(source)
    assert [column.n_missing for column in table.columns] == [3, 2]
    assert any("'n': '?' (once), 'NA' (once), 'nan' (once)" in note for note in table.notes)
    assert read_table(source, missing={"c": []})["c"].n_missing == 0
    assert read_table(source, missing=["x"])["c"].labels() == [None, "None", "NA", "y"]


@pytest.mark.parametrize("values", [["1", "999", "2.5"], [1.0, 999.0, 2.5], [1, 999, 2]])
def test_numbers_can_be_markers(values: list[Any]) -> None:
    """A number that stands for a missing value is one, in strings and in typed columns."""
    for options in (
        {"missing": {"x": ["999"]}},
        {"missing": ["999"]},
        {"missing": ["999"], "kinds": {"x": "number"}},
    ):
        table = read_table({"first": ["a", "b", "c"], "x": values}, **options)
        assert table["x"].kind == "number"
        assert table["x"].is_missing.tolist() == [False, True, False]
        assert any("'999' (once) taken as missing" in note for note in table.notes)


@pytest.mark.parametrize("values", [["1.5", "999.0", "2.5"], ["1,5", "999,0", "2,5"], ["1", "9.99e2", "2"]])
def test_number_markers_match_every_spelling(values: list[str]) -> None:
    """The marker "999" is also 999.0 in a column of numbers, and a code of digits is no number."""
    table = read_table({"first": ["a", "b", "c"], "x": values}, missing=["999"])
    assert table["x"].is_missing.tolist() == [False, True, False]
    assert any("numbers equal to '999' (once) taken as missing" in note for note in table.notes)
    assert read_table({"x": ["0999", "0123"]}, missing=["999"])["x"].labels() == ["0999", "0123"]
    asked = read_table({"x": ["1", "999.0", "2"]}, missing=["999"], kinds={"x": "number"})
    assert asked["x"].n_missing == 1
    assert "numbers equal to '999'" in asked.notes[0]


@pytest.mark.slow
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
def test_numbers_survive_text(numbers: list[float]) -> None:
    """A float written as text and read back is the same float, to the last bit."""
    column = read_table({"first": ["a"] * len(numbers), "x": [repr(number) for number in numbers]})["x"]
    if column.kind == "number":
        assert column.values.tobytes() == np.array(numbers).tobytes()
    else:
        assert all(number == int(number) for number in numbers)


@pytest.mark.slow
@given(st.lists(st.sampled_from(["a", "b", "10", "9", "é", "Z", ""]), min_size=1, max_size=20), st.randoms())
def test_levels_do_not_depend_on_row_order(values: list[str], shuffler: Any) -> None:
    """Shuffled rows have the same kind and the same levels."""
    shuffled = list(values)
    shuffler.shuffle(shuffled)
    first, second = (read_table({"k": ["c"] * len(values), "x": order})["x"] for order in (values, shuffled))
    assert (first.kind, first.levels) == (second.kind, second.levels)


def test_names_of_identifiers() -> None:
    """Only whole words count: `valid` and `casino` are no identifiers."""
    named = ("id", "ID", "user_id", "userId", "PassengerId", "key", "row", "Serial", "index")
    assert all(is_identifier_name(name) for name in named)
    assert not any(
        is_identifier_name(name) for name in ("valid", "casino", "monkey", "paid", "ideal", "brow")
    )


def test_vague_names_are_identifiers_in_the_first_column_only() -> None:
    """A heat_index is a quantity, unless it stands where the names of rows do."""
    for name in ("heat_index", "house_number", "order no", "priceIndex", "world_record"):
        assert not is_identifier_name(name)
        assert is_identifier_name(name, is_first=True)
        assert kind([7, 3, 99, 41], name=name) == "number"


def test_iso_dates_are_the_same_by_either_way() -> None:
    """The cast and the patterns give the same days, to the last bit, or the cast gives none."""
    generator = np.random.default_rng(0)
    moments = generator.integers(-62_167_219_200_000_000, 253_402_300_799_999_999, 2000).astype("M8[us]")
    for unit in ("D", "m", "s", "ms", "us"):
        strings = pa.array(np.datetime_as_string(moments, unit=unit))
        by_cast, by_pattern = iso_days(strings), spelled_dates(strings)
        assert by_cast is not None
        assert by_pattern is not None
        assert by_pattern.days is not None
        assert by_cast.tobytes() == by_pattern.days.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-31 10", "2024-02-30", "2024-01-31 24:00", "2024-01-31T10:30Z", "2024/01/31", "20240131",
        "2024-01-31 10:30:60", "2024-01-31 10:30:00.1234567", "2024-1-31", "2024-01-31  10:30",
    ],
)  # fmt: skip
def test_the_cast_leaves_other_spellings_alone(text: str) -> None:
    """What only Arrow takes for a date is none, and what only the patterns read is left to them."""
    assert iso_days(pa.array(["2024-01-31", text])) is None


def test_iso_dates_in_a_column() -> None:
    """Markers, blanks and missing values among ISO moments are no obstacle."""
    column = read_table({"first": list("abcd"), "x": ["NA", " 2024-01-31 12:00", None, "1969-12-31"]})["x"]
    assert column.kind == "date"
    np.testing.assert_array_equal(column.values, [np.nan, 19753.5, np.nan, -1.0])


def test_amounts_in_brackets_and_halves_of_the_day() -> None:
    """Brackets around an amount and the longer minus sign are negative, 12 AM is midnight."""
    source = {
        "pay": ["($5.00)", "$1,200.50", "$7"],
        "change": ["−1.5", "2", "+3"],
        "when": ["1/31/2024 1:30 PM", "2/1/2024 12:00 AM", "2/1/2024 12:00 PM"],
    }
    table = read_table(source)
    assert table["pay"].labels() == ["-5", "1200.5", "7"]
    assert table["change"].labels() == ["-1.5", "2", "3"]
    assert table["when"].labels() == ["2024-01-31T13:30:00", "2024-02-01", "2024-02-01T12:00:00"]


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (["1 kg", "2.5 kg"], "column 'x' looks like numbers with 'kg', kept as category"),
        (["$1.5k", "$2k"], "column 'x' looks like numbers with '$k', kept as category"),
        (["10:30", "11:45"], "column 'x' looks like numbers with ':', kept as category"),
        (
            ["555 100 200", "555 100 201"],
            "groups of digits, numbers or codes, and is kept as category; kinds=",
        ),
        (["inf", "1.5"], "1 infinite value, kept as it is"),
        (["+nan", "1.5"], "once not a number"),
    ],
)
def test_what_looks_like_numbers_is_said(values: list[str], note: str) -> None:
    """A column that a reader would take for numbers is kept with a note."""
    assert any(note in found for found in read_table({"x": values}).notes)


@pytest.mark.parametrize("values", [["1st", "2nd"], ["10-19", "20-29"], ["1 kg", "2 lb"], ["A1", "A2"]])
def test_no_note_on_other_strings(values: list[str]) -> None:
    """Strings that share no unit are nothing to speak of."""
    assert read_table({"x": values}).notes == ()


def test_a_few_words_among_many_numbers_are_refused() -> None:
    """A category with a level for every row is never meant, and the error says how to go on."""
    numbers = [str(k / 7) for k in range(3000)]
    values = [*numbers, "high", "NA", "low"]
    with pytest.raises(DataError) as caught:
        read_table({"x": values})
    assert caught.value.what == "column 'x' holds 3,000 numbers and 2 other values"
    assert caught.value.where == "first 'high' in row 3,001"
    assert "missing={'x': ['high', 'low', 'NA']} makes them missing" in caught.value.fix
    assert read_table({"x": values}, missing={"x": ["high", "low", "NA"]})["x"].kind == "number"
    assert read_table({"x": values}, kinds={"x": "category"})["x"].kind == "category"
    assert kind([*numbers[:900], "high"]) == "category"


def test_boolean_words_need_both() -> None:
    """One word of a pair is no boolean, except true and false."""
    assert boolean_levels(["no"]) is None
    assert boolean_levels(["false"]) == ("false", "true")
    assert boolean_levels(["T", "F"]) == ("F", "T")


def test_markers_in_a_slice_become_null_and_nothing_else_changes() -> None:
    """Wherever a slice of strings begins, also with versions of Arrow that read such slices wrongly."""
    whole = pa.array(["yes", "no", "?", "yes", "no", "", "yes", "?", "no", "yes"])
    for begin in range(len(whole)):
        part = pa.chunked_array([whole.slice(begin, 4), whole.slice(begin)])
        known, counts = without_markers(part, ("?",))
        assert known.to_pylist() == [None if value in ("?", "") else value for value in part.to_pylist()]
        assert counts.get("?", 0) == part.to_pylist().count("?")
