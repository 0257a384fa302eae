"""How much each neighbor counts, by its distance.

Only the ratios of the weights of a row's neighbors matter, so the built-in rules count relative to the
nearest one: nothing overflows where it is very near, and nothing vanishes where it is very far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError, RequestError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weighting:
    """A rule and what it needs.

    rule:      "uniform", "inverse", "gaussian", or a function of an array of distances
    bandwidth: of "gaussian": the standard deviation of the bell; None is half the distance of the k-th
               neighbor
    """

    rule: str | Callable[[Floats], Any]
    bandwidth: float | None = None

    @property
    def is_uniform(self) -> bool:
        return self.rule == "uniform"

    @property
    def changes_with_k(self) -> bool:
        """Whether a neighbor's weight may depend on how many there are."""
        return callable(self.rule) or (self.rule == "gaussian" and self.bandwidth is None)

    def weights(self, distances: Floats) -> Floats | None:
        """A weight for each neighbor, None where all count the same.

        distances: row × neighbor, ascending in each row

        >>> Weighting("inverse").weights(np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 3.0]])).tolist()
        [[1.0, 0.5, 0.25], [1.0, 1.0, 0.0]]
        """
        if callable(self.rule):
            return _checked(self.rule, distances)
        if self.rule == "inverse":
            # Rows at distance zero have all the weight, where there are some.
            return np.divide(distances[:, :1], distances, out=np.ones_like(distances), where=distances > 0)
        return None if self.is_uniform else _bell(distances, self.bandwidth)


def _bell(distances: Floats, bandwidth: float | None) -> Floats:
    """exp(-½ (d/h)²), divided by that of the nearest."""
    width: Any = distances[:, -1:] / 2 if bandwidth is None else float(bandwidth)
    nearest = distances[:, :1]
    beyond, exponent = distances - nearest, np.zeros_like(distances)
    with np.errstate(over="ignore"):
        np.divide(beyond, width, out=exponent, where=beyond > 0)
        np.multiply(
            exponent, (distances + nearest) / np.where(width > 0, width, 1.0), out=exponent, where=beyond > 0
        )
    return np.exp(-0.5 * exponent)


def _checked(rule: Callable[[Floats], Any], distances: Floats) -> Floats:
    given = rule(distances.copy())
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refusal(f"{type(given).__name__} {given!r:.40}") from error
    if weights.shape != distances.shape:
        raise _refusal(f"an array of shape {weights.shape} for distances of shape {distances.shape}")
    is_wrong = ~(np.isfinite(weights) & (weights >= 0))
    if is_wrong.any():
        row, rank = np.argwhere(is_wrong)[0]
        raise _refusal(f"{weights[row, rank]:g} for the distance {distances[row, rank]:g}")
    is_empty = ~weights.any(axis=1)
    if is_empty.any():
        first = distances[int(is_empty.argmax())]
        raise _refusal(f"0 for all neighbors of a row, at the distances {first[0]:g} to {first[-1]:g}")
    return np.ascontiguousarray(weights)


def _refusal(where: str) -> HeldoutError:
    return RequestError(
        "weights must turn an array of distances into weights of the same shape",
        where=f"it gave {where}",
        fix="give finite weights of at least 0, and in each row one above 0",
    )
