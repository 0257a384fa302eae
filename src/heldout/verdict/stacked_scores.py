"""Many contenders scored under the same counts: sums over rows are taken for all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.verdict.scored import Scored, SummedScore, mean_of_repeats

Numbers = NDArray[np.float64]
# One product with many columns reads the counts once; the columns of a stack are copied: 64 MB.
MOST_STACKED = 8_000_000


class StackedScores:
    """The scores of several contenders.

    >>> parts = np.array([[1.0, 1.0], [0.0, 1.0]])
    >>> scored = SummedScore((parts,), lambda sums: sums[..., 0] / sums[..., 1])
    >>> StackedScores([scored, scored]).means(np.array([[1.0, 1.0], [2.0, 1.0]])).round(3).tolist()
    [[0.5, 0.5], [0.667, 0.667]]
    """

    def __init__(self, scored: Sequence[Scored]) -> None:
        self._scored = tuple(scored)
        self._stacks: list[tuple[list[int], Numbers]] = []
        places: list[int] = []
        size = 0
        for place, each in enumerate(self._scored):
            if not isinstance(each, SummedScore):
                continue
            places.append(place)
            size += sum(part.size for part in each.parts)
            if size > MOST_STACKED:
                self._stack(places)
                places, size = [], 0
        self._stack(places)

    def _stack(self, places: list[int]) -> None:
        if places:
            parts = [part for place in places for part in self._of(place).parts]
            self._stacks.append((places, np.hstack(parts)))

    def _of(self, place: int) -> SummedScore:
        found = self._scored[place]
        assert isinstance(found, SummedScore)
        return found

    def means(self, counts: Numbers) -> Numbers:
        """The score of each under each line of counts: lines × contenders."""
        found = np.full((len(counts), len(self._scored)), np.nan)
        for places, stack in self._stacks:
            sums, start = counts @ stack, 0
            for place in places:
                values = []
                for part in self._of(place).parts:
                    values.append(self._of(place).valued(sums[:, start : start + part.shape[1]]))
                    start += part.shape[1]
                found[:, place] = mean_of_repeats(np.column_stack(values))
        for place, each in enumerate(self._scored):
            if not isinstance(each, SummedScore):
                found[:, place] = each.means(counts)
        return found
