"""Models that toss coins, and their vote: what an attack on a seal is made of, as contenders of a study."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

import heldout as ho


class Coin(ClassifierMixin, BaseEstimator):
    """Answers each row by a coin that belongs to the row's number, whatever it was shown."""

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[tossed(self.number, rows_of(X))]


class Vote(ClassifierMixin, BaseEstimator):
    """Answers as most of the coins do, each as it fell or turned round."""

    def __init__(self, signs: tuple[int, ...] = ()) -> None:
        self.signs = signs

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        rows = rows_of(X)
        coins = np.array([tossed(number, rows) for number in range(len(self.signs))])
        return self.classes_[(np.array(self.signs) @ (2 * coins - 1) > 0).astype(int)]


def rows_of(X: Any) -> NDArray[np.intp]:
    """The numbers of the rows, which stand in the only input."""
    values = X["row"].values if isinstance(X, ho.Table) else np.asarray(X)[:, 0]
    return np.asarray(values, dtype=np.intp)


def tossed(number: int, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 or 1 for each row."""
    return np.random.default_rng(number).integers(0, 2, size=5_000)[rows]
