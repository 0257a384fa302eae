"""How often each label was answered by which: the counts behind every confusion matrix.

Whole numbers in a small range are counted as they stand; nothing is sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.class_rates import listed_labels
from heldout.native.ranking import code_labels, count_close_labels, count_pairs
from heldout.stats.checked_values import plain_numbers
from heldout.stats.two_classes import label_array
from heldout.text.words import first_of_rows, plural

MOST_LABELS = 4096
WORD_TYPES = (str, bytes)


def label_counts(
    y: Any, predicted: Any, labels: Any = None, weights: Any = None
) -> tuple[NDArray[Any], tuple[Any, ...], int]:
    """The matrix true × predicted, the labels of its rows and columns, and the number of rows.

    y:         the true label of each row
    predicted: the answer for each row
    labels:    all labels in the wanted order; left out, those that occur, sorted
    weights:   the sample weight of each row

    Without weights the counts are whole numbers, with weights floats.
    """
    true, predictions = label_array(y, "y"), label_array(predicted, "predicted")
    check_row_counts(len(true), len(predictions))
    row_weight = row_weights(weights, len(true))
    found, counts = _counted(true, predictions, row_weight)
    if labels is None:
        return counts, found, len(true)
    wanted = given_labels(labels)
    _check_matrix_size(wanted, "labels")
    _refuse_left_out(true, predictions, found, wanted)
    index_of = {label: index for index, label in enumerate(wanted)}
    indices = np.array([index_of[label] for label in found], dtype=np.intp)
    ordered = np.zeros((len(wanted), len(wanted)), dtype=counts.dtype)
    ordered[np.ix_(indices, indices)] = counts
    return ordered, wanted, len(true)


def given_labels(labels: Any) -> tuple[Any, ...]:
    """The labels that a caller listed, each of them once."""
    values = list(labels) if isinstance(labels, range | set | frozenset | dict) else labels
    if isinstance(values, str | bytes) or not np.size(values):
        raise RequestError(
            "no labels are listed",
            where=f"labels={labels!r:.60}",
            fix="list every label, such as ['no', 'yes']",
        )
    listed = tuple(label_array(values, "labels").tolist())
    if len(set(listed)) != len(listed):
        twice = next(label for index, label in enumerate(listed) if label in listed[:index])
        raise RequestError(
            "a label is listed twice", where=f"labels has {twice!r} again", fix="list every label once"
        )
    sorted_labels(listed)
    return listed


def label_codes(values: Any, name: str, labels: Sequence[Any]) -> NDArray[np.int64]:
    """The place of each row's label among the labels.

    values: one label per row
    name:   what errors call them
    labels: where they are looked up
    """
    array = label_array(values, name)
    distinct, codes = _distinct_codes(array)
    index_of = {label: index for index, label in enumerate(labels)}
    indices = np.array([index_of.get(label, -1) for label in distinct], dtype=np.int64)
    found = indices[codes] if len(distinct) else np.zeros(0, dtype=np.int64)
    if (indices < 0).any():
        unknown = distinct[int(np.argmax(indices < 0))]
        raise _left_out([unknown], f"{name}, {first_of_rows(found < 0, repr(unknown))}", labels)
    return found


def occurring_labels(values: Any, name: str = "y") -> tuple[Any, ...]:
    """The labels that occur, sorted."""
    return _distinct_codes(label_array(values, name))[0]


def _counted(
    true: NDArray[Any], predictions: NDArray[Any], weights: NDArray[np.float64] | None
) -> tuple[tuple[Any, ...], NDArray[Any]]:
    """The sorted labels of both, and the matrix."""
    close = count_close_labels(*_in_one_type(true, predictions), weights)
    if close is not None:
        return tuple(close[0].tolist()), close[1]
    labels, codes = _distinct_codes(_joined(true, predictions))
    n_labels = len(labels)
    _check_matrix_size(labels, "y and predicted")
    return labels, count_pairs(codes[: len(true)], codes[len(true) :], n_labels, n_labels, weights)


def _check_matrix_size(labels: Sequence[Any], name: str) -> None:
    if len(labels) > MOST_LABELS:
        raise DataError(
            f"there are {len(labels):,} different labels, too many for a matrix",
            where=f"{name}, such as {listed_labels(labels, 3)}",
            fix="numbers are judged by mse, mae or r2; of many labels keep the frequent ones",
        )


def _in_one_type(true: NDArray[Any], predictions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Whole numbers of two types as int64, if that has room for both."""
    if true.dtype == predictions.dtype or not all(
        np.can_cast(part.dtype, np.int64) for part in (true, predictions)
    ):
        return true, predictions
    return true.astype(np.int64), predictions.astype(np.int64)


