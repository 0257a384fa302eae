"""The seal: which rows are held, and their fingerprint."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout.errors import InputTypeError, RequestError
from heldout.split import RowFacts, rows_digest, seal_rows

from .random_facts import seal_or_none, some_facts


@given(facts=some_facts(), held=st.floats(0.1, 0.5), seed=st.integers(0, 2**64))
def test_rows_are_open_or_held_and_come_again(facts: RowFacts, held: float, seed: int) -> None:
    """Parts have no common row, hold all rows, and are the same for the same seed."""
    sealed = seal_or_none(facts, held, seed)
    if sealed is None:
        return
    parts = [sealed.open_rows, sealed.held_rows, sealed.left_out_rows]
    assert sorted(np.concatenate(parts).tolist()) == list(range(facts.n_rows))
    assert len(sealed.open_rows) > 0
    assert len(sealed.held_rows) > 0
    if facts.groups is None or facts.time is None:
        assert len(sealed.left_out_rows) == 0
    assert seal_rows(facts, held, seed).digest == sealed.digest


@given(facts=some_facts(with_time=True), held=st.floats(0.1, 0.5))
def test_the_latest_are_held(facts: RowFacts, held: float) -> None:
    """With time every held row is later than every row that is not, and groups do not straddle."""
    assert facts.time is not None
    sealed = seal_or_none(facts, held, seed=0)
    if sealed is None:
        return
    others = np.setdiff1d(np.arange(facts.n_rows), sealed.held_rows)
    assert facts.time[sealed.held_rows].min() > facts.time[others].max()
    if facts.groups is not None:
        held_groups = set(facts.groups[sealed.held_rows].tolist())
        assert not held_groups & set(facts.groups[sealed.open_rows].tolist())
        assert set(facts.groups[sealed.left_out_rows].tolist()) <= held_groups


def test_classes_are_held_in_their_share() -> None:
    """20% of each class are held, for every seed, and another seed holds other rows."""
    y = np.repeat(["a", "b", "c"], [50, 30, 20])
    digests = set()
    for seed in range(20):
        sealed = seal_rows(RowFacts(y, "classification"), 0.2, seed)
        assert np.unique(y[sealed.held_rows], return_counts=True)[1].tolist() == [10, 6, 4]
        digests.add(sealed.digest)
    assert len(digests) == 20


@pytest.mark.parametrize(
    ("roles", "how"),
    [
        ({}, "stratified by class"),
        ({"groups": "farm"}, "by group, stratified by class as well as can be"),
        ({"time": "day"}, "the latest in time"),
        ({"groups": "farm", "time": "day"}, "the latest in time, groups kept whole"),
    ],
)
def test_the_inputs_have_no_say(roles: dict[str, str], how: str) -> None:
    """Tasks that differ in X alone hold the same rows."""
    digests = []
    for seed in range(2):
        draw = np.random.default_rng(seed)
        columns = {
            "size": draw.normal(size=60),
            "color": draw.choice(["red", "blue"], 60),
            "farm": [f"farm {row // 5}" for row in range(60)],
            "day": np.arange(60.0),
            "ripe": np.where(np.arange(60) % 3 == 0, "yes", "no"),
        }
        task = ho.Task(
            ho.read_table({name: list(values) for name, values in columns.items()}), "ripe", **roles
        )
        sealed = seal_rows(RowFacts.of(task))
        assert sealed.how == how
        digests.append(sealed.digest)
    assert digests[0] == digests[1]


def test_a_regression_is_held_by_bins() -> None:
    """Each tenth of a sorted target gives its share."""
    y = np.random.default_rng(0).normal(size=200)
    sealed = seal_rows(RowFacts(y, "regression"), 0.2)
    assert sealed.how == "by bins of the target"
    assert np.bincount((np.argsort(np.argsort(y)) // 20)[sealed.held_rows]).tolist() == [4] * 10


def test_the_seal_prints_and_becomes_json() -> None:
    """It says how many rows are held and how; its dict has fingerprints and no rows."""
    sealed = seal_rows(RowFacts(np.array(["a"] * 12 + ["b"] * 7 + ["c"]), "classification"), 0.25, seed=3)
    assert str(sealed) == (
        "5 of 20 rows held, stratified by class; 15 open.\n"
        "  - Class 'c' cannot be judged: nothing of it is set apart."
    )
    record = json.loads(json.dumps(sealed.to_dict()))
    assert (record["n_open"], record["n_held"], record["n_left_out"], record["seed"]) == (15, 5, 0, 3)
    assert record["held_digest"] == rows_digest(sealed.held_rows)
    assert record["open_digest"] == rows_digest(sealed.open_rows)
    assert record["digest"] == sealed.digest
    assert sealed.held_share == 0.25


def test_rows_left_out_are_counted() -> None:
    """With groups and time earlier rows of held groups are neither open nor held, and are counted."""
    groups = np.array([0, 1, 2, 3, 4, 5, 0, 6, 1, 7])
    sealed = seal_rows(RowFacts(np.zeros(10), "regression", groups=groups, time=np.arange(10)), 0.4)
    assert sealed.held_rows.tolist() == [6, 7, 8, 9]
    assert sealed.left_out_rows.tolist() == [0, 1]
    assert sealed.open_rows.tolist() == [2, 3, 4, 5]
    assert sealed.notes[0] == "2 rows left out: earlier rows of groups that come among the latest again."
    assert sealed.held_share == 0.4


def test_ties_in_time_change_the_share() -> None:
    """Rows of the last time are all held, and a note gives the share that came of it."""
    sealed = seal_rows(RowFacts(np.arange(10.0), "regression", time=np.repeat([1, 2], 5)), 0.2)
    assert sealed.held_rows.tolist() == [5, 6, 7, 8, 9]
    assert sealed.notes == ("50.0% of the rows instead of 20.0%: ties in time are not split apart.",)


def test_a_class_that_comes_only_at_the_end_is_noted() -> None:
    """Where all rows of a class are among the latest, the seal says that it cannot be learned."""
    y = np.array(["a"] * 5 + ["b"] * 3 + ["c"] * 2)
    sealed = seal_rows(RowFacts(y, "classification", time=np.arange(10)), 0.2)
    assert sealed.notes == (
        "Classes 'a', 'b' cannot be judged: nothing of them is set apart.",
        "Class 'c' cannot be learned: all of it is set apart.",
    )


def test_what_cannot_be_held_is_refused() -> None:
    """A share that holds nothing or all, and what is no share, is refused in three parts."""
    facts = RowFacts(np.arange(10) % 2, "classification")
    for held, error in [
        (0.01, RequestError),
        (0.99, RequestError),
        (0, RequestError),
        (1.0, RequestError),
        (20, RequestError),
        (float("nan"), RequestError),
        (True, InputTypeError),
        ("0.2", InputTypeError),
        (None, InputTypeError),
    ]:
        with pytest.raises(error) as caught:
            seal_rows(facts, held)  # type: ignore[arg-type]
        assert "held=" in caught.value.where
        assert caught.value.fix
    with pytest.raises(InputTypeError, match="seed must be"):
        seal_rows(facts, seed=-1)


def test_a_constant_target_is_noted() -> None:
    """Rows with one and the same target are parted, and a note says that there is nothing to learn."""
    sealed = seal_rows(RowFacts(np.ones(10), "regression"))
    assert sealed.notes == ("The target is the same in every row, so there is nothing to learn.",)
    assert len(sealed.held_rows) == 2
