"""Every k-th row, leaving one out, rotating validation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import LeaveOneOut as PeerLeaveOneOut

from heldout.errors import DataError, RequestError
from heldout.split import EveryKth, KFold, LeaveOneOut, RotatingValidation, RowFacts
from heldout.split.assign_folds import strata_of

from .random_facts import assert_sound, some_facts


@given(n_rows=st.integers(5, 60), k=st.integers(2, 5))
def test_the_fold_of_a_row_is_its_number_modulo_k(n_rows: int, k: int) -> None:
    """Row n is judged in fold n mod k, whatever the target and the seed."""
    facts = RowFacts(np.zeros(n_rows), "regression")
    folds = EveryKth(k).folds(facts, seed=n_rows)
    assert_sound(folds, facts)
    for fold in folds:
        assert fold.test.tolist() == [row for row in range(n_rows) if row % k == fold.number]
        assert len(fold.train) == n_rows - len(fold.test)


def test_every_kth_shrinks_and_refuses() -> None:
    """With fewer rows than folds it is refused, or there are as many folds as rows."""
    facts = RowFacts(np.zeros(3), "regression")
    with pytest.raises(DataError, match="5 folds need at least 5 rows"):
        EveryKth(5).folds(facts)
    assert [fold.test.tolist() for fold in EveryKth(5).folds(facts, shrink=True)] == [[0], [1], [2]]
    grouped = RowFacts(np.arange(6) % 2, "classification", groups=np.arange(6) % 5)
    assert "the number of a group" in EveryKth(5).notes(grouped)[0]


@given(facts=some_facts(with_groups=False, with_time=False))
def test_every_row_is_left_out_once(facts: RowFacts) -> None:
    """The folds are those of scikit-learn's LeaveOneOut."""
    folds = LeaveOneOut().folds(facts)
    for fold, (train, test) in zip(folds, PeerLeaveOneOut().split(facts.y), strict=True):
        np.testing.assert_array_equal(fold.train, train)
        np.testing.assert_array_equal(fold.test, test)


def test_leaving_one_out_needs_two() -> None:
    """One row, one group or one time has nothing to be judged by."""
    for facts in (
        RowFacts(np.zeros(1), "regression"),
        RowFacts(np.zeros(4), "regression", groups=np.ones(4)),
        RowFacts(np.zeros(4), "regression", time=np.ones(4)),
    ):
        with pytest.raises(DataError) as caught:
            LeaveOneOut().folds(facts)
        assert caught.value.where
        assert caught.value.fix


def test_how_many_are_left_out_depends_on_the_rows() -> None:
    """Without rows the number of folds cannot be told; with rows, groups or times it can."""
    with pytest.raises(RequestError, match="depends on the rows"):
        _ = LeaveOneOut().n_folds
    with pytest.raises(RequestError, match="depends on the rows"):
        LeaveOneOut().get_n_splits()
    assert LeaveOneOut().get_n_splits(np.zeros((7, 2))) == 7
    assert LeaveOneOut().get_n_splits(np.zeros((7, 2)), groups=[1, 1, 1, 2, 2, 3, 3]) == 3
    assert LeaveOneOut().get_n_splits(RowFacts(np.zeros(4), "regression", time=np.arange(4))) == 3


def test_folds_that_do_not_fit_into_memory_are_refused() -> None:
    """Leaving each of a million rows out is refused as a whole, and can be taken one by one."""
    facts = RowFacts(np.zeros(1_000_000), "regression")
    with pytest.raises(RequestError, match="do not fit into memory") as caught:
        LeaveOneOut().folds(facts)
    assert caught.value.where == "1,000,000 folds of 1,000,000 rows"
    train, test = next(LeaveOneOut().split(facts))
    assert (len(train), test.tolist()) == (999_999, [0])
    by_time = RowFacts(np.zeros(100_000), "regression", time=np.arange(100_000))
    train, test = next(LeaveOneOut().split(by_time))
    assert (train.tolist(), test.tolist()) == ([0], [1])


def test_leaving_one_out_of_a_single_class_row_is_noted() -> None:
    """A class of one row is judged by a model that never saw it; others need no note."""
    assert LeaveOneOut().notes(RowFacts(np.array([0, 0, 1, 1]), "classification")) == ()
    assert len(LeaveOneOut().notes(RowFacts(np.array([0, 0, 1]), "classification"))) == 1
    grouped = RowFacts(np.array([0, 0, 1]), "classification", groups=np.array([1, 2, 2]))
    assert LeaveOneOut().notes(grouped)[0] == "One of 2 groups is left out at a time."


@pytest.mark.slow
@given(facts=some_facts(with_time=False), k=st.integers(3, 6), seed=st.integers(0, 99))
def test_validation_rotates(facts: RowFacts, k: int, seed: int) -> None:
    """Each fold's validation is the next fold's test, and the three parts hold all rows."""
    folds = RotatingValidation(k, repeats=2).folds(facts, seed=seed)
    assert_sound(folds, facts)
    for repeat in {fold.repeat for fold in folds}:
        ring = [fold for fold in folds if fold.repeat == repeat]
        assert len(ring) == k
        for place, fold in enumerate(ring):
            assert fold.validation is not None
            np.testing.assert_array_equal(fold.validation, ring[(place + 1) % k].test)
            assert len(fold.train) + len(fold.validation) + len(fold.test) == facts.n_rows
        assert sorted(np.concatenate([fold.test for fold in ring]).tolist()) == list(range(facts.n_rows))


@given(facts=some_facts(with_groups=False, with_time=False), k=st.integers(3, 6), seed=st.integers(0, 99))
def test_rotating_folds_are_stratified(facts: RowFacts, k: int, seed: int) -> None:
    """Every class or bin is spread over the folds to one row, as by KFold."""
    strata, n_strata = strata_of(facts, k)
    folds = RotatingValidation(k).folds(facts, seed=seed)
    counts = np.array([np.bincount(strata[fold.test], minlength=n_strata) for fold in folds])
    assert np.ptp(counts, axis=0).max() <= 1


def test_splits_of_one_seed_are_dealt_apart() -> None:
    """KFold and RotatingValidation with the same seed do not deal the same folds."""
    facts = RowFacts(np.arange(60) % 2, "classification")
    plain = {fold.test.tobytes() for fold in KFold(5).folds(facts, seed=3)}
    rotating = {fold.test.tobytes() for fold in RotatingValidation(5).folds(facts, seed=3)}
    assert not plain & rotating


def test_rotating_needs_three() -> None:
    """Two groups or rows cannot rotate, also when shrinking is allowed."""
    with pytest.raises(DataError, match="there are 2 rows"):
        RotatingValidation(5).folds(RowFacts(np.zeros(2), "regression"), shrink=True)
    assert len(RotatingValidation(5).folds(RowFacts(np.zeros(3), "regression"), shrink=True)) == 3
