"""McNemar's test: two classifiers on the same rows, by the rows that only one of them has right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.checks.values import check_choice, check_confidence, check_count
from heldout.errors import DataError
from heldout.stats.checked_values import normal_z
from heldout.stats.comparison import Significance
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import pair_names, prediction_pairs
from heldout.stats.sign_test import binomial_p
from heldout.text.words import plural

METHODS = {"exact": "exact McNemar test", "mid_p": "mid-p McNemar test"}
SYNONYMS = {
    "binomial": "exact",
    "midp": "mid_p",
    "mid-p": "mid_p",
    "chi_square": "mid_p",
    "asymptotic": "mid_p",
}


def mcnemar(
    y: Any,
    predicted_a: Any,
    predicted_b: Any,
    method: str = "exact",
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
) -> Significance:
    """Whether two classifiers have the same accuracy, from their answers on the same rows.

    Parameters
    ----------
    y, predicted_a, predicted_b
        the true labels, and the answers of both
    method
        "exact": never too eager, rather too slow; "mid_p": 5% as often as it says on average (Fagerland,
        Lydersen & Laake 2013)
    names
        of the two, for the sentences
    confidence
        of Tango's score interval of the difference of the accuracies

    Notes
    -----
    Rows are taken as independent of each other and of the training of both. Without a row that only one of
    the two has right p is 1.

    Examples
    --------
    >>> found = mcnemar([1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 0, 1], [0, 0, 0, 1, 0, 0], names=("tree", "rule"))
    >>> found.seen, found.p_value, round(found.difference.estimate, 3)
    ('3 rows only tree has right, 1 only rule', 0.625, 0.333)
    """
    pairs = prediction_pairs(y, predicted_a, predicted_b)
    is_right_a, is_right_b = pairs.a == pairs.y, pairs.b == pairs.y
    only_a, only_b = int(np.sum(is_right_a & ~is_right_b)), int(np.sum(is_right_b & ~is_right_a))
    return mcnemar_of_counts(only_a, only_b, len(pairs.y), method, names, confidence)


def mcnemar_of_counts(
    only_a: int,
    only_b: int,
    n_rows: int,
    method: str = "exact",
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
) -> Significance:
    """The same from counts.

    Parameters
    ----------
    only_a, only_b
        rows that only the first, and that only the second, has right
    n_rows
        all rows
    method, names, confidence
        as for `mcnemar`

    Examples
    --------
    >>> mcnemar_of_counts(15, 14, 100).p_value
    1.0
    >>> round(mcnemar_of_counts(6, 16, 161, "mid_p").p_value, 6)
    0.03469
    """
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    only_a, only_b = check_count("only_a", only_a), check_count("only_b", only_b)
    n_rows = check_count("n_rows", n_rows)
    if only_a + only_b > n_rows:
        raise DataError(
            "more rows are right for one of the two than there are rows",
            where=f"only_a={only_a}, only_b={only_b}, n_rows={n_rows}",
            fix="let n_rows count all rows, also those on which both agree",
        )
    p_value = binomial_p(only_a, only_b) if method == "exact" else mid_p(only_a, only_b)
    difference = _difference(
        only_a, only_b, n_rows, f"accuracy of {first} minus accuracy of {second}", confidence
    )
    return Significance(
        METHODS[method],
        f"{first} and {second} have the same accuracy",
        p_value,
        float(only_a - only_b),
        n_rows,
        seen=f"{plural(only_a, 'row')} only {first} has right, {only_b:,} only {second}",
        difference=difference,
        notes=_notes(only_a, only_b, p_value, difference),
        details={"only_a": float(only_a), "only_b": float(only_b)},
    )


def mid_p(wins: int, losses: int) -> float:
    """The two-sided p that counts what is exactly as extreme by half; 1 where there is nothing."""
    from scipy.stats import binom

    if wins + losses == 0:
        return 1.0
    observed = float(binom.pmf(wins, wins + losses, 0.5))
    # Of an even count in the middle there is one, of all others a pair.
    return 1 - observed / 2 if wins == losses else binomial_p(wins, losses) - observed


def _difference(only_a: int, only_b: int, n_rows: int, what: str, confidence: float) -> Interval:
    ends = tango_ends(only_a, only_b, n_rows, confidence) if n_rows else (-1.0, 1.0)
    estimate = (only_a - only_b) / n_rows if n_rows else math.nan
    return Interval(
        what, estimate, *ends, confidence, "Tango's score interval, paired", n_rows, reference=0.0
    )


def _notes(only_a: int, only_b: int, p_value: float, difference: Interval) -> tuple[str, ...]:
    if only_a + only_b == 0:
        return ("There is no row that only one of the two has right, so nothing speaks for either.",)
    if (p_value <= 1 - difference.confidence) != (0.0 not in difference):
        return ("Interval and test are made differently, and here they stand on two sides of the line.",)
    return ()


_STEPS = 200


def tango_ends(only_a: int, only_b: int, n_rows: int, confidence: float = 0.95) -> tuple[float, float]:
    """The ends of the interval of (only_a − only_b) / n_rows.

    only_a, only_b: rows that only one of the two has right
    n_rows:         all rows, at least one
    """
    z = normal_z(confidence)
    # The interval of b against a is that of a against b turned around.
    return _lower_end(only_a, only_b, n_rows, z), -_lower_end(only_b, only_a, n_rows, z)


def score(delta: float, only_a: int, only_b: int, n_rows: int) -> float:
    """How many standard errors the counts lie above a supposed difference."""
    distance = only_a - only_b - n_rows * delta
    share = likeliest_share(delta, only_a, only_b, n_rows)
    variance = n_rows * (2 * share + delta * (1 - delta))
    return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance)


def likeliest_share(delta: float, only_a: int, only_b: int, n_rows: int) -> float:
    """The likeliest share of rows that only B has right, if the difference is delta."""
    # The likelihood has its top where a quadratic equation is 0.
    b = (2 * n_rows - only_a + only_b) * delta - only_a - only_b
    root = math.sqrt(max(b * b + 8 * n_rows * only_b * delta * (1 - delta), 0.0))
    if b > 0:  # the same root without taking a difference of equals
        return 2 * only_b * delta * (1 - delta) / (b + root)
    return (root - b) / (4 * n_rows)


def _lower_end(only_a: int, only_b: int, n_rows: int, z: float) -> float:
    """The difference at which the score is z; the score falls as the difference grows."""
    low, high = -1.0, (only_a - only_b) / n_rows
    for _ in range(_STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        if score(middle, only_a, only_b, n_rows) > z:
            low = middle
        else:
            high = middle
    return low + (high - low) / 2
