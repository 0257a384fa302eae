"""A plan as the study file has it, with what its cells found: no data and no learner are needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.report.recorded.recorded_metric import recorded_metric
from heldout.split.split_of_dict import split_of_dict
from heldout.verdict.judged_rows import JudgedRows

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


@dataclass(frozen=True, eq=False)
class RecordedPlan:
    """A plan of the study file, with what its cells found.

    ledger:  of the study
    fact:    of the plan
    profile: of the open rows
    cells:   all cells of the study file by their keys
    metric:  the one to judge by; the plan's own, unless another is asked for
    """

    ledger: Ledger
    fact: Fact
    profile: Fact
    cells: Mapping[str, Fact]
    metric: Metric

    @property
    def record(self) -> dict[str, Any]:
        """The plan as it was written down, with nothing left open."""
        return dict(self.fact.body["plan"])

    @property
    def is_quick(self) -> bool:
        return bool(self.record["rigor"] == "quick")

    @property
    def contenders(self) -> tuple[str, ...]:
        """Their digests, in the order of the plan."""
        return tuple(self.fact.body["contenders"])

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Repeat and number of each fold."""
        return tuple((int(repeat), int(number)) for repeat, number in self.fact.body["fold_places"])

    def choose_of(self, contender: str) -> str:
        """How the contender of this digest chooses among its settings."""
        fact = self.ledger.fact("contender", contender)
        form = {} if fact is None else fact.body.get("contender") or {}
        return str(form.get("choose", "best"))

    def cell(self, contender: str, fold: str) -> Fact | None:
        return self.cells.get(f"{contender}:{fold}:{self.fact.body['protocol']}")

    def cells_of(self, contender: str) -> list[Fact | None]:
        """What each fold found of a contender; None where it has not run.

        contender: its digest
        """
        return [self.cell(contender, fold) for fold in self.fact.body["folds"]]

    @cached_property
    def rows(self) -> JudgedRows:
        """The rows that were judged, and by which folds."""
        body, arrays = self.profile.body, self.ledger.arrays(self.profile)
        y, classes = arrays["target"], tuple(body["classes"])
        tested = []
        for fold, (repeat, number) in zip(self.fact.body["folds"], self.places, strict=True):
            found = next((cell for each in self.contenders if (cell := self.cell(each, fold))), None)
            if found is not None:
                tested.append(_Tested(repeat, number, self.ledger.array(found, "rows").astype(np.intp)))
        return JudgedRows.of(
            np.array(classes)[y] if classes else y,
            tested,
            classes=classes,
            positive=body["positive"],
            weights=arrays.get("weights"),
            groups=arrays.get("groups"),
            is_in_time="time" in arrays,
            time=arrays.get("time"),
            test_share=split_of_dict(self.record["folds"]).test_share,
        )

    @property
    def has_cells(self) -> bool:
        """Whether anything of it has run."""
        return any(self.cell(each, fold) for fold in self.fact.body["folds"] for each in self.contenders)


@dataclass(frozen=True, eq=False)
class _Tested:
    repeat: int
    number: int
    test: NDArray[np.intp]


def recorded_plan(ledger: Ledger, fact: Fact, metric: Metric | None = None) -> RecordedPlan:
    """A plan of the study file.

    fact:   of the plan
    metric: to judge by; left out, the one that the plan chooses by
    """
    profile = ledger.facts("profile")[0]
    cells = {cell.key: cell for cell in ledger.facts("cell")}
    judged_by = recorded_metric(fact.body["plan"]["choose_by"]) if metric is None else metric
    return RecordedPlan(ledger, fact, profile, cells, judged_by)
