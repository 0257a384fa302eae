"""The interval of an AUC, and the difference of two AUCs on the same rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.checks.values import check_choice, check_confidence
from heldout.native.ranking import placements
from heldout.stats.checked_values import normal_z
from heldout.stats.comparison import Significance
from heldout.stats.interval import Interval
from heldout.stats.score_pairs import pair_names
from heldout.stats.two_classes import positive_rows, score_values
from heldout.text.words import plural

METHODS = {"newcombe": "Newcombe's method 5", "delong_logit": "DeLong on the logit scale"}
SYNONYMS = {"delong": "delong_logit", "logit": "delong_logit", "hanley_mcneil": "newcombe"}
# Below so many rows of a class DeLong's interval was seen to cover less than it says (docs/methods).
FEW = 20
# From this ratio of the classes on it matters which of them has the wider scores, and the counts cannot tell.
UNEQUAL = 4


def auc_interval(
    y: Any,
    scores: Any,
    positive: Any = None,
    method: str = "newcombe",
    confidence: float = 0.95,
    what: str = "AUC",
) -> Interval:
    """The area under the ROC curve with its interval, from rows that are independent of each other.

    Parameters
    ----------
    y
        one label per row, of two classes
    scores
        one number per row, larger where the row is rather held for positive; infinities are allowed
    positive
        the positive class; left out, the last in sorted order
    method
        "newcombe": from the AUC and the counts of the classes, holds with few rows and at 0 and 1;
        "delong_logit": from the spread of the rows, on the logit scale. Where that has no answer (AUC of
        0 or 1, no spread, fewer than two rows of a class) Newcombe's stands in, and a note says so

    Notes
    -----
    Without rows of both classes there is no estimate (NaN), and the interval is 0 … 1.

    Examples
    --------
    >>> y = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0]
    >>> scores = [0.1, 0.3, 0.35, 0.8, 0.4, 0.7, 0.2, 0.9, 0.5, 0.6]
    >>> print(auc_interval(y, scores))
    AUC 0.880, 95% interval 0.505 to 0.979 (Newcombe's method 5, 10 rows). 5 positive and 5 negative rows. \
Of intervals made this way about 95% hold the true value; that is not the probability that this one does.
    """
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    confidence = check_confidence(confidence)
    is_positive, _ = positive_rows(y, positive)
    found = placements_of(is_positive, score_values(scores, len(is_positive)))
    ends, made, notes = _ends(found, method, confidence)
    return Interval(
        what,
        found.auc,
        *ends,
        confidence=confidence,
        method=made,
        n_rows=len(is_positive),
        reference=0.5,
        notes=(found.sizes, *notes),
    )


def compare_auc(
    y: Any,
    scores_a: Any,
    scores_b: Any,
    positive: Any = None,
    names: tuple[str, str] = ("A", "B"),
    confidence: float = 0.95,
) -> Significance:
    """Two AUCs on the same rows: their difference with its interval, and DeLong's test of it.

    Parameters
    ----------
    y, positive
        as for `auc_interval`
    scores_a, scores_b
        one number per row and scorer; only their order within a scorer counts
    names
        of the two, for the sentences

    Notes
    -----
    Where DeLong's variance is 0, or a class has fewer than two rows, the interval is made from Newcombe's
    intervals of the two as if they were independent, or, if one AUC lies above ½ and one below, from end to
    end, which is too wide rather than too narrow; p is then 1 if the AUCs are equal, and NaN if not. A note
    says so.

    Examples
    --------
    >>> y = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0]
    >>> tree = [0.1, 0.3, 0.35, 0.8, 0.4, 0.7, 0.2, 0.9, 0.5, 0.6]
    >>> coin = [0.3, 0.1, 0.2, 0.5, 0.5, 0.1, 0.4, 0.9, 0.2, 0.8]
    >>> found = compare_auc(y, tree, coin, names=("tree", "coin"))
    >>> round(found.difference.low, 3), found.difference.estimate, round(found.p_value, 3)
    (0.094, 0.44, 0.013)
    """
    confidence = check_confidence(confidence)
    first, second = pair_names(names)
    is_positive, _ = positive_rows(y, positive)
    n_rows = len(is_positive)
    a = placements_of(is_positive, score_values(scores_a, n_rows, "scores_a"))
    b = placements_of(is_positive, score_values(scores_b, n_rows, "scores_b"))
    difference, statistic, p_value = _difference(a, b, f"AUC of {first} minus AUC of {second}", confidence)
    return Significance(
        "DeLong's test",
        f"{first} and {second} have the same AUC",
        p_value,
        statistic,
        n_rows,
        seen=f"{first} {a.auc:.4g}, {second} {b.auc:.4g}" if a.auc == a.auc else "no AUC",
        difference=difference,
        notes=difference.notes,
        details={"auc_a": a.auc, "auc_b": b.auc, "standard_error": math.sqrt(paired_variance(a, b))},
    )


def _ends(found: Placements, method: str, confidence: float) -> tuple[tuple[float, float], str, list[str]]:
    """The ends, how they were made, and what is to be said about it."""
    by_counts = newcombe_ends(found.auc, found.n_positives, found.n_negatives, confidence)
    if found.auc != found.auc:
        note = "Without rows of both classes there is no AUC, and none is contradicted."
        return by_counts, METHODS[method], [note]
    notes = _unequal(found)
    if method == "newcombe":
        return by_counts, METHODS[method], notes
    reason = _no_delong(found)
    if reason:
        stands_in = f"It stands in for DeLong's, which has no answer: {reason}."
        return by_counts, METHODS["newcombe"], [stands_in, *notes]
    notes = []
    if min(found.n_positives, found.n_negatives) < FEW:
        notes.append(f"With fewer than {FEW} rows of a class DeLong's interval tends to be too short.")
    return logit_ends(found.auc, math.sqrt(found.variance), confidence), METHODS[method], notes


def _unequal(found: Placements) -> list[str]:
    """What Newcombe's interval cannot know about classes of very different sizes."""
    sizes = sorted([found.n_positives, found.n_negatives])
    if sizes[1] < UNEQUAL * sizes[0]:
        return []
    return ["It tends to be too short where the scores of the rarer class are spread more widely."]


