"""Tasks: what is decided, what is left out, what is refused, and what is said about it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.table.column import Column, category_column
from heldout.table.read_table import read_table
from heldout.table.table import Table
from heldout.table.task import Task


def number(name: str, values: Any) -> Column:
    return Column(name, "number", np.asarray(values, dtype=np.float64))


def table_with(target: Column, *others: Column) -> Table:
    return Table([number("input", np.arange(len(target))), target, *others])


@pytest.mark.parametrize(
    ("values", "kind", "classes", "dtype"),
    [
        ([0, 1] * 5, "classification", (0, 1), "i"),
        ([0.5, 1.5] * 5, "classification", ("0.5", "1.5"), "U"),
        ([1, 2, 3] * 10, "classification", (1, 2, 3), "i"),
        ([1, 2, 3] * 9, "regression", (), "f"),
        ([1, 2, 3.5] * 10, "regression", (), "f"),
        (range(100), "regression", (), "f"),
        (list(range(11)) * 20, "regression", (), "f"),
        (list(range(10)) * 10, "classification", tuple(range(10)), "i"),
    ],
)
def test_what_a_number_asks_for(values: Any, kind: str, classes: tuple[Any, ...], dtype: str) -> None:
    """Two values, or at most ten whole ones with ten rows each, are classes; the rest is regression."""
    task = Task(table_with(number("t", list(values))), "t")
    assert (task.kind, task.classes, task.y.dtype.kind) == (kind, classes, dtype)
    assert task.reason in str(task).replace("\n" + " " * 8, " ")


def test_categories_and_booleans_are_classes() -> None:
    """Levels become string labels, and classes are in the order of predict_proba's columns."""
    task = Task(table_with(category_column("t", ["10", "9", "10", "9"])), "t")
    assert task.y.tolist() == ["10", "9", "10", "9"]
    assert task.classes == ("10", "9") == tuple(np.unique(task.y))


@pytest.mark.parametrize(
    ("values", "positive"), [([1, 0, 1], "false"), ([1, 0, 0], "true"), ([1, 0, 0, 1], "true")]
)
def test_the_positive_class_is_the_rarer_one(values, positive) -> None:
    """Of two equally frequent classes it is the last in order, and whoever names one gets that."""
    flags = Column("t", "boolean", np.array(values), ("false", "true"))
    table = Table([flags, number("x", list(range(len(values))))])
    assert Task(table, "t").positive == positive
    assert Task(table, "t", positive="true").positive == "true"


def test_the_kind_can_be_asked_for() -> None:
    """0/1 can be an amount, many numbers can be classes, and a date can be a number of days."""
    few = table_with(number("t", [0, 1] * 5))
    assert Task(few, "t", kind="regression").y.dtype == np.float64
    many = table_with(number("t", [1, 2, 3, 1]))
    assert Task(many, "t", kind="classification").classes == (1, 2, 3)
    date = table_with(Column("t", "date", np.array([1.0, 2.0, 3.0])))
    assert Task(date, "t", kind="regression").y.tolist() == [1.0, 2.0, 3.0]


def test_positive_is_the_last_class_unless_asked() -> None:
    """Of two classes the last in sorted order is positive; another can be named, also as a string."""
    words = table_with(category_column("t", ["no", "yes", "no"]))
    assert Task(words, "t").positive == "yes"
    assert Task(words, "t", positive="no").positive == "no"
    numbers = table_with(number("t", [0, 1, 1]))
    assert Task(numbers, "t", positive="0").positive == 0
    flags = table_with(Column("t", "boolean", np.array([1, 0, 1]), ("false", "true")))
    assert Task(flags, "t", positive=False).positive == "false"
    assert Task(table_with(category_column("t", ["a", "b", "c", "a"])), "t").positive is None


def test_a_wrong_positive_gets_a_suggestion() -> None:
    """A class that is not there is refused with the probable one; so is one among three."""
    words = table_with(category_column("t", ["no", "yes", "no"]))
    with pytest.raises(RequestError, match="no class 'Yes'") as caught:
        Task(words, "t", positive="Yes")
    assert caught.value.fix == "did you mean 'yes'?"
    with pytest.raises(RequestError, match="only a target with two classes"):
        Task(table_with(category_column("t", ["a", "b", "c", "a"])), "t", positive="a")


def test_rows_without_a_target_are_left_out_and_counted() -> None:
    """Missing targets leave table, X and y together, and a note says how many."""
    task = Task(table_with(category_column("t", ["a", None, "b", "a"])), "t")
    assert (task.n_rows, task.X.n_rows, len(task.y)) == (3, 3, 3)
    assert task.X["input"].values.tolist() == [0.0, 2.0, 3.0]
    assert "1 of 4 rows left out: no value in 't'" in task.notes


