"""The confusion matrix, and every rate that can be read from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.confusion_picture import PictureMatrix, confusion_svg
from heldout.errors import DataError, RequestError
from heldout.metrics.class_rates import (
    ClassCells,
    averaged,
    checked_average,
    checked_beta,
    checked_zero_division,
    class_cells,
    label_index,
    listed_labels,
    rates,
)
from heldout.metrics.label_counts import given_labels, label_counts, sorted_labels
from heldout.stats.interval import Result, plain
from heldout.stats.metric_families import NPV, PRECISION, RECALL, SPECIFICITY
from heldout.text.numbers import number_text, number_texts
from heldout.text.words import plural, shorten


@dataclass(frozen=True, eq=False)
class Confusion(Result):
    """How often each label was answered by which.

    Attributes
    ----------
    counts
        rows or weights of rows, true label × answer
    labels
        of the rows and columns of `counts`
    positive
        the positive class where none is named; None where there is none
    n_rows
        how many rows were judged, whatever their weights

    Notes
    -----
    Every rate takes the same three arguments. `label` is the positive class: left out, it is `positive`.
    `average` is over all classes: "macro" (each counts the same), "weighted" (by their rows) or "micro" (the
    rate of the sums). `zero_division` is what 0/0 shall be: 0, 1 or NaN; averages leave NaN out.

    Examples
    --------
    >>> matrix = confusion(["yes", "yes", "yes", "no"], ["yes", "yes", "no", "no"])
    >>> matrix.accuracy, matrix.precision(), matrix.recall("no"), round(matrix.f(average="macro"), 3)
    (0.75, 1.0, 1.0, 0.733)
    """

    counts: NDArray[Any]
    labels: tuple[Any, ...]
    positive: Any = None
    n_rows: int = 0

    @classmethod
    def of_counts(cls, counts: Any, labels: Any, positive: Any = None) -> Confusion:
        """The same from a matrix that has been counted already.

        Parameters
        ----------
        counts
            true label × answer, numbers of at least 0
        labels
            one for each row, and for the column of the same place
        positive
            the positive class; left out, the last of two in sorted order

        Examples
        --------
        >>> print(Confusion.of_counts([[0, 1], [3, 7]], ["no", "yes"]).accuracy)
        0.6363636363636364
        """
        listed = given_labels(labels)
        matrix = _checked_matrix(counts, len(listed))
        return cls(_frozen(matrix), listed, _positive(listed, positive), round(float(matrix.sum())))

    @property
    def total(self) -> float:
        """The weight of all rows; without weights, their number."""
        return float(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """The share of rows that are predicted right."""
        return float(np.diagonal(self.counts).sum()) / self.total

    @property
    def error(self) -> float:
        """The share of rows that are predicted wrong."""
        return float((self.counts - np.diag(np.diagonal(self.counts))).sum()) / self.total

    @property
    def majority(self) -> Any:
        """The most frequent true label; of several the first among `labels`."""
        return self.labels[int(self.counts.sum(axis=1).argmax())]

    @property
    def baseline(self) -> float:
        """The accuracy of always saying the most frequent label: what a model has to beat."""
        return float(self.counts.sum(axis=1).max()) / self.total

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that occur in y; a class without rows has no recall and is left out.

        Whoever always says the same gets 1 divided by the number of those classes.
        """
        return averaged(self.cells.shares(RECALL), "macro", self._class_weights, np.nan)

    @property
    def cells(self) -> ClassCells:
        """True and false positives and negatives of every class against the others."""
        return class_cells(self.counts)

    def normalized(self) -> Floats:
        """Of each true label the shares of the answers; a row of 0 where the label does not occur.

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 0, 0]).normalized()
        array([[1. , 0. ],
               [0.5, 0.5]])
        """
        totals = self.counts.sum(axis=1, keepdims=True).astype(np.float64)
        return np.asarray(self.counts / np.where(totals > 0, totals, 1.0))

    def precision(self, label: Any = None, average: str | None = None, zero_division: float = 0.0) -> float:
        """Of the rows that were said to be of the class, the share that is.

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 1, 1]).precision()
        0.6666666666666666
        """
        return self._rate(self.cells.shares(PRECISION), label, average, zero_division)

    def recall(self, label: Any = None, average: str | None = None, zero_division: float = 0.0) -> float:
        """Of the rows of the class, the share that was found.

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 0, 0]).recall()
        0.5
        """
        return self._rate(self.cells.shares(RECALL), label, average, zero_division)

    def sensitivity(self, label: Any = None, average: str | None = None, zero_division: float = 0.0) -> float:
        """Recall, by the name that medicine has for it.

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 0, 0]).sensitivity()
        0.5
        """
        return self._rate(self.cells.shares(RECALL), label, average, zero_division)

    def specificity(self, label: Any = None, average: str | None = None, zero_division: float = 0.0) -> float:
        """Of the rows of other classes, the share that was not taken for this one.

        With two classes it is the recall of the other class.

        Examples
        --------
        >>> confusion([1, 0, 0], [1, 1, 0]).specificity()
        0.5
        """
        return self._rate(self.cells.shares(SPECIFICITY), label, average, zero_division)

    def npv(self, label: Any = None, average: str | None = None, zero_division: float = 0.0) -> float:
        """Of the rows that were said to be of other classes, the share that is (negative predictive value).

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 0, 0]).npv()
        0.5
        """
        return self._rate(self.cells.shares(NPV), label, average, zero_division)

    def f(
        self,
        beta: float = 1.0,
        label: Any = None,
        average: str | None = None,
        zero_division: float = 0.0,
    ) -> float:
        """The harmonic mean of precision and of recall, which counts β² times as much.

        Counted as (1 + β²)TP / ((1 + β²)TP + β²FN + FP): a class that was never found has 0 and not 0/0.

        Parameters
        ----------
        beta
            0 is precision, 1 is F1, infinity is recall

        Examples
        --------
        >>> matrix = confusion([1, 1, 1, 0], [1, 1, 0, 0])
        >>> matrix.f(0), matrix.f(), round(matrix.f(float("inf")), 3)
        (1.0, 0.8, 0.667)
        """
        return self._rate(self.cells.f(checked_beta(beta)), label, average, zero_division)

    def per_class(self, zero_division: float = 0.0) -> tuple[dict[str, Any], ...]:
        """Every rate of every class, in the order of `labels`.

        Examples
        --------
        >>> confusion([1, 1, 0], [1, 0, 0]).per_class()[1]["recall"]
        0.5
        """
        nothing = checked_zero_division(zero_division)
        cells = self.cells
        columns = {
            "precision": rates(cells.shares(PRECISION), nothing),
            "recall": rates(cells.shares(RECALL), nothing),
            "f1": rates(cells.f(), nothing),
            "specificity": rates(cells.shares(SPECIFICITY), nothing),
            "npv": rates(cells.shares(NPV), nothing),
            "n_true": self.counts.sum(axis=1),
            "n_predicted": self.counts.sum(axis=0),
        }
        return tuple(
            {"label": label} | {name: column[index].item() for name, column in columns.items()}
            for index, label in enumerate(self.labels)
        )

    def to_text(self) -> str:
        """The matrix with the recall of each row and the precision of each column."""
        return confusion_table(self.counts, self.labels, self.cells)

    def to_dict(self) -> dict[str, Any]:
        """The fields, and what can be read from them."""
        summary = {
            "accuracy": self.accuracy,
            "error": self.error,
            "balanced_accuracy": self.balanced_accuracy,
            "baseline": self.baseline,
            "majority": self.majority,
            "per_class": self.per_class(),
        }
        return {name: _plain_labels(value) for name, value in (super().to_dict() | plain(summary)).items()}

    def to_svg(self) -> str:
        """The matrix as a picture, each row shaded by its shares."""
        title = f"Confusion of {plural(self.n_rows, 'row')}"
        caption = f"accuracy {number_text(self.accuracy)}, baseline {number_text(self.baseline)}"
        names = tuple(str(label) for label in self.labels)
        return confusion_svg(PictureMatrix(title, caption, str(self), names, self.counts))

    def __str__(self) -> str:
        return " ".join(
            confusion_sentences(
                self.counts, self.labels, self.positive, self.n_rows, self.balanced_accuracy, self.cells
            )
        )

    @property
    def _class_weights(self) -> Floats:
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    def _rate(
        self, parts: tuple[Floats, Floats], label: Any, average: str | None, zero_division: float
    ) -> float:
        nothing = checked_zero_division(zero_division)
        if average is not None:
            if label is not None:
                raise RequestError(
                    "a class or an average can be asked for, not both",
                    where=f"label={label!r}, average={average!r}",
                    fix="leave one of them out",
                )
            return averaged(parts, checked_average(average), self._class_weights, nothing)
        wanted = self.positive if label is None else label
        if wanted is None:
            raise RequestError(
                "it is not said which class is meant",
                where=f"{len(self.labels)} labels: {listed_labels(self.labels)}",
                fix='name one with label=…, or ask for average="macro"; with labels=[…] two classes stay two',
            )
        return float(rates(parts, nothing)[label_index(wanted, self.labels)])


