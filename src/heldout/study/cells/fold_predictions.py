"""What a fitted contender predicts for some rows, as the ledger keeps it, and what metrics say of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.metrics.metric import Metric
from heldout.study.cells.guarded_fit import Notes
from heldout.study.cells.recipe import TrainingPart
from heldout.study.cells.shared_work import own_rows

if TYPE_CHECKING:
    from heldout.study.cells.work import Work

Arrays = dict[str, NDArray[Any]]


def fold_predictions(work: Work, model_predictions: PredictedModel, n_rows: int, by: str) -> Arrays:
    """The answers to some rows as arrays.

    For classes: "labels" (places among the classes of the task), "probabilities" (row × class of the task; a
    class that training never saw has 0), and "scores" where the model has margins: of two classes one number
    per row, larger where it is rather the positive class; else row × class, −∞ for a class never seen.
    For numbers: "values".

    n_rows: how many rows were asked about
    by:     the name of the contender, for errors
    """
    assert model_predictions.labels is not None
    if not work.is_classification:
        return {"values": _values(model_predictions.labels, n_rows, by)}
    if model_predictions.labels.shape != (n_rows,):
        raise _wrong_shape(model_predictions.labels, n_rows, by)
    arrays: Arrays = {"labels": work.codes_of(model_predictions.labels, by)}
    indices = _class_indices(work, model_predictions, by)
    if model_predictions.probabilities is not None and indices is not None:
        arrays["probabilities"] = _in_columns(
            model_predictions.probabilities, indices, n_rows, len(work.classes), 0.0, by
        )
    if model_predictions.margins is not None and indices is not None:
        arrays |= _scores(work, model_predictions.margins, indices, n_rows, by)
    return arrays


def _class_indices(work: Work, model_predictions: PredictedModel, by: str) -> NDArray[np.int32] | None:
    classes = getattr(model_predictions, "classes_", None)
    return None if classes is None else work.codes_of(np.asarray(classes), by)


def _values(predictions: NDArray[Any], n_rows: int, by: str) -> NDArray[np.float64]:
    values = np.asarray(predictions, dtype=np.float64)
    if values.shape == (n_rows, 1):
        values = values[:, 0]
    if values.shape != (n_rows,):
        raise _wrong_shape(values, n_rows, by)
    return np.ascontiguousarray(values)


def _scores(work: Work, margins: NDArray[Any], indices: NDArray[np.int32], n_rows: int, by: str) -> Arrays:
    margins = np.asarray(margins, dtype=np.float64)
    if len(work.classes) == 2:
        if margins.shape != (n_rows,) or len(indices) != 2:
            return {}  # a model of one class has no margin
        # A margin is above 0 on the side of the last class of the model.
        is_last = work.classes[int(indices[-1])] == work.positive
        return {"scores": margins if is_last else -margins}
    if margins.ndim == 1 and len(indices) == 2:
        margins = np.stack([-margins, margins], axis=1)
    if margins.ndim != 2 or margins.shape[1] != len(indices):
        return {}  # one against one: no number for each class
    return {"scores": _in_columns(margins, indices, n_rows, len(work.classes), -np.inf, by)}


def _in_columns(
    table: NDArray[Any], indices: NDArray[np.int32], n_rows: int, n_classes: int, nothing: float, by: str
) -> NDArray[np.float64]:
    """Columns of a model's classes moved to those of the task's."""
    if table.shape != (n_rows, len(indices)):
        raise _wrong_shape(table, n_rows, by)
    moved = np.full((n_rows, n_classes), nothing)
    moved[:, indices] = table
    return moved


def _wrong_shape(predictions: NDArray[Any], n_rows: int, by: str) -> DataError:
    return DataError(
        f"{by} answered {n_rows} rows with an array of another shape",
        where=f"shape {predictions.shape}",
        fix="check what its predict and predict_proba give: one answer per row, a column per class",
    )


class PredictedModel:
    """The answers of a fitted model to some rows, in the form of an estimator that a scorer can ask.

    It has `predict_proba` and `decision_function` exactly if the model had, for these a scorer looks.

    classes:       of the model, in the order of its columns; None for a regression
    labels:        the answer for each row
    probabilities: row × class
    margins:       what decision_function gave
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


