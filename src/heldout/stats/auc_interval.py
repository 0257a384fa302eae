"""The interval of an AUC, and the difference of two AUCs on the same rows."""

from __future__ import annotations

import math
from typing import Any

from heldout.stats.choices import check_choice, check_confidence, normal_z
from heldout.stats.delong import Placements, logit_ends, paired_variance, placements_of
from heldout.stats.interval import Interval
from heldout.stats.newcombe import newcombe_ends
from heldout.stats.score_pairs import pair_names
from heldout.stats.significance import Significance
from heldout.stats.two_classes import positive_rows, score_values

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

    y:        one label per row, of two classes
    scores:   one number per row, larger where the row is rather held for positive; infinities are allowed
    positive: the class to spot; left out, the last in sorted order
    method:   "newcombe": from the AUC and the counts of the classes, holds with few rows and at 0 and 1;
              "delong_logit": from the spread of the rows, on the logit scale. Where that has no answer (AUC
              of 0 or 1, no spread, fewer than two rows of a class) Newcombe's stands in, and a note says so

    Without rows of both classes there is no estimate (NaN), and the interval is 0 … 1.

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

    y, positive:        as for `auc_interval`
    scores_a, scores_b: one number per row and scorer; only their order within a scorer counts
    names:              of the two, for the sentences

    Where DeLong's variance is 0, or a class has fewer than two rows, the interval is made from Newcombe's
    intervals of the two as if they were independent, or, if one AUC lies above ½ and one below, from end to
    end, which is too wide rather than too narrow; p is then 1 if the AUCs are equal, and NaN if not. A note
    says so.

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
