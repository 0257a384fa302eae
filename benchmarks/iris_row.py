"""Time to fit a tree on 150 × 4 numbers: what a small table costs beyond the growing itself."""

from __future__ import annotations

from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from benchmarks.grown_out import CLASSIFIER_GROWN_OUT
from benchmarks.interleave import interleaved_work
from benchmarks.outcome import OURS, Entry, Outcome, speed_goals

N_FITS = 200


def iris() -> Outcome:
    """Two hundred fits in a row are one round."""
    X, y = load_iris(return_X_y=True)

    def ours() -> None:
        for _ in range(N_FITS):
            ho.TreeClassifier.cart(min_leaf=1, n_jobs=1, **CLASSIFIER_GROWN_OUT).fit(X, y)

    def theirs() -> None:
        for _ in range(N_FITS):
            DecisionTreeClassifier(random_state=0).fit(X, y)

    seconds = interleaved_work({OURS: ours, "scikit-learn": theirs}, 9)
    entries = tuple(Entry(name, rounds) for name, rounds in seconds.items())
    title = f"iris, 150 x 4 numbers, 3 classes, {N_FITS} fits"
    goals = speed_goals(entries, {"scikit-learn": 1 / 0.6})
    return Outcome(title, "seconds on the wall, 1 thread", entries, goals)
