"""A contender's score when rows count differently: drawn several times, or left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Scored(ABC):
    """The answers of a contender, ready to be scored under any counts of rows."""

    n_repeats: int

    @abstractmethod
    def values(self, counts: Numbers) -> Numbers:
        """The score of each repeat under each line of counts: lines × repeats; NaN where there is none.

        counts: lines × rows
        """

    def means(self, counts: Numbers) -> Numbers:
        """The mean over the repeats that have a score; NaN where none has.

        counts: lines × rows
        """
        return mean_of_repeats(self.values(counts))

    @property
    def cost(self) -> float:
        """How many numbers are touched for one line of counts, roughly."""
        return float("inf")


@dataclass(frozen=True, eq=False)
class SummedScore(Scored):
    """A score that is a function of sums over rows, such as hits and rows, or squared errors.

    parts: for each repeat rows × sums, weighted; 0 where the row was not tested
    value: of sums, … × sums; gives … numbers

    >>> right = np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]])
    >>> found = SummedScore((right,), lambda sums: sums[..., 0] / sums[..., 1])
    >>> found.means(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    array([0.5, 1. ])
    """

    parts: tuple[Numbers, ...]
    value: Callable[[Numbers], Numbers]

    @property
    def n_repeats(self) -> int:  # type: ignore[override]
        return len(self.parts)

    @property
    def cost(self) -> float:
        # Sums are products of matrices, which take a tenth of what other passes take.
        return 0.1 * float(sum(each.size for each in self.parts))

    def values(self, counts: Numbers) -> Numbers:
        return np.column_stack([self.valued(counts @ each) for each in self.parts])

    def valued(self, sums: Numbers) -> Numbers:
        """What is made of the sums; 0/0 is NaN."""
        with np.errstate(all="ignore"):
            return self.value(sums)


def mean_of_repeats(values: Numbers) -> Numbers:
    """The mean over the repeats that have a score; NaN where none has.

    values: lines × repeats

    >>> mean_of_repeats(np.array([[0.5, 1.0], [0.25, np.nan]])).tolist()
    [0.75, 0.25]
    """
    if values.shape[1] == 1:
        return values[:, 0]
    is_known = ~np.isnan(values)
    n_known = is_known.sum(axis=1)
    sums = np.where(is_known, values, 0.0).sum(axis=1)
    means: Numbers = np.divide(sums, n_known, out=np.full(len(values), np.nan), where=n_known > 0)
    return means
