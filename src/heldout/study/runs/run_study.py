"""Run a plan in a study: decide what it leaves open, run its cells, say the verdict, keep the winner."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from heldout.errors import HeldoutError, InputTypeError
from heldout.learners.trees.tree_base import TreeBase
from heldout.ledger.chain import canonical_json
from heldout.ledger.study_facts import NoteFact
from heldout.plan.plan import Plan
from heldout.study.cells.work import Work, work_of
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.progress import make_progress
from heldout.study.runs.record_verdict import (
    contender_of_race,
    find_readable,
    model_entries,
    model_key,
    verdict_fact,
)
from heldout.study.runs.run_plan import run_plan

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.results.study_result import StudyResult
    from heldout.study.study import Study
    from heldout.verdict.standing import Standing


def run_study(study: Study, plan: Any, n_jobs: int | None, progress: Any, runner: Any) -> StudyResult:
    """The result of a plan, after everything in it has run; see `Study.run`."""
    if not isinstance(plan, Plan):
        raise InputTypeError(
            "a study runs a plan",
            where=f"run({type(plan).__name__})",
            fix="make one: ho.Plan(contenders=ho.default_contenders(study.task))",
        )
    task = study.task
    shown = make_progress(progress)
    work = work_of(task, study.session.resolve(plan, task, study.seed))
    study.session.keep(work.resolved.plan)
    run_plan(study.ledger, work, LocalRunner(n_jobs) if runner is None else runner, shown)
    try:
        shown.step("comparing the contenders")  # those of earlier plans too
        result = study.result(work.resolved.digest)
        _record(study, work, result, shown.step)
        if work.resolved.plan.rigor == "thorough":
            _draw_curves(study, work, result, shown.step)
    finally:
        shown.step("")
    return result


def _draw_curves(study: Study, work: Work, result: StudyResult, step: Callable[[str], None]) -> None:
    """The learning curve of the winner, and of a tree that of its size; asked for later they are at hand."""
    name = result.verdict.winner
    if not name or result.standing(name).is_baseline:
        return
    _, winner = contender_of_race(study, work, result.standing(name))
    wanted: list[Callable[[Contender], object]] = [study.learning_curve]
    if isinstance(winner.learner, TreeBase):
        wanted.append(study.size_curve)
    for curve in wanted:
        step(f"{curve.__name__.replace('_', ' ')} of {name}")
        try:
            curve(winner)
        except HeldoutError as error:  # the verdict stands without it
            key = f"{work.resolved.digest}:{error.what}"
            study.ledger.append([NoteFact(str(error)).entry(key, once=True)])


def _record(study: Study, work: Work, result: StudyResult, step: Callable[[str], None]) -> None:
    """The verdict, the winner, and what can be read beside it, unless they stand there already."""
    with study.ledger.writing():
        newest = study.ledger.facts("verdict")
        verdict = verdict_fact(result)
        if not newest or canonical_json(newest[-1].body) != canonical_json(verdict.to_dict()):
            study.ledger.append([verdict.entry(f"{result.plan_digest}:{study.ledger.head}", once=True)])
        if not result.verdict.winner:
            return
        winner = result.standing(result.verdict.winner)
        _record_model(study, work, winner, "winner", step)
        beside = find_readable(study, work, result)
        if beside is not None:
            _record_model(study, work, beside, "readable", step)


def _record_model(
    study: Study, work: Work, standing: Standing, role: str, step: Callable[[str], None]
) -> None:
    """The model of a contender, unless it stands there; without that of an earlier run the verdict stands."""
    try:
        its_work, contender = contender_of_race(study, work, standing)
        if not study.ledger.has("model", model_key(its_work, contender)):
            step(f"fitting {contender.name} on all {work.n_rows:,} open rows")
            study.ledger.append(model_entries(its_work, contender, role, step))
    except HeldoutError as error:
        if role == "winner" and standing.plan == work.resolved.digest:
            raise
        key = f"model of {standing.contender}:{error.what}"
        study.ledger.append([NoteFact(str(error)).entry(key, once=True)])
