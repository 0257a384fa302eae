"""A contender with the plan by which it is tuned: that of its verdict, the newest that ran it, or of all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.plan.contender import Contender, contender_of_dict
from heldout.plan.digest import digest_of
from heldout.plan.plan import Plan
from heldout.plan.resolved_plan import resolved
from heldout.report.recorded.recorded_metric import recorded_metric
from heldout.study.cells.named_contender import Judged, contender_of, judged
from heldout.study.cells.work import Work, work_of

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
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
    judged: Judged | None = None

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
        return work_of(study.task, resolved(self.plan, study.task, study.seed))


def planned(study: Study, contender: Any) -> PlannedContender:
    """The contender that is meant, with the plan by which it is tuned.

    contender: a name, or a Contender, which need not have run
    """
    named = contender.digest if isinstance(contender, Contender) else contender
    meant = judged(study.ledger, named) if isinstance(named, str) else None
    if meant is not None:
        return replace(planned_by(study, meant.contender, meant.plan), judged=meant)
    found: Contender = study.session.contender(contender) or contender_of(study.ledger, contender)
    facts = study.ledger.facts("plan")
    ran = [fact for fact in facts if found.digest in fact.body["contenders"]]
    if not facts:
        plan = resolved(Plan((found,)), study.task, study.seed).plan
        return PlannedContender(found, plan.with_changes(contenders=(found,)), None)
    newest = (ran or list(facts))[-1]
    plan = _plan(study, newest).with_changes(contenders=(found,))
    return PlannedContender(found, plan, newest.key if ran else None)


def planned_by(study: Study, contender: str, plan: str) -> PlannedContender:
    """A contender of the study file as a plan of it ran it.

    contender, plan: their digests
    """
    fact, ran = study.ledger.fact("contender", contender), study.ledger.fact("plan", plan)
    assert fact is not None, "a verdict names contenders that are recorded"
    assert ran is not None, "and plans"
    found = study.session.contender(contender) or contender_of_dict(fact.body["contender"])
    return PlannedContender(found, _plan(study, ran).with_changes(contenders=(found,)), plan)


def _plan(study: Study, fact: Fact) -> Plan:
    """The recorded plan with other contenders, whose code may not be at hand."""
    known: Plan | None = study.session.plan(fact.key)
    if known is not None:
        return known
    record = dict(fact.body["plan"])
    metrics = tuple(recorded_metric(form) for form in record["metrics"])
    anyone = Contender("anyone", BaselineClassifier()).to_dict()
    found = Plan.from_dict(record | {"contenders": [anyone], "metrics": [], "choose_by": None})
    return found.with_changes(metrics=metrics, choose_by=recorded_metric(record["choose_by"]))