def test_roles_and_strings_are_no_inputs() -> None:
    """Groups, time, weights and identifiers leave X, a text stays, and each is said."""
    target = category_column("t", ["a", "b", "a", "b"])
    words = np.array(["p", "q", "r", "s"], dtype=object)
    task = Task(
        table_with(
            target,
            category_column("who", ["x", "x", "y", "y"]),
            Column("when", "date", np.arange(4.0)),
            number("often", [1, 0, 2, 1]),
            Column("id", "identifier", words),
            Column("remark", "text", words),
        ),
        target="t",
        groups="who",
        time="when",
        weights="often",
    )
    assert task.X.names == ("input", "remark")
    assert task.groups is not None
    assert task.groups.tolist() == ["x", "x", "y", "y"]
    assert task.time is not None
    assert task.time.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert task.weights is not None
    assert task.weights.tolist() == [1.0, 0.0, 2.0, 1.0]
    for name in ("who", "when", "often", "id", "remark"):
        assert any(f"'{name}'" in note for note in task.notes)


def refused(target: Column, *others: Column, **options: Any) -> str:
    with pytest.raises((DataError, RequestError)) as caught:
        Task(table_with(target, *others), target.name, **options)
    assert caught.value.where
    assert caught.value.fix
    return caught.value.what


def test_targets_that_teach_nothing_are_refused() -> None:
    """Constant, missing everywhere, unique in every row, text, identifiers and dates: each with a reason."""
    words = np.array(["p", "q", "r", "p"], dtype=object)
    assert "constant" in refused(category_column("t", ["a", "a", None]))
    assert "constant" in refused(number("t", [2, 2, np.nan]))
    assert "missing everywhere" in refused(category_column("t", [None, None]))
    assert "missing everywhere" in refused(number("t", [np.nan, np.nan]))
    assert "different in every row" in refused(category_column("t", ["a", "b", "c"]))
    assert "different in every row" in refused(Column("t", "identifier", words[:3]))
    assert "different in every row" in refused(number("t", [1, 2, 3]), kind="classification")
    assert refused(Column("t", "text", words)) == "the target 't' is text"
    assert "a date" in refused(Column("t", "date", np.array([1.0, 2.0, 1.0])))
    assert "a date" in refused(Column("t", "date", np.array([1.0, 2.0, 1.0])), kind="classification")
    assert "infinity" in refused(number("t", [1, 2, 3, np.inf]))
    assert "no rows" in refused(number("t", []))


def test_an_identifier_of_digits_may_be_read_as_a_number() -> None:
    """Whole numbers that were taken for an identifier can be a target, and the error says how."""
    digits = np.array(["17", "4", "99"], dtype=object)
    with pytest.raises(DataError) as caught:
        Task(table_with(Column("heat_index", "identifier", digits)), "heat_index")
    assert "kinds={'heat_index': 'number'}" in caught.value.fix


def test_requests_that_cannot_be_met_are_refused() -> None:
    """An unknown kind, regression on levels, a column in two roles, and nothing to learn from."""
    target = category_column("t", ["a", "b", "a", "b"])
    assert "unknown kind of task" in refused(target, kind="ranking")
    assert "regression cannot predict" in refused(target, kind="regression")
    assert "two things at once" in refused(target, groups="t")
    assert "no column 'tt'" in refused(target, groups="tt")
    with pytest.raises(RequestError, match="no column is left"):
        Task(Table([target]), "t")
    with pytest.raises(InputTypeError, match="needs a Table"):
        Task([[1]], "t")  # type: ignore[arg-type]


def test_unfit_roles_are_refused() -> None:
    """Missing groups, one group, words as time, and weights that cannot count."""
    target = category_column("t", ["a", "b", "a"])
    words = category_column("w", ["x", "y", None])
    assert "missing values" in refused(target, words, groups="w")
    assert "one and the same" in refused(target, number("g", [1, 1, 1]), groups="g")
    assert "must be a date or a number" in refused(target, words, time="w")
    assert "missing values" in refused(target, number("w", [1, np.nan, 1]), time="w")
    assert "must be a number" in refused(target, words, weights="w")
    assert "not negative" in refused(target, number("w", [1, -1, 1]), weights="w")
    assert "not negative" in refused(target, number("w", [1, np.inf, 1]), weights="w")
    assert "all zero" in refused(target, number("w", [0, 0, 0]), weights="w")


