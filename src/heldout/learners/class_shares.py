"""From the weight of each class to its probability: class weights are taken out, and nothing is certain.

Class weights serve a decision, so they must not reach a probability. And rows that were all of one class are
no proof that no other can come: probabilities are those of the rows and of a few imaginary ones, which have
the classes in their shares of the training rows (an m-estimate). One imaginary row never makes another class
the largest where whole rows were counted.

Class factors make the mean probability of new rows the share of the class: each class has one, by which its
probability is multiplied before all are made to sum to 1, an offset of the logits. They decide nothing.
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
    """The index of the first largest share in each row."""
    largest = shares.max(axis=1, keepdims=True)
    return np.asarray((shares + TIE >= largest).argmax(axis=1))


N_ROUNDS = 100
CLOSE = 1e-6
# No class is multiplied by more than this, compared with another.
LARGEST_RATIO = 100.0


def calibrated(probabilities: Floats, factors: Floats) -> Floats:
    """Probabilities times the factors of their classes, made to sum to 1 again along the last axis."""
    if (factors == 1.0).all():
        return probabilities
    products = probabilities * factors
    # Added up in the order of the classes, so that an export in another language has the same bits.
    return np.asarray(products / np.cumsum(products, axis=-1)[..., -1:])


def class_factors(probabilities: Floats, shares: Floats, weights: Floats | None = None) -> Floats:
    """A factor for each class with which the mean probability has these shares; the largest is 1.

    probabilities: row × class, of rows that were new to the model
    shares:        of the classes, wanted
    weights:       sample weights of the rows; None where every row counts once
    """
    factors = np.ones(probabilities.shape[1])
    for _ in range(N_ROUNDS):
        mean = np.average(calibrated(probabilities, factors), axis=0, weights=weights)
        if np.abs(mean - shares).max() <= CLOSE:
            break
        factors *= np.divide(shares, mean, out=np.ones_like(shares), where=(mean > 0) & (shares > 0))
        factors = np.maximum(factors / factors.max(), 1 / LARGEST_RATIO)
    # Sums may differ in their last bits from one processor to another; what is kept does not.
    return np.asarray(np.round(factors, 4))


def factors_beyond_noise(
    probabilities: Floats, codes: NDArray[np.integer], weights: Floats | None = None
) -> Floats:
    """The class factors of new rows with these classes; 1 where chance alone explains how far off they are.

    A mean that is off by less than its standard error is not mended: on small tables that would add more
    noise than it takes away.

    codes: the class of each row, as a column of the probabilities
    """
    n_rows, n_classes = probabilities.shape
    if n_rows < 2:
        return np.ones(n_classes)
    is_true = np.eye(n_classes)[codes]
    each = np.ones(n_rows) if weights is None else weights
    shares = np.average(is_true, axis=0, weights=each)
    bias = np.average(probabilities, axis=0, weights=each) - shares
    noise = n_rows / (n_rows - 1) * (each**2 @ (probabilities - is_true - bias) ** 2) / each.sum() ** 2
    if (bias**2).sum() <= noise.sum():
        return np.ones(n_classes)
    return class_factors(probabilities, shares, weights)
