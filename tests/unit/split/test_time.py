"""Time only looks forward, in every split."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from heldout.errors import DataError, RequestError
from heldout.split import (
    EveryKth,
    Holdout,
    KFold,
    LeaveOneOut,
    RotatingValidation,
    RowFacts,
    Split,
    seal_rows,
)
from heldout.split.forward_blocks import time_blocks

from .random_facts import assert_sound, folds_or_none, some_facts

SPLITS: list[Split] = [KFold(3, repeats=2), Holdout(0.3, repeats=2), LeaveOneOut(), RotatingValidation(3)]


@pytest.mark.parametrize("split", SPLITS, ids=str)
@settings(max_examples=settings().max_examples // 3)  # for each of several splits
@given(facts=some_facts(with_groups=False, with_time=True), seed=st.integers(0, 99))
def test_what_is_judged_is_strictly_later(split: Split, facts: RowFacts, seed: int) -> None:
    """All that is learned from is earlier than all that chooses, and that than all that is judged."""
    folds = split.folds(facts, seed=seed)
    assert_sound(folds, facts)
    assert {fold.repeat for fold in folds} == {0}
    assert len(folds) == split.get_n_splits(facts)


@pytest.mark.parametrize("split", SPLITS[:2] + SPLITS[3:], ids=str)
@settings(max_examples=settings().max_examples // 3)  # for each of several splits
@given(facts=some_facts(with_groups=True, with_time=True), seed=st.integers(0, 99))
def test_groups_and_time_are_obeyed_together(split: Split, facts: RowFacts, seed: int) -> None:
    """No group straddles and time looks forward, or it is refused because nothing is left to learn from."""
    assert_sound(folds_or_none(split, facts, seed), facts)


@given(facts=some_facts(with_groups=False, with_time=True), k=st.integers(2, 6))
def test_all_that_is_earlier_is_learned_from(facts: RowFacts, k: int) -> None:
    """Training is everything before the judged block, and blocks follow each other without a gap."""
    assert facts.time is not None
    folds = KFold(k).folds(facts)
    assert len(folds) == k
    for fold in folds:
        np.testing.assert_array_equal(fold.train, np.flatnonzero(facts.time < facts.time[fold.test].min()))
    judged = np.concatenate([fold.test for fold in folds])
    assert len(set(judged.tolist())) == len(judged)
    assert len(folds[0].train) + len(judged) == facts.n_rows


@given(n_rows=st.integers(12, 90), k=st.integers(2, 10), seed=st.integers(0, 9))
def test_blocks_are_those_of_scikit_learn(n_rows: int, k: int, seed: int) -> None:
    """Where no two times are equal, folds are those of TimeSeriesSplit on the sorted rows."""
    order = np.random.default_rng(seed).permutation(n_rows)
    time = np.empty(n_rows)
    time[order] = np.arange(n_rows) ** 1.5
    folds = KFold(k).folds(RowFacts(np.zeros(n_rows), "regression", time=time))
    for fold, (train, test) in zip(folds, TimeSeriesSplit(k).split(time), strict=True):
        assert fold.train.tolist() == sorted(order[train].tolist())
        assert fold.test.tolist() == sorted(order[test].tolist())


@given(times=st.lists(st.integers(0, 12), min_size=4, max_size=40), n_blocks=st.integers(2, 4))
def test_ties_move_cuts_as_little_as_can_be(times: list[int], n_blocks: int) -> None:
    """A single cut is as near to where it was wanted as any other; many cuts leave no block empty."""
    n_times = len(set(times))
    assume(n_times >= n_blocks)
    facts = RowFacts(np.zeros(len(times)), "regression", time=np.array(times))
    size = len(times) // n_blocks
    wanted = [len(times) - size * (n_blocks - 1)] + [size] * (n_blocks - 1)
    blocks = time_blocks(facts, wanted)
    assert set(blocks.tolist()) == set(range(n_blocks))
    by_time = {time: set(blocks[np.array(times) == time].tolist()) for time in set(times)}
    assert all(len(found) == 1 for found in by_time.values())
    if n_blocks == 2:
        possible = [sum(time < cut for time in times) for cut in sorted(set(times))[1:]]
        assert abs((blocks == 0).sum() - wanted[0]) == min(abs(count - wanted[0]) for count in possible)


def test_ties_never_straddle() -> None:
    """Rows of one time are all learned from or all judged, also where that makes blocks unequal."""
    time = np.array([1] * 10 + [2] * 3 + [3] * 3 + [4])
    folds = KFold(3).folds(RowFacts(np.zeros(17), "regression", time=time))
    assert [sorted(set(time[fold.test].tolist())) for fold in folds] == [[2], [3], [4]]


def test_the_seed_has_no_say() -> None:
    """Blocks of time are the same for every seed, and there is one repeat with a note."""
    facts = RowFacts(np.arange(30) % 2, "classification", time=np.arange(30))
    split = KFold(4, repeats=3)
    assert [fold.digest for fold in split.folds(facts, 1)] == [fold.digest for fold in split.folds(facts, 2)]
    assert "One repeat instead of 3: time can be cut in one way only." in split.notes(facts)
    assert "One repeat instead of 3: time can be cut in one way only." in Holdout(repeats=3).notes(facts)


def test_too_few_times_are_refused_or_shrink() -> None:
    """k folds need k + 1 distinct times; with shrink there are fewer folds."""
    facts = RowFacts(np.arange(20.0), "regression", time=np.arange(20) % 4)
    with pytest.raises(DataError) as caught:
        KFold(5).folds(facts)
    assert caught.value.what == "5 folds need at least 6 distinct times"
    assert caught.value.where == "there are 4 distinct times"
    assert caught.value.fix == "use k=3 or less, or more distinct times"
    assert len(KFold(5).folds(facts, shrink=True)) == 3
    assert len(RotatingValidation(5).folds(facts, shrink=True)) == 2
    with pytest.raises(DataError, match="there are 2 distinct times"):
        KFold(5).folds(facts.take(np.arange(20) % 4 < 2), shrink=True)


def test_one_time_is_refused() -> None:
    """Where all times are equal nothing comes before anything, and each split says so in three parts."""
    facts = RowFacts(np.arange(6) % 2, "classification", time=np.ones(6))
    for split in SPLITS:
        with pytest.raises(DataError) as caught:
            split.folds(facts)
        assert caught.value.where
        assert caught.value.fix
    with pytest.raises(DataError, match="all 6 rows have the same time") as caught:
        seal_rows(facts)
    assert caught.value.fix == "leave time out, or take rows of several times"


def test_every_kth_row_would_look_back() -> None:
    """EveryKth mixes earlier and later rows, so it is refused where rows have times."""
    facts = RowFacts(np.arange(6.0), "regression", time=np.arange(6))
    for refused in (lambda: EveryKth(2).folds(facts), lambda: EveryKth(2).notes(facts)):
        with pytest.raises(RequestError, match="use KFold"):
            refused()


def test_rotating_validation_chooses_by_the_block_before() -> None:
    """The block before the judged one chooses, everything earlier is learned from."""
    facts = RowFacts(np.arange(8.0), "regression", time=np.arange(8)[::-1])
    folds = RotatingValidation(3).folds(facts)
    validation = [fold.validation for fold in folds]
    assert [fold.test.tolist() for fold in folds] == [[2], [1], [0]]
    assert [rows.tolist() for rows in validation if rows is not None] == [[3], [2], [1]]
    assert [len(fold.train) for fold in folds] == [4, 5, 6]


def test_rows_of_judged_groups_are_not_learned_from() -> None:
    """With groups and time, earlier rows of a judged group are in no part of the fold."""
    time = np.arange(12)
    groups = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 1, 9])
    (first, second) = KFold(2).folds(RowFacts(np.zeros(12), "regression", groups=groups, time=time))
    assert (first.train.tolist(), first.test.tolist()) == ([0, 1, 2, 3], [4, 5, 6, 7])
    assert (second.train.tolist(), second.test.tolist()) == ([2, 3, 4, 5, 6, 7], [8, 9, 10, 11])


def test_groups_that_always_come_again_are_refused() -> None:
    """Where every group recurs in the judged block it is said what to leave out; shrink drops such folds."""
    time = np.arange(12)
    always = RowFacts(np.zeros(12), "regression", groups=time % 2, time=time)
    with pytest.raises(DataError) as caught:
        KFold(2).folds(always)
    assert "2 folds of 2, first fold 1" in caught.value.where
    assert "leave groups out" in caught.value.fix
    with pytest.raises(DataError, match="groups and time together"):
        KFold(2).folds(always, shrink=True)
    with pytest.raises(DataError, match="every group has rows among the latest 2 of 12 rows"):
        seal_rows(always, held=0.2)
    groups = np.array([0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    at_first = RowFacts(np.zeros(12), "regression", groups=groups, time=time)
    with pytest.raises(DataError, match="1 fold of 3, first fold 1"):
        KFold(3).folds(at_first)
    folds = KFold(3).folds(at_first, shrink=True)
    assert [(fold.number, fold.test.tolist()) for fold in folds] == [(0, [6, 7, 8]), (1, [9, 10, 11])]


def test_what_time_does_is_noted() -> None:
    """Notes say that the first block is never judged, and when the first folds know one class only."""
    y = np.array(["a"] * 5 + ["b"] * 3 + ["a"] * 4)
    notes = KFold(3).notes(RowFacts(y, "classification", time=np.arange(12)))
    assert notes == (
        "Time only looks forward: 3 blocks are judged one after the other, each by what came before it. "
        "The first block is never judged, and classes are not balanced.",
        "What fold 1 can learn from has one class only: the others come later.",
    )
    grouped = RowFacts(y, "classification", groups=np.arange(12), time=np.arange(12))
    assert "Groups never straddle" in KFold(3).notes(grouped)[1]
    assert "The first two blocks are never judged" in RotatingValidation(3).notes(grouped)[0]


def test_learning_from_one_class_is_counted_right() -> None:
    """The note names as many folds as really have one class in training."""
    for place in range(1, 24):
        y = np.array([0] * place + [1] * (24 - place))
        facts = RowFacts(y, "classification", time=np.arange(24))
        n_folds = sum(len(set(y[fold.train].tolist())) == 1 for fold in KFold(5).folds(facts))
        notes = [note for note in KFold(5).notes(facts) if "one class only" in note]
        assert len(notes) == (n_folds > 0)
        if n_folds:
            assert ("fold 1 " if n_folds == 1 else f"folds 1 to {n_folds} ") in notes[0]
