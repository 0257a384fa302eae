"""The sentences of a verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from heldout.stats.shown_number import shown, shown_percent
from heldout.table.describe import plural
from heldout.verdict.paired_comparison import advantage_of
from heldout.verdict.ranking import LEVEL, is_tested
from heldout.verdict.words import first_upper, listed

if TYPE_CHECKING:
    from heldout.stats.interval import Interval
    from heldout.verdict.verdict import Verdict

QUICK = (
    "This was a quick plan: settings were chosen by the same folds that judge them. The scores above and"
    " their comparisons are corrected for that by resampling; a standard plan needs no such correction."
)


def first_sentence(verdict: Verdict) -> str:
    """Who wins, with which number."""
    if not verdict.winner:
        return "No verdict: no contender is complete and has a score."
    who = f"{verdict.winner} wins"
    if verdict.decision.is_baseline:
        return f"{_guessing(verdict)}: {_number(verdict.number)}."
    corrected = "not corrected for the choosing"
    if verdict.corrected is not None:
        n_choices = len(verdict.corrected.names)
        kind = "setting of contenders" if verdict.is_quick else "contender"
        several = "settings of contenders" if verdict.is_quick else ""
        corrected = f"corrected for choosing among {plural(n_choices, kind, several)}"
        if n_choices == 1:
            corrected = "with no choice to correct for"
    return f"{who}: {_number(verdict.number)}, {corrected}."


def _guessing(verdict: Verdict) -> str:
    """That the baseline wins, and why."""
    baseline = verdict.winner
    others = [each.name for each in verdict.standings if each.can_stand and not each.is_baseline]
    if not others:
        return f"{baseline} stands alone"
    if not is_tested(baseline, others, verdict.comparisons):
        return f"Nothing could be tested against guessing, so {baseline} stands"
    return f"No model beats guessing, so {baseline} wins"


def details(verdict: Verdict) -> tuple[str, ...]:
    """Everything that stands below the first sentence."""
    said = [
        *verdict.decision.reasons,
        _not_told_apart(verdict),
        _best_but_not_eligible(verdict),
        _own_score(verdict),
        _incomplete(verdict),
        f"The rule: {verdict.rule}.",
        _plans(verdict),
        _estimand(verdict),
        QUICK if verdict.is_quick else "",
        *verdict.notes,
    ]
    return tuple(dict.fromkeys(sentence for sentence in said if sentence))


def _number(number: Interval) -> str:
    estimate = f"{number.what} {shown(number.estimate)}"
    if math.isnan(number.low) or math.isnan(number.high):
        return f"{estimate}, no interval"
    ends = f"{shown(number.low)} to {shown(number.high)}"
    return f"{estimate}, {shown_percent(number.confidence)} interval {ends}"


def _not_told_apart(verdict: Verdict) -> str:
    """Whom the data cannot tell from the winner."""
    names = []
    for each in verdict.standings:
        if not each.can_stand or each.name == verdict.winner:
            continue
        _, _, p_value = advantage_of(verdict.comparisons, verdict.winner, each.name, verdict.is_larger_better)
        if not p_value <= LEVEL:  # unknown is not told apart either
            names.append(each.name)
    if not names or not verdict.winner:
        return ""
    return (
        f"What the data cannot tell: whether {verdict.winner} differs from {listed(names)};"
        " that does not show that they are equally good."
    )


def _best_but_not_eligible(verdict: Verdict) -> str:
    decision = verdict.decision
    if not decision.better_than_baseline or decision.best in (*decision.better_than_baseline, verdict.winner):
        return ""
    if decision.best == decision.baseline or verdict.winner not in decision.better_than_baseline:
        return ""
    return (
        f"{decision.best} has the best score of all, but is not shown to beat {decision.baseline},"
        " so it cannot win."
    )


def _own_score(verdict: Verdict) -> str:
    """The winner's score as it was seen, beside the corrected number."""
    own = [each for each in verdict.standings if each.name == verdict.winner]
    if not own or verdict.corrected is None or verdict.is_quick or verdict.decision.is_baseline:
        return ""
    return f"Seen of {verdict.winner} by itself, not corrected for the choosing: {_number(own[0].estimate)}."


def _incomplete(verdict: Verdict) -> str:
    left_out = [each for each in verdict.standings if not each.can_stand]
    if not left_out:
        return ""
    named = [f"{each.name} ({each.problem or 'it has no score'})" for each in left_out]
    return f"Incomplete, and out of the running: {listed(named)}."


def _plans(verdict: Verdict) -> str:
    contenders = f"{plural(verdict.n_contenders, 'contender')} in all"
    plan = f"Plan {verdict.plan_number} of {verdict.n_plans}, {contenders}"
    if verdict.n_plans > 1 and verdict.corrected is not None:
        return f"{plan}; the number is corrected for the choice among all of them."
    return f"{plan}."


def _estimand(verdict: Verdict) -> str:
    own = [each.estimate for each in verdict.standings if each.name == verdict.winner]
    found = [note for each in own for note in each.notes if note.startswith("Estimated is")]
    return first_upper(found[0]) if found else ""
