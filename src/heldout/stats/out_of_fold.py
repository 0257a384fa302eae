"""How out-of-fold numbers enter: one line per repeat of the cross-validation, one number per row."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_count
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.text.words import plural


def out_of_fold(values: Any, name: str) -> Floats:
    """The numbers as repeats × rows; one line of numbers is one repeat.

    name: how the caller names them; a number that is not finite is refused
    """
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            f"{name} must be repeats × rows of numbers",
            where=f"{name}, a {type(values).__name__}",
            fix="give one line per repeat and one number per row",
        ) from error
    if numbers.ndim == 1:
        numbers = numbers[np.newaxis]
    if numbers.ndim != 2 or not numbers.size:
        raise DataError(
            f"{name} must be repeats × rows, or rows, and not empty",
            where=f"{name} has the shape {numbers.shape}",
            fix="give one line per repeat and one number per row",
        )
    is_bad = ~np.isfinite(numbers)
    if is_bad.any():
        raise DataError(
            f"{name} holds numbers that are not finite",
            where=first_in_repeats(is_bad),
            fix="every row must be predicted once in every repeat; leave out rows that cannot be judged",
        )
    return numbers


def zeros_and_ones(values: Any, name: str) -> Floats:
    """The same where only 0 and 1, or False and True, may stand."""
    numbers = out_of_fold(values, name)
    is_other = (numbers != 0) & (numbers != 1)
    if is_other.any():
        raise DataError(
            f"{name} must hold 0 and 1 alone",
            where=first_in_repeats(is_other),
            fix="give 1 for a row that was predicted rightly and 0 for the others",
        )
    return numbers


def lines_of(values: Any, name: str) -> list[Any]:
    """The lines of labels or scores, one per repeat; what is one line is one repeat."""
    if isinstance(values, list | tuple):
        is_many = len(values) > 0 and isinstance(values[0], Sized) and not isinstance(values[0], str | bytes)
    else:
        is_many = getattr(values, "ndim", 1) == 2
    lines = list(values if isinstance(values, list | tuple) else np.asarray(values)) if is_many else [values]
    if not lines:
        raise DataError(
            f"{name} holds no repeat", where=f"{name} has no line", fix="give one line per repeat"
        )
    return lines


def check_folds(n_folds: Any, n_rows: int) -> int:
    """A number of folds into which so many rows can be divided."""
    folds = check_count("n_folds", n_folds, lowest=2)
    if folds > n_rows:
        raise RequestError(
            "there are more folds than rows",
            where=f"n_folds={folds}, {plural(n_rows, 'row')}",
            fix="say into how many folds the rows were divided; leave-one-out has as many folds as rows",
        )
    return folds


def inflation(n_folds: int) -> float:
    """By how much the variance of a cross-validated mean is taken to exceed that of independent losses.

    The spread of such a mean is .8 to 1.7 times the standard error of the pooled losses, depending on the
    learner. No factor is tight for all, and this one is on the safe side: with ten folds its root is 1.45.
    """
    return 1 + n_folds / (n_folds - 1)


def estimand(n_rows: int, n_folds: int, unit: str = "row") -> str:
    """What a cross-validated mean estimates."""
    share = f"{n_folds - 1}/{n_folds}"
    n_train = round(n_rows * (n_folds - 1) / n_folds)
    return (
        f"Expected score when trained on {share} of these {unit}s, about {n_train:,}; one fitted model may do"
        " better or worse."
    )


def folds_in_words(n_repeats: int, n_folds: int) -> str:
    """The folds as they stand behind the name of a method."""
    return f"{n_repeats} × {n_folds} folds" if n_repeats > 1 else f"{n_folds} folds"


def first_in_repeats(is_bad: NDArray[np.bool_]) -> str:
    """How many of repeats × rows are marked and which is the first, for the second part of an error."""
    repeat, row = map(int, np.argwhere(is_bad)[0])
    return f"{int(is_bad.sum()):,} of {is_bad.size:,}, first in repeat {repeat + 1}, row {row + 1}"
