"""Text that can be read in more than one way: it is asked for, or kept as it is with a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heldout.errors import HeldoutError, RequestError
from heldout.table.read_table import read_table

POINTS = "price;name\n1.234;a\n234;b\n3.456;c\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("a:b\n1:x\n2:y\n", {}, ("separated by ':'", "from line 1 on, every line holds it once", "':'")),
        ("a~b~c\n1~x~3\n", {}, ("separated by '~'", "every line holds it 2 times", "delimiter='~'")),
        ("Ann,f,yes\nBob,m,no\nCy,f,yes\nDi,f,no\n", {}, ("looks like a row", "column 2: 'f'", "header=")),
        ("yes,no\nno,yes\nyes,yes\n", {}, ("looks like a row", "column 1: 'yes'", "header=False")),
        ("Italy,1950,2001\nFrance,1960,2003\n", {}, ("looks like a row", "column 2: '1950'", "header=False")),
        ("a^b\n1^x\n", {}, ("separated by '^'", "line 1", "delimiter='^'")),
        ("a\x01b\n1\x01x\n", {}, ("separated by '\\x01'", "line 1", "delimiter='\\x01'")),
        ("a::b\n1::x\n", {}, ("separated by '::'", "holds it once", "replace '::' by a tab")),
        ("a¦b\n1¦x\n", {}, ("separated by '¦'", "line 1", "replace '¦' by a tab")),
        ('"a,b,c"\n"1,x,3"\n', {}, ("whole lines are quoted", "holds ',' 2 times", "remove the quotes")),
        (
            "name       town\nJohn Smith Ghent\nAnna Lee   Rome\n",
            {},
            ("columns of fixed width", "every line has a blank at character 5", "pandas.read_fwf"),
        ),
        ("a,b\n1,5,2\n3,7,4\n", {}, ("too many", "2 such rows", "if numbers have decimal commas")),
        ("a,b,,\n1,2,3,4\n", {}, ("no name", "columns 3, 4", "header=True and names=[...]")),
        (
            "a,b\n1,2\n",
            {"encoding": "utf-16"},
            ("not utf-16", "none of its 8 bytes is NUL", "leave encoding="),
        ),
        (
            "a,b\nZürich,1\nŒuf,2\nx".encode() + b"\xff,3\n",
            {},
            ("UTF-8 with damage", "line 4, byte 22 is 0xff", "mend it there; 2 other characters"),
        ),
        (
            "rate,n\n5%,1\n0.06,2\n7%,3\n",
            {"kinds": {"rate": "number"}},
            ("the sign % and without it", "1 of 3 rows, first '0.06' in row 2 (line 3)", "in every row"),
        ),
        (POINTS, {"kinds": {"price": "number"}}, ("decimals or thousands", "3 of 3 rows", "decimal=','")),
        (
            "day,n\n20240131,1\n20240230,2\n20240301,3\n",
            {"kinds": {"day": "date"}},
            ("dates are needed", "1 of 3 rows, first '20240230' in row 2 (line 3)", "category"),
        ),
        (
            "day,n\n2024-01-31,1\n31/01/2024,2\n",
            {"kinds": {"day": "date"}},
            ("dates are needed", "1 of 2 rows, first '31/01/2024' in row 2", "category"),
        ),
    ],
)
def test_asked_for(
    tmp_path: Path, text: str | bytes, options: dict[str, Any], words: tuple[str, str, str]
) -> None:
    """What would be misread is refused in three parts."""
    with pytest.raises(HeldoutError) as caught:
        read_table(written(tmp_path, text), **options)
    for word, part in zip(words, (caught.value.what, caught.value.where, caught.value.fix), strict=True):
        assert word in part


@pytest.mark.parametrize(
    ("text", "options", "kind", "labels", "note"),
    [
        ("a:b\n1:x\n2:y\n", {"delimiter": ":"}, "number", ["1", "2"], ""),
        ('"a,b"\n"1,x"\n', {"delimiter": "|"}, "category", ["1,x"], ""),
        ("full name\nJohn Smith\nJane Smith\n", {}, "category", ["John Smith", "Jane Smith"], ""),
        ("time\n10:30\n11:40\n", {}, "category", ["10:30", "11:40"], ""),
        ("a,b,,\n1,2,,\n3,4,,\n", {}, "number", ["1", "3"], "the last 2 columns have no name and no value"),
        ("a,b\n012 345,x\n123 456,y\n", {}, "identifier", ["012 345", "123 456"], ""),
        ("a,b\n0'123,x\n1'234,y\n", {}, "identifier", ["0'123", "1'234"], ""),
        ("a,b\n007%,x\n012%,y\n", {}, "identifier", ["007%", "012%"], ""),
        ("a;b\n0,5;x\n0,0;y\n", {}, "number", ["0.5", "0"], "decimal commas"),
        ("a,b\n5%,x\n0.06,y\n", {}, "category", ["5%", "0.06"], "sign %, and 1 of 2 values without it"),
        ("a,b\n$5,x\n6,y\n", {}, "category", ["$5", "6"], "first in row 2 (line 3), and is kept as category"),
        (POINTS, {}, "category", ["1.234", "234", "3.456"], "whose point may mark decimals or thousands"),
        (POINTS, {"decimal": ","}, "number", ["1234", "234", "3456"], "points between thousands"),
        (POINTS, {"decimal": "."}, "number", ["1.234", "234", "3.456"], ""),
        ("a;b\n1.234;1.5\n2.345;2\n", {}, "number", ["1.234", "2.345"], "the file has decimal points"),
        ("a;b\n1.234;1,5\n2.345;2\n", {}, "number", ["1234", "2345"], "the file has decimal commas"),
        (
            "a;b\n1.234;1,5\n2.345;2\n",
            {"kinds": {"a": "number"}},
            "number",
            ["1234", "2345"],
            "'a' read as numbers with points between thousands",
        ),
        ("a,b\n1.234,x\n2.345,y\n", {}, "number", ["1.234", "2.345"], ""),
        (
            "a;b\n1,5;x\n1.500;y\n",
            {},
            "number",
            ["1.5", "1500"],
            "'a' read as numbers with decimal commas and points between thousands",
        ),
        ("a,b\n1.234,x\n3.456.789,y\n", {}, "number", ["1234", "3456789"], "points between thousands"),
        ("a,b\n+32475123456,x\n+32475123457,y\n", {}, "identifier", ["+32475123456", "+32475123457"], ""),
        ("a,b\n12E4,x\n7,y\n", {}, "number", ["120000", "7"], "'12E4' is read as the number 120000"),
        (
            "a,b\n2024-01-31,x\n31/01/2024,y\n",
            {},
            "category",
            ["2024-01-31", "31/01/2024"],
            "in more than one spelling, as '2024-01-31' and '31/01/2024', which is in row 2 (line 3)",
        ),
        ("a,b\nZü,1\n", {"encoding": "latin-1"}, "category", ["ZÃ¼"], "sound UTF-8, and is read as latin-1"),
        ('a,b\n"1,500",1.5\n"2,250",2\n', {}, "number", ["1500", "2250"], "decimal points"),
        ('a,b\n"$1,500",0.250\n"$2,250",0.125\n', {}, "number", ["1500", "2250"], "the sign $ left out"),
        ('a,b\n"1,500",1.500\n"2,250",2.125\n', {}, "category", ["1,500", "2,250"], "decimals or thousands"),
        ("country,2010,2020\nItaly,1,2\nNorway,3,4\n", {}, "category", ["Italy", "Norway"], "like years"),
        ("color,size\ncolor,red\nblue,green\n", {}, "category", ["color", "blue"], "'color' is also a value"),
        ("a,b\n1,x\nunknown,y\n", {}, "category", ["1", "unknown"], "1 number and 1 other value"),
    ],
)
def test_read_with_a_note(
    tmp_path: Path, text: str, options: dict[str, Any], kind: str, labels: list[str], note: str
) -> None:
    """The first column is read the one right way, or kept as it stands and said so."""
    table = read_table(written(tmp_path, text), **options)
    assert (table.columns[0].kind, table.columns[0].labels()) == (kind, labels)
    assert note in "\n".join(table.notes)


def test_points_between_thousands_do_not_claim_decimal_commas(tmp_path: Path) -> None:
    """A column of 1.234 and 3.456.789 says nothing about decimals."""
    table = read_table(written(tmp_path, "a,b\n1.234,x\n3.456.789,y\n"))
    assert not any("decimal" in note for note in table.notes)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("header", 0),
        ("header", 3),
        ("header", "infer"),
        ("skip_lines", -1),
        ("skip_lines", True),
        ("day_first", "yes"),
        ("encoding", 3),
        ("comment", 3),
        ("names", "ab"),
    ],
)
def test_options_have_the_values_they_have(tmp_path: Path, option: str, value: Any) -> None:
    """A value that an option does not have is refused, and what it may be is said."""
    with pytest.raises(RequestError) as caught:
        read_table(written(tmp_path, "a,b\n1,2\n"), **{option: value})
    assert caught.value.what.startswith(f"{option}= is ")
    assert caught.value.where == f"{option}={value!r}"
    assert f"say {option}=" in caught.value.fix
