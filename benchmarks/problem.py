"""The made tables: noisy, with useless and redundant columns, the same for every program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to learn from and rows to judge on.

    `levels` holds one count per column: 0 for a number, else how many levels the category has; a
    category column of X holds level codes. NaN is a missing value.
    """

    name: str
    X: Numbers
    y: NDArray[np.int64] | Numbers
    X_test: Numbers
    y_test: NDArray[np.int64] | Numbers
    is_regression: bool = False
    levels: tuple[int, ...] = ()
    has_missing: bool = False

    @property
    def has_categories(self) -> bool:
        return any(self.levels)


@lru_cache(maxsize=2)
def numbers_problem(n_rows: int, n_columns: int, is_regression: bool = False, seed: int = 1) -> Problem:
    """A fifth of the columns informs, a tenth repeats it, the rest is noise; a third is skewed.

    The target is a linear sum with two interactions and noise of half its spread (regression), or
    the sign of that (classification), a twentieth of it flipped.
    """
    generator = np.random.default_rng(seed)
    n_test = min(n_rows, 20_000)
    n_all = n_rows + n_test
    X = generator.standard_normal((n_all, n_columns))
    n_inform = max(2, n_columns // 5)
    n_repeat = n_columns // 10
    mixing = generator.standard_normal((n_inform, n_repeat))
    X[:, n_inform : n_inform + n_repeat] += X[:, :n_inform] @ mixing
    score = X[:, :n_inform] @ generator.standard_normal(n_inform)
    score += 2 * np.sin(2 * X[:, 0]) * X[:, 1] + np.abs(X[:, 0] - X[:, 1])
    score += 0.5 * score.std() * generator.standard_normal(n_all)
    np.exp(X[:, ::3], out=X[:, ::3])
    y = score if is_regression else _noisy_sign(score, generator)
    kind = "regression" if is_regression else "2 classes"
    name = f"{n_rows:,} x {n_columns} numbers, {kind}"
    return Problem(name, X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:], is_regression)


CATEGORY_LEVELS = (5, 8, 12, 20, 35, 60, 100, 180, 300, 500)
FEWER_LEVELS = (2, 3, 4, 5, 8, 12, 20, 30, 40, 50)


@lru_cache(maxsize=1)
def mixed_problem(n_rows: int, n_numbers: int = 10, seed: int = 2) -> Problem:
    """Ten categories of 5 to 500 levels, each level with its own effect and frequency, and numbers."""
    name = f"{n_rows:,} rows, {n_numbers} numbers, {len(CATEGORY_LEVELS)} categories of 5-500 levels"
    return _mixed(name, n_rows, n_numbers, CATEGORY_LEVELS, seed)


@lru_cache(maxsize=1)
def missing_problem(
    n_rows: int, levels: tuple[int, ...] = FEWER_LEVELS, missing_share: float = 0.1, seed: int = 4
) -> Problem:
    """Ten numbers and ten categories of so many levels; that share of each column is missing."""
    span = f"{min(levels)}-{max(levels)}"
    name = f"{n_rows:,} rows, 10 numbers, 10 categories of {span} levels, {missing_share:.0%} missing"
    whole = _mixed(name, n_rows, 10, levels, seed)
    generator = np.random.default_rng((seed, 1))
    X, X_test = (
        np.where(generator.random(cells.shape) < missing_share, np.nan, cells)
        for cells in (whole.X, whole.X_test)
    )
    return replace(whole, X=X, X_test=X_test, has_missing=True)


def _mixed(name: str, n_rows: int, n_numbers: int, category_levels: tuple[int, ...], seed: int) -> Problem:
    generator = np.random.default_rng(seed)
    n_all = n_rows + min(n_rows, 20_000)
    X = np.empty((n_all, n_numbers + len(category_levels)))
    X[:, :n_numbers] = generator.standard_normal((n_all, n_numbers))
    score = X[:, :3] @ generator.standard_normal(3)
    for position, n_levels in enumerate(category_levels, start=n_numbers):
        shares = generator.dirichlet(np.full(n_levels, 2.0))
        X[:, position] = generator.choice(n_levels, size=n_all, p=shares)
        score += generator.normal(0, 0.5, n_levels)[X[:, position].astype(np.int64)]
    score += 0.5 * score.std() * generator.standard_normal(n_all)
    y = _noisy_sign(score, generator)
    levels = (0,) * n_numbers + category_levels
    return Problem(name, X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:], levels=levels)


def _noisy_sign(score: Numbers, generator: np.random.Generator) -> NDArray[np.int64]:
    above = score > np.median(score)
    is_flipped = generator.random(len(score)) < 0.05
    return (above ^ is_flipped).astype(np.int64)
