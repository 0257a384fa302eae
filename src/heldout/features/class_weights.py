"""How much a row counts by its class, so that rare classes are heard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.shift.class_labels import labels_of
from heldout.learners.inputs.targets import class_weighted, weight_per_class
from heldout.learners.parameters import Parameter, refusal
from heldout.table.describe import plural

HOW = Parameter("how", choices=("balanced",), types=(dict,))
CONSEQUENCE = "a learner that counts weights as rows may learn little"
SHOWN_CLASSES = 10


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """A weight for each class and for each row; `fit(X, y, sample_weight=weights.rows)` uses them.

    by_class: the weight of a row of each class, in sorted order of the classes
    counts:   how many rows each class has
    rows:     the weight of each row
    how:      "balanced" or "given"
    """

    by_class: dict[Any, float]
    counts: dict[Any, int]
    rows: NDArray[np.float64]
    how: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON where the classes are."""
        return {
            "how": self.how,
            "by_class": dict(self.by_class),
            "counts": dict(self.counts),
            "rows": self.rows.tolist(),
        }

    def __str__(self) -> str:
        head = f"{plural(len(self.rows), 'row')} of {plural(len(self.by_class), 'class', 'classes')}"
        aim = "every class has the same weight in all" if self.how == "balanced" else "weights as given"
        lines = [
            f"  {label}: {plural(self.counts[label], 'row')}, each counts {weight:.4g}"
            for label, weight in list(self.by_class.items())[:SHOWN_CLASSES]
        ]
        n_more = len(self.by_class) - len(lines)
        more = [f"  … and {plural(n_more, 'more class', 'more classes')}"] if n_more else []
        return "\n".join([f"{head}: {aim}", *lines, *more])


def class_weights(y: Any, how: str | dict[Any, float] = "balanced") -> ClassWeights:
    """A weight for each class, and from it one for each row.

    Nothing is left out or repeated, as `resample_rows` does it. As there, weigh training rows only: how good
    a model is has to be measured on classes as they occur, unless the costs of errors say otherwise.
    NeighborsClassifier and Perceptron take no weights; for them use `resample_rows`.

    y:   one label per row: a list, an array, a Column, a series; none missing
    how: "balanced" gives each class the same weight in all and each row 1 on average: rows ÷ (classes × rows
         of the class); or a dict with the weight of each class, 1 for a class that it does not name

    >>> weights = class_weights(["no", "no", "no", "yes"])
    >>> print(weights)
    4 rows of 2 classes: every class has the same weight in all
      no: 3 rows, each counts 0.6667
      yes: 1 row, each counts 2
    >>> weights.rows.sum()
    np.float64(4.0)
    """
    if not HOW.allows(how):
        raise refusal("class_weights", HOW, how)
    classes, codes = labels_of(y)
    rows = class_weighted(weight_per_class(how, classes, codes), codes, None, CONSEQUENCE)
    rows = np.ones(len(codes)) if rows is None else rows
    labels, counts = classes.tolist(), np.bincount(codes, minlength=len(classes))
    first_rows = np.unique(codes, return_index=True)[1]
    return ClassWeights(
        by_class=dict(zip(labels, rows[first_rows].tolist(), strict=True)),
        counts=dict(zip(labels, counts.tolist(), strict=True)),
        rows=rows,
        how="balanced" if isinstance(how, str) else "given",
    )
