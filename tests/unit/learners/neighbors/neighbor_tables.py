"""Small tables for neighbors: few distinct values, so that ties and duplicates abound."""

import numpy as np
from hypothesis import strategies as st

from heldout import Table
from heldout.table.column import Column, category_column

NUMBER_METRICS = ["l2", "l1", "linf", "cosine", "hamming"]
GRID = st.sampled_from([-2.0, -1.0, 0.0, 0.1, 0.5, 1.0, 3.0])
WEIGHTINGS = st.sampled_from(
    [
        {"weights": "uniform"},
        {"weights": "inverse"},
        {"weights": "gaussian"},
        {"weights": "gaussian", "bandwidth": 0.7},
        {"weights": lambda distances: 1 / (1 + distances * np.arange(1, distances.shape[1] + 1))},
    ]
)


@st.composite
def number_rows(draw, least=2, most=12):
    """An array with many equal values."""
    n_rows, n_columns = draw(st.integers(least, most)), draw(st.integers(1, 3))
    cells = draw(st.lists(GRID, min_size=n_rows * n_columns, max_size=n_rows * n_columns))
    return np.array(cells).reshape(n_rows, n_columns)


@st.composite
def mixed_tables(draw, least=2, most=10, has_gaps=True):
    """A table of a number, two categories and a boolean, with gaps, and the same rows as lists."""
    n_rows = draw(st.integers(least, most))
    gap = [None] if has_gaps else []

    def cells(values):
        return draw(st.lists(st.sampled_from([*values, *gap]), min_size=n_rows, max_size=n_rows))

    size, shape, color, paid = (
        cells([0.0, 1.0, 2.5, 7.0]),
        cells("abc"),
        cells(["red", "blue"]),
        cells(["no", "yes"]),
    )
    table = Table(
        [
            category_column("shape", shape),
            Column("size", "number", np.array([np.nan if value is None else value for value in size])),
            category_column("color", color),
            boolean("paid", paid),
        ]
    )
    return table, [list(row) for row in zip(shape, size, color, paid, strict=True)]


def boolean(name, words):
    """A column of yes and no."""
    codes = [-1 if word is None else int(word == "yes") for word in words]
    return Column(name, "boolean", np.array(codes, dtype=np.int32), ("no", "yes"))


@st.composite
def answers_for(draw, n_rows, is_regression):
    """Classes or numbers."""
    values = st.sampled_from([0.0, 0.1, 1.5, -3.0]) if is_regression else st.sampled_from("xyz")
    return np.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)))
