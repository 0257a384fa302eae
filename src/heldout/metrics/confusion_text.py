"""A confusion matrix in words, and as a table of letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.metrics.class_rates import ClassCells, rates
from heldout.stats.shown_number import shown, shown_alike
from heldout.table.describe import plural, shortened

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
    """Accuracy beside its baseline, balanced accuracy, and the class to spot."""
    total, n_right = counts.sum(), np.diagonal(counts).sum()
    majority = int(counts.sum(axis=1).argmax())
    baseline = float(counts.sum(axis=1)[majority] / total)
    said = f"always saying {labels[majority]!r:.40} gets {shown(baseline)}"
    accuracy = (
        f"accuracy {shown(float(n_right / total))} ({_counted(n_right, total, n_rows, counts)}; {said})"
    )
    n_classes = int(np.count_nonzero(counts.sum(axis=1)))
    balanced = f"balanced accuracy {shown(balanced_accuracy)} over {plural(n_classes, 'class', 'classes')}"
    sentences = [f"{accuracy}, {balanced}."]
    if positive is not None:
        sentences.append(_of_one_class(positive, list(labels).index(positive), cells))
    return [*sentences, _NOT_SAID]


def confusion_table(counts: NDArray[Any], labels: Sequence[Any], cells: ClassCells) -> str:
    """The matrix, true labels below each other, with recall at the right and precision below."""
    names = [shortened(str(label), _WIDEST_LABEL) for label in labels]
    precision, recall = (rates(parts, math.nan) for parts in (cells.precision, cells.recall))
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


def _of_one_class(label: Any, place: int, cells: ClassCells) -> str:
    named = {"precision": cells.precision, "recall": cells.recall, "F1": cells.f(1.0)}
    found = {name: float(rates(parts, math.nan)[place]) for name, parts in named.items()}
    words = ", ".join(f"{name} {shown(rate) if rate == rate else '0/0'}" for name, rate in found.items())
    return f"With {label!r:.40} as the class to spot: {words}."


def _cell(count: float) -> str:
    return f"{count:,}" if isinstance(count, int) else f"{count:.6g}"


def _rate(rate: float) -> str:
    return shown_alike([rate], guide=1.0)[0] if rate == rate else "–"
