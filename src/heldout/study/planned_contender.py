"""A contender with the plan by which it is tuned: one of the study file, or one that has not run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.ledger.plan_facts import ContenderFact, PlanFact
from heldout.plan.code_fingerprint import digest_of
from heldout.plan.contender import Contender, read_contender
from heldout.plan.plan import Plan
from heldout.plan.resolved_plan import resolve_plan
from heldout.results.judged_contender import JudgedContender, find_judged, recorded_contender
from heldout.results.recorded_plan import recorded_metric
from heldout.study.cells.work import Work, work_of

if TYPE_CHECKING:
    from heldout.study.study import Study


# What a plan decides about the model that a contender becomes on given rows.
_DECIDING = ("tuning", "choose_by", "seed", "rigor")


@dataclass(frozen=True, eq=False)
class PlannedContender:
    """A contender, and how it is tuned.

    contender:   the contender itself
    plan:        of this contender alone, with nothing left open
    plan_digest: of the plan in the study file that ran it; None where none did
    judged:      how it stands in the race that is meant; None where it has no verdict
    """

    contender: Contender
    plan: Plan
    plan_digest: str | None
    judged: JudgedContender | None = None

    @property
    def protocol(self) -> str:
        """The digest of what decides the model and its score, besides contender and rows."""
        record = self.plan.to_dict()
        deciding = {name: record[name] for name in _DECIDING}
        # Rigor matters only where it is quick: then settings are chosen by other folds.
        deciding["rigor"] = record["rigor"] == "quick"
        return digest_of(deciding, "protocol of a model")

    @property
    def key(self) -> str:
        """The same for the same model and metric, whichever plan it comes from."""
        return f"{self.contender.digest}:{self.protocol}"

    def work(self, study: Study) -> Work:
        """All that is needed to tune and fit it on the open rows."""
        return work_of(study.task, resolve_plan(self.plan, study.task, study.seed))


def plan_contender(study: Study, contender: object) -> PlannedContender:
    """The contender that is meant, with the plan by which it is tuned.

    `contender` is a name, or a Contender, which need not have run.
    """
    named = contender.digest if isinstance(contender, Contender) else contender
    judged = find_judged(study.ledger, named) if isinstance(named, str) else None
    if judged is not None:
        return replace(
            contender_as_run(study, judged.standing.contender, judged.standing.plan), judged=judged
        )
    found: Contender = study.session.contender(contender) or recorded_contender(study.ledger, contender)
    bodies = {fact.key: PlanFact.read(fact) for fact in study.ledger.facts("plan")}
    if not bodies:
        plan = resolve_plan(Plan((found,)), study.task, study.seed).plan
        return PlannedContender(found, plan.with_changes(contenders=(found,)), None)
    ran = [digest for digest, body in bodies.items() if found.digest in body.contenders]
    newest = (ran or list(bodies))[-1]
    plan = _recorded_plan(study, newest, bodies[newest]).with_changes(contenders=(found,))
    return PlannedContender(found, plan, newest if ran else None)


def contender_as_run(study: Study, contender: str, plan: str) -> PlannedContender:
    """A contender of the study file as a plan of it ran it; both are given by their digests."""
    fact, ran = study.ledger.fact("contender", contender), study.ledger.fact("plan", plan)
    assert fact is not None, "a verdict names contenders that are recorded"
    assert ran is not None, "and plans"
    found = study.session.contender(contender) or read_contender(ContenderFact.read(fact).contender)
    its_plan = _recorded_plan(study, plan, PlanFact.read(ran))
    return PlannedContender(found, its_plan.with_changes(contenders=(found,)), plan)


def _recorded_plan(study: Study, digest: str, body: PlanFact) -> Plan:
    """The recorded plan with other contenders, whose code may not be at hand."""
    known: Plan | None = study.session.plan(digest)
    if known is not None:
        return known
    record = dict(body.plan)
    metrics = tuple(recorded_metric(form) for form in record["metrics"])
    anyone = Contender("anyone", BaselineClassifier()).to_dict()
    found = Plan.from_dict(record | {"contenders": [anyone], "metrics": [], "choose_by": None})
    return found.with_changes(metrics=metrics, choose_by=recorded_metric(record["choose_by"]))
