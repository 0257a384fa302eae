"""A ledger in memory with the facts of a small study, as the report reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SCORES = {"forest": 0.961, "tree": 0.957, "neighbors": 0.94, "baseline": 0.627}


@dataclass(frozen=True)
class StandInFact:
    """A fact with what the report asks of it."""

    kind: str
    key: str
    body: dict[str, Any]
    at: str = "2026-02-03T10:00:00Z"


@dataclass(frozen=True)
class StandInCheck:
    """The answer of verify."""

    is_unbroken: bool = True
    problems: tuple[str, ...] = ()


@dataclass
class StandInLedger:
    """Facts in order; nothing is written."""

    kept: list[StandInFact]
    check: StandInCheck = field(default_factory=StandInCheck)
    head: str = "f" * 64

    @property
    def n_facts(self) -> int:
        return len(self.kept)

    def facts(self, kind: str | None = None) -> tuple[StandInFact, ...]:
        return tuple(fact for fact in self.kept if kind is None or fact.kind == kind)

    def fact(self, kind: str, key: str) -> StandInFact | None:
        return next((fact for fact in self.facts(kind) if fact.key == key), None)

    def keys(self, kind: str) -> frozenset[str]:
        return frozenset(fact.key for fact in self.facts(kind))

    def verify(self) -> StandInCheck:
        return self.check

    def results_digest(self, plan: str | None = None) -> str:
        return "d" * 64


def interval(what: str, estimate: float, half: float) -> dict[str, Any]:
    ends = {"low": estimate - half, "high": estimate + half}
    return {"what": what, "estimate": estimate, "confidence": 0.95, "method": "corrected Wilson"} | ends


def standing(name: str, score: float) -> dict[str, Any]:
    return {
        "name": name,
        "is_baseline": name == "baseline",
        "estimate": interval("accuracy", score, 0.02),
        "difference": interval(f"{name} minus forest", score - 0.961, 0.015) if name != "forest" else None,
        "bits": 120.0 * (len(name) - 3),
        "seconds": 1.25,
        "is_complete": True,
        "problem": "",
    }


def comparison(name: str, score: float) -> dict[str, Any]:
    effect = interval(f"{name} minus baseline", score - 0.627, 0.03)
    tested = {"p_value": 0.0001, "adjusted_p": 0.0003, "adjustment": "holm", "test": "corrected resampled t"}
    return {"name_a": name, "name_b": "baseline", "effect": effect} | tested


def verdict() -> dict[str, Any]:
    return {
        "plan": "plan-1",
        "winner": "tree",
        "best": "forest",
        "beats_baseline": True,
        "text": "tree is the simplest within one standard error of the best, forest.\nIt beats guessing.",
        "number": interval("accuracy", 0.955, 0.021),
        "metric": "accuracy",
        "choose_reason": "no class holds more than 70% of the rows",
        "rule": {"rule": "SimplestWithinNoise", "se": 1, "margin": 0.01},
        "standings": [standing(name, score) for name, score in SCORES.items()],
        "comparisons": [comparison(name, score) for name, score in SCORES.items() if name != "baseline"],
        "plan_number": 2,
        "n_plans": 2,
        "race": {"plans": [1, 2]},
        "n_contenders": 7,
        "versions": {"heldout": "0.1.0", "python": "3.12.3"},
    }


def small_study() -> StandInLedger:
    folds = {"split": "KFold", "k": 10, "repeats": 3, "stratified": True}
    tuning = {"split": "KFold", "k": 5, "repeats": 1, "stratified": True}
    facts = [
        StandInFact("study", "s", {"target": "diagnosis", "kind": "classification", "seed": 7}),
        StandInFact("seal", "e", {"n_open": 455, "n_held": 114, "how": "stratified by class"}),
        StandInFact("plan", "plan-1", {"folds": folds, "tuning": tuning, "seed": 7}),
        StandInFact("contender", "c1", {"name": "tree"}),
        StandInFact("contender", "c2", {"name": "forest"}),
    ]
    for cell in range(30):
        chosen = {"result": {"chosen": {"prune_alpha": 0.01 if cell % 3 else 0.001}}}
        facts.append(StandInFact("cell", f"c1:fold{cell}:p", chosen))
        facts.append(StandInFact("look", f"look{cell}", {"role": "open"}))
    facts.append(StandInFact("cell", "c2:fold0:p", {"result": {"chosen": {}}}))
    return StandInLedger([*facts, StandInFact("verdict", "plan-1:h", verdict())])


def opening(name: str, look: int, score: float, reason: str = "", detail: str = "score") -> StandInFact:
    """A look at the held rows, as unsealing records it."""
    final = {
        "metric": "accuracy",
        "adaptive": interval("accuracy", score, 0.04 * look),
        "fixed": interval("accuracy", score, 0.035),
        "is_used_up": look > 10,
    }
    body = {
        "contender": name,
        "look_number": look,
        "looks_allowed": 1,
        "reason": reason,
        "bits": 6.85,
        "detail": detail,
        "final": final,
        "score": final["adaptive"],
        "text": f"{name} on the 114 held rows: accuracy {score:.3f}.",
    }
    return StandInFact("unseal", f"unseal {look}", body)
