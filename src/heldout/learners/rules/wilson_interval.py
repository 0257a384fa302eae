"""Wilson's interval for a share: where the true share lies, by what was counted."""

from __future__ import annotations

import math


def wilson_interval(right: float, total: float, confidence: float = 0.95) -> tuple[float, float]:
    """The interval for a share of which `right` of `total` were counted; weights need not be whole.

    It never leaves 0 … 1, and with nothing counted it is all of it.

    >>> tuple(round(end, 4) for end in wilson_interval(11, 12))
    (0.6461, 0.9851)
    >>> wilson_interval(0, 0)
    (0.0, 1.0)
    """
    if total <= 0:
        return 0.0, 1.0
    from statistics import NormalDist  # takes 10 ms

    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = min(right / total, 1.0)
    # The ends solve (total + z²)·p² − (2·right + z²)·p + right·share = 0; no weight is too small for that.
    larger = right + z * z / 2 + z * math.sqrt(right * (1 - share) + z * z / 4)
    low = 0.0 if right <= 0 else right * share / larger
    high = 1.0 if right >= total else larger / (total + z * z)
    return min(low, 1.0), min(high, 1.0)
