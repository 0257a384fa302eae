"""How probabilities enter: of one class, or one column per class, each between 0 and 1 and summing to 1."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError, RequestError
from heldout.metrics.class_rates import label_index, listed_labels
from heldout.metrics.label_counts import (
    check_row_counts,
    given_labels,
    label_codes,
    occurring_labels,
    row_weights,
)
from heldout.stats.checked_values import plain_numbers
from heldout.stats.metric_families import surprises
from heldout.stats.two_classes import label_array
from heldout.text.words import first_of_rows, plural

# A sum of probabilities that were kept in four bytes is off by so much.
SUM_TOLERANCE = 1e-4
_EDGE_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class ProbabilityRows:
    """Rows of a weight above 0, with what happened and what was said.

    happened:      the index of each row's label in the labels; with one positive class, 1 for it and 0 else
    probabilities: of one positive class, one per row; of several classes, a column for each
    labels:        the classes in the order of the columns
    positive:      the positive class; None where there are several
    weights:       of the rows; None where each counts once
    n_rows:        how many rows were given
    """

    happened: NDArray[np.int64]
    probabilities: Floats
    labels: tuple[Any, ...]
    positive: Any
    weights: Floats | None
    n_rows: int

    @property
    def is_of_one_class(self) -> bool:
        return self.probabilities.ndim == 1


def probability_rows(
    y: Any, probabilities: Any, labels: Any = None, weights: Any = None, positive: Any = None
) -> ProbabilityRows:
    """What happened beside what was said, checked.

    y:             the true label of each row
    probabilities: of the positive class, one per row; or a column for each label
    labels:        in the order of the columns, such as model.classes_; left out, those of y, sorted
    weights:       the sample weight of each row
    positive:      the class that one probability per row belongs to; left out, the last of two
    """
    table = _checked_numbers(probabilities)
    check_row_counts(len(label_array(y, "y")), len(table), "probabilities")
    row_weight = row_weights(weights, len(table))
    listed = occurring_labels(y) if labels is None else given_labels(labels)
    if table.ndim == 1:
        listed, positive = _labels_of_one(listed, labels is not None, positive)
        if len(listed) > 2:
            happened = (label_codes(y, "y", listed) == label_index(positive, listed)).astype(np.int64)
        else:
            other = next((each for each in listed if each != positive), None)
            happened = label_codes(y, "y", (other, positive))
    else:
        _check_table(table, listed)
        happened = label_codes(y, "y", listed)
        positive = _positive_of_two(listed, positive)
    n_rows = len(table)
    if row_weight is not None and not row_weight.all():
        kept = row_weight > 0
        table, happened, row_weight = table[kept], happened[kept], row_weight[kept]
    return ProbabilityRows(happened, table, listed, positive, row_weight, n_rows)


def of_the_positive(rows: ProbabilityRows) -> ProbabilityRows:
    """Two columns as one: the probability of the positive class."""
    if rows.is_of_one_class:
        return rows
    if rows.positive is None:
        raise RequestError(
            "this is about the probabilities of one class",
            where=f"probabilities has {rows.probabilities.shape[1]} columns: {listed_labels(rows.labels)}",
            fix="hand over the column of one class, and name it with positive=…",
        )
    index = label_index(rows.positive, rows.labels)
    happened = (rows.happened == index).astype(np.int64)
    column = np.ascontiguousarray(rows.probabilities[:, index])
    return ProbabilityRows(happened, column, rows.labels, rows.positive, rows.weights, rows.n_rows)


def _checked_numbers(probabilities: Any) -> Floats:
    fix = "give what predict_proba gives, or a column of it"
    table = plain_numbers(probabilities, "probabilities", fix)
    if table.ndim not in (1, 2):
        raise DataError(
            "probabilities must have one number per row, or one column per label",
            where=f"probabilities has the shape {table.shape}",
            fix=fix,
        )
    is_wrong = ~((table >= -_EDGE_TOLERANCE) & (table <= 1 + _EDGE_TOLERANCE))
    if is_wrong.any():
        example = f"{table[is_wrong][0]:g}"
        rows = np.asarray(is_wrong if table.ndim == 1 else is_wrong.any(axis=1))
        raise DataError(
            "probabilities lie between 0 and 1",
            where=first_of_rows(rows, example),
            fix="scores without that meaning are judged by roc; NaN means that the model gave no answer",
        )
    return np.clip(table, 0.0, 1.0)


def _check_table(table: Floats, labels: tuple[Any, ...]) -> None:
    if table.shape[1] != len(labels):
        raise DataError(
            f"probabilities has {plural(table.shape[1], 'column')} for {plural(len(labels), 'label')}",
            where=f"the labels are {listed_labels(labels)}",
            fix="say labels=model.classes_: a label may be missing from these rows",
        )
    is_off = np.abs(table.sum(axis=1) - 1.0) > SUM_TOLERANCE
    if is_off.any():
        example = f"{table.sum(axis=1)[is_off.argmax()]:.6g}"
        raise DataError(
            "the probabilities of a row must sum to 1",
            where=first_of_rows(is_off, example),
            fix="divide each row by its sum, or find out why it is not 1",
        )


def _labels_of_one(labels: tuple[Any, ...], are_given: bool, positive: Any) -> tuple[tuple[Any, ...], Any]:
    """The labels and the one that the probabilities are of; a class may be missing from y."""
    if len(labels) == 1 and not are_given:
        label = labels[0]
        if positive is not None and positive != label:
            return (label, positive), positive
        if positive is None and isinstance(label, bool | int | float) and label in (0, 1):
            both = (False, True) if isinstance(label, bool) else (0, 1)
            return both, both[1]
        if positive is not None:
            return (None, label), label
        raise RequestError(
            "y has one label, and it is not said whether the probabilities are of it",
            where=f"y has only {label!r}",
            fix="name the class of the probabilities with positive=…, or both with labels=[…]",
        )
    return labels, _named_positive(labels, positive)


def _named_positive(labels: tuple[Any, ...], positive: Any) -> Any:
    if positive is not None:
        return labels[label_index(positive, labels, "positive")]
    if len(labels) == 2:
        return max(labels)
    raise RequestError(
        "it is not said of which class the probabilities are",
        where=f"one probability per row, {len(labels)} labels: {listed_labels(labels)}",
        fix="give a column per label, or name the class with positive=…",
    )


def _positive_of_two(labels: tuple[Any, ...], positive: Any) -> Any:
    return _named_positive(labels, positive) if len(labels) == 2 else None


def log_loss(
    y: Any,
    probabilities: Any,
    labels: Any = None,
    weights: Any = None,
    positive: Any = None,
    clip: float = 0.0,
) -> float:
    """The mean of −ln of the probability of what happened; the smaller, the better.

    A probability of 0 for something that happened makes it infinite, however many rows there are: who is
    sure and wrong has lost. Whoever wants a finite number says by how much probabilities are clipped.

    Parameters
    ----------
    y
        the true label of each row
    probabilities
        of the positive class, one per row; or a column for each label
    labels
        in the order of the columns, such as model.`classes_`; left out, those of y, sorted
    weights
        the sample weight of each row
    positive
        the class that one probability per row belongs to; left out, the last of two
    clip
        probabilities below it count as this, and those above 1 − clip as that

    Examples
    --------
    >>> round(log_loss(["no", "yes"], [0.1, 0.7]), 6), log_loss([0, 1], [0.5, 0.0])
    (0.231018, inf)
    >>> round(log_loss([0, 1], [0.5, 0.0], clip=1e-3), 6)
    3.800451
    """
    edge = _checked_clip(clip)
    rows = probability_rows(y, probabilities, labels, weights, positive)
    surprise = _surprise(rows, edge)
    mean = surprise.mean() if rows.weights is None else np.average(surprise, weights=rows.weights)
    return float(mean) + 0.0


def _surprise(rows: ProbabilityRows, edge: float) -> NDArray[np.float64]:
    """−ln of the probability of what happened, for each row."""
    if not rows.is_of_one_class:
        return surprises(rows.probabilities, rows.happened, edge)
    clipped = np.clip(rows.probabilities, edge, 1.0 - edge)
    with np.errstate(divide="ignore"):
        # ln(1 − p) of a tiny p keeps its digits this way.
        return np.where(rows.happened == 1, -np.log(clipped), -np.log1p(-clipped))


def _checked_clip(clip: Any) -> float:
    if isinstance(clip, Real) and not isinstance(clip, bool) and 0 <= float(clip) < 0.5:
        return float(clip)
    raise RequestError(
        "clip must be at least 0 and below ½",
        where=f"clip={clip!r}",
        fix="use 0 for no clipping, or a small number such as 1e-15",
    )
