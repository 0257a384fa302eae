"""How the contenders of a plan stand, from the study file alone: no data and no learner are needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError
from heldout.ledger.plan_facts import FailureFact
from heldout.metrics.metric import Metric
from heldout.results.recorded_plan import (
    RecordedCell,
    RecordedPlan,
    chosen_index,
    predictions_of,
    recorded_metric,
    recorded_plan,
    setting_scores,
)
from heldout.stats.interval import Interval
from heldout.text.words import plural
from heldout.verdict.corrected_number import quick_estimate
from heldout.verdict.estimate_score import estimate_score
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.paired_comparison import all_counts
from heldout.verdict.predictions import Predictions
from heldout.verdict.standing import NO_ESTIMATE, Standing
from heldout.verdict.weighted_score import weighted_score

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def plan_standings(plan: RecordedPlan, contenders: Sequence[str] | None = None) -> tuple[Standing, ...]:
    """Contenders of a plan as the verdict sees them, in the order of the plan.

    contenders: their digests; left out, all of them
    """
    wanted = plan.contenders if contenders is None else contenders
    return tuple(_standing(plan, contender) for contender in wanted)


def all_scores(standing: Standing, forms: Sequence[Any], rows: JudgedRows) -> dict[str, float]:
    """The standing's score by every metric of its plan, of all rows together as the verdict scores them.

    forms: of the metrics, as the plan has them; what is not known here, or cannot judge its predictions, is
           left out
    rows:  that were judged
    """
    found: dict[str, float] = {}
    for form in forms:
        try:
            metric = recorded_metric(form)
        except HeldoutError:
            continue  # a metric of the user's own, of which the file holds no code
        if metric.name == standing.metric:
            found[metric.name] = standing.score
        elif standing.out_of_fold is not None and _is_predicted(metric, standing.out_of_fold, rows):
            scored = weighted_score(metric, standing.out_of_fold, rows)
            found[metric.name] = float(scored.means(all_counts(rows))[0])
    return found


def median_miss(standing: Standing, rows: JudgedRows) -> float:
    """By how much half of the predictions of a number miss at most; NaN where no numbers are predicted."""
    if standing.out_of_fold is None or standing.out_of_fold.values is None:
        return math.nan
    repeats, indices = np.nonzero(rows.is_tested)
    misses = np.abs(standing.out_of_fold.values[repeats, indices] - rows.y[indices].astype(np.float64))
    weights = rows.row_weights[indices]
    is_known = np.isfinite(misses) & (weights > 0)
    if not is_known.any():
        return math.nan
    return float(weighted_quantiles(misses[is_known], weights[is_known], np.array([0.5]))[0])


def open_estimate(ledger: Ledger, plan: str | None, contender: str, metric: Metric) -> Interval | None:
    """What cross-validation said of a contender on the open rows; None where no plan ran it to its end.

    plan, contender: their digests
    metric:          by which the plan chooses
    """
    fact = None if plan is None else ledger.fact("plan", plan)
    if fact is None:
        return None
    found = recorded_plan(ledger, fact, metric)
    if not found.has_cells:
        return None
    standing = plan_standings(found, [contender])[0]
    return standing.estimate if standing.is_complete else None


def _standing(plan: RecordedPlan, contender: str) -> Standing:
    body = plan.contender(contender)
    cells = plan.cells_of(contender)
    done = [cell for cell in cells if cell is not None]
    known: dict[str, Any] = {
        "name": body.name,
        "metric": plan.metric.name,
        "is_baseline": body.is_baseline,
        "seconds": math.fsum(cell.seconds for cell in done),
    }
    if len(done) < len(cells):
        problem = problem_of(plan.ledger, contender, len(cells) - len(done), len(cells))
        return Standing(**known, is_complete=False, problem=problem)
    known["bits_are_foreign"] = any(cell.result.bits_are_foreign for cell in done)
    if plan.is_quick:
        return _quick_standing(plan, done, known | {"choose": body.choose})
    predictions = predictions_of(plan, done)
    scores = [cell.result.scores.get(plan.metric.name, math.nan) for cell in done]
    bits = _median([cell.result.bits for cell in done])
    return _estimated(plan, predictions, _grid(plan, scores), known | {"bits": bits})


def _quick_standing(plan: RecordedPlan, cells: Sequence[RecordedCell], known: dict[str, Any]) -> Standing:
    """A contender without an outer loop: the setting that it chooses, and the answers of all."""
    table, choose = setting_scores(cells), str(known["choose"])
    index = chosen_index(cells, plan.metric, choose)
    settings = tuple(predictions_of(plan, cells, each) for each in range(table.shape[1]))
    bits = [float(plan.ledger.array(cell.fact, "setting_bits")[index]) for cell in cells]
    known = known | {"bits": _median(bits), "settings": settings}
    seed = plan.body.seed
    estimate = quick_estimate(plan.metric, settings, plan.rows, index, seed=seed, choose=choose)
    return _estimated(plan, settings[index], _grid(plan, table[:, index].tolist()), known, estimate)


def _estimated(
    plan: RecordedPlan,
    predictions: Predictions,
    fold_scores: NDArray[np.float64],
    known: dict[str, Any],
    estimate: Interval | None = None,
) -> Standing:
    if not _is_predicted(plan.metric, predictions, plan.rows):
        note = f"it gave nothing that {plan.metric.name} can judge"
        return Standing(**known, is_complete=False, problem=note, estimate=NO_ESTIMATE)
    if estimate is None:
        estimate = estimate_score(plan.metric, predictions, plan.rows, fold_scores)
    return Standing(**known, estimate=estimate, fold_scores=fold_scores, out_of_fold=predictions)


def _is_predicted(metric: Metric, predictions: Predictions, rows: JudgedRows) -> bool:
    if metric.needs == "labels":
        return predictions.labels is not None
    if metric.needs == "values":
        return predictions.values is not None
    if metric.needs == "scores" and len(rows.classes) == 2 and predictions.scores is not None:
        return True
    return predictions.probabilities is not None


def _grid(plan: RecordedPlan, scores: Sequence[float]) -> NDArray[np.float64]:
    """Scores of folds as repeats × folds."""
    n_repeats = 1 + max(repeat for repeat, _ in plan.indices)
    n_folds = 1 + max(number for _, number in plan.indices)
    grid = np.full((n_repeats, n_folds), math.nan)
    for (repeat, number), score in zip(plan.indices, scores, strict=True):
        grid[repeat, number] = score
    return grid


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else math.nan


def problem_of(ledger: Ledger, contender: str, n_missing: int, n_cells: int) -> str:
    """Why a contender is not complete: what its last failure said, or that it has not run.

    contender: its digest
    """
    failures = [
        body for body in map(FailureFact.read, ledger.facts("failure")) if body.contender == contender
    ]
    missing = f"{n_missing:,} of {plural(n_cells, 'fit')} missing"
    if not failures:
        return f"{missing}: the plan has not run to its end"
    return f"{missing}: {failures[-1].error}"


def weighted_quantiles(
    numbers: NDArray[np.float64], weights: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Quantiles of numbers that count differently; with equal weights they are NumPy's averaged inverse."""
    order = np.argsort(numbers, kind="stable")
    ordered, passed = numbers[order], np.cumsum(weights[order])
    wanted = shares * passed[-1]
    # A share that ends exactly at a row lies between it and the next.
    room = 1e-9 * passed[-1]
    first = np.minimum(np.searchsorted(passed, wanted - room), len(ordered) - 1)
    second = np.minimum(np.searchsorted(passed, wanted + room, side="right"), len(ordered) - 1)
    return np.asarray(ordered[first] / 2 + ordered[second] / 2)
