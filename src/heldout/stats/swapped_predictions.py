"""Swapping the answers of rows or groups one by one, for metrics that are no function of counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.native.ranking import auc
from heldout.stats.auc_interval import compare_auc
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import check_same_length
from heldout.stats.two_classes import label_array, positive_rows, score_values, sorted_classes
from heldout.table.column import Column
from heldout.text.words import first_of_rows, plural

Codes = NDArray[np.int64]
Metric = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class SwapRequest:
    """What was asked of the swaps.

    n_swaps:    how many are drawn, and up to how many all are looked at
    seed:       of the draws
    positive:   the positive class, or None
    groups:     a group per row whose rows are swapped together, or None
    names:      of the two
    confidence: of the interval of the difference
    """

    n_swaps: int = 10_000
    seed: int = 0
    positive: Any = None
    groups: Any = None
    names: tuple[str, str] = ("A", "B")
    confidence: float = 0.95


@dataclass(frozen=True)
class SwapTest:
    """What swapping found.

    p_value:      of the difference, two-sided
    value_a, value_b: the metric of both, as they are
    is_exact:     whether every swap was looked at
    n_different:  rows that the two answer differently
    n_units:      rows or groups
    unit:         which of the two
    notes:        what is to be said about the swaps
    """

    p_value: float
    value_a: float
    value_b: float
    is_exact: bool
    n_different: int
    n_units: int
    unit: str = "row"
    notes: tuple[str, ...] = ()


def swap_predictions(
    y: Any, predicted_a: Any, predicted_b: Any, metric: Metric, request: SwapRequest
) -> SwapTest:
    """The test for any function of the truth and the answers."""
    if request.positive is not None:
        raise RequestError(
            "a function gets y and the answers alone",
            where=f"positive={request.positive!r:.40}",
            fix="let the function know its class, such as lambda y, answer: score(y, answer, pos_label=…)",
        )
    truth = label_array(y)
    a, b = _predictions(predicted_a, "predicted_a"), _predictions(predicted_b, "predicted_b")
    check_same_length({"y": len(truth), "predicted_a": len(a), "predicted_b": len(b)})
    if a.shape != b.shape:
        raise DataError(
            "the answers of the two have different shapes",
            where=f"predicted_a has {a.shape}, predicted_b has {b.shape}",
            fix="give both in the same form",
        )
    return _swapped(a, b, lambda predictions: _number(metric, truth, predictions), request)


def swap_ranks(y: Any, scores_a: Any, scores_b: Any, request: SwapRequest) -> tuple[SwapTest, Interval]:
    """The test of two AUCs: ranks are swapped, so that the scale of the scores does not matter."""
    from scipy.stats import rankdata

    is_positive, _ = positive_rows(y, request.positive)
    n_rows = len(is_positive)
    ranks_a = np.asarray(rankdata(score_values(scores_a, n_rows, "scores_a")), dtype=np.float64)
    ranks_b = np.asarray(rankdata(score_values(scores_b, n_rows, "scores_b")), dtype=np.float64)
    difference = compare_auc(
        y, scores_a, scores_b, request.positive, request.names, request.confidence
    ).difference
    assert difference is not None
    found = _swapped(ranks_a, ranks_b, lambda scores: auc(scores, is_positive), request)
    return found, difference


def unit_codes(groups: Any, n_rows: int) -> Codes:
    """The group of each row, from 0 on."""
    labels = label_array(groups, "groups")
    if len(labels) != n_rows:
        raise DataError(
            "groups does not fit y",
            where=f"groups has {plural(len(labels), 'row')}, y has {n_rows:,}",
            fix="give one group per row",
        )
    sorted_classes(labels)
    return np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)


def _swapped(
    a: NDArray[Any], b: NDArray[Any], value: Callable[[NDArray[Any]], float], request: SwapRequest
) -> SwapTest:
    is_different = np.asarray(a != b)
    if is_different.ndim > 1:
        is_different = np.asarray(is_different.any(axis=tuple(range(1, is_different.ndim))))
    n_rows = len(a)
    codes = np.arange(n_rows) if request.groups is None else unit_codes(request.groups, n_rows)
    n_units = int(codes.max(initial=-1)) + 1
    unit, n_different = "row" if request.groups is None else "group", int(is_different.sum())
    value_a, value_b = (value(a), value(b)) if n_rows else (math.nan, math.nan)
    if not n_different:
        return SwapTest(1.0, value_a, value_b, True, 0, n_units, unit)
    if math.isnan(value_a - value_b):
        note = "The metric has no value for one of the two, so there is no test."
        return SwapTest(math.nan, value_a, value_b, False, n_different, n_units, unit, (note,))
    least = abs(value_a - value_b) - 1e-12 * (abs(value_a) + abs(value_b))
    # Only units in which something differs are swapped.
    movable, index = np.unique(codes[is_different], return_inverse=True)
    is_exact = len(movable) < 63 and 2 ** len(movable) <= request.n_swaps
    masks = _all_masks(len(movable)) if is_exact else _random_masks(len(movable), request)
    rows, n_seen, n_extreme, n_without = np.flatnonzero(is_different), 0, 0, 0
    for mask in masks:
        swapped = rows[mask[index.ravel()]]
        first, second = a.copy(), b.copy()
        first[swapped], second[swapped] = b[swapped], a[swapped]
        difference = value(first) - value(second)
        n_seen += 1
        n_without += math.isnan(difference)
        n_extreme += not abs(difference) < least
    p_value = n_extreme / n_seen if is_exact else (1 + n_extreme) / (1 + n_seen)
    notes = (f"{n_without:,} of {n_seen:,} swaps gave no value and count as extreme.",) if n_without else ()
    return SwapTest(p_value, value_a, value_b, is_exact, n_different, n_units, unit, notes)


def _all_masks(n_units: int) -> Iterator[NDArray[np.bool_]]:
    indices = np.arange(n_units)
    for number in range(2**n_units):
        yield (number >> indices & 1).astype(np.bool_)


def _random_masks(n_units: int, request: SwapRequest) -> Iterator[NDArray[np.bool_]]:
    generator = np.random.default_rng(request.seed)
    for _ in range(request.n_swaps):
        yield generator.integers(0, 2, size=n_units, dtype=np.int8).astype(np.bool_)


def _predictions(predictions: Any, name: str) -> NDArray[Any]:
    """Labels, scores or a column of probabilities per class; a gap is refused."""
    if isinstance(predictions, Column) or np.ndim(predictions) == 1:
        return label_array(predictions, name)
    array = np.asarray(predictions)
    if array.ndim < 1 or array.dtype.kind not in "biuf":
        raise InputTypeError(
            f"{name} must be one answer per row",
            where=f"{name}, a {type(predictions).__name__}",
            fix="give labels, scores, or a column of probabilities per class",
        )
    is_missing = np.isnan(array).any(axis=tuple(range(1, array.ndim)))
    if is_missing.any():
        raise DataError(f"{name} holds NaN", where=first_of_rows(is_missing), fix="leave those rows out")
    return array


def _number(metric: Metric, y: NDArray[Any], predictions: NDArray[Any]) -> float:
    value = metric(y, predictions)
    if isinstance(value, Real) or hasattr(value, "__float__"):
        return float(value)
    raise InputTypeError(
        "the metric did not give a number",
        where=f"it gave {value!r:.60}",
        fix="let it return a float; NaN where there is none",
    )
