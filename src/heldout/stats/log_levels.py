"""Ends of intervals at levels so small that only their logarithms can be held, such as 0.05 · 2^−2000.

A level is handed over as the natural logarithm of alpha, the share of intervals that may miss.
"""

from __future__ import annotations

import math

from heldout.stats.rate_ends import clopper_pearson_ends

LOG2 = math.log(2.0)
# SciPy's inverse of the incomplete beta function was found right down to 1e-90; at 1e-272 it may give NaN.
SMALLEST_KNOWN = math.log(1e-60)


def level_after_bits(confidence: float, bits: float) -> float:
    """The logarithm of (1 − confidence) · 2^−bits.

    >>> round(level_after_bits(0.95, 10.0), 6), round(level_after_bits(0.95, 1e4), 3)
    (-9.927204, -6934.468)
    """
    return math.log(1 - confidence) - bits * LOG2


def rate_ends_at(n_hits: int, n_rows: int, log_alpha: float) -> tuple[float, float]:
    """The ends of Clopper-Pearson's interval at this level; all of 0 … 1 without rows.

    >>> tuple(round(end, 4) for end in rate_ends_at(11, 50, math.log(0.05)))
    (0.1153, 0.3596)
    >>> tuple(round(end, 4) for end in rate_ends_at(900, 1000, math.log(0.05) - 500 * LOG2))
    (0.5132, 0.9988)
    """
    if log_alpha > SMALLEST_KNOWN:
        return clopper_pearson_ends(n_hits, n_rows, alpha=math.exp(log_alpha))
    return lower_rate(n_hits, n_rows, log_alpha - LOG2), upper_rate(n_hits, n_rows, log_alpha - LOG2)


def upper_rate(n_hits: int, n_rows: int, log_tail: float) -> float:
    """The largest rate under which so few hits, or fewer, are not rarer than this.

    log_tail: the logarithm of how rare they may be

    >>> round(upper_rate(0, 100, math.log(0.05)), 4)
    0.0295
    """
    if n_hits >= n_rows:
        return 1.0
    if n_hits <= 0:
        return -math.expm1(log_tail / n_rows)
    if log_tail > SMALLEST_KNOWN:
        from scipy.special import betainccinv

        return float(betainccinv(n_hits + 1, n_rows - n_hits, math.exp(log_tail)))
    return 1 - lower_rate(n_rows - n_hits, n_rows, log_tail)


def lower_rate(n_hits: int, n_rows: int, log_tail: float) -> float:
    """The smallest rate under which so many hits, or more, are not rarer than this.

    >>> round(lower_rate(90, 100, -1000.0), 9)
    1.0652e-05
    """
    if n_hits <= 0:
        return 0.0
    if n_hits >= n_rows:
        return math.exp(log_tail / n_rows)
    from scipy.special import betaincinv, betaln

    a, b = float(n_hits), float(n_rows - n_hits + 1)
    if log_tail > SMALLEST_KNOWN:
        return float(betaincinv(a, b, math.exp(log_tail)))
    constant = -math.log(a) - float(betaln(a, b))
    # So many hits or more are at most as likely as C(n, hits) · rate^hits; no rate below `low` reaches that.
    low = (log_tail - constant) / a - 1.0
    high = math.log(n_hits / n_rows)
    while low < (middle := (low + high) / 2) < high:
        if _log_beta_share(middle, a, b, constant) < log_tail:
            low = middle
        else:
            high = middle
    return math.exp(high)


def f1_ends_at(tp: int, n_counted: int, log_alpha: float) -> tuple[float, float]:
    """The ends of the exact interval of an F1 at this level.

    n_counted: TP + FP + FN

    >>> tuple(round(end, 3) for end in f1_ends_at(60, 120, math.log(0.05)))
    (0.579, 0.744)
    """
    low, high = rate_ends_at(tp, n_counted, log_alpha)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def auc_ends_at(auc: float, n_positives: int, n_negatives: int, log_alpha: float) -> tuple[float, float]:
    """Ends for an AUC that hold for scores of any kind, at any level (Chernoff, Hoeffding 1963).

    An AUC is the mean over all pairings of the rarer class with as many of the other, and each pairing has
    that many independent pairs. So an estimate lies as far off at most as often as exp(−n · divergence), with
    n the size of the rarer class and the divergence (in nats) of the estimate from the truth.

    >>> tuple(round(end, 4) for end in auc_ends_at(0.8, 100, 100, math.log(0.05)))
    (0.6784, 0.8928)
    """
    n_pairs = min(n_positives, n_negatives)
    if n_pairs <= 0:
        return 0.0, 1.0
    most = (LOG2 - log_alpha) / n_pairs
    return _nearest_contradicted(auc, most), 1 - _nearest_contradicted(1 - auc, most)


def _nearest_contradicted(estimate: float, most: float) -> float:
    """The smallest truth below the estimate from which it diverges by no more than this."""
    if estimate <= 0:
        return 0.0
    low, high = 0.0, estimate
    while low < (middle := (low + high) / 2) < high:
        if divergence(estimate, middle) > most:
            low = middle
        else:
            high = middle
    return high


def divergence(share: float, truth: float) -> float:
    """How far a coin that falls so lies from one of this truth, in nats (Kullback and Leibler).

    >>> round(divergence(0.5, 0.25), 6), divergence(1.0, 0.5) == LOG2
    (0.143841, True)
    """
    hits = share * math.log(share / truth) if share > 0 else 0.0
    misses = (1 - share) * math.log((1 - share) / (1 - truth)) if share < 1 else 0.0
    return hits + misses


def _log_beta_share(log_rate: float, a: float, b: float, constant: float) -> float:
    """The logarithm of the regularized incomplete beta function, by its continued fraction (Lentz).

    constant: −log a − log B(a, b)
    """
    rate = math.exp(log_rate)
    fraction, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, 100_000):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * rate / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * rate / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + term * lower)
        upper = 1 + term / upper
        fraction *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return a * log_rate + b * math.log1p(-rate) + constant - math.log(fraction)
