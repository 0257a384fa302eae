"""Leave one out: every row, or every group, is judged by what was learned from all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heldout.errors import RequestError
from heldout.split.dealt_groups import allowed_folds, n_units, units_in_order
from heldout.split.fold import Fold
from heldout.split.forward_blocks import forward_folds
from heldout.split.k_fold import folds_of_parts
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.split.split_notes import class_notes, time_notes


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
