"""The answers of the winner on rows that were new to it, as plain numbers for pictures and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import HeldoutError
from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.verdict_facts import VerdictFact
from heldout.metrics.metric_registry import metric_named
from heldout.metrics.reliability import probability_bins
from heldout.report.predictions.confusion_numbers import confusion_numbers, frequent_classes
from heldout.report.predictions.fold_band import fold_spread
from heldout.report.predictions.ranked_numbers import RankedPredictions, ranked_numbers
from heldout.report.predictions.requested_rows import RequestedRows, requested_rows
from heldout.report.predictions.residual_numbers import residual_numbers
from heldout.report.predictions.short_numbers import one_rounded
from heldout.results.recorded_plan import RecordedPlan, recorded_plan, recorded_predictions
from heldout.stats.rate_interval import wilson_ends
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.predictions import Predictions, metric_input

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger

# What is kept of the contender that stands beside the winner.
_BESIDE = ("across", "upwards", "area")


def predictions_summary(ledger: Ledger, verdict: VerdictFact | None, beside: str = "") -> dict[str, Any]:
    """What the winner answered out of fold, and in short the readable one beside it; empty without a run.

    ledger:  of the study; only read
    beside:  the name of the readable one, as `readable_name` gives it

    The keys: `kind` ("two classes", "many classes", "regression"), `contender`, `target`, `n_rows`,
    `n_repeats`, `n_folds`, `rows_of_a_fold`, `notes`, `is_constant` (whether the rows of a fold are all told
    the same); then `roc`, `precision_recall`, `confusion`, `reliability`, `class_areas` or `residuals`, as
    far as the answers allow; and `beside`. Where the study file does not tell, there is only `problem`, a
    sentence.
    """
    if verdict is None:
        return {}
    try:
        found, other = (_of_contender(ledger, verdict, name) for name in (verdict.winner, beside))
        return found | {"beside": _shortened(other) if found else {}}
    except HeldoutError as error:
        return {"problem": f"The predictions cannot be shown: {error.what}."}


def _plan(ledger: Ledger, fact: Fact) -> RecordedPlan:
    """The plan; a metric of the user's own is not needed unless settings are chosen by it here."""
    try:
        return recorded_plan(ledger, fact)
    except HeldoutError:
        if PlanFact.read(fact).is_quick:
            raise
        return recorded_plan(ledger, fact, metric_named("accuracy"))


def _of_contender(ledger: Ledger, verdict: VerdictFact, name: str) -> dict[str, Any]:
    """What a contender of the verdict answered, in the plan that ran it."""
    standing = verdict.standing(name)
    if standing is None:
        return {}
    fact = ledger.fact("plan", standing.plan)
    assert fact is not None, "a verdict names plans that are recorded"
    plan = _plan(ledger, fact)
    predictions = recorded_predictions(plan, standing.contender)
    if predictions is None:
        return {}
    rows, requested = plan.rows, requested_rows(plan.rows)
    known = {
        "contender": name,
        "target": plan.profile.target,
        "n_rows": int(rows.is_tested.any(axis=0).sum()),
        "n_repeats": rows.n_repeats,
        "n_folds": requested.n_folds,
        "rows_of_a_fold": requested.rows_of_a_fold,
        "has_weights": rows.weights is not None,
        "unit": rows.unit,
    }
    if not rows.classes:
        return known | {"kind": "regression"} | _numbers(predictions, rows, requested)
    return known | _classes(predictions, rows, requested)


def _numbers(predictions: Predictions, rows: JudgedRows, requested: RequestedRows) -> dict[str, Any]:
    if predictions.values is None:
        return {"notes": []}
    predicted = np.asarray(predictions.values[requested.repeats, requested.rows], dtype=np.float64)
    true = np.asarray(rows.y, dtype=np.float64)[requested.rows]
    with np.errstate(over="ignore"):
        is_known = np.isfinite(predicted) & np.isfinite(true) & np.isfinite((true - predicted) ** 2)
    if not is_known.any():
        return {"notes": ["None of the predictions is a finite number."]}
    requested = requested.kept(is_known)
    found = residual_numbers(requested, true[is_known], predicted[is_known])
    n_left_out = int((~is_known).sum())
    notes = [f"{n_left_out:,} predictions were no finite numbers, and are left out."] if n_left_out else []
    return {"residuals": found, "notes": notes}


