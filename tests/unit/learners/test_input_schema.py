"""What is remembered of the columns of an array."""

from __future__ import annotations

import pickle

import numpy as np

from heldout.inputs.input_schema import InputColumn, InputSchema, numbers_schema


def test_the_schema_of_an_array_is_that_of_its_columns() -> None:
    """All that is asked of a schema is answered as if its columns had been made one by one."""
    made, plain = numbers_schema(3), InputSchema(tuple([InputColumn(f"x{place}") for place in range(3)]))
    for schema in (made, pickle.loads(pickle.dumps(made))):
        assert schema.names == plain.names == ["x0", "x1", "x2"]
        assert schema.n_columns == plain.n_columns == 3
        assert schema.kinds == plain.kinds == {"number"}
        assert schema.number_of.tolist() == plain.number_of.tolist()
        assert schema.number_of.dtype == plain.number_of.dtype == np.int32
        assert schema.n_categories == plain.n_categories == 0
        assert schema.word_positions == plain.word_positions == ()
        assert [vars(column) for column in schema.columns] == [vars(column) for column in plain.columns]


def test_columns_of_an_array_are_made_only_where_they_are_asked_for() -> None:
    """How many there are and what they are called takes none of them, and no caller can change the names."""
    schema = numbers_schema(50_000)
    schema.names.clear()
    assert (schema.n_columns, len(schema.names), schema.names[-1]) == (50_000, 50_000, "x49999")
    assert "columns" not in vars(schema)
    assert schema.columns[7].name == "x7"
    assert schema.columns is schema.columns
