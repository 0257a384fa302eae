"""Curves, confusion matrices, bootstraps and swaps against scikit-learn, and against the best of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score, roc_curve

from benchmarks.interleave import interleaved_work
from benchmarks.kept_results import KeptResults
from benchmarks.one_thread import one_thread
from benchmarks.outcome import OURS, Entry, Goal, Outcome, speed_goals
from heldout.metrics.confusion import confusion
from heldout.metrics.roc import roc
from heldout.stats.bootstrap import bootstrap_auc, bootstrap_confusion
from heldout.stats.randomization_test import randomization_test

PEER = "scikit-learn"
NUMPY = "NumPy"
WORDS = ", words"
N_RESAMPLES = 1_000
CLOCK = "CPU seconds, 1 thread"

Labels = NDArray[np.int64]


def roc_10m() -> Outcome:
    """The ROC curve and its area, 10 million scores."""
    y, scores = scored_rows(10_000_000)
    seconds, results = timed(
        {
            OURS: lambda: roc(y, scores).area,
            PEER: lambda: (roc_curve(y, scores), roc_auc_score(y, scores))[1],
        },
        n_rounds=5,
    )
    entries = cell_entries(seconds)
    goals = (*speed_goals(entries, {PEER: 5.0}), _difference("area", results[OURS] - results[PEER], 1e-12))
    notes = (f"{PEER}: roc_curve and roc_auc_score, each of which sorts",)
    return Outcome("ROC curve and its area, 10,000,000 scores", CLOCK, entries, goals, notes)


def confusion_10m() -> Outcome:
    """The confusion matrix of 10 million labels of ten classes; words are shown beside it."""
    generator = np.random.default_rng(6)
    y, predicted = labels_of_classes(generator, 10_000_000, 10)
    names = np.array([f"class {place}" for place in range(10)])
    words, answers = names[y[:1_000_000]], names[predicted[:1_000_000]]
    seconds, results = timed(
        {
            OURS: lambda: confusion(y, predicted).counts,
            PEER: lambda: confusion_matrix(y, predicted),
            OURS + WORDS: lambda: confusion(words, answers).counts,
            PEER + WORDS: lambda: confusion_matrix(words, answers),
        },
        n_rounds=5,
    )
    entries = cell_entries(seconds)
    differing = sum(int(np.sum(results[OURS + kind] != results[PEER + kind])) for kind in ("", WORDS))
    by_words = min(seconds[PEER + WORDS]) / min(seconds[OURS + WORDS])
    goals = (
        *speed_goals(entries, {PEER: 10.0}),
        Goal(f"faster than {PEER} with words", 10.0, by_words),
        Goal("cells that differ", 0, differing, at_least=False, unit=""),
    )
    notes = ("words: strings of NumPy, 1,000,000 of them",)
    return Outcome("confusion matrix, 10,000,000 labels, 10 classes", CLOCK, entries, goals, notes)


def bootstrap_f1_1m() -> Outcome:
    """1,000 bootstraps of F1 on 1 million rows: the matrix is drawn again, not the rows."""
    y, predicted = labels_of_classes(np.random.default_rng(6), 1_000_000, 2)
    kept_seconds, results = timed(
        {
            OURS: lambda: _ends(bootstrap_confusion(_f1, confusion(y, predicted), n_resamples=N_RESAMPLES)),
            NUMPY: lambda: numpy_bootstrap(y, predicted, counted_by_masks),
            f"{NUMPY}, bincount": lambda: numpy_bootstrap(y, predicted, counted_by_bins),
        },
        n_rounds=25,
    )
    loop = loop_seconds(lambda rows: f1_score(y[rows], predicted[rows]), len(y), n_tried=5)
    entries = cell_entries(kept_seconds | {PEER: loop})
    goals = (
        *speed_goals(entries, {PEER: 1000.0, NUMPY: 1.0}),
        _difference("an end of the interval", float(np.max(np.abs(results[OURS] - results[NUMPY]))), 2e-4),
    )
    notes = (
        extrapolated(5),
        f"{NUMPY}: counts by masks, one multinomial, the quantiles; all from labels to ends",
    )
    return Outcome("1,000 bootstraps of F1, 1,000,000 rows", CLOCK, entries, goals, notes)


def bootstrap_auc_1m() -> Outcome:
    """1,000 bootstraps of the area under the ROC curve on 1 million rows."""
    y, scores = scored_rows(1_000_000)
    seconds, results = timed(
        {OURS: lambda: _ends(bootstrap_auc(y, scores, n_resamples=N_RESAMPLES))}, n_rounds=3
    )
    spread: list[float] = []
    loop = loop_seconds(lambda rows: spread.append(roc_auc_score(y[rows], scores[rows])), len(y), n_tried=20)
    width = (results[OURS][1] - results[OURS][0]) / (2 * 1.96)
    entries = cell_entries(seconds | {PEER: loop})
    goals = (
        *speed_goals(entries, {PEER: 30.0}),
        # Twenty resamples know their spread to a sixth; four sixths are far enough for any seed.
        _difference("spread of the resamples, in shares of scikit-learn's", width / np.std(spread) - 1, 0.67),
    )
    return Outcome("1,000 bootstraps of AUC, 1,000,000 rows", CLOCK, entries, goals, (extrapolated(20),))


def randomization_f1_10k() -> Outcome:
    """The randomization test of F1 with 10,000 swaps on 10,000 rows."""
    generator = np.random.default_rng(6)
    y, first = labels_of_classes(generator, 10_000, 2)
    second = np.where(generator.random(len(y)) < 0.05, 1 - y, first)
    n_swaps = 10_000
    seconds, _ = timed({OURS: lambda: randomization_test(y, first, second, "f1", n_swaps)}, n_rounds=15)

    def swap(_: Any) -> float:
        is_swapped = generator.random(len(y)) < 0.5
        a, b = np.where(is_swapped, second, first), np.where(is_swapped, first, second)
        return float(f1_score(y, a) - f1_score(y, b))

    n_tried = 50
    loop = loop_seconds(swap, len(y), n_tried, n_swaps, draws_rows=False)
    entries = cell_entries(seconds | {PEER: loop})
    goals = speed_goals(entries, {PEER: 200.0})
    notes = (extrapolated(n_tried), f"{OURS} also gives the interval of the difference, 2,000 resamples")
    return Outcome("randomization test of F1, 10,000 swaps, 10,000 rows", CLOCK, entries, goals, notes)


def scored_rows(n_rows: int, seed: int = 6) -> tuple[Labels, NDArray[np.float64]]:
    """Three in ten are positive; probabilities, no two of which need be equal."""
    generator = np.random.default_rng(seed)
    y = (generator.random(n_rows) < 0.3).astype(np.int64)
    return y, 1 / (1 + np.exp(-generator.standard_normal(n_rows) - y))


def labels_of_classes(generator: np.random.Generator, n_rows: int, n_classes: int) -> tuple[Labels, Labels]:
    """True labels and answers, four in five of which are right."""
    y = generator.integers(0, n_classes, n_rows)
    is_wrong = generator.random(n_rows) < 0.2
    return y, np.where(is_wrong, (y + generator.integers(1, n_classes, n_rows)) % n_classes, y)


def timed(
    pieces: Mapping[str, Callable[[], Any]], n_rounds: int
) -> tuple[dict[str, tuple[float, ...]], dict[str, Any]]:
    """CPU seconds by round, the pieces in turn, and the last result of each."""
    with one_thread():
        kept = KeptResults(pieces)
        seconds = interleaved_work(kept.work, n_rounds, counts_cpu=True, patience_seconds=20)
    return seconds, kept.results


def loop_seconds(
    judge: Callable[[Any], Any],
    n_rows: int,
    n_tried: int,
    n_wanted: int = N_RESAMPLES,
    draws_rows: bool = True,
) -> tuple[float, ...]:
    """What a loop would take, from a few of its rounds, each with the rows that it draws."""
    generator = np.random.default_rng(0)

    def one_round() -> None:
        judge(generator.integers(0, n_rows, n_rows) if draws_rows else None)

    seconds, _ = timed({PEER: one_round}, n_tried)
    return (float(np.median(seconds[PEER])) * n_wanted,)


def extrapolated(n_tried: int) -> str:
    return f"{PEER}: a loop, from the median of {n_tried} of its rounds"


def cell_entries(seconds: Mapping[str, tuple[float, ...]]) -> tuple[Entry, ...]:
    return tuple(Entry(name, rounds, is_shown_only="," in name) for name, rounds in seconds.items())


def counted_by_masks(y: Labels, predicted: Labels) -> NDArray[np.int64]:
    """The fastest that we know in NumPy for two classes."""
    is_true, is_called = y == 1, predicted == 1
    n_true, n_called = np.count_nonzero(is_true), np.count_nonzero(is_called)
    n_hits = np.count_nonzero(is_true & is_called)
    return np.array([len(y) - n_true - n_called + n_hits, n_called - n_hits, n_true - n_hits, n_hits])


def counted_by_bins(y: Labels, predicted: Labels) -> NDArray[np.int64]:
    return np.bincount(2 * y + predicted, minlength=4)


def numpy_bootstrap(
    y: Labels, predicted: Labels, counted: Callable[[Labels, Labels], NDArray[np.int64]]
) -> NDArray[np.float64]:
    """The ends of the percentile interval, as a careful user of NumPy would find them."""
    counts = counted(y, predicted)
    drawn = np.random.default_rng(0).multinomial(len(y), counts / len(y), size=N_RESAMPLES)
    scores = _f1(drawn.reshape(-1, 2, 2))
    return np.quantile(scores, [0.025, 0.975])


def _f1(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    hits = counts[:, 1, 1]
    return np.asarray(2 * hits / (2 * hits + counts[:, 0, 1] + counts[:, 1, 0]))


def _ends(interval: Any) -> NDArray[np.float64]:
    return np.array([interval.low, interval.high])


def _difference(what: str, difference: float, most: float) -> Goal:
    return Goal(f"difference of {what}", most, abs(float(difference)), at_least=False, unit="")
