"""Rates of the classes of a confusion matrix: hits among rows, one class at a time or averaged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.stats.metric_families import CellRate, f_parts
from heldout.text.words import suggestion

AVERAGES = ("macro", "micro", "weighted")
MOST_SUMMED = 64


@dataclass(frozen=True, eq=False)
class ClassCells:
    """The four cells of each class against all others, as weights of rows.

    hits:       rows of the class that were found (true positives)
    misses:     rows of the class that were not (false negatives)
    alarms:     rows of other classes that were taken for it (false positives)
    rejections: rows of other classes that were not (true negatives)
    """

    hits: Floats
    misses: Floats
    alarms: Floats
    rejections: Floats

    def shares(self, rate: CellRate) -> tuple[Floats, Floats]:
        """Numerators and denominators of a rate, one for each class."""
        return rate.shares(np.stack([self.hits, self.alarms, self.misses, self.rejections], axis=-1))

    def f(self, beta: float = 1.0) -> tuple[Floats, Floats]:
        """The same of F, in which recall counts β² times as much as precision."""
        return f_parts(self.hits, self.alarms, self.misses, beta)


def class_cells(counts: NDArray[Any]) -> ClassCells:
    """The cells of each class of a matrix true × predicted."""
    matrix = np.asarray(counts, dtype=np.float64)
    hits = np.diagonal(matrix).copy()
    # Sums of what lies beside the diagonal: differences of sums may fall below 0 by rounding.
    beside = matrix - np.diag(hits)
    misses, alarms = beside.sum(axis=1), beside.sum(axis=0)
    return ClassCells(hits, misses, alarms, _rejections(counts, hits, misses, alarms))


def _rejections(counts: NDArray[Any], hits: Floats, misses: Floats, alarms: Floats) -> Floats:
    """What lies in neither the row nor the column of a class; whole counts leave no rounding."""
    if counts.dtype.kind in "iu" or len(hits) > MOST_SUMMED:
        return np.asarray(np.maximum(float(counts.sum()) - hits - misses - alarms, 0.0))
    indices = range(len(hits))
    return np.array([np.delete(np.delete(counts, index, 0), index, 1).sum() for index in indices])


def rates(parts: tuple[Floats, Floats], zero_division: float) -> Floats:
    """One rate per class; 0/0 is what was asked for."""
    over, under = parts
    is_known = under > 0
    return np.where(is_known, over / np.where(is_known, under, 1.0), zero_division)


def averaged(
    parts: tuple[Floats, Floats], average: str, class_weights: Floats, zero_division: float
) -> float:
    """The mean of the rates ("macro"), their mean by size of the classes, or the rate of the sums ("micro").

    A rate that is NaN is left out of a mean; where no class of any weight is left, the mean is NaN.
    """
    over, under = parts
    if average == "micro":
        return float(rates((over.sum(keepdims=True), under.sum(keepdims=True)), zero_division)[0])
    each = rates(parts, zero_division)
    sizes = class_weights if average == "weighted" else np.ones(len(each))
    is_known = ~np.isnan(each)
    total = float(sizes[is_known].sum())
    if total == 0:
        return math.nan
    return float((each[is_known] * sizes[is_known]).sum() / total)


def checked_average(average: Any) -> str:
    """The average if it is known."""
    if average not in AVERAGES:
        raise RequestError(
            f"there is no average {average!r}",
            where=f"average={average!r}",
            fix=suggestion(str(average), AVERAGES),
        )
    return str(average)


def checked_zero_division(value: Any) -> float:
    """What 0/0 shall be: 0, 1 or NaN."""
    if isinstance(value, Real) and (value in (0, 1) or value != value):
        return float(value)
    raise RequestError(
        "0/0 can be 0, 1 or NaN",
        where=f"zero_division={value!r}",
        fix="use zero_division=0.0, 1.0 or float('nan')",
    )


def checked_beta(beta: Any) -> float:
    """How many times recall counts as much as precision: at least 0, and infinity may be."""
    if isinstance(beta, Real) and not isinstance(beta, bool) and float(beta) >= 0:
        return float(beta)
    raise RequestError(
        "β must be a number of at least 0",
        where=f"beta={beta!r}",
        fix="0 is precision, 1 is F1, infinity is recall",
    )


def label_index(label: Any, labels: Sequence[Any], name: str = "label") -> int:
    """Where a label stands among the labels."""
    indices = {known: index for index, known in enumerate(labels)}
    try:
        if label in indices:
            return indices[label]
    except TypeError:
        pass  # what cannot be looked up is no label
    are_words = all(isinstance(known, str) for known in labels)
    near = suggestion(str(label), list(labels)) if are_words else f"it is one of {listed_labels(labels)}"
    raise RequestError(
        f"there is no label {label!r}",
        where=f"{name}={label!r}; the labels are {listed_labels(labels)}",
        fix="write it as it stands there, not as a " + type(label).__name__
        if str(label) in map(str, labels)
        else near,
    )


def listed_labels(labels: Sequence[Any], most: int = 8) -> str:
    """The first labels as they are written in a program."""
    more = f", … ({len(labels)} in all)" if len(labels) > most else ""
    return ", ".join(f"{label!r:.40}" for label in labels[:most]) + more
