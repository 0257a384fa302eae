"""Files that other readers misread without a word: each gives the right table or says what is wrong.

The table below is the promise. `reads` lists columns as kind and values; `notes` are words that the
notes must hold; `fails` are words of the error's three parts: what, where, fix.
"""

from __future__ import annotations

import gzip
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from heldout.errors import HeldoutError
from heldout.table.read_table import read_table

FOLDER = Path(__file__).parent / "nasty_files"


@dataclass(frozen=True)
class Case:
    """One file, how it is read, and what it must give."""

    file: str
    options: dict[str, Any] = field(default_factory=dict)
    reads: dict[str, tuple[str, list[str | None]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fails: tuple[str, str, str] | None = None


def case(file: str, *notes: str, options: dict[str, Any] | None = None, **reads: Any) -> Case:
    return Case(file, options or {}, reads, notes)


def failure(file: str, what: str, where: str, fix: str, **options: Any) -> Case:
    return Case(file, options, fails=(what, where, fix))


def number(*values: str | None) -> tuple[str, list[str | None]]:
    return "number", list(values)


def category(*values: str | None) -> tuple[str, list[str | None]]:
    return "category", list(values)


def boolean(*values: str | None) -> tuple[str, list[str | None]]:
    return "boolean", list(values)


def date(*values: str | None) -> tuple[str, list[str | None]]:
    return "date", list(values)


def identifier(*values: str | None) -> tuple[str, list[str | None]]:
    return "identifier", list(values)


AGES = number("41", "29")
CITIES = category("Rome", "Oslo")
COUNT = number("1", "2")
FULL = {"age": AGES, "city": CITIES}

CASES = [
    # delimiters
    case("plain.csv", age=number("41", "29", "35"), city=category("Rome", "Oslo", "Rome")),
    case("semicolon.csv", "semicolons", **FULL),
    case("tabs.tsv", "tabs", **FULL),
    case("bars.txt", "bars", **FULL),
    case("sep_line.csv", "line 1", **FULL),
    case(
        "semicolon.csv",
        "would give 2",
        options={"delimiter": ","},
        **{"age;city": category("41;Rome", "29;Oslo")},
    ),
    failure("two_delimiters.csv", "more than one way", "3 by commas and 2 by semicolons", "delimiter=';'"),
    case(
        "two_delimiters.csv",
        "decimal commas",
        options={"delimiter": ";"},
        **{"price, EUR": number("1.5", "3.5"), "size, m": number("2.5", "4.25")},
    ),
    failure("spaces.data", "separated by spaces", "line 1", "delimiter=' '"),
    case("spaces.data", options={"delimiter": " "}, age=AGES, weight=number("80.5", "61")),
    failure("plain.csv", "one ASCII character", "delimiter=', '", '","', delimiter=", "),
    case("quoted_delimiters.csv", age=AGES, city=category("Rome, Italy", "Oslo, Norway")),
    failure("one_column_of_text.csv", "too many fields", "line 2 has 2 fields", "quotes around"),
    case("one_column_of_text.csv", options={"delimiter": "|"}, note=category("hello, world", "bye")),
    # decimals and other dresses of numbers
    case(
        "decimal_comma.csv",
        "'size' read as numbers with decimal commas",
        "'price' read as numbers with points between thousands",
        size=number("1.5", "2.25", "3"),
        price=number("1234", "999", "2500"),
    ),
    case(
        "decimal_comma_unclear.csv",
        "'size' holds numbers whose comma or point may mark decimals or thousands",
        size=category("1,500", "2,250"),
        name=category("a", "b"),
    ),
    case(
        "decimal_comma_unclear.csv",
        "decimal commas",
        options={"decimal": ","},
        size=number("1.5", "2.25"),
        name=category("a", "b"),
    ),
    case(
        "decimal_comma_unclear.csv",
        "commas between thousands",
        options={"decimal": "."},
        size=number("1500", "2250"),
        name=category("a", "b"),
    ),
    failure(
        "decimal_comma_unclear.csv", "comma or point may mark", "line 2", "decimal=", kinds={"size": "number"}
    ),
    case(
        "thousands.csv", "commas between thousands", people=number("1234567", "2250"), name=category("a", "b")
    ),
    case("percent.csv", "sign % left out", share=number("12", "7.5"), n=COUNT),
    case("currency.csv", "sign $ left out", pay=number("1200.5", "7"), n=COUNT),
    case("mixed_currency.csv", "different signs", pay=category("$12", "€7"), n=COUNT),
    case("infinities.csv", "2 infinite values", x=number("inf", "-inf", "3.5"), n=number("1", "2", "3")),
    case("leading_zeros.csv", zip=identifier("02134", "90210"), n=COUNT),
    case("leading_zeros.csv", options={"kinds": {"zip": "number"}}, zip=number("2134", "90210"), n=COUNT),
    case("huge_integers.csv", account=identifier("9007199254740993", "9007199254740995"), n=COUNT),
    case(
        "mixed_types.csv",
        "'age' holds 3 numbers and 1 other value, first 'unknown' in row 3 (line 4)",
        age=category("41", "29", "unknown", "35"),
        n=number("1", "2", "3", "4"),
    ),
    failure(
        "mixed_types.csv",
        "column 'age' holds text where numbers are needed",
        "1 of 4 rows, first 'unknown' in row 3 (line 4)",
        "kinds={'age': 'category'}",
        kinds={"age": "number"},
    ),
    case(
        "mixed_types.csv",
        "'unknown' (once) taken as missing",
        options={"missing": {"age": ["unknown"]}},
        age=number("41", "29", None, "35"),
        n=number("1", "2", "3", "4"),
    ),
    case(
        "formula_errors.csv",
        "'#DIV/0!' in row 3 (line 4)",
        "'#N/A' (once)",
        x=category(None, "3", "#DIV/0!", "4"),
        n=number("1", "2", "3", "4"),
    ),
    # rows of the wrong length
    failure("too_many_fields.csv", "too many fields", "line 3 has 3 fields where 2", "quotes around"),
    failure(
        "too_few_fields.csv",
        "too few fields",
        "line 3 has 2 fields where 3 would be right; 2 such",
        "fill",
    ),
    failure("late_bad_row_after_quoted_lines.csv", "too many", "line 5", "quotes"),
    failure("row_names.csv", "too many", "line 2 has 3 fields", "row names"),
    case(
        "row_names.csv",
        options={"names": ["row", "age", "city"], "header": False, "skip_lines": 1},
        row=category("r1", "r2"),
        **FULL,
    ),
    case("trailing_delimiter.csv", "ends in a delimiter", **FULL),
    case("trailing_delimiter_rows_only.csv", "ends in a delimiter", **FULL),
    case("trailing_blank_lines.csv", **FULL),
    case("blank_lines_between.csv", "1 blank line", **FULL),
    case(
        "empty_rows.csv",
        "1 row without any value, first row 2 (line 3)",
        age=number("41", None, "29"),
        city=category("Rome", None, "Oslo"),
    ),
    case("one_column.csv", "1 blank line taken as missing", age=number("41", None, "29")),
    # quotes
    failure("unclosed_quote.csv", "not closed", "line 3", "close it"),
    failure("unclosed_quote_then_another.csv", "not closed", "line 2", "close it"),
    failure("two_unclosed_quotes.csv", "not closed", "line 2", "close it"),
    failure("text_after_quote.csv", "follows a closing quote", "line 2", '""'),
    failure("quote_after_space.csv", "after white space", "line 2", "remove the white space"),
    case(
        "quote_inside.csv",
        "quotes inside values are taken as they stand, first on line 2",
        pipe=category('5" copper', '3" steel'),
        length=number("2", "4"),
    ),
    case("doubled_quotes.csv", said=category('she said "no"', '"'), age=AGES),
    case(
        "quoted_newlines.csv", "line ends, first on line 2", age=AGES, note=category("first\nsecond", "one")
    ),
    # comments and titles
    case("comment_first.csv", "lines 1 to 2 skipped", **FULL),
    failure("comment_or_header.csv", "comment or the header", "line 1", "comment='#'"),
    case("comment_or_header.csv", options={"comment": ""}, **{"#age": AGES, "city": CITIES}),
    failure("comment_inside.csv", "too few", "line 3 has 1 field where", "comment='#'"),
    case("comment_inside.csv", options={"comment": "#"}, **FULL),
    failure(
        "title_first.csv", "not a header", "line 1 has 1 field, 'Report of the year', line 2", "skip_lines=1"
    ),
    case("title_first.csv", options={"skip_lines": 1}, **FULL),
    # names
    failure(
        "duplicate_names.csv", "2 columns are named 'age'", "columns 1, 3", "header=True and names=[...]"
    ),
    case(
        "duplicate_names.csv",
        options={"names": ["a", "b", "c"], "header": True},
        a=AGES,
        b=CITIES,
        c=COUNT,
    ),
    failure(
        "duplicate_names.csv", "whether the file has a header", "header is not", "header=False", names=["a"]
    ),
    failure("duplicate_names.csv", "one name per column", "3 columns", "every", names=["a"], header=True),
    failure("empty_name.csv", "no name", "column 2", "names=[...]"),
    failure("no_header_numbers.csv", "looks like a row", "line 1, column 1: '5.1'", "header=False"),
    failure("no_header_mixed.csv", "looks like a row", "line 1, column 1: '5.1'", "header=False"),
    failure("no_header_words.csv", "looks like a row", "line 1, column 1: 'red'", "header=False"),
    failure("no_header_new_level.csv", "looks like a row", "line 1, column 2: 'red'", "header=False"),
    failure("no_header_counts_up.csv", "may be a row or hold names", "line 1, column 1: '1'", "header=True"),
    case(
        "no_header_mixed.csv",
        options={"header": False},
        column_1=number("5.1", "4.9", "4.7"),
        column_2=number("3.5", "3", "3.2"),
        column_3=category("setosa", "setosa", "other"),
    ),
    case(
        "years_as_names.csv",
        "numbers count up",
        country=category("Italy", "Norway"),
        **{"2019": number("1", "4"), "2020": number("2", "5"), "2021": number("3", "6")},
    ),
    case("white_space.csv", age=number("41", "29", "35"), city=category("Rome", "Oslo", "Rome")),
    # encodings and line ends
    case("bom.csv", **FULL),
    case("utf16.csv", "UTF-16", age=AGES, city=category("Zürich", "Oslo")),
    case("utf16_no_bom.csv", "UTF-16-LE", **FULL),
    case("accents.csv", stadt=category("Zürich", "München"), größe=COUNT),
    failure("latin1.csv", "not UTF-8", "line 3, byte 21 is 0xfc", "encoding='latin-1'"),
    case("latin1.csv", options={"encoding": "latin-1"}, age=AGES, city=category("Rome", "Zürich")),
    failure("latin1.csv", "no encoding 'latin-7x'", "encoding=", "latin-1", encoding="latin-7x"),
    failure("latin1.csv", "not ascii", "line 3, byte 21", "encoding", encoding="ascii"),
    failure("windows_1252.csv", "not UTF-8", "line 2", "encoding='cp1252'"),
    case("windows_1252.csv", "sign €", options={"encoding": "cp1252"}, age=AGES, pay=number("5", "6")),
    failure("nul_bytes.csv", "NUL bytes", "line 3", "encoding"),
    case("crlf.csv", **FULL),
    case("cr.csv", **FULL),
    case("mixed_line_ends.csv", age=number("41", "29", "35"), city=category("Rome", "Oslo", "Rome")),
    case("no_last_newline.csv", **FULL),
    # nothing there, or something else
    failure("empty.csv", "empty", "0 bytes", "check"),
    failure("blank.csv", "empty", "5 bytes", "check"),
    failure("header_only.csv", "no rows", "line 1, 2 columns", "header=False"),
    failure("header_only_no_newline.csv", "no rows", "line 1", "header=False"),
    failure("page.csv", "HTML", "page.csv", "download"),
    failure("records.csv", "json", "records.csv", "json.load"),
    failure("plian.csv", "there is no file", "nasty_files", "did you mean 'plain.csv'"),
    failure("", "this is a folder", "nasty_files", "accents.csv"),
    # contents
    case(
        "booleans.csv",
        "TRUE, True, false taken as false and true",
        a=boolean("yes", "no", "no"),
        b=boolean("true", "false", "true"),
        c=boolean("t", "f", "t"),
        d=number("0", "1", "0"),
        e=boolean("yes", "no", "yes"),
    ),
    case(
        "missing_markers.csv",
        "'age': '?' (once), 'n/a' (once)",
        "'city': 'NA' (once), 'None' (once)",
        age=number("41", None, None, "29"),
        city=category(None, "Oslo", None, None),
    ),
    case(
        "missing_markers.csv",
        options={"missing": {"city": []}},
        age=number("41", None, None, "29"),
        city=category("NA", "Oslo", "None", None),
    ),
    case(
        "missing_markers.csv",
        options={"missing": ["?", "n/a", "Oslo"]},
        age=number("41", None, None, "29"),
        city=category("NA", None, "None", None),
    ),
    case("all_missing.csv", age=number(None, None), city=CITIES),
    case(
        "case_variants.csv", "only in case", sex=category("male", "Male", "female"), n=number("1", "2", "3")
    ),
    case(
        "dates.csv",
        "'day_first' read as dates, day/month/year",
        "'month_first' read as dates, month/day/year",
        "'unclear' holds dates that may be day/month/year or month/day/year",
        iso=date("2024-01-31", "2023-12-01"),
        day_first=date("2024-01-31", "2023-12-01"),
        month_first=date("2024-01-31", "2023-12-01"),
        unclear=category("01/02/2024", "12/01/2023"),
        named=date("2024-01-03", "2023-02-14"),
    ),
    case(
        "impossible_date.csv",
        "first '2024-02-30' in row 1 (line 2)",
        day=category("2024-02-30", "2024-01-01"),
        n=COUNT,
    ),
    failure(
        "impossible_date.csv",
        "dates are needed",
        "1 of 2 rows, first '2024-02-30'",
        "category",
        kinds={"day": "date"},
    ),
]


@pytest.mark.parametrize("expected", CASES, ids=[f"{entry.file}-{k}" for k, entry in enumerate(CASES)])
def test_nasty_file(expected: Case) -> None:
    """Every nasty file gives the right table with a note, or an error in three parts."""
    if expected.fails is not None:
        with pytest.raises(HeldoutError) as caught:
            read_table(FOLDER / expected.file, **expected.options)
        parts = (caught.value.what, caught.value.where, caught.value.fix)
        for words, part in zip(expected.fails, parts, strict=True):
            assert words in part
        return
    table = read_table(FOLDER / expected.file, **expected.options)
    found = {column.name: (column.kind, column.labels()) for column in table.columns}
    assert found == expected.reads
    notes = "\n".join(table.notes)
    for words in expected.notes:
        assert words in notes


def test_every_nasty_file_is_in_the_table() -> None:
    """No file lies in the folder without a line that says what it must give."""
    assert {entry.name for entry in FOLDER.iterdir() if entry.suffix} <= {entry.file for entry in CASES}


def test_type_changes_late(tmp_path: Path) -> None:
    """A column that is numbers up to row 20,000 is not numbers if row 20,001 holds text."""
    path = tmp_path / "late.csv"
    path.write_text("x,y\n" + "".join(f"{k % 97},{k % 5}\n" for k in range(20_000)) + "high,3\n")
    table = read_table(path)
    assert table["x"].kind == "category"
    assert any("first 'high' in row 20,001 (line 20,002)" in note for note in table.notes)


@pytest.mark.slow
def test_line_of_ten_megabytes(tmp_path: Path) -> None:
    """A line longer than Arrow's blocks is read whole."""
    path = tmp_path / "long.csv"
    text = "word " * 2_000_000
    path.write_text(f'x,note\n1,short\n2,"{text}"\n3,end\n')
    table = read_table(path)
    assert table["x"].labels() == ["1", "2", "3"]
    assert table["note"].labels()[1] == text.strip()


@pytest.mark.slow
def test_bad_row_far_down(tmp_path: Path) -> None:
    """The line number is right when blocks of rows come before it, quoted line ends included."""
    path = tmp_path / "far.csv"
    path.write_text("x,note\n" + '1,"two\nlines"\n' * 300_000 + "2,too,many\n")
    with pytest.raises(HeldoutError) as caught:
        read_table(path)
    assert "line 600,002 has 3 fields" in caught.value.where


@pytest.mark.slow
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_across_blocks(tmp_path: Path, line_end: str) -> None:
    """Line ends of every sort are line ends also where Arrow's blocks meet."""
    path = tmp_path / "ends.csv"
    path.write_bytes(("x,city" + line_end + f"12345,Rome{line_end}67890,Oslo{line_end}" * 400_000).encode())
    table = read_table(path)
    assert table.n_rows == 800_000
    assert table["x"].values[-1] == 67890.0
    assert table["city"].levels == ("Oslo", "Rome")


def test_gzip(tmp_path: Path) -> None:
    """A gzip file is read like what it packs, and a cut one is refused."""
    packed = gzip.compress((FOLDER / "plain.csv").read_bytes() * 50)
    whole, cut = tmp_path / "plain.csv.gz", tmp_path / "cut.csv.gz"
    whole.write_bytes(gzip.compress((FOLDER / "plain.csv").read_bytes()))
    cut.write_bytes(packed[:-20])
    assert read_table(whole).digest == read_table(FOLDER / "plain.csv").digest
    with pytest.raises(HeldoutError) as caught:
        read_table(cut)
    assert "not complete" in caught.value.what
    assert "cut.csv.gz" in caught.value.where


def test_zip_named_csv(tmp_path: Path) -> None:
    """A zip archive or workbook with the wrong name is refused, and the right name given."""
    path = tmp_path / "book.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(HeldoutError) as caught:
        read_table(path)
    assert "zip archive or an Excel workbook" in caught.value.what
    assert ".xlsx" in caught.value.fix


def test_level_order_does_not_depend_on_rows(tmp_path: Path) -> None:
    """The same values in another order of rows have the same levels."""
    forward, backward = tmp_path / "a.csv", tmp_path / "b.csv"
    forward.write_text("x,y\nb,1\na,2\nc,3\nc,4\n")
    backward.write_text("x,y\nc,4\nc,3\na,2\nb,1\n")
    assert read_table(forward)["x"].levels == read_table(backward)["x"].levels == ("a", "b", "c")


@pytest.mark.slow
def test_unclosed_quote_far_down(tmp_path: Path) -> None:
    """A quote that is not closed is found with its line, however many sound ones come before it."""
    path = tmp_path / "far.csv"
    sound = '"a ""b"", c",1\n' * 200_000
    path.write_text("note,n\n" + sound)
    assert read_table(path)["note"].levels == ('a "b", c',)
    path.write_text("note,n\n" + sound + '"open,2\n' + sound)
    with pytest.raises(HeldoutError) as caught:
        read_table(path)
    assert "not closed" in caught.value.what
    assert "line 200,002" in caught.value.where
