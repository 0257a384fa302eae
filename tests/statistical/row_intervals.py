"""How often intervals from independent rows hold the true value: rates exactly, the others by simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm

from heldout.stats import bootstrap, bootstrap_confusion, f1_interval, jackknife
from heldout.stats.auc_interval import logit_ends, newcombe_ends, placements_of
from heldout.stats.rate_interval import clopper_pearson_ends, normal_ends, wilson_of_counts

from .cross_validations import seeded

Numbers = NDArray[np.float64]
RATES = np.arange(1, 100) / 100
ENDS = {
    "normal": lambda hits, n: normal_ends(hits / n, n),
    "Wilson": wilson_of_counts,
    "Clopper-Pearson": clopper_pearson_ends,
}


@dataclass(frozen=True)
class Held:
    """How many of the intervals of one place held the true value.

    place:  in words
    method: of the interval
    """

    place: str
    method: str
    n_held: int
    n_sets: int


@cache
def rate_coverage(method: str, n_rows: int) -> tuple[float, float]:
    """The least and the mean coverage over the rates .01, .02, … .99, without any drawing."""
    hits = np.arange(n_rows + 1)
    ends = np.array([ENDS[method](int(count), n_rows) for count in hits])
    shares = [
        float(binom.pmf(hits, n_rows, rate)[(ends[:, 0] <= rate) & (rate <= ends[:, 1])].sum())
        for rate in RATES
    ]
    return min(shares), float(np.mean(shares))


def auc_hits(
    auc: float, sizes: tuple[int, int], spread: float, n_sets: int, generator: np.random.Generator
) -> tuple[int, int]:
    """How many intervals of normal scores hold the AUC: Newcombe's, and DeLong's on the logit scale.

    sizes:  positive and negative rows
    spread: of the scores of positive rows; those of negative rows have 1
    """
    shift = norm.ppf(auc) * np.hypot(spread, 1.0)
    is_positive = np.repeat([True, False], sizes)
    n_newcombe = n_delong = 0
    for _ in range(n_sets):
        noise = generator.normal(size=sum(sizes))
        found = placements_of(is_positive, np.where(is_positive, shift + spread * noise, noise))
        low, high = newcombe_ends(found.auc, *sizes)
        n_newcombe += low <= auc <= high
        if found.variance > 0 and 0 < found.auc < 1:  # else Newcombe's stands in, as in `auc_interval`
            low, high = logit_ends(found.auc, found.variance**0.5)
        n_delong += low <= auc <= high
    return n_newcombe, n_delong


def auc_coverage(auc: float, sizes: tuple[int, int], spread: float, n_sets: int) -> list[Held]:
    """What `auc_hits` counts, with the place in words."""
    n_newcombe, n_delong = auc_hits(auc, sizes, spread, n_sets, seeded("auc", auc, sizes, spread))
    place = f"AUC {auc}, {sizes[0]} and {sizes[1]} rows" + (f", spread {spread:g}" if spread != 1 else "")
    return [Held(place, "Newcombe", n_newcombe, n_sets), Held(place, "DeLong, logit", n_delong, n_sets)]


def f1_coverage(shares: Sequence[float], n_rows: int, n_sets: int) -> list[Held]:
    """The exact interval of F1, and the percentile bootstrap.

    shares: of true positives, false positives, false negatives and the rest
    """
    generator = seeded("f1", *shares, n_rows)
    truth = 2 * shares[0] / (2 * shares[0] + shares[1] + shares[2])

    def f1(counts: Numbers) -> Numbers:
        return 2 * counts[:, 1, 1] / (2 * counts[:, 1, 1] + counts[:, 0, 1] + counts[:, 1, 0])

    n_exact = n_drawn = 0
    for seed in range(n_sets):
        tp, fp, fn, tn = map(int, generator.multinomial(n_rows, shares))
        n_exact += truth in f1_interval(tp, fp, fn)
        n_drawn += truth in bootstrap_confusion(f1, [[tn, fp], [fn, tp]], n_resamples=500, seed=seed)
    place = f"F1 {truth:.2f}, {shares[0] + shares[2]:.0%} positives, {n_rows} rows"
    return [Held(place, "exact", n_exact, n_sets), Held(place, "percentile bootstrap", n_drawn, n_sets)]


@dataclass(frozen=True)
class Drawn:
    """A statistic of a sample, and what it is in truth."""

    name: str
    draw: Callable[[np.random.Generator, int], Numbers]
    statistic: Callable[[Numbers], float]
    truth: float


NORMAL_MEAN = Drawn("mean, normal", lambda g, n: g.normal(size=n), np.mean, 0.0)
SKEWED_MEAN = Drawn("mean, lognormal", lambda g, n: g.lognormal(0, 1, n), np.mean, float(np.exp(0.5)))
MEDIAN = Drawn("median, lognormal", lambda g, n: g.lognormal(0, 1, n), np.median, 1.0)
VARIANCE = Drawn("variance, normal", lambda g, n: g.normal(size=n), np.var, 1.0)
DRAWN = (NORMAL_MEAN, SKEWED_MEAN, MEDIAN, VARIANCE)


def resampled_coverage(drawn: Drawn, n_rows: int, n_sets: int) -> list[Held]:
    """The two bootstraps and the jackknife of the same samples."""
    generator = seeded("resampled", drawn.name, n_rows)
    held = {"percentile": 0, "bca": 0, "jackknife": 0}
    for seed in range(n_sets):
        sample = drawn.draw(generator, n_rows)
        for method in ("percentile", "bca"):
            found = bootstrap(drawn.statistic, sample, method=method, n_resamples=1000, seed=seed)
            held[method] += drawn.truth in found
        held["jackknife"] += drawn.truth in jackknife(drawn.statistic, sample).interval
    return [Held(f"{drawn.name}, {n_rows} rows", method, count, n_sets) for method, count in held.items()]


def grouped_coverage(n_groups: int, size: int, n_sets: int) -> list[Held]:
    """The bootstrap of a rate of rows in groups, that share half of what makes them right or wrong."""
    generator = seeded("grouped bootstrap", n_groups, size)
    groups = np.repeat(np.arange(n_groups), size)
    truth = float(norm.cdf(1.0))
    held = {"of rows": 0, "of groups": 0}
    for seed in range(n_sets):
        score = np.sqrt(0.5) * (generator.normal(size=n_groups)[groups] + generator.normal(size=len(groups)))
        is_right = score < 1.0
        held["of rows"] += truth in bootstrap(np.mean, is_right, n_resamples=500, seed=seed)
        held["of groups"] += truth in bootstrap(np.mean, is_right, groups=groups, n_resamples=500, seed=seed)
    return [Held(f"{n_groups} groups of {size}", method, count, n_sets) for method, count in held.items()]
