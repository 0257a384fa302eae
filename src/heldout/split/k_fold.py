"""k folds: every row is judged once per repeat, by what was learned from the other folds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heldout.checks.values import check_flag, check_seed, check_whole
from heldout.split.dealt_groups import allowed_folds, dealt_parts, n_units
from heldout.split.fold import Fold
from heldout.split.forward_blocks import forward_folds
from heldout.split.row_facts import Codes, RowFacts
from heldout.split.split import Split
from heldout.split.split_notes import class_notes, few_units_notes, folds_in_words, group_notes, time_notes

_TAG = 1  # tells its random order from that of other splits with the same seed


@dataclass(frozen=True)
class KFold(Split):
    """k folds of equal size, dealt at random, repeated if wished.

    Parameters
    ----------
    k
        how many folds
    repeats
        how often all rows are dealt anew
    stratified
        every fold gets its share of each class, or of each of ten bins of a sorted regression target
    seed
        of the random order; None takes the seed of the plan, or 0

    Notes
    -----
    Sizes of folds differ by at most one, in all and within each class. Groups stay whole and are stratified
    as well as can be. With time there are k + 1 blocks: each but the first is judged by what came before it.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> facts = RowFacts(np.array(["no"] * 6 + ["yes"] * 4), "classification")
    >>> [fold.test.tolist() for fold in KFold(2).folds(facts)]
    [[0, 3, 4, 7, 9], [1, 2, 5, 6, 8]]
    """

    k: int = 10
    repeats: int = 1
    stratified: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_whole("k", self.k, lowest=2))
        object.__setattr__(self, "repeats", check_whole("repeats", self.repeats, lowest=1))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))

    def __str__(self) -> str:
        return folds_in_words(self.k, self.repeats, self.stratified)

    @property
    def n_folds(self) -> int:
        return self.k

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        k = allowed_folds(facts, self.k, shrink)
        notes = few_units_notes(facts, self.k, k, self.repeats)
        if facts.time is not None:
            return (*notes, *time_notes(facts, k, self.repeats, n_before=1))
        if facts.groups is not None:
            return (*notes, *group_notes(facts, k), *class_notes(facts, k))
        return (*notes, *class_notes(facts, k))

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        k = allowed_folds(facts, self.k, shrink)
        if facts.time is not None:
            yield from forward_folds(facts, k, shrink=shrink)
            return
        for repeat in range(self._repeats_that_differ(facts, k)):
            parts = dealt_parts(facts, k, self.stratified, key=(seed, repeat, _TAG))
            yield from folds_of_parts(parts, k, repeat)

    def _n_splits(self, facts: RowFacts) -> int:
        return self.k * self._repeats_that_differ(facts, self.k)

    def _repeats_that_differ(self, facts: RowFacts, k: int) -> int:
        is_one_way = facts.time is not None or n_units(facts)[0] == k
        return 1 if is_one_way else self.repeats


def folds_of_parts(parts: Codes, k: int, repeat: int = 0) -> Iterator[Fold]:
    """Each part judged by what is learned from the others.

    parts:  the part of each row, 0 to k − 1
    k:      how many parts there are
    repeat: the number of the repeat
    """
    for number in range(k):
        is_test = parts == number
        yield Fold(repeat, number, (~is_test).nonzero()[0], is_test.nonzero()[0])
