"""Which plans of a study a verdict is made of, and which races there are beside this one."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.text.words import first_upper, join_names, plural


@dataclass(frozen=True)
class OtherRace:
    """Plans with other folds or another metric, which have a verdict of their own.

    plans:  their numbers, from 1
    metric: by which they chose
    folds:  how rows were split, in words
    winner: of their verdict; empty where none was recorded
    """

    plans: tuple[int, ...]
    metric: str
    folds: str
    winner: str = ""


@dataclass(frozen=True)
class RaceFacts:
    """What a verdict knows of the race that it judges: all contenders that ran on the same folds and metric.

    plan_number:   of the plan that was asked for, whose rule decides
    n_plans:       in the whole study
    plans:         numbers of those in this race, which share their folds and their metric
    new:           contenders that the newest plan of the race brought
    winner_before: who won before they came, where that is another; empty otherwise
    left_out:      contenders of other plans of the race that did not run to their end
    other_rules:   numbers of plans of the race that state another rule
    others:        the other races of the study
    """

    plan_number: int = 1
    n_plans: int = 1
    plans: tuple[int, ...] = (1,)
    new: tuple[str, ...] = ()
    winner_before: str = ""
    left_out: tuple[str, ...] = ()
    other_rules: tuple[int, ...] = ()
    others: tuple[OtherRace, ...] = ()

    def sentences(self, n_contenders: int, winner: str) -> tuple[str, ...]:
        """What has to be said of it; nothing of a study with one plan.

        winner: of the race as it stands now
        """
        said = []
        if len(self.plans) > 1:
            new = f"; {join_names(self.new)} {'is' if len(self.new) == 1 else 'are'} new" if self.new else ""
            said.append(f"The race is of {_plans(self.plans)}, {plural(n_contenders, 'contender')}{new}.")
        if self.winner_before and self.winner_before != winner:
            said.append(f"Before plan {max(self.plans)} {self.winner_before} won.")
        if self.left_out:
            said.append(f"Not in the race, because not run to the end: {join_names(self.left_out)}.")
        if self.other_rules:
            others = first_upper(_plans(self.other_rules))
            said.append(f"{others} had another rule; here that of plan {self.plan_number} decides.")
        return (*said, *map(_other, self.others))


ONE_PLAN = RaceFacts()


def _plans(numbers: tuple[int, ...]) -> str:
    return f"plan{'s' if len(numbers) > 1 else ''} {join_names([str(number) for number in numbers])}"


def _other(race: OtherRace) -> str:
    won = f": {race.winner} won it" if race.winner else ""
    return (
        f"Another race of this study, {_plans(race.plans)}, by {race.metric} over {race.folds}, has a verdict"
        f" of its own{won}."
    )
