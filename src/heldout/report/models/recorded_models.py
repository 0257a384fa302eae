"""The models that a study file holds of a verdict: the winner, and the best readable contender beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.verdict_facts import ModelFact, VerdictFact
from heldout.report.standing_rows import length_words, standing_rows, with_interval
from heldout.stats.interval import plain

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger

READABLE = ("tree", "rules")


def recorded_models(ledger: Ledger, verdict: VerdictFact | None) -> list[dict[str, Any]]:
    """What is recorded of the models of a verdict, in plain values; the winner first.

    Each has `contender`, `role` ("winner" or "readable"), `form` ("tree", "rules", "coefficients",
    "importances", "rows", "class", "constant" or "none"), `learner`, `setting`, `n_rows`, `bits`,
    `length` (in words, beside the median over the folds), `metric`, `score`, `heading`, `text` and `short`
    (for a terminal), `takeaway`, `notes`, `prepared`, and the numbers of its form. Beside a winner that is
    read as it is, or that only guesses, there is no second one.
    """
    by_name = models_by_name(ledger, verdict)
    if verdict is None or verdict.winner not in by_name:
        return []
    rows = {row["name"]: row for row in standing_rows(verdict)}
    first = _model(verdict.winner, by_name[verdict.winner], "winner", rows, verdict)
    if first["form"] in READABLE or rows[verdict.winner]["is_baseline"]:
        return [first]
    # The rows stand in the order of their scores.
    others = [name for name in rows if name in by_name and name != verdict.winner]
    shown = (_model(name, by_name[name], "readable", rows, verdict) for name in others)
    beside = next((model for model in shown if model["form"] in READABLE), None)
    return [first] if beside is None else [first, beside]


def readable_name(models: Sequence[Mapping[str, Any]]) -> str:
    """Who stands beside the winner because it can be read; empty where nobody does.

    models: as `recorded_models` gives them
    """
    return next((str(model["contender"]) for model in models if model["role"] == "readable"), "")


def models_by_name(ledger: Ledger, verdict: VerdictFact | None) -> dict[str, ModelFact]:
    """The models by what the verdict calls them: each as the plan made it that ran it in this race."""
    return {name: ModelFact.read(fact) for name, fact in model_facts(ledger, verdict).items()}


def model_facts(ledger: Ledger, verdict: VerdictFact | None) -> dict[str, Fact]:
    """The same as facts, whose arrays hold the model files."""
    plans = {fact.key: PlanFact.read(fact) for fact in ledger.facts("plan")}
    models = [(fact, ModelFact.read(fact)) for fact in ledger.facts("model")]
    return {
        standing.name: fact
        for standing in (() if verdict is None else verdict.standings)
        for fact, model in models
        if (model.contender, model.protocol) == (standing.contender, plans[standing.plan].protocol)
    }


def _model(
    name: str, model: ModelFact, role: str, rows: Mapping[str, Mapping[str, Any]], verdict: VerdictFact
) -> dict[str, Any]:
    bits = plain(model.bits)
    return {
        "contender": name,
        "role": role,
        "setting": dict(model.setting),
        "n_rows": model.n_rows,
        "bits": bits,
        "length": length_words(bits, rows[name]["bits"]),
        "metric": verdict.metric,
        "score": rows[name]["estimate"],
        "heading": _heading(name, role, rows, verdict),
        "learner": "",
        "prepared": [],
        "notes": [],
        **model.view,
    }


def _heading(name: str, role: str, rows: Mapping[str, Mapping[str, Any]], verdict: VerdictFact) -> str:
    """Who it is and how it scored, in a sentence."""
    own, best = (with_interval(rows[each]["estimate"]) for each in (name, verdict.winner))
    if role == "winner":
        return f"The winner is {name}: {verdict.metric} {own}."
    return f"Best readable alternative, {name}: {verdict.metric} {own}, against {best} of {verdict.winner}."
