"""The facts of a run: the plan, its contenders, and what its cells found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from heldout.ledger.fact_body import FactBody


def cell_key(contender: str, fold: str, protocol: str) -> str:
    """The key of a cell: the same contender, fold and protocol in another plan is the same cell."""
    return f"{contender}:{fold}:{protocol}"


@dataclass(frozen=True)
class PlanFact(FactBody):
    """A plan with nothing left open.

    `plan` is what `Plan.to_dict` writes. `contenders` and `folds` are digests, in the order of the plan;
    `fold_indices` has for each fold its repeat and its number, because a cell that ran under another plan may
    have had another place there. `protocol` is the digest of what else decides a cell.
    """

    fact_kind: ClassVar[str] = "plan"

    plan: Mapping[str, Any]
    contenders: tuple[str, ...]
    choose_reason: str
    notes: tuple[str, ...]
    protocol: str
    folds: tuple[str, ...]
    fold_indices: tuple[tuple[int, int], ...]
    versions: Mapping[str, str]

    @property
    def is_quick(self) -> bool:
        """Whether settings and contenders are judged by the same folds."""
        return bool(self.plan["rigor"] == "quick")

    @property
    def seed(self) -> int:
        return int(self.plan["seed"])

    @property
    def metric_name(self) -> str:
        """The name of the metric that contenders are chosen by."""
        form = self.plan["choose_by"]
        return str(form["name"] if isinstance(form, Mapping) else form)

    @property
    def judging_split(self) -> Mapping[str, Any]:
        """The split by which contenders are judged, as its `to_dict` writes it."""
        form: Mapping[str, Any] = self.plan["tuning" if self.is_quick else "folds"]
        return form

    @property
    def race_key(self) -> str:
        """What the plans of a race have in common: rows are the same, so folds and metric decide."""
        same = self.folds, self.fold_indices, self.plan["choose_by"], self.is_quick
        return json.dumps(same, sort_keys=True)

    def cell_key(self, contender: str, fold: str) -> str:
        """The key of one of its cells."""
        return cell_key(contender, fold, self.protocol)

    def cell_keys(self) -> tuple[str, ...]:
        """The keys of all its cells."""
        return tuple(self.cell_key(each, fold) for each in self.contenders for fold in self.folds)


@dataclass(frozen=True)
class ContenderFact(FactBody):
    """A contender; `contender` is what its `to_dict` writes."""

    fact_kind: ClassVar[str] = "contender"

    contender: Mapping[str, Any]
    name: str
    is_baseline: bool
    n_settings: int

    @property
    def choose(self) -> str:
        """How it chooses among its settings: "best" or "one_se"."""
        return str(self.contender.get("choose", "best"))


@dataclass(frozen=True)
class CellRecord:
    """What a cell found: the same whenever and wherever it is computed.

    `chosen_index` is −1 in the cell of a quick plan, which chooses over all of them.
    """

    contender: str
    name: str
    repeat: int
    fold: int
    fold_digest: str
    n_rows: int
    chosen: Mapping[str, Any]
    chosen_index: int
    tuned_by: str
    choice_scores: tuple[float, ...]
    scores: Mapping[str, float]
    bits: float
    bits_are_foreign: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class CellClock:
    """The seconds of tuning, fitting and predicting."""

    seconds: Mapping[str, float]

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


@dataclass(frozen=True)
class CellFact(FactBody):
    """A cell; predictions and the positions of its test rows are arrays beside it."""

    fact_kind: ClassVar[str] = "cell"

    result: CellRecord
    clock: CellClock


@dataclass(frozen=True)
class ScoreFact(FactBody):
    """The score of a cell by one metric; `name` is that of the contender."""

    fact_kind: ClassVar[str] = "score"

    metric: str
    value: float
    name: str


@dataclass(frozen=True)
class FailureFact(FactBody):
    """A cell without a result; `error` says why in a line."""

    fact_kind: ClassVar[str] = "failure"

    cell: str
    plan: str
    contender: str
    name: str
    repeat: int
    fold: int
    error: str
    lines: tuple[str, ...]
    attempts: int
    is_crash: bool
