"""SQL: large trees, exact numbers, hostile names, and what is refused."""

from __future__ import annotations

import dataclasses
import datetime
import math
import random
import sqlite3
import struct
from typing import Any

import duckdb
import numpy as np
import pytest

import heldout as ho
from heldout.inputs.input_schema import InputSchema
from heldout.models.sql_conditions import joined, number_literal
from heldout.table.column import category_column

from .model_samples import deep_tree
from .reference_predictions import assert_same
from .run_exports import sql_predictions


def engines() -> list[Any]:
    return [sqlite3.connect(":memory:"), duckdb.connect()]


def large_problem(n_rows: int = 2_200) -> tuple[ho.TreeClassifier, list[dict[str, Any]]]:
    """A classifier of more than a thousand leaves, and rows with gaps and with words it never saw."""
    draw = np.random.default_rng(3)
    numbers = np.round(draw.normal(size=(n_rows, 3)), 3)
    words = draw.choice([f"town {k}" for k in range(30)], n_rows)
    numbers[draw.random((n_rows, 3)) < 0.05] = np.nan
    columns = [ho.Column(f"n{k}", "number", numbers[:, k]) for k in range(3)]
    table = ho.Table([*columns, category_column("town", words.tolist())])
    classes = np.array(["a", "b", "c", "d"])[draw.integers(0, 4, n_rows)]
    tree = ho.TreeClassifier.cart(prune=None, missing="node_mode", categorical_splits="multiway")
    tree.fit(table, classes)
    rows = []
    for k in range(min(n_rows, 300)):
        row = {f"n{j}": float(numbers[k, j]) for j in range(3)} | {"town": str(words[k])}
        if k % 3 == 0:
            row["town"] = random.Random(k).choice([None, "elsewhere", "town 3"])
        rows.append({name: None if value != value else value for name, value in row.items()})
    return tree, rows


TYPES = {"n0": "DOUBLE", "n1": "DOUBLE", "n2": "DOUBLE", "town": "VARCHAR"}


@pytest.mark.slow
def test_a_thousand_leaves_run_in_both_databases() -> None:
    """A tree of more than 1,000 leaves answers as the tree, missing values and new words included."""
    tree, rows = large_problem()
    assert tree.n_leaves_ > 1_000
    for connection in engines():
        answers = sql_predictions(connection, TYPES, tree, rows, max_length=5_000_000)
        assert_same(tree, rows, answers)


@pytest.mark.slow
def test_shares_of_rows_run_in_both_databases() -> None:
    """Rows that are split among many leaves get the sum over the leaves of products of shares."""
    tree, rows = large_problem(250)
    tree.tree_ = dataclasses.replace(tree.tree_, splits_unknown=True)
    assert tree.n_leaves_ > 60
    for connection in engines():
        assert_same(tree, rows, sql_predictions(connection, TYPES, tree, rows, max_length=5_000_000))


@pytest.mark.slow
def test_a_statement_that_is_too_long_is_refused() -> None:
    """Past the stated length the error names it and offers another format."""
    tree, _ = large_problem()
    tree.tree_ = dataclasses.replace(tree.tree_, splits_unknown=True)
    with pytest.raises(ho.RequestError, match="letters, and 1,000,000 are allowed") as caught:
        ho.export(tree, "sql")
    assert '"python"' in caught.value.fix
    assert "paths through the tree" in caught.value.where


@pytest.mark.slow
def test_a_tree_of_three_thousand_levels_runs() -> None:
    """Conditions of one column are merged, so depth makes no statement deep."""
    tree = deep_tree(3_000)
    rows = [{"x0": value} for value in (None, -5.0, 0.5, 7.0, 2_998.5, 2_998.6, 1e9)]
    for connection in engines():
        answers = sql_predictions(connection, {"x0": "DOUBLE"}, tree, rows, max_length=10_000_000)
        assert_same(tree, rows, answers)


@pytest.mark.slow
def test_numbers_are_read_back_exactly() -> None:
    """Whatever the double, both databases read the literal as that double."""
    draw = random.Random(4)
    numbers = [0.1, 2.45, 42.349999999999994, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 1e23, -1 / 3]
    numbers += [struct.unpack("<d", draw.randbytes(8))[0] for _ in range(2_000)]
    numbers += [round(draw.uniform(-1000, 1000), draw.randint(0, 12)) for _ in range(3_000)]
    numbers = [number for number in numbers if math.isfinite(number)]
    for connection in engines():
        for begin in range(0, len(numbers), 500):
            part = numbers[begin : begin + 500]
            read = connection.execute(f"SELECT {', '.join(map(number_literal, part))}").fetchone()
            assert list(read) == part


