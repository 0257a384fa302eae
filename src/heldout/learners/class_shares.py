"""From the weight of each class to its probability: class weights are taken out, and nothing is certain.

Class weights serve a decision, so they must not reach a probability. And rows that were all of one class are
no proof that no other can come: probabilities are those of the rows and of a few imaginary ones, which have
the classes in their shares of the training rows (an m-estimate). One imaginary row never makes another class
the largest where whole rows were counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.learners.parameters import Parameter

ROUNDING = 1e-9
SMOOTHING = Parameter("smoothing", number="number", lowest=0)


def unweighted(counts: Floats, class_weights: Floats) -> Floats:
    """The weight of each class without its class weight; a class of weight 0 was not learned and has none."""
    if (class_weights == 1.0).all():
        return counts
    found = np.divide(counts, class_weights, out=np.zeros_like(counts), where=class_weights > 0)
    whole = np.rint(found)
    # A sum of equal weights, divided by the weight, is a number of rows but for rounding.
    return np.where(np.abs(found - whole) <= ROUNDING * whole, whole, found)


def shares_of(counts: Floats) -> Floats:
    """Counts divided by their sum, along the last axis."""
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def at_most_one(sums: Floats) -> Floats:
    """Probabilities added up from parts: what lies above 1 lies there by rounding."""
    return np.minimum(sums, 1.0)


def smoothed_votes(shares: Floats, n_votes: int | Floats, prior: Floats, smoothing: float) -> Floats:
    """Probabilities from the shares of so many votes, of trees or neighbors, and so many imaginary ones."""
    # Written without a sum, so that an export in another language has the same bits.
    return (shares * n_votes + prior * smoothing) / (n_votes + smoothing) if smoothing else shares


def smoothed(counts: Floats, prior: Floats, smoothing: float) -> Floats:
    """Probabilities from counts and so many imaginary rows.

    counts: the weight of each class, along the last axis
    prior:  the share of each class in all training rows
    """
    return shares_of(counts + smoothing * prior if smoothing else counts)


TIE = 1e-12


def first_largest(shares: NDArray[np.float64]) -> NDArray[np.intp]:
    """The place of the first largest share in each row."""
    largest = shares.max(axis=1, keepdims=True)
    return np.asarray((shares + TIE >= largest).argmax(axis=1))
