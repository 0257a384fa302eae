"""What the reader noticed in held rows: the study file and its page do not quote it."""

from __future__ import annotations

from pathlib import Path

import pytest

import heldout as ho
from heldout.report.render import render
from heldout.report.summarize import summarize
from heldout.study.files.task_roles import without_example

# The rows of the latest days are held, and these stand in the last one; of the phones each is one of a row.
HELD_ONLY = ("77x5", "2024-99-99", "HeldTown", "987654.5", "+4900000000")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in time of a file whose last row has what no other has."""
    folder = tmp_path_factory.mktemp("held")
    lines = ["day,price,date,town,size,phone,y"]
    for row in range(60):
        day = f"2024-{row // 28 + 1:02d}-{row % 28 + 1:02d}"
        phone = f"+49000000{59 - row:02d}"
        cells = (f"{row % 7}.5", day, ("Ulm", "Bonn")[row % 2], f"{row % 5}.25")
        if row == 59:
            cells = HELD_ONLY[:4]
        lines.append(",".join((day, *cells, phone, ("no", "yes")[row % 3 == 0])))
    lines[1], lines[-1] = lines[-1], lines[1]  # what is noticed first is held
    (folder / "rows.csv").write_text("\n".join(lines) + "\n")
    found = folder / "rows.heldout"
    contenders = (ho.Contender("tree", ho.TreeClassifier()), ho.Contender("guess", ho.BaselineClassifier()))
    with ho.Study.create(found, folder / "rows.csv", "y", time="day", seed=1) as study:
        assert 0 in study.seal.held_rows
        study.run(ho.Plan(contenders, ho.KFold(3), ho.KFold(2)), n_jobs=1, progress=False)
    return found


def test_the_reader_saw_them(path: Path) -> None:
    """The notes of the table itself quote the strange values, so that there is something to keep back."""
    table = ho.read_table(path.with_suffix(".csv"))
    said = " ".join([*table.notes, *(table[name].reason for name in table.names)])
    assert "77x5" in said
    assert "2024-99-99" in said


def test_neither_file_nor_page_quotes_them(path: Path) -> None:
    """No value that only held rows have stands in the study file or on the page; what was noticed does."""
    with ho.Study.open(path) as study:
        page = render(summarize(study.ledger))
    content = path.read_bytes()
    assert [word for word in HELD_ONLY if word in page or word.encode() in content] == []
    assert "59 numbers and 1 other value" in page


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("column 'd' holds dates in more than one spelling, as '1.2.20' and '2/1/20', which …", "spelling"),
        ("column 'c': '12E4' is read as the number 120000; kinds={'c': 'identifier'} keeps codes", "codes"),
        ("a plus sign before many digits, as in '+49123': a phone number, not a quantity", "digits"),
        ("the file has decimal commas; decimal='.' or decimal=',' overrides", "overrides"),
    ],
)
def test_examples_are_cut(said: str, kept: str) -> None:
    """Of every sentence that quotes a value the rest stays; one that quotes none stays whole."""
    found = without_example(said)
    assert found.endswith(kept)
    assert not any(value in found for value in ("1.2.20", "12E4", "120000", "+49123"))
