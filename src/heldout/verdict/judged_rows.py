"""The rows that contenders are judged by: what is true of them, and which split tested each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.stats.bootstrap_ends import coded_groups
from heldout.stats.out_of_fold import inflation

Codes = NDArray[np.intp]
# With fewer blocks of time nothing is said of how they differ.
FEWEST_BLOCKS = 5
_CUT_INTO = 10
_ROWS_OF_A_BLOCK = 5


class TestedRows(Protocol):
    """What is asked of a fold: which repeat, which number, and the rows that it tests."""

    @property
    def repeat(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def test(self) -> NDArray[np.intp]: ...


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Rows and splits, the same for all contenders of a plan.

    y:          labels or numbers, one per row
    folds:      repeats × rows: the number of the fold that tested the row, −1 where none did
    classes:    of a classification, in the order of the codes in which labels are kept
    positive:   of two classes the positive one
    weights:    how much each row counts; None where all count once
    groups:     one label per row; None where rows stand for themselves
    is_in_time: whether folds are blocks of time, each predicted from what lies before it
    time:       the time of each row; where there are few folds, it cuts what they tested into more blocks
    test_share: the share of rows that each split tests, for (repeated) hold-out; None for folds
    """

    y: NDArray[Any]
    folds: Codes
    classes: tuple[Any, ...] = ()
    positive: Any = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[Any] | None = None
    is_in_time: bool = False
    time: NDArray[Any] | None = None
    test_share: float | None = None

    def __post_init__(self) -> None:
        if self.folds.ndim != 2 or self.folds.shape[1] != len(self.y) or not (self.folds >= 0).any():
            raise DataError(
                "folds must be repeats × rows, and test some row",
                where=f"folds has the shape {self.folds.shape}, y {len(self.y)} rows",
                fix="give the number of the fold that tests each row, −1 for none",
            )

    @classmethod
    def of(cls, y: NDArray[Any], folds: Iterable[TestedRows], **known: Any) -> JudgedRows:
        """The rows with the folds that tested them.

        folds: each with `repeat`, `number` and `test`, the positions of its test rows
        known: the other fields
        """
        listed: Sequence[TestedRows] = tuple(folds)
        numbers = np.full((1 + max((each.repeat for each in listed), default=0), len(y)), -1, dtype=np.intp)
        for each in listed:
            numbers[each.repeat, each.test] = each.number
        return cls(y, numbers, **known)

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_repeats(self) -> int:
        return len(self.folds)

    @cached_property
    def n_folds(self) -> int:
        """Folds in each repeat."""
        return int(self.folds.max()) + 1

    @property
    def is_tested(self) -> NDArray[np.bool_]:
        """Repeats × rows."""
        return self.folds >= 0

    @property
    def is_by_folds(self) -> bool:
        """Whether every repeat tests the same rows, each once: folds, not repeated hold-out."""
        return self.test_share is None and bool((self.is_tested == self.is_tested[0]).all())

    @cached_property
    def row_weights(self) -> NDArray[np.float64]:
        """The weights with a mean of 1, so that sums of them count rows."""
        if self.weights is None:
            return np.ones(self.n_rows)
        return np.asarray(self.weights, dtype=np.float64) / float(np.mean(self.weights))

    @property
    def unit(self) -> str:
        """What is independent of what: "row", "group", or "block" of time."""
        if self.is_in_time:
            return "block"
        return "row" if self.groups is None else "group"

    @cached_property
    def units(self) -> Codes:
        """The number of the group or block of each row, or of the row itself; −1 where never tested."""
        was_tested = self.is_tested.any(axis=0)
        codes = np.full(self.n_rows, -1, dtype=np.intp)
        if self.is_in_time:
            labels: Any = self.folds.max(axis=0)[was_tested]
            if self.is_cut_in_time:
                labels = _blocks(np.asarray(self.time)[was_tested])
        else:
            labels = np.arange(self.n_rows) if self.groups is None else np.asarray(self.groups)
            labels = labels[was_tested]
        codes[was_tested] = coded_groups(labels, int(was_tested.sum()))
        return codes

    @property
    def is_cut_in_time(self) -> bool:
        """Whether folds are too few to tell how blocks of time differ, so that they are cut into more."""
        return self.is_in_time and self.time is not None and self.n_folds < FEWEST_BLOCKS

    @cached_property
    def n_units(self) -> int:
        """How many groups, blocks or rows were tested."""
        return int(self.units.max()) + 1

    @property
    def factor(self) -> float:
        """By how much the variance of a score exceeds that of one pass over independent rows.

        For folds 1 + K/(K−1), see `heldout.stats`. For m hold-outs of a share s it is 1/m + s/(1−s) as Nadeau
        and Bengio have it, but never less than folds of that size would leave.
        """
        if self.test_share is None and self.n_folds > 1:
            return inflation(self.n_folds)
        share = self.held_share
        return max(1 / self.n_repeats + share / (1 - share), share * (1 + 1 / (1 - share)))

    @property
    def paired_factor(self) -> float:
        """The same for a difference on the same splits, by what each fold learned from."""
        if self.test_share is None and self.n_folds > 1:
            return 1 + self.n_folds * self.test_to_train
        return self.factor

    @cached_property
    def test_to_train(self) -> float:
        """Rows that a fold tests for each that it learns from, as a mean over the folds.

        Folds in time learn from what lies before them alone: the first of few rows, the last of many. Rows of
        groups that a fold tests are not learned from.
        """
        if self.test_share is not None or self.n_folds < 2:
            return self.held_share / (1 - self.held_share)
        if not self.is_in_time:
            return 1 / (self.n_folds - 1)
        return float(
            np.mean([self._ratio_in_time(line, number) for line in self.folds for number in _numbers(line)])
        )

    def _ratio_in_time(self, folds: Codes, number: int) -> float:
        is_test, is_before = folds == number, folds < number
        if self.groups is not None:
            is_before &= ~np.isin(self.groups, self.groups[is_test])
        return int(is_test.sum()) / max(int(is_before.sum()), 1)

    @property
    def held_share(self) -> float:
        """The share of rows that one split tests."""
        if self.test_share is not None:
            return float(self.test_share)
        tested = float(self.is_tested.mean())
        return tested / self.n_folds if tested < 1 or self.n_folds > 1 else 0.5


def _numbers(folds: Codes) -> list[int]:
    """The folds of a repeat that tested any row."""
    return [int(number) for number in np.unique(folds[folds >= 0])]


def _blocks(times: NDArray[Any]) -> Codes:
    """Rows in the order of time, cut into ten blocks of at least five; rows of one time share a block."""
    order = np.argsort(times, kind="stable")
    n_blocks = min(_CUT_INTO, max(len(times) // _ROWS_OF_A_BLOCK, 1))
    indices = np.empty(len(times), dtype=np.intp)
    indices[order] = np.arange(len(times)) * n_blocks // len(times)
    _, moments = np.unique(times, return_inverse=True)
    first = np.full(int(moments.max()) + 1, n_blocks, dtype=np.intp)
    np.minimum.at(first, moments, indices)
    return first[moments]
