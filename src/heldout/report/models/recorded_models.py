"""The models that a study file holds of a verdict: the winner, and the best readable contender beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.report.standing_rows import standing_rows, with_interval

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
    "importances", "rows", "class", "constant" or "none"), `learner`, `setting`, `n_rows`, `bits`, `metric`,
    `score`, `heading`, `text` and `short` (for a terminal), `takeaway`, `notes`, `prepared`, and the numbers
    of its form. Beside a winner that is read as it is, or that only guesses, there is no second one.
    """
    by_name = {str(fact.body.get("name", "")): fact for fact in ledger.facts("model") if _is_of(fact, plan)}
    winner = str(verdict.get("winner", ""))
    if winner not in by_name:
        return []
    rows = {row["name"]: row for row in standing_rows(verdict)}
    first = _model(by_name[winner], "winner", rows, verdict)
    if first["form"] in READABLE or (rows.get(winner) or {}).get("is_baseline"):
        return [first]
    # The rows stand in the order of their scores.
    others = [name for name in rows if name in by_name and name != winner]
    shown = (_model(by_name[name], "readable", rows, verdict) for name in others)
    beside = next((model for model in shown if model["form"] in READABLE), None)
    return [first] if beside is None else [first, beside]


def readable_name(models: Sequence[Mapping[str, Any]]) -> str:
    """Who stands beside the winner because it can be read; empty where nobody does.

    models: as `recorded_models` gives them

    >>> readable_name([{"contender": "forest", "role": "winner"}, {"contender": "tree", "role": "readable"}])
    'tree'
    """
    return next((str(model["contender"]) for model in models if model["role"] == "readable"), "")


def _is_of(fact: Fact, plan: Mapping[str, Any]) -> bool:
    """Whether a model was made by this plan; one that does not say of which it is, is taken."""
    contenders, protocol = plan.get("contenders"), str(plan.get("protocol") or "")
    is_planned = not contenders or fact.body.get("contender") in contenders
    return is_planned and fact.key.endswith(protocol)


def _model(
    fact: Fact, role: str, rows: Mapping[str, Mapping[str, Any]], verdict: Mapping[str, Any]
) -> dict[str, Any]:
    body = fact.body
    name = str(body.get("name", ""))
    row = rows.get(name) or {}
    view = body.get("view") or {"form": "none", "text": "", "short": "", "takeaway": NOT_SHOWN}
    return {
        "contender": name,
        "role": role,
        "setting": dict(body.get("setting") or {}),
        "n_rows": int(body.get("n_rows") or 0),
        "bits": body.get("bits"),
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
        f"The best that can be read as it is, {name}: {metric} {with_interval(own)},"
        f" against {with_interval(best)} of {winner}."
    )
