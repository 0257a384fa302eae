"""A look at the held rows: what earlier ones gave away, whether it may be, and what it finds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError, SealError
from heldout.ledger.verdict_facts import UnsealFact
from heldout.metrics.metric import Metric
from heldout.metrics.scorer_predictions import scorer_predictions
from heldout.stats.looks import Looks
from heldout.stats.metric_families import FMeasure
from heldout.study.cells.fold_predictions import PredictedModel, needs_of, predicted_by
from heldout.study.cells.guarded_fit import Notes, failing_as, one_algebra_thread, record_warnings
from heldout.study.seal.held_rate import HeldPredictions

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger
    from heldout.metrics.confusion import Confusion
    from heldout.metrics.precision_recall import PrecisionRecall
    from heldout.metrics.roc import Roc
    from heldout.study.cells.fit_contender import FittedContender
    from heldout.study.cells.work import Work
    from heldout.table.table import Table
    from heldout.table.task import Task

DETAILS = ("score", "full")
# A number that is shown as it is has at most so many bits.
BITS_OF_A_NUMBER = 64


def earlier_looks(ledger: Ledger) -> tuple[Looks, bool]:
    """What earlier looks could answer, and whether one of them showed the held rows one by one."""
    looks = [UnsealFact.read(fact) for fact in ledger.facts("unseal")]
    return Looks(tuple(map(_n_answers, looks))), any(look.shows_rows for look in looks)


def _n_answers(look: UnsealFact) -> int:
    return all_predictions(look.n_rows, look.n_classes) if look.n_answers is None else int(look.n_answers)


def all_predictions(n_rows: int, n_classes: int) -> int:
    """How many ways there are to label the rows, which a look at every row tells apart.

    n_classes: 0 for numbers
    """
    return int(n_classes**n_rows if n_classes else 2 ** (BITS_OF_A_NUMBER * n_rows))


def check_request(reason: Any, detail: Any) -> str:
    """The reason for a further look, without blanks around it; empty where none is given."""
    if detail not in DETAILS:
        raise RequestError(
            f"a look has the detail 'score' or 'full', not {detail!r:.40}",
            where="unseal(…, detail=…)",
            fix="leave it out for the score alone; 'full' gives all held labels away",
        )
    if reason is None:
        return ""
    if not isinstance(reason, str):
        raise InputTypeError(
            "the reason for another look is a sentence",
            where=f"reason={reason!r:.40}",
            fix='write for instance reason="the first model cannot be fielded"',
        )
    if not reason.strip():
        raise SealError(
            "another look needs a reason, and this one is empty",
            where=f"reason={reason!r:.40}",
            fix="say in a sentence why; it is recorded, and the report shows it",
        )
    return " ".join(reason.split())


def check_allowed(n_earlier: int, looks_allowed: int, reason: str, was_given_away: bool) -> None:
    """A SealError where the looks that need no reason are used, and no reason is given."""
    if n_earlier < looks_allowed or reason:
        return
    times = "once" if n_earlier == 1 else f"{n_earlier:,} times"
    given = "; they were shown one by one" if was_given_away else ""
    raise SealError(
        "the held rows have been looked at, and every further look makes what they say less sure",
        where=f"opened {times}, {looks_allowed:,} allowed without a reason{given}",
        fix='ask again with reason="why": the reason is recorded, and the interval becomes wider',
    )


def refuse_metric_of_models(metric: Metric) -> None:
    """Held rows cannot say how large or slow a model is."""
    if metric.needs == "model":
        raise RequestError(
            f"the plan chooses by {metric.name}, which says nothing about rows",
            where="unseal",
            fix="unseal a contender of a plan that chooses by a score of answers, such as accuracy",
        )


def predictions_on_held(
    work: Work, fitted: FittedContender, whole: Task, held_rows: NDArray[np.intp], is_stratified: bool
) -> tuple[HeldPredictions, PredictedModel, tuple[str, ...]]:
    """What a fitted contender says of the held rows, beside the truth, and what was noticed on the way.

    work:  of the open rows
    whole: the task of all rows
    """
    notes = Notes()
    metric = work.choose_by
    X, y = whole.X.take(held_rows), whole.y[held_rows]
    with (
        one_algebra_thread(),
        record_warnings(notes),
        failing_as(fitted.name, fitted.setting, doing="the held rows"),
    ):
        needs = needs_of([metric])
        model_predictions = predicted_by(fitted.decider, fitted.prepared(X), needs)
        predictions, known = scorer_predictions(
            metric.needs, model_predictions, None, y, dict(metric.options).get("positive")
        )
    if whole.time is not None:
        notes.add(
            "The held rows are the latest: the interval says how sure the score of that stretch of time is,"
            " not how times will change."
        )
    held = HeldPredictions(
        metric=_stated(metric),
        y=y,
        predictions=np.asarray(predictions),
        options=_options(metric, known),
        baseline=baseline_score(work),
        is_stratified=is_stratified,
        n_classes=len(whole.classes),
        weights=None if whole.weights is None else whole.weights[held_rows],
        groups=None if whole.groups is None else whole.groups[held_rows],
        time=None if whole.time is None else whole.time[held_rows],
    )
    return held, model_predictions, notes.sentences


def _stated(metric: Metric) -> Metric:
    """The metric without the positive class among its options, which is handed over beside it."""
    options = tuple(pair for pair in metric.options if pair[0] != "positive")
    return metric if options == metric.options else replace(metric, options=options)


def _options(metric: Metric, known: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in metric.options if name == "positive"}
    return metric.options_for(known) | own


def baseline_score(work: Work) -> float:
    """What guessing gets on the open rows, by the metric that the plan chooses by.

    For F1 it is that of calling every row positive; for others that of the majority class, or of the mean.
    """
    from heldout.learners.baseline_classifier import BaselineClassifier
    from heldout.learners.baseline_regressor import BaselineRegressor

    metric = work.choose_by
    if isinstance(metric.family, FMeasure) and len(work.classes) == 2:
        share = float((work.y == work.positive).mean())
        return 2 * share / (1 + share)
    learner = BaselineClassifier() if work.is_classification else BaselineRegressor()
    try:
        fitted = learner.fit(
            work.X, work.y, **({} if work.weights is None else {"sample_weight": work.weights})
        )
        weights = work.weights if metric.takes("weights") else None
        value = metric.sign * metric.scorer(fitted, work.X, work.y, sample_weight=weights)
    except Exception:  # a metric of one's own may not take what a baseline gives
        return math.nan
    return round(float(value), 12)  # what guessing explains is 0, not a last digit of it


@dataclass(frozen=True, eq=False)
class HeldDetail:
    """The held rows, one by one.

    kind:     "classification" or "regression"
    classes:  the names of the classes, in their order
    positive: of two classes the positive one
    arrays:   `rows` (positions among the rows of the task), `truth` and `answers` (places of classes, or
              values), and `probabilities` (rows × classes) where the model gives them
    """

    kind: str
    classes: tuple[Any, ...]
    positive: Any
    arrays: Mapping[str, NDArray[Any]]

    def _named(self, name: str) -> NDArray[Any]:
        found = self.arrays[name]
        return np.array(self.classes)[found] if self.kind == "classification" else found

    def confusion(self) -> Confusion:
        """The counts of truth against answers."""
        from heldout.metrics.confusion import confusion

        self._require_classes("a confusion")
        labels = list(self.classes)
        return confusion(self._named("truth"), self._named("answers"), labels, None, self.positive)

    def roc(self) -> Roc:
        """The ROC curve of the positive class."""
        from heldout.metrics.roc import roc

        return roc(self._named("truth"), self._scores("a ROC curve"), positive=self.positive)

    def precision_recall(self) -> PrecisionRecall:
        """The precision-recall curve of the positive class."""
        from heldout.metrics.precision_recall import precision_recall

        scores = self._scores("a precision-recall curve")
        return precision_recall(self._named("truth"), scores, positive=self.positive)

    def predictions(self) -> Table:
        """A row for each held row: its position, the truth, the answer."""
        from heldout.table.column import Column, category_column
        from heldout.table.table import Table

        columns = [Column("row", "number", self.arrays["rows"].astype(np.float64))]
        for name, of in (("truth", "truth"), ("answer", "answers")):
            values = self._named(of)
            if self.kind == "classification":
                columns.append(category_column(name, [str(value) for value in values.tolist()]))
            else:
                columns.append(Column(name, "number", values.astype(np.float64)))
        return Table(columns)

    def _scores(self, what: str) -> NDArray[np.float64]:
        self._require_classes(what)
        if self.positive is None or "probabilities" not in self.arrays:
            raise RequestError(
                f"{what} needs two classes and probabilities",
                where=f"{len(self.classes)} classes, probabilities: {'probabilities' in self.arrays}",
                fix="use confusion() or predictions()",
            )
        found: NDArray[np.float64] = self.arrays["probabilities"][:, self.classes.index(self.positive)]
        return found

    def _require_classes(self, what: str) -> None:
        if self.kind != "classification":
            raise RequestError(
                f"{what} is that of classes", where="the task is a regression", fix="use predictions()"
            )
