"""Classes of equal size by leaving rows out or by repeating them, for training rows alone."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.features.shift.class_labels import labels_of
from heldout.learners.parameters import Parameter, refusal

HOW = Parameter(
    "how",
    choices=("down", "up"),
    synonyms=(("undersample", "down"), ("under", "down"), ("oversample", "up"), ("over", "up")),
)
SEED = Parameter("seed", number="integer", lowest=0)


def resample_rows(y: Any, how: str = "down", seed: int = 0) -> NDArray[np.intp]:
    """Positions of rows in which every class is equally frequent, ascending.

    Use them on training rows only: what is measured on rows that were left out or repeated says nothing
    about the classes as they occur. Repeated rows must not be split between training and test rows, so
    split first and resample the training part.

    y:    one label per row: a list, an array, a Column, a series; none missing
    how:  "down" draws from every class, without replacement, as many rows as the smallest class has; "up"
          keeps every row and repeats rows of smaller classes, drawn with replacement, up to the size of the
          largest
    seed: the draw of a class follows from the seed, the name of the class and its rows, not from what other
          classes are called or where their rows stand

    Groups play no part: rows are drawn one by one, also from groups, since all of them are training rows.

    >>> labels = ["no", "no", "yes", "no", "no", "yes"]
    >>> resample_rows(labels, "down").tolist()
    [0, 1, 2, 5]
    >>> resample_rows(labels, "up").tolist()
    [0, 1, 2, 3, 4, 5, 5, 5]
    """
    for parameter, value in ((HOW, how), (SEED, seed)):
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


def _generator(seed: int, label: Any) -> np.random.Generator:
    """A stream for each class, known by its name, so that other classes do not move it."""
    digest = hashlib.blake2b(str(label).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return np.random.default_rng([int(seed), int.from_bytes(digest, "little")])
