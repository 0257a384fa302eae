"""Groups stay whole in every split, and are spread as well as can be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, StratifiedGroupKFold

from heldout.errors import DataError
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

from .random_facts import assert_sound, some_facts

SPLITS: list[Split] = [
    KFold(4, repeats=2),
    KFold(4, stratified=False),
    Holdout(repeats=2),
    EveryKth(4),
    LeaveOneOut(),
    RotatingValidation(4, repeats=2),
]


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS, ids=str)
@settings(max_examples=settings().max_examples // 3)  # for each of several splits
@given(facts=some_facts(with_groups=True, with_time=False), seed=st.integers(0, 99))
def test_groups_never_straddle(split: Split, facts: RowFacts, seed: int) -> None:
    """In every split no group has rows in two parts of a fold, and no part is empty."""
    folds = split.folds(facts, seed=seed)
    assert_sound(folds, facts)
    assert [fold.digest for fold in folds] == [fold.digest for fold in split.folds(facts, seed=seed)]


@pytest.mark.slow
@given(facts=some_facts(with_groups=False, with_time=False), k=st.integers(2, 6), seed=st.integers(0, 99))
def test_groups_of_one_row_are_stratified_exactly(facts: RowFacts, k: int, seed: int) -> None:
    """Where every row is a group of its own, counts differ by at most one as without groups."""
    alone = RowFacts(facts.y, facts.kind, groups=np.arange(facts.n_rows)[::-1])
    folds = KFold(k).folds(alone, seed=seed)
    sizes = [len(fold.test) for fold in folds]
    assert max(sizes) - min(sizes) <= 1
    if facts.kind == "classification":
        classes = np.unique(facts.y, return_inverse=True)[1]
        counts = np.array([np.bincount(classes[fold.test], minlength=classes.max() + 1) for fold in folds])
        assert np.ptp(counts, axis=0).max() <= 1


def random_groups(seed: int, n_rows: int, n_groups: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes and groups; groups differ in size and in the share of classes."""
    draw = np.random.default_rng(seed)
    groups = draw.choice(n_groups, n_rows, p=draw.dirichlet(np.ones(n_groups)))
    shares = draw.dirichlet(2 * np.ones(n_classes), n_groups)
    y = (draw.random(n_rows)[:, np.newaxis] > np.cumsum(shares, axis=1)[groups]).sum(axis=1)
    return np.minimum(y, n_classes - 1), groups


