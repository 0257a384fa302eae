"""How much of the held labels was given away by earlier looks, in bits.

A look gives one answer out of a known number of possible ones. Whatever is built after it is built from that
answer, so after looks with A₁, A₂, … possible answers at most A₁ · A₂ · … models can come next, and an
interval that holds for all of these at once holds for the one that came (Dwork et al. 2015).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heldout.checks.values import check_choice, check_count
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.rate_interval import clopper_pearson_ends
from heldout.text.words import plural

KINDS = ("rate", "f1", "auc")
SYNONYMS = {"accuracy": "rate", "error": "rate", "f": "f1", "f_score": "f1", "area": "auc", "roc": "auc"}


@dataclass(frozen=True)
class Looks:
    """Earlier looks at the same rows.

    Attributes
    ----------
    answers
        how many answers were possible at each of them

    Examples
    --------
    >>> earlier = Looks().and_one(n_answers("rate", 200)).and_one(n_answers("rate", 200, digits=2))
    >>> len(earlier), round(earlier.bits, 2)
    (2, 14.31)
    >>> print(earlier)
    2 looks gave away at most 14.3 bits of the labels.
    """

    answers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.answers, Sequence) or isinstance(self.answers, str):
            raise InputTypeError(
                "Looks takes the number of possible answers of each look",
                where=f"Looks({self.answers!r:.60})",
                fix="give a tuple, such as Looks((201, 201))",
            )
        checked = tuple(check_count("answers", each, lowest=1) for each in self.answers)
        object.__setattr__(self, "answers", checked)

    def __len__(self) -> int:
        return len(self.answers)

    def __str__(self) -> str:
        if not self.answers:
            return "No look has given away anything of the labels."
        return f"{plural(len(self), 'look')} gave away at most {shown_bits(self.bits)} of the labels."

    def and_one(self, n_answers: int) -> Looks:
        """These and one more look with so many possible answers."""
        return Looks((*self.answers, n_answers))

    @property
    def bits(self) -> float:
        """How many bits were given away at most: the sum of the logarithms of the numbers of answers."""
        return math.fsum(bits_of_answers(each) for each in self.answers)

    @property
    def bits_of_any(self) -> float:
        """The logarithm of how many models there can be in all: the first, those that come second, and so on.

        An interval at α · 2^−this holds for the next model and for all before it at once, thus also for the
        best of them. It is larger than `bits` by next to nothing.

        Examples
        --------
        >>> round(Looks((201, 201)).bits, 3), round(Looks((201, 201)).bits_of_any, 3)
        (15.302, 15.309)
        """
        n_models = n_latest = 1
        for each in self.answers:
            n_latest *= each
            n_models += n_latest
        return math.log2(n_models)


def bits_of_answers(n_answers: int) -> float:
    """How many bits an answer out of so many gives away: the logarithm to the base of 2.

    Examples
    --------
    >>> bits_of_answers(1024), round(bits_of_answers(1001), 4)
    (10.0, 9.9672)
    """
    return math.log2(check_count("n_answers", n_answers, lowest=1))


def n_answers(kind: str, n_rows: int, n_positives: int | None = None, digits: int | None = None) -> int:
    """How many answers are possible when one model is judged on so many rows.

    Parameters
    ----------
    kind
        "rate": an accuracy or an error, n + 1 answers; "f1": the pairs of true positives and false
        negatives; "auc": won pairs and half ties
    n_rows
        how many rows there are
    n_positives
        how many of them are positive, where everybody knew that beforehand; otherwise an answer may tell
        that too, and more of them are possible
    digits
        if nothing else is shown than the score with so many digits after the point, there are at most
        10^digits + 1 answers

    Examples
    --------
    >>> n_answers("rate", 200), n_answers("f1", 200), n_answers("f1", 200, n_positives=20)
    (201, 10201, 21)
    >>> n_answers("auc", 200, n_positives=20), n_answers("auc", 200, n_positives=20, digits=2)
    (7201, 101)
    """
    check_choice("kind", kind, KINDS, SYNONYMS)
    n_rows = check_count("n_rows", n_rows)
    known = None if n_positives is None else check_count("n_positives", n_positives)
    if known is not None and known > n_rows:
        raise DataError(
            "there are more positive rows than rows",
            where=f"n_positives={known}, n_rows={n_rows}",
            fix="count the positive rows among the rows",
        )
    count = {"rate": _of_rate, "f1": _of_f1, "auc": _of_auc}[kind](n_rows, known)
    return count if digits is None else min(count, 10 ** check_count("digits", digits) + 1)


def earlier_looks(looks: Any, kind: str, n_rows: int | None) -> Looks:
    """The looks before this one.

    looks: their record, or how many there were with this one, all of this kind
    """
    if isinstance(looks, Looks):
        return looks
    n_earlier = check_count("looks", looks, lowest=1) - 1
    if not n_earlier:
        return Looks()
    if n_rows is None:
        raise RequestError(
            "without the true negatives it is not known how many answers earlier looks could give",
            where=f"looks={looks}, tn=None",
            fix="give tn, or bits, or a record of the earlier looks: looks=Looks((…))",
        )
    return Looks((n_answers(kind, n_rows),) * n_earlier)


def shown_bits(bits: float) -> str:
    """Bits as they stand in sentences."""
    number = f"{bits:,.0f}" if bits >= 100 else f"{bits:.3g}"
    return f"{number} bit" if number == "1" else f"{number} bits"


def _of_rate(n_rows: int, known: int | None) -> int:
    return n_rows + 1


def _of_f1(n_rows: int, known: int | None) -> int:
    # Of q rows that are called positive 0 … q are, and of the others 0 … n − q: most for q = n/2. If the
    # number of positive rows is known, the true positives tell the rest.
    return known + 1 if known is not None else (n_rows + 2) ** 2 // 4


def _of_auc(n_rows: int, known: int | None) -> int:
    if known is not None:
        return 2 * known * (n_rows - known) + 1
    # The sum of 2 · p · (n − p) + 1 over all possible numbers p of positive rows.
    return (n_rows**3 - n_rows) // 3 + n_rows + 1


LOG2 = math.log(2.0)
# SciPy's inverse of the incomplete beta function was found right down to 1e-90; at 1e-272 it may give NaN.
SMALLEST_KNOWN = math.log(1e-60)


def level_after_bits(confidence: float, bits: float) -> float:
    """The logarithm of (1 − confidence) · 2^−bits."""
    return math.log(1 - confidence) - bits * LOG2


def rate_ends_at(n_hits: int, n_rows: int, log_alpha: float) -> tuple[float, float]:
    """The ends of Clopper-Pearson's interval at this level; all of 0 … 1 without rows."""
    if log_alpha > SMALLEST_KNOWN:
        return clopper_pearson_ends(n_hits, n_rows, alpha=math.exp(log_alpha))
    return lower_rate(n_hits, n_rows, log_alpha - LOG2), upper_rate(n_hits, n_rows, log_alpha - LOG2)


def upper_rate(n_hits: int, n_rows: int, log_tail: float) -> float:
    """The largest rate under which so few hits, or fewer, are not rarer than this.

    log_tail: the logarithm of how rare they may be
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
    """The smallest rate under which so many hits, or more, are not rarer than this."""
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
    """
    low, high = rate_ends_at(tp, n_counted, log_alpha)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def auc_ends_at(auc: float, n_positives: int, n_negatives: int, log_alpha: float) -> tuple[float, float]:
    """Ends for an AUC that hold for scores of any kind, at any level (Chernoff, Hoeffding 1963).

    An AUC is the mean over all pairings of the rarer class with as many of the other, and each pairing has
    that many independent pairs. So an estimate lies as far off at most as often as exp(−n · divergence), with
    n the size of the rarer class and the divergence (in nats) of the estimate from the truth.
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
    """How far a coin that falls so lies from one of this truth, in nats (Kullback and Leibler)."""
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
