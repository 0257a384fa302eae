"""The names of the columns of a table in which texts became words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError


def names_with_words(
    names: Sequence[str], chosen: NDArray[np.intp], words: Sequence[Sequence[str]]
) -> list[str]:
    """Each text column by its words, the others as they are.

    names:  of all columns
    chosen: the positions of the texts
    words:  of each text

    >>> names_with_words(["age", "note"], np.array([1]), [["fit", "ill"]])
    ['age', 'note: fit', 'note: ill']
    """
    words_of = dict(zip(chosen.tolist(), words, strict=True))
    return [
        made
        for place, name in enumerate(names)
        for made in ([f"{name}: {word}" for word in words_of[place]] if place in words_of else [name])
    ]


def refuse_same_names(names: Sequence[str], chosen: NDArray[np.intp], words: Sequence[Sequence[str]]) -> None:
    """Raise if a word's column would have the name of a column that was there before.

    names, chosen, words: as for `names_with_words`
    """
    texts = set(chosen.tolist())
    others = {name for place, name in enumerate(names) if place not in texts}
    for place, terms in zip(chosen.tolist(), words, strict=True):
        twice = next((f"{names[place]}: {word}" for word in terms if f"{names[place]}: {word}" in others), "")
        if twice:
            raise DataError(
                f"two columns would be called '{twice}'",
                where=f"a word of column '{names[place]}', and a column that was there before",
                fix="rename the column that was there",
            )
