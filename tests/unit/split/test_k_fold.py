"""k folds without groups and time; what groups and time change has tests of its own."""

from __future__ import annotations

import timeit

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from heldout.errors import DataError
from heldout.split import KFold, RowFacts
from heldout.split.assign_folds import strata_of

from .random_facts import assert_sound, folds_or_none, some_facts


@given(facts=some_facts(), k=st.integers(2, 5), seed=st.integers(0, 2**70), repeats=st.integers(1, 3))
def test_folds_are_sound_and_come_again(facts: RowFacts, k: int, seed: int, repeats: int) -> None:
    """Parts never overlap or straddle, and the same seed gives the same folds."""
    split = KFold(k, repeats=repeats)
    folds = folds_or_none(split, facts, seed)
    assert_sound(folds, facts)
    again = folds_or_none(split, facts, seed)
    assert [fold.digest for fold in folds] == [fold.digest for fold in again]
    assert len(folds) % k == 0
    assert [(fold.repeat, fold.number) for fold in folds] == [divmod(place, k) for place in range(len(folds))]


@given(facts=some_facts(with_time=False), k=st.integers(2, 5), seed=st.integers(0, 99))
def test_every_row_is_judged_once_a_repeat(facts: RowFacts, k: int, seed: int) -> None:
    """The tests of a repeat are a partition of all rows, and training is the rest."""
    folds = KFold(k, repeats=2).folds(facts, seed=seed)
    for repeat in {fold.repeat for fold in folds}:
        tests = [fold.test for fold in folds if fold.repeat == repeat]
        assert sorted(np.concatenate(tests).tolist()) == list(range(facts.n_rows))
    assert all(len(fold.train) + len(fold.test) == facts.n_rows for fold in folds)


@given(
    facts=some_facts(with_groups=False, with_time=False),
    k=st.integers(2, 12),
    seed=st.integers(0, 99),
    stratified=st.booleans(),
)
def test_sizes_differ_by_at_most_one(facts: RowFacts, k: int, seed: int, stratified: bool) -> None:
    """Folds are as equal as can be, in all and within every class or bin."""
    folds = KFold(k, stratified=stratified).folds(facts, seed=seed)
    strata, n_strata = strata_of(facts, k, stratified)
    counts = np.array([np.bincount(strata[fold.test], minlength=n_strata) for fold in folds])
    assert np.ptp(counts, axis=0).max() <= 1
    assert np.ptp(counts.sum(axis=1)) <= 1


@pytest.mark.slow
@given(y=st.lists(st.integers(0, 4), min_size=12, max_size=90), k=st.integers(2, 6), seed=st.integers(0, 50))
def test_class_counts_are_those_of_scikit_learn(y: list[int], k: int, seed: int) -> None:
    """Every fold has as many rows of every class as StratifiedKFold gives it, in the same order of folds."""
    # scikit-learn numbers classes by their first row and we by their order: let these agree.
    codes = np.array(sorted(set(y)) + y)
    assume(np.unique(codes, return_counts=True)[1].min() >= k)  # or else scikit-learn warns
    ours = KFold(k).folds(RowFacts(codes, "classification"), seed=seed)
    theirs = StratifiedKFold(k, shuffle=True, random_state=seed).split(codes, codes)
    for fold, (_, test) in zip(ours, theirs, strict=True):
        assert np.bincount(codes[fold.test]).tolist() == np.bincount(codes[test]).tolist()


def test_a_regression_target_is_spread_evenly() -> None:
    """Every fold has its share of each tenth of a sorted target, so the means of folds hardly differ."""
    y = np.random.default_rng(0).lognormal(size=500)
    facts = RowFacts(y, "regression")
    tenths = np.argsort(np.argsort(y)) // 50
    stratified = KFold(5).folds(facts, seed=3)
    for fold in stratified:
        assert np.bincount(tenths[fold.test]).tolist() == [10] * 10
    plain = [
        np.std([y[fold.test].mean() for fold in KFold(5, stratified=False).folds(facts, seed=seed)])
        for seed in range(20)
    ]
    even = [np.std([y[fold.test].mean() for fold in KFold(5).folds(facts, seed=seed)]) for seed in range(20)]
    assert np.mean(even) < 0.7 * np.mean(plain)


def test_equal_targets_share_a_bin() -> None:
    """Bins do not tear rows of one value apart, and a constant target has one bin."""
    y = np.array([0.0] * 30 + list(range(1, 11)))
    strata, n_strata = strata_of(RowFacts(y, "regression"), 2)
    assert len(set(strata[:30].tolist())) == 1
    assert n_strata > 2
    assert strata_of(RowFacts(np.ones(9), "regression"), 2)[1] == 1


def test_a_mirrored_target_has_the_same_bins() -> None:
    """Many equal values do not take the fewer ones below them into their bin, nor those above."""
    y = np.concatenate([np.arange(-15.0, 0.0), np.zeros(255), np.arange(1.0, 31.0)])
    facts, mirrored = RowFacts(y, "regression"), RowFacts(-y, "regression")
    for fold in (*KFold(5).folds(facts), *KFold(5).folds(mirrored)):
        assert np.count_nonzero(y[fold.test] < 0) == 3
        assert np.count_nonzero(y[fold.test] > 0) == 6