def unevenness(tests: list[np.ndarray], y: np.ndarray) -> tuple[float, float]:
    """By how much class counts and sizes of folds differ from equal ones, relative to these, at most."""
    counts = np.array([np.bincount(y[test], minlength=y.max() + 1) for test in tests])
    even = counts.sum(axis=0) / len(tests)
    sizes = counts.sum(axis=1)
    return float((np.abs(counts - even) / even).max()), float(np.abs(sizes / sizes.mean() - 1).max())


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "n_groups", "n_classes", "k"), [(300, 40, 2, 5), (800, 100, 3, 10)])
def test_folds_are_as_even_as_those_of_scikit_learn(
    n_rows: int, n_groups: int, n_classes: int, k: int
) -> None:
    """On average classes and sizes are at least as evenly spread as by StratifiedGroupKFold."""
    ours, theirs = [], []
    for seed in range(15):
        y, groups = random_groups(seed, n_rows, n_groups, n_classes)
        facts = RowFacts(y, "classification", groups=groups)
        ours.append(unevenness([fold.test for fold in KFold(k).folds(facts, seed=seed)], y))
        peer = StratifiedGroupKFold(k, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.append(unevenness([test for _, test in peer.split(y, y, groups)], y))
    assert np.mean(ours, axis=0)[0] <= np.mean(theirs, axis=0)[0]
    assert np.mean(ours, axis=0)[1] <= np.mean(theirs, axis=0)[1]


def test_sizes_are_nearly_those_of_group_k_fold() -> None:
    """Without strata sizes are almost as equal as by GroupKFold, which is free to take the largest first."""
    for seed in range(10):
        y, groups = random_groups(seed, 600, 80, 2)
        facts = RowFacts(y, "classification", groups=groups)
        ours = [len(fold.test) for fold in KFold(5, stratified=False).folds(facts, seed=seed)]
        theirs = [len(test) for _, test in GroupKFold(5).split(y, y, groups)]
        assert max(ours) - min(ours) <= max(theirs) - min(theirs) + 3


def test_every_class_reaches_every_fold_where_groups_allow_it() -> None:
    """A rare class in ten small groups of a hundred is dealt to all five folds, two groups each."""
    groups = np.repeat(np.arange(100), 5)
    y = np.where((groups < 10) & (np.arange(500) % 5 == 0), "rare", "common")
    for seed in range(20):
        facts = RowFacts(y, "classification", groups=groups)
        assert [(y[fold.test] == "rare").sum() for fold in KFold(5).folds(facts, seed=seed)] == [2] * 5


def test_small_groups_make_up_for_a_large_one() -> None:
    """A group with a fifth of the rows fills one of five folds, and the small ones fill the others."""
    groups = np.concatenate([np.zeros(100, dtype=int), np.arange(1, 401)])
    facts = RowFacts(np.arange(500) % 2, "classification", groups=groups)
    assert sorted(len(fold.test) for fold in KFold(5).folds(facts, seed=1)) == [100] * 5


def test_names_of_groups_have_no_say_beyond_their_order() -> None:
    """Groups renamed in the same order, as numbers or words, give the same folds."""
    numbers = np.random.default_rng(0).integers(30, size=200)
    words = np.array([f"customer {number:03d}" for number in numbers])
    y = np.arange(200) % 2
    by_number, by_word = (
        [fold.digest for fold in KFold(5).folds(RowFacts(y, "classification", groups=groups), seed=4)]
        for groups in (numbers, words)
    )
    assert by_number == by_word


def test_seeds_and_repeats_deal_groups_in_other_ways() -> None:
    """Also groups of different sizes fall differently with another seed or in another repeat."""
    groups = np.repeat(np.arange(25), np.arange(5, 30))
    facts = RowFacts(np.arange(len(groups)) % 2, "classification", groups=groups)
    partitions = set()
    for seed in range(10):
        folds = KFold(5, repeats=2).folds(facts, seed=seed)
        for repeat in range(2):
            partitions.add(frozenset(fold.digest for fold in folds if fold.repeat == repeat))
    assert len(partitions) >= 18


def test_fewer_groups_than_folds_are_refused_or_shrink() -> None:
    """It is an error with both numbers; with shrink there are as many folds as groups, at least two."""
    facts = RowFacts(np.arange(12) % 2, "classification", groups=np.arange(12) % 3)
    with pytest.raises(DataError) as caught:
        KFold(5).folds(facts)
    assert (caught.value.what, caught.value.where) == ("5 folds need at least 5 groups", "there are 3 groups")
    assert caught.value.fix == "use k=3 or less, or more groups"
    folds = KFold(5).folds(facts, shrink=True)
    assert len(folds) == 3
    assert KFold(5).notes(facts, shrink=True)[0] == "3 folds instead of 5: there are no more than 3 groups."
    with pytest.raises(DataError, match="there is 1 group"):
        KFold(5).folds(facts.take(np.arange(12) % 3 == 0), shrink=True)
    with pytest.raises(DataError, match="there are 2 groups"):
        RotatingValidation(3).folds(facts.take(np.arange(12) % 3 < 2), shrink=True)


def test_leaving_one_out_leaves_a_group_out() -> None:
    """The folds are those of LeaveOneGroupOut, in the order of first appearance."""
    groups = np.array(["c", "a", "c", "b", "a", "b", "b"])
    folds = LeaveOneOut().folds(RowFacts(np.arange(7.0), "regression", groups=groups))
    assert [groups[fold.test][0] for fold in folds] == ["c", "a", "b"]
    theirs = {tuple(test.tolist()) for _, test in LeaveOneGroupOut().split(groups, groups=groups)}
    assert {tuple(fold.test.tolist()) for fold in folds} == theirs


def test_every_kth_group_is_counted_by_first_appearance() -> None:
    """EveryKth numbers groups in the order of their first rows."""
    groups = np.array([9, 9, 4, 7, 4, 1, 7])
    folds = EveryKth(2).folds(RowFacts(np.arange(7.0), "regression", groups=groups))
    assert [fold.test.tolist() for fold in folds] == [[0, 1, 3, 6], [2, 4, 5]]


@pytest.mark.slow
@given(facts=some_facts(with_groups=True, with_time=False), seed=st.integers(0, 99))
def test_the_held_share_is_off_by_less_than_the_largest_group(facts: RowFacts, seed: int) -> None:
    """Whole groups are held, and the share that results is as near as the largest group allows."""
    sealed = seal_rows(facts, held=0.25, seed=seed)
    largest = np.unique(facts.groups, return_counts=True)[1].max()
    assert abs(len(sealed.held_rows) - 0.25 * facts.n_rows) <= largest
    assert facts.groups is not None
    assert not set(facts.groups[sealed.open_rows].tolist()) & set(facts.groups[sealed.held_rows].tolist())


def test_one_group_cannot_be_parted() -> None:
    """A hold-out or seal of a single group is refused in three parts."""
    facts = RowFacts(np.arange(6) % 2, "classification", groups=np.ones(6))
    for refused in (lambda: Holdout().folds(facts), lambda: seal_rows(facts)):
        with pytest.raises(DataError) as caught:
            refused()
        assert caught.value.what == "rows of one group cannot be parted"
        assert caught.value.where == "all 6 rows have the same group"
        assert caught.value.fix == "leave groups out, or take rows of several groups"


def test_two_groups_can_be_parted() -> None:
    """With two groups one is held, however small the share, and a note gives the share that came of it."""
    facts = RowFacts(np.arange(20) % 2, "classification", groups=np.repeat([0, 1], [15, 5]))
    sealed = seal_rows(facts, held=0.1)
    assert sealed.held_rows.tolist() == list(range(15, 20))
    assert sealed.notes == ("25.0% of the rows instead of 10.0%: groups are not split apart.",)


def test_what_groups_do_is_noted() -> None:
    """Notes say that groups stay whole, that one is large, and that repeats are much alike."""
    groups = np.repeat(np.arange(6), [50, 2, 2, 2, 2, 2])
    y = np.where(groups == 5, "b", "a")
    notes = KFold(3, repeats=2).notes(RowFacts(y, "classification", groups=groups))
    assert notes == (
        "Repeats are much alike: 6 groups fall into 3 folds in few ways.",
        "6 groups stay whole, and are dealt so that folds are as alike as can be.",
        "The largest group has 83% of the rows, so folds differ in size.",
        "Class 'b' has one group: it is judged by a model that never saw its class.",
    )


def test_many_strata_and_sizes_are_dealt_too() -> None:
    """Groups whose contents do not fit into one number are dealt by the same rule."""
    draw = np.random.default_rng(0)
    groups, y = draw.integers(12, size=5000), draw.integers(40, size=5000)
    folds = KFold(4).folds(RowFacts(y, "classification", groups=groups))
    assert sorted(np.concatenate([fold.test for fold in folds]).tolist()) == list(range(5000))
    assert max(len(fold.test) for fold in folds) < 1.1 * min(len(fold.test) for fold in folds)
