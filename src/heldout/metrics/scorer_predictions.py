"""What a fitted estimator answers, in the form that a metric needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.metrics.class_rates import label_index
from heldout.metrics.cost import TimedModel, timed_predictions
from heldout.metrics.label_counts import occurring_labels


def scorer_predictions(
    needs: str, estimator: Any, X: Any, y: Any, positive: Any = None
) -> tuple[Any, dict[str, Any]]:
    """The answers, and what else is known: `labels` and `positive` from the classes of the estimator.

    needs:    what the metric judges, see Metric
    positive: the positive class; left out, the last of two
    """
    if needs == "model":
        return _timed(estimator, X), {}
    if needs == "values":
        return estimator.predict(X), {}
    classes = _classes(estimator)
    labels = _with_unseen(classes, y)
    wanted = positive if positive is not None or len(classes) != 2 else classes[1]
    known = {} if wanted is None else {"positive": wanted}
    if needs == "labels":
        return estimator.predict(X), known if len(classes) != 2 else known | {"labels": labels}
    if needs == "scores" and len(classes) <= 2:
        return _scores(estimator, X, classes, wanted), known
    table = _padded(_probabilities(estimator, X), len(labels))
    return table, known | {"labels": labels}


def _timed(estimator: Any, X: Any) -> TimedModel:
    return timed_predictions(estimator, X)


def _classes(estimator: Any) -> list[Any]:
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return []
    return list(np.asarray(classes).tolist())


def _with_unseen(classes: list[Any], y: Any) -> list[Any]:
    """The classes, and behind them labels of y that training never saw."""
    return classes + [label for label in occurring_labels(y) if label not in classes]


def _scores(estimator: Any, X: Any, classes: list[Any], positive: Any) -> NDArray[np.float64]:
    """How strongly each row is held to be of the positive class."""
    is_last = not classes or label_index(positive, classes, "positive") == len(classes) - 1
    if hasattr(estimator, "decision_function"):
        scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
        return scores if is_last else -scores
    return _probabilities(estimator, X)[:, -1 if is_last else 0]


def _probabilities(estimator: Any, X: Any) -> NDArray[np.float64]:
    if not hasattr(estimator, "predict_proba"):
        raise RequestError(
            f"{type(estimator).__name__} gives no probabilities",
            where="it has no predict_proba",
            fix="use a metric of labels, such as accuracy, or a learner that gives probabilities",
        )
    return np.asarray(estimator.predict_proba(X), dtype=np.float64)


def _padded(table: NDArray[np.float64], n_labels: int) -> NDArray[np.float64]:
    """What was never seen has the probability 0."""
    missing = n_labels - table.shape[1]
    return table if missing <= 0 else np.hstack([table, np.zeros((len(table), missing))])