def _no_delong(found: Placements) -> str:
    """Why DeLong's interval on the logit scale cannot be made, or nothing."""
    if found.auc in (0.0, 1.0):
        return f"the logit of an AUC of {found.auc:g} is infinite"
    if min(found.n_positives, found.n_negatives) < 2:
        return "a class has fewer than two rows"
    return "the rows show no spread" if found.variance == 0 else ""


def _difference(a: Placements, b: Placements, what: str, confidence: float) -> tuple[Interval, float, float]:
    """The difference with its interval, the statistic, and p."""
    estimate, variance = a.auc - b.auc, paired_variance(a, b)
    n_rows = a.n_positives + a.n_negatives
    if not variance > 0:
        interval = _without_variance(a, b, what, confidence)
        return interval, math.nan, 1.0 if estimate == 0 else math.nan
    error = math.sqrt(variance)
    half = normal_z(confidence) * error
    ends = max(estimate - half, -1.0), min(estimate + half, 1.0)
    notes = (a.sizes,)
    interval = Interval(
        what, estimate, *ends, confidence, "DeLong, paired", n_rows, reference=0.0, notes=notes
    )
    from scipy.special import ndtr

    return interval, estimate / error, min(2 * float(ndtr(-abs(estimate) / error)), 1.0)


def _without_variance(a: Placements, b: Placements, what: str, confidence: float) -> Interval:
    """The interval from those of the two AUCs, each end as far away as the two ends together (Newcombe).

    Scores that rank alike err alike, and their difference errs less than that of independent ones; scores
    that rank the other way around err the other way, and then the distances themselves have to be added.
    """
    n_rows = a.n_positives + a.n_negatives
    sizes = a.sizes
    if a.auc != a.auc:
        note = "Without rows of both classes there is no AUC, and no difference is contradicted."
        return Interval(
            what,
            math.nan,
            -1.0,
            1.0,
            confidence,
            "DeLong, paired",
            n_rows,
            reference=0.0,
            notes=(sizes, note),
        )
    low_a, high_a = newcombe_ends(a.auc, a.n_positives, a.n_negatives, confidence)
    low_b, high_b = newcombe_ends(b.auc, b.n_positives, b.n_negatives, confidence)
    estimate = a.auc - b.auc
    is_opposed = (a.auc - 0.5) * (b.auc - 0.5) < 0
    together = (lambda x, y: x + y) if is_opposed else math.hypot
    low = estimate - together(a.auc - low_a, high_b - b.auc)
    high = estimate + together(high_a - a.auc, b.auc - low_b)
    how = "reaches from end to end of the two" if is_opposed else "takes the two as independent"
    reason = (
        "a class has fewer than two rows" if min(a.n_positives, a.n_negatives) < 2 else "its variance is 0"
    )
    notes = (
        sizes,
        f"DeLong's test has no answer here ({reason}); the interval {how}, which is rather too wide.",
    )
    made = "Newcombe's method 5, two intervals combined"
    ends = max(low, -1.0), min(high, 1.0)
    return Interval(what, estimate, *ends, confidence, made, n_rows, reference=0.0, notes=notes)


