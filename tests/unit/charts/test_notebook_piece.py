"""What a notebook shows of results: words, tables and pictures that stay inside their own cell."""

from __future__ import annotations

import heldout as ho
from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.stats.interval import Interval

from ..read_html import read

HOSTILE = "<script>alert(1)</script>\"'&"


def test_hostile_names_are_text() -> None:
    """A name full of markup makes no element, and can be read as it is."""
    piece = NotebookPiece(HOSTILE, (HOSTILE,), (HOSTILE,), (HOSTILE,), ((HOSTILE,),), HOSTILE, words=HOSTILE)
    found = read(piece_html(piece))
    assert "script" not in {tag for tag, _ in found.elements}
    assert found.texts.count(HOSTILE) == 7


def test_no_rule_reaches_outside() -> None:
    """Every rule of the style is for the piece itself."""
    html = piece_html(NotebookPiece("Table", headings=("a",), rows=(("1",),)))
    name = read(html).elements[0][1]["id"]
    style = html[html.index("<style>") + 7 : html.index("</style>")]
    rules = [
        line.split("{")[1] if line.startswith("@media") else line.split("{")[0] for line in style.split("\n")
    ]
    assert all(f"#{name}" in part for rule in rules for part in rule.split(","))


def test_a_table_shows_its_columns() -> None:
    """A table of data shows names, kinds and gaps, and no value of a row."""
    table = ho.read_table({"age": [41.25, None, 29.5], "town": ["Ulm", "Bonn", "Ulm"]})
    texts = read(table._repr_html_()).texts
    assert "Table: 3 rows, 2 columns" in texts
    assert {"age", "number", "town", "category"} <= set(texts)
    assert "41.25" not in " ".join(texts)


def test_a_result_shows_its_picture_and_its_words() -> None:
    """An interval shows its picture, and its sentence behind a fold."""
    interval = Interval("accuracy", 0.9, 0.85, 0.94, method="Wilson", n_rows=100)
    html = interval._repr_html_()
    assert interval.to_svg() in html
    assert str(interval) in " ".join(read(html).texts)
