"""How often tests alarm where there is nothing, find what was planned for, and how bounds hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import heldout as ho
from heldout.stats import (
    adjust,
    compare_auc,
    corrected_resampled_t,
    five_by_two,
    hoeffding,
    mcnemar_of_counts,
    occam_bound,
    paired_t,
    power_of,
    randomization_test,
    sign_test,
    signed_rank,
    two_sample_t,
)

from .cross_validations import seeded
from .populations import Population
from .row_intervals import Held

Draws = np.random.Generator


@dataclass(frozen=True)
class Null:
    """A test where there is nothing to find: what is drawn, and its p-value."""

    test: str
    place: str
    p_value: Callable[[Draws], float]


@cache
def _mcnemar_p(only_a: int, only_b: int, n_rows: int, method: str) -> float:
    return mcnemar_of_counts(only_a, only_b, n_rows, method).p_value


def _mcnemar(generator: Draws, n_rows: int, differing: float, method: str) -> float:
    counts = generator.multinomial(n_rows, [differing / 2, differing / 2, 1 - differing])
    return _mcnemar_p(int(counts[0]), int(counts[1]), n_rows, method)


def _signs(generator: Draws, n_pairs: int) -> float:
    wins = int(generator.binomial(n_pairs, 0.5))
    return sign_test(wins, n_pairs - wins).p_value


def _f1(generator: Draws) -> float:
    y = generator.random(300) < 0.2
    answers = y ^ (generator.random((2, 300)) < 0.15)
    return randomization_test(y, answers[0], answers[1], "f1", n_swaps=500).p_value


def _two_aucs(generator: Draws) -> float:
    y = np.arange(100) % 2
    scores = y + generator.normal(size=100) + generator.normal(size=(2, 100))
    return compare_auc(y, scores[0], scores[1]).p_value


def _shared(generator: Draws) -> Any:
    """10 × 10 differences that share a tenth of their variance, as the corrected test supposes."""
    return np.sqrt(0.1) * generator.normal() + np.sqrt(0.9) * generator.normal(size=(10, 10))


NULLS = (
    *(
        Null(
            f"McNemar, {method}",
            f"{n} rows, {share:.0%} differ",
            partial(_mcnemar, n_rows=n, differing=share, method=method),
        )
        for n, share in ((50, 0.3), (200, 0.1), (1000, 0.05))
        for method in ("exact", "mid_p")
    ),
    *(Null("sign test", f"{n} pairs", partial(_signs, n_pairs=n)) for n in (10, 37, 200)),
    Null("paired t", "8 normal differences", lambda g: paired_t(g.normal(size=8), np.zeros(8)).p_value),
    Null("paired t", "25 differences, t2", lambda g: paired_t(g.standard_t(2, 25), np.zeros(25)).p_value),
    Null(
        "Welch's t",
        "8 and 20 scores, spreads 1 and 3",
        lambda g: two_sample_t(g.normal(size=8), 3 * g.normal(size=20)).p_value,
    ),
    Null("Wilcoxon", "25 differences, t2", lambda g: signed_rank(g.standard_t(2, 25), np.zeros(25)).p_value),
    Null(
        "Wilcoxon",
        "25 rounded differences, many ties",
        lambda g: signed_rank(np.round(g.normal(size=25)), np.zeros(25)).p_value,
    ),
    Null("randomization, F1", "300 rows, 20% positive", _f1),
    Null("DeLong, two AUCs", "100 rows, half positive", _two_aucs),
    Null(
        "corrected resampled t",
        "10 × 10, a tenth of the variance shared",
        lambda g: corrected_resampled_t(_shared(g)).p_value,
    ),
    Null(
        "plain t",
        "the same differences",
        lambda g: paired_t(_shared(g).ravel(), np.zeros(100), unit="fold").p_value,
    ),
    Null("5 × 2 t", "independent halves", lambda g: five_by_two(g.normal(size=(5, 2)), "t").p_value),
    Null("5 × 2 F", "independent halves", lambda g: five_by_two(g.normal(size=(5, 2)), "f").p_value),
)


def alarms(null: Null, n_sets: int) -> Held:
    """In how many of the sets p is at most 5%."""
    generator = seeded("nulls", null.test, null.place)
    return Held(null.place, null.test, sum(null.p_value(generator) <= 0.05 for _ in range(n_sets)), n_sets)


@dataclass(frozen=True)
class Families:
    """Twenty tests, fourteen of nothing, again and again.

    n_false:     sets with a false discovery
    false_share: the mean share of false ones among the discoveries of a set
    found:       the mean share of the six differences that were found
    """

    method: str
    n_false: int
    n_sets: int
    false_share: float
    found: float


def families(method: str, n_sets: int) -> Families:
    """All six real effects lie three standard errors from 0."""
    generator = seeded("families")
    shift = np.repeat([0.0, 3.0], [14, 6])
    n_false, shares, found = 0, [], []
    for _ in range(n_sets):
        p_values = 2 * ndtr(-np.abs(generator.normal(size=20) + shift))
        is_one = p_values <= 0.05 if method == "none" else np.array(adjust(p_values, method).is_rejected)
        n_false += bool(is_one[:14].any())
        shares.append(is_one[:14].sum() / max(is_one.sum(), 1))
        found.append(is_one[14:].mean())
    return Families(method, n_false, n_sets, float(np.mean(shares)), float(np.mean(found)))


def found_differences(n_rows: int, shares: tuple[float, float], differing: float, n_sets: int) -> Held:
    """How often McNemar's exact test finds a difference that is there, against what was planned."""
    generator = seeded("planned", n_rows, *shares, differing)
    gap = abs(shares[0] - shares[1])
    counts = generator.multinomial(
        n_rows, [(differing + gap) / 2, (differing - gap) / 2, 1 - differing], n_sets
    )
    n_found = sum(_mcnemar_p(int(a), int(b), n_rows, "exact") <= 0.05 for a, b, _ in counts.tolist())
    planned = power_of(n_rows, *shares, paired=differing).power
    return Held(
        f"{shares[0]:g} and {shares[1]:g}, {differing:.0%} differ, {n_rows:,} rows",
        f"{100 * planned:.1f}",
        n_found,
        n_sets,
    )


