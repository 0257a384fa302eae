"""Ways to keep class weights out of the probabilities of a forest, judged on new rows of made tables.

`python -m tests.statistical.weighed_forests` prints the table of decision 71.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import heldout as ho

Floats = NDArray[np.float64]
KINDS = ("linear", "bumps", "clear", "noise")
SHARES = {
    "5%": (0.95, 0.05),
    "12%": (0.88, 0.12),
    "30%": (0.7, 0.3),
    "three classes": (0.8, 0.15, 0.05),
}
N_ROWS, N_NEW, N_TREES = 600, 4000, 100


@dataclass(frozen=True)
class Judged:
    """What a way told about new rows.

    offs:     the mean probability of each class less its share of the training rows
    log_loss: of the new rows
    balanced: the balanced accuracy of the decisions
    """

    offs: Floats
    log_loss: float
    balanced: float


def judged_ways(kind: str, shares: tuple[float, ...], seed: int) -> dict[str, Judged]:
    """Each way on one made table."""
    cuts = np.quantile(_rows(kind, 200_000, 99)[1], np.cumsum(shares)[:-1])
    X, scores = _rows(kind, N_ROWS + N_NEW, seed)
    y = np.searchsorted(cuts, scores)
    new, true = X[N_ROWS:], y[N_ROWS:]
    prior = np.bincount(y[:N_ROWS], minlength=len(shares)) / N_ROWS
    return {
        name: Judged(probabilities.mean(axis=0) - prior, _log_loss(probabilities, true), _recall(taken, true))
        for name, probabilities, taken in _ways(X[:N_ROWS], y[:N_ROWS], new, prior)
    }


def _ways(
    X: Floats, y: NDArray[np.intp], new: Floats, prior: Floats
) -> Iterator[tuple[str, Floats, NDArray[np.intp]]]:
    chosen = ho.ForestClassifier(N_TREES, class_weight="balanced").fit(X, y)
    weights = chosen.class_weights_
    # Weights of rows draw bags in which all classes are as frequent, as class weights did.
    drawn = ho.ForestClassifier(N_TREES, smoothing=0).fit(X, y, sample_weight=weights[y])
    mean = drawn.predict_proba(new)
    divided = mean / weights
    divided /= divided.sum(axis=1, keepdims=True)
    yield "weights left in", _smoothed(mean, prior), mean.argmax(axis=1)
    yield "divided once, for the mean", _smoothed(divided, prior), mean.argmax(axis=1)
    for imaginary in (0.5, 1.0, 2.0):
        leaves = _of_leaves(drawn, new, weights, imaginary * prior)
        rows = "row" if imaginary == 1 else "rows"
        yield (
            f"divided in each leaf, {imaginary:g} imaginary {rows}",
            leaves,
            (leaves * weights).argmax(axis=1),
        )
    yield "grown without weights", chosen.predict_proba(new), chosen.predict(new)


def _of_leaves(forest: ho.ForestClassifier, new: Floats, weights: Floats, added: Floats) -> Floats:
    counts = forest.forest_.value / weights + added
    shares = counts / counts.sum(axis=1, keepdims=True)
    return np.asarray(shares[forest.apply(new) + forest.forest_.tree_begin[:-1]].mean(axis=1))


def _smoothed(mean: Floats, prior: Floats) -> Floats:
    return np.asarray((mean * N_TREES + prior) / (N_TREES + 1))


def _rows(kind: str, n_rows: int, seed: int) -> tuple[Floats, Floats]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n_rows, 6))
    signal = {
        "linear": X[:, 0] + X[:, 1] / 2,
        "bumps": 2 * np.cos(2 * X[:, 0]) + X[:, 1] * X[:, 2],
        "clear": 4 * (X[:, 0] + X[:, 1] * (X[:, 2] > 0)),
        "noise": X[:, 0] / 5,
    }[kind]
    return X, signal + draw.logistic(size=n_rows)


def _log_loss(probabilities: Floats, true: NDArray[np.intp]) -> float:
    told = probabilities[np.arange(len(true)), true]
    return float(-np.log(np.maximum(told, 1e-12)).mean())


def _recall(taken: NDArray[np.intp], true: NDArray[np.intp]) -> float:
    return float(np.mean([np.mean(taken[true == k] == k) for k in range(int(true.max()) + 1)]))


def table(n_tables: int) -> Iterator[str]:
    """Lines of Markdown: each way for each number of positives, over all kinds and so many tables of each."""
    head = [f"{name}" for name in SHARES]
    yield f"| | {' | '.join(head)} |"
    yield f"|---|{'---|' * len(head)}"
    cells: dict[str, list[str]] = {}
    for shares in SHARES.values():
        found = [judged_ways(kind, shares, seed) for kind in KINDS for seed in range(n_tables)]
        for name in found[0]:
            of_way = [each[name] for each in found]
            off = np.mean([each.offs[-1] for each in of_way])
            loss, balanced = (
                np.mean([getattr(e, what) for e in of_way]) for what in ("log_loss", "balanced")
            )
            cells.setdefault(name, []).append(f"{off:+.3f} {loss:.3f} {balanced:.3f}".replace("0.", "."))
    for name, parts in cells.items():
        yield f"| {name} | {' | '.join(parts)} |"


if __name__ == "__main__":
    print("\n".join(table(8)))
