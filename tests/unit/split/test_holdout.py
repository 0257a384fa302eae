"""A share of the rows set apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedShuffleSplit

from heldout.errors import RequestError
from heldout.split import Holdout, RowFacts

from .random_facts import assert_sound, some_facts


@given(
    facts=some_facts(with_groups=False, with_time=False),
    fraction=st.floats(0.1, 0.9),
    seed=st.integers(0, 99),
)
def test_parts_are_a_partition_of_the_asked_size(facts: RowFacts, fraction: float, seed: int) -> None:
    """Every row is on one side, the share is right to half a row, and the same seed gives the same rows."""
    split = Holdout(fraction, repeats=2)
    folds = split.folds(facts, seed=seed)
    assert_sound(folds, facts)
    for fold in folds:
        assert sorted([*fold.train.tolist(), *fold.test.tolist()]) == list(range(facts.n_rows))
        assert abs(len(fold.test) - fraction * facts.n_rows) <= 0.5
    assert [fold.digest for fold in folds] == [fold.digest for fold in split.folds(facts, seed=seed)]
    assert [(fold.repeat, fold.number) for fold in folds] == [(0, 0), (1, 0)]


@given(
    counts=st.lists(st.integers(2, 40), min_size=1, max_size=6),
    fraction=st.floats(0.05, 0.95),
    seed=st.integers(0, 99),
)
def test_every_class_gives_its_share(counts: list[int], fraction: float, seed: int) -> None:
    """Each class is judged in its share to less than one row, where one of its rows can be left to learn."""
    y = np.repeat(np.arange(len(counts)), counts)
    n_apart = int(np.floor(fraction * len(y) + 0.5))
    if not 0 < n_apart <= len(y) - len(counts):
        return
    fold = Holdout(fraction).folds(RowFacts(y, "classification"), seed=seed)[0]
    judged = np.bincount(y[fold.test], minlength=len(counts))
    learned = np.bincount(y[fold.train], minlength=len(counts))
    expected = np.array(counts) * n_apart / len(y)
    assert learned.min() >= 1
    if (expected <= np.array(counts) - 1).all():
        assert np.abs(judged - expected).max() < 1


@pytest.mark.parametrize("counts", [[30, 60], [10, 25, 55], [7, 14, 21, 58]])
def test_class_counts_are_those_of_scikit_learn(counts: list[int]) -> None:
    """StratifiedShuffleSplit gives the same number of rows of each class, up to how ties are broken."""
    y = np.repeat(np.arange(len(counts)), counts)
    for seed in range(10):
        fold = Holdout(0.3).folds(RowFacts(y, "classification"), seed=seed)[0]
        peer = StratifiedShuffleSplit(1, test_size=len(fold.test), random_state=seed)
        ((_, test),) = peer.split(y, y)
        assert np.abs(np.bincount(y[fold.test]) - np.bincount(y[test])).max() <= 1


def test_a_class_of_one_row_is_never_judged() -> None:
    """A single row of a class stays with what is learned from, for every seed, and a note says so."""
    y = np.array(["a"] * 20 + ["b"] * 9 + ["c"])
    facts = RowFacts(y, "classification")
    for seed in range(30):
        fold = Holdout(0.5).folds(facts, seed=seed)[0]
        assert "c" not in y[fold.test]
        assert len(fold.test) == 15
    assert Holdout(0.5).notes(facts) == ("Class 'c' has one row, which is never judged.",)


def test_classes_of_one_row_fill_up_when_nothing_else_is_left() -> None:
    """Where more rows are wanted than other classes have, single rows are judged too, at the asked size."""
    y = np.array([0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
    fold = Holdout(0.5).folds(RowFacts(y, "classification"))[0]
    assert len(fold.test) == 5


@pytest.mark.slow
def test_rows_are_drawn_alike() -> None:
    """Over many seeds each row of a class is judged equally often, and so is each row of a regression."""
    n_seeds = 1500
    for facts in (
        RowFacts(np.repeat([0, 1], [12, 8]), "classification"),
        RowFacts(np.arange(20.0), "regression"),
    ):
        judged = np.zeros(20)
        for seed in range(n_seeds):
            judged[Holdout(0.25).folds(facts, seed=seed)[0].test] += 1 / n_seeds
        assert np.abs(judged - 0.25).max() < 5 * np.sqrt(0.25 * 0.75 / n_seeds)


def test_a_regression_target_is_judged_over_its_whole_range() -> None:
    """Every tenth of a sorted target gives its tenth of the judged rows."""
    y = np.random.default_rng(1).normal(size=300)
    fold = Holdout(1 / 3).folds(RowFacts(y, "regression"), seed=5)[0]
    tenths = np.argsort(np.argsort(y)) // 30
    assert np.bincount(tenths[fold.test]).tolist() == [10] * 10


def test_without_strata_it_is_a_plain_draw() -> None:
    """stratified=False lets the judged share of a class vary with the seed."""
    facts = RowFacts(np.repeat([0, 1], [50, 50]), "classification")
    counts = {
        int(facts.y[Holdout(0.3, stratified=False).folds(facts, seed=seed)[0].test].sum())
        for seed in range(30)
    }
    assert len(counts) > 3
    stratified = {int(facts.y[Holdout(0.3).folds(facts, seed=seed)[0].test].sum()) for seed in range(30)}
    assert stratified == {15}


def test_shares_too_small_or_too_large_are_refused() -> None:
    """Where nothing would be judged or learned from, the error says which share would do."""
    facts = RowFacts(np.arange(10) % 2, "classification")
    with pytest.raises(RequestError) as caught:
        Holdout(0.01).folds(facts)
    assert caught.value.what == "no row is set apart"
    assert caught.value.where == "fraction=0.01 of 10 rows"
    assert caught.value.fix == "use fraction=0.1 or more"
    with pytest.raises(RequestError, match="no row is left to learn from"):
        Holdout(0.99).folds(facts)
    with pytest.raises(RequestError, match="use more rows"):
        Holdout(0.5).folds(facts.take([]))


def test_the_share_is_part_of_the_split() -> None:
    """A hold-out knows its share and repeats; it has one fold a repeat."""
    split = Holdout(0.25, repeats=4)
    assert (split.test_share, split.n_folds, split.n_repeats, split.get_n_splits()) == (0.25, 1, 4, 4)
    assert Holdout().fraction == 1 / 3
