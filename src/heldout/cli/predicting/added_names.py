"""The names of the columns that are added, none of which the file has already."""

from __future__ import annotations

from collections.abc import Sequence

PREDICTION = "prediction"


def added_names(labels: Sequence[str] | None, taken: Sequence[str]) -> dict[str, str]:
    """The prediction, then a probability for each class: every name, and what it would be were it free.

    labels: of the classes; none for a number, or for a model without probabilities
    taken:  names of the file's own columns

    >>> list(added_names(["no", "yes"], ["age"]))
    ['prediction', 'probability of no', 'probability of yes']
    >>> added_names(None, ["age", "prediction"])
    {'prediction (2)': 'prediction'}
    """
    found: dict[str, str] = {}
    for name in (PREDICTION, *(f"probability of {label}" for label in labels or ())):
        known = {*taken, *found}
        other, count = name, 2
        while other in known:
            other, count = f"{name} ({count})", count + 1
        found[other] = name
    return found
