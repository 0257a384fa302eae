"""The exact interval of a score on rows that were looked at before."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heldout.charts.interval_picture import interval_svg
from heldout.checks.values import check_amount, check_confidence, check_count, check_share
from heldout.errors import DataError, RequestError
from heldout.stats.auc_interval import newcombe_ends, placements_of
from heldout.stats.interval import Interval, Result
from heldout.stats.looks import (
    Looks,
    auc_ends_at,
    earlier_looks,
    f1_ends_at,
    level_after_bits,
    rate_ends_at,
    shown_bits,
)
from heldout.stats.two_classes import positive_rows, score_values
from heldout.text.numbers import number_text, number_texts, percent_text
from heldout.text.words import plural

Ends = Callable[[float], tuple[float, float]]
NOT_SAID = (
    "Of intervals made this way {share} hold the true value; that is not the probability that this one does."
)


@dataclass(frozen=True)
class AfterLooks(Result):
    """A score on rows that were looked at before, with two intervals.

    Attributes
    ----------
    what
        what is estimated
    estimate
        the score
    adaptive
        the interval at α · 2^−bits: holds however later models were built from earlier answers, and for
        the best of them too
    fixed
        the interval at α / looks: holds only if all models were fixed before the first look
    looks
        how many looks there were, with this one
    bits
        how much of the labels earlier answers gave away, at most
    budget
        with how many bits the rows are used up: then not even a perfect score lies above the baseline
    baseline
        the score that has to be beaten
    is_approximate
        whether the intervals rest on a normal curve rather than on counts

    Examples
    --------
    >>> print(rate_after_looks(166, 200, looks=3, what="accuracy"))
    accuracy 0.830 (200 rows), look 3. Earlier answers gave away at most 15.3 bits of the labels; however \