@dataclass(frozen=True)
class OccamPlace:
    """Trees of made sets, and what Occam's bound says of them: means over the sets, and how often it held."""

    population: str
    n_rows: int
    bits: float
    train: float
    truth: float
    tighter: float
    upper: float
    n_held: int
    n_sets: int


# The grid is decided before a row is drawn: 128 values, a sixteenth apart, from −4 to 4.
N_GRID = 128


def on_grid(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers of the cells that the values lie in; whatever is beyond an end lies in the last cell."""
    return np.clip(np.floor(16 * X), -N_GRID // 2, N_GRID // 2 - 1)


def occam_place(population: Population, n_rows: int, n_sets: int) -> OccamPlace:
    """Pruned trees of the default settings on a fixed grid; the truth from 4,000 fresh rows."""
    generator = seeded("occam", population.name, n_rows)
    rows = []
    for _ in range(n_sets):
        made, fresh = population.rows(generator, n_rows), population.rows(generator, 4000)
        X, X_fresh = on_grid(made.views[0]), on_grid(fresh.views[0])
        tree = ho.TreeClassifier(n_jobs=1).fit(X, made.y)
        train = float(np.mean(tree.predict(X) != made.y))
        truth = float(np.mean(tree.predict(X_fresh) != fresh.y))
        bits = tree.fixed_code_bits(N_GRID)
        bound = occam_bound(train, bits, n_rows)
        rows.append((bits, train, truth, bound.tighter, bound.upper, truth <= bound.tighter))
    means = np.mean(rows, axis=0)
    return OccamPlace(
        population.name, n_rows, *map(float, means[:5]), int(np.sum([row[5] for row in rows])), n_sets
    )


def largest_deviation(n_rows: int, m: int, n_sets: int) -> tuple[float, float, int]:
    """Of m coins: the mean largest deviation, Hoeffding's bound, and how many sets went beyond it."""
    generator = seeded("hoeffding", n_rows, m)
    deviations = np.abs(generator.binomial(n_rows, 0.5, size=(n_sets, m)) / n_rows - 0.5).max(axis=1)
    bound = hoeffding(n_rows, m=m).deviation
    return float(deviations.mean()), bound, int((deviations > bound).sum())
