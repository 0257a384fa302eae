"""What print(table) shows."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from heldout.table.column import KINDS, Column, category_column
from heldout.table.table import Table
from heldout.text.layout import align_cells, note_lines
from heldout.text.words import plural, shorten


def test_print_shows_kind_missing_levels_and_reason() -> None:
    """Each column has a line with its kind, missing values, number of levels, and why."""
    table = Table(
        [
            Column("age", "number", np.array([41.0, np.nan]), reason="every value is a number"),
            category_column("wind", ["weak", "strong"]),
        ],
        notes=["'?' was read as missing"],
    )
    assert str(table).splitlines() == [
        "Table: 2 rows, 2 columns",
        "  column  kind      missing  levels  why",
        "  age     number    1                every value is a number",
        "  wind    category  0        2       as requested",
        "  - '?' was read as missing",
    ]


def test_description_is_plain_data() -> None:
    """The description becomes a dictionary that JSON can hold."""
    table = Table([category_column("wind", ["weak", None])], notes=["a note"])
    facts = json.loads(json.dumps(table.describe().as_dict()))
    assert facts == {
        "n_rows": 2,
        "columns": [{"name": "wind", "kind": "category", "n_missing": 1, "n_levels": 1, "reason": ""}],
        "notes": ["a note"],
    }


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=90), st.text(max_size=200)), max_size=5),
    st.text(max_size=300),
)
def test_print_fits_eighty_characters(columns: list[tuple[str, str]], note: str) -> None:
    """Whatever names, reasons and notes are, no line is longer than 80 characters."""
    distinct = dict(columns)
    table = Table(
        [
            Column(name, KINDS[0], np.zeros(3) if KINDS[0] == "number" else np.array([]), reason=reason)
            for name, reason in distinct.items()
        ],
        notes=[note],
    )
    assert max(len(line) for line in str(table).splitlines()) <= 80


def test_a_wide_table_is_cut_and_its_description_is_not() -> None:
    """print counts the columns it leaves out; to_text shows all of them."""
    table = Table([Column(f"x{position}", "number", np.zeros(1)) for position in range(100)])
    assert str(table).splitlines()[-1] == "  … and 40 more columns"
    assert len(str(table.describe().to_text()).splitlines()) == 102


def test_words_for_counts_and_lines() -> None:
    """Counted nouns, shortened names, wrapped notes and aligned cells read as they should."""
    assert plural(1, "row") == "1 row"
    assert plural(0, "class", "classes") == "0 classes"
    assert shorten("a\nb\x1b[31m", 10) == "a�b�[31m"
    assert shorten("abcdef", 4) == "abc…"
    assert note_lines(["word " * 20])[1].startswith("    word")
    assert align_cells([("a", "b"), ("long", "c")]) == ["  a     b", "  long  c"]
