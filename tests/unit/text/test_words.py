"""Words in sentences: counted nouns, lists of names, what was meant, what is cut."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.text.layout import WIDTH, align_cells, note_lines
from heldout.text.words import (
    first_few,
    first_of_rows,
    join_names,
    nearest_name,
    plural,
    quote,
    short_repr,
    shorten,
    suggestion,
    times,
)


@pytest.mark.parametrize(
    ("names", "joined"),
    [
        ([], ""),
        (["tree"], "tree"),
        (["tree", "rules"], "tree and rules"),
        (["tree", "rules", "forest"], "tree, rules and forest"),
        (list("abcdefgh"), "a, b, c, d, e, f and 2 more"),
    ],
)
def test_names_are_joined(names: list[str], joined: str) -> None:
    """Names have commas and an "and"; of many the others are counted."""
    assert join_names(names) == joined


def test_all_names_are_joined_where_none_may_be_left_out() -> None:
    """Without a limit every name is there, with the word that was requested before the last."""
    assert join_names(list("abcdefgh"), "or", most=None) == "a, b, c, d, e, f, g or h"


def test_the_first_of_many_items_are_shown() -> None:
    """Items have commas and no "and", and what is not shown is counted."""
    assert first_few([1, 2, 3]) == "1, 2, 3"
    assert first_few(range(1200), 2) == "0, 1 and 1,198 more"


def test_counted_nouns() -> None:
    """One is singular, others plural, and thousands are separated."""
    assert [plural(1, "row"), plural(1200, "row"), plural(2, "class", "classes")] == [
        "1 row",
        "1,200 rows",
        "2 classes",
    ]
    assert [times(1), times(3000)] == ["once", "3,000 times"]


def test_the_name_that_was_meant() -> None:
    """A near name is found whatever the case of its letters, and none where none is near."""
    assert nearest_name("PIRCE", ["price", "City"]) == "price"
    assert nearest_name("CITY", ["price", "City"]) == "City"
    assert nearest_name("x", ["price", "City"]) is None
    assert suggestion("pirce", ["price", "city"]) == "did you mean 'price'?"
    assert suggestion("x", ["price", "city"]) == "it is one of 'price', 'city'"


def test_what_is_long_is_cut() -> None:
    """Values and texts keep to their width, and show that they were cut."""
    assert short_repr("a" * 100, 12) == "'aaaaaaaa..."
    assert quote("a" * 100, 12) == "'aaaaaaaaa...'"
    assert shorten("two\nlines", 20) == "two�lines"
    assert shorten("abcdef", 4) == "abc…"


def test_rows_that_a_mask_marks() -> None:
    """The count and the first row, counted from 1."""
    assert first_of_rows(np.array([False, True, True]), "'n/k'") == "2 of 3 rows, first 'n/k' in row 2"


def test_lines_fit_a_terminal() -> None:
    """Notes are wrapped under their dash, and the last cell under itself."""
    notes = note_lines(["word " * 40])
    assert notes[0].startswith("  - word")
    assert notes[1].startswith("    word")
    cells = align_cells([("age", "number", "why " * 40), ("a longer name", "date", "so")])
    assert cells[-1] == "  a longer name  date    so"
    assert max(map(len, notes + cells)) <= WIDTH
