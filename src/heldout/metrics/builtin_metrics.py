"""The metrics that are known by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.metrics import cost
from heldout.metrics.brier import brier
from heldout.metrics.class_rates import label_index
from heldout.metrics.confusion import confusion
from heldout.metrics.curve_inputs import spotted_rows
from heldout.metrics.label_counts import row_weights
from heldout.metrics.metric import Metric
from heldout.metrics.probability_inputs import log_loss
from heldout.metrics.regression_errors import mae, mse, r2, rmse, rss
from heldout.native import ranking
from heldout.stats.metric_families import (
    MAE,
    MSE,
    NPV,
    OTHER,
    PRECISION,
    RECALL,
    RMSE,
    SPECIFICITY,
    BrierLoss,
    ExplainedVariance,
    Family,
    FMeasure,
    LogLoss,
    MeanRecall,
    Ranking,
    RowRate,
)
from heldout.stats.two_classes import score_values


def accuracy(y: Any, predicted: Any, weights: Any = None) -> float:
    """The share of rows that are predicted right."""
    return confusion(y, predicted, weights=weights).accuracy


def error(y: Any, predicted: Any, weights: Any = None) -> float:
    """The share of rows that are predicted wrong."""
    return confusion(y, predicted, weights=weights).error


def balanced_accuracy(y: Any, predicted: Any, weights: Any = None) -> float:
    """The mean recall of the classes that occur in y."""
    return confusion(y, predicted, weights=weights).balanced_accuracy


@dataclass(frozen=True)
class ConfusionRate:
    """A rate of the confusion matrix as a function of y and the answers.

    rate: the name of its method: "precision", "recall", "specificity", "npv"
    """

    rate: str

    def __call__(
        self,
        y: Any,
        predicted: Any,
        weights: Any = None,
        labels: Any = None,
        positive: Any = None,
        average: str | None = None,
        zero_division: float = 0.0,
    ) -> float:
        """The rate.

        weights:       the sample weight of each row
        labels:        all labels
        positive:      the positive class; left out, the last of two
        average:       over all classes: "macro", "micro" or "weighted"; there is then no positive class
        zero_division: what 0/0 shall be
        """
        found = confusion(y, predicted, labels, weights, None if average else positive)
        return float(getattr(found, self.rate)(average=average, zero_division=zero_division))


def f_score(
    y: Any,
    predicted: Any,
    weights: Any = None,
    labels: Any = None,
    positive: Any = None,
    average: str | None = None,
    zero_division: float = 0.0,
    beta: float = 1.0,
) -> float:
    """The harmonic mean of precision and of recall, which counts β² times as much; see ConfusionRate."""
    found = confusion(y, predicted, labels, weights, None if average else positive)
    return found.f(beta, average=average, zero_division=zero_division)


def auc(y: Any, scores: Any, weights: Any = None, labels: Any = None, positive: Any = None) -> float:
    """The area below the ROC curve: how often a row of the class outscores one that is not of it.

    NaN where all rows are of the class, or none.

    scores: of the positive class, one per row; or a column for each of several labels: the mean over
            the pairs of classes is taken (Hand & Till)
    """
    column, wanted = _one_column(scores, labels, positive)
    if column is None:
        from heldout.metrics.many_classes import hand_till

        if weights is not None:
            raise RequestError(
                "the AUC of several classes takes no weights",
                where=f"scores has {np.shape(scores)[1]} columns",
                fix="leave the weights out, or hand over the column of one class with positive=…",
            )
        return float(hand_till(y, scores, labels))
    is_positive, _ = spotted_rows(y, wanted)
    numbers = score_values(column, len(is_positive))
    return ranking.auc(numbers, is_positive, row_weights(weights, len(numbers)))


def pr_area(y: Any, scores: Any, weights: Any = None, labels: Any = None, positive: Any = None) -> float:
    """The area below the precision-recall curve, interpolated by counts."""
    from heldout.metrics.precision_recall import precision_recall

    column, wanted = _one_column(scores, labels, positive)
    if column is None:
        raise RequestError(
            "a precision-recall curve is that of one class",
            where=f"scores has {np.shape(scores)[1]} columns",
            fix="hand over the column of one class, and name it with positive=…",
        )
    return float(precision_recall(y, column, weights=weights, positive=wanted).area)


def brier_score(
    y: Any, probabilities: Any, weights: Any = None, labels: Any = None, positive: Any = None
) -> float:
    """The mean squared error of probabilities."""
    return brier(y, probabilities, labels, weights, positive).score


def _one_column(scores: Any, labels: Any, positive: Any) -> tuple[Any, Any]:
    """The scores of one class, and which it is; no scores where there are those of several."""
    if np.ndim(scores) != 2:
        return scores, positive
    n_columns = np.shape(scores)[1]
    if n_columns != 2:
        return None, positive
    if labels is None:
        return np.asarray(scores)[:, 1], positive
    wanted = max(labels) if positive is None else positive
    return np.asarray(scores)[:, label_index(wanted, list(labels))], wanted


def _rate(name: str, function: Callable[..., float], family: Family, description: str) -> Metric:
    """A rate of predicted labels, of which larger is better."""
    return Metric(name, function, "labels", True, 0.0, 1.0, description, plain_family=family)


def _loss(
    name: str,
    function: Callable[..., float],
    family: Family,
    description: str,
    needs: str = "values",
    highest: float = math.inf,
) -> Metric:
    return Metric(name, function, needs, False, 0.0, highest, description, plain_family=family)


def _cost(name: str, function: Callable[..., float], description: str) -> Metric:
    """A number of a fitted model, which needs no rows."""
    return _loss(name, function, OTHER, description, needs="model")


_DEFINED = (
    _rate("accuracy", accuracy, RowRate(), "the share of rows predicted right"),
    _loss("error", error, RowRate(is_error=True), "the share of rows predicted wrong", "labels", 1.0),
    _rate("balanced_accuracy", balanced_accuracy, MeanRecall(), "the mean recall of the classes that occur"),
    _rate(
        "precision",
        ConfusionRate("precision"),
        PRECISION,
        "of what was said to be of the class, the share that is",
    ),
    _rate("recall", ConfusionRate("recall"), RECALL, "of the rows of the class, the share that was found"),
    _rate("sensitivity", ConfusionRate("recall"), RECALL, "recall, as medicine calls it"),
    _rate("specificity", ConfusionRate("specificity"), SPECIFICITY, "the recall of what is not of the class"),
    _rate("npv", ConfusionRate("npv"), NPV, "of what was said not to be of the class, the share that is not"),
    _rate("f1", f_score, FMeasure(), "the harmonic mean of precision and recall"),
    Metric(
        "auc",
        auc,
        "scores",
        True,
        0.0,
        1.0,
        "how often a row of the class outscores another",
        plain_family=Ranking(),
    ),
    Metric("pr_area", pr_area, "scores", True, 0.0, 1.0, "the area below the precision-recall curve"),
    _loss(
        "log_loss", log_loss, LogLoss(), "the mean −ln of the probability of what happened", "probabilities"
    ),
    _loss("brier", brier_score, BrierLoss(), "the mean squared error of probabilities", "probabilities", 2.0),
    _loss("mse", mse, MSE, "the mean squared error"),
    _loss("rmse", rmse, RMSE, "the root of the mean squared error"),
    _loss("mae", mae, MAE, "the mean absolute error"),
    _loss("rss", rss, OTHER, "the residual sum of squares"),
    Metric(
        "r2",
        r2,
        "values",
        True,
        highest=1.0,
        description="the share of the variance that is explained",
        plain_family=ExplainedVariance(),
    ),
    _cost("fit_seconds", cost.fit_seconds, "seconds of fitting"),
    _cost("predict_seconds", cost.predict_seconds, "seconds of predicting all rows"),
    _cost("model_bytes", cost.model_bytes, "the length of the pickle"),
    _cost("description_bits", cost.description_bits, "bits to write the model down"),
    _cost("n_leaves", cost.n_leaves, "leaves of the tree, or of all trees"),
    _cost("n_parameters", cost.n_parameters, "coefficients and intercepts"),
)
BUILT_IN: tuple[Metric, ...] = tuple(replace(each, built_in=each.name) for each in _DEFINED)
