"""The rows of the two tables: contenders from the best estimate on, and comparisons with their p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from heldout.ledger.verdict_facts import StandingFact, VerdictFact
from heldout.metrics.metric_registry import METRICS
from heldout.report.markup import Figure
from heldout.stats.adjust import METHODS as ADJUSTMENTS
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval, plain
from heldout.text.numbers import number_text, number_texts, p_value_text
from heldout.text.words import join_names
from heldout.verdict.estimate_by_sums import INFINITE


def standing_rows(verdict: VerdictFact | None) -> list[dict[str, Any]]:
    """One row per contender, the best estimate first; where one is not known, last."""
    if verdict is None:
        return []
    sign = -1 if verdict.is_larger_better else 1
    rows = [_row(standing, verdict) for standing in verdict.standings]

    def order(row: Mapping[str, Any]) -> tuple[bool, float]:
        estimate = row["estimate"]["estimate"]
        return (estimate is None, 0.0 if estimate is None else sign * estimate)

    return sorted(rows, key=order)


def all_scores_figure(
    rows: Sequence[Mapping[str, Any]], metric: str, is_quick: bool = False
) -> Figure | None:
    """Every contender by every metric of the plan, as a table; None where one metric is all there is.

    rows:     as `standing_rows` gives them
    metric:   the one that contenders were chosen by
    is_quick: whether settings were chosen on the folds that judge, for which one metric is corrected
    """
    names = list(dict.fromkeys(name for row in rows for name in row.get("scores") or ()))
    usual = list(METRICS)
    names.sort(key=lambda name: (name != metric, usual.index(name) if name in usual else len(usual)))
    if len(names) < 2:
        return None
    columns = [_alike([(row.get("scores") or {}).get(name) for row in rows]) for name in names]
    return Figure(
        title="All metrics of all contenders",
        takeaway=f"Scores on rows that a contender had not learned from; {metric} is what was chosen by.",
        headings=("contender", *names),
        rows=tuple((str(row["name"]), *texts) for row, *texts in zip(rows, *columns, strict=True)),
        notes=(_QUICK_SCORES.format(metric),) if is_quick else (),
        caption="Means over the repeats, all rows of a repeat judged together; – where there is no score",
    )


_QUICK_SCORES = "{} is corrected for the choice of settings; the other metrics of a quick plan are not."


def _alike(scores: Sequence[Any]) -> list[str]:
    known = iter(number_texts([float(score) for score in scores if score is not None]))
    return ["–" if score is None else next(known) for score in scores]


def comparison_rows(verdict: VerdictFact | None) -> list[dict[str, Any]]:
    """One row per comparison: who, the difference with its interval, and p; both adjusted where they were.

    Comparisons with the baseline are a family of their own, by which the verdict says who beats it.
    """
    if verdict is None:
        return []
    against = {_names(each): each for each in verdict.against_baseline}
    return [_comparison(against.get(_names(each), each), verdict) for each in verdict.comparisons]


def _names(comparison: Comparison) -> frozenset[str]:
    return frozenset((comparison.name_a, comparison.name_b))


def compared_words(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """How the winner stands beside the others, in one line.

    comparisons: as `comparison_rows` gives them
    """
    found = [row for row in comparisons if row["is_of_winner"]]
    apart = [row["second"] for row in found if row.get("is_shown")]
    near = [row["second"] for row in found if not row.get("is_shown")]
    if not found:
        return ""
    winner = found[0]["first"]
    if not apart:
        others = near[0] if len(near) == 1 else "any other"
        unknown = "that does not show that they are equal"
        return f"No significant difference between {winner} and {others}; {unknown}."
    stated = f"{winner} differs significantly from {join_names(apart)}"
    return f"{stated}; not from {join_names(near)}." if near else f"{stated}."


def _is_shown(effect: Interval, adjusted: float | None, is_one_sided: bool) -> bool:
    """Whether a difference shows: by its adjusted p, or where there is none by its interval."""
    if adjusted is not None:
        # The interval of a test of one side is that of both at twice its level.
        level = (1 - effect.confidence) / (2 if is_one_sided else 1)
        return adjusted <= level * (1 + 1e-12)
    return not math.isnan(effect.low + effect.high) and 0 not in effect


def with_interval(interval: Mapping[str, Any] | None) -> str:
    """A number and its interval as they stand in a cell."""
    if not interval or interval.get("estimate") is None:
        return "unknown"
    low, high = interval.get("low"), interval.get("high")
    if low is None or high is None:
        return f"{number_text(interval['estimate'])} (no interval)"
    estimate, low, high = number_texts([interval["estimate"], low, high])
    return f"{estimate} ({low} to {high})"


def problem_of(standing: Mapping[str, Any]) -> str:
    """Why a contender has no score, where that is known: it failed, or its loss is infinite."""
    return str(standing["problem"] or (INFINITE if standing["is_infinite"] else ""))


def shown_bits(bits: float) -> str:
    """A length in bits, with three digits that count."""
    return f"{float(f'{bits:.3g}'):,.0f}" if bits >= 100 else f"{bits:.3g}"


def length_words(bits: float | None, median: float | None) -> str:
    """How long the model that is shown is, beside the median over the folds, by which the verdict judges."""
    if bits is None:
        return ""
    if median is None:
        return f"It is {shown_bits(bits)} bits long."
    if shown_bits(bits) == shown_bits(median):
        return f"It is {shown_bits(bits)} bits long, as is the median over the folds."
    return f"It is {shown_bits(bits)} bits long; the median over the folds is {shown_bits(median)}."


def shown_seconds(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _row(standing: StandingFact, verdict: VerdictFact) -> dict[str, Any]:
    estimate = standing.estimate.to_dict()
    measured = _measured(standing, verdict, estimate["estimate"] is not None)
    pieces = (measured["behind"], measured["shown_bits"], measured["shown_seconds"])
    words = ("behind the best by {}", "{} bits", "{}")
    return {
        "name": standing.name,
        "is_baseline": standing.is_baseline,
        "is_winner": standing.name == verdict.winner,
        "is_new": standing.is_new,
        "is_complete": standing.is_complete,
        "problem": standing.problem or (INFINITE if standing.is_infinite else ""),
        "estimate": estimate,
        "shown": with_interval(estimate),
        "scores": plain(dict(standing.scores)),
        "median_miss": plain(standing.median_miss),
        "detail": [word.format(piece) for word, piece in zip(words, pieces, strict=True) if piece],
    } | measured


def _difference(standing: StandingFact, verdict: VerdictFact) -> Interval | None:
    """The best minus this one, with the interval that the comparison of the two shows on the same page."""
    for comparison in verdict.against_baseline:
        if standing.difference is not None and _names(comparison) == {verdict.best, standing.name}:
            effect = comparison.simultaneous or comparison.effect
            return effect if comparison.name_a == verdict.best else turned(effect)
    return standing.difference


def _measured(standing: StandingFact, verdict: VerdictFact, is_known: bool) -> dict[str, Any]:
    """How far it is behind the best, how long it is and how long it took; empty where nothing is known."""
    pickled = " (size of a pickle)" if standing.bits_are_foreign else ""
    behind = _difference(standing, verdict)
    # What is recorded is the best minus this one: of errors, the other way round is how far it is behind.
    if behind is not None and not verdict.is_larger_better:
        behind = turned(behind)
    has_bits, has_seconds = (not math.isnan(each) and is_known for each in (standing.bits, standing.seconds))
    return {
        "bits": standing.bits if has_bits else None,
        "behind": with_interval(behind.to_dict()) if behind is not None and is_known else "",
        "shown_bits": f"{shown_bits(standing.bits)}{pickled}" if has_bits else "",
        "shown_seconds": shown_seconds(standing.seconds) if has_seconds else "",
    }


def turned(interval: Interval) -> Interval:
    """The difference the other way round."""
    return replace(interval, estimate=-interval.estimate, low=-interval.high, high=-interval.low)


def _comparison(comparison: Comparison, verdict: VerdictFact) -> dict[str, Any]:
    first, second, effect = _from_winner(comparison, verdict)
    adjusted = comparison.adjusted_p
    return {
        "names": f"{first} and {second}",
        "first": first,
        "second": second,
        "is_of_winner": verdict.winner in (first, second),
        "what": comparison.effect.what,
        "interval": effect.to_dict(),
        "effect": with_interval(effect.to_dict()),
        "p": p_value_text(comparison.p_value if adjusted is None else adjusted),
        "n_together": comparison.n_together,
        "is_shown": _is_shown(effect, adjusted, comparison.is_one_sided),
        "test": comparison.test,
        "is_one_sided": comparison.is_one_sided,
        "adjustment": ADJUSTMENTS.get(comparison.adjustment, ""),
        "notes": " ".join(comparison.notes),
    }


def _from_winner(comparison: Comparison, verdict: VerdictFact) -> tuple[str, str, Interval]:
    """Who is compared, and the difference; the winner stands first, so that all are read alike."""
    effect = comparison.simultaneous or comparison.effect
    if comparison.name_b != verdict.winner:
        return comparison.name_a, comparison.name_b, effect
    return comparison.name_b, comparison.name_a, turned(effect)
