"""What a run leaves in the study file at its end: the verdict, the winner, and one to read beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import HeldoutError
from heldout.learners.forests.forest_base import ForestBase
from heldout.learners.perceptron import Perceptron
from heldout.ledger.fact import Entry
from heldout.ledger.study_facts import LookFact
from heldout.ledger.verdict_facts import ModelFact, VerdictFact
from heldout.models.model_file import file_bytes
from heldout.plan.contender import Contender
from heldout.report.models.views.model_view import is_readable, model_view
from heldout.split.fold import rows_digest
from heldout.stats.interval import plain
from heldout.study.cells.cell_entries import shown_setting
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.fit_contender import fit_arguments
from heldout.study.cells.recipe import TrainingPart
from heldout.study.files.table_at_hand import versions
from heldout.study.planned_contender import contender_as_run
from heldout.study.ship import refuse_foreign
from heldout.verdict.rule import rank_standings

if TYPE_CHECKING:
    from heldout.learners.forests.importances import PermutationImportances
    from heldout.results.study_result import StudyResult
    from heldout.study.cells.fit_contender import FittedContender
    from heldout.study.cells.work import Work
    from heldout.study.study import Study
    from heldout.verdict.standing import Standing

ROWS_INSIDE = "it keeps the rows that it learned from, which stay with the user"


def verdict_fact(result: StudyResult) -> VerdictFact:
    """What is recorded of a verdict: all that a page about it needs."""
    verdict = result.verdict
    return VerdictFact(
        plan=result.plan_digest,
        digest=result.digest,
        metric=result.metric.name,
        is_larger_better=result.metric.is_larger_better,
        choose_reason=result.choose_reason,
        winner=verdict.winner,
        best=verdict.best,
        beats_baseline=verdict.beats_baseline,
        sentence=verdict.sentence,
        details=verdict.details,
        text=str(verdict),
        number=verdict.number,
        standings=tuple(result.standing_fact(each) for each in result.standings),
        comparisons=result.comparisons,
        against_baseline=tuple(verdict.decision.against_baseline),
        plan_number=result.plan_number,
        n_plans=result.n_plans,
        race=verdict.race,
        rigor=result.record["rigor"],
        versions=versions(),
    )


def contender_of_race(study: Study, work: Work, standing: Standing) -> tuple[Work, Contender]:
    """A contender of the race, with the work by which it is tuned: another plan may have run it.

    work: of the plan that ran now
    """
    if standing.plan == work.resolved.digest:
        return work, work.resolved.contender(standing.contender)
    found = contender_as_run(study, standing.contender, standing.plan)
    return found.work(study), found.contender


def find_readable(study: Study, work: Work, result: StudyResult) -> Standing | None:
    """The best-scoring tree or list of rules that beats guessing, where the winner is none of them.

    A tree that was not shown to beat guessing shows noise, so it is not put beside the winner.
    """
    winner = result.standing(result.verdict.winner)
    if winner.is_baseline or _is_readable(study, work, winner):
        return None
    decision = result.verdict.decision
    may_be_shown = (
        decision.better_than_baseline if decision.baseline else [each.name for each in result.standings]
    )
    ranked = [each for each in rank_standings(result.standings, result.metric) if each.name in may_be_shown]
    return next((each for each in ranked if _is_readable(study, work, each)), None)


def _is_readable(study: Study, work: Work, standing: Standing) -> bool:
    """Whether it is a tree or a list of rules; what cannot be read from the file again is not."""
    try:
        return is_readable(contender_of_race(study, work, standing)[1].learner)
    except HeldoutError:
        return False


def model_entries(
    work: Work, contender: Contender, role: str = "winner", step: Callable[[str], None] = lambda words: None
) -> list[Entry]:
    """The contender tuned and fitted on all open rows, as bytes of a model file, and the looks it took.

    A model that keeps rows, as neighbors do, or that no model file can hold, is described without its bytes.

    role: why it is recorded, "winner" or "readable"
    step: is told what is done after the fit
    """
    every = np.arange(work.n_rows)
    key = model_key(work, contender)
    chosen = chosen_on(work, contender)
    if isinstance(chosen.fitted.learner, ForestBase):
        step(f"measuring the importances of columns in {contender.name}")
    shuffled, why_not_shuffled = forest_importances(work, contender, chosen.fitted)
    why_not = keeps_rows(chosen.fitted.learner) or _foreign(contender)
    arrays = {}
    if not why_not:
        content = file_bytes(chosen.model)
        arrays["file"] = np.frombuffer(content, dtype=np.uint8)
    body = ModelFact(
        contender=contender.digest,
        name=contender.name,
        role=role,
        rows=rows_digest(every),
        n_rows=work.n_rows,
        setting=shown_setting(chosen.choice.setting),
        bits=chosen.fitted.length.bits,
        without_file=why_not,
        notes=chosen.notes,
        protocol=work.resolved.protocol_digest,
        # What a page shows of it: reading the model again would need the learners, and they take a second.
        view=plain(model_view(chosen.model, work.n_rows, shuffled, why_not_shuffled)),
    )
    steps = ["tune", "fit"] if chosen.choice.n_fits else ["fit"]
    looks = [LookFact.at_rows(step, contender.name, every, "open") for step in steps]
    return [
        body.entry(key, arrays, once=True),
        *(look.entry(f"model:{key}:{look.what}", once=True) for look in looks),
    ]


def model_key(work: Work, contender: Contender) -> str:
    """Under which the study file knows the model of a contender on all open rows."""
    return f"{contender.digest}:{rows_digest(np.arange(work.n_rows))}:{work.resolved.protocol_digest}"


def keeps_rows(learner: Any) -> str:
    """Why a fitted learner must not be written into the study file; empty if it may.

    Neighbors keep every row, a voted perceptron those that were mistakes.
    """
    from heldout.learners.neighbors.neighbors_base import NeighborsBase

    last = learner.steps[-1][1] if hasattr(learner, "steps") else learner
    is_voted = isinstance(last, Perceptron) and hasattr(last, "updates_")
    return ROWS_INSIDE if is_voted or isinstance(last, NeighborsBase) else ""


def _foreign(contender: Contender) -> str:
    try:
        refuse_foreign(contender)
    except HeldoutError as error:
        return error.what
    return ""


# Rows × columns × trees: some ten seconds of shuffling.
MOST_SHUFFLED = 500_000_000
TOO_MANY = "Shuffling every column would have taken too long on so many rows and columns."


def forest_importances(
    work: Work, contender: Contender, fitted: FittedContender
) -> tuple[PermutationImportances | None, str]:
    """The importances out of the bag of a contender that was fitted on all open rows, or why there are none.

    Nothing where the learner is no forest.
    """
    forest: Any = fitted.learner
    if not isinstance(forest, ForestBase):
        return None, ""
    part = work.recipe_of(contender).resampled(work.part(np.arange(work.n_rows)))
    if len(part.y) * forest.n_features_in_ * forest.forest_.n_trees > MOST_SHUFFLED:
        return None, TOO_MANY
    prepared = TrainingPart(fitted.prepared(part.X), part.y, part.weights, part.groups)
    try:
        found = forest.permutation_importances(prepared.X, prepared.y, **fit_arguments(forest, prepared))
    except HeldoutError as error:
        # Bags without rows outside, or a preparation that answers otherwise at fit: splits tell it then.
        return None, f"There are no importances by shuffling: {error.what}."
    return _by_variance(found, prepared) if not hasattr(forest, "classes_") else found, ""


def _by_variance(found: PermutationImportances, part: TrainingPart) -> PermutationImportances:
    """Growths of the mean squared error as shares of the target's variance: they have no unit."""
    weights = None if part.weights is None else part.weights / part.weights.max()
    mean = np.average(part.y, weights=weights)
    variance = float(np.average((part.y - mean) ** 2, weights=weights)) or 1.0
    return replace(
        found,
        mean=found.mean / variance,
        standard_error=found.standard_error / variance,
        loss="unexplained share of the variance",
    )
