"""The randomization test: if it does not matter who answered, answers can be swapped row by row."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_choice, check_confidence, check_count, check_seed
from heldout.errors import InputTypeError
from heldout.stats.bootstrap_ends import bootstrap_interval, checked_request
from heldout.stats.comparison import Significance
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import Codes, PredictionPairs, pair_names, prediction_pairs
from heldout.stats.swapped_predictions import (
    Metric,
    SwapRequest,
    SwapTest,
    swap_predictions,
    swap_ranks,
    unit_codes,
)
from heldout.stats.tallies import NAMES, TallyMetric, tally_metric
from heldout.text.numbers import number_text
from heldout.text.words import plural

SYNONYMS = {"f_score": "f1", "f": "f1", "sensitivity": "recall", "roc_auc": "auc", "area": "auc"}
N_RESAMPLES = 2_000


def randomization_test(
    y: Any,
    predicted_a: Any,
    predicted_b: Any,
    metric: str | Callable[[Any, Any], Any],
    n_swaps: int = 10_000,
    seed: int = 0,
    positive: Any = None,
    groups: Any = None,
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
) -> Significance:
    """Whether two models differ by any metric: their answers to a row are swapped at random.

    Parameters
    ----------
    y, predicted_a, predicted_b
        the truth, and the answers of both: labels, or what the metric takes
    metric
        "accuracy", "balanced_accuracy", "macro_f1", "f1", "precision", "recall" of labels, "auc" of
        scores, or a function of y and the answers that gives a number; 0/0 is 0
    n_swaps
        how many swaps are drawn; where there are no more in all, each is looked at and p is exact
    seed
        the same seed gives the same answer
    positive
        the positive class; left out, of two classes the last in sorted order
    groups
        rows of one group are swapped together, since they are not independent
    names
        of the two, for the sentences
    confidence
        of the interval of the difference: percentile bootstrap, for "auc" DeLong's, for a function none

    Notes
    -----
    p counts the answers as they are among the swaps, (1 + those as extreme) / (1 + n_swaps), and so is never
    below 1 / (1 + n_swaps). For "auc" the ranks of each model's scores are swapped, since their scales may
    differ; a function gets the answers as they are. A swap for which it gives NaN counts as extreme.

    Examples
    --------
    >>> y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> tree = [1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    >>> coin = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0]
    >>> found = randomization_test(y, tree, coin, "f1", names=("tree", "coin"))
    >>> round(found.difference.estimate, 4), round(found.p_value, 4), found.test
    (0.3556, 0.25, 'exact randomization test of f1')
    """
    n_swaps, seed = check_count("n_swaps", n_swaps, lowest=1), check_seed(seed)
    request = SwapRequest(n_swaps, seed, positive, groups, pair_names(names), check_confidence(confidence))
    if isinstance(metric, str):
        check_choice("metric", metric, (*NAMES, "auc"), SYNONYMS)
    elif not callable(metric):
        raise InputTypeError(
            "metric must be a name, or a function of y and the answers",
            where=f"metric={metric!r:.60}",
            fix=f"use one of {', '.join(map(repr, (*NAMES, 'auc')))}, or a function",
        )
    name = _name_of(metric)
    if metric == "auc":
        found, difference = swap_ranks(y, predicted_a, predicted_b, request)
    elif isinstance(metric, str):
        found, difference = _swap_labels(prediction_pairs(y, predicted_a, predicted_b), name, request)
    else:
        found = swap_predictions(y, predicted_a, predicted_b, metric, request)
        difference = _no_interval(found, name, request)
    return _reported(found, difference, name, request)


def _swap_labels(pairs: PredictionPairs, name: str, request: SwapRequest) -> tuple[SwapTest, Interval]:
    """The test by counts alone, and the interval of the difference from resampled counts."""
    metric = tally_metric(name, pairs, request.positive)
    codes = None if request.groups is None else unit_codes(request.groups, len(pairs.y))
    units = swap_units(pairs, metric, codes)
    unit = "row" if codes is None else "group"
    generator = np.random.default_rng(request.seed)
    value_a, value_b = units.values(metric) if len(pairs.y) else (math.nan, math.nan)
    n_different = int((pairs.a != pairs.b).sum())
    p_value, is_exact = _p_of_counts(units, metric, value_a - value_b, request.n_swaps, generator)
    found = SwapTest(p_value, value_a, value_b, is_exact, n_different, units.n_units, unit)
    requested = checked_request(
        "percentile", N_RESAMPLES, request.confidence, _what(name, request.names), reference=0.0
    )
    resampled = np.full(1, math.nan)
    if len(pairs.y):
        resampled = resampled_differences(units, metric, N_RESAMPLES, generator)
    return found, bootstrap_interval(requested, value_a - value_b, resampled, list, units.n_units, unit)


def _p_of_counts(
    units: SwapUnits, metric: TallyMetric, observed: float, n_swaps: int, generator: np.random.Generator
) -> tuple[float, bool]:
    swaps = swaps_of(units)
    if not len(swaps.counts):
        return 1.0, True
    # What is as extreme but for rounding is as extreme.
    least = abs(observed) - 1e-12
    if swaps.n_outcomes <= n_swaps:
        differences, probabilities = all_differences(units, swaps, metric)
        return min(float(probabilities[np.abs(differences) >= least].sum()), 1.0), True
    differences = drawn_differences(units, swaps, metric, n_swaps, generator)
    return (1 + int((np.abs(differences) >= least).sum())) / (1 + n_swaps), False


def _reported(found: SwapTest, difference: Interval, name: str, request: SwapRequest) -> Significance:
    first, second = request.names
    test = f"randomization test of {name}"
    made = f"exact {test}" if found.is_exact else f"{test} by {request.n_swaps:,} swaps"
    notes = list(found.notes)
    if not found.n_different:
        notes.append("Both give the same answers, so nothing speaks for either.")
    return Significance(
        made,
        f"it does not matter which of {first} and {second} answers",
        found.p_value,
        found.value_a - found.value_b,
        found.n_units,
        found.unit,
        f"{first} {number_text(found.value_a)}, {second} {number_text(found.value_b)},"
        f" {plural(found.n_different, 'row')} answered differently",
        difference,
        (*notes, *difference.notes),
        {
            "value_a": found.value_a,
            "value_b": found.value_b,
            "n_different": float(found.n_different),
            "is_exact": float(found.is_exact),
        },
    )


def _no_interval(found: SwapTest, name: str, request: SwapRequest) -> Interval:
    note = "Of a function there is no interval here; `bootstrap` makes one."
    return Interval(
        _what(name, request.names),
        found.value_a - found.value_b,
        math.nan,
        math.nan,
        request.confidence,
        "none",
        found.n_units,
        found.unit,
        0.0,
        (note,),
    )


def _what(name: str, pair: tuple[str, str]) -> str:
    return f"{name} of {pair[0]} minus {name} of {pair[1]}"


def _name_of(metric: Metric | str) -> str:
    if isinstance(metric, str):
        return metric
    name = getattr(metric, "name", None) or getattr(metric, "__name__", "")
    return name if isinstance(name, str) and name and name != "<lambda>" else "metric"


# Numbers that are held at once.
_MOST_DRAWN = 1 << 21


@dataclass(frozen=True)
class SwapUnits:
    """What is swapped or drawn as a whole, rows or groups, each kind of them once.

    counts:   how many units of each kind there are
    of_a:     what a unit of this kind adds to the sums of the first: kinds × sums
    of_b:     and to those of the second
    of_sizes: and to the sizes of the classes
    """

    counts: NDArray[np.int64]
    of_a: Floats
    of_b: Floats
    of_sizes: Floats

    @property
    def n_units(self) -> int:
        return int(self.counts.sum())

    def values(self, metric: TallyMetric) -> tuple[float, float]:
        """The metric of both, as they are."""
        sums_a, sums_b, sizes = (
            (self.counts @ part)[np.newaxis] for part in (self.of_a, self.of_b, self.of_sizes)
        )
        return float(metric.value(sums_a, sizes)[0]), float(metric.value(sums_b, sizes)[0])


def swap_units(pairs: PredictionPairs, metric: TallyMetric, groups: Codes | None = None) -> SwapUnits:
    """The kinds of rows, or of groups.

    groups: the group of each row, from 0 on; left out, every row stands for itself
    """
    n_classes = max(len(pairs.classes), 1)
    kinds = (pairs.y * n_classes + pairs.a) * n_classes + pairs.b
    _, first, kind_of_row, counts = np.unique(
        kinds, return_index=True, return_inverse=True, return_counts=True
    )
    y, a, b = pairs.y[first], pairs.a[first], pairs.b[first]
    of_a, of_b = metric.tallies(y, a), metric.tallies(y, b)
    of_sizes = (y[:, np.newaxis] == np.arange(n_classes)).astype(np.float64)
    if groups is None:
        return SwapUnits(counts.astype(np.int64), of_a, of_b, of_sizes)
    n_groups = int(groups.max(initial=-1)) + 1
    parts = np.hstack([of_a, of_b, of_sizes])[kind_of_row.ravel()]
    # Groups that add the same are one kind, as rows are.
    alike, n_alike = np.unique(_sums_by_group(parts, groups, n_groups), axis=0, return_counts=True)
    n_sums = of_a.shape[1]
    of_a, of_b, of_sizes = np.split(alike, [n_sums, 2 * n_sums], axis=1)
    return SwapUnits(n_alike.astype(np.int64), of_a, of_b, of_sizes)


@dataclass(frozen=True)
class Swaps:
    """How much each kind of unit moves when it is swapped, and how many of a kind there are.

    moves:  what a swapped unit adds to the sums of the first, and takes from the second: kinds × sums
    counts: units of each kind; only kinds that move anything
    """

    moves: Floats
    counts: NDArray[np.int64]

    @property
    def n_outcomes(self) -> float:
        """In how many ways so many of each kind can be swapped; infinite beyond what a double holds."""
        with np.errstate(over="ignore"):
            return float(np.prod(self.counts + 1.0))


def swaps_of(units: SwapUnits) -> Swaps:
    """The units that differ; those that move the sums alike are one kind."""
    moves = units.of_b - units.of_a
    is_moved = moves.any(axis=1)
    if not is_moved.any():
        return Swaps(moves[:0], np.empty(0, dtype=np.int64))
    kinds, kind = np.unique(moves[is_moved], axis=0, return_inverse=True)
    counts = np.bincount(kind.ravel(), weights=units.counts[is_moved]).astype(np.int64)
    return Swaps(kinds, counts)


def drawn_differences(
    units: SwapUnits, swaps: Swaps, metric: TallyMetric, n_swaps: int, generator: np.random.Generator
) -> Floats:
    """The difference of the metric after each of so many random swaps."""
    step = max(_MOST_DRAWN // max(len(swaps.counts), 1), 1)
    parts = []
    for start in range(0, n_swaps, step):
        size = (min(step, n_swaps - start), len(swaps.counts))
        parts.append(_differences(units, swaps, metric, generator.binomial(swaps.counts, 0.5, size=size)))
    return np.concatenate(parts)


def all_differences(units: SwapUnits, swaps: Swaps, metric: TallyMetric) -> tuple[Floats, Floats]:
    """The difference of the metric after every possible swap, and the chance of each."""
    from scipy.special import gammaln

    choices = [np.arange(count + 1) for count in swaps.counts.tolist()]
    grid = np.meshgrid(*choices, indexing="ij") if choices else [np.zeros(1, dtype=np.int64)]
    swapped = np.stack([line.ravel() for line in grid], axis=1)[:, : len(choices)]
    probabilities = [
        np.exp(
            gammaln(n + 1) - gammaln(np.arange(n + 1) + 1) - gammaln(n - np.arange(n + 1) + 1) - n * np.log(2)
        )
        for n in swaps.counts.tolist()
    ]
    chance = reduce(np.multiply.outer, probabilities, np.ones(())).ravel()
    return _differences(units, swaps, metric, swapped), chance


def resampled_differences(
    units: SwapUnits, metric: TallyMetric, n_resamples: int, generator: np.random.Generator
) -> Floats:
    """The difference of the metric in resamples of the units, drawn with replacement."""
    step = max(_MOST_DRAWN // len(units.counts), 1)
    parts = []
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = generator.multinomial(units.n_units, units.counts / units.n_units, size=size).astype(
            np.float64
        )
        sizes = drawn @ units.of_sizes
        parts.append(metric.value(drawn @ units.of_a, sizes) - metric.value(drawn @ units.of_b, sizes))
    return np.concatenate(parts)


def _differences(units: SwapUnits, swaps: Swaps, metric: TallyMetric, swapped: NDArray[np.int64]) -> Floats:
    moved = swapped.astype(np.float64) @ swaps.moves
    sizes = np.broadcast_to(units.counts @ units.of_sizes, (len(swapped), units.of_sizes.shape[1]))
    sums_a, sums_b = units.counts @ units.of_a + moved, units.counts @ units.of_b - moved
    return np.asarray(metric.value(sums_a, sizes) - metric.value(sums_b, sizes))


def _sums_by_group(of_rows: Floats, groups: Codes, n_groups: int) -> Floats:
    columns = [np.bincount(groups, weights=column, minlength=n_groups) for column in of_rows.T]
    return np.stack(columns, axis=1)