@dataclass(frozen=True)
class Placements:
    """For every row the share of the other class that it is rightly told from, ties counting half.

    of_positives: of each positive row the share of negatives below it, in the order of the rows
    of_negatives: of each negative row the share of positives above it
    """

    of_positives: Floats
    of_negatives: Floats

    @property
    def n_positives(self) -> int:
        return len(self.of_positives)

    @property
    def n_negatives(self) -> int:
        return len(self.of_negatives)

    @property
    def auc(self) -> float:
        """The share of pairs told apart; NaN where a class has no rows."""
        if not self.n_positives or not self.n_negatives:
            return math.nan
        # Twice the pairs won is a whole number, so the division is the only place where a digit is lost.
        n_pairs = self.n_positives * self.n_negatives
        return int(_doubled(self.of_positives, self.n_negatives).sum()) / (2 * n_pairs)

    @property
    def sizes(self) -> str:
        """How many rows each class has, as a sentence."""
        return f"{self.n_positives:,} positive and {plural(self.n_negatives, 'negative row')}."

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC; NaN where a class has fewer than two rows."""
        return paired_variance(self, None)


def placements_of(is_positive: NDArray[Any], scores: Floats) -> Placements:
    """The placements of rows with these scores."""
    return Placements(*placements(scores, is_positive))


def paired_variance(first: Placements, second: Placements | None) -> float:
    """The variance of the difference of two AUCs on the same rows; of the first where there is no second.

    It is exactly 0 where all placements, or all their differences, are equal. NaN below two rows of a class.
    """
    n_positives, n_negatives = first.n_positives, first.n_negatives
    if n_positives < 2 or n_negatives < 2:
        return math.nan
    positives = _doubled(first.of_positives, n_negatives)
    negatives = _doubled(first.of_negatives, n_positives)
    if second is not None:
        positives = positives - _doubled(second.of_positives, n_negatives)
        negatives = negatives - _doubled(second.of_negatives, n_positives)
    return _spread(positives, n_negatives) + _spread(negatives, n_positives)


def logit_ends(
    auc: float, standard_error: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The ends of an interval made on the logit scale, where an AUC may be anything.

    auc:            strictly between 0 and 1
    standard_error: of the AUC, above 0
    alpha:          1 − confidence, where that is too small for a confidence to hold
    """
    half = normal_z(confidence, alpha) * standard_error / (auc * (1 - auc))
    odds = math.log(auc) - math.log1p(-auc)
    return _share(odds - half), _share(odds + half)


def _share(odds: float) -> float:
    """The share with this logarithm of its odds."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds)) if odds > -700 else 0.0


def _doubled(shares: Floats, n_others: int) -> NDArray[np.int64]:
    """Twice the number of pairs won: whole, so that equal differences are equal to the last bit."""
    return np.rint(shares * (2.0 * n_others)).astype(np.int64)


def _spread(doubled: NDArray[np.int64], n_others: int) -> float:
    """The variance of the mean of these placements."""
    if doubled.min() == doubled.max():
        return 0.0
    return float(np.var(doubled / (2.0 * n_others), ddof=1)) / len(doubled)


def newcombe_ends(
    auc: float, n_positives: float, n_negatives: float, confidence: float = 0.95, alpha: float | None = None
) -> tuple[float, float]:
    """The ends of the interval; all of 0 … 1 where a class has no rows.

    auc:         the estimate
    n_positives: how many rows of the class there are, or count as independent; need not be whole
    alpha:       1 − confidence, where that is too small for a confidence to hold
    """
    z = normal_z(confidence, alpha)
    if n_positives <= 0 or n_negatives <= 0:
        return 0.0, 1.0
    # The variance of t is that of 1 − t, so the upper end is the lower one of the mirrored estimate.
    low = _lower_end(auc, n_positives, n_negatives, z)
    return low, 1 - _lower_end(1 - auc, n_positives, n_negatives, z)


def newcombe_variance(auc: float, n_positives: float, n_negatives: float) -> float:
    """The variance of an estimate if this is the AUC.

    Hanley and McNeil's, with scores of both classes distributed exponentially; where they have
    n_positives − 1 and n_negatives − 1, both terms get their mean, so that no class has a role of its own.
    """
    n_others = (n_positives + n_negatives) / 2 - 1
    pairs = 1 + n_others * ((1 - auc) / (2 - auc) + auc / (1 + auc))
    return auc * (1 - auc) * pairs / (n_positives * n_negatives)


def _lower_end(auc: float, n_positives: float, n_negatives: float, z: float) -> float:
    """The smallest t from which the estimate lies at most z standard errors away.

    (auc − t)² / variance(t) falls all the way from t = 0 to t = auc, so halving finds the only place.
    """
    outside, inside = 0.0, auc
    while True:
        middle = (outside + inside) / 2
        if not outside < middle < inside:
            return inside
        if auc - middle > z * math.sqrt(newcombe_variance(middle, n_positives, n_negatives)):
            outside = middle
        else:
            inside = middle
