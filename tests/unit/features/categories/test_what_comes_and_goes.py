"""What the steps for categories need of the forms in which X comes and goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from heldout import Column, DataError, FillMissing, OneHot, Table, datasets
from heldout.features.transformer_outputs import unique_names
from heldout.table.column import category_column

NAMES = st.sampled_from(["a", "b", "a (2)", "a = b", "a (2) (2)"])


@given(
    sources=st.lists(NAMES, unique=True, max_size=4),
    others=st.lists(NAMES, unique=True, max_size=3),
    made=st.lists(st.lists(NAMES, max_size=4), min_size=4, max_size=4),
)
def test_made_names_are_distinct(sources: list[str], others: list[str], made: list[list[str]]) -> None:
    """Names meet neither each other nor those that pass, and what keeps the name of its source has it."""
    sources = [name for name in sources if name not in others]
    wanted = made[: len(sources)]
    found = unique_names(wanted, sources, others)
    flat = [name for names in found for name in names]
    assert len({*flat, *others}) == len(flat) + len(others)
    assert [len(names) for names in found] == [len(names) for names in wanted]
    for source, before, after in zip(sources, wanted, found, strict=True):
        assert (source in before) <= (source in after)
        assert all(new.startswith(old) for old, new in zip(before, after, strict=True))


def test_a_sparse_matrix_after_a_table_of_words_is_refused() -> None:
    """A sparse matrix has no words, and says so in three parts."""
    step = FillMissing().fit(np.array([["a", 1.0], ["b", 2.0]], dtype=object))
    with pytest.raises(DataError, match="column 'x0' was a category at fit"):
        step.transform(csr_array(np.eye(2)))


def test_infinity_among_objects_is_refused() -> None:
    """An infinite number in an array of objects is refused after fit too."""
    step = FillMissing().fit(np.array([["a", 1.0], ["b", 2.0]], dtype=object))
    with pytest.raises(DataError, match="infinity"):
        step.transform(np.array([["a", np.inf]], dtype=object))


def test_steps_follow_each_other_on_a_mixed_table() -> None:
    """Gaps become a level of their own, which has a column; nothing else is lost."""
    table = Table(
        [category_column("w", ["a", None, "b"]), Column("n", "number", np.array([1.0, np.nan, 3.0]))]
    )
    filled = FillMissing(categories="constant", indicators=True).fit_transform(table)
    found = OneHot().fit_transform(filled)
    assert found.names == ("w = a", "w = b", "w = missing", "w is missing", "n", "n is missing")
    assert found["w = missing"].labels() == found["w is missing"].labels() == ["0", "1", "0"]
    assert set(found.kinds.values()) == {"number"}


def test_a_frame_after_an_array_is_named_as_the_array() -> None:
    """What was learned of an array keeps the names of its columns."""
    penguins = datasets.load("penguins").select(["bill_length_mm"])
    step = OneHot().fit(np.array([[39.1], [40.3]]))
    with pytest.warns(UserWarning, match="X has feature names|no training row had"):
        found = step.transform(penguins[[0]])
    assert found.names == ("x0 = 39.1", "x0 = 40.3")
    assert found["x0 = 39.1"].labels() == ["1"]
