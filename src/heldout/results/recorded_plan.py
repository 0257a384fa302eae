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
from heldout.ledger.chain import number_of_json
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import METRICS
from heldout.metrics.operating_point import setting_place
from heldout.split.split_of_dict import split_of_dict
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import Answers

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


def recorded_answers(plan: RecordedPlan, contender: str) -> Answers | None:
    """Its out-of-fold answers; of a quick plan those of the chosen setting. None where cells are missing.

    contender: its digest
    """
    cells = [cell for cell in plan.cells_of(contender) if cell is not None]
    if not cells or len(cells) < len(plan.places):
        return None
    choose = plan.choose_of(contender)
    return answers_of(plan, cells, chosen_place(cells, plan.metric, choose) if plan.is_quick else None)


def answers_of(plan: RecordedPlan, cells: Sequence[Fact], setting: int | None = None) -> Answers:
    """Out-of-fold answers, repeats × rows; what was not asked is −1 or NaN.

    cells:   of one contender, for every fold of the plan
    setting: its place in the cells of a quick plan, which keep the answers of all; None otherwise
    """
    n_repeats, n_rows = plan.rows.folds.shape
    found: dict[str, NDArray[Any]] = {}
    names = [name for name in ANSWERS if all(name in cell.arrays for cell in cells)]
    for cell, (repeat, _) in zip(cells, plan.places, strict=True):
        rows = plan.ledger.array(cell, "rows")
        for name in names:
            values = plan.ledger.array(cell, name)
            values = values if setting is None else values[setting]
            if name not in found:
                nothing = -1 if name == "labels" else math.nan
                kind = np.int64 if name == "labels" else np.float64
                found[name] = np.full((n_repeats, n_rows, *values.shape[1:]), nothing, dtype=kind)
            found[name][repeat, rows] = values
    return Answers(**found)


def setting_scores(cells: Sequence[Fact]) -> NDArray[np.float64]:
    """What each setting scored in each cell of a quick plan: cells × settings."""
    results = [cell.body["result"] for cell in cells]
    return np.array([[number_of_json(score) for score in result["choice_scores"]] for result in results])


def chosen_place(cells: Sequence[Fact], metric: Metric, choose: str) -> int:
    """Which setting a quick plan chooses, by the means over all cells.

    choose: as the contender says
    """
    return setting_place(setting_scores(cells).T, metric, choose)