def test_short_numbers_stay_readable() -> None:
    """A threshold of few digits is written as it is."""
    assert [number_literal(number) for number in (2.45, 28.5, 1e-7, -3.0)] == [
        "2.45e0",
        "28.5e0",
        "1e-07",
        "-3e0",
    ]


def test_long_chains_are_bracketed() -> None:
    """No chain has a thousand links, and every part is in it."""
    text = joined([f"{number}e0" for number in range(5_000)], "+")
    for connection in engines():
        assert connection.execute(f"SELECT {text}").fetchone()[0] == sum(range(5_000))


def test_text_and_whole_numbers_are_compared_as_doubles() -> None:
    """A number stored as text, or beyond 2^53, is compared as the tree compares it."""
    tree = ho.TreeClassifier.cart(prune=None).fit([[9.0], [28.0], [2.0**53], [2.0**53 + 4]], [0, 1, 2, 3])
    connection = sqlite3.connect(":memory:")
    rows = [{"x0": "9"}, {"x0": "28"}, {"x0": "100"}]
    answers = sql_predictions(connection, {"x0": "TEXT"}, tree, rows)
    assert [answer for answer, _ in answers] == [0, 1, 1]
    for fresh in engines():
        rows = [{"x0": 2**53 + 1}, {"x0": 2**53 + 3}, {"x0": 2**53 + 2}]
        answers = sql_predictions(fresh, {"x0": "BIGINT"}, tree, rows)
        floats = [[float(row["x0"])] for row in rows]
        assert [answer for answer, _ in answers] == tree.predict(floats).tolist()


def test_a_column_that_is_not_there_is_an_error() -> None:
    """SQLite takes a lone unknown name in quotes for a string; ours is never alone."""
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], ["a", "b"])
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (other REAL)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(ho.export(tree, "sql"))


def test_dates_are_compared_to_the_microsecond() -> None:
    """Days, moments with and without a T, and fractions of a second are told apart at a threshold."""
    start = datetime.datetime(2020, 2, 28, 10)
    moments = [start + datetime.timedelta(microseconds=k) for k in (0, 1, 2, 3)]
    epoch = datetime.datetime(1970, 1, 1)
    days = [(moment - epoch) // datetime.timedelta(microseconds=1) / 86_400_000_000 for moment in moments]
    table = ho.Table([ho.Column("at", "date", np.array(days))])
    tree = ho.TreeClassifier.cart(prune=None).fit(table, [0, 1, 2, 3])
    spelled = ["2020-02-28", "2020-02-28T10:00", "2020-02-28 10:00:00.000001", "2020-02-28T10:00:00.000002"]
    spelled += ["2020-02-28 10:00:00.000003", "2020-02-29"]
    for connection in engines():
        rows = [{"at": text} for text in spelled]
        answers = sql_predictions(connection, {"at": "TEXT"}, tree, rows)
        assert [answer for answer, _ in answers] == [0, 0, 1, 2, 3, 3]
    answers = sql_predictions(
        duckdb.connect(), {"at": "TIMESTAMP"}, tree, [{"at": moment} for moment in moments]
    )
    assert [answer for answer, _ in answers] == [0, 1, 2, 3]
    answers = sql_predictions(duckdb.connect(), {"at": "DATE"}, tree, [{"at": datetime.date(2020, 2, 28)}])
    assert answers[0][0] == 0


def test_categories_made_of_dates_are_matched() -> None:
    """A date that was made a category is found however its text is spelled."""
    table = ho.Table([ho.Column("at", "date", np.array([18_320.0, 18_321.0, 18_322.5]))])
    tree = ho.TreeClassifier.id3(categorical=["at"], missing="node_mode", prune=None).fit(table, [0, 1, 2])
    spelled = ["2020-02-28", "2020-02-29 00:00", "2020-03-01T12:00:00", "2020-03-01", None]
    for connection in engines():
        answers = sql_predictions(connection, {"at": "TEXT"}, tree, [{"at": text} for text in spelled])
        assert [answer for answer, _ in answers] == [0, 1, 2, *[answers[-1][0]] * 2]


def test_booleans_are_matched_by_meaning() -> None:
    """Words, 0 and 1, and a BOOLEAN mean what they mean; other words are unknown."""
    paid = ho.Column("paid", "boolean", np.array([0, 1, 1], dtype=np.int32), ("No", "Yes"))
    tree = ho.TreeClassifier.id3(missing="node_mode", prune=None, min_leaf=1).fit(ho.Table([paid]), [0, 1, 1])
    for connection in engines():
        spelled = ["No", "YES", "false", "t", "0", "1", "maybe", None]
        answers = sql_predictions(connection, {"paid": "TEXT"}, tree, [{"paid": word} for word in spelled])
        assert [answer for answer, _ in answers] == [0, 1, 0, 1, 0, 1, 1, 1]


def test_the_table_and_the_prefix_can_be_named() -> None:
    """A table of any name in any schema is read, and added columns get the prefix."""
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], ["a", "b"])
    for connection in engines():
        connection.execute('CREATE TABLE "it\'s ""mine""; --" (x0 DOUBLE)')
        connection.execute('INSERT INTO "it\'s ""mine""; --" VALUES (2.0)')
        statement = ho.export(tree, "sql", table=("main", 'it\'s "mine"; --'), prefix="tree_")
        cursor = connection.execute(statement)
        names = [column[0] for column in cursor.description]
        assert names == [
            "x0",
            "tree_heldout_node",
            "tree_prediction",
            "tree_probability_a",
            "tree_probability_b",
        ]
        assert cursor.fetchone() == (2.0, 2, "b", 0.25, 0.75)


