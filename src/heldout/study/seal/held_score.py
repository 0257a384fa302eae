"""The score of a look at held rows with its two intervals, and how much that look gives away.

All that is shown of a look is a function of one answer out of a known number. For rates, F1 and the AUC these
are counts. Everything else is rounded first, the score and its standard error, so that they can be counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from heldout.stats.after_looks import AfterLooks, auc_after_looks, f1_after_looks, rate_after_looks
from heldout.stats.looks import Looks, n_answers
from heldout.study.seal.held_rate import (
    HeldAnswers,
    balanced_after_looks,
    grouped_rate_after_looks,
    rounded_after_looks,
)

RATES = ("accuracy", "error")
# Which rows a rate counts, and which of these are hits: by being of the class to spot, or called it.
AMONG_TRUE = {"recall": True, "sensitivity": True, "specificity": False}
AMONG_CALLED = {"precision": True, "npv": False}

# After how many further looks the ends are known; in between those of the next are taken, which are wider.
FURTHER = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 100)


@dataclass(frozen=True)
class HeldScore:
    """One answer of the held rows.

    after:          the score with the interval that survives adaptive use, and the one for fixed models
    n_answers:      how many answers were possible
    is_approximate: whether the intervals rest on a normal curve rather than on counts
    notes:          sentences about how they were made
    """

    after: AfterLooks
    n_answers: int
    is_approximate: bool = False
    notes: tuple[str, ...] = ()


def held_score(held: HeldAnswers, earlier: Looks, confidence: float = 0.95) -> HeldScore:
    """The score of one model on the held rows after the earlier looks at them.

    held:       what it answered
    earlier:    the looks before this one
    confidence: of the intervals
    """
    name = held.metric.name
    is_plain = held.weights is None and not held.metric.options
    if is_plain and name in RATES:
        if held.groups is not None:
            after = grouped_rate_after_looks(held, earlier, confidence)
            # The hits, and for how many independent rows they count.
            return HeldScore(after, (held.n_rows + 1) ** 2, True, after.adaptive.notes)
        return HeldScore(_rate(held, earlier, confidence), n_answers("rate", held.n_rows))
    if is_plain and held.groups is None and name == "balanced_accuracy":
        after, n_possible = balanced_after_looks(held, earlier, confidence)
        return HeldScore(after, n_possible, notes=after.adaptive.notes)
    if is_plain and held.groups is None and held.n_classes == 2 and name in ("f1", "auc"):
        found = _f1(held, earlier, confidence) if name == "f1" else _auc(held, earlier, confidence)
        if found is not None:
            return HeldScore(found, n_answers(name, held.n_rows), is_approximate=name == "auc")
    if is_plain and held.groups is None and held.n_classes == 2 and name in (*AMONG_TRUE, *AMONG_CALLED):
        partial = _partial_rate(held, earlier, confidence)
        if partial is not None:
            return partial
    after, n_possible = rounded_after_looks(held, earlier, confidence)
    return HeldScore(after, n_possible, True, after.adaptive.notes)


def later_ends(held: HeldAnswers, earlier: Looks, n_answers: int) -> list[dict[str, float]]:
    """The ends of the adaptive interval after further looks, for when several looks are told together.

    Each look has its interval at the bits before it, so that m intervals hold together at 1 − mα only. At the
    bits of the last look all of them hold at 1 − α. What is kept is made of the same answer and gives nothing
    more away.

    n_answers: how many this look has; so many are reckoned for each further one
    """
    found = []
    for n_more in FURTHER:
        after = held_score(held, Looks((*earlier.answers, *(n_answers,) * n_more))).after
        found.append({"bits": after.bits, "low": after.adaptive.low, "high": after.adaptive.high})
        if after.is_used_up:
            break
    return found


def _rate(held: HeldAnswers, earlier: Looks, confidence: float) -> AfterLooks:
    n_right = int((held.y == held.answers).sum())
    is_accuracy = held.metric.is_larger_better
    n_hits = n_right if is_accuracy else held.n_rows - n_right
    return rate_after_looks(
        n_hits,
        held.n_rows,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
        baseline=held.baseline,
        is_larger_better=is_accuracy,
    )


def _partial_rate(held: HeldAnswers, earlier: Looks, confidence: float) -> HeldScore | None:
    """A share of hits among some of the rows: exact, whatever their number came out to be."""
    name, positive = held.metric.name, held.options.get("positive")
    if positive is None or not 0 <= held.baseline <= 1:
        return None
    is_true, is_called = held.y == positive, held.answers == positive
    is_among_true = name in AMONG_TRUE
    wanted = AMONG_TRUE[name] if is_among_true else AMONG_CALLED[name]
    is_counted = (is_true if is_among_true else is_called) == wanted
    n_counted = int(is_counted.sum())
    n_hits = int((is_counted & (is_true == is_called)).sum())
    after = rate_after_looks(
        n_hits, n_counted, looks=earlier, confidence=confidence, what=name, baseline=held.baseline
    )
    # How many rows are called so is known without their labels; how many are so only from a stratified seal.
    is_known = held.is_stratified or not is_among_true
    return HeldScore(after, n_counted + 1 if is_known else n_answers("f1", held.n_rows))


def _f1(held: HeldAnswers, earlier: Looks, confidence: float) -> AfterLooks | None:
    positive = held.options.get("positive")
    if positive is None:
        return None
    is_positive, is_called = held.y == positive, held.answers == positive
    tp = int((is_positive & is_called).sum())
    fp, fn = int(is_called.sum()) - tp, int(is_positive.sum()) - tp
    return f1_after_looks(
        tp,
        fp,
        fn,
        held.n_rows - tp - fp - fn,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
        baseline=held.baseline,
    )


def _auc(held: HeldAnswers, earlier: Looks, confidence: float) -> AfterLooks | None:
    is_one_column = held.answers.ndim == 1
    positive = held.options.get("positive")
    if not is_one_column or positive is None:
        return None
    is_positive = held.y == positive
    if is_positive.all() or not is_positive.any():
        return None
    return auc_after_looks(
        is_positive.astype(int),
        held.answers,
        positive=1,
        looks=earlier,
        confidence=confidence,
        what=held.metric.name,
    )
