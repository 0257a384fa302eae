"""The answers of the winner on rows that were new to it, as plain numbers for pictures and tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import HeldoutError
from heldout.metrics.metric_registry import metric_named
from heldout.report.answers.asked_rows import AskedRows, asked_rows
from heldout.report.answers.class_areas import class_areas
from heldout.report.answers.confusion_numbers import confusion_numbers
from heldout.report.answers.ranked_numbers import RankedAnswers, ranked_numbers
from heldout.report.answers.reliability_numbers import reliability_numbers
from heldout.report.answers.residual_numbers import residual_numbers
from heldout.report.recorded.recorded_answers import recorded_answers
from heldout.report.recorded.recorded_plan import RecordedPlan, recorded_plan
from heldout.verdict.answers import Answers
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import answers_for

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger

# What is kept of the contender that stands beside the winner.
_BESIDE = ("across", "upwards", "area")


def answers_summary(ledger: Ledger, verdict: Mapping[str, Any], beside: str = "") -> dict[str, Any]:
    """What the winner answered out of fold, and in short the readable one beside it; empty without a run.

    ledger:  of the study; only read
    verdict: the body of its fact
    beside:  the name of the readable one, as `readable_name` gives it

    The keys: `kind` ("two classes", "many classes", "regression"), `contender`, `target`, `n_rows`,
    `n_repeats`, `n_folds`, `rows_of_a_fold`, `notes`, `is_constant` (whether the rows of a fold are all told
    the same); then `roc`, `precision_recall`, `confusion`, `reliability`, `class_areas` or `residuals`, as
    far as the answers allow; and `beside`. Where the study file does not tell, there is only `problem`, a
    sentence.
    """
    fact, winner = ledger.fact("plan", str(verdict.get("plan", ""))), str(verdict.get("winner", ""))
    if fact is None or not ledger.facts("profile") or "contenders" not in fact.body:
        return {}
    try:
        found, other = (_of_contender(ledger, fact, verdict, name) for name in (winner, beside))
        return found | {"beside": _shortened(other) if found else {}}
    except HeldoutError as error:
        return {"problem": f"The predictions cannot be shown: {error.what}."}


def _plan(ledger: Ledger, fact: Any) -> RecordedPlan:
    """The plan; a metric of the user's own is not needed unless settings are chosen by it here."""
    try:
        return recorded_plan(ledger, fact)
    except HeldoutError:
        if fact.body["plan"]["rigor"] == "quick":
            raise
        return recorded_plan(ledger, fact, metric_named("accuracy"))


def _of_contender(ledger: Ledger, fact: Any, verdict: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a contender of the verdict answered, in the plan that ran it."""
    standing = next((each for each in verdict.get("standings") or () if each["name"] == name), None)
    if standing is None:
        return {}
    plan = _plan(ledger, ledger.fact("plan", standing["plan"]) or fact)
    answers = recorded_answers(plan, standing["contender"])
    if answers is None:
        return {}
    rows, asked = plan.rows, asked_rows(plan.rows)
    known = {
        "contender": name,
        "target": str(plan.profile.body.get("target", "")),
        "n_rows": int(rows.is_tested.any(axis=0).sum()),
        "n_repeats": rows.n_repeats,
        "n_folds": asked.n_folds,
        "rows_of_a_fold": asked.rows_of_a_fold,
        "has_weights": rows.weights is not None,
        "unit": rows.unit,
    }
    if not rows.classes:
        return known | {"kind": "regression"} | _numbers(answers, rows, asked)
    return known | _classes(answers, rows, asked)


def _numbers(answers: Answers, rows: JudgedRows, asked: AskedRows) -> dict[str, Any]:
    if answers.values is None:
        return {"notes": []}
    said = np.asarray(answers.values[asked.repeats, asked.rows], dtype=np.float64)
    true = np.asarray(rows.y, dtype=np.float64)[asked.rows]
    with np.errstate(over="ignore"):
        is_known = np.isfinite(said) & np.isfinite(true) & np.isfinite((true - said) ** 2)
    if not is_known.any():
        return {"notes": ["None of the predictions is a finite number."]}
    asked = asked.kept(is_known)
    found = residual_numbers(asked, true[is_known], said[is_known])
    n_left_out = int((~is_known).sum())
    notes = [f"{n_left_out:,} predictions were no finite numbers, and are left out."] if n_left_out else []
    return {"residuals": found, "notes": notes}


def _classes(answers: Answers, rows: JudgedRows, asked: AskedRows) -> dict[str, Any]:
    """Confusion, and what scores and probabilities allow besides."""
    labels = [str(label) for label in rows.classes]
    codes = {label: place for place, label in enumerate(rows.classes)}
    true = np.array([codes[label] for label in rows.y.tolist()], dtype=np.intp)[asked.rows]
    kind = "two classes" if len(labels) == 2 else "many classes"
    found: dict[str, Any] = {"kind": kind, "n_classes": len(labels), "notes": []}
    if answers.labels is not None:
        said = answers.labels[asked.repeats, asked.rows].astype(np.intp)
        found["confusion"] = confusion_numbers(asked, true, said, labels)
    place = 1 if rows.positive is None else rows.classes.index(rows.positive)
    if len(labels) == 2:
        found["positive"] = labels[place]
    if answers.probabilities is not None or (len(labels) == 2 and answers.scores is not None):
        scores = _scores(answers, rows, asked)
        # One score for all rows ranks nothing: its curve is the diagonal.
        found["is_constant"] = asked.is_constant(scores)
        if not found["is_constant"] and len(labels) == 2:
            found |= ranked_numbers(RankedAnswers(asked, true == place, scores))
        elif not found["is_constant"]:
            found["class_areas"] = class_areas(asked, true, scores, labels)
    if answers.probabilities is not None:
        found["reliability"] = _reliability(answers, rows, asked, true)
    return found


def _scores(answers: Answers, rows: JudgedRows, asked: AskedRows) -> Any:
    """Scores as the AUC of the verdict sees them, for every question."""
    auc = metric_named("auc")
    lines = [answers_for(auc, answers, rows, repeat).answers for repeat in range(rows.n_repeats)]
    return np.stack(lines)[asked.repeats, asked.rows]


def _reliability(answers: Answers, rows: JudgedRows, asked: AskedRows, true: Any) -> dict[str, Any]:
    """Of two classes the probability of the one to spot; of many that of the likeliest class."""
    assert answers.probabilities is not None
    table = answers.probabilities[asked.repeats, asked.rows]
    if len(rows.classes) == 2:
        place = 1 if rows.positive is None else rows.classes.index(rows.positive)
        return reliability_numbers(asked, table[:, place], true == place)
    likeliest = table.argmax(axis=1)
    return reliability_numbers(asked, table.max(axis=1), likeliest == true)


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