def test_names_that_sql_confuses_are_refused() -> None:
    """Columns that differ in capitals, columns named like an answer, and characters no SQL can hold."""
    table = {"Age": [1.0, 2.0], "age": [1.0, 2.0]}
    tree = ho.TreeClassifier.cart(prune=None).fit(ho.read_table(table), ["a", "b"])
    with pytest.raises(ho.RequestError, match="capital letters"):
        ho.export(tree, "sql")
    tree = ho.TreeClassifier.cart(prune=None).fit(ho.read_table({"Prediction": [1.0, 2.0]}), ["a", "b"])
    with pytest.raises(ho.RequestError, match="name of a column that the SQL adds"):
        ho.export(tree, "sql")
    assert "tree_prediction" in str(ho.export(tree, "sql", prefix="tree_"))
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], ["a\0b", "b"])
    with pytest.raises(ho.RequestError, match="no SQL statement can hold"):
        ho.export(tree, "sql")
    tree.classes_ = np.array([2**63, 2**63 + 1], dtype=np.uint64)
    with pytest.raises(ho.RequestError, match="whole number that SQL cannot hold"):
        ho.export(tree, "sql")


def test_booleans_of_one_meaning_are_refused() -> None:
    """Two levels that mean the same cannot be told apart by meaning."""
    paid = ho.Column("paid", "boolean", np.array([0, 1], dtype=np.int32), ("no", "false"))
    tree = ho.TreeClassifier.id3(missing="node_mode", prune=None, min_leaf=1).fit(ho.Table([paid]), [0, 1])
    with pytest.raises(ho.RequestError, match="two levels that mean the same"):
        ho.export(tree, "sql")


def test_classes_alike_but_for_capitals_get_their_own_columns() -> None:
    """`yes` and `Yes` have a probability each, under two names."""
    tree = ho.TreeClassifier.cart(prune=None).fit([[1.0], [2.0]], ["Yes", "yes"])
    for connection in engines():
        connection.execute("CREATE TABLE data AS SELECT 2.0 AS x0")
        assert connection.execute(ho.export(tree, "sql")).fetchone()[1:] == (2, "yes", 0.25, 0.75)


def test_a_date_beyond_the_calendar_is_refused() -> None:
    """A threshold whose text would not sort by time cannot be compared as text."""
    table = ho.Table([ho.Column("at", "date", np.array([0.0, 9e6]))])
    tree = ho.TreeClassifier.cart(prune=None).fit(table, [0, 1])
    with pytest.raises(ho.RequestError, match="years 1 to 9999"):
        ho.export(tree, "sql")


def test_columns_of_one_level_and_of_none_do_no_harm() -> None:
    """Columns that no split uses do not appear in the statement."""
    columns = [category_column("empty", [None] * 4), ho.Column("n", "number", np.arange(4.0))]
    tree = ho.TreeClassifier.cart(prune=None).fit(ho.Table(columns), [0, 0, 1, 1])
    assert "empty" not in str(ho.export(tree, "sql"))
    assert isinstance(tree.inputs_, InputSchema)
