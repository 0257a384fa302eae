"""The interval of nested cross-validation, which measures how far cross-validation errs.

S. Bates, T. Hastie and R. Tibshirani, Cross-validation: what does it estimate and how well does it do it?
Journal of the American Statistical Association 119 (2024), 1434-1445 (arXiv 2104.00673).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heldout.arrays import Floats, Rows
from heldout.checks.values import check_confidence, check_count, check_seed
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.checked_values import normal_z
from heldout.stats.cross_validated_interval import CrossValidatedInterval

Losses = Callable[[Rows, Rows], Any]

HELD = (0.84, 0.98)
NO_SPREAD = "All losses are equal, and without a spread there is no interval."


@dataclass(frozen=True)
class NestedCvInterval(CrossValidatedInterval):
    """An error with the interval of nested cross-validation.

    The other fields are those of `CrossValidatedInterval`.

    Attributes
    ----------
    standard_error
        of the estimate
    inflation
        how many times that of independent losses it is, between 1 and √K
    raw_inflation
        the same before it was held between these; NaN where the estimate was below 0
    cross_validated
        the plain cross-validated mean, of models that learn from (K − 1)/K of the rows
    nested
        the mean within, of models that learn from (K − 2)/K of them
    bias
        what was taken from `nested`, so that the estimate is of a model that learns from all rows
    """

    standard_error: float = math.nan
    inflation: float = math.nan
    raw_inflation: float = math.nan
    cross_validated: float = math.nan
    nested: float = math.nan
    bias: float = math.nan


@dataclass(frozen=True)
class _Nested:
    """What the repeats gave, fold by fold.

    squares:   (mean of the losses within the other folds − mean of the losses in this fold)²
    variances: of the latter mean
    outer:     the losses in this fold
    inner:     the losses within the other folds
    """

    squares: list[float]
    variances: list[float]
    outer: list[Floats]
    inner: list[Floats]


def nested_cv_interval(
    losses: Losses,
    n_rows: int,
    n_folds: int = 10,
    repeats: int = 50,
    confidence: float = 0.95,
    seed: int = 0,
    what: str = "error",
) -> NestedCvInterval:
    """The error of a method by nested cross-validation, with the interval of Bates, Hastie and Tibshirani.

    Each fold in turn stands for new rows: how far its error lies from that which cross-validation within the
    other folds expects, beyond what its own rows explain, is how far cross-validation errs.

    Parameters
    ----------
    losses
        takes two arrays of row numbers, learns from the first, gives the loss of each row of the second
    n_rows
        how many rows there are; at least two per fold
    n_folds
        K, three or more
    repeats
        how often the rows are divided anew; the width needs many, and each takes K·(K + 1)/2 fits
    seed
        of the divisions
    what
        what the mean loss is, for the sentence

    Notes
    -----
    The standard error is held between that of independent losses and √K times it. Estimated is the error of a
    model that learns from all rows: the difference of (K − 2)/K to (K − 1)/K of the rows is carried on.

    Examples
    --------
    >>> y = np.random.default_rng(0).normal(size=60)
    >>> def of_mean(train, test):
    ...     return (y[test] - y[train].mean()) ** 2
    >>> found = nested_cv_interval(of_mean, n_rows=60, repeats=10, what="mean squared error")
    >>> f"{found.estimate:.2f}, {found.low:.2f} to {found.high:.2f}, {found.inflation:.2f} times as wide"
    '0.83, 0.56 to 1.10, 1.00 times as wide'
    """
    if not callable(losses):
        raise InputTypeError(
            "losses must be a function",
            where=f"losses={losses!r:.40}",
            fix="give a function of training rows and test rows that returns the loss of each test row",
        )
    confidence = check_confidence(confidence)
    rows, folds = _sizes(n_rows, n_folds)
    n_repeats = check_count("repeats", repeats, lowest=1)
    generator = np.random.default_rng(check_seed(seed))
    found = _Nested([], [], [], [])
    for _ in range(n_repeats):
        _add_repeat(found, losses, np.array_split(generator.permutation(rows), folds))
    return _interval(found, rows, folds, n_repeats, confidence, what)


def _add_repeat(found: _Nested, losses: Losses, folds: list[Rows]) -> None:
    """One division of the rows; each pair of folds is left out once, and gives losses within both."""
    n_folds = len(folds)
    within: list[list[Floats]] = [[] for _ in range(n_folds)]
    for first in range(n_folds):
        for second in range(first + 1, n_folds):
            test = np.concatenate([folds[first], folds[second]])
            both = _losses(losses, _others(folds, first, second), test)
            within[second].append(both[: len(folds[first])])
            within[first].append(both[len(folds[first]) :])
    for index, fold in enumerate(folds):
        outer = _losses(losses, _others(folds, index), fold)
        inner = np.concatenate(within[index])
        found.squares.append(float(inner.mean() - outer.mean()) ** 2)
        found.variances.append(float(outer.var(ddof=1)) / len(outer))
        found.outer.append(outer)
        found.inner.append(inner)


def _interval(
    found: _Nested, n_rows: int, n_folds: int, n_repeats: int, confidence: float, what: str
) -> NestedCvInterval:
    inner = np.concatenate(found.inner)
    nested, crossed = float(inner.mean()), float(np.concatenate(found.outer).mean())
    bias = (1 + (n_folds - 2) / n_folds) * (nested - crossed)
    plain_error = float(inner.std(ddof=1)) / math.sqrt(n_rows)
    # Measured among (K − 1)/K of the rows; all of them have a variance that is smaller by as much.
    squared = (n_folds - 1) / n_folds * float(np.mean(found.squares) - np.mean(found.variances))
    has_spread = bool(inner.min() < inner.max())
    raw = math.sqrt(squared) / plain_error if squared >= 0 and has_spread else math.nan
    inflation = min(max(raw, 1.0), math.sqrt(n_folds)) if raw == raw else 1.0
    error = inflation * plain_error if has_spread else math.nan
    estimate = nested - bias
    half = normal_z(confidence) * error
    return NestedCvInterval(
        what,
        estimate,
        estimate - half,
        estimate + half,
        confidence=confidence,
        method=f"nested cross-validation, {n_repeats} × {n_folds} folds",
        n_rows=n_rows,
        notes=() if has_spread else (NO_SPREAD,),
        estimand=_estimand(n_rows),
        n_folds=n_folds,
        n_repeats=n_repeats,
        held=HELD,
        standard_error=error,
        inflation=inflation,
        raw_inflation=raw,
        cross_validated=crossed,
        nested=nested,
        bias=bias,
    )


def _estimand(n_rows: int) -> str:
    return (
        f"Expected score when trained on as many rows as these, {n_rows:,}; one fitted model may do better or"
        " worse."
    )


def _others(folds: list[Rows], *left_out: int) -> Rows:
    return np.concatenate([fold for index, fold in enumerate(folds) if index not in left_out])


def _losses(losses: Losses, train: Rows, test: Rows) -> Floats:
    given = losses(train, test)
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            "losses must give numbers",
            where=f"it gave a {type(given).__name__}",
            fix="return the loss of each test row",
        ) from error
    if values.shape != test.shape:
        raise DataError(
            "losses must give one number per test row",
            where=f"it gave the shape {values.shape} for {len(test):,} rows",
            fix="return the loss of each test row, not their mean",
        )
    if not np.isfinite(values).all():
        raise DataError(
            "losses gave numbers that are not finite",
            where=f"{int((~np.isfinite(values)).sum()):,} of {len(test):,} rows",
            fix="use a loss that is finite for every row",
        )
    return values


def _sizes(n_rows: Any, n_folds: Any) -> tuple[int, int]:
    folds = check_count("n_folds", n_folds, lowest=3)
    rows = check_count("n_rows", n_rows, lowest=1)
    if rows < 2 * folds:
        raise RequestError(
            "each fold needs two rows or more",
            where=f"n_rows={rows}, n_folds={folds}",
            fix=f"use {rows // 2} folds or fewer" if rows >= 6 else "nested cross-validation needs six rows",
        )
    return rows, folds
