"""The models that a study file holds of a verdict: the winner, and the best readable contender beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.report.standing_rows import length_words, standing_rows, with_interval

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger

READABLE = ("tree", "rules")
NOT_SHOWN = "Its inside was not recorded: this study file was written by an older version."


def recorded_models(
    ledger: Ledger, verdict: Mapping[str, Any], plan: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What is recorded of the models of a verdict, in plain values; the winner first.

    ledger:  of the study; only read
    verdict: the body of its fact; an empty one has no models
    plan:    the body of the fact of its plan

    Each has `contender`, `role` ("winner" or "readable"), `form` ("tree", "rules", "coefficients",
    "importances", "rows", "class", "constant" or "none"), `learner`, `setting`, `n_rows`, `bits`,
    `length` (in words, beside the median over the folds), `metric`, `score`, `heading`, `text` and `short`
    (for a terminal), `takeaway`, `notes`, `prepared`, and the numbers of its form. Beside a winner that is
    read as it is, or that only guesses, there is no second one.
    """
    by_name = models_by_name(ledger, verdict, plan)
    winner = str(verdict.get("winner", ""))
    if winner not in by_name:
        return []
    rows = {row["name"]: row for row in standing_rows(verdict)}
    first = _model(winner, by_name[winner], "winner", rows, verdict)
    if first["form"] in READABLE or (rows.get(winner) or {}).get("is_baseline"):
        return [first]
    # The rows stand in the order of their scores.
    others = [name for name in rows if name in by_name and name != winner]
    shown = (_model(name, by_name[name], "readable", rows, verdict) for name in others)
    beside = next((model for model in shown if model["form"] in READABLE), None)
    return [first] if beside is None else [first, beside]


def readable_name(models: Sequence[Mapping[str, Any]]) -> str:
    """Who stands beside the winner because it can be read; empty where nobody does.

    models: as `recorded_models` gives them
    """
    return next((str(model["contender"]) for model in models if model["role"] == "readable"), "")


def models_by_name(ledger: Ledger, verdict: Mapping[str, Any], plan: Mapping[str, Any]) -> dict[str, Fact]:
    """The models by what the verdict calls them: each as the plan made it that ran it in this race."""
    models = ledger.facts("model")
    found = {}
    for standing in verdict.get("standings") or ():
        name, digest = str(standing.get("name", "")), standing.get("contender")
        ran = ledger.fact("plan", str(standing["plan"])) if standing.get("plan") else None
        for fact in models:
            is_named = fact.body.get("contender") == digest if digest else fact.body.get("name") == name
            if is_named and _is_of(fact, plan if ran is None else ran.body):
                found[name] = fact
    return found


def _is_of(fact: Fact, plan: Mapping[str, Any]) -> bool:
    """Whether a model was made by this plan; one that does not say of which it is, is taken."""
    contenders, protocol = plan.get("contenders"), str(plan.get("protocol") or "")
    is_planned = not contenders or fact.body.get("contender") in contenders
    return is_planned and fact.key.endswith(protocol)


def _model(
    name: str, fact: Fact, role: str, rows: Mapping[str, Mapping[str, Any]], verdict: Mapping[str, Any]
) -> dict[str, Any]:
    body = fact.body
    row = rows.get(name) or {}
    view = body.get("view") or {"form": "none", "text": "", "short": "", "takeaway": NOT_SHOWN}
    return {
        "contender": name,
        "role": role,
        "setting": dict(body.get("setting") or {}),
        "n_rows": int(body.get("n_rows") or 0),
        "bits": body.get("bits"),
        "length": length_words(body.get("bits"), row.get("bits")),
        "metric": str(verdict.get("metric") or ""),
        "score": dict(row.get("estimate") or {}),
        "heading": _heading(name, role, rows, verdict),
        "learner": "",
        "prepared": [],
        "notes": [],
        **view,
    }


def _heading(name: str, role: str, rows: Mapping[str, Mapping[str, Any]], verdict: Mapping[str, Any]) -> str:
    """Who it is and how it scored, in a sentence."""
    metric, winner = str(verdict.get("metric") or "score"), str(verdict.get("winner", ""))
    own, best = ((rows.get(each) or {}).get("estimate") for each in (name, winner))
    if role == "winner":
        return f"The winner is {name}: {metric} {with_interval(own)}."
    return (
        f"Best readable alternative, {name}: {metric} {with_interval(own)},"
        f" against {with_interval(best)} of {winner}."
    )
