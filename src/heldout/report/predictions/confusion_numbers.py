"""Which class was taken for which, out of fold: counts of one pass over the rows, and rates of each class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.report.predictions.fold_band import fold_spread
from heldout.report.predictions.requested_rows import RequestedRows
from heldout.report.predictions.short_numbers import one_rounded, rounded

Codes = NDArray[np.intp]
# What is rarer is counted as one class.
MOST_CLASSES = 20
OTHERS = "(others)"


def confusion_numbers(
    requested: RequestedRows, true: Codes, predicted: Codes, labels: list[str]
) -> dict[str, Any]:
    """Counts with a row for each true class, a mean over the repeats, and each class with its rates.

    true, said: codes of the classes, one for each question
    labels:     of the classes, in the order of the codes
    """
    is_right, parts, weights = true == predicted, requested.parts(), requested.weights
    largest = np.bincount(true, weights).max() / weights.sum()
    worst = _worst(true, predicted, weights, labels)
    kept = frequent_classes(true, weights, len(labels))
    is_joined = len(kept) < len(labels)
    if is_joined:
        labels = [*(labels[index] for index in kept.tolist()), OTHERS]
        true, predicted = _joined(true, kept), _joined(predicted, kept)
    n_classes = len(labels)
    counts = _counts(true, predicted, weights, n_classes)
    by_fold = np.array([_counts(true[part], predicted[part], weights[part], n_classes) for part in parts])
    accuracies = [float(np.average(is_right[part], weights=weights[part])) for part in parts]
    return {
        "labels": labels,
        "is_joined": is_joined,
        "counts": [rounded(row) for row in counts],
        "accuracy": one_rounded(float(np.average(is_right, weights=weights))),
        "accuracies": fold_spread(accuracies),
        "baseline": one_rounded(float(largest)),
        "classes": [_class(counts, by_fold, index, label) for index, label in enumerate(labels)],
        "worst": worst,
    }


def frequent_classes(true: Codes, weights: NDArray[np.float64], n_classes: int) -> Codes:
    """The codes that are shown by themselves, in their order: all, or the most frequent where many are."""
    if n_classes <= MOST_CLASSES:
        return np.arange(n_classes)
    sizes = np.bincount(true, weights, minlength=n_classes)
    return np.sort(np.argsort(-sizes, kind="stable")[: MOST_CLASSES - 1])


def _joined(codes: Codes, kept: Codes) -> Codes:
    """Codes of the classes that are kept, and one more for all others."""
    indices = np.searchsorted(kept, codes)
    is_kept = kept[np.minimum(indices, len(kept) - 1)] == codes
    return np.where(is_kept, indices, len(kept))


def _counts(
    true: Codes, predicted: Codes, weights: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    pairs = np.bincount(true * n_classes + predicted, weights, minlength=n_classes**2)
    return np.asarray(pairs, dtype=np.float64).reshape(n_classes, n_classes)


def _class(
    counts: NDArray[np.float64], by_fold: NDArray[np.float64], index: int, label: str
) -> dict[str, Any]:
    """Of the rows of the class the share that was found, of those said to be of it the share that is."""
    hits = by_fold[:, index, index]
    return {
        "label": label,
        "n_rows": one_rounded(float(counts[index].sum())),
        "recall": one_rounded(_share(counts[index, index], counts[index].sum())),
        "recalls": fold_spread(_shares(hits, by_fold[:, index].sum(axis=1))),
        "precision": one_rounded(_share(counts[index, index], counts[:, index].sum())),
        "precisions": fold_spread(_shares(hits, by_fold[:, :, index].sum(axis=1))),
    }


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else float("nan")


def _shares(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.divide(parts, wholes, out=np.full(len(parts), np.nan), where=wholes > 0))


def _worst(
    true: Codes, predicted: Codes, weights: NDArray[np.float64], labels: list[str]
) -> dict[str, Any] | None:
    """The most frequent mistake, by its own names; None where there is none."""
    wrong = np.flatnonzero(true != predicted)
    if not len(wrong):
        return None
    pairs, indices = np.unique(true[wrong] * len(labels) + predicted[wrong], return_inverse=True)
    sums = np.bincount(indices, weights[wrong])
    right, prediction = divmod(int(pairs[sums.argmax()]), len(labels))
    share = one_rounded(float(sums.max() / weights.sum()))
    return {"true": labels[right], "said": labels[prediction], "share": share} if share else None
