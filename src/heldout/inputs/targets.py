"""How y and the weights of the rows enter.

Whole numbers are coded without sorting; everything else takes scikit-learn's way, with its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, validate_data

from heldout.checks.warn import warn_user
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.inputs.array_checks import refused_y
from heldout.table.column import NUMERIC_KINDS, Column
from heldout.text.words import first_few, plural
from heldout.types import ClassWeight, Estimator, PerRow

SMALL_RANGE = 1 << 16
FAR_BELOW_ONE = 0.1
MIN_LEAF_FORBIDS = "min_leaf may forbid every split"


def class_codes(learner: Estimator, y: ArrayLike) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The classes in sorted order, and the position of each row's class among them."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind == "i" and y.size:
        lowest = int(y.min())
        if int(y.max()) - lowest < SMALL_RANGE:
            return _codes_of_small_integers(y, lowest)
    elif not (type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub" and y.size):
        y = _checked_y(learner, y, is_numeric=False)
        _refuse_several_types(y)
        check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.uint32)


def checked_labels(learner: Estimator, y: ArrayLike) -> NDArray[Any]:
    """Classes as they were given, one per row and none of them missing."""
    return _checked_y(learner, y, is_numeric=False)


def group_codes(groups: PerRow, n_rows: int) -> NDArray[np.intp] | None:
    """The group of each row as a number, in the order of the sorted groups."""
    if groups is None:
        return None
    values = np.asarray(groups)
    if values.shape != (n_rows,):
        raise DataError(
            f"groups has the shape {values.shape} where {n_rows} rows need one group each",
            where="groups",
            fix="give one group per row",
        )
    is_missing = np.zeros(n_rows, dtype=np.bool_)
    if values.dtype.kind not in "iubUS":
        is_missing[:] = [value is None or value != value for value in values.tolist()]
    if is_missing.any():
        raise DataError(
            "some rows have no group",
            where=f"{int(is_missing.sum())} of {n_rows} rows, first row {int(is_missing.argmax()) + 1}",
            fix="give every row a group, a group of its own where it belongs to none",
        )
    try:
        return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)
    except TypeError as error:
        raise DataError(
            "the groups are of several kinds, which have no order",
            where=f"groups, such as {values[0]!r:.40}",
            fix="make them all words or all numbers",
        ) from error


def numeric_targets(learner: Estimator, y: ArrayLike) -> NDArray[np.float64]:
    """The target of a regression as float64; classes are refused."""
    if type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "fiu" and y.size:
        numbers = y.astype(np.float64, copy=False)
        if not np.isfinite(numbers).all():
            raise _not_finite(numbers)
        return np.ascontiguousarray(numbers)
    _refuse_classes(learner, y)
    checked = np.ascontiguousarray(_checked_y(learner, y, is_numeric=True), dtype=np.float64)
    # scikit-learn looks at objects before it makes them numbers, and then None is NaN.
    if not np.isfinite(checked).all():
        raise _not_finite(checked)
    return checked


def row_weights(
    sample_weight: PerRow, n_rows: int, consequence: str | None = MIN_LEAF_FORBIDS
) -> NDArray[np.float64] | None:
    """The weights as float64, or None where every row counts once.

    consequence: what comes of weights far below 1, for the warning; None where nothing does
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, str | bytes | Mapping):
        raise InputTypeError(
            "sample_weight must be one number per row",
            where=f"sample_weight={sample_weight!r:.60}",
            fix="give a list or an array; a classifier weighs by class with class_weight",
        )
    weights = check_array(
        sample_weight,
        ensure_2d=False,
        dtype=np.float64,
        ensure_all_finite=False,
        input_name="sample_weight",
    )
    if weights.shape != (n_rows,):
        raise DataError(
            f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!",
            where="sample_weight",
            fix="give one weight per row",
        )
    _check_finite(weights)
    _check_signs(weights)
    if consequence is not None:
        _warn_of_small_weights(weights, consequence)
    return None if (weights == 1.0).all() else weights


