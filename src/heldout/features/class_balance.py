"""Classes made equally frequent: a weight for each row, or rows drawn again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from heldout.errors import DataError, HeldoutError
from heldout.inputs.targets import class_codes, class_weighted, weight_per_class
from heldout.learners.parameters import Parameter, refusal
from heldout.text.words import plural

WEIGHTINGS = Parameter("how", choices=("balanced",), types=(dict,))
CONSEQUENCE = "a learner that counts weights as rows may learn little"
SHOWN_CLASSES = 10


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """A weight for each class and for each row; `fit(X, y, sample_weight=weights.rows)` uses them.

    Attributes
    ----------
    by_class
        the weight of a row of each class, in sorted order of the classes
    counts
        how many rows each class has
    rows
        the weight of each row
    how
        "balanced" or "given"
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


def class_weights(y: ArrayLike, how: str | dict[Any, float] = "balanced") -> ClassWeights:
    """A weight for each class, and from it one for each row.

    Nothing is left out or repeated, as `resample_rows` does it. As there, weigh training rows only: how good
    a model is has to be measured on classes as they occur, unless the costs of errors say otherwise.
    NeighborsClassifier and Perceptron take no weights; for them use `resample_rows`.

    Parameters
    ----------
    y
        one label per row: a list, an array, a Column, a series; none missing
    how
        "balanced" gives each class the same weight in all and each row 1 on average: rows ÷ (classes ×
        rows of the class); or a dict with the weight of each class, 1 for a class that it does not name

    Examples
    --------
    >>> weights = class_weights(["no", "no", "no", "yes"])
    >>> print(weights)
    4 rows of 2 classes: every class has the same weight in all
      no: 3 rows, each counts 0.6667
      yes: 1 row, each counts 2
    >>> weights.rows.sum()
    np.float64(4.0)
    """
    if not WEIGHTINGS.allows(how):
        raise refusal("class_weights", WEIGHTINGS, how)
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


RESAMPLINGS = Parameter(
    "how",
    choices=("down", "up"),
    synonyms=(("undersample", "down"), ("under", "down"), ("oversample", "up"), ("over", "up")),
)
SEED = Parameter("seed", number="integer", lowest=0)


def resample_rows(y: ArrayLike, how: str = "down", seed: int = 0) -> NDArray[np.intp]:
    """Positions of rows in which every class is equally frequent, ascending.

    Use them on training rows only: what is measured on rows that were left out or repeated says nothing
    about the classes as they occur. Repeated rows must not be split between training and test rows, so
    split first and resample the training part.

    Parameters
    ----------
    y
        one label per row: a list, an array, a Column, a series; none missing
    how
        "down" draws from every class, without replacement, as many rows as the smallest class has; "up"
        keeps every row and repeats rows of smaller classes, drawn with replacement, up to the size of the
        largest
    seed
        the draw of a class follows from the seed, the name of the class and its rows, not from what other
        classes are called or where their rows stand

    Notes
    -----
    Groups play no part: rows are drawn one by one, also from groups, since all of them are training rows.

    Examples
    --------
    >>> labels = ["no", "no", "yes", "no", "no", "yes"]
    >>> resample_rows(labels, "down").tolist()
    [0, 1, 2, 5]
    >>> resample_rows(labels, "up").tolist()
    [0, 1, 2, 3, 4, 5, 5, 5]
    """
    for parameter, value in ((RESAMPLINGS, how), (SEED, seed)):
        if not parameter.allows(value):
            raise refusal("resample_rows", parameter, value)
    classes, codes = labels_of(y)
    counts = np.bincount(codes, minlength=len(classes))
    wanted = int(counts.min() if how == "down" else counts.max())
    drawn = [
        _drawn(np.flatnonzero(codes == code), wanted, _generator(seed, label))
        for code, label in enumerate(classes.tolist())
    ]
    return np.sort(np.concatenate(drawn))


def _drawn(rows: NDArray[np.intp], wanted: int, generator: np.random.Generator) -> NDArray[np.intp]:
    """So many of these rows: a part of them, or all of them and some again."""
    if wanted <= len(rows):
        return generator.choice(rows, wanted, replace=False)
    return np.concatenate([rows, generator.choice(rows, wanted - len(rows), replace=True)])


def _generator(seed: int, label: object) -> np.random.Generator:
    """A stream for each class, known by its name, so that other classes do not move it."""
    digest = hashlib.blake2b(str(label).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return np.random.default_rng([int(seed), int.from_bytes(digest, "little")])


class _Labels(BaseEstimator):  # type: ignore[misc]
    """Stands where scikit-learn's checks of y want an estimator."""


def labels_of(y: ArrayLike) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """The classes in sorted order, and the place of each row's class among them."""
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


def _refuse_missing(y: ArrayLike) -> None:
    """A missing label among words would be read as the word "nan"."""
    if y is None:
        raise DataError("y is None", where="y", fix="give one label per row")
    if not isinstance(y, list | tuple) and getattr(y, "dtype", None) not in ("O", "string"):
        return
    labels = list(cast("Iterable[object]", y))
    missing = [row for row, label in enumerate(labels) if is_no_label(label)]
    if missing:
        raise DataError(
            f"Input y contains NaN: {plural(len(missing), 'row has', 'rows have')} no label",
            where=f"y of length {len(labels)}, first in row {missing[0] + 1:,}",
            fix="leave those rows out, as Task does, or give them a class of their own",
        )


def is_no_label(label: object) -> bool:
    """Whether it is None, NaN, NaT or pandas' NA."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and bool(np.isnan(label))


def _refused(error: Exception, y: ArrayLike) -> DataError:
    """scikit-learn's words, with where to look and what to do."""
    what = str(error).partition("\n")[0]
    fix = "give one label per row, none of them missing; Task leaves rows without a label out"
    if "Unknown label type" in what or "continuous" in what:
        fix = (
            "y holds numbers with fractions, which are no classes: cut them into classes first"
            " (ho.Discretize), or weigh the rows yourself"
        )
    length = f" of length {len(y)}" if isinstance(y, Sized) and np.ndim(y) else ""
    return DataError(what, where=f"y, a {type(y).__name__}{length}", fix=fix)
