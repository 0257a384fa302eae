"""A model that has answered already: metrics ask it, and nothing is predicted twice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.metric import Metric
from heldout.study.cells.heard_warnings import Notes
from heldout.study.cells.own_arrays import own_rows
from heldout.study.cells.training_part import TrainingPart


class AnsweredModel:
    """The answers of a fitted model to some rows, in the form of an estimator that a scorer can ask.

    It has `predict_proba` and `decision_function` exactly if the model had, for these a scorer looks.

    classes:       of the model, in the order of its columns; None for a regression
    labels:        the answer for each row
    probabilities: row × class
    margins:       what decision_function gave

    >>> model = AnsweredModel(np.array(["a", "b"]), np.array(["a", "a", "b"]))
    >>> model.predict(None).tolist(), hasattr(model, "predict_proba")
    (['a', 'a', 'b'], False)
    """

    def __init__(
        self,
        classes: NDArray[Any] | None,
        labels: NDArray[Any] | None,
        probabilities: NDArray[np.float64] | None = None,
        margins: NDArray[np.float64] | None = None,
    ) -> None:
        self.labels, self.probabilities, self.margins = labels, probabilities, margins
        if classes is not None:
            self.classes_ = classes
        if probabilities is not None:
            self.predict_proba = self._probabilities
        if margins is not None:
            self.decision_function = self._margins

    def predict(self, X: Any) -> NDArray[Any]:
        """The answers, whatever X is."""
        assert self.labels is not None
        return self.labels

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        assert self.probabilities is not None
        return self.probabilities

    def _margins(self, X: Any) -> NDArray[np.float64]:
        assert self.margins is not None
        return self.margins


def answered_by(model: Any, X: Any, needs: frozenset[str]) -> AnsweredModel:
    """Ask a fitted model for what metrics with these needs look at, each thing once.

    Margins are asked for where scores are needed, and where a model has no probabilities.

    >>> import heldout as ho
    >>> tree = ho.TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    >>> answered_by(tree, [[0.0]], frozenset({"labels"})).labels.tolist()
    ['a']
    """
    has_margins, has_chances = hasattr(model, "decision_function"), hasattr(model, "predict_proba")
    by_chances, by_margins = _asked(model, has_margins, has_chances, needs)
    return AnsweredModel(
        getattr(model, "classes_", None),
        np.asarray(model.predict(own_rows(model, X))) if needs & {"labels", "values"} else None,
        np.asarray(model.predict_proba(own_rows(model, X))) if by_chances else None,
        np.asarray(model.decision_function(own_rows(model, X))) if by_margins else None,
    )


def answered_by_sweep(sweep: Any, X: Any, needs: frozenset[str]) -> Iterator[AnsweredModel]:
    """The same for each setting of a sweep, in order."""
    first = sweep.model(0)
    has_margins, has_chances = hasattr(sweep, "decision_function"), hasattr(first, "predict_proba")
    by_chances, by_margins = _asked(first, has_margins, has_chances, needs)
    nothing = [None] * len(sweep)
    for labels, probabilities, margins in zip(
        sweep.predict(X) if needs & {"labels", "values"} else nothing,
        sweep.predict_proba(X) if by_chances else nothing,
        sweep.decision_function(X) if by_margins else nothing,
        strict=True,
    ):
        yield AnsweredModel(getattr(first, "classes_", None), labels, probabilities, margins)


def _asked(model: Any, has_margins: bool, has_chances: bool, needs: frozenset[str]) -> tuple[bool, bool]:
    """Whether probabilities are asked for, and whether margins are."""
    classes = getattr(model, "classes_", None)
    # Scorers take the margins of two classes before the probabilities, of more classes only these.
    are_margins_enough = has_margins and classes is not None and len(classes) <= 2
    by_chances = "probabilities" in needs or ("scores" in needs and not are_margins_enough)
    by_margins = "scores" in needs or ("probabilities" in needs and not has_chances)
    return has_chances and by_chances, has_margins and by_margins


def metric_value(
    metric: Metric, answered: AnsweredModel, judged: TrainingPart, notes: Notes, by: str = "a model"
) -> float:
    """What the metric's scorer says, in the metric's own direction; NaN with a note where it says nothing.

    Rows count by their weights, if they have some and the metric takes them.

    answered: what a model says of the rows
    judged:   the answers that are true, and the weights
    by:       the name of the learner, for the note

    >>> from heldout.metrics.metric_registry import metric_named
    >>> notes, model = Notes(), AnsweredModel(np.array([0, 1]), None)
    >>> rows = TrainingPart(None, np.array([0]))
    >>> metric_value(metric_named("log_loss"), model, rows, notes, by="Perceptron")
    nan
    >>> print(notes.sentences[0])
    no log_loss: Perceptron gives no probabilities
    """
    weights = judged.weights if judged.weights is not None and metric.takes("weights") else None
    try:
        value = metric.sign * metric.scorer(answered, None, judged.y, weights)
        if math.isnan(value):
            notes.add(f"no {metric.name}: it is not defined for these rows")
        return value
    except MemoryError:
        raise
    except Exception as error:
        what = getattr(error, "what", "") or f"{type(error).__name__}: {error}"
        notes.add(f"no {metric.name}: {what.replace(AnsweredModel.__name__, by)}")
        return float("nan")
