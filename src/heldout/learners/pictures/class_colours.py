"""Which class has which place in a legend: the heaviest eight have their own, the others share one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.charts.legend import LegendEntry
from heldout.charts.theme import N_CLASS_COLOURS, OTHER
from heldout.learners.trees.tree_text import shown_count


class ClassColours:
    """The places of the classes.

    weights:  of the classes, in all rows
    labels:   of the classes, in the same order
    place_of: the place of each class; the first places go to the classes in their order

    >>> ClassColours(np.array([3.0, 4.0]), ["no", "yes"]).place_of
    [0, 1]
    """

    def __init__(self, weights: NDArray[np.float64], labels: Sequence[str]) -> None:
        self._weights = weights
        self._labels = labels
        heaviest = np.sort(np.argsort(-weights, kind="stable")[:N_CLASS_COLOURS])
        self._own = [int(position) for position in heaviest]
        self.place_of = [OTHER] * len(labels)
        for place, position in enumerate(self._own):
            self.place_of[position] = place

    @property
    def legend(self) -> tuple[LegendEntry, ...]:
        """An entry for each place, with the weight behind the label."""
        gathered = self.gathered(self._weights)
        labels = [self._labels[position] for position in self._own]
        n_others = len(self._labels) - len(self._own)
        if n_others:
            labels.append(f"{n_others} other {'class' if n_others == 1 else 'classes'}")
        return tuple(
            LegendEntry(label, shown_count(float(weight)))
            for label, weight in zip(labels, gathered, strict=True)
        )

    def gathered(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weights of the classes as weights of the places."""
        n_places = len(self._own) + (len(self._labels) > len(self._own))
        gathered = np.bincount(self.place_of, weights=weights, minlength=n_places)
        return gathered.astype(np.float64)
