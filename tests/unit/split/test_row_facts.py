"""What a split may know of rows."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.split import KFold, RowFacts, seal_rows

from .random_facts import some_facts


def small_task(**roles: str) -> ho.Task:
    columns = {
        "size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "farm": ["a", "a", "b", "b", "c", "c"],
        "day": [6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
        "ripe": ["no", "yes", "no", "yes", "no", "yes"],
    }
    return ho.Task(ho.read_table(columns), target="ripe", **roles)


def test_a_task_gives_its_targets_groups_and_times() -> None:
    """The facts of a task are its y, kind, groups and time."""
    task = small_task(groups="farm", time="day")
    facts = RowFacts.of(task)
    assert facts.kind == "classification"
    np.testing.assert_array_equal(facts.y, task.y)
    np.testing.assert_array_equal(facts.groups, task.groups)
    np.testing.assert_array_equal(facts.time, task.time)


def test_a_task_without_groups_and_time_has_none() -> None:
    """Roles that a task does not have stay None, also in a selection."""
    facts = RowFacts.of(small_task())
    assert (facts.groups, facts.time) == (None, None)
    assert (facts.take([0, 3]).groups, facts.take([0, 3]).time) == (None, None)


def test_facts_are_those_of_a_task() -> None:
    """Anything else is refused and told what to do."""
    with pytest.raises(InputTypeError, match="RowFacts") as caught:
        RowFacts.of([1, 2, 3])  # type: ignore[arg-type]
    assert caught.value.where == "got list"


@given(facts=some_facts(), seed=st.integers(0, 99), share=st.floats(0.4, 1.0))
def test_a_selection_is_split_as_if_the_others_did_not_exist(
    facts: RowFacts, seed: int, share: float
) -> None:
    """Folds and seal of selected rows are those of facts that were made from these rows alone."""
    rows = np.flatnonzero(np.random.default_rng(seed).random(facts.n_rows) < share)
    taken = facts.take(rows)
    groups = None if facts.groups is None else facts.groups[rows]
    alone = RowFacts(facts.y[rows], facts.kind, groups, None if facts.time is None else facts.time[rows])
    answers = []
    for which in (taken, alone):
        try:
            folds = KFold(3).folds(which, seed=seed)
            answers.append(([fold.digest for fold in folds], seal_rows(which, 0.3, seed).digest))
        except (DataError, RequestError) as error:
            answers.append(([], str(error)))
    assert answers[0] == answers[1]


def test_a_mask_selects_too() -> None:
    """A mask of all rows selects the marked ones."""
    facts = RowFacts(np.array([5, 6, 7]), "classification", time=np.array([3, 2, 1]))
    taken = facts.take(np.array([True, False, True]))
    assert taken.y.tolist() == [5, 7]
    assert taken.time_codes.tolist() == [2, 0]
    assert taken.n_times == 2


def test_facts_survive_a_pickle() -> None:
    """A worker gets the same facts, with the codes that were made."""
    facts = RowFacts(np.array(["b", "a", "b"]), "classification", groups=np.array([1, 2, 2]))
    folds = KFold(2).folds(facts)
    again = pickle.loads(pickle.dumps(facts))
    assert [fold.digest for fold in KFold(2).folds(again)] == [fold.digest for fold in folds]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"y": np.zeros((3, 2))}, "y must be one value per row"),
        ({"groups": np.array([1, 2])}, "y and groups differ in length"),
        ({"time": np.array([1, 2])}, "y and time differ in length"),
        ({"y": np.array([1.0, np.nan, 2.0])}, "y has missing values"),
        ({"y": np.array(["a", None, "b"], dtype=object)}, "y has missing values"),
        ({"groups": np.array([1.0, np.nan, 2.0])}, "groups has missing values"),
        ({"time": np.array([1.0, np.nan, 2.0])}, "time has missing values"),
        ({"time": np.array(["2020-01-01", "NaT", "2021-01-01"], dtype="M8[D]")}, "time has missing values"),
    ],
)
def test_values_that_do_not_fit_are_refused(fields: dict[str, Any], what: str) -> None:
    """Wrong shapes and missing values are refused in three parts."""
    with pytest.raises(DataError) as caught:
        RowFacts(**({"y": np.arange(3), "kind": "classification"} | fields))
    assert caught.value.what == what
    assert caught.value.where
    assert caught.value.fix


def test_kinds_that_do_not_fit_are_refused() -> None:
    """Words as time or as amounts, mixed labels and unknown kinds are refused."""
    with pytest.raises(InputTypeError, match="time must be numbers or dates"):
        RowFacts(np.arange(2), "regression", time=np.array(["a", "b"]))
    with pytest.raises(InputTypeError, match="a regression target must be numbers"):
        RowFacts(np.array(["a", "b"]), "regression")
    with pytest.raises(InputTypeError, match="groups mixes values"):
        KFold(2).folds(RowFacts(np.arange(2), "regression", groups=np.array([1, "b"], dtype=object)))
    with pytest.raises(RequestError, match="did you mean 'regression'"):
        RowFacts(np.arange(2), "regresion")
    with pytest.raises(InputTypeError, match="rows are positions or a mask"):
        RowFacts(np.arange(2), "regression").take([0.5])


def test_dates_are_times() -> None:
    """NumPy's dates order rows as they stand."""
    days = np.array(["2021-03-01", "2020-01-01", "2022-01-01"], dtype="M8[D]")
    sealed = seal_rows(RowFacts(np.arange(3.0), "regression", time=days), held=0.3)
    assert sealed.held_rows.tolist() == [2]