def confusion(
    y: Any, predicted: Any, labels: Any = None, weights: Any = None, positive: Any = None
) -> Confusion:
    """Count how often each label was answered by which.

    Parameters
    ----------
    y
        the true label of each row: a list, an array, a series or a Column
    predicted
        the answer for each row
    labels
        all labels, in the order of the matrix; left out, those that occur, sorted. One that does not
        occur has a row of zeros; one that occurs and is not listed is refused
    weights
        the sample weight of each row, at least 0 and not all 0
    positive
        the positive class where a rate names none; left out, the last of two in sorted order

    Examples
    --------
    >>> print(confusion(["no", "no", "yes", "yes"], ["no", "yes", "yes", "yes"]).to_text())
    true \\ predicted     no    yes  recall
    no                    1      1   0.500
    yes                   0      2   1.000
    precision         1.000  0.667   0.750
    """
    counts, found, n_rows = label_counts(y, predicted, labels, weights)
    if labels is None and positive is not None and len(found) == 1 and positive != found[0]:
        # A fold may lack the positive class.
        counts, found, n_rows = label_counts(y, predicted, sorted_labels([found[0], positive]), weights)
    return Confusion(_frozen(counts), found, _positive(found, positive), n_rows)


def _positive(labels: tuple[Any, ...], requested: Any) -> Any:
    if requested is not None:
        return labels[label_index(requested, labels, "positive")]
    return max(labels) if len(labels) == 2 else None


