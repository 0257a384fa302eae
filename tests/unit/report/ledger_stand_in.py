"""A ledger in memory with the facts of a small study, as the report reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from heldout.errors import LedgerError
from heldout.ledger.fact_body import FactBody
from heldout.ledger.plan_facts import CellClock, CellFact, CellRecord, ContenderFact, FailureFact, PlanFact
from heldout.ledger.study_facts import LookFact, ProfileFact, SealFact, StudyFact
from heldout.ledger.verdict_facts import StandingFact, UnsealFact, VerdictFact
from heldout.split.sealed_split import SealedBy
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict.verdict import RaceFacts

SCORES = {"forest": 0.961, "tree": 0.957, "neighbors": 0.94, "baseline": 0.627}


@dataclass(frozen=True)
class StandInFact:
    """A fact with what the report asks of it."""

    kind: str
    key: str
    body: dict[str, Any]
    at: str = "2026-02-03T10:00:00Z"
    arrays: Mapping[str, str] = field(default_factory=dict)


def stand_in(key: str, body: FactBody) -> StandInFact:
    """A fact with this body."""
    return StandInFact(body.fact_kind, key, body.to_dict())


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

    def only(self, kind: str) -> StandInFact:
        if len(self.facts(kind)) != 1:
            raise LedgerError(f"a study file has one {kind}", where="a stand-in", fix="give it one")
        return self.facts(kind)[0]

    def fact(self, kind: str, key: str) -> StandInFact | None:
        return next((fact for fact in self.facts(kind) if fact.key == key), None)

    def keys(self, kind: str) -> frozenset[str]:
        return frozenset(fact.key for fact in self.facts(kind))

    def verify(self) -> StandInCheck:
        return self.check

    def results_digest(self, plan: str | None = None) -> str:
        return "d" * 64

    def put(self, key: str, body: FactBody) -> None:
        """One more fact; the only one of its kind takes the place of the one before."""
        fact = stand_in(key, body)
        if body.fact_kind in ("study", "seal", "profile"):
            self.kept = [fact if each.kind == fact.kind else each for each in self.kept]
        else:
            self.kept.append(fact)


def interval(what: str, estimate: float, half: float) -> Interval:
    return Interval(what, estimate, estimate - half, estimate + half, method="corrected Wilson")


def standing(name: str, score: float) -> StandingFact:
    difference = interval(f"{name} minus forest", score - 0.961, 0.015)
    return StandingFact(
        name=name,
        metric="accuracy",
        estimate=interval("accuracy", score, 0.02),
        bits=120.0 * (len(name) - 3),
        bits_are_foreign=False,
        seconds=1.25,
        is_baseline=name == "baseline",
        is_complete=True,
        problem="",
        contender=f"d-{name}",
        plan="plan-1",
        is_new=False,
        difference=None if name == "forest" else difference,
        chosen=(({"prune_alpha": 0.01}, 20), ({"prune_alpha": 0.001}, 10)) if name == "tree" else (),
    )


def comparison(name: str, score: float) -> Comparison:
    effect = interval(f"{name} minus baseline", score - 0.627, 0.03)
    test = "corrected resampled t"
    return Comparison(name, "baseline", effect, 0.0001, test, adjusted_p=0.0003, adjustment="holm")


def verdict(**changes: Any) -> VerdictFact:
    """The verdict of the small study, with some fields changed."""
    made = VerdictFact(
        plan="plan-1",
        digest="d" * 64,
        metric="accuracy",
        is_larger_better=True,
        choose_reason="Chosen by accuracy: no class holds more than 70% of the rows.",
        winner="tree",
        best="forest",
        beats_baseline=True,
        sentence="tree is the simplest within one standard error of the best, forest.",
        details=("It beats guessing.",),
        text="tree is the simplest within one standard error of the best, forest.\n  - It beats guessing.",
        number=interval("accuracy", 0.955, 0.021),
        standings=tuple(standing(name, score) for name, score in SCORES.items()),
        comparisons=tuple(comparison(name, score) for name, score in SCORES.items() if name != "baseline"),
        against_baseline=(),
        plan_number=2,
        n_plans=2,
        race=RaceFacts(2, 2, (1, 2)),
        rigor="standard",
        versions={"heldout": "0.1.0", "python": "3.12.3"},
    )
    return replace(made, **changes)


def study(**changes: Any) -> StudyFact:
    """What the small study is about."""
    roles = {"target": "diagnosis", "kind": "classification"}
    made = StudyFact("ab", 569, (), roles, 569, 7, True, 0.2, 1, versions={"heldout": "0.1.0"}, name="cells")
    return replace(made, **changes)


def seal(**changes: Any) -> SealFact:
    """The seal of the small study."""
    made = SealFact(455, 114, 0, "aa", "bb", "cc", 7, SealedBy.CLASSES, SealedBy.CLASSES.words)
    return replace(made, **changes)


def profile(**changes: Any) -> ProfileFact:
    """The open rows of the small study, without columns."""
    classes = ("benign", "malignant")
    made = ProfileFact(455, "classification", "", "diagnosis", classes, "malignant", (285, 170), ())
    return replace(made, **changes)


def plan(k: int = 10, repeats: int = 3, rigor: str = "standard", **changes: Any) -> PlanFact:
    """A plan of the contenders of the small study."""
    form = {
        "folds": {"split": "KFold", "k": k, "repeats": repeats, "stratified": True, "seed": None},
        "tuning": {"split": "KFold", "k": 5, "repeats": 1, "stratified": True, "seed": None},
        "rule": {"rule": "SimplestWithinNoise"},
        "choose_by": "accuracy",
        "rigor": rigor,
        "seed": 7,
    }
    contenders = tuple(f"d-{name}" for name in SCORES)
    made = PlanFact(form, contenders, "", (), "p1", ("fold0",), ((0, 0),), {"heldout": "0.1.0"})
    return replace(made, **changes)


def cell(contender: str, **changes: Any) -> CellFact:
    """A cell of a contender on the one fold."""
    made = CellRecord(contender, contender, 0, 0, "fold0", 45, {}, 0, "", (), {}, math.nan, False, ())
    return CellFact(replace(made, **changes), CellClock({"fit": 1.0}))


def failure(name: str, error: str) -> FailureFact:
    return FailureFact("c:f:p", "plan-1", f"d-{name}", name, 0, 0, error, (), 1, False)


def small_study() -> StandInLedger:
    facts = [
        stand_in("s", study()),
        stand_in("e", seal()),
        stand_in("open rows", profile()),
        stand_in("plan-1", plan()),
        *(stand_in(f"d-{name}", ContenderFact({}, name, name == "baseline", 1)) for name in SCORES),
        *(stand_in(f"look{n}", LookFact("fit", "tree", "dd", 400, "open")) for n in range(30)),
        stand_in("plan-1:h", verdict()),
    ]
    return StandInLedger(facts)


def opening(name: str, look: int, score: float, reason: str = "", detail: str = "score") -> StandInFact:
    """A look at the held rows, as unsealing records it."""
    body = UnsealFact(
        final={},
        contender=name,
        contender_digest=f"d-{name}",
        plan="plan-1",
        metric="accuracy",
        score=interval("accuracy", score, 0.04 * look),
        fixed=interval("accuracy", score, 0.035),
        look_number=look,
        looks_allowed=1,
        reason=reason,
        detail=detail,
        bits=6.85,
        bits_before=6.85 * (look - 1),
        n_rows=114,
        n_classes=2,
        classes=("benign", "malignant"),
        positive="malignant",
        n_answers="115",
        later=(),
        is_used_up=look > 10,
        was_given_away=False,
        text=f"{name} on the 114 held rows: accuracy {score:.3f}.",
    )
    return stand_in(f"unseal {look}", body)