def _classes(predictions: Predictions, rows: JudgedRows, requested: RequestedRows) -> dict[str, Any]:
    """Confusion, and what scores and probabilities allow besides."""
    labels = [str(label) for label in rows.classes]
    codes = {label: index for index, label in enumerate(rows.classes)}
    true = np.array([codes[label] for label in rows.y.tolist()], dtype=np.intp)[requested.rows]
    kind = "two classes" if len(labels) == 2 else "many classes"
    found: dict[str, Any] = {"kind": kind, "n_classes": len(labels), "notes": []}
    if predictions.labels is not None:
        predicted = predictions.labels[requested.repeats, requested.rows].astype(np.intp)
        found["confusion"] = confusion_numbers(requested, true, predicted, labels)
    index = 1 if rows.positive is None else rows.classes.index(rows.positive)
    if len(labels) == 2:
        found["positive"] = labels[index]
    if predictions.probabilities is not None or (len(labels) == 2 and predictions.scores is not None):
        scores = _scores(predictions, rows, requested)
        # One score for all rows ranks nothing: its curve is the diagonal.
        found["is_constant"] = requested.is_constant(scores)
        if not found["is_constant"] and len(labels) == 2:
            found |= ranked_numbers(RankedPredictions(requested, true == index, scores))
        elif not found["is_constant"]:
            found["class_areas"] = class_areas(requested, true, scores, labels)
    if predictions.probabilities is not None:
        found["reliability"] = _reliability(predictions, rows, requested, true)
    return found


def _scores(predictions: Predictions, rows: JudgedRows, requested: RequestedRows) -> Any:
    """Scores as the AUC of the verdict sees them, for every question."""
    auc = metric_named("auc")
    lines = [metric_input(auc, predictions, rows, repeat).predictions for repeat in range(rows.n_repeats)]
    return np.stack(lines)[requested.repeats, requested.rows]


def _reliability(
    predictions: Predictions, rows: JudgedRows, requested: RequestedRows, true: Any
) -> dict[str, Any]:
    """Of two classes the probability of the positive one; of many that of the likeliest class."""
    assert predictions.probabilities is not None
    table = predictions.probabilities[requested.repeats, requested.rows]
    if len(rows.classes) == 2:
        index = 1 if rows.positive is None else rows.classes.index(rows.positive)
        return reliability_numbers(requested, table[:, index], true == index)
    likeliest = table.argmax(axis=1)
    return reliability_numbers(requested, table.max(axis=1), likeliest == true)


def _shortened(found: dict[str, Any]) -> dict[str, Any]:
    """What stands beside the winner: its lines without bands, and its numbers in short."""
    if not found:
        return {}
    short: dict[str, Any] = {"contender": found["contender"]}
    for name in ("roc", "precision_recall"):
        if name in found:
            short[name] = {key: found[name][key] for key in _BESIDE}
    if "confusion" in found:
        short["confusion"] = {key: found["confusion"][key] for key in ("accuracy", "accuracies")}
    if "reliability" in found:
        short["reliability"] = {"calibration_error": found["reliability"]["calibration_error"]}
    if "residuals" in found:
        short["residuals"] = {"errors": found["residuals"]["errors"]}
    if "class_areas" in found:
        short["class_areas"] = [
            {key: each[key] for key in ("label", "area", "areas")} for each in found["class_areas"]
        ]
    return short


