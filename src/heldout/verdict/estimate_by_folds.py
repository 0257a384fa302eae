"""The intervals of `heldout.stats`, which were measured in simulation, for folds without weights."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_f1 import cross_validated_f1
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.cross_validated_mse import cross_validated_mse
from heldout.stats.cross_validated_rate import cross_validated_rate
from heldout.verdict.answers import Answers
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import MetricAnswers, answers_for, base_name, is_plain
from heldout.verdict.row_losses import losses_of

# Losses that are 0 or more; that of a mean squared error was measured, the others go the same way.
_LOSSES = ("mse", "rmse", "mae", "log_loss", "brier")


def estimate_by_folds(
    metric: Metric, answers: Answers, rows: JudgedRows, confidence: float
) -> CrossValidatedInterval | None:
    """The interval of a metric that `heldout.stats` has one for; None for other metrics and splits.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.arange(20.0), np.arange(20)[np.newaxis] % 5)
    >>> answers = Answers(values=np.arange(20.0)[np.newaxis] + 1 + np.arange(20) % 3)
    >>> found = estimate_by_folds(metric_named("rmse"), answers, rows, 0.95)
    >>> round(found.low, 2), round(found.estimate, 2), round(found.high, 2)
    (1.65, 2.11, 2.7)
    """
    if not rows.is_by_folds or rows.weights is not None or rows.n_folds < 2 or rows.n_units < rows.n_folds:
        return None
    name = base_name(metric)
    made = _MADE.get(name)
    if made is None or (name in ("auc", "f1") and not is_plain(metric)):
        return None
    given = [answers_for(metric, answers, rows, repeat) for repeat in range(rows.n_repeats)]
    is_asked = rows.is_tested[0]
    groups = None if rows.unit == "row" else rows.units[is_asked]
    return made(_Asked(metric, given, rows.y, is_asked, rows.n_folds, confidence, groups))


@dataclass(frozen=True, eq=False)
class _Asked:
    """What an interval is made of: the answers of every repeat to the rows that were asked."""

    metric: Metric
    given: list[MetricAnswers]
    y: Any
    is_asked: Any
    n_folds: int
    confidence: float
    groups: Any

    @property
    def how(self) -> tuple[float, str, Any]:
        """Confidence, name and groups, as all these intervals take them."""
        return self.confidence, self.metric.name, self.groups

    @property
    def losses(self) -> NDArray[np.float64]:
        """Of repeats × rows."""
        return np.array([losses_of(self.metric, self.y, each)[self.is_asked] for each in self.given])

    @property
    def positive(self) -> Any:
        """The class to spot; None where there is none."""
        return dict(self.metric.options).get("positive", self.given[0].options.get("positive"))


def _rate(asked: _Asked) -> CrossValidatedInterval:
    return cross_validated_rate(asked.losses, asked.n_folds, *asked.how)


def _loss(asked: _Asked) -> CrossValidatedInterval:
    found = cross_validated_mse(asked.losses, asked.n_folds, *asked.how)
    name = base_name(asked.metric)
    if name == "rmse":
        ends = {key: math.sqrt(getattr(found, key)) for key in ("estimate", "low", "high")}
        return dataclasses.replace(found, **ends)  # type: ignore[arg-type]
    if name == "mse":
        return found
    return dataclasses.replace(found, high=min(found.high, asked.metric.highest), held=None)


def _auc(asked: _Asked) -> CrossValidatedInterval | None:
    if asked.given[0].answers.ndim != 1 or asked.positive is None:
        return None  # several classes
    lines = np.array([each.answers[asked.is_asked] for each in asked.given], dtype=np.float64)
    truth = (asked.y == asked.positive)[asked.is_asked]
    return cross_validated_auc(truth, lines, asked.n_folds, True, *asked.how)


def _f1(asked: _Asked) -> CrossValidatedInterval | None:
    if asked.positive is None:
        return None
    called = np.array([(each.answers == asked.positive)[asked.is_asked] for each in asked.given])
    truth = (asked.y == asked.positive)[asked.is_asked]
    if not (truth.any() or called.any()):
        return None
    return cross_validated_f1(truth, called, asked.n_folds, True, *asked.how)


_MADE: dict[str, Callable[[_Asked], CrossValidatedInterval | None]] = {
    "accuracy": _rate,
    "error": _rate,
    "auc": _auc,
    "f1": _f1,
    **dict.fromkeys(_LOSSES, _loss),
}