def weight_per_class(
    class_weight: ClassWeight, classes: NDArray[Any], codes: NDArray[np.uint32]
) -> NDArray[np.float64]:
    """What a row of each class weighs; 1 where nothing was asked for."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, Mapping):
        return _given_class_weights(class_weight, classes)
    return np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)


def class_weighted(
    per_class: NDArray[np.float64],
    codes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    consequence: str = MIN_LEAF_FORBIDS,
) -> NDArray[np.float64] | None:
    """The weights of the rows multiplied by those of their classes; `min_leaf` counts the product.

    consequence: as for `row_weights`
    """
    if (per_class == 1.0).all():
        return weights
    per_row = per_class[codes] if weights is None else per_class[codes] * weights
    if not per_row.any():
        raise RequestError(
            "no row is left that has a weight",
            where=f"class_weight and sample_weight, {len(per_row)} rows of {len(per_class)} classes",
            fix="give the classes to learn a weight above 0",
        )
    _warn_of_small_weights(per_row, consequence)
    return per_row


def check_lengths(n_rows: int, targets: NDArray[Any]) -> None:
    """Raise, in scikit-learn's words, if X and y differ in length."""
    if n_rows != len(targets):
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: {[n_rows, len(targets)]}",
            where=f"X has {plural(n_rows, 'row')}, y has {len(targets):,}",
            fix="hand over one target for each row, such as task.X and task.y of one Task",
        )


