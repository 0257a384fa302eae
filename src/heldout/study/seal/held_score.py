"""The score of a look at held rows with its two intervals, and how much that look gives away.

All that is shown of a look is a function of one answer out of a known number. For rates, F1 and the AUC these
are counts. Everything else is rounded first, the score and its standard error, so that they can be counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from heldout.ledger.verdict_facts import Ends, LaterEnds
from heldout.stats.after_looks import AfterLooks, auc_after_looks, f1_after_looks, rate_after_looks
from heldout.stats.looks import Looks, n_answers
from heldout.stats.metric_families import CellRate, FMeasure, MeanRecall, Ranking, Rate, RowRate
from heldout.study.seal.held_rate import (
    HeldPredictions,
    balanced_after_looks,
    grouped_rate_after_looks,
    rounded_after_looks,
)

# After how many further looks the ends are known; in between those of the next are taken, which are wider.
FURTHER = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 100)


@dataclass(frozen=True)
class HeldScore:
    """One answer of the held rows.

    after:          the score with the interval that survives adaptive use, and the one for fixed models
    n_answers:      how many answers were possible
    notes:          sentences about how they were made
    """

    after: AfterLooks
    n_answers: int
    notes: tuple[str, ...] = ()


def held_score(held: HeldPredictions, earlier: Looks, confidence: float = 0.95) -> HeldScore:
    """The score of one model on the held rows after the earlier looks at them.

    held:       what it answered
    earlier:    the looks before this one
    confidence: of the intervals
    """
    scored = None
    if held.weights is None:
        scored = (
            _counted(held, earlier, confidence)
            if held.groups is None
            else _grouped(held, earlier, confidence)
        )
    if scored is not None:
        return scored
    after, n_possible = rounded_after_looks(held, earlier, confidence)
    return HeldScore(after, n_possible, after.adaptive.notes)


def later_ends(held: HeldPredictions, earlier: Looks, n_answers: int) -> tuple[LaterEnds, ...]:
    """The ends of both intervals after further looks, for when several looks are told together.

    Each look has its intervals at the bits and the number of looks before it, so that m of them hold
    together at 1 − mα only. At those of the last look all of them hold at 1 − α. What is kept is made of the
    same answer and gives nothing more away. Where the rows are used up there is no adaptive interval.

    n_answers: how many this look has; so many are reckoned for each further one
    """
    ends = []
    is_used_up = False
    for n_more in FURTHER:
        looks = Looks((*earlier.answers, *(n_answers,) * n_more))
        after = held_score(held, looks).after
        low, high = (math.nan, math.nan) if is_used_up else (after.adaptive.low, after.adaptive.high)
        fixed = Ends(after.fixed.low, after.fixed.high)
        ends.append(LaterEnds(after.bits, len(looks) + 1, low, high, fixed))
        is_used_up = is_used_up or after.is_used_up
    return tuple(ends)


def _grouped(held: HeldPredictions, earlier: Looks, confidence: float) -> HeldScore | None:
    """The score of rows that come in groups, where it is a rate of all rows."""
    if not isinstance(held.metric.family, RowRate):
        return None
    after = grouped_rate_after_looks(held, earlier, confidence)
    # The hits, and for how many independent rows they count.
    return HeldScore(after, (held.n_rows + 1) ** 2, after.adaptive.notes)


def _counted(held: HeldPredictions, earlier: Looks, confidence: float) -> HeldScore | None:
    """The score that is a function of counts, which have exact intervals; None for others."""
    is_of_two = held.n_classes == 2
    match held.metric.family:
        case RowRate() as rate:
            after = _rate(held, *_counts(held, rate), earlier, confidence)
            return HeldScore(after, n_answers("rate", held.n_rows))
        case MeanRecall():
            after, n_possible = balanced_after_looks(held, earlier, confidence)
            return HeldScore(after, n_possible, after.adaptive.notes)
        case FMeasure() if is_of_two and held.positive is not None:
            return HeldScore(_f1(held, earlier, confidence), n_answers("f1", held.n_rows))
        case CellRate() as rate if is_of_two and held.positive is not None and 0 <= held.baseline <= 1:
            n_hits, n_counted = _counts(held, rate)
            after = _rate(held, n_hits, n_counted, earlier, confidence)
            # How many rows are called so needs no labels; how many are so tells only a stratified seal.
            is_known = held.is_stratified or rate.counts_predicted
            return HeldScore(after, n_counted + 1 if is_known else n_answers("f1", held.n_rows))
        case Ranking() if is_of_two and held.predictions.ndim == 1 and held.has_both_classes:
            return HeldScore(_auc(held, earlier, confidence), n_answers("auc", held.n_rows))
    return None


def _counts(held: HeldPredictions, rate: Rate) -> tuple[int, int]:
    """Hits, and rows that are counted for them."""
    n_hits, n_counted = rate.shares(held.sums())
    return int(n_hits), int(n_counted)


def _rate(
    held: HeldPredictions, n_hits: int, n_counted: int, earlier: Looks, confidence: float
) -> AfterLooks:
    """A share of hits among counted rows: exact, whatever their number came out to be."""
    return rate_after_looks(
        n_hits,
        n_counted,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
        baseline=held.baseline,
        is_larger_better=held.metric.is_larger_better,
    )


def _f1(held: HeldPredictions, earlier: Looks, confidence: float) -> AfterLooks:
    tp, fp, fn, tn = (int(number) for number in held.sums())
    return f1_after_looks(
        tp,
        fp,
        fn,
        tn,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
        baseline=held.baseline,
    )


def _auc(held: HeldPredictions, earlier: Looks, confidence: float) -> AfterLooks:
    return auc_after_looks(
        (held.y == held.positive).astype(int),
        held.predictions,
        positive=1,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
    )
