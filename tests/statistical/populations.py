"""Populations of which everything is known: as many rows of them as a simulation asks for.

Each has two views of every row, which are exchangeable: what a learner finds in one it finds, on average, in
the other. So a learner that sees one view and the same learner that sees the other are equally good, and a
test that tells them apart gives a false alarm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Generator = np.random.Generator
# A class with fewer rows than this cannot be divided among folds that all learn it; such sets are drawn anew.
FEWEST = 3
N_INPUTS = 5


@dataclass(frozen=True)
class Rows:
    """Rows of a population: two views of the inputs, and the target."""

    views: tuple[Numbers, Numbers]
    y: NDArray[np.int64] | Numbers


@dataclass(frozen=True)
class Population:
    """A source of rows.

    name:          for the tables
    is_classified: whether the target is a class, 0 or 1
    draw:          takes a generator and a number of rows
    """

    name: str
    is_classified: bool
    draw: Callable[[Generator, int], Rows]

    def rows(self, generator: Generator, n_rows: int) -> Rows:
        """So many rows; if it has classes, with at least three of each."""
        while True:
            found = self.draw(generator, n_rows)
            if not self.is_classified or FEWEST <= found.y.sum() <= n_rows - FEWEST:
                return found


def gaussian_classes(share: float, distance: float) -> Callable[[Generator, int], Rows]:
    """Two normal classes whose centers lie so far apart in each view; the second has this share of rows."""

    def draw(generator: Generator, n_rows: int) -> Rows:
        y = (generator.random(n_rows) < share).astype(np.int64)
        shift = distance / np.sqrt(N_INPUTS) * (y[:, np.newaxis] - 0.5)
        first, second = (shift + generator.normal(size=(n_rows, N_INPUTS)) for _ in range(2))
        return Rows((first, second), y)

    return draw


def tree_rule(noise: float, blur: float) -> Callable[[Generator, int], Rows]:
    """Classes by a rule that a tree can learn, seen with some blur; a share of the labels is turned."""

    def draw(generator: Generator, n_rows: int) -> Rows:
        latent = generator.random((n_rows, N_INPUTS))
        is_one = ((latent[:, 0] > 0.5) & (latent[:, 1] > 0.4)) | (latent[:, 2] > 0.8)
        y = (is_one ^ (generator.random(n_rows) < noise)).astype(np.int64)
        first, second = (latent + blur * generator.normal(size=latent.shape) for _ in range(2))
        return Rows((first, second), y)

    return draw


def linear(noise: Callable[[Generator, int], Numbers]) -> Callable[[Generator, int], Rows]:
    """A number that depends on each view in the same linear way, with noise."""

    def draw(generator: Generator, n_rows: int) -> Rows:
        first, second = (generator.normal(size=(n_rows, N_INPUTS)) for _ in range(2))
        slopes = np.array([1.0, 0.5, 0.25, 0.0, 0.0])
        return Rows((first, second), (first + second) @ slopes + noise(generator, n_rows))

    return draw


GAUSSIAN = Population("two Gaussian classes", True, gaussian_classes(0.5, 1.7))
TREE_RULE = Population("tree rule, 10% label noise", True, tree_rule(0.1, 0.05))
# Places where good models have an accuracy of about .99.
FAR_APART = Population("two Gaussian classes, far apart", True, gaussian_classes(0.5, 5.0))
CLEAN_RULE = Population("tree rule, 0.5% label noise", True, tree_rule(0.005, 0.0))
RARE = Population("10% positives", True, gaussian_classes(0.1, 2.2))
# A case in which most models spot no positive at all.
FAINT = Population("10% positives, hardly told apart", True, gaussian_classes(0.1, 1.2))
NORMAL_NOISE = Population(
    "linear, normal noise", False, linear(lambda generator, n: generator.normal(size=n))
)
T5_NOISE = Population("linear, t5 noise", False, linear(lambda generator, n: generator.standard_t(5, size=n)))
CLASSIFIED = (GAUSSIAN, TREE_RULE, RARE)
MEASURED = (NORMAL_NOISE, T5_NOISE)
