"""Every k-th row: the number of a row modulo k is its fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heldout.errors import RequestError
from heldout.split.choices import check_whole
from heldout.split.fold import Fold
from heldout.split.k_fold import folds_of_parts
from heldout.split.parts import units_in_order
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.split.split_notes import class_notes, few_units_notes
from heldout.split.unit_counts import allowed_folds


@dataclass(frozen=True)
class EveryKth(Split):
    """k folds without chance: row n, counted from 0, is judged in fold n mod k.

    k: how many folds

    With groups it is the number of the group, in the order of their first rows. With time it is refused,
    because its folds would learn from what comes later. Rows that come in a rhythm of k make poor folds.

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
