"""How the answers of two classifiers enter a test: three columns of labels on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, KindError
from heldout.native.ranking import code_labels
from heldout.stats.two_classes import label_array, sorted_classes
from heldout.table.describe import plural

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class AnswerPairs:
    """Truth and both answers as places among the sorted classes.

    y, a, b: one place per row
    classes: all labels that occur in any of the three
    """

    y: Codes
    a: Codes
    b: Codes
    classes: list[Any]


def answer_pairs(y: Any, predicted_a: Any, predicted_b: Any) -> AnswerPairs:
    """The labels of all three as codes; lengths and kinds have to agree.

    >>> pairs = answer_pairs(["no", "yes"], ["no", "no"], ["yes", "yes"])
    >>> pairs.y.tolist(), pairs.a.tolist(), pairs.b.tolist(), pairs.classes
    ([0, 1], [0, 0], [1, 1], ['no', 'yes'])
    """
    given = {"y": y, "predicted_a": predicted_a, "predicted_b": predicted_b}
    columns = {name: label_array(values, name) for name, values in given.items()}
    check_same_length({name: len(column) for name, column in columns.items()})
    check_same_kind({name: column for name, column in columns.items() if column.size})
    distinct: list[NDArray[Any]] = []
    codes: list[NDArray[np.uint32]] = []
    for column in columns.values():
        if column.dtype.kind == "O":
            sorted_classes(column)  # refuses labels that have no order, in words
        found, labels = code_labels(column)
        codes.append(found)
        distinct.append(labels)
    filled = [labels for labels in distinct if len(labels)]
    classes = np.unique(np.concatenate(filled)) if filled else np.empty(0)
    places = [np.searchsorted(classes, labels).astype(np.int64) for labels in distinct]
    truth, first, second = (place[found] for place, found in zip(places, codes, strict=True))
    return AnswerPairs(truth, first, second, classes.tolist())


def check_same_length(lengths: dict[str, int]) -> None:
    """Refuse columns of different lengths.

    >>> check_same_length({"y": 3, "predicted_a": 3})
    """
    expected = lengths["y"]
    for name, length in lengths.items():
        if length != expected:
            raise DataError(
                f"{name} does not fit y",
                where=f"{name} has {plural(length, 'row')}, y has {expected:,}",
                fix="give one answer per row of y",
            )


def check_same_kind(columns: dict[str, NDArray[Any]]) -> None:
    """Refuse answers of another kind than y: words never equal numbers, and every row would be wrong.

    >>> check_same_kind({"y": np.array([0, 1]), "predicted": np.array([1.0])})
    """
    kinds = {name: _kind_of(column) for name, column in columns.items()}
    for name, kind in kinds.items():
        if kind != kinds["y"]:
            raise KindError(
                f"{name} holds {kind}, and y holds {kinds['y']}",
                where=f"{name}, such as {columns[name][0]!r:.40}; y, such as {columns['y'][0]!r:.40}",
                fix="give the answers as labels of the same type as y",
            )


def _kind_of(column: NDArray[Any]) -> str:
    if column.dtype.kind in "biuf":
        return "numbers"
    if column.dtype.kind in "US":
        return "words" if column.dtype.kind == "U" else "bytes"
    if column.dtype.kind in "mM":
        return "times"
    first = column[0]
    if isinstance(first, str):
        return "words"
    return "numbers" if isinstance(first, bool | int | float | np.number | np.bool_) else type(first).__name__
