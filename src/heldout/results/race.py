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
from typing import TYPE_CHECKING, Any

from heldout.results.judged_contender import race_key
from heldout.results.standings import standings_of
from heldout.split.split_of_dict import describe_split
from heldout.verdict.race_facts import OtherRace, RaceFacts

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
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

    asked: RecordedPlan
    plans: tuple[int, ...]
    entrants: tuple[Entrant, ...]
    left_out: tuple[str, ...]

    @property
    def rows(self) -> JudgedRows:
        """The rows that judged everyone."""
        complete = [each.plan for each in self.entrants if each.is_complete]
        return (complete[0] if complete else self.asked).rows

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
        (found,) = standings_of(entrant.plan, [entrant.digest])
        return dataclasses.replace(
            found,
            name=entrant.name,
            contender=entrant.digest,
            plan=entrant.plan.fact.key,
            is_new=self._is_new(entrant),
        )

    def facts(self, winner: str) -> RaceFacts:
        """What the verdict says of it.

        winner: its name
        """
        ledger = self.asked.ledger
        plans = ledger.facts("plan")
        rule = self.asked.record["rule"]
        numbers = {fact.key: place + 1 for place, fact in enumerate(plans)}
        others = [number for number in self.plans if plans[number - 1].body["plan"]["rule"] != rule]
        before = self._winner_before(numbers)
        return RaceFacts(
            numbers[self.asked.fact.key],
            len(plans),
            self.plans,
            tuple(each.name for each in self.entrants if self._is_new(each)),
            before if before != winner else "",
            self.left_out,
            tuple(others),
            _other_races(ledger, self.asked),
        )

    def _is_new(self, entrant: Entrant) -> bool:
        """Whether it came with the newest of several plans."""
        return len(self.plans) > 1 and entrant.since == max(self.plans)

    def _winner_before(self, numbers: Mapping[str, int]) -> str:
        """Who won when the newest plan of the race had not run; empty where no verdict tells."""
        for fact in reversed(self.asked.ledger.facts("verdict")):
            told = (fact.body.get("race") or {}).get("plans") or ()
            if numbers.get(fact.body["plan"]) in self.plans and max(self.plans) not in told:
                return self._label(fact.body)
        return ""

    def _label(self, verdict: Mapping[str, Any]) -> str:
        """What the winner of an earlier verdict is called now."""
        winner = str(verdict["winner"])
        digest = next((each["contender"] for each in verdict["standings"] if each["name"] == winner), "")
        return next((each.name for each in self.entrants if each.digest == digest), winner)


def race_of(asked: RecordedPlan) -> Race:
    """The race that a plan belongs to.

    asked: the plan
    """
    plans = asked.ledger.facts("plan")
    found: dict[tuple[str, ...], Entrant] = {}
    numbers = []
    for place, fact in enumerate(plans):
        plan = asked if fact.key == asked.fact.key else dataclasses.replace(asked, fact=fact)
        if race_key(fact) != race_key(asked.fact) or not plan.has_cells:
            continue
        numbers.append(place + 1)
        for digest in plan.contenders:
            _enter(found, Entrant(_name(plan, digest), digest, plan, place + 1), asked)
    entrants = _labelled(tuple(found.values()))
    runs = [each for each in entrants if each.plan is asked or each.is_complete]
    return Race(asked, tuple(numbers), tuple(runs), tuple(each.name for each in entrants if each not in runs))


def _enter(found: dict[tuple[str, ...], Entrant], new: Entrant, asked: RecordedPlan) -> None:
    """The same contender in two plans is one: as the plan asked for has it, or else as the newest ran it.

    With another seed it is another one, because the rule may choose the luckier; but not where the seed
    decides nothing, as with a baseline: there it answered the same in every fold.
    """
    record, fact = new.plan.record, new.plan.ledger.fact("contender", new.digest)
    is_tuned = fact is not None and int(fact.body["n_settings"]) > 1
    method = new.digest, json.dumps(record["tuning"], sort_keys=True) if is_tuned else ""
    alike = (key for key, each in found.items() if key[:2] == method and _answered_alike(each, new))
    same = next(alike, (*method, str(record["seed"])))
    known = found.get(same)
    if known is None or (known.plan is not asked and (new.plan is asked or new.is_complete)):
        found[same] = new if known is None else dataclasses.replace(new, since=known.since)


def _answered_alike(one: Entrant, other: Entrant) -> bool:
    """Whether two entrants of a race have the same predictions, by the digests of the arrays."""
    cells = zip(one.plan.cells_of(one.digest), other.plan.cells_of(other.digest), strict=True)
    return all(a is not None and b is not None and a.arrays == b.arrays for a, b in cells)


def _labelled(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Several of one name are told apart by the number of the plan that brought each."""
    names = [each.name for each in entrants]
    return tuple(
        dataclasses.replace(each, name=f"{each.name} (plan {each.since})")
        if names.count(each.name) > 1
        else each
        for each in entrants
    )


def _name(plan: RecordedPlan, digest: str) -> str:
    fact = plan.ledger.fact("contender", digest)
    assert fact is not None, "a plan is recorded together with its contenders"
    return str(fact.body["name"])


def _other_races(ledger: Ledger, asked: RecordedPlan) -> tuple[OtherRace, ...]:
    """The races of the study that this plan is not in, in the order in which they began."""
    groups: list[list[tuple[int, Fact]]] = []
    for place, fact in enumerate(ledger.facts("plan")):
        if race_key(fact) == race_key(asked.fact):
            continue
        if not dataclasses.replace(asked, fact=fact).has_cells:
            continue
        same = [each for each in groups if race_key(each[0][1]) == race_key(fact)]
        if same:
            same[0].append((place + 1, fact))
        else:
            groups.append([(place + 1, fact)])
    verdicts = {fact.body["plan"]: str(fact.body["winner"]) for fact in ledger.facts("verdict")}
    studies = ledger.facts("study")
    in_time = bool(studies and studies[0].body["roles"].get("time"))
    return tuple(_other(each, verdicts, in_time) for each in groups)


def _other(plans: Sequence[tuple[int, Fact]], verdicts: Mapping[str, str], in_time: bool) -> OtherRace:
    record = plans[0][1].body["plan"]
    is_quick = record["rigor"] == "quick"
    folds = describe_split(record["tuning" if is_quick else "folds"], in_time)
    metric = record["choose_by"]
    winners = [verdicts[fact.key] for _, fact in plans if fact.key in verdicts]
    return OtherRace(
        tuple(number for number, _ in plans),
        str(metric["name"] if isinstance(metric, Mapping) else metric),
        f"the {folds} of quick tuning" if is_quick else folds,
        winners[-1] if winners else "",
    )