def class_areas(
    requested: RequestedRows, true: NDArray[np.intp], columns: NDArray[np.float64], labels: list[str]
) -> list[dict[str, Any]]:
    """For each class its AUC against the rest, a mean over the repeats; of many classes the most frequent.

    true:    the code of the class, one for each question
    columns: questions × classes, larger where the row is rather held for the class
    """
    shown = frequent_classes(true, requested.weights, len(labels)).tolist()
    return [
        _area(RankedPredictions(requested, true == index, columns[:, index]), labels[index])
        for index in shown
    ]


def _area(predictions: RankedPredictions, label: str) -> dict[str, Any]:
    n_rows = float(predictions.requested.weights[predictions.is_positive].sum())
    has_both = predictions.is_positive.any() and not predictions.is_positive.all()
    return {
        "label": label,
        "n_rows": one_rounded(n_rows),
        "area": one_rounded(_mean(predictions.repeat_areas())) if has_both else None,
        "areas": fold_spread([curve.area for curve in predictions.fold_curves()]),
    }


def _mean(areas: Sequence[float]) -> float:
    known = [area for area in areas if not math.isnan(area)]
    return math.fsum(known) / len(known) if known else math.nan


N_BINS = 10
CONFIDENCE = 0.95


def reliability_numbers(
    requested: RequestedRows,
    predicted: Floats,
    happened: NDArray[np.bool_],
    by: str = "frequency",
    n_bins: int = N_BINS,
) -> dict[str, Any]:
    """Bins of similar probabilities with the share that came true, and its interval.

    said:     a probability for each question
    happened: whether it came true
    by:       "frequency" for bins of about as many rows, "width" for equal parts of 0 … 1
    """
    predicted = np.clip(predicted, 0.0, 1.0)
    indices = probability_bins(predicted, requested.weights, n_bins, by)
    order = np.argsort(indices, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(indices[order])) + 1)
    bins = [_bin(requested, predicted, happened, part) for part in parts]
    total = sum(each["n_rows"] for each in bins)
    gap = sum(each["n_rows"] * abs(each["said"] - each["share"]) for each in bins) / total
    return {
        "bins": bins,
        "calibration_error": one_rounded(gap),
        "n_within": sum(each["low"] <= each["said"] <= each["high"] for each in bins),
        "confidence": CONFIDENCE,
        "by": by,
    }


def _bin(
    requested: RequestedRows, predicted: Floats, happened: NDArray[np.bool_], part: NDArray[np.intp]
) -> dict[str, Any]:
    weights, predicted, happened = requested.weights[part], predicted[part], happened[part]
    share = float(np.average(happened, weights=weights))
    n_rows = rows_behind(happened, weights, requested.rows[part], requested.units[part])
    low, high = wilson_ends(share, n_rows, CONFIDENCE)
    return {
        "from": one_rounded(float(predicted.min())),
        "to": one_rounded(float(predicted.max())),
        "said": one_rounded(float(np.average(predicted, weights=weights))),
        "share": one_rounded(share),
        "low": one_rounded(low),
        "high": one_rounded(high),
        "n_rows": one_rounded(float(weights.sum())),
    }


def rows_behind(
    happened: NDArray[np.bool_], weights: Floats, rows: NDArray[np.intp], units: NDArray[np.intp]
) -> float:
    """On how many independent rows a share rests: answers of one row, or rows of one group, are not.

    The variance of a ratio of sums over units (linearised), turned into the number of rows whose share would
    vary as much; never more than the rows stand for. Where all came out alike nothing varies, and the units
    are counted.

    rows, units: of each answer the row, and what is independent of what
    """
    total = float(weights.sum())
    share = float(np.dot(happened, weights)) / total
    variance = float((_sums(weights * (happened - share), units) ** 2).sum()) / total**2
    if variance == 0:
        return total**2 / float((_sums(weights, units) ** 2).sum())
    most = total**2 / float((_sums(weights, rows) ** 2).sum())
    return min(share * (1 - share) / variance, most)


def _sums(numbers: Floats, units: NDArray[np.intp]) -> Floats:
    return np.asarray(np.bincount(units, numbers))
