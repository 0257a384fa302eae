"""How scores of two learners enter a test: in pairs, and what differs by rounding alone is equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.native.ranking import code_labels
from heldout.stats.two_classes import label_array, score_values, sorted_classes
from heldout.text.words import plural

# Two numbers that agree in 14 digits differ by rounding: 0.3 - 0.2 is not 0.1.
ROUNDING = 32 * float(np.finfo(np.float64).eps)


def pair_names(names: Any) -> tuple[str, str]:
    """The names of the two that are compared."""
    if isinstance(names, tuple | list) and len(names) == 2 and all(isinstance(name, str) for name in names):
        return names[0], names[1]
    raise RequestError(
        "names must be two words", where=f"names={names!r:.60}", fix="say names=('tree', 'forest')"
    )


def numbers_of(values: Any, name: str, is_finite: bool = True) -> Floats:
    """One number per entry, as an array of one dimension; NaN is refused.

    name:      how the caller names them
    is_finite: whether infinities are refused too
    """
    try:
        n_entries = len(values)
    except TypeError as error:
        raise InputTypeError(
            f"{name} must be a list of numbers", where=f"{name}={values!r:.60}", fix="give an array or a list"
        ) from error
    numbers = score_values(values, n_entries, name)
    if is_finite and not np.isfinite(numbers).all():
        index = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(
            f"{name} holds an infinite number, from which no difference can be taken",
            where=f"{int((~np.isfinite(numbers)).sum())} of {n_entries} entries, first entry {index + 1}",
            fix="leave that pair out, or use the sign test, which needs the order alone",
        )
    return numbers


def score_pairs(scores_a: Any, scores_b: Any, is_finite: bool = True) -> tuple[Floats, Floats]:
    """The scores of both, of the same length."""
    a = numbers_of(scores_a, "scores_a", is_finite)
    b = numbers_of(scores_b, "scores_b", is_finite)
    if len(a) != len(b):
        raise DataError(
            "the scores do not come in pairs",
            where=f"scores_a has {plural(len(a), 'entry', 'entries')}, scores_b {len(b):,}",
            fix="give both on the same rows, folds or data sets, or use two_sample_t",
        )
    return a, b


def clean_differences(a: Floats, b: Floats) -> Floats:
    """a − b, and 0 where both agree but for rounding."""
    with np.errstate(over="ignore"):
        differences = a - b
    if not np.isfinite(differences).all():
        raise DataError(
            "the difference of two scores is larger than a number can be",
            where=f"pair {int(np.flatnonzero(~np.isfinite(differences))[0]) + 1}",
            fix="divide all scores by a large number",
        )
    differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return np.asarray(differences)


def is_constant(numbers: Floats, scale: float = 0.0) -> bool:
    """Whether all numbers agree but for rounding.

    scale: the size of what they were computed from, where they are differences
    """
    if not len(numbers):
        return True
    with np.errstate(over="ignore"):
        return bool(np.ptp(numbers) <= ROUNDING * max(scale, float(np.abs(numbers).max())))


def is_all_zero(differences: Floats) -> bool:
    """Whether there are two differences at least, and none that is not 0."""
    return len(differences) > 1 and not differences.any()


def largest(a: Floats, b: Floats) -> float:
    """The size of the scores, which tells what their rounding is."""
    return float(max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)))


Codes = NDArray[np.int64]


@dataclass(frozen=True)
class PredictionPairs:
    """Truth and both answers as places among the sorted classes.

    y, a, b: one place per row
    classes: all labels that occur in any of the three
    """

    y: Codes
    a: Codes
    b: Codes
    classes: list[Any]


def prediction_pairs(y: Any, predicted_a: Any, predicted_b: Any) -> PredictionPairs:
    """The labels of all three as codes; lengths and kinds have to agree."""
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
    indices = [np.searchsorted(classes, labels).astype(np.int64) for labels in distinct]
    truth, first, second = (index[found] for index, found in zip(indices, codes, strict=True))
    return PredictionPairs(truth, first, second, classes.tolist())


def check_same_length(lengths: dict[str, int]) -> None:
    """Refuse columns of different lengths."""
    expected = lengths["y"]
    for name, length in lengths.items():
        if length != expected:
            raise DataError(
                f"{name} does not fit y",
                where=f"{name} has {plural(length, 'row')}, y has {expected:,}",
                fix="give one answer per row of y",
            )


def check_same_kind(columns: dict[str, NDArray[Any]]) -> None:
    """Refuse answers of another kind than y: words never equal numbers, and every row would be wrong."""
    kinds = {name: _kind_of(column) for name, column in columns.items()}
    for name, kind in kinds.items():
        if kind != kinds["y"]:
            raise InputTypeError(
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
