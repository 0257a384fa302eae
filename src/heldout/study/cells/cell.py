"""A cell: one contender on one fold. Tune inside the training part, fit with the choice, predict the rest.

A cell is a pure function of the work and its key: it knows no ledger, and the clock touches nothing but
`seconds`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.ledger.study_facts import LookFact
from heldout.split.fold import Fold
from heldout.study.cells.chosen_on import chosen_by
from heldout.study.cells.fit_contender import FittedContender, ignores_weights
from heldout.study.cells.fit_settings import fit_settings
from heldout.study.cells.fold_predictions import (
    PredictedModel,
    fold_predictions,
    fold_scores,
    needs_of,
    predicted_by,
)
from heldout.study.cells.guarded_fit import Notes, failing_as, one_algebra_thread, record_warnings
from heldout.study.cells.work import Work
from heldout.table.table import Table

if TYPE_CHECKING:
    from heldout.plan.contender import Contender


@dataclass(frozen=True)
class CellKey:
    """Which cell is meant.

    contender: the digest of the contender
    repeat:    of the split, from 0
    fold:      the number of the fold within its repeat, from 0
    text:      under which the ledger knows the cell: the same contender, fold and protocol in another plan is
               the same cell
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
    chosen_index:     of the setting among the contender's; −1 in a quick cell
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
    chosen_index: int
    choice_scores: NDArray[np.float64]
    scores: dict[str, float]
    predictions: dict[str, NDArray[Any]]
    rows: NDArray[np.intp]
    bits: float
    bits_are_foreign: bool
    seconds: dict[str, float] = field(default_factory=dict)
    looks: tuple[LookFact, ...] = ()
    notes: tuple[str, ...] = ()
    fold_digest: str = ""
    tuned_by: str = ""


def cell_keys(work: Work) -> tuple[CellKey, ...]:
    """All cells of a plan: contender after contender within each fold, so that early results compare."""
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
    """Compute a cell."""

    notes = Notes()
    with one_algebra_thread(), record_warnings(notes):
        found = quick_cell(work, key, notes) if work.is_quick else _nested_cell(work, key, notes)
    return replace(found, notes=notes.sentences)


def _nested_cell(work: Work, key: CellKey, notes: Notes) -> CellResult:
    contender, fold = work.contender(key.contender), work.fold(key.repeat, key.fold)
    inner = work.tuning_folds(fold) if work.is_tuned(contender) else ()
    chosen = chosen_by(work, contender, inner, work.fit_rows(fold), notes)
    fitted, test = chosen.fitted, work.part(fold.test)
    start = time.perf_counter()
    model_predictions = _predictions(work, fitted, test.X)
    predict_seconds = time.perf_counter() - start
    with failing_as(contender.name, fitted.setting, doing="describing the model"):
        length = fitted.length
    return CellResult(
        key=key,
        name=contender.name,
        chosen=chosen.choice.setting,
        chosen_index=chosen.choice.index,
        choice_scores=chosen.choice.scores,
        scores=fold_scores(work.metrics, model_predictions, test, notes, type(fitted.learner).__name__),
        predictions=fold_predictions(work, model_predictions, len(fold.test), contender.name),
        rows=fold.test,
        bits=length.bits,
        bits_are_foreign=length.is_pickled,
        seconds={"tune": chosen.choice.seconds, "fit": fitted.seconds, "predict": predict_seconds},
        looks=cell_looks(work, fold, contender, is_tuned=chosen.choice.n_fits > 0),
        fold_digest=fold.digest,
        tuned_by=work.tunes_by(contender).name,
    )


def _predictions(work: Work, fitted: FittedContender, X: Table) -> PredictedModel:
    with failing_as(fitted.name, fitted.setting, doing="predicting the test part"):
        return predicted_by(fitted.decider, fitted.prepared(X), needs_of(work.metrics))


def quick_cell(work: Work, key: CellKey, notes: Notes) -> CellResult:
    """Fit every setting of a contender on a fold and keep the answers of all.

    The arrays of `predictions` have a first axis for the settings, and there are two more: "setting_scores"
    (setting × metric of the plan, in its order) and "setting_bits".
    """

    contender, fold = work.contender(key.contender), work.fold(key.repeat, key.fold)
    recipe = work.recipe_of(contender)
    part, test = work.part(fold.train), work.part(fold.test)
    if ignores_weights(recipe.learner, part):
        notes.once(f"{type(recipe.learner).__name__} takes no weights, so every row counted once in its fit")
    stated: dict[int, dict[str, NDArray[Any]]] = {}
    scored: dict[int, dict[str, float]] = {}
    bits: dict[int, float] = {}
    is_foreign, seconds = False, {"tune": 0.0, "fit": 0.0, "predict": 0.0}
    for each in fit_settings(recipe, part, test, needs_of(work.metrics), notes):
        setting, fitted = each.setting, each.fitted
        stated[setting] = fold_predictions(work, each.model_predictions, len(fold.test), contender.name)
        scored[setting] = fold_scores(
            work.metrics, each.model_predictions, test, notes, type(fitted.learner).__name__
        )
        bits[setting] = fitted.length.bits
        is_foreign = is_foreign or fitted.length.is_pickled
        seconds["fit"] += each.fit_seconds
        seconds["predict"] += each.predict_seconds
    indices = range(len(recipe.settings))
    predictions = {name: np.stack([stated[index][name] for index in indices]) for name in stated[0]}
    predictions["setting_scores"] = np.array([list(scored[index].values()) for index in indices])
    predictions["setting_bits"] = np.array([bits[index] for index in indices])
    chosen_by = work.choose_by.name
    return CellResult(
        key=key,
        name=contender.name,
        chosen={},
        chosen_index=-1,
        choice_scores=np.array([scored[index][chosen_by] for index in indices]),
        scores=scored[0] if len(indices) == 1 else dict.fromkeys(scored[0], float("nan")),
        predictions=predictions,
        rows=fold.test,
        bits=bits[0] if len(indices) == 1 else float("nan"),
        bits_are_foreign=is_foreign,
        seconds=seconds,
        looks=cell_looks(work, fold, contender, is_tuned=False),
        fold_digest=fold.digest,
        tuned_by=chosen_by,
    )


def cell_looks(work: Work, fold: Fold, contender: Contender, is_tuned: bool) -> tuple[LookFact, ...]:
    """The looks of a cell in order: tuning, fitting, scoring.

    is_tuned: whether settings were compared
    """
    looks = [("fit", work.fit_rows(fold)), ("score", fold.test)]
    if is_tuned:
        looks.insert(0, ("tune", work.fit_rows(fold)))
    return tuple(
        LookFact(what, contender.name, work.digest_of(rows), len(rows), "open") for what, rows in looks
    )
