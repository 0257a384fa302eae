"""A contender that is named: the race that judged it, and what the study file holds of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heldout.errors import InputTypeError, RequestError
from heldout.plan.contender import Contender, contender_of_dict
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


def contender_of(ledger: Ledger, contender: Any, allow: Sequence[str] = ()) -> Contender:
    """The contender that is meant.

    ledger:    of the study
    contender: a Contender, which is taken as it is, or the name of one that ran in this study
    allow:     packages besides heldout and scikit-learn from which its learner may come
    """
    if isinstance(contender, Contender):
        return contender
    if not isinstance(contender, str):
        raise InputTypeError(
            "a contender is asked for by its name",
            where=f"got {type(contender).__name__}",
            fix="give the name of a contender that ran in this study, or a Contender",
        )
    facts = ledger.facts("contender")
    found = {str(record["name"]): record for record in map(_contender_record, facts)}
    meant = judged(ledger, contender)
    if meant is not None:
        found[contender] = next(_contender_record(fact) for fact in facts if fact.key == meant.contender)
    if contender not in found:
        raise RequestError(
            f"no contender {contender!r} ran in this study",
            where=f"the study file knows {', '.join(map(repr, found)) or 'none'}",
            fix=suggestion(contender, list(found)) if found else "run a plan first, or give a Contender",
        )
    return contender_of_dict(found[contender], allow)


@dataclass(frozen=True, eq=False)
class Judged:
    """A contender as a race has judged it.

    verdict:   the body of the newest verdict of this race
    standing:  its standing in it
    n_races:   how many races of the study have a verdict
    """

    verdict: Mapping[str, Any]
    standing: Mapping[str, Any]
    n_races: int

    @property
    def contender(self) -> str:
        """Its digest."""
        return str(self.standing["contender"])

    @property
    def plan(self) -> str:
        """The digest of the plan of the race that ran it."""
        return str(self.standing["plan"])

    @property
    def is_winner(self) -> bool:
        return bool(self.standing["name"] == self.verdict["winner"])

    @property
    def race_words(self) -> str:
        """Which race that is, in a sentence; nothing where a study has one."""
        if self.n_races < 2:
            return ""
        name = self.standing["name"]
        end = f", which {name} won" if self.is_winner else f"; {self.verdict['winner']} won it"
        return f"This is the race by {self.verdict['metric']} over {self.verdict['folds']}{end}."


def judged(ledger: Ledger, contender: str) -> Judged | None:
    """A contender in the race that is meant: the newest that it won, or else the newest that it is in.

    A name that stands for one of several, such as "tree (plan 2)", is found in older verdicts of a race too.
    None where no verdict tells.

    contender: its name, or its digest
    """
    newest: dict[str, Fact] = {}
    verdicts = ledger.facts("verdict")
    for fact in verdicts:
        plan = ledger.fact("plan", str(fact.body["plan"]))
        assert plan is not None, "a verdict names a plan that is recorded"
        race = race_key(plan)
        newest.pop(race, None)
        newest[race] = fact
    found = _standings(newest.values(), contender) or _standings(verdicts, contender)
    won = [(body, standing) for body, standing in found if standing["name"] == body["winner"]]
    return Judged(*(won or found)[-1], len(newest)) if found else None


def race_key(plan: Fact) -> str:
    """What the plans of a race have in common: rows are the same, so folds and metric decide.

    plan: its fact
    """
    body, record = plan.body, plan.body["plan"]
    same = body["folds"], body["fold_places"], record["choose_by"], record["rigor"] == "quick"
    return json.dumps(same, sort_keys=True)


def _standings(verdicts: Iterable[Fact], contender: str) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [
        (fact.body, standing)
        for fact in verdicts
        for standing in fact.body["standings"]
        if contender in (standing["name"], standing["contender"])
    ]


def _contender_record(fact: Any) -> dict[str, Any]:
    nested = fact.body.get("contender")
    return dict(nested) if isinstance(nested, dict) else dict(fact.body)
