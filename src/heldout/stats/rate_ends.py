"""The ends of intervals for a rate, as plain functions of numbers: normal, Wilson, Clopper-Pearson."""

from __future__ import annotations

import math

from heldout.stats.choices import allowed_misses, normal_z


def normal_ends(
    share: float, n_effective: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The share ± z standard errors (Wald), cut at 0 and 1; with nothing counted, all of 0 … 1.

    share:       of the rows that hit
    n_effective: how many rows it rests on; need not be whole
    alpha:       1 − confidence, where that is too small for a confidence to hold

    >>> tuple(round(end, 4) for end in normal_ends(0.22, 50))
    (0.1052, 0.3348)
    """
    z = normal_z(confidence, alpha)
    if n_effective <= 0:
        return 0.0, 1.0
    half = z * math.sqrt(share * (1 - share) / n_effective)
    return max(share - half, 0.0), min(share + half, 1.0)


def wilson_ends(
    share: float, n_effective: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """Wilson's interval for a share that rests on so many rows; the number need not be whole.

    It never leaves 0 … 1, and with nothing counted it is all of it.

    >>> tuple(round(end, 4) for end in wilson_ends(0.22, 50))
    (0.1275, 0.3524)
    >>> tuple(round(end, 4) for end in wilson_ends(0.22, 50 / (1 + 10 / 9)))
    (0.0995, 0.4187)
    """
    return wilson_of_counts(share * n_effective, n_effective, confidence, alpha)


def wilson_of_counts(
    n_hits: float, n_rows: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The same of which `n_hits` of `n_rows` were counted; weights need not be whole.

    >>> tuple(round(end, 4) for end in wilson_of_counts(11, 12))
    (0.6461, 0.9851)
    >>> wilson_of_counts(0, 0)
    (0.0, 1.0)
    """
    z = normal_z(confidence, alpha)
    if n_rows <= 0:
        return 0.0, 1.0
    share = min(n_hits / n_rows, 1.0)
    # The ends solve (n_rows + z²)·p² − (2·n_hits + z²)·p + n_hits·share = 0; no weight is too small for that.
    larger = n_hits + z * z / 2 + z * math.sqrt(n_hits * (1 - share) + z * z / 4)
    low = 0.0 if n_hits <= 0 else n_hits * share / larger
    high = 1.0 if n_hits >= n_rows else larger / (n_rows + z * z)
    return min(low, 1.0), min(high, 1.0)


def clopper_pearson_ends(
    n_hits: int, n_rows: int, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The exact interval: rates under which so many hits, or more, or fewer, are not rarer than alpha/2.

    >>> tuple(round(end, 4) for end in clopper_pearson_ends(11, 50))
    (0.1153, 0.3596)
    >>> tuple(round(end, 4) for end in clopper_pearson_ends(11, 50, alpha=0.05 / 2**40))
    (0.0064, 0.7401)
    """
    from scipy.special import betainccinv, betaincinv

    tail = allowed_misses(confidence, alpha) / 2
    if n_rows <= 0:
        return 0.0, 1.0
    low = 0.0 if n_hits <= 0 else float(betaincinv(n_hits, n_rows - n_hits + 1, tail))
    high = 1.0 if n_hits >= n_rows else float(betainccinv(n_hits + 1, n_rows - n_hits, tail))
    return low, high
