"""How labels of two classes and scores enter: which rows are positive, and how much each is held for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.checked_values import plain_numbers
from heldout.table.column import LEVEL_KINDS, Column
from heldout.text.words import first_few, first_of_rows, nearest_name, plural

_LABEL_KINDS = "biufMmUSO"


def positive_rows(y: Any, positive: Any = None) -> tuple[NDArray[np.bool_], Any]:
    """Which rows are of the positive class, and its name.

    y:        one label per row: an array, a list, a Series, a Column; none may be missing
    positive: the positive class; left out, of two classes the last in sorted order, of 0 and 1 always 1. With
              more than two it has to be named, and all others are negative
    """
    labels = label_array(y)
    check_positive(positive)
    if labels.dtype.kind == "b" and positive is None:
        return labels, True
    classes = sorted_classes(labels)
    if positive is None:
        if len(classes) > 2:
            raise RequestError(
                "y has more than two classes, and none is named as the positive one",
                where=f"{len(classes)} classes, first {classes[0]!r} and {classes[1]!r}",
                fix=f"say which is positive, such as positive={classes[-1]!r}; the others are then negative",
            )
        # A single 0 or 1 is known for what it is.
        is_number = labels.dtype.kind in "iuf" and len(classes) == 1 and classes[0] in (0, 1)
        positive = type(classes[0])(1) if is_number else classes[-1] if classes else None
    elif positive not in classes and len(classes) > 1:
        raise _unknown_class(positive, classes)
    return np.asarray(labels == positive, dtype=np.bool_).reshape(labels.shape), positive


def label_array(y: Any, name: str = "y") -> NDArray[Any]:
    """The labels as an array of one dimension; a missing one, and what can be no label, is refused.

    y:    a list, an array, a series of pandas or polars, or a Column
    name: how the caller names them
    """
    if isinstance(y, str | bytes) or y is None:
        raise InputTypeError(
            f"{name} must be one label per row", where=f"{name}={y!r:.60}", fix="give an array or a list"
        )
    if isinstance(y, Column) and y.kind in LEVEL_KINDS and not y.n_missing:
        return np.array(y.levels, dtype=np.str_)[y.values] if y.levels else np.empty(0, dtype=np.str_)
    labels = _one_dimension(y, name)
    if labels.dtype.kind not in _LABEL_KINDS:
        raise InputTypeError(
            f"{name} holds what cannot be a label",
            where=f"an array of the type {labels.dtype}",
            fix="use words, whole numbers or booleans",
        )
    is_missing = _missing(labels)
    if is_missing.any():
        raise DataError(
            f"{name} has missing labels", where=first_of_rows(is_missing), fix="leave those rows out"
        )
    return labels


def _one_dimension(y: Any, name: str) -> NDArray[Any]:
    try:
        labels = _as_array(y)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{name} must have one label per row",
            where=f"{name} is a {type(y).__name__}: {error}"[:200],
            fix="give a list or a one-dimensional array of labels",
        ) from error
    if labels.ndim == 1:
        return labels
    is_table = labels.ndim > 1 and labels.size > 0
    raise DataError(
        f"{name} must have one dimension",
        where=f"{name} has the shape {labels.shape}" if labels.ndim else f"{name} is a {type(y).__name__}",
        fix=f"give one label per row, such as {name}.ravel()"
        if is_table
        else "give a list, one label per row",
    )


def sorted_classes(labels: NDArray[Any]) -> list[Any]:
    """The distinct labels in sorted order."""
    try:
        return list(np.unique(labels).tolist())
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in labels.tolist()})
        raise InputTypeError(
            "y has classes of several types, which have no order",
            where=f"y holds {' and '.join(kinds[:3])}",
            fix="make them all strings, or all numbers",
        ) from error


def check_positive(positive: Any) -> None:
    """Refuse several classes where one is to be named: NumPy would compare them row by row."""
    if isinstance(positive, list | tuple | set | dict) or np.ndim(positive) > 0:
        raise RequestError(
            "one class is the positive one",
            where=f"positive={positive!r:.40}",
            fix="name one class, such as positive='yes'",
        )


def score_values(scores: Any, n_rows: int, name: str = "scores") -> NDArray[np.float64]:
    """One score per row as float64; NaN is refused, infinities have an order and stay."""
    fix = "give the numbers by which rows are held for positive"
    values = np.ascontiguousarray(plain_numbers(scores, name, fix))
    if values.shape != (n_rows,):
        raise DataError(
            f"{name} does not fit y",
            where=f"{name} has the shape {values.shape}, y has {plural(n_rows, 'row')}",
            fix="give one score per row" + (", such as probabilities[:, 1]" if values.ndim == 2 else ""),
        )
    is_missing = np.isnan(values)
    if is_missing.any():
        raise DataError(
            f"{name} holds NaN, which has no order",
            where=first_of_rows(is_missing),
            fix="leave those rows out",
        )
    return values


def _as_array(values: Any) -> NDArray[Any]:
    """An array; what a frame marks as missing stays marked."""
    array = np.asarray(values)
    if (
        array.dtype.kind in "US"
        and isinstance(values, list | tuple)
        and not isinstance(values[0], np.generic)
    ):
        # NumPy would make "1" of a 1 beside words, and "None" of None.
        kinds = {type(value) for value in values}
        return array if len(kinds) == 1 else np.array(values, dtype=object)
    return array


def _missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    if labels.dtype.kind == "f":
        return np.asarray(np.isnan(labels))
    if labels.dtype.kind in "mM":
        return np.asarray(np.isnat(labels))
    if labels.dtype.kind != "O":
        return np.zeros(len(labels), dtype=np.bool_)
    # pandas marks a gap by None, NaN, NaT or NA; only NA is not comparable with itself.
    return np.fromiter((_is_gap(label) for label in labels), dtype=np.bool_, count=len(labels))


def _is_gap(label: Any) -> bool:
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:
        return True


def _unknown_class(positive: Any, classes: list[Any]) -> RequestError:
    names = {str(name): name for name in classes}
    near = nearest_name(positive, list(names))
    return RequestError(
        f"y has no class {positive!r:.40}",
        where=f"positive={positive!r:.40}; the classes are {first_few([*map(repr, classes)], 6)}",
        fix=f"did you mean {names[near]!r}?" if near else "name one of them",
    )