the models were built from them: 95% interval 0.675 to 0.933 (Clopper-Pearson at 0.05 · 2^-15.3). Only if \
all 3 models were fixed before the first look: 0.757 to 0.889 (Clopper-Pearson at 0.05 / 3). Of intervals \
made this way at least 95% hold the true value; that is not the probability that this one does.
    """

    what: str
    estimate: float
    adaptive: Interval
    fixed: Interval
    looks: int
    bits: float
    budget: float
    baseline: float
    is_approximate: bool = False

    @property
    def is_used_up(self) -> bool:
        """Whether not even a perfect score could be told from the baseline any more."""
        return self.bits >= self.budget

    def __str__(self) -> str:
        share = percent_text(self.adaptive.confidence)
        rows = plural(self.adaptive.n_rows, self.adaptive.unit)
        messages = [f"{self.what} {number_text(self.estimate)} ({rows}), look {self.looks:,}."]
        if self.bits:
            messages.append(
                f"Earlier answers gave away at most {shown_bits(self.bits)} of the labels; however the models"
                f" were built from them: {share} interval {_ends_and_method(self.adaptive)}."
            )
        if self.looks > 1:
            which = "both models were" if self.looks == 2 else f"all {self.looks:,} models were"
            messages.append(f"Only if {which} fixed before the first look: {_ends_and_method(self.fixed)}.")
        elif not self.bits:
            messages.append(f"{share} interval {_ends_and_method(self.fixed)}.")
        return " ".join(
            [
                *messages,
                *self.adaptive.notes,
                *self._worth(),
                NOT_SAID.format(share=f"{self._how_surely()} {share}"),
            ]
        )

    def _how_surely(self) -> str:
        return "about" if self.is_approximate else "at least"

    def _worth(self) -> list[str]:
        if self.is_used_up:
            return [
                "These rows are used up: after so many answers not even a perfect score could be told from"
                f" {number_text(self.baseline)}. Seal new ones."
            ]
        if self.baseline in self.adaptive:
            return [
                f"The interval holds {number_text(self.baseline)}: this score cannot be told from the"
                " baseline."
            ]
        return []

    def to_svg(self) -> str:
        """Both intervals, one below the other, and the baseline."""
        lines = [
            self.adaptive.for_picture("however built"),
            self.fixed.for_picture("if fixed beforehand"),
        ]
        caption = f"look {self.looks:,}, {shown_bits(self.bits)} given away"
        return interval_svg(lines, self.what, caption, reference=self.baseline, ends=(0.0, 1.0))


def rate_after_looks(
    n_hits: int,
    n_rows: int,
    looks: int | Looks = 1,
    bits: float | None = None,
    confidence: float = 0.95,
    what: str = "rate",
    baseline: float = 0.5,
    is_larger_better: bool = True,
) -> AfterLooks:
    """A rate on rows that were looked at before: Clopper-Pearson at α · 2^−bits, and at α / looks.

    Parameters
    ----------
    n_hits
        how many rows are hits
    n_rows
        how many rows there are
    looks
        how many looks there were with this one, each with n_rows + 1 possible answers; or a record of the
        earlier ones
    bits
        how much earlier answers gave away, if it is known otherwise
    baseline
        the rate that has to be beaten, such as that of the majority class
    is_larger_better
        False for an error

    Examples
    --------
    >>> found = rate_after_looks(90, 100, looks=2)
    >>> [round(end, 3) for each in (found.fixed, found.adaptive) for end in (each.low, each.high)]
    [0.812, 0.956, 0.757, 0.975]
    """
    n_hits, n_rows = check_count("n_hits", n_hits), check_count("n_rows", n_rows)
    _check_parts(n_hits, n_rows)
    baseline = check_share("baseline", baseline)
    return _after(
        what,
        n_hits / n_rows if n_rows else math.nan,
        lambda log_alpha: rate_ends_at(n_hits, n_rows, log_alpha),
        "Clopper-Pearson",
        _Rows(n_rows, n_rows, baseline if is_larger_better else 1 - baseline, baseline),
        _Spent("rate", n_rows, looks, bits, confidence),
    )


def f1_after_looks(
    tp: int,
    fp: int,
    fn: int,
    tn: int | None = None,
    looks: int | Looks = 1,
    bits: float | None = None,
    confidence: float = 0.95,
    what: str = "F1",
    baseline: float | None = None,
) -> AfterLooks:
    """F1 with its exact intervals after looks at the same rows: Clopper-Pearson on TP / (TP + FP + FN).

    Parameters
    ----------
    tp, fp, fn
        how many rows are rightly called positive, wrongly called so, and missed
    tn
        the rest; needed to know how many answers earlier looks could give, unless bits says it
    looks, bits, confidence
        as for `rate_after_looks`
    baseline
        left out, the F1 of calling every row positive; without tn 0.5

    Examples
    --------
    >>> found = f1_after_looks(60, 20, 40, 880, looks=2)
    >>> [round(end, 3) for each in (found.fixed, found.adaptive) for end in (each.low, each.high)]
    [0.566, 0.754, 0.428, 0.842]
    """
    tp, fp, fn = check_count("tp", tp), check_count("fp", fp), check_count("fn", fn)
    n_rows = None if tn is None else tp + fp + fn + check_count("tn", tn)
    n_counted = tp + fp + fn
    if baseline is None:
        baseline = 2 * (tp + fn) / (n_rows + tp + fn) if n_rows else 0.5
    baseline = check_share("baseline", baseline)
    return _after(
        what,
        2 * tp / (tp + n_counted) if n_counted else math.nan,
        lambda log_alpha: f1_ends_at(tp, n_counted, log_alpha),
        "Clopper-Pearson on TP / (TP + FP + FN)",
        _Rows(n_counted, tp + fn, baseline / (2 - baseline), baseline, "counted row"),
        _Spent("f1", n_rows, looks, bits, confidence),
    )


def auc_after_looks(
    y: Any,
    scores: Any,
    positive: Any = None,
    looks: int | Looks = 1,
    bits: float | None = None,
    confidence: float = 0.95,
    what: str = "AUC",
) -> AfterLooks:
    """An AUC with its intervals after looks at the same rows.

    At α / looks it is Newcombe's method 5. Where earlier answers gave bits away it is Chernoff's, which holds
    for scores of any kind: far out in the tails a normal curve, and with it Newcombe's, is wrong by orders of
    magnitude.

    Parameters
    ----------
    y, scores, positive
        as for `auc_interval`
    looks, bits, confidence
        as for `rate_after_looks`; a look has as many answers as AUCs are possible

    Examples
    --------
    >>> y = [0, 1] * 50
    >>> scores = [row % 20 + 7 * label for row, label in enumerate(y)]
    >>> found = auc_after_looks(y, scores, looks=2)
    >>> [round(end, 3) for each in (found.fixed, found.adaptive) for end in (each.low, each.high)]
    [0.703, 0.894, 0.426, 0.988]
    """
    is_positive, _ = positive_rows(y, positive)
    n_rows = len(is_positive)
    found = placements_of(is_positive, score_values(scores, n_rows))
    sizes = found.n_positives, found.n_negatives
    spent = _Spent("auc", n_rows, looks, bits, confidence)

    def ends(log_alpha: float) -> tuple[float, float]:
        return newcombe_ends(found.auc, *sizes, alpha=math.exp(log_alpha))

    return _after(
        what,
        found.auc,
        ends,
        "Newcombe's method 5",
        _Rows(n_rows, min(sizes), 0.5, 0.5),
        spent,
        lambda log_alpha: auc_ends_at(found.auc, *sizes, log_alpha),
        "Chernoff",
        is_approximate=True,
    )


@dataclass(frozen=True)
class _Rows:
    """What was counted, and what a perfect score would be counted on.

    baseline: as a rate that a perfect score has to lie above
    shown:    the same as the score itself
    """

    n_counted: int
    n_perfect: int
    baseline: float
    shown: float
    unit: str = "row"


@dataclass(frozen=True)
class _Spent:
    """What is said about earlier looks."""

    kind: str
    n_rows: int | None
    looks: int | Looks
    bits: float | None
    confidence: float

    def counted(self) -> tuple[int, float]:
        """How many looks there are with this one, and how many bits were given away before it."""
        if self.bits is None:
            earlier = earlier_looks(self.looks, self.kind, self.n_rows)
            return len(earlier) + 1, earlier.bits_of_any
        bits = check_amount("bits", self.bits, fix="add bits_of_answers(…) over the earlier looks")
        if isinstance(self.looks, Looks):
            raise RequestError(
                "a record of the looks tells the bits itself",
                where=f"looks=Looks(…), bits={bits:g}",
                fix="give one of the two",
            )
        return check_count("looks", self.looks, lowest=1), bits


def _after(
    what: str,
    estimate: float,
    ends: Ends,
    method: str,
    rows: _Rows,
    spent: _Spent,
    safe_ends: Ends | None = None,
    safe_method: str = "",
    is_approximate: bool = False,
) -> AfterLooks:
    """Both intervals; the safe ends and their method are for bits, where others are meant for looks."""
    confidence = check_confidence(spent.confidence)
    n_looks, bits = spent.counted()
    alpha = f"{1 - confidence:.3g}"
    notes = () if estimate == estimate else ("Nothing was counted, and no value is contradicted.",)

    def interval(found: tuple[float, float], made: str) -> Interval:
        return Interval(
            what, estimate, *found, confidence, made, rows.n_counted, rows.unit, rows.shown, notes
        )

    shared = interval(
        ends(math.log((1 - confidence) / n_looks)),
        f"{method} at {alpha} / {n_looks:,}" if n_looks > 1 else method,
    )
    if bits:
        made = f"{safe_method or method} at {alpha} · 2^-{shown_bits(bits).split()[0]}"
        adaptive = interval((safe_ends or ends)(level_after_bits(confidence, bits)), made)
    else:
        adaptive = interval(ends(math.log(1 - confidence)), method)
    budget = _budget(rows, confidence)
    return AfterLooks(what, estimate, adaptive, shared, n_looks, bits, budget, rows.shown, is_approximate)


def _budget(rows: _Rows, confidence: float) -> float:
    """With how many bits the lower end of a perfect score, (α/2 · 2^−bits)^(1/n), is at the baseline."""
    if rows.baseline <= 0:
        return math.inf if rows.n_perfect else 0.0
    return max(rows.n_perfect * -math.log2(rows.baseline) + math.log2((1 - confidence) / 2), 0.0)


def _check_parts(n_hits: int, n_rows: int) -> None:
    if n_hits > n_rows:
        raise DataError(
            "there are more hits than rows",
            where=f"n_hits={n_hits}, n_rows={n_rows}",
            fix="count the hits among the rows",
        )


def _ends_and_method(interval: Interval) -> str:
    low, high = number_texts([interval.low, interval.high])
    return f"{low} to {high} ({interval.method})"
