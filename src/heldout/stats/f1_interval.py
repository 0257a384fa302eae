"""The exact interval of an F1 score, through the share of hits among all rows that F1 looks at."""

from __future__ import annotations

import math

from heldout.checks.values import check_confidence, check_count
from heldout.stats.interval import Interval
from heldout.stats.rate_interval import clopper_pearson_ends

NO_ROWS = "Without a positive row, true or predicted, there is no F1, and none is contradicted."


def f1_interval(tp: int, fp: int, fn: int, confidence: float = 0.95, what: str = "F1") -> Interval:
    """F1 with its exact interval, from counted rows that are independent of each other.

    F1 = 2J / (1 + J) with Jaccard's J = TP / (TP + FP + FN), and of the rows that are positive or are called
    so a share J are both: a rate, for which Clopper-Pearson is exact; what rises with it keeps its interval.

    Parameters
    ----------
    tp
        how many rows are positive and called so
    fp
        how many are called positive and are not
    fn
        how many are positive and not called so
    what
        what it is the F1 of, for the sentence

    Notes
    -----
    Without hits (tp = 0) the F1 is 0 and the lower end too. If all three are 0 there is no F1 (NaN), and the
    interval is 0 … 1.

    Examples
    --------
    >>> found = f1_interval(3, 2, 1)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.6667, 0.2113, 0.9372)
    """
    confidence = check_confidence(confidence)
    hits = check_count("tp", tp)
    n_rows = hits + check_count("fp", fp) + check_count("fn", fn)
    estimate = f1_of_jaccard(hits / n_rows) if n_rows else math.nan
    return Interval(
        what,
        estimate,
        *f1_ends(hits, n_rows, confidence),
        confidence=confidence,
        method="Clopper-Pearson on TP / (TP + FP + FN)",
        n_rows=n_rows,
        unit="counted row",
        notes=("True negatives do not count.",) if n_rows else (NO_ROWS,),
    )


def f1_of_jaccard(jaccard: float) -> float:
    """The F1 score of this Jaccard index."""
    return 2 * jaccard / (1 + jaccard)


def f1_ends(
    tp: int, n_counted: int, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The ends of the exact interval.

    n_counted: TP + FP + FN
    alpha:     1 − confidence, where that is too small for a confidence to hold
    """
    low, high = clopper_pearson_ends(tp, n_counted, confidence, alpha)
    return f1_of_jaccard(low), f1_of_jaccard(high)