def _frozen(counts: NDArray[Any]) -> NDArray[Any]:
    counts.flags.writeable = False
    return counts


def _checked_matrix(counts: Any, n_labels: int) -> NDArray[Any]:
    try:
        matrix = np.array(counts)
    except ValueError:  # rows of several lengths
        matrix = np.empty(0)
    if matrix.dtype.kind not in "iuf" or matrix.shape != (n_labels, n_labels):
        raise DataError(
            "counts must be a square matrix of numbers, a row and a column for each label",
            where=f"{matrix.dtype} of the shape {matrix.shape}, {n_labels} labels",
            fix="give the true labels as rows and the answers as columns",
        )
    if not (np.isfinite(matrix).all() and (matrix >= 0).all() and matrix.any()):
        raise DataError(
            "counts must be finite, at least 0 and not all 0",
            where=f"from {matrix.min():g} to {matrix.max():g}" if matrix.size else "an empty matrix",
            fix="give how often each label was answered by which",
        )
    with np.errstate(over="ignore"):
        if not np.isfinite(matrix.sum()):
            raise DataError(
                "the counts are so large that their sum is infinite",
                where=f"up to {matrix.max():g}",
                fix="divide them all by the same number",
            )
    return matrix


def _plain_labels(value: Any) -> Any:
    """Labels that JSON cannot hold, such as dates, as words."""
    if isinstance(value, list):
        return [_plain_labels(entry) for entry in value]
    if isinstance(value, dict):
        return {name: _plain_labels(entry) for name, entry in value.items()}
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


_WIDEST_LABEL = 24
_NOT_SAID = "These are shares of these rows; rate_interval says how far they may be off for others."


def confusion_sentences(
    counts: NDArray[Any],
    labels: Sequence[Any],
    positive: Any,
    n_rows: int,
    balanced_accuracy: float,
    cells: ClassCells,
) -> list[str]:
    """Accuracy beside its baseline, balanced accuracy, and the positive class."""
    total, n_right = counts.sum(), np.diagonal(counts).sum()
    majority = int(counts.sum(axis=1).argmax())
    baseline = float(counts.sum(axis=1)[majority] / total)
    stated = f"always saying {labels[majority]!r:.40} gets {number_text(baseline)}"
    counted = _counted(n_right, total, n_rows, counts)
    accuracy = f"accuracy {number_text(float(n_right / total))} ({counted}; {stated})"
    n_classes = int(np.count_nonzero(counts.sum(axis=1)))
    balanced = (
        f"balanced accuracy {number_text(balanced_accuracy)} over {plural(n_classes, 'class', 'classes')}"
    )
    sentences = [f"{accuracy}, {balanced}."]
    if positive is not None:
        sentences.append(_of_one_class(positive, list(labels).index(positive), cells))
    return [*sentences, _NOT_SAID]


def confusion_table(counts: NDArray[Any], labels: Sequence[Any], cells: ClassCells) -> str:
    """The matrix, true labels below each other, with recall at the right and precision below."""
    names = [shorten(str(label), _WIDEST_LABEL) for label in labels]
    precision, recall = (rates(parts, math.nan) for parts in (cells.shares(PRECISION), cells.shares(RECALL)))
    accuracy = float(np.diagonal(counts).sum() / counts.sum())
    lines = [["true \\ predicted", *names, "recall"]]
    for name, row, rate in zip(names, counts.tolist(), recall.tolist(), strict=True):
        lines.append([name, *(_cell(count) for count in row), _rate(rate)])
    lines.append(["precision", *(_rate(rate) for rate in precision.tolist()), _rate(accuracy)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    )


def _counted(n_right: Any, total: Any, n_rows: int, counts: NDArray[Any]) -> str:
    if counts.dtype.kind in "iu":
        return f"{int(n_right):,} of {plural(n_rows, 'row')}"
    return f"weight {n_right:.6g} of {total:.6g}, {plural(n_rows, 'row')}"


def _of_one_class(label: Any, index: int, cells: ClassCells) -> str:
    named = {"precision": cells.shares(PRECISION), "recall": cells.shares(RECALL), "F1": cells.f()}
    found = {name: float(rates(parts, math.nan)[index]) for name, parts in named.items()}
    words = ", ".join(
        f"{name} {number_text(rate) if rate == rate else '0/0'}" for name, rate in found.items()
    )
    return f"With {label!r:.40} as the positive class: {words}."


def _cell(count: float) -> str:
    return f"{count:,}" if isinstance(count, int) else f"{count:.6g}"


def _rate(rate: float) -> str:
    return number_texts([rate], guide=1.0)[0] if rate == rate else "–"
