"""Rule post-pruning: a rule loses preconditions while its estimated accuracy does not fall.

A range has two preconditions, its ends; the levels of a category are one. Each time the precondition goes
whose loss leaves the best estimate, the one that covers more among equals, the first of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from heldout.learners.rules.condition import Condition
from heldout.learners.rules.rule_rows import RuleRows, sums_by

# Estimates are ratios of sums, so equal ones may differ in the last digits.
SLACK = 1e-12

Estimate = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class PrunedRule:
    """What is left of a rule.

    conditions: at most one for each column
    code:       the position of its class
    estimate:   its estimated accuracy
    covered:    the weight of the rows that it was judged on and covers
    """

    conditions: tuple[Condition, ...]
    code: int
    estimate: float
    covered: float

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for rules that say the same."""
        return self.code, frozenset(condition.key for condition in self.conditions)


def pessimistic_accuracy(confidence: float) -> Estimate:
    """The accuracy that C4.5 expects at worst, on the rows that made the rule."""

    def estimate(total: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
        wrong = np.maximum(total - right, 0.0)
        return 1.0 - _share(pessimistic_errors(total, wrong, confidence), total, of_nothing=1.0)

    return estimate


def plain_accuracy(total: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share that is right; a rule that covers nothing counts as never right."""
    return _share(right, total, of_nothing=0.0)


def prune_rule(conditions: Iterable[Condition], code: int, rows: RuleRows, estimate: Estimate) -> PrunedRule:
    """Drop preconditions until dropping any of them would lower the estimate."""
    left = [side for condition in conditions for side in condition.sides]
    is_unmet = _unmet(left, rows)
    n_unmet = is_unmet.sum(axis=0, dtype=np.int32)
    right_weights = np.where(rows.classes == code, rows.weights, 0.0)
    total, right = _sums(n_unmet == 0, rows.weights, right_weights)
    best = float(estimate(np.array(total), np.array(right)))
    while left:
        totals, rights = _without_each(is_unmet, n_unmet, rows.weights, right_weights)
        totals, rights = totals + total, rights + right
        estimates = estimate(totals, rights)
        chosen = _best(estimates, totals)
        if estimates[chosen] < best - SLACK:
            break
        best, total, right = float(estimates[chosen]), float(totals[chosen]), float(rights[chosen])
        n_unmet -= is_unmet[chosen]
        is_unmet = np.delete(is_unmet, chosen, axis=0)
        del left[chosen]
    return PrunedRule(_merged(left), code, best, total)


def _unmet(sides: list[Condition], rows: RuleRows) -> NDArray[np.bool_]:
    is_unmet = np.empty((len(sides), len(rows.classes)), dtype=np.bool_)
    for index, side in enumerate(sides):
        np.logical_not(side.is_met(rows.values_of(side.position)), out=is_unmet[index])
    return is_unmet


def _without_each(
    is_unmet: NDArray[np.bool_],
    n_unmet: NDArray[np.int32],
    weights: NDArray[np.float64],
    right_weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each precondition alone keeps out: the weight, and that of the right class."""
    kept_out = np.flatnonzero(n_unmet == 1)
    by = is_unmet[:, kept_out].argmax(axis=0)
    n_sides = len(is_unmet)
    return sums_by(by, weights[kept_out], n_sides), sums_by(by, right_weights[kept_out], n_sides)


def _best(estimates: NDArray[np.float64], totals: NDArray[np.float64]) -> int:
    is_best = estimates >= estimates.max() - SLACK
    return int(np.where(is_best, totals, -np.inf).argmax())


def _merged(sides: Iterable[Condition]) -> tuple[Condition, ...]:
    """One condition for each column."""
    merged: dict[int, Condition] = {}
    for side in sides:
        known = merged.get(side.position)
        merged[side.position] = side if known is None else known.narrowed(side.low, side.high, side.levels)
    return tuple(merged.values())


def _sums(
    is_in: NDArray[np.bool_], weights: NDArray[np.float64], right_weights: NDArray[np.float64]
) -> tuple[float, float]:
    return float(weights[is_in].sum()), float(right_weights[is_in].sum())


def _share(part: NDArray[np.float64], total: NDArray[np.float64], of_nothing: float) -> NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 0, part / total, of_nothing)


# Where nearly all rows are wrong, C4.5 adds this part of the rest.
ADDED_TO_NEARLY_ALL = 0.67


def pessimistic_errors(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """The errors that are exceeded with a chance of `confidence`, as C4.5 computes them.

    Without an error it is the exact binomial limit, from one error on the normal approximation with
    Wilson's square root and half an error for continuity, and between the two a straight line.

    total:      the weight of the rows
    wrong:      the weight of those that are wrong
    confidence: C4.5's CF; a smaller one is more pessimistic
    """
    total, wrong = np.asarray(total, float), np.asarray(wrong, float)
    if total.shape != wrong.shape:
        total, wrong = np.broadcast_arrays(total, wrong)
    rows = np.maximum(total, np.finfo(np.float64).tiny)
    none = rows * -np.expm1(np.log(confidence) / rows)
    some = np.maximum(wrong, 1.0)
    limits = np.where(
        some + 0.5 >= rows, some + ADDED_TO_NEARLY_ALL * (rows - some), _normal_limit(rows, some, confidence)
    )
    between = none + wrong * (limits - none)
    return np.where(total <= 0, 0.0, np.minimum(np.where(wrong < 1.0, between, limits), rows))


def _normal_limit(
    total: NDArray[np.float64], wrong: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    square = _squared_quantile(confidence)
    counted = np.minimum(wrong + 0.5, total)
    spread = np.sqrt(square * (counted * (1 - counted / total) + square / 4))
    return total * (counted + square / 2 + spread) / (total + square)


@lru_cache
def _squared_quantile(confidence: float) -> float:
    from statistics import NormalDist  # takes 10 ms

    return NormalDist().inv_cdf(confidence) ** 2