def _given_class_weights(class_weight: Mapping[Any, Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    """One weight per class; 1 for a class that is not named.

    A name that is no class is let pass if every class has its weight: a fold may lack a class.
    """
    known = classes.tolist()
    unknown = [name for name in class_weight if name not in known]
    if unknown and any(name not in class_weight for name in known):
        raise RequestError(
            "class_weight names a class that is not there",
            where=f"{len(unknown)} of {len(class_weight)} names, first {unknown[0]!r}; the classes are"
            f" {first_few([*map(repr, known)], 6)}",
            fix="use the classes as they stand in y",
        )
    for name, weight in class_weight.items():
        if not isinstance(weight, Real) or not 0 <= float(weight) < np.inf:
            raise RequestError(
                "a class has a weight that is negative or no number",
                where=f"class_weight has {weight!r:.40} for {name!r}",
                fix="use finite weights of at least 0",
            )
    return np.array([float(class_weight.get(name, 1.0)) for name in known])


def _codes_of_small_integers(y: NDArray[Any], lowest: int) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    offsets = np.subtract(y, lowest, dtype=np.int64, casting="unsafe")
    present = np.bincount(offsets) > 0
    if present.all():
        return np.arange(lowest, lowest + len(present)).astype(y.dtype), offsets.astype(np.uint32)
    position = np.cumsum(present) - 1
    classes = (np.flatnonzero(present) + lowest).astype(y.dtype)
    return classes, position[offsets].astype(np.uint32)


def _checked_y(learner: Estimator, y: ArrayLike, is_numeric: bool) -> NDArray[Any]:
    if isinstance(y, Column):
        _refuse_missing(y.is_missing, f"column '{y.name}' has missing values")
        y = np.asarray(y)
    known = {name: value for name, value in vars(learner).items() if name == "feature_names_in_"}
    try:
        checked = np.asarray(validate_data(learner, "no_validation", y, y_numeric=is_numeric))
    except ValueError as error:
        raise refused_y(y, error) from error
    vars(learner).update(known)  # scikit-learn drops the names where it sees no X
    if checked.dtype.kind == "O":
        is_missing = np.fromiter((value is None for value in checked), np.bool_, len(checked))
        _refuse_missing(is_missing, "some classes are None")
    return checked


def _refuse_classes(learner: Estimator, y: ArrayLike) -> None:
    """Raise if y has words or booleans: what a regression would learn from their order means nothing."""
    if isinstance(y, Column):
        found, where = y.kind not in NUMERIC_KINDS, f"column '{y.name}' is of the kind {y.kind}"
    else:
        try:
            values = np.asarray(y)
        except ValueError:
            return  # not one value per row, which scikit-learn says better
        if values.dtype.kind in "mM":
            raise _dates(values.dtype)
        listed = values.ravel().tolist() if values.dtype.kind == "O" else values.ravel()[:1].tolist()
        classes = [value for value in listed if isinstance(value, str | bytes | bool)]
        found, where = bool(classes), f"y has {classes[0]!r:.40}" if classes else ""
    if found:
        raise DataError(
            f"y holds classes, and {type(learner).__name__} predicts numbers",
            where=where,
            fix="use a classifier, such as TreeClassifier or BaselineClassifier; numbers that were read as"
            " words must be made numbers first",
        )


def _dates(dtype: np.dtype[Any]) -> DataError:
    return DataError(
        "y holds dates, of which an array does not say in what unit to count",
        where=f"y is of the type {dtype}",
        fix="make them numbers first, such as the days since the first of them",
    )


def _not_finite(targets: NDArray[np.float64]) -> DataError:
    is_missing = np.isnan(targets)
    what = "NaN." if is_missing.any() else "infinity or a value too large for dtype('float64')."
    rows = np.flatnonzero(is_missing if is_missing.any() else ~np.isfinite(targets))
    return DataError(
        f"Input y contains {what}",
        where=f"{len(rows)} of {len(targets)} rows, first row {rows[0] + 1}",
        fix="leave those rows out; Task does so with missing targets and counts them",
    )


def _refuse_missing(is_missing: NDArray[np.bool_], what: str) -> None:
    rows = np.flatnonzero(is_missing)
    if len(rows):
        raise DataError(
            f"Input y contains NaN: {what}",
            where=f"{len(rows)} of {len(is_missing)} rows, first row {rows[0] + 1}",
            fix="leave those rows out; Task does so and counts them",
        )


def _refuse_several_types(classes: NDArray[Any]) -> None:
    """Raise if words stand beside numbers: neither comes before the other."""
    listed = classes.tolist() if classes.dtype.kind == "O" else []
    word = next((value for value in listed if isinstance(value, str)), None)
    other = next((value for value in listed if not isinstance(value, str)), None)
    if word is not None and other is not None:
        raise InputTypeError(
            "y has classes of several types, which have no order",
            where=f"y has {word!r:.40} (str) and {other!r:.40} ({type(other).__name__})",
            fix="make them all strings, or all numbers",
        )


def _check_finite(weights: NDArray[np.float64]) -> None:
    rows = np.flatnonzero(~np.isfinite(weights))
    if len(rows):
        what = "NaN" if np.isnan(weights).any() else "infinity or a value too large for dtype('float64')"
        raise DataError(
            f"Input sample_weight contains {what}.",
            where=f"{len(rows)} of {len(weights)} rows, first {weights[rows[0]]:g} in row {rows[0] + 1}",
            fix="give every row a finite weight of at least 0; a row of weight 0 is left out",
        )


def _check_signs(weights: NDArray[np.float64]) -> None:
    is_negative = weights < 0
    if is_negative.any():
        first = int(np.flatnonzero(is_negative)[0])
        raise DataError(
            "Negative values in data passed to `sample_weight`",
            where=f"{int(is_negative.sum())} of {len(weights)} rows, first {weights[first]:g}"
            f" in row {first + 1}",
            fix="use weights of at least 0; a row of weight 0 is left out",
        )
    if not weights.any():
        raise DataError(
            "Sample weights must contain at least one non-zero number.",
            where=f"{len(weights)} rows, all of weight 0",
            fix="give the rows to learn from a weight above 0",
        )


def _warn_of_small_weights(weights: NDArray[np.float64], consequence: str) -> None:
    with np.errstate(over="ignore"):  # an infinite sum is not far below 1
        mean = float(weights.sum()) / int(np.count_nonzero(weights))
    if mean < FAR_BELOW_ONE:
        warn_user(
            f"the mean weight of a row is {mean:.3g}: weights count as numbers of rows, so {consequence};"
            " multiply the weights so that their mean is 1",
        )
