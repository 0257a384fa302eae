"""The rows of the two tables: contenders from the best estimate on, and comparisons with their p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.metrics.metric_registry import METRICS
from heldout.report.markup import Figure
from heldout.stats.adjust import METHODS as ADJUSTMENTS
from heldout.text.numbers import number_text, number_texts, p_value_text
from heldout.text.words import join_names
from heldout.verdict.estimate_by_sums import INFINITE


def standing_rows(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row per contender, the best estimate first; where one is not known, last.

    verdict: the body of its fact; an empty one gives no row
    """
    is_larger_better = larger_is_better(verdict)
    rows = [_row(standing, verdict, is_larger_better) for standing in verdict.get("standings") or ()]

    def order(row: Mapping[str, Any]) -> tuple[bool, float]:
        estimate = row["estimate"].get("estimate")
        return (estimate is None, 0.0 if estimate is None else (-estimate if is_larger_better else estimate))

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


def larger_is_better(verdict: Mapping[str, Any]) -> bool:
    """Whether more of what was measured is better; old study files tell it by the name of the metric.

    verdict: the body of its fact
    """
    told, metric = verdict.get("is_larger_better"), METRICS.get(str(verdict.get("metric", "")))
    return bool(told) if told is not None else metric is None or metric.is_larger_better


def comparison_rows(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row per comparison: who, the difference with its interval, and p; both adjusted where they were.

    Comparisons with the baseline are a family of their own, by which the verdict says who beats it.
    """
    against = {_names(found): found for found in verdict.get("against_baseline") or ()}
    made = verdict.get("comparisons") or ()
    return [_comparison(against.get(_names(found), found), verdict) for found in made]


def _names(found: Mapping[str, Any]) -> frozenset[str]:
    return frozenset((str(found.get("name_a", "")), str(found.get("name_b", ""))))


def compared_words(comparisons: Sequence[Mapping[str, Any]]) -> str:
    """How the winner stands beside the others, in one line.

    comparisons: as `comparison_rows` gives them
    """
    found = [row for row in comparisons if row["is_of_winner"]]
    apart = [row["second"] for row in found if row.get("is_told")]
    near = [row["second"] for row in found if not row.get("is_told")]
    if not found:
        return ""
    winner = found[0]["first"]
    if not apart:
        others = near[0] if len(near) == 1 else "any other"
        unknown = "that does not show that they are equal"
        return f"No significant difference between {winner} and {others}; {unknown}."
    told = f"{winner} differs significantly from {join_names(apart)}"
    return f"{told}; not from {join_names(near)}." if near else f"{told}."


def _is_told(effect: Mapping[str, Any], adjusted: Any, is_one_sided: bool) -> bool:
    """Whether a difference shows: by its adjusted p, or where there is none by its interval."""
    if adjusted is not None:
        # The interval of a test of one side is that of both at twice its level.
        level = (1 - float(effect.get("confidence") or 0.95)) / (2 if is_one_sided else 1)
        return bool(adjusted <= level * (1 + 1e-12))
    low, high = effect.get("low"), effect.get("high")
    return low is not None and high is not None and not low <= 0 <= high


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
    notes = (standing.get("estimate") or {}).get("notes") or ()
    return str(standing.get("problem") or (INFINITE if INFINITE in notes else ""))


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


def _row(standing: Mapping[str, Any], verdict: Mapping[str, Any], is_larger_better: bool) -> dict[str, Any]:
    estimate = dict(standing.get("estimate") or {})
    difference = _difference(standing, verdict)
    measured = _measured(standing, difference, estimate.get("estimate") is not None, is_larger_better)
    pieces = (measured["behind"], measured["shown_bits"], measured["shown_seconds"])
    words = ("behind the best by {}", "{} bits", "{}")
    return {
        "name": str(standing.get("name", "")),
        "is_baseline": bool(standing.get("is_baseline")),
        "is_winner": standing.get("name") == verdict.get("winner"),
        "is_new": bool(standing.get("is_new")),
        "is_complete": bool(standing.get("is_complete", True)),
        "problem": problem_of(standing),
        "estimate": estimate,
        "shown": with_interval(estimate),
        "scores": dict(standing.get("scores") or {}),
        "median_miss": standing.get("median_miss"),
        "detail": [word.format(piece) for word, piece in zip(words, pieces, strict=True) if piece],
    } | measured


def _difference(standing: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any] | None:
    """The best minus this one, with the interval that the comparison of the two shows on the same page."""
    best, difference = str(verdict.get("best", "")), standing.get("difference")
    for found in verdict.get("against_baseline") or ():
        if difference and _names(found) == {best, str(standing.get("name", ""))}:
            effect = dict(found.get("simultaneous") or found.get("effect") or {})
            return effect if found.get("name_a") == best else turned(effect)
    return difference


def _measured(
    standing: Mapping[str, Any],
    difference: Mapping[str, Any] | None,
    is_known: bool,
    is_larger_better: bool,
) -> dict[str, Any]:
    """How far it is behind the best, how long it is and how long it took; empty where nothing is known."""
    bits, seconds = (standing.get(name) for name in ("bits", "seconds"))
    pickled = " (size of a pickle)" if standing.get("bits_are_foreign") else ""
    # What is recorded is the best minus this one: of errors, the other way round is how far it is behind.
    behind = difference if is_larger_better or not difference else turned(difference)
    return {
        "bits": None if bits is None or not is_known else float(bits),
        "behind": with_interval(behind) if behind and is_known else "",
        "shown_bits": f"{shown_bits(bits)}{pickled}" if bits is not None and is_known else "",
        "shown_seconds": shown_seconds(seconds) if seconds is not None and is_known else "",
    }


def turned(interval: Mapping[str, Any]) -> dict[str, Any]:
    """The difference the other way round."""
    sides = {"estimate": "estimate", "low": "high", "high": "low"}
    found = {new: interval.get(old) for new, old in sides.items()}
    return dict(interval) | {name: None if each is None else -each for name, each in found.items()}


def _comparison(found: Mapping[str, Any], verdict: Mapping[str, Any]) -> dict[str, Any]:
    nothing = float("nan")
    p_value, adjusted = found.get("p_value"), found.get("adjusted_p")
    first, second, effect = _from_winner(found, verdict)
    return {
        "names": f"{first} and {second}",
        "first": first,
        "second": second,
        "is_of_winner": verdict.get("winner") in (first, second),
        "what": str((found.get("effect") or {}).get("what", "")),
        "interval": effect,
        "effect": with_interval(effect),
        "p": p_value_text(nothing if p_value is None else p_value)
        if adjusted is None
        else p_value_text(adjusted),
        "n_together": found.get("n_together") or 1,
        "is_told": _is_told(effect, adjusted, bool(found.get("is_one_sided"))),
        "test": str(found.get("test", "")),
        "is_one_sided": bool(found.get("is_one_sided")),
        "adjustment": ADJUSTMENTS.get(str(found.get("adjustment", "")), ""),
        "notes": " ".join(str(note) for note in found.get("notes") or ()),
    }


def _from_winner(found: Mapping[str, Any], verdict: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Who is compared, and the difference; the winner stands first, so that all are read alike."""
    first, second = str(found.get("name_a", "")), str(found.get("name_b", ""))
    effect = dict(found.get("simultaneous") or found.get("effect") or {})
    if second != verdict.get("winner"):
        return first, second, effect
    return second, first, turned(effect)
