"""The race of a plan: all contenders of all plans that ran on the same folds, by the same metric.

A second plan with the same folds adds contenders to the race, and does not start another one. Rows are the
same in the whole study, so folds and metric decide; quick plans judge settings by their tuning folds and race
among themselves.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.verdict_facts import VerdictFact
from heldout.results.standings import plan_standings
from heldout.split.split_from_dict import describe_split
from heldout.verdict.verdict import OtherRace, RaceFacts

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.results.recorded_plan import RecordedPlan
    from heldout.verdict.judged_rows import JudgedRows
    from heldout.verdict.standing import Standing


@dataclass(frozen=True, eq=False)
class Entrant:
    """A contender of a race.

    name:   of the contender; with the number of its plan, where several of this name have other settings
    digest: of the contender
    plan:   whose cells tell of it
    since:  the number of the first plan of the race that had it
    """

    name: str
    digest: str
    plan: RecordedPlan
    since: int

    @property
    def is_complete(self) -> bool:
        """Whether all of its cells are there."""
        return None not in self.plan.cells_of(self.digest)


@dataclass(frozen=True, eq=False)
class Race:
    """All contenders that are judged together.

    asked:    the plan that was asked for; its rule decides
    plans:    the numbers of the plans of the race, from 1
    entrants: those in the running, in the order in which they came
    left_out: names of those of other plans that did not run to their end
    """

    requested: RecordedPlan
    plans: tuple[int, ...]
    entrants: tuple[Entrant, ...]
    left_out: tuple[str, ...]

    @property
    def rows(self) -> JudgedRows:
        """The rows that judged everyone."""
        complete = [each.plan for each in self.entrants if each.is_complete]
        return (complete[0] if complete else self.requested).rows

    def standings(self) -> tuple[Standing, ...]:
        """How everyone stands."""
        return tuple(self._standing(each) for each in self.entrants)

    def standings_by(self, metric: Metric) -> tuple[Standing, ...]:
        """How everyone stands by another metric; those that it cannot judge are not complete."""
        entrants = [
            dataclasses.replace(each, plan=dataclasses.replace(each.plan, metric=metric))
            for each in self.entrants
        ]
        return tuple(self._standing(each) for each in entrants)

    def _standing(self, entrant: Entrant) -> Standing:
        (found,) = plan_standings(entrant.plan, [entrant.digest])
        return dataclasses.replace(
            found,
            name=entrant.name,
            contender=entrant.digest,
            plan=entrant.plan.digest,
            is_new=self._is_new(entrant),
        )

    def facts(self, winner: str) -> RaceFacts:
        """What the verdict says of it.

        winner: its name
        """
        plans = plans_of_study(self.requested)
        rule = self.requested.body.plan["rule"]
        numbers = {plan.digest: number for number, plan in plans.items()}
        others = [number for number in self.plans if plans[number].body.plan["rule"] != rule]
        before = self._winner_before(numbers)
        return RaceFacts(
            numbers[self.requested.digest],
            len(plans),
            self.plans,
            tuple(each.name for each in self.entrants if self._is_new(each)),
            before if before != winner else "",
            self.left_out,
            tuple(others),
            _other_races(self.requested, plans),
        )

    def _is_new(self, entrant: Entrant) -> bool:
        """Whether it came with the newest of several plans."""
        return len(self.plans) > 1 and entrant.since == max(self.plans)

    def _winner_before(self, numbers: Mapping[str, int]) -> str:
        """Who won when the newest plan of the race had not run; empty where no verdict tells."""
        for fact in reversed(self.requested.ledger.facts("verdict")):
            verdict = VerdictFact.read(fact)
            if numbers.get(verdict.plan) in self.plans and max(self.plans) not in verdict.race.plans:
                return self._name_now(verdict)
        return ""

    def _name_now(self, verdict: VerdictFact) -> str:
        """What the winner of an earlier verdict is called in this race."""
        winner = verdict.standing(verdict.winner)
        digest = "" if winner is None else winner.contender
        return next((each.name for each in self.entrants if each.digest == digest), verdict.winner)


def plans_of_study(requested: RecordedPlan) -> dict[int, RecordedPlan]:
    """All plans of the study by their numbers, from 1."""
    facts = requested.ledger.facts("plan")
    others = (dataclasses.replace(requested, digest=fact.key, body=PlanFact.read(fact)) for fact in facts)
    return {
        number: requested if plan.digest == requested.digest else plan
        for number, plan in enumerate(others, start=1)
    }


def find_race(requested: RecordedPlan) -> Race:
    """The race that a plan belongs to.

    asked: the plan
    """
    found: dict[tuple[str, ...], Entrant] = {}
    numbers = []
    for number, plan in plans_of_study(requested).items():
        if plan.body.race_key != requested.body.race_key or not plan.has_cells:
            continue
        numbers.append(number)
        for digest in plan.contenders:
            _enter(found, Entrant(plan.contender(digest).name, digest, plan, number), requested)
    entrants = _labelled(tuple(found.values()))
    runs = [each for each in entrants if each.plan is requested or each.is_complete]
    return Race(
        requested, tuple(numbers), tuple(runs), tuple(each.name for each in entrants if each not in runs)
    )


def _enter(found: dict[tuple[str, ...], Entrant], new: Entrant, requested: RecordedPlan) -> None:
    """The same contender in two plans is one: as the plan asked for has it, or else as the newest ran it.

    With another seed it is another one, because the rule may choose the luckier; but not where the seed
    decides nothing, as with a baseline: there it answered the same in every fold.
    """
    plan = new.plan.body
    is_tuned = new.plan.contender(new.digest).n_settings > 1
    method = new.digest, json.dumps(plan.plan["tuning"], sort_keys=True) if is_tuned else ""
    alike = (key for key, each in found.items() if key[:2] == method and _predicted_alike(each, new))
    same = next(alike, (*method, str(plan.seed)))
    known = found.get(same)
    if known is None or (known.plan is not requested and (new.plan is requested or new.is_complete)):
        found[same] = new if known is None else dataclasses.replace(new, since=known.since)


def _predicted_alike(one: Entrant, other: Entrant) -> bool:
    """Whether two entrants of a race have the same predictions, by the digests of the arrays."""
    cells = zip(one.plan.cells_of(one.digest), other.plan.cells_of(other.digest), strict=True)
    return all(a is not None and b is not None and a.fact.arrays == b.fact.arrays for a, b in cells)


def _labelled(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Several of one name are told apart by the number of the plan that brought each."""
    names = [each.name for each in entrants]
    return tuple(
        dataclasses.replace(each, name=f"{each.name} (plan {each.since})")
        if names.count(each.name) > 1
        else each
        for each in entrants
    )


def _other_races(requested: RecordedPlan, plans: Mapping[int, RecordedPlan]) -> tuple[OtherRace, ...]:
    """The races of the study that this plan is not in, in the order in which they began."""
    races: dict[str, dict[int, RecordedPlan]] = {}
    for number, plan in plans.items():
        if plan.body.race_key != requested.body.race_key and plan.has_cells:
            races.setdefault(plan.body.race_key, {})[number] = plan
    verdicts = map(VerdictFact.read, requested.ledger.facts("verdict"))
    winners = {verdict.plan: verdict.winner for verdict in verdicts}
    in_time = requested.is_in_time
    return tuple(_other(race, winners, in_time) for race in races.values())


def _other(plans: Mapping[int, RecordedPlan], winners: Mapping[str, str], in_time: bool) -> OtherRace:
    first = next(iter(plans.values())).body
    folds = describe_split(first.judging_split, in_time)
    known = [winners[plan.digest] for plan in plans.values() if plan.digest in winners]
    return OtherRace(
        tuple(plans),
        first.metric_name,
        f"the {folds} of quick tuning" if first.is_quick else folds,
        known[-1] if known else "",
    )
