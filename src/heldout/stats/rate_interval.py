"""The interval of a rate: an error, an accuracy, a share of rows."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from heldout.checks.values import check_choice, check_confidence, check_count
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.checked_values import allowed_misses, normal_z
from heldout.stats.interval import Interval

METHODS = {"clopper_pearson": "Clopper-Pearson", "wilson": "Wilson", "normal": "normal approximation"}
SYNONYMS = {"exact": "clopper_pearson", "wald": "normal", "score": "wilson", "beta": "clopper_pearson"}
# Below so many expected hits, or misses, a binomial count is too lopsided for a normal curve.
FEW = 5
NO_ROWS = "Without a row there is no estimate, and no rate is contradicted."


def rate_interval(
    n_hits: float,
    n_rows: float,
    method: str = "clopper_pearson",
    confidence: float = 0.95,
    what: str = "rate",
) -> Interval:
    """A rate with its interval, from counted rows that are independent of each other.

    Parameters
    ----------
    n_hits
        how many rows are hits (errors, for an error rate); whole for "clopper_pearson"
    n_rows
        how many rows there are; whole for "clopper_pearson". Of 0 rows the estimate is NaN and the
        interval 0 … 1
    method
        "clopper_pearson": exact, never covers less than it says; "wilson": as often as it says on
        average; "normal" (Wald): the one of the textbooks, too short for few rows and near 0 and 1
    confidence
        of intervals made this way so many hold the true rate
    what
        what the rate is, for the sentence

    Examples
    --------
    >>> for method in ("normal", "wilson", "clopper_pearson"):
    ...     found = rate_interval(11, 50, method)
    ...     print(method, round(found.low, 4), round(found.high, 4))
    normal 0.1052 0.3348
    wilson 0.1275 0.3524
    clopper_pearson 0.1153 0.3596
    """
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    confidence = check_confidence(confidence)
    hits, rows = _counts(n_hits, n_rows, is_whole=method == "clopper_pearson")
    share = hits / rows if rows > 0 else math.nan
    return Interval(
        what,
        share,
        *_ends(method, hits, rows, confidence),
        confidence=confidence,
        method=METHODS[method],
        n_rows=round(rows),
        notes=_notes(method, hits, rows),
    )


def _ends(method: str, hits: float, rows: float, confidence: float) -> tuple[float, float]:
    if method == "clopper_pearson":
        return clopper_pearson_ends(int(hits), int(rows), confidence)
    if method == "wilson":
        return wilson_of_counts(hits, rows, confidence)
    return normal_ends(hits / rows if rows > 0 else 0.0, rows, confidence)


def _notes(method: str, hits: float, rows: float) -> tuple[str, ...]:
    notes = []
    if rows != round(rows):
        notes.append(f"The rows count as {rows:.6g} independent ones.")
    if rows <= 0:
        notes.append(NO_ROWS)
    elif method == "normal" and min(hits, rows - hits) < FEW:
        width = " and has no width at all" if hits in (0, rows) else ""
        notes.append(
            f"With fewer than {FEW} hits or misses the normal approximation is too short{width};"
            " Wilson or Clopper-Pearson hold what they say."
        )
    return tuple(notes)


def _counts(n_hits: Any, n_rows: Any, is_whole: bool) -> tuple[float, float]:
    if is_whole:
        hits: float = _whole("n_hits", n_hits)
        rows: float = _whole("n_rows", n_rows)
    else:
        hits, rows = _amount("n_hits", n_hits), _amount("n_rows", n_rows)
    if hits > rows:
        raise DataError(
            "there are more hits than rows",
            where=f"n_hits={hits:g}, n_rows={rows:g}",
            fix="count the hits among the rows",
        )
    return hits, rows


def _whole(name: str, value: Any) -> int:
    if isinstance(value, Real) and 0 <= float(value) < math.inf and float(value) != int(float(value)):
        raise RequestError(
            f"Clopper-Pearson counts whole rows, and {name} has a fraction",
            where=f"{name}={value!r:.40}",
            fix="use method='wilson' for weights and effective numbers of rows",
        )
    return check_count(name, value)


def _amount(name: str, value: Any) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and 0 <= float(value) < math.inf:
        return float(value)
    raise (RequestError if is_number else InputTypeError)(
        f"{name} must be a finite number of at least 0", where=f"{name}={value!r:.40}", fix="count rows"
    )


def normal_ends(
    share: float, n_effective: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The share ± z standard errors (Wald), cut at 0 and 1; with nothing counted, all of 0 … 1.

    share:       of the rows that hit
    n_effective: how many rows it rests on; need not be whole
    alpha:       1 − confidence, where that is too small for a confidence to hold
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
    """
    return wilson_of_counts(share * n_effective, n_effective, confidence, alpha)


def wilson_of_counts(
    n_hits: float, n_rows: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The same of which `n_hits` of `n_rows` were counted; weights need not be whole."""
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
    """The exact interval: rates under which so many hits, or more, or fewer, are not rarer than alpha/2."""
    from scipy.special import betainccinv, betaincinv

    tail = allowed_misses(confidence, alpha) / 2
    if n_rows <= 0:
        return 0.0, 1.0
    low = 0.0 if n_hits <= 0 else float(betaincinv(n_hits, n_rows - n_hits + 1, tail))
    high = 1.0 if n_hits >= n_rows else float(betainccinv(n_hits + 1, n_rows - n_hits, tail))
    return low, high