def _joined(true: NDArray[Any], predictions: NDArray[Any]) -> NDArray[Any]:
    """Both in one array without a change of any value."""
    kinds = {true.dtype.kind, predictions.dtype.kind}
    if len(kinds) == 1 or kinds <= set("bi") or kinds <= set("bu") or kinds <= set("bf"):
        return np.concatenate([true, predictions])
    # A large whole number may have no equal among floats: Python compares them exactly.
    joined = np.empty(len(true) + len(predictions), dtype=object)
    joined[: len(true)], joined[len(true) :] = true.tolist(), predictions.tolist()
    return joined


def _distinct_codes(values: NDArray[Any]) -> tuple[tuple[Any, ...], NDArray[np.uint32]]:
    """The sorted distinct labels, and the place of each row's label among them."""
    if values.dtype.kind != "O":
        codes, distinct = code_labels(values)
        return tuple(distinct.tolist()), codes
    listed = values.tolist()
    labels = sorted_labels(_distinct_objects(listed))
    index_of = {label: index for index, label in enumerate(labels)}
    return labels, np.fromiter(map(index_of.__getitem__, listed), np.uint32, len(listed))


def _distinct_objects(listed: list[Any]) -> set[Any]:
    try:
        return set(listed)
    except TypeError as error:
        raise InputTypeError(
            "what cannot be looked up is no label",
            where=f"such as {listed[0]!r:.60}",
            fix="use words, whole numbers or booleans",
        ) from error


def sorted_labels(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Distinct labels in their order; those that have none are refused."""
    known = set(labels)
    _refuse_several_types(known)
    try:
        return tuple(sorted(known))
    except TypeError as error:
        raise InputTypeError(
            "the labels are of several types, which have no order",
            where=f"such as {listed_labels(list(known), 3)}",
            fix="make them all words, or all numbers",
        ) from error


def _refuse_several_types(labels: set[Any]) -> None:
    """Raise if words stand beside numbers, as when y has "1" and the answers 1."""
    word = next((label for label in labels if isinstance(label, WORD_TYPES)), None)
    other = next((label for label in labels if not isinstance(label, WORD_TYPES)), None)
    if word is not None and other is not None:
        raise InputTypeError(
            "some labels are words and some are not, so none of them can be equal",
            where=f"such as {word!r:.40} ({type(word).__name__}) and {other!r:.40} ({type(other).__name__})",
            fix="make the labels of y and of the answers all words, or all numbers",
        )


def _refuse_left_out(
    true: NDArray[Any], predictions: NDArray[Any], found: tuple[Any, ...], wanted: tuple[Any, ...]
) -> None:
    """Raise if a row has a label that is not listed: leaving rows out silently would flatter."""
    listed = set(wanted)
    left_out = [label for label in found if label not in listed]
    if not left_out:
        return
    for name, values in (("y", true), ("predicted", predictions)):
        is_there = np.asarray(values == left_out[0], dtype=np.bool_)
        if is_there.any():
            raise _left_out(left_out, f"{name}, {first_of_rows(is_there, repr(left_out[0]))}", wanted)


def _left_out(left_out: list[Any], where: str, wanted: Sequence[Any]) -> DataError:
    return DataError(
        f"{plural(len(left_out), 'label')} not among the labels listed: {listed_labels(left_out)}",
        where=f"{where}; listed are {listed_labels(wanted)}",
        fix="list every label that occurs; rows that shall not count are left out before",
    )


def check_row_counts(n_true: int, n_answers: int, predictions: str = "predicted") -> None:
    """An error if the two differ in length, or if there are no rows."""
    if n_true != n_answers:
        raise DataError(
            f"y and {predictions} differ in length",
            where=f"y has {plural(n_true, 'row')}, {predictions} has {n_answers:,}",
            fix="give one answer for each row",
        )
    if n_true == 0:
        raise DataError("there are no rows to judge by", where="y is empty", fix="give at least one row")


_FIX = "give every row a finite weight of at least 0; a row of weight 0 is left out"


def row_weights(weights: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weights as numbers; None where each row counts once.

    weights: one number per row, at least 0 and not all 0; or None
    n_rows:  how many rows there are
    """
    if weights is None:
        return None
    numbers = plain_numbers(weights, "weights", _FIX)
    if numbers.shape != (n_rows,):
        raise DataError(
            "weights must have one number per row",
            where=f"weights have the shape {numbers.shape}, and there are {plural(n_rows, 'row')}",
            fix="give one weight per row",
        )
    is_wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if is_wrong.any():
        example = f"{numbers[is_wrong.argmax()]:g}"
        raise DataError(
            "a weight is negative or not finite", where=first_of_rows(is_wrong, example), fix=_FIX
        )
    total = _total(numbers)
    if total == 0 or not np.isfinite(total):
        what = "all weights are 0" if total == 0 else "the weights are so large that their sum is infinite"
        raise DataError(what, where=plural(n_rows, "row"), fix="give weights whose mean is about 1")
    return np.ascontiguousarray(numbers)


def _total(weights: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore"):
        return float(weights.sum())