def test_few_rows_have_bins_of_at_least_k() -> None:
    """With few rows there are fewer bins, each with a row for every fold."""
    strata, n_strata = strata_of(RowFacts(np.arange(23.0), "regression"), 5)
    assert n_strata == 4
    assert np.bincount(strata).min() >= 5


def test_seeds_and_repeats_differ() -> None:
    """Another seed or another repeat deals the rows in another way."""
    facts = RowFacts(np.arange(60) % 3, "classification")
    digests = [fold.digest for seed in range(20) for fold in KFold(5, repeats=3).folds(facts, seed=seed)]
    assert len(set(digests)) == 20 * 15


def test_each_pair_of_rows_meets_as_often_as_any_other() -> None:
    """Over many seeds two rows of one class share a fold in (n/k − 1)/(n − 1) of the cases."""
    facts = RowFacts(np.array([0] * 12 + [1] * 8), "classification")
    together = np.zeros((20, 20))
    n_seeds = 2000
    for seed in range(n_seeds):
        for fold in KFold(4).folds(facts, seed=seed):
            together[np.ix_(fold.test, fold.test)] += 1 / n_seeds
    same_class = together[:12, :12][~np.eye(12, dtype=bool)]
    expected = (12 / 4 - 1) / 11
    assert abs(same_class.mean() - expected) < 1e-9
    assert np.abs(same_class - expected).max() < 5 * np.sqrt(expected * (1 - expected) / n_seeds)


def test_the_rows_of_a_seed_are_known() -> None:
    """A seed gives these rows with every version, so that a study can be resumed years later.

    They are made by hand too: rows sorted by class and by random number, and dealt in turn.
    """
    facts = RowFacts(np.arange(20) % 3, "classification")
    tests = [fold.test.tolist() for fold in KFold(3).folds(facts, seed=7)]
    assert tests == [[1, 2, 3, 4, 5, 9, 18], [6, 8, 10, 11, 13, 15, 16], [0, 7, 12, 14, 17, 19]]
    chance = np.random.PCG64(np.random.SeedSequence((7, 0, 1))).random_raw(20).tolist()
    order = sorted(range(20), key=lambda row: (row % 3, chance[row]))
    assert tests == [sorted(order[number::3]) for number in range(3)]


def test_a_seed_of_its_own_counts_first() -> None:
    """KFold(seed=…) gives the same folds whatever seed it is handed."""
    facts = RowFacts(np.arange(30) % 2, "classification")
    own = [fold.digest for fold in KFold(3, seed=5).folds(facts, seed=1)]
    assert own == [fold.digest for fold in KFold(3).folds(facts, seed=5)]
    assert own != [fold.digest for fold in KFold(3).folds(facts, seed=1)]


def test_more_folds_than_rows_are_refused_or_shrink() -> None:
    """Without shrink it is an error that says how many; with shrink there are as many folds as rows."""
    facts = RowFacts(np.array([0, 1, 0]), "classification")
    with pytest.raises(DataError) as caught:
        KFold(5).folds(facts)
    assert (caught.value.what, caught.value.where) == ("5 folds need at least 5 rows", "there are 3 rows")
    assert "k=3" in caught.value.fix
    assert sorted(len(fold.test) for fold in KFold(5).folds(facts, shrink=True)) == [1, 1, 1]
    with pytest.raises(DataError, match="use more rows"):
        KFold(5).folds(facts.take([0]), shrink=True)
    with pytest.raises(DataError, match="there are 0 rows"):
        KFold(2).folds(facts.take([]))


def test_as_many_folds_as_rows_are_not_repeated() -> None:
    """Where rows fall into folds in one way only, there is one repeat and a note."""
    facts = RowFacts(np.arange(6) % 2, "classification")
    split = KFold(6, repeats=4)
    assert len(split.folds(facts)) == 6
    assert "One repeat instead of 4: 6 rows fall into 6 folds in one way only." in split.notes(facts)


def test_a_class_of_one_row_is_judged_once() -> None:
    """A class with one member is in one fold's test and that fold learns without it; a note says so."""
    facts = RowFacts(np.array(["a"] * 9 + ["b"] * 3 + ["c"]), "classification")
    folds = KFold(5).folds(facts)
    assert sum("c" in facts.y[fold.test] for fold in folds) == 1
    assert sum("b" in facts.y[fold.test] for fold in folds) == 3
    single, few = KFold(5).notes(facts)
    assert single == "Class 'c' has one row: it is judged by a model that never saw its class."
    assert few == "Class 'b' has fewer rows than there are folds (5): some folds judge none of them."


def test_inner_folds_cost_next_to_nothing() -> None:
    """Five folds of 5,000 rows take less than a millisecond, in the best of many tries."""
    facts = RowFacts(np.arange(5000) % 3, "classification")
    seconds = timeit.repeat(lambda: KFold(5).folds(facts), number=1, repeat=50)
    assert min(seconds) < 0.001


def test_folds_of_a_large_table_are_made_at_once() -> None:
    """A million rows are dealt, each judged once, without a loop over rows."""
    facts = RowFacts(np.arange(1_000_000) % 7, "classification")
    folds = KFold(3).folds(facts)
    judged = np.bincount(np.concatenate([fold.test for fold in folds]), minlength=1_000_000)
    assert judged.min() == judged.max() == 1
