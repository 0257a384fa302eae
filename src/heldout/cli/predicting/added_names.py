"""The names of the columns that are added, none of which the file has already."""

from __future__ import annotations

from collections.abc import Sequence

PREDICTION = "prediction"


def added_names(labels: Sequence[str] | None, taken: Sequence[str]) -> list[str]:
    """The prediction, then a probability for each class.

    labels: of the classes; none for a number, or for a model without probabilities
    taken:  names of the file's own columns

    >>> added_names(["no", "yes"], ["age"])
    ['prediction', 'probability of no', 'probability of yes']
    >>> added_names(None, ["age", "prediction"])
    ['prediction (2)']
    """
    found: list[str] = []
    for name in (PREDICTION, *(f"probability of {label}" for label in labels or ())):
        known = {*taken, *found}
        other, count = name, 2
        while other in known:
            other, count = f"{name} ({count})", count + 1
        found.append(other)
    return found
