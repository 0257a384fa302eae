"""What the ledger keeps of a cell: the cell with its arrays, its scores, and the looks at rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import InputTypeError, RequestError
from heldout.ledger.chain import json_number
from heldout.ledger.fact import Entry
from heldout.plan.contender import Contender, contender_of_dict
from heldout.stats.interval import plain
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
    from heldout.study.cells.cell import CellResult


def entries_of(result: CellResult) -> list[Entry]:
    """The entries of a cell, for one transaction.

    The body of a cell has two parts: "result" is the same whenever and wherever the cell is computed;
    "clock" has the seconds. Predictions and the positions of the test rows ("rows") are arrays beside it.
    """
    key = result.key.text
    cell = Entry(
        "cell", key, {"result": _record(result), "clock": {"seconds": dict(result.seconds)}}, _arrays(result)
    )
    scores = [
        Entry(
            "score", f"{key}:{metric}", {"metric": metric, "value": json_number(value), "name": result.name}
        )
        for metric, value in result.scores.items()
    ]
    looks = [Entry("look", f"{key}:{look['what']}", dict(look)) for look in result.looks]
    return [cell, *scores, *looks]


def shown_setting(setting: dict[str, Any]) -> dict[str, Any]:
    """A setting as JSON can hold it; what has no plain form is written as Python shows it."""
    return {name: _shown(value) for name, value in setting.items()}


def _shown(value: Any) -> Any:
    found = plain(value)
    if isinstance(found, float | int | str | bool) or found is None:
        return found if not isinstance(value, float) else json_number(value)
    if isinstance(found, list) and not isinstance(value, np.ndarray):
        return [_shown(entry) for entry in value]
    if isinstance(found, list):
        return found
    if isinstance(found, dict) and isinstance(value, dict):
        return {str(name): _shown(entry) for name, entry in value.items()}
    return " ".join(repr(value).split())


def _record(result: CellResult) -> dict[str, Any]:
    return {
        "contender": result.key.contender,
        "name": result.name,
        "repeat": result.key.repeat,
        "fold": result.key.fold,
        "fold_digest": result.fold_digest,
        "n_rows": len(result.rows),
        "chosen": shown_setting(result.chosen),
        "chosen_place": result.chosen_place,
        "tuned_by": result.tuned_by,
        "choice_scores": [json_number(score) for score in result.choice_scores.tolist()],
        "scores": {name: json_number(value) for name, value in result.scores.items()},
        "bits": json_number(result.bits),
        "bits_are_foreign": result.bits_are_foreign,
        "notes": list(result.notes),
    }


def _arrays(result: CellResult) -> dict[str, Any]:
    return dict(result.predictions) | {"rows": np.asarray(result.rows, dtype=np.int64)}


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
