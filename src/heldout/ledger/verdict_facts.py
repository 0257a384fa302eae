"""The facts that a run and a look end with: the verdict, the models, the curves, the scores on held rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heldout.ledger.fact_body import FactBody
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict.verdict import RaceFacts


@dataclass(frozen=True)
class StandingFact:
    """A contender of a verdict.

    `contender` and `plan` are digests: of the contender and of the plan that ran it. `difference` is the best
    minus this one, None for the best itself. `chosen` has its settings with how many cells took each;
    `is_infinite` says that its score is, which JSON cannot.
    """

    name: str
    metric: str
    estimate: Interval
    bits: float
    bits_are_foreign: bool
    seconds: float
    is_baseline: bool
    is_complete: bool
    problem: str
    contender: str
    plan: str
    is_new: bool
    is_infinite: bool = False
    difference: Interval | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    median_miss: float = math.nan
    chosen: tuple[tuple[Mapping[str, Any], int], ...] = ()


@dataclass(frozen=True)
class VerdictFact(FactBody):
    """How a race stands, as one of its plans decides it.

    `plan` is the digest of that plan, `digest` that of the results of its cells. `sentence` and `details` are
    what the verdict says; `text` is both, as a terminal prints them.
    """

    fact_kind: ClassVar[str] = "verdict"

    plan: str
    digest: str
    metric: str
    is_larger_better: bool
    choose_reason: str
    winner: str
    best: str
    beats_baseline: bool
    sentence: str
    details: tuple[str, ...]
    text: str
    number: Interval
    standings: tuple[StandingFact, ...]
    comparisons: tuple[Comparison, ...]
    against_baseline: tuple[Comparison, ...]
    plan_number: int
    n_plans: int
    race: RaceFacts
    rigor: str
    versions: Mapping[str, str]

    @property
    def n_contenders(self) -> int:
        """How many there are in the race."""
        return len(self.standings)

    @property
    def is_quick(self) -> bool:
        """Whether settings and contenders were judged by the same folds."""
        return self.rigor == "quick"

    def standing(self, name: str) -> StandingFact | None:
        """How the contender of this name stands; None where there is none."""
        return next((each for each in self.standings if each.name == name), None)


@dataclass(frozen=True)
class Ends:
    """The ends of an interval."""

    low: float
    high: float


@dataclass(frozen=True)
class LaterEnds:
    """The ends of the intervals of a look after further looks: `n_looks` in all, with these bits before.

    `low` and `high` hold however the models were built; `fixed` is for models fixed before the first look.
    """

    bits: float
    n_looks: int
    low: float
    high: float
    fixed: Ends


@dataclass(frozen=True)
class UnsealFact(FactBody):
    """A look at the held rows.

    `final` is the whole score as `FinalScore.to_dict` writes it, so that asking again gives the same; the
    other fields are what readers of the file ask for. `score` is its interval that holds however the model
    was built, `fixed` the one for models fixed beforehand. `n_answers` is a number of any size, in digits;
    None where every row was shown.
    """

    fact_kind: ClassVar[str] = "unseal"

    final: Mapping[str, Any]
    contender: str
    contender_digest: str
    plan: str | None
    metric: str
    score: Interval
    fixed: Interval
    look_number: int
    looks_allowed: int
    reason: str
    detail: str
    bits: float
    bits_before: float
    n_rows: int
    n_classes: int
    classes: tuple[Any, ...]
    positive: Any
    n_answers: str | None
    later: tuple[LaterEnds, ...]
    is_used_up: bool
    was_given_away: bool
    text: str

    @property
    def shows_rows(self) -> bool:
        """Whether it showed the held rows one by one."""
        return self.detail == "full"


@dataclass(frozen=True)
class ModelFact(FactBody):
    """A model fitted on all open rows; its file is an array beside it, if `without_file` is empty.

    `role` is "winner" or "readable". `view` is what a page or a terminal shows of it, in plain values.
    """

    fact_kind: ClassVar[str] = "model"

    contender: str
    name: str
    role: str
    rows: str
    n_rows: int
    setting: Mapping[str, Any]
    bits: float
    without_file: str
    notes: tuple[str, ...]
    protocol: str
    view: Mapping[str, Any]


@dataclass(frozen=True)
class CurveFact(FactBody):
    """A curve: which one (`curve`), what decides its numbers (`request`), and the curve itself (`result`)."""

    fact_kind: ClassVar[str] = "curve"

    curve: str
    request: Mapping[str, Any]
    result: Mapping[str, Any]
