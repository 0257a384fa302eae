"""Run a plan in a study: decide what it leaves open, run its cells, say the verdict, keep the winner."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from heldout.errors import HeldoutError, KindError
from heldout.learners.trees.tree_base import TreeBase
from heldout.ledger.fact import Entry
from heldout.plan.plan import Plan
from heldout.plan.resolved_plan import resolved
from heldout.study.cells.work import Work, work_of
from heldout.study.results.record_verdict import model_entries, model_key, readable_beside, verdict_entry
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.progress import progress_of
from heldout.study.runs.run_plan import run_plan

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.results.study_result import StudyResult
    from heldout.study.study import Study


def run_study(study: Study, plan: Any, n_jobs: int | None, progress: Any, runner: Any) -> StudyResult:
    """The result of a plan, after everything in it has run; see `Study.run`."""
    if not isinstance(plan, Plan):
        raise KindError(
            "a study runs a plan",
            where=f"run({type(plan).__name__})",
            fix="make one: ho.Plan(contenders=ho.default_contenders(study.task))",
        )
    task = study.task
    shown = progress_of(progress)
    work = work_of(task, resolved(plan, task, study.seed))
    study.session.keep(work.resolved.plan)
    run_plan(study.ledger, work, LocalRunner(n_jobs) if runner is None else runner, shown)
    result = study.result(work.resolved.digest)
    _record(study, work, result)
    if work.resolved.plan.rigor == "thorough":
        _draw_curves(study, work, result)
    return result


def _draw_curves(study: Study, work: Work, result: StudyResult) -> None:
    """The learning curve of the winner, and of a tree that of its size; asked for later they are at hand."""
    name = result.verdict.winner
    if not name or work.resolved.contender(name).is_baseline:
        return
    winner = work.resolved.contender(name)
    wanted: list[Callable[[Contender], object]] = [study.learning_curve]
    if isinstance(winner.learner, TreeBase):
        wanted.append(study.size_curve)
    for curve in wanted:
        try:
            curve(winner)
        except HeldoutError as error:  # the verdict stands without it
            key = f"{work.resolved.digest}:{error.what}"
            study.ledger.append([Entry("note", key, {"text": str(error)}, once=True)])


def _record(study: Study, work: Work, result: StudyResult) -> None:
    """The verdict, the winner, and what can be read beside it, unless they stand there already."""
    with study.ledger.writing():
        newest = study.ledger.facts("verdict")
        entry = verdict_entry(study, result)
        if not newest or newest[-1].body["text"] != entry.body["text"]:
            study.ledger.append([entry])
        if not result.verdict.winner:
            return
        _record_model(study, work, work.resolved.contender(result.verdict.winner), "winner")
        beside = readable_beside(work, result)
        if beside is None:
            return
        try:
            _record_model(study, work, beside, "readable")
        except HeldoutError as error:  # the verdict stands without it
            key = f"{model_key(work, beside)}:{error.what}"
            study.ledger.append([Entry("note", key, {"text": str(error)}, once=True)])


def _record_model(study: Study, work: Work, contender: Contender, role: str) -> None:
    if not study.ledger.has("model", model_key(work, contender)):
        study.ledger.append(model_entries(work, contender, role))
