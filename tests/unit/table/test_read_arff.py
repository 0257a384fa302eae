"""ARFF as Weka defines it: what is declared is what is read, and what is vague is refused."""

from __future__ import annotations

import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import DataError
from heldout.table.raw_table import RawTable
from heldout.table.read_arff import read_arff

ESCAPES = {"\\": "\\\\", "'": "\\'", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r", "%": "\\%"}

# What stands in a quoted value: anything but NUL, which the reader of bytes refuses, and half characters.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
rows_of_everything = st.lists(
    st.tuples(
        st.none() | numbers,
        st.none() | texts,
        st.none() | st.integers(0, 2),
        st.none() | st.datetimes(datetime.datetime(1000, 1, 1), datetime.datetime(9999, 12, 31)),
    ),
    min_size=1,
    max_size=8,
)


def values(table: RawTable) -> list[list[object]]:
    return [column.to_pylist() for column in table.arrays]


def read(text: str) -> RawTable:
    return read_arff(text.encode())


def quoted(text: str, mark: str = "'") -> str:
    return mark + "".join(ESCAPES.get(character, character) for character in text) + mark


def cell(value: object) -> str:
    if value is None:
        return "?"
    if isinstance(value, datetime.datetime):
        return quoted(f"{value:%Y-%m-%d %H:%M:%S}.{value.microsecond // 1000:03}", '"')
    return quoted(value) if isinstance(value, str) else repr(value)


@given(rows_of_everything, st.tuples(texts, texts, texts), st.booleans())
def test_what_is_written_is_read(
    rows: list[tuple[object, ...]], level_texts: tuple[str, str, str], is_sparse: bool
) -> None:
    """Numbers, strings, levels and dates of any characters come back, from dense and from sparse rows."""
    levels = [
        f"{index}{text}x" for index, text in enumerate(level_texts)
    ]  # distinct, without blanks at the ends
    table = [(a, b, None if c is None else levels[int(str(c))], d) for a, b, c, d in rows]
    lines = [",".join(map(cell, row)) for row in table]
    if is_sparse:
        lines = ["{" + ", ".join(f"{i} {cell(value)}" for i, value in enumerate(row)) + "}" for row in table]
    header = (
        "@relation r\n@attribute a real\n@attribute b string\n"
        f"@attribute c {{{','.join(map(quoted, levels))}}}\n"
        '@attribute d date "yyyy-MM-dd HH:mm:ss.SSS"\n@data\n'
    )
    expected = [list(column) for column in zip(*table, strict=True)]
    expected[3] = [
        None if moment is None else moment.replace(microsecond=moment.microsecond // 1000 * 1000)
        for moment in expected[3]
    ]
    assert values(read(header + "\n".join(lines) + "\n")) == expected


def test_the_header_of_weka() -> None:
    """Comments, capitals, tabs, quoted names, levels parted by blanks: as in the files of Weka."""
    table = read(
        "% 1. Title: Weather\n%\n@RELATION 'the weather'\n\n"
        "@ATTRIBUTE outlook {sunny, overcast,rainy}  % of the day\n"
        "@attribute\t'wind speed'\tREAL\n@attribute \"play?\" {yes no}\n@Data\n"
        "% the rows\nsunny,85.5,no\n\novercast\t?\tyes % hot\n'rainy', 1e2 , \"no\"\n"
    )
    assert table.names == ("outlook", "wind speed", "play?")
    assert values(table) == [["sunny", "overcast", "rainy"], [85.5, None, 100.0], ["no", "yes", "no"]]


def test_sparse_rows_have_zeros_and_first_levels() -> None:
    """What a sparse row does not name is 0 or the first level, and dense rows may stand beside it."""
    table = read(
        "@relation r\n@attribute x numeric\n@attribute c {a, 'b c'}\n@attribute s string\n@data\n"
        "{0 3, 1 'b c', 2 'it, too'}\n{}\n{ 1 ? }\n7,a,?\n"
    )
    assert values(table) == [[3.0, 0.0, 0.0, 7.0], ["b c", "a", None, "a"], ["it, too", None, None, None]]


def test_escapes_are_those_of_java() -> None:
    """Quotes, tabs, code points and octal numbers in quotes; outside of quotes a backslash is itself."""
    table = read(
        "@relation r\n@attribute s string\n@data\n\"say \\\"x\\\"\"\n'it\\'s'\n'\\u00e9\\101\\t\\q'\n"
        "C:\\temp\n50%\n'a % b'\n'?'\n''\n"
    )
    assert values(table) == [['say "x"', "it's", "éA\tq", "C:\\temp", "50%", "a % b", "?", ""]]


def test_dates_follow_their_pattern() -> None:
    """A pattern of Java decides, ISO where there is none; text in quotes is itself."""
    table = read(
        "@relation r\n@attribute a date\n@attribute b date \"dd.MM.yy 'o''clock' HH\"\n@data\n"
        '2024-02-29T23:59:59,"29.02.24 o\'clock 07"\n?,?\n'
    )
    first, second = datetime.datetime(2024, 2, 29, 23, 59, 59), datetime.datetime(2024, 2, 29, 7)
    assert values(table) == [[first, None], [second, None]]


@pytest.mark.parametrize(
    ("attributes", "row", "where"),
    [
        ("@attribute a real", "1,2", "line 4: the row has 2 values, 1 attribute is declared"),
        ("@attribute a string", "New York", "line 4: the row has 2 values"),
        ("@attribute a real", "1,2,{5}", "line 4: '1,2,{5}' cannot be cut into values"),
        ("@attribute a string", "'open", 'line 4: "\'open" cannot be cut'),
        ("@attribute a real", "1_000", "line 4: '1_000' is no number, as 'a' is declared"),
        ("@attribute a {x, y}", "z", "line 4: 'z' is not a level of 'a'"),
        ("@attribute a date", "2024-02-30T00:00:00", "line 4: '2024-02-30T00:00:00' is no date"),
        ("@attribute a real", "{1 3}", "line 4: the index 1 is not one of 0 to 0"),
        ("@attribute a real", "{0 3, 0 4}", "line 4: the index 0 comes twice"),
        ("@attribute a real", "{0 3", "line 4: '{0 3' is not a sparse row"),
        ("@attribute a string", "{", "line 4: '{' is not a sparse row"),
        ("@attribute a real", "{0}", "line 4: '{0}' is not a sparse row"),
        ("@attribute a date 'EEE, yyyy'", "?", "line 2: 'EEE' in the pattern of dates"),
        ("@attribute a relational", "?", "line 2: 'a' is relational"),
        ("@attribute a number", "1", "line 2: 'number' is no type"),
        ("@attribute a", "1", "line 2: 'a' has no type"),
        ("@attribute a {x, y", "x", "line 2: the levels '{x, y' cannot be told apart"),
        ("@attribute a {}", "x", "line 2: the levels '{}' cannot be told apart"),
        ("@attribute 'a real", "1", "line 2: the name of the attribute"),
        ("a real", "1", "line 2: 'a real' stands before @data"),
    ],
)
def test_what_is_not_arff_is_refused_with_its_line(attributes: str, row: str, where: str) -> None:
    """Every fault names its line and what stands there, and says how to mend it."""
    with pytest.raises(DataError) as caught:
        read(f"@relation r\n{attributes}\n@data\n{row}\n")
    assert caught.value.where.startswith(where)
    assert caught.value.fix


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("@relation r\n@attribute a real\n", "no line @data"),
        ("@relation r\n@data\n1\n", "before the first @attribute"),
        ("@relation r\n@attribute a real\n@data\n% none\n", "1 attributes, @DATA is empty"),
    ],
)
def test_parts_that_are_missing_are_named(text: str, where: str) -> None:
    """No rows, no attributes and no @data are three different errors."""
    with pytest.raises(DataError, match=r".") as caught:
        read(text)
    assert where in caught.value.where


def test_infinity_and_nan_are_numbers() -> None:
    """Weka writes them, and they are read as what they are."""
    table = read("@relation r\n@attribute a real\n@data\n-Infinity\nNaN\n")
    first, second = table.arrays[0].to_pylist()
    assert first == -math.inf
    assert math.isnan(second)


def test_lines_end_as_they_like() -> None:
    """Files of Windows and of old Macs are read alike."""
    text = "@relation r\n@attribute a real\n@data\n1\n2\n"
    for end in ("\r\n", "\r"):
        assert values(read(text.replace("\n", end))) == [[1.0, 2.0]]
