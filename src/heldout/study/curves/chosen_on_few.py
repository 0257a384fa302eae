"""Tuning on few rows: settings that so few rows cannot bear are left out, and said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError
from heldout.plan.contender import Contender
from heldout.study.cells.chosen_on import Chosen, chosen_on
from heldout.study.cells.fit_contender import fit_recipe
from heldout.study.cells.heard_warnings import Notes, heard
from heldout.table.describe import plural

if TYPE_CHECKING:
    from heldout.study.cells.work import Work

Rows = NDArray[np.intp]


class CurveNotes:
    """What happened on the way, each thing once, with in how many folds.

    n_folds: of the curve

    >>> notes = CurveNotes(10)
    >>> for _ in range(3):
    ...     notes.add("not converged")
    >>> notes.sentences
    ('not converged (3 of 10 folds).',)
    """

    def __init__(self, n_folds: int) -> None:
        self.n_folds = n_folds
        self._counts: dict[str, int] = {}

    def add(self, note: str) -> None:
        """Something that happened in one fold."""
        words = note.rstrip(".")
        self._counts[words] = self._counts.get(words, 0) + 1

    @property
    def sentences(self) -> tuple[str, ...]:
        """In the order in which they came."""
        return tuple(
            f"{words} ({count} of {plural(self.n_folds, 'fold')})." for words, count in self._counts.items()
        )


def chosen_on_few(work: Work, contender: Contender, rows: Rows, notes: CurveNotes, where: str) -> Chosen:
    """Tune and fit on some rows; where a setting fails, among those that do not.

    A hundred neighbors cannot be asked for among fifty rows, and whoever had fifty would not ask.

    notes: get how many settings were left out
    where: begins the note
    """
    try:
        return chosen_on(work, contender, rows)
    except HeldoutError:
        able = able_settings(work, contender, rows)
        if not 0 < len(able) < contender.n_settings:
            raise
    n_left_out = contender.n_settings - len(able)
    notes.add(f"{where} {plural(n_left_out, 'setting')} of {contender.n_settings} could not be fitted")
    fewer = Contender(
        contender.name, contender.learner, able, contender.prepare, contender.resample, contender.choose
    )
    return chosen_on(work, fewer, rows)


def able_settings(work: Work, contender: Contender, rows: Rows) -> list[dict[str, Any]]:
    """The settings that can be fitted, and asked, on the smallest of the inner folds."""
    recipe = work.recipe_of(contender)
    smallest = min(work.inner_folds(rows), key=lambda fold: len(fold.train))
    part, judged = work.part(smallest.train), work.part(smallest.judged)
    able = []
    for place, setting in enumerate(recipe.settings):
        try:
            with heard(Notes()):
                fit_recipe(recipe, place, part).predict(judged.X)
        except MemoryError:
            raise
        except Exception:  # a learner may raise anything; what is left out is counted and said
            continue
        able.append(dict(setting))
    return able
