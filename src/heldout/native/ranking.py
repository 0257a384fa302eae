"""The kernels of ranked scores and of counted labels: steps, areas, placements, resamples, pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout import _native
from heldout.arrays import Floats

# So many whole numbers, the least and the greatest included, are counted as they stand.
MOST_CLOSE = 1024


@dataclass(frozen=True, eq=False)
class Steps:
    """What lies at or above each distinct score, from the highest score down.

    thresholds: the distinct scores, descending
    positives:  how many positive rows, or what weight of them, have at least this score
    negatives:  the same of the other rows
    area:       under the ROC curve; what `auc` finds
    """

    thresholds: Floats
    positives: Floats
    negatives: Floats
    area: float


def steps(
    scores: Floats, is_positive: NDArray[Any], weights: Floats | None = None, n_threads: int = 1
) -> Steps:
    """The distinct scores and what lies at or above each of them.

    Both zeros are one score, infinities have their places, and NaN is refused; rows of weight 0 are left
    out.

    scores:      one number per row
    is_positive: whether each row belongs to the class that high scores should point to
    weights:     of the rows; all count 1 without them
    n_threads:   the result does not depend on it
    """
    arrays, area = _native.steps(_numbers(scores), _flags(is_positive), _weights(weights), n_threads)
    return Steps(**arrays, area=area)


def auc(
    scores: Floats, is_positive: NDArray[Any], weights: Floats | None = None, n_threads: int = 1
) -> float:
    """The share of pairs of a positive and a negative row in which the positive one has the higher score.

    Ties count half. Pairs are counted in whole numbers and divided once, so the result is the double nearest
    to the true share; under weights it is within one unit of the last place. NaN if a class has no row, or
    no weight.

    scores:      one number per row
    is_positive: whether each row belongs to the class that high scores should point to
    weights:     of the rows; a pair counts by the product
    n_threads:   the result does not depend on it
    """
    return _native.area_under_curve(_numbers(scores), _flags(is_positive), _weights(weights), n_threads)


def placements(scores: Floats, is_positive: NDArray[Any], n_threads: int = 1) -> tuple[Floats, Floats]:
    """Where the rows of each class lie among those of the other, in the order of the rows.

    The first array has for each positive row the share of negative rows below it, the second for each
    negative row the share of positive rows above it; ties count half. The mean of each is the AUC. NaN if
    the other class has no row.
    """
    found = _native.placements(_numbers(scores), _flags(is_positive), n_threads)
    return found["of_positives"], found["of_negatives"]


def bootstrap_auc(
    scores: Floats,
    is_positive: NDArray[Any],
    n_resamples: int,
    seed: int,
    is_stratified: bool = False,
    n_threads: int = 1,
) -> Floats:
    """The AUC of resamples of the rows, drawn with replacement; the scores are ranked once.

    The draws are exact: every row is as likely as any other. NaN where a resample lacks a class.

    scores:        one number per row
    is_positive:   whether each row belongs to the class that high scores should point to
    n_resamples:   how many
    seed:          resample i depends on the seed and on i alone
    is_stratified: whether each class is resampled by itself, and so keeps its size
    n_threads:     the result does not depend on it
    """
    return _native.bootstrap_auc(
        _numbers(scores), _flags(is_positive), n_resamples, seed % 2**64, is_stratified, n_threads
    )


def count_pairs(
    rows: NDArray[Any], columns: NDArray[Any], n_rows: int, n_columns: int, weights: Floats | None = None
) -> NDArray[Any]:
    """How often each pair of codes occurs: a matrix of int64, or of the weights as float64.

    The weights of a cell are summed in two doubles: within one unit of the last place, in whatever order.

    rows, columns: whole numbers from 0 on
    weights:       of the pairs; all count 1 without them
    """
    rows, columns = _whole_arrays(rows, columns)
    if weights is None:
        return _native.count_pairs(rows, columns, 0, 0, n_rows, n_columns)
    return _native.weigh_pairs(rows, columns, 0, 0, n_rows, n_columns, _numbers(weights))


def count_label_pairs(
    rows: NDArray[Any], columns: NDArray[Any], weights: Floats | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sorted distinct labels of both arrays together, and how often each pair of them occurs.

    The fastest way from two arrays of labels to their confusion matrix: whole numbers that lie close
    together are counted as they stand, and others are looked up, but never sorted.

    rows, columns: labels of any type
    weights:       of the pairs; all count 1 without them
    """
    close = count_close_labels(rows, columns, weights)
    if close is not None:
        return close
    row_codes, of_rows = code_labels(rows)
    column_codes, of_columns = code_labels(columns)
    labels = np.unique(np.concatenate([of_rows, of_columns]))
    counts = count_pairs(row_codes, column_codes, len(of_rows), len(of_columns), weights)
    matrix = np.zeros((len(labels), len(labels)), dtype=counts.dtype)
    matrix[np.ix_(np.searchsorted(labels, of_rows), np.searchsorted(labels, of_columns))] = counts
    return labels, matrix


def count_close_labels(
    rows: NDArray[Any], columns: NDArray[Any], weights: Floats | None = None
) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """The same for whole numbers, both of one type, that lie close together; None where they do not."""
    if rows.dtype != columns.dtype or not _is_counted(rows.dtype):
        return None
    rows, columns = np.ascontiguousarray(rows), np.ascontiguousarray(columns)
    low, counts = _native.count_close_pairs(rows, columns, MOST_CLOSE)
    if not counts.size:
        return None
    kept = np.flatnonzero(counts.any(axis=0) | counts.any(axis=1))
    labels = np.array([low + index for index in kept.tolist()], dtype=rows.dtype)
    matrix: NDArray[Any] = counts
    if weights is not None:
        n_close = len(counts)
        matrix = _native.weigh_pairs(rows, columns, low, low, n_close, n_close, _numbers(weights))
    return labels, matrix[np.ix_(kept, kept)]


def code_labels(labels: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """The codes of labels, from 0 on, and the sorted distinct labels that the codes stand for.

    Labels of a fixed size in bytes (numbers, NumPy's strings, dates) are looked up in one pass; Python
    objects are sorted.
    """
    labels = np.ascontiguousarray(labels)
    if labels.dtype.kind == "f":
        labels = labels + labels.dtype.type(0)  # both zeros are one label
    if not _has_plain_bytes(labels):
        distinct, indices = np.unique(labels, return_inverse=True)
        return indices.astype(np.uint32), distinct
    found = _native.code_records(labels.view(np.uint8), labels.dtype.itemsize)
    seen = labels[found["first_rows"]]
    order = np.argsort(seen, kind="stable")
    rank = np.empty(len(order), dtype=np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return rank[found["codes"]], seen[order]


def _numbers(values: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)


def _weights(weights: NDArray[Any] | None) -> Floats | None:
    return None if weights is None else _numbers(weights)


def _flags(is_positive: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(is_positive, dtype=np.bool_).view(np.uint8)


def _whole_arrays(rows: NDArray[Any], columns: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both in one type that the kernel counts."""
    if rows.dtype != columns.dtype or not _is_counted(rows.dtype):
        rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    return np.ascontiguousarray(rows), np.ascontiguousarray(columns)


def _is_counted(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "biu" and dtype.isnative and dtype != np.uint64


def _has_plain_bytes(labels: NDArray[Any]) -> bool:
    """Whether labels are equal exactly if all their bytes are."""
    kind, n_bytes = labels.dtype.kind, labels.dtype.itemsize
    if kind == "f":
        return n_bytes <= 8 and not np.isnan(labels).any()
    return kind in "biuUSmM" and n_bytes > 0
