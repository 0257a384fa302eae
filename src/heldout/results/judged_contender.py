"""A contender that is named: the race that judged it, and what the study file holds of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heldout.errors import InputTypeError, RequestError
from heldout.ledger.plan_facts import ContenderFact, PlanFact
from heldout.ledger.study_facts import StudyFact
from heldout.ledger.verdict_facts import StandingFact, VerdictFact
from heldout.plan.contender import Contender, read_contender
from heldout.split.split_from_dict import describe_split
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def recorded_contender(ledger: Ledger, contender: object, allow: Sequence[str] = ()) -> Contender:
    """The contender that is meant: a Contender itself, or one that ran in this study, by its name.

    Its learner may come from heldout, scikit-learn and the packages of `allow`.
    """
    if isinstance(contender, Contender):
        return contender
    if not isinstance(contender, str):
        raise InputTypeError(
            "a contender is asked for by its name",
            where=f"got {type(contender).__name__}",
            fix="give the name of a contender that ran in this study, or a Contender",
        )
    bodies = {fact.key: ContenderFact.read(fact) for fact in ledger.facts("contender")}
    by_name = {body.name: body for body in bodies.values()}
    judged = find_judged(ledger, contender)
    if judged is not None:
        by_name[contender] = bodies[judged.standing.contender]
    if contender not in by_name:
        raise RequestError(
            f"no contender {contender!r} ran in this study",
            where=f"the study file knows {', '.join(map(repr, by_name)) or 'none'}",
            fix=suggestion(contender, list(by_name)) if by_name else "run a plan first, or give a Contender",
        )
    return read_contender(by_name[contender].contender, allow)


@dataclass(frozen=True, eq=False)
class JudgedContender:
    """A contender as a race has judged it: the newest verdict of the race, and its standing in it.

    `folds` says in words how the race was judged; `n_races` is how many races of the study have a verdict.
    """

    verdict: VerdictFact
    standing: StandingFact
    folds: str
    n_races: int

    @property
    def is_winner(self) -> bool:
        return self.standing.name == self.verdict.winner

    @property
    def race_words(self) -> str:
        """Which race that is, in a sentence; nothing where a study has one."""
        if self.n_races < 2:
            return ""
        end = f", which {self.standing.name} won" if self.is_winner else f"; {self.verdict.winner} won it"
        return f"This is the race by {self.verdict.metric} over {self.folds}{end}."


def find_judged(ledger: Ledger, contender: str) -> JudgedContender | None:
    """A contender, by its name or digest, in the newest race that it won, or else the newest that it is in.

    A name that stands for one of several, such as "tree (plan 2)", is found in older verdicts of a race too.
    None where no verdict tells.
    """
    plans = {fact.key: PlanFact.read(fact) for fact in ledger.facts("plan")}
    verdicts = [VerdictFact.read(fact) for fact in ledger.facts("verdict")]
    newest: dict[str, VerdictFact] = {}
    for verdict in verdicts:
        race = plans[verdict.plan].race_key
        newest.pop(race, None)
        newest[race] = verdict
    found = _standings(newest.values(), contender) or _standings(verdicts, contender)
    won = [(verdict, standing) for verdict, standing in found if standing.name == verdict.winner]
    if not found:
        return None
    verdict, standing = (won or found)[-1]
    study = StudyFact.read(ledger.only("study"))
    folds = describe_split(plans[verdict.plan].plan["folds"], study.time is not None)
    return JudgedContender(verdict, standing, folds, len(newest))


def _standings(verdicts: Iterable[VerdictFact], contender: str) -> list[tuple[VerdictFact, StandingFact]]:
    return [
        (verdict, standing)
        for verdict in verdicts
        for standing in verdict.standings
        if contender in (standing.name, standing.contender)
    ]
