"""k folds: every row is judged once per repeat, by what was learned from the other folds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heldout.errors import RequestError
from heldout.split.assign_folds import allowed_folds, assign_parts, n_units, units_in_order
from heldout.split.fold import Fold
from heldout.split.forward_blocks import forward_folds
from heldout.split.row_facts import Codes, RowFacts
from heldout.split.split import Split, check_settings
from heldout.split.split_notes import class_notes, few_units_notes, folds_in_words, group_notes, time_notes


@dataclass(frozen=True)
class _ShuffledFolds(Split):
    """k folds dealt at random, which groups leave whole and time makes look forward.

    _lowest:   the fewest folds that make sense
    _n_before: with time, how many blocks come before the first that is judged
    _tag:      tells its random order from that of other splits with the same seed
    """

    k: int = 10
    repeats: int = 1
    stratified: bool = True
    seed: int | None = None

    _lowest: ClassVar[int]
    _n_before: ClassVar[int]
    _tag: ClassVar[int]

    def __post_init__(self) -> None:
        check_settings(self, lowest_k=self._lowest)

    def __str__(self) -> str:
        return folds_in_words(self.k, self.repeats, self.stratified)

    @property
    def n_folds(self) -> int:
        return self.k

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        k = self._allowed_folds(facts, shrink)
        notes = self._few_notes(facts, k)
        if facts.time is not None:
            return (*notes, *time_notes(facts, k, self.repeats, n_before=self._n_before))
        groups = group_notes(facts, k) if facts.groups is not None else ()
        return (*notes, *groups, *class_notes(facts, k))

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        k = self._allowed_folds(facts, shrink)
        if facts.time is not None:
            yield from forward_folds(facts, k, has_validation=self._n_before == 2, shrink=shrink)
            return
        for repeat in range(self._n_different(facts, k)):
            parts = assign_parts(facts, k, self.stratified, key=(seed, repeat, self._tag))
            yield from self._folds_of(parts, k, repeat)

    def _n_splits(self, facts: RowFacts) -> int:
        return self.k * self._n_different(facts, self.k)

    def _allowed_folds(self, facts: RowFacts, shrink: bool) -> int:
        lowest = self._lowest if facts.time is None else 2
        return allowed_folds(facts, self.k, shrink, lowest, self._n_before)

    def _n_different(self, facts: RowFacts, k: int) -> int:
        """How many repeats there are that are not all alike."""
        return 1 if facts.time is not None else self.repeats

    def _few_notes(self, facts: RowFacts, k: int) -> tuple[str, ...]:
        """Fewer folds than requested."""
        return few_units_notes(facts, self.k, k)

    @abstractmethod
    def _folds_of(self, parts: Codes, k: int, repeat: int) -> Iterator[Fold]:
        """The folds of one repeat."""


@dataclass(frozen=True)
class KFold(_ShuffledFolds):
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

    _lowest: ClassVar[int] = 2
    _n_before: ClassVar[int] = 1
    _tag: ClassVar[int] = 1

    def _folds_of(self, parts: Codes, k: int, repeat: int) -> Iterator[Fold]:
        return folds_of_parts(parts, k, repeat)

    def _n_different(self, facts: RowFacts, k: int) -> int:
        # As many rows as folds fall into them in one way only.
        return 1 if n_units(facts)[0] == k else super()._n_different(facts, k)

    def _few_notes(self, facts: RowFacts, k: int) -> tuple[str, ...]:
        return few_units_notes(facts, self.k, k, self.repeats)


@dataclass(frozen=True)
class RotatingValidation(_ShuffledFolds):
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

    _lowest: ClassVar[int] = 3
    _n_before: ClassVar[int] = 2
    _tag: ClassVar[int] = 3

    def __str__(self) -> str:
        return f"{super().__str__()}, the next fold to choose by"

    def _folds_of(self, parts: Codes, k: int, repeat: int) -> Iterator[Fold]:
        for number in range(k):
            test, validation = parts == number, parts == (number + 1) % k
            train = ~(test | validation)
            yield Fold(repeat, number, *map(np.flatnonzero, (train, test, validation)))


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
        check_settings(self)

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


@dataclass(frozen=True)
class LeaveOneOut(Split):
    """As many folds as rows, each of which judges one; with groups, as many as groups.

    With time every time but the first is judged by what came before it.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> facts = RowFacts(np.arange(4.0), "regression", groups=np.array(["a", "b", "a", "b"]))
    >>> [fold.test.tolist() for fold in LeaveOneOut().folds(facts)]
    [[0, 2], [1, 3]]
    """

    def __str__(self) -> str:
        return "leave one out"

    @property
    def n_folds(self) -> int:
        raise RequestError(
            "how many folds there are depends on the rows",
            where="LeaveOneOut",
            fix="count folds(facts), or say get_n_splits(X)",
        )

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        if facts.time is not None:
            return time_notes(facts, self._checked_n(facts))
        if facts.groups is not None:
            return (f"One of {n_units(facts)[0]:,} groups is left out at a time.", *class_notes(facts, k=2))
        return class_notes(facts, k=2)

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        n_splits = self._checked_n(facts)
        if facts.time is not None:
            yield from forward_folds(facts, n_splits, shrink=shrink)
        else:
            yield from folds_of_parts(units_in_order(facts), n_splits)

    def _n_splits(self, facts: RowFacts) -> int:
        return n_units(facts)[0] - (facts.time is not None)

    def _checked_n(self, facts: RowFacts) -> int:
        return allowed_folds(facts, max(2, self._n_splits(facts)), shrink=False)


def folds_of_parts(parts: Codes, k: int, repeat: int = 0) -> Iterator[Fold]:
    """Each part judged by what is learned from the others.

    parts:  the part of each row, 0 to k − 1
    k:      how many parts there are
    repeat: the number of the repeat
    """
    for number in range(k):
        is_test = parts == number
        yield Fold(repeat, number, (~is_test).nonzero()[0], is_test.nonzero()[0])
