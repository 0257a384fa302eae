"""The weights of a perceptron in the names of the columns, and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.linear.coefficient_table import INTERCEPT
from heldout.learners.trees.tree_text import shown_label, shown_level

# A line of text that any terminal and the page can show.
LINE = 78


@dataclass(frozen=True)
class ClassCoefficients:
    """One linear function: the score of a class, or of two classes the score of the second against the first.

    class_:    the class whose score it is
    intercept: what is added to the sum
    weights:   the weight of each column, by name, in the order of the columns
    """

    class_: Any
    intercept: float
    weights: dict[str, float]


def class_coefficients(
    classes: NDArray[Any], names: Sequence[str], weights: NDArray[Any], intercepts: NDArray[Any]
) -> tuple[ClassCoefficients, ...]:
    """A record for each row of weights.

    classes: all classes; a single row of weights belongs to the second of two
    """
    owners = classes.tolist()[-len(weights) :]
    return tuple(
        ClassCoefficients(owner, float(intercept), dict(zip(names, row.tolist(), strict=True)))
        for owner, intercept, row in zip(owners, intercepts, weights, strict=True)
    )


def coefficients_text(
    classes: NDArray[Any], names: Sequence[str], weights: NDArray[Any], intercepts: NDArray[Any], most: int
) -> str:
    """A line for each column, and before them what the sum of them says.

    most: of more columns than these only those with the largest weights are shown

    >>> print(coefficients_text(np.array(["no", "yes"]), ["age"], np.array([[2.5]]), np.array([-1.0]), 20))
    yes if the sum is above 0, else no
    (intercept)   -1
    age          2.5
    """
    shown = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:most])
    labels = [shown_level(str(label)) for label in classes.tolist()]
    if len(weights) == 1:
        lines = [f"{labels[1]} if the sum is above 0, else {labels[0]}"]
        cells = []
    else:
        lines, cells = ["the class of the largest sum"], [["", *labels]]
    cells += [[INTERCEPT, *_numbers(intercepts)]]
    cells += [[shown_label(names[place]), *_numbers(weights[:, place])] for place in shown.tolist()]
    lines += _blocks(cells)
    n_others = len(names) - len(shown)
    if n_others:
        lines.append(f"and {n_others} more column{'s' * (n_others > 1)} of smaller weights")
    return "\n".join(lines)


def _blocks(cells: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells, the names to the left; classes that have no room in a line stand below the others."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    for block in _columns_that_fit(widths):
        lines += [""] * bool(lines)
        for row in cells:
            padded = [row[place].rjust(widths[place]) for place in block]
            lines.append("  ".join([row[0].ljust(widths[0]), *padded]))
    return lines


def _columns_that_fit(widths: Sequence[int]) -> list[list[int]]:
    """The columns after the first, in blocks that are no wider than a line with it; one at least in each.

    >>> _columns_that_fit([50, 10, 10, 10])
    [[1, 2], [3]]
    """
    blocks: list[list[int]] = []
    room = 0
    for place, width in enumerate(widths[1:], start=1):
        if not blocks or room < width + 2:
            blocks.append([])
            room = LINE - widths[0]
        blocks[-1].append(place)
        room -= width + 2
    return blocks


def _numbers(values: NDArray[Any]) -> list[str]:
    return [f"{value:.4g}" for value in values.tolist()]