def test_missing_groups_do_not_matter_in_rows_that_are_left_out() -> None:
    """A row without a target needs no group."""
    target = category_column("t", ["a", "b", "a", None])
    task = Task(table_with(target, category_column("g", ["x", "y", "x", None])), "t", groups="g")
    assert task.n_rows == 3


def test_a_task_prints_what_was_decided() -> None:
    """print(task) names the kind and why, the classes, the positive one, and what was left out."""
    task = Task(table_with(category_column("t", ["no", "yes", None, "no"])), "t")
    assert str(task).splitlines() == [
        "Task: predict 't' from 3 rows, 1 input",
        "  kind      classification: the target is a category",
        "  classes   no, yes",
        "  positive  yes; positive='no' asks for the other",
        "  - 1 of 4 rows left out: no value in 't'",
    ]
    assert max(len(line) for line in str(task).splitlines()) <= 80
    assert str(pickle.loads(pickle.dumps(task))) == str(task)


def test_arrays_of_roles_name_the_column_that_they_come_from() -> None:
    """Arrays are called groups, time and weights; the names of their columns are asked for by `_column`."""
    target, rows = number("t", [1, 2] * 10), np.arange(20)
    table = table_with(target, number("site", rows % 4), number("day", rows), number("w", np.ones(20)))
    task = Task(table, "t", groups="site", time="day", weights="w")
    assert (task.groups_column, task.time_column, task.weights_column) == ("site", "day", "w")
    assert np.array_equal(task.groups, rows % 4)
    plain = Task(table, "t")
    assert (plain.groups_column, plain.time_column, plain.weights_column) == (None, None, None)


def test_roles_are_names_of_columns() -> None:
    """A list of groups is refused in three parts, and so is a target that is no name."""
    table = table_with(category_column("ripe", ["no", "yes"]))
    for roles in (
        {"target": "ripe", "groups": [1, 2]},
        {"target": 1},
        {"target": None},
        {"target": "ripe", "weights": np.ones(2)},
    ):
        with pytest.raises(InputTypeError, match="is the name of a column") as caught:
            Task(table, **roles)
        assert caught.value.where
        assert caught.value.fix


def test_a_category_of_identifiers_gets_a_hint():
    """Levels that most rows have for themselves are named, with how to leave the column out."""
    cases = [f"{row % 13}:{row}" for row in range(40)]
    table = read_table(
        {"case": cases, "age": np.arange(40.0) % 7, "dead": ["no", "yes"] * 20}, kinds={"case": "category"}
    )
    notes = " ".join(Task(table, "dead").notes)
    assert "'case' has a level of its own in most rows" in notes
    assert "drop=['case'] leaves it out" in notes
    repeated = read_table({"case": cases[:10] * 4, "dead": ["no", "yes"] * 20}, kinds={"case": "category"})
    assert not Task(repeated, "dead").notes


def test_a_number_that_counts_the_rows_gets_a_hint():
    """A running number is an input unless it stands first, and it is named with how to leave it out."""
    columns = {"age": np.arange(40.0) % 7, "order": np.arange(1.0, 41.0), "dead": ["no", "yes"] * 20}
    table = read_table(columns | {"dose": np.arange(40.0) * 2})
    assert "'order' counts the rows; drop=['order'] leaves it out" in Task(table, "dead").notes
    assert not [note for note in Task(table, "dead").notes if "dose" in note]
    some = read_table(columns | {"dead": ["no", "yes", None, "no"] * 10})
    assert "'order' counts the rows" in " ".join(Task(some, "dead").notes)


def test_texts_that_look_like_addresses_get_a_hint():
    """Short texts that most rows have for themselves are named, with how to leave the column out."""
    addresses = [f"{row} Pinecrest Rd, Durham, NC {27700 + row}" for row in range(40)]
    table = read_table({"address": addresses, "age": np.arange(40.0) % 7, "dead": ["no", "yes"] * 20})
    assert table["address"].kind == "text"
    assert "it looks like names or addresses, and drop=['address'] leaves it out" in " ".join(
        Task(table, "dead").notes
    )


def test_columns_of_one_value_are_named():
    """They are no inputs to wonder about; a value that is missing somewhere is not constant."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "b", "a", "b"]}
    constant = {f"c{place}": ["other"] * 4 for place in range(5)} | {"year": [2020.0] * 4}
    gappy = {"gap": [2.0, None, 2.0, 2.0]}
    found = Task(read_table(columns | gappy | {"salad": ["other"] * 4}), "y").notes
    assert found == ("'salad' holds one value alone and tells nothing",)
    several = Task(read_table(columns | constant), "y").notes
    assert several == ("6 columns hold one value alone and tell nothing: 'c0', 'c1', 'c2' and 3 more",)
