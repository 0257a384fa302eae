"""The folds inside a training part, by which a setting is chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.study.cells.seeded import derived_seed

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class InnerFold:
    """Rows to fit each setting on, and rows to judge it by; both are positions in the whole work.

    >>> InnerFold(np.array([0, 1]), np.array([2])).judged.tolist()
    [2]
    """

    train: Rows
    judged: Rows


def folds_within(tuning: Split, facts: RowFacts, rows: Rows, seed: int, digest: str) -> tuple[InnerFold, ...]:
    """The folds of a tuning inside some rows.

    Where there are fewer groups or rows of a class than folds, there are as many folds as there can be.

    tuning: the split
    facts:  of all rows
    rows:   those that may be used
    seed:   of the plan
    digest: of the rows
    """
    found = tuning.folds(facts.take(rows), seed=derived_seed("inner folds", seed, digest), shrink=True)
    return tuple(InnerFold(rows[fold.train], rows[fold.test]) for fold in found)


def validation_fold(fold: Fold) -> InnerFold:
    """The one inner fold of a rotating validation: fit on the training rows, judge by the validation rows."""
    assert fold.validation is not None
    return InnerFold(fold.train, fold.validation)
