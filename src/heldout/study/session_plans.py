"""Plans that ran since a study was opened: their learners are at hand, also those that no file can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.plan.resolved_plan import ResolvedPlan, resolve_plan

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan
    from heldout.table.task import Task


class SessionPlans:
    """Plans that ran since the study was opened, by their digests."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}
        self._resolved: tuple[Plan, Task, ResolvedPlan] | None = None

    def resolve(self, plan: Plan, task: Task, seed: int) -> ResolvedPlan:
        """The plan with nothing left open; asked again for the same plan, what was decided before."""
        if self._resolved is None or self._resolved[0] is not plan or self._resolved[1] is not task:
            self._resolved = plan, task, resolve_plan(plan, task, seed)
        return self._resolved[2]

    def keep(self, plan: Plan) -> None:
        """Remember a plan with nothing left open; run again, it is the newest."""
        self._plans.pop(plan.digest, None)
        self._plans[plan.digest] = plan

    def plan(self, digest: str) -> Plan | None:
        """The plan of this digest, if it ran in this session."""
        return self._plans.get(digest)

    def contender(self, name: object) -> Contender | None:
        """The newest contender of this name or digest that ran in this session."""
        if not isinstance(name, str):
            return None
        for plan in reversed(self._plans.values()):
            for each in plan.contenders:
                if name in (each.name, each.digest):
                    return each
        return None
