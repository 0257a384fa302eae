"""A line for each column that a transformer acts on, as its text shows them."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.features.forms.short_lists import WIDTH, short_list
from heldout.learners.trees.tree_text import shown_label
from heldout.table.describe import plural, shortened

MOST_COLUMNS = 20


def column_lines(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The names with what is said of each, under each other; of many columns the first ones.

    >>> print("\\n".join(column_lines(["age", "income"], ["x / 3", "x / 40"])))
    age     x / 3
    income  x / 40
    """
    shown = [shortened(shown_label(name), 40) for name in names[:MOST_COLUMNS]]
    width = max(map(len, shown), default=0)
    lines = [f"{name.ljust(width)}  {text}" for name, text in zip(shown, texts, strict=False)]
    n_more = len(names) - len(shown)
    return lines + [f"… and {plural(n_more, 'more column')}"] * (n_more > 0)


def room_beside(names: Sequence[str]) -> int:
    """How many characters a line of `column_lines` has left for what is said.

    >>> room_beside(["age", "income"])
    102
    """
    return (
        WIDTH - 2 - max((len(shortened(shown_label(name), 40)) for name in names[:MOST_COLUMNS]), default=0)
    )


def listed_columns(names: Sequence[str]) -> str:
    """How many columns there are, and their names; of many the first ones.

    >>> listed_columns(["age", "income"]), listed_columns([])
    ('2 columns: age, income', 'no column')
    """
    if not names:
        return "no column"
    # Half of a line is left for the words before it.
    listed = short_list([shown_label(name) for name in names], WIDTH // 2)
    return f"{plural(len(names), 'column')}: {listed}"
