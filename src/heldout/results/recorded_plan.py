"""A plan as the study file has it, with what its cells found: no data and no learner are needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError, RequestError
from heldout.ledger.plan_facts import CellFact, CellRecord, ContenderFact, PlanFact
from heldout.ledger.study_facts import ProfileFact, StudyFact
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import METRICS
from heldout.metrics.operating_point import setting_index
from heldout.split.split_from_dict import split_from_dict
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.predictions import Predictions

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


@dataclass(frozen=True, eq=False)
class RecordedCell:
    """A cell of the study file: what it found, and the fact whose arrays are its predictions."""

    fact: Fact
    body: CellFact

    @property
    def result(self) -> CellRecord:
        return self.body.result

    @property
    def seconds(self) -> float:
        """Of tuning, fitting and predicting."""
        return self.body.clock.total


@dataclass(frozen=True, eq=False)
class RecordedPlan:
    """A plan of the study file, with what its cells found.

    `cells` are all cells of the study file by their keys; `metric` is the one to judge by: the plan's own,
    unless another is asked for.
    """

    ledger: Ledger
    digest: str
    body: PlanFact
    profile: ProfileFact
    cells: Mapping[str, RecordedCell]
    metric: Metric

    @property
    def is_quick(self) -> bool:
        return self.body.is_quick

    @property
    def contenders(self) -> tuple[str, ...]:
        """Their digests, in the order of the plan."""
        return self.body.contenders

    @property
    def indices(self) -> tuple[tuple[int, int], ...]:
        """Repeat and number of each fold."""
        return self.body.fold_indices

    @property
    def is_in_time(self) -> bool:
        """Whether rows are ordered by a column of time."""
        return StudyFact.read(self.ledger.only("study")).time is not None

    def contender(self, digest: str) -> ContenderFact:
        """What is recorded of a contender."""
        fact = self.ledger.fact("contender", digest)
        assert fact is not None, "a plan is recorded together with its contenders"
        return ContenderFact.read(fact)

    def cell(self, contender: str, fold: str) -> RecordedCell | None:
        return self.cells.get(self.body.cell_key(contender, fold))

    def cells_of(self, contender: str) -> list[RecordedCell | None]:
        """What each fold found of the contender of this digest; None where it has not run."""
        return [self.cell(contender, fold) for fold in self.body.folds]

    @cached_property
    def rows(self) -> JudgedRows:
        """The rows that were judged, and by which folds."""
        arrays = self.ledger.arrays(self.ledger.facts("profile")[0])
        y, classes = arrays["target"], self.profile.classes
        tested = []
        for fold, (repeat, number) in zip(self.body.folds, self.indices, strict=True):
            found = next((cell for each in self.contenders if (cell := self.cell(each, fold))), None)
            if found is not None:
                tested.append(_Tested(repeat, number, self.ledger.array(found.fact, "rows").astype(np.intp)))
        return JudgedRows.of(
            np.array(classes)[y] if classes else y,
            tested,
            classes=classes,
            positive=self.profile.positive,
            weights=arrays.get("weights"),
            groups=arrays.get("groups"),
            is_in_time="time" in arrays,
            time=arrays.get("time"),
            test_share=split_from_dict(self.body.plan["folds"]).test_share,
        )

    @property
    def has_cells(self) -> bool:
        """Whether anything of it has run."""
        return any(key in self.cells for key in self.body.cell_keys())


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
    body, profile = PlanFact.read(fact), ProfileFact.read(ledger.facts("profile")[0])
    cells = {cell.key: RecordedCell(cell, CellFact.read(cell)) for cell in ledger.facts("cell")}
    judged_by = recorded_metric(body.plan["choose_by"]) if metric is None else metric
    return RecordedPlan(ledger, fact.key, body, profile, cells, judged_by)


_PLAIN = (bool, int, float, str)


def recorded_metric(form: Any) -> Metric:
    """The metric that was written down; one of the user's own is known by its name and its code.

    form: as the plan's fact has it
    """
    known = _plain_metric(form)
    if known is not None:
        return known
    # What a plan may hold is known to a room that takes a second to import; a page seldom needs it.
    from heldout.plan.read_values import Reading, read_metric

    try:
        return read_metric(form, Reading(()))
    except HeldoutError as error:
        name = form.get("name", "") if isinstance(form, dict) else str(form)
        known = METRICS.get(name)
        if known is not None and _is_same(known, form):
            return replace(known, options=tuple(form["options"].items()))
        raise RequestError(
            f"the plan is judged by {name!r:.60}, a metric of its own that is not defined here as it was",
            where="the study file names its function, and holds no code",
            fix="define it again with @metric, as it was, and ask again",
        ) from error


def _plain_metric(form: Any) -> Metric | None:
    """One that is built in, with options that are plain values; None for any other."""
    built_in = {each.name: each for each in BUILT_IN}
    if isinstance(form, str):
        return built_in.get(form)
    if not isinstance(form, dict) or set(form) != {"metric", "name", "options"}:
        return None
    known, options = built_in.get(form["metric"]), form["options"]
    if known is None or not isinstance(form["name"], str) or not isinstance(options, dict):
        return None
    are_plain = all(value is None or type(value) in _PLAIN for value in options.values())
    if not are_plain or not all(known.takes(option) for option in options):
        return None
    return replace(known, name=form["name"], options=tuple(options.items()))


def _is_same(known: Metric, form: dict[str, Any]) -> bool:
    from heldout.plan.read_values import written_metric

    try:
        written = written_metric(replace(known, options=tuple(form["options"].items())))
    except HeldoutError:
        return False
    return bool(written == form)


ANSWERS = ("labels", "values", "probabilities", "scores")


def recorded_predictions(plan: RecordedPlan, contender: str) -> Predictions | None:
    """Its out-of-fold answers; of a quick plan those of the chosen setting. None where cells are missing.

    contender: its digest
    """
    cells = [cell for cell in plan.cells_of(contender) if cell is not None]
    if not cells or len(cells) < len(plan.indices):
        return None
    choose = plan.contender(contender).choose
    return predictions_of(plan, cells, chosen_index(cells, plan.metric, choose) if plan.is_quick else None)


def predictions_of(
    plan: RecordedPlan, cells: Sequence[RecordedCell], setting: int | None = None
) -> Predictions:
    """Out-of-fold answers, repeats × rows; what was not asked is −1 or NaN.

    cells:   of one contender, for every fold of the plan
    setting: its place in the cells of a quick plan, which keep the answers of all; None otherwise
    """
    n_repeats, n_rows = plan.rows.folds.shape
    found: dict[str, NDArray[Any]] = {}
    names = [name for name in ANSWERS if all(name in cell.fact.arrays for cell in cells)]
    for cell, (repeat, _) in zip(cells, plan.indices, strict=True):
        rows = plan.ledger.array(cell.fact, "rows")
        for name in names:
            values = plan.ledger.array(cell.fact, name)
            values = values if setting is None else values[setting]
            if name not in found:
                nothing = -1 if name == "labels" else math.nan
                kind = np.int64 if name == "labels" else np.float64
                found[name] = np.full((n_repeats, n_rows, *values.shape[1:]), nothing, dtype=kind)
            found[name][repeat, rows] = values
    return Predictions(**found)


def setting_scores(cells: Sequence[RecordedCell]) -> NDArray[np.float64]:
    """What each setting scored in each cell of a quick plan: cells × settings."""
    return np.array([cell.result.choice_scores for cell in cells], dtype=np.float64)


def chosen_index(cells: Sequence[RecordedCell], metric: Metric, choose: str) -> int:
    """Which setting a quick plan chooses, by the means over all cells.

    choose: as the contender says
    """
    return setting_index(setting_scores(cells).T, metric, choose)
