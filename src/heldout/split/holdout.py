"""Hold-out: a share of the rows is judged, the others are learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heldout.arrays import Rows
from heldout.checks.values import check_flag, check_seed, check_share, check_whole
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.split.share import parted
from heldout.split.split import Split
from heldout.split.split_notes import holdout_notes, repeat_notes, share_notes

_TAG = 2


@dataclass(frozen=True)
class Holdout(Split):
    """A share of the rows set apart to judge by, drawn anew in every repeat.

    Parameters
    ----------
    fraction
        the share that is judged
    repeats
        how often it is drawn
    stratified
        every class, or each of ten bins of a sorted regression target, gives its share
    seed
        of the random order; None takes the seed of the plan, or 0

    Notes
    -----
    Groups stay whole. With time the latest rows are judged, and there is one repeat.

    Examples
    --------
    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> facts = RowFacts(np.array(["no"] * 6 + ["yes"] * 3), "classification")
    >>> [fold.test.tolist() for fold in Holdout(repeats=2).folds(facts)]
    [[1, 5, 8], [3, 4, 8]]
    """

    fraction: float = 1 / 3
    repeats: int = 1
    stratified: bool = True
    seed: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "fraction", check_share("fraction", self.fraction, is_open=True))
        object.__setattr__(self, "repeats", check_whole("repeats", self.repeats, lowest=1))
        object.__setattr__(self, "stratified", check_flag("stratified", self.stratified))
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))

    def __str__(self) -> str:
        repeats = f", {self.repeats} repeats" if self.repeats > 1 else ""
        return f"hold-out of {100 * self.fraction:.3g}%{repeats}{', stratified' if self.stratified else ''}"

    @property
    def n_folds(self) -> int:
        return 1

    @property
    def test_share(self) -> float:  # type: ignore[override]
        return self.fraction

    def _notes(self, facts: RowFacts, shrink: bool) -> tuple[str, ...]:
        if facts.time is None:
            return holdout_notes(facts, self.stratified)
        return (*repeat_notes(self.repeats), *share_notes(facts, self.fraction, *self._parted(facts, 0, 0)))

    def _each_fold(self, facts: RowFacts, seed: int, shrink: bool) -> Iterator[Fold]:
        for repeat in range(self._n_splits(facts)):
            yield Fold(repeat, 0, *self._parted(facts, seed, repeat))

    def _parted(self, facts: RowFacts, seed: int, repeat: int) -> tuple[Rows, Rows]:
        return parted(facts, self.fraction, self.stratified, key=(seed, repeat, _TAG))

    def _n_splits(self, facts: RowFacts) -> int:
        return 1 if facts.time is not None else self.repeats
