"""The sentences of a verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from heldout.text.numbers import number_text, number_texts, percent_text, share_text
from heldout.text.words import join_names, plural
from heldout.verdict.baseline_gate import is_significant
from heldout.verdict.paired_comparison import advantage_of

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
    if verdict.decision.is_baseline:
        return f"{_guessing(verdict)}: {_number(verdict.number)}."
    return f"{verdict.winner} wins: {_number(verdict.number)}, {_corrected(verdict)}."


def _corrected(verdict: Verdict) -> str:
    """For which choice the number is corrected."""
    if verdict.corrected is None:
        return "not corrected for the choosing"
    n_choices = len(verdict.corrected.names)
    if n_choices == 1:
        return "with no choice to correct for"
    if n_choices > verdict.n_contenders:  # settings of quick plans count each
        return f"corrected for choosing among {n_choices:,} candidates"
    return f"corrected for choosing among {plural(n_choices, 'contender')}"


def _guessing(verdict: Verdict) -> str:
    """That the baseline wins, and why."""
    baseline = verdict.winner
    if all(each.is_baseline for each in verdict.standings if each.can_stand):
        return f"{baseline} stands alone"
    if all(math.isnan(each.p_value) for each in verdict.decision.against_baseline):
        return f"Nothing could be tested against guessing, so {baseline} stands"
    return f"No model was shown to beat guessing with these rows, so {baseline} wins"


def details(verdict: Verdict) -> tuple[str, ...]:
    """Everything that stands below the first sentence."""
    messages = [
        *verdict.decision.reasons,
        _not_significant(verdict),
        _best_but_not_eligible(verdict),
        _own_score(verdict),
        _how_often(verdict),
        _incomplete(verdict),
        f"The rule: {verdict.rule}.",
        _candidates(verdict),
        *verdict.race.sentences(verdict.n_contenders, verdict.winner),
        _estimand(verdict),
        QUICK if verdict.is_quick else "",
        *verdict.cautions,
        *verdict.notes,
    ]
    return tuple(dict.fromkeys(sentence for sentence in messages if sentence))


def short_details(verdict: Verdict) -> tuple[str, ...]:
    """What a short account must not leave out: why, which simpler ones are out, what could have been seen."""
    messages = [
        *verdict.decision.reasons[: verdict.decision.first_reasons],
        _how_often(verdict),
        *verdict.cautions,
    ]
    return tuple(sentence for sentence in messages if sentence)


def _number(number: Interval) -> str:
    if math.isnan(number.low) or math.isnan(number.high):
        return f"{number.what} {number_text(number.estimate)}, no interval"
    estimate, low, high = number_texts([number.estimate, number.low, number.high])
    return f"{number.what} {estimate}, {percent_text(number.confidence)} interval {low} to {high}"


def _not_significant(verdict: Verdict) -> str:
    """Who does not differ significantly from the winner."""
    decision = verdict.decision
    names = []
    for each in verdict.standings:
        if not each.can_stand or each.name == verdict.winner:
            continue
        is_of_gate = decision.baseline in (each.name, verdict.winner)
        family = decision.against_baseline if is_of_gate else verdict.comparisons
        _, _, p_value = advantage_of(family, verdict.winner, each.name, verdict.is_larger_better)
        if not is_significant(p_value, decision.level):  # unknown is not significant either
            names.append(each.name)
    if not names or not verdict.winner:
        return ""
    n_pairs = len(verdict.comparisons)
    family_of_all = f" (Holm over all {n_pairs} pairs)" if n_pairs > 1 and not decision.is_baseline else ""
    return (
        f"No significant difference between {verdict.winner} and {join_names(names, 'or')}{family_of_all};"
        " that does not show that they are equally good."
    )


def _best_but_not_eligible(verdict: Verdict) -> str:
    decision = verdict.decision
    is_model = decision.best not in (decision.baseline, verdict.winner, *decision.better_than_baseline)
    if not is_model or verdict.winner not in decision.better_than_baseline:
        return ""
    return (
        f"{decision.best} has the best score of all, but was not shown to beat {decision.baseline},"
        " so it cannot win."
    )


def _own_score(verdict: Verdict) -> str:
    """The winner's score as it was seen, beside the corrected number."""
    own = [each for each in verdict.standings if each.name == verdict.winner]
    if not own or verdict.corrected is None or verdict.is_quick or verdict.decision.is_baseline:
        return ""
    return f"Own score of {verdict.winner}, before the correction: {_number(own[0].estimate)}."


def _how_often(verdict: Verdict) -> str:
    """That resamples mostly choose others than the winner, where they do."""
    if verdict.corrected is None or verdict.decision.is_baseline:
        return ""
    shares = verdict.corrected.shares
    own = shares.get(verdict.winner, 0.0)
    if own >= 0.5:
        return ""
    others = [
        f"{name} in {share_text(share)}" for name, share in shares.items() if name != verdict.winner and share
    ]
    chosen = f"{verdict.winner} is chosen in {share_text(own)} of resamples"
    return f"When rows are drawn anew, {chosen}; {others[0]}."


def _incomplete(verdict: Verdict) -> str:
    left_out = [each for each in verdict.standings if not each.can_stand]
    if not left_out:
        return ""
    named = [f"{each.name} ({each.problem or 'it has no score'})" for each in left_out]
    return f"Incomplete, and out of the running: {join_names(named)}."


def _candidates(verdict: Verdict) -> str:
    """How many there were to choose among, where settings count each."""
    n_choices = 0 if verdict.corrected is None else len(verdict.corrected.names)
    if n_choices <= verdict.n_contenders:
        return ""
    return f"{plural(verdict.n_contenders, 'contender')} with all settings are {n_choices:,} candidates."


def _estimand(verdict: Verdict) -> str:
    own = [each.estimate for each in verdict.standings if each.name == verdict.winner]
    return own[0].estimand if own else ""
