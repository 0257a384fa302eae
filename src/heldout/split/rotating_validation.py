"""Rotating validation: one fold is judged, the next chooses the setting, the others are learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heldout.checks.values import check_flag, check_seed, check_whole
from heldout.errors import RequestError
from heldout.split.dealt_groups import allowed_folds, dealt_parts, units_in_order
from heldout.split.fold import Fold
from heldout.split.forward_blocks import forward_folds
from heldout.split.k_fold import folds_of_parts
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.split.split_notes import class_notes, few_units_notes, folds_in_words, group_notes, time_notes

_TAG = 3


@dataclass(frozen=True)
class RotatingValidation(Split):
    """k folds in a ring: each is judged once, and the one after it chooses the setting.

    Parameters
    ----------
    k
        how many folds, at least three
    repeats
        how often all rows are dealt anew
    stratified
        as for KFold
    seed
        of the random order; None takes the seed of the plan, or 0

    Notes
    -----
    It costs one fit per setting and fold, where inner folds cost several. scikit-learn knows no validation
    rows and is given them as rows to learn from. With time the block before the judged one chooses, and the
    first two blocks are never judged.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> first = RotatingValidation(3).folds(RowFacts(np.arange(6) % 2, "classification"))[0]
    >>> first.train.tolist(), first.validation.tolist(), first.test.tolist()
    ([0, 3], [4, 5], [1, 2])
    """

    k: int = 10
    repeats: int = 1
    stratified: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_whole("k", self.k, lowest=3))
        object.__setattr__(self, "repeats", check_whole("repeats", self.repeats, lowest=1))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))

    def __str__(self) -> str:
        return f"{folds_in_words(self.k, self.repeats, self.stratified)}, the next fold to choose by"

    @property
    def n_folds(self) -> int:
        return self.k

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        k = self._allowed_folds(facts, shrink)
        notes = few_units_notes(facts, self.k, k)
        if facts.time is not None:
            return (*notes, *time_notes(facts, k, self.repeats, n_before=2))
        groups = group_notes(facts, k) if facts.groups is not None else ()
        return (*notes, *groups, *class_notes(facts, k))

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        k = self._allowed_folds(facts, shrink)
        if facts.time is not None:
            yield from forward_folds(facts, k, has_validation=True, shrink=shrink)
            return
        for repeat in range(self.repeats):
            parts = dealt_parts(facts, k, self.stratified, key=(seed, repeat, _TAG))
            for number in range(k):
                test, validation = parts == number, parts == (number + 1) % k
                yield Fold(
                    repeat,
                    number,
                    np.flatnonzero(~(test | validation)),
                    np.flatnonzero(test),
                    np.flatnonzero(validation),
                )

    def _n_splits(self, facts: RowFacts) -> int:
        return self.k * (1 if facts.time is not None else self.repeats)

    def _allowed_folds(self, facts: RowFacts, shrink: bool) -> int:
        lowest = 3 if facts.time is None else 2
        return allowed_folds(facts, self.k, shrink, lowest, n_before=2)


@dataclass(frozen=True)
class EveryKth(Split):
    """k folds without chance: row n, counted from 0, is judged in fold n mod k.

    Parameters
    ----------
    k
        how many folds

    Notes
    -----
    With groups it is the number of the group, in the order of their first rows. With time it is refused,
    because its folds would learn from what comes later. Rows that come in a rhythm of k make poor folds.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> [fold.test.tolist() for fold in EveryKth(3).folds(RowFacts(np.arange(7.0), "regression"))]
    [[0, 3, 6], [1, 4], [2, 5]]
    """

    k: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_whole("k", self.k, lowest=2))

    def __str__(self) -> str:
        return f"{self.k} folds, the number of a row modulo {self.k}"

    @property
    def n_folds(self) -> int:
        return self.k

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        k = self._allowed_folds(facts, shrink)
        notes = few_units_notes(facts, self.k, k)
        if facts.groups is not None:
            notes += ("Groups stay whole: the number of a group, by its first row, modulo k is its fold.",)
        return (*notes, *class_notes(facts, k))

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        k = self._allowed_folds(facts, shrink)
        yield from folds_of_parts(units_in_order(facts) % k, k)

    def _n_splits(self, facts: RowFacts) -> int:
        return self.k

    def _allowed_folds(self, facts: RowFacts, shrink: bool) -> int:
        if facts.time is not None:
            raise RequestError(
                "EveryKth would learn from what comes later",
                where="the rows have times",
                fix="use KFold, which cuts time into blocks and looks forward, or leave time out",
            )
        return allowed_folds(facts, self.k, shrink)
