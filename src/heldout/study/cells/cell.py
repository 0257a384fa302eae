"""A cell: one contender on one fold. Tune inside the training part, fit with the choice, predict the rest.

A cell is a pure function of the work and its key: it knows no ledger, and the clock touches nothing but
`seconds`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.split.fold import Fold
from heldout.study.cells.algebra_threads import one_algebra_thread
from heldout.study.cells.answered_model import AnsweredModel, answered_by
from heldout.study.cells.cell_looks import cell_looks
from heldout.study.cells.chosen_on import chosen_by
from heldout.study.cells.fit_contender import FittedContender
from heldout.study.cells.fold_predictions import fold_predictions
from heldout.study.cells.fold_scores import fold_scores, needs_of
from heldout.study.cells.heard_warnings import Notes, heard
from heldout.study.cells.learner_failure import failing_as
from heldout.study.cells.work import Work
from heldout.table.table import Table


@dataclass(frozen=True)
class CellKey:
    """Which cell is meant.

    contender: the digest of the contender
    repeat:    of the split, from 0
    fold:      the number of the fold within its repeat, from 0
    text:      under which the ledger knows the cell: the same contender, fold and protocol in another plan is
               the same cell

    >>> CellKey("ab", 0, 3, "ab:12:cd").text
    'ab:12:cd'
    """

    contender: str
    repeat: int
    fold: int
    text: str = ""


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell found.

    key:              which cell it was
    name:             of the contender
    chosen:           the setting; of a quick cell none, which is chosen over all its folds
    chosen_place:     of the setting among the contender's; −1 in a quick cell
    choice_scores:    of each setting the mean inner score; in a quick cell its score on this fold
    scores:           of the test rows by each metric; NaN where there is none
    predictions:      arrays, see `fold_predictions`; in a quick cell with a first axis for the settings
    rows:             positions of the test rows, in the order of the predictions
    bits:             that it takes to write the model down; NaN in a quick cell
    bits_are_foreign: whether they are those of a compressed pickle
    seconds:          of "tune", "fit" and "predict"
    looks:            which rows were looked at, for what
    notes:            warnings and what was missing, in sentences
    fold_digest:      the fingerprint of the fold
    tuned_by:         the metric of `choice_scores`
    """

    key: CellKey
    name: str
    chosen: dict[str, Any]
    chosen_place: int
    choice_scores: NDArray[np.float64]
    scores: dict[str, float]
    predictions: dict[str, NDArray[Any]]
    rows: NDArray[np.intp]
    bits: float
    bits_are_foreign: bool
    seconds: dict[str, float] = field(default_factory=dict)
    looks: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    fold_digest: str = ""
    tuned_by: str = ""


def cell_keys(work: Work) -> tuple[CellKey, ...]:
    """All cells of a plan: contender after contender within each fold, so that early results compare.

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    >>> plan = ho.Plan([ho.Contender("tree", ho.TreeClassifier())], folds=ho.KFold(2, repeats=3))
    >>> keys = cell_keys(work_of(task, resolved(plan, task, seed=1)))  # a baseline was added
    >>> len(keys), keys[-1].repeat, keys[-1].fold
    (12, 2, 1)
    """
    return tuple(
        cell_key(work, contender.digest, fold)
        for fold in work.folds
        for contender in work.resolved.contenders
    )


def cell_key(work: Work, contender: str, fold: Fold) -> CellKey:
    """The key of the cell of a contender, given by its digest, on a fold."""
    text = f"{contender}:{fold.digest}:{work.resolved.protocol_digest}"
    return CellKey(contender, fold.repeat, fold.number, text)


def run_cell(work: Work, key: CellKey) -> CellResult:
    """Compute a cell.

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    >>> tree = ho.Contender("tree", ho.TreeClassifier(), space={"min_leaf": [1, 4]})
    >>> work = work_of(task, resolved(ho.Plan([tree], folds=ho.KFold(2), tuning=ho.KFold(2)), task, seed=1))
    >>> result = run_cell(work, cell_keys(work)[1])
    >>> result.name, len(result.choice_scores), result.predictions["probabilities"].shape
    ('tree', 2, (7, 2))
    """
    from heldout.study.cells.quick_cell import quick_cell

    notes = Notes()
    with one_algebra_thread(), heard(notes):
        found = quick_cell(work, key, notes) if work.is_quick else _nested_cell(work, key, notes)
    return replace(found, notes=notes.sentences)


def _nested_cell(work: Work, key: CellKey, notes: Notes) -> CellResult:
    contender, fold = work.contender(key.contender), work.fold(key.repeat, key.fold)
    inner = work.tuning_folds(fold) if work.is_tuned(contender) else ()
    chosen = chosen_by(work, contender, inner, work.fit_rows(fold), notes)
    fitted, test = chosen.fitted, work.part(fold.test)
    start = time.perf_counter()
    answered = _answers(work, fitted, test.X)
    predict_seconds = time.perf_counter() - start
    with failing_as(contender.name, fitted.setting, doing="describing the model"):
        length = fitted.length
    return CellResult(
        key=key,
        name=contender.name,
        chosen=chosen.choice.setting,
        chosen_place=chosen.choice.place,
        choice_scores=chosen.choice.scores,
        scores=fold_scores(work.metrics, answered, test, notes, type(fitted.learner).__name__),
        predictions=fold_predictions(work, answered, len(fold.test), contender.name),
        rows=fold.test,
        bits=length.bits,
        bits_are_foreign=length.is_pickled,
        seconds={"tune": chosen.choice.seconds, "fit": fitted.seconds, "predict": predict_seconds},
        looks=cell_looks(work, fold, contender, is_tuned=chosen.choice.n_fits > 0),
        fold_digest=fold.digest,
        tuned_by=work.tunes_by(contender).name,
    )


def _answers(work: Work, fitted: FittedContender, X: Table) -> AnsweredModel:
    with failing_as(fitted.name, fitted.setting, doing="predicting the test part"):
        return answered_by(fitted.decider, fitted.prepared(X), needs_of(work.metrics))
