"""What a contender answered out of fold, as the cells of the study file have it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.ledger.json_numbers import number_of_json
from heldout.metrics.best_place import setting_place
from heldout.metrics.metric import Metric
from heldout.report.recorded.recorded_plan import RecordedPlan
from heldout.verdict.answers import Answers

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact

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
