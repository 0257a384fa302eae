"""Labels as classes, for what looks at y alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from heldout.errors import DataError, HeldoutError
from heldout.learners.inputs.targets import class_codes
from heldout.table.describe import plural


class _Labels(BaseEstimator):  # type: ignore[misc]
    """Stands where scikit-learn's checks of y want an estimator."""


def labels_of(y: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The classes in sorted order, and the place of each row's class among them.

    >>> classes, codes = labels_of(["no", "yes", "no"])
    >>> classes.tolist(), codes.tolist()
    (['no', 'yes'], [0, 1, 0])
    """
    _refuse_missing(y)
    try:
        classes, codes = class_codes(_Labels(), y)
    except HeldoutError:
        raise
    except (TypeError, ValueError) as error:
        raise _refused(error, y) from error
    if not len(codes):
        raise DataError("y has no rows", where="y of length 0", fix="give one label per row")
    return classes, codes


def _refuse_missing(y: Any) -> None:
    """A missing label among words would be read as the word "nan"."""
    if y is None:
        raise DataError("y is None", where="y", fix="give one label per row")
    if not isinstance(y, list | tuple) and getattr(y, "dtype", None) not in ("O", "string"):
        return
    missing = [row for row, label in enumerate(y) if is_no_label(label)]
    if missing:
        raise DataError(
            f"Input y contains NaN: {plural(len(missing), 'row has', 'rows have')} no label",
            where=f"y of length {len(y)}, first in row {missing[0] + 1:,}",
            fix="leave those rows out, as Task does, or give them a class of their own",
        )


def is_no_label(label: Any) -> bool:
    """Whether it is None, NaN, NaT or pandas' NA.

    >>> [is_no_label(label) for label in (None, float("nan"), "nan", 0)]
    [True, True, False, False]
    """
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and bool(np.isnan(label))


def _refused(error: Exception, y: Any) -> DataError:
    """scikit-learn's words, with where to look and what to do."""
    what = str(error).partition("\n")[0]
    fix = "give one label per row, none of them missing; Task leaves rows without a label out"
    if "Unknown label type" in what or "continuous" in what:
        fix = (
            "y holds numbers with fractions, which are no classes: cut them into classes first"
            " (ho.Discretize), or weigh the rows yourself"
        )
    length = f" of length {len(y)}" if hasattr(y, "__len__") and np.ndim(y) else ""
    return DataError(what, where=f"y, a {type(y).__name__}{length}", fix=fix)
