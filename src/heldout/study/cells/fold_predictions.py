"""What a fitted contender says of some rows, as the ledger keeps it: in the order of the task's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.study.cells.answered_model import AnsweredModel

if TYPE_CHECKING:
    from heldout.study.cells.work import Work

Arrays = dict[str, NDArray[Any]]


def fold_predictions(work: Work, answered: AnsweredModel, n_rows: int, by: str) -> Arrays:
    """The answers to some rows as arrays.

    For classes: "labels" (places among the classes of the task), "probabilities" (row × class of the task; a
    class that training never saw has 0), and "scores" where the model has margins: of two classes one number
    per row, larger where it is rather the class to spot; else row × class, −∞ for a class never seen.
    For numbers: "values".

    n_rows: how many rows were asked about
    by:     the name of the contender, for errors

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    >>> work = work_of(task, resolved(ho.Plan([ho.Contender("tree", ho.TreeClassifier())]), task, seed=1))
    >>> said = AnsweredModel(np.array(["Yes"]), np.array(["Yes"]), np.array([[1.0]]))
    >>> made = fold_predictions(work, said, 1, "tree")
    >>> made["labels"].tolist(), made["probabilities"].tolist()
    ([1], [[0.0, 1.0]])
    """
    assert answered.labels is not None
    if not work.is_classification:
        return {"values": _values(answered.labels, n_rows, by)}
    if answered.labels.shape != (n_rows,):
        raise _wrong_shape(answered.labels, n_rows, by)
    arrays: Arrays = {"labels": work.codes_of(answered.labels, by)}
    places = _class_places(work, answered, by)
    if answered.probabilities is not None and places is not None:
        arrays["probabilities"] = _in_columns(
            answered.probabilities, places, n_rows, len(work.classes), 0.0, by
        )
    if answered.margins is not None and places is not None:
        arrays |= _scores(work, answered.margins, places, n_rows, by)
    return arrays


def _class_places(work: Work, answered: AnsweredModel, by: str) -> NDArray[np.int32] | None:
    classes = getattr(answered, "classes_", None)
    return None if classes is None else work.codes_of(np.asarray(classes), by)


def _values(answers: NDArray[Any], n_rows: int, by: str) -> NDArray[np.float64]:
    values = np.asarray(answers, dtype=np.float64)
    if values.shape == (n_rows, 1):
        values = values[:, 0]
    if values.shape != (n_rows,):
        raise _wrong_shape(values, n_rows, by)
    return np.ascontiguousarray(values)


def _scores(work: Work, margins: NDArray[Any], places: NDArray[np.int32], n_rows: int, by: str) -> Arrays:
    margins = np.asarray(margins, dtype=np.float64)
    if len(work.classes) == 2:
        if margins.shape != (n_rows,) or len(places) != 2:
            return {}  # a model of one class has no margin
        # A margin is above 0 on the side of the last class of the model.
        is_last = work.classes[int(places[-1])] == work.positive
        return {"scores": margins if is_last else -margins}
    if margins.ndim == 1 and len(places) == 2:
        margins = np.stack([-margins, margins], axis=1)
    if margins.ndim != 2 or margins.shape[1] != len(places):
        return {}  # one against one: no number for each class
    return {"scores": _in_columns(margins, places, n_rows, len(work.classes), -np.inf, by)}


def _in_columns(
    table: NDArray[Any], places: NDArray[np.int32], n_rows: int, n_classes: int, nothing: float, by: str
) -> NDArray[np.float64]:
    """Columns of a model's classes moved to those of the task's."""
    if table.shape != (n_rows, len(places)):
        raise _wrong_shape(table, n_rows, by)
    moved = np.full((n_rows, n_classes), nothing)
    moved[:, places] = table
    return moved


def _wrong_shape(answers: NDArray[Any], n_rows: int, by: str) -> DataError:
    return DataError(
        f"{by} answered {n_rows} rows with an array of another shape",
        where=f"shape {answers.shape}",
        fix="check what its predict and predict_proba give: one answer per row, a column per class",
    )