def predicted_by(model: Any, X: Any, needs: frozenset[str]) -> PredictedModel:
    """Ask a fitted model for what metrics with these needs look at, each thing once.

    Margins are asked for where scores are needed, and where a model has no probabilities.
    """
    has_margins, has_probabilities = hasattr(model, "decision_function"), hasattr(model, "predict_proba")
    by_probabilities, by_margins = _requested(model, has_margins, has_probabilities, needs)
    return PredictedModel(
        getattr(model, "classes_", None),
        np.asarray(model.predict(own_rows(model, X))) if needs & {"labels", "values"} else None,
        np.asarray(model.predict_proba(own_rows(model, X))) if by_probabilities else None,
        np.asarray(model.decision_function(own_rows(model, X))) if by_margins else None,
    )


def predicted_by_sweep(sweep: Any, X: Any, needs: frozenset[str]) -> Iterator[PredictedModel]:
    """The same for each setting of a sweep, in order."""
    first = sweep.model(0)
    has_margins, has_probabilities = hasattr(sweep, "decision_function"), hasattr(first, "predict_proba")
    by_probabilities, by_margins = _requested(first, has_margins, has_probabilities, needs)
    nothing = [None] * len(sweep)
    for labels, probabilities, margins in zip(
        sweep.predict(X) if needs & {"labels", "values"} else nothing,
        sweep.predict_proba(X) if by_probabilities else nothing,
        sweep.decision_function(X) if by_margins else nothing,
        strict=True,
    ):
        yield PredictedModel(getattr(first, "classes_", None), labels, probabilities, margins)


def _requested(
    model: Any, has_margins: bool, has_probabilities: bool, needs: frozenset[str]
) -> tuple[bool, bool]:
    """Whether probabilities are asked for, and whether margins are."""
    classes = getattr(model, "classes_", None)
    # Scorers take the margins of two classes before the probabilities, of more classes only these.
    are_margins_enough = has_margins and classes is not None and len(classes) <= 2
    by_probabilities = "probabilities" in needs or ("scores" in needs and not are_margins_enough)
    by_margins = "scores" in needs or ("probabilities" in needs and not has_probabilities)
    return has_probabilities and by_probabilities, has_margins and by_margins


def metric_value(
    metric: Metric, model_predictions: PredictedModel, judged: TrainingPart, notes: Notes, by: str = "a model"
) -> float:
    """What the metric's scorer says, in the metric's own direction; NaN with a note where it says nothing.

    Rows count by their weights, if they have some and the metric takes them.

    answered: what a model says of the rows
    judged:   the answers that are true, and the weights
    by:       the name of the learner, for the note
    """
    weights = judged.weights if judged.weights is not None and metric.takes("weights") else None
    try:
        value = metric.sign * metric.scorer(model_predictions, None, judged.y, weights)
        if math.isnan(value):
            notes.add(f"no {metric.name}: it is not defined for these rows")
        return value
    except MemoryError:
        raise
    except Exception as error:
        what = getattr(error, "what", "") or f"{type(error).__name__}: {error}"
        notes.add(f"no {metric.name}: {what.replace(PredictedModel.__name__, by)}")
        return float("nan")


def needs_of(metrics: Sequence[Metric]) -> frozenset[str]:
    """What answers the metrics look at; answers are always kept, and probabilities where there are some."""
    requested = {metric.needs for metric in metrics}
    return frozenset(requested if "values" in requested else requested | {"labels", "probabilities"})


def fold_scores(
    metrics: Sequence[Metric],
    model_predictions: PredictedModel,
    judged: TrainingPart,
    notes: Notes,
    by: str = "a model",
) -> dict[str, float]:
    """Each metric by its name; NaN with a note where these rows or this model have none.

    answered: the answers of a model to the rows
    judged:   the answers that are true, and the weights of the rows
    by:       the name of the learner, for notes
    """
    return {metric.name: metric_value(metric, model_predictions, judged, notes, by) for metric in metrics}
