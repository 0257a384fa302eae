"""From the study file to a result: standings, comparisons, verdict. Nothing is run, no data are needed."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from heldout.errors import HeldoutError, RequestError
from heldout.ledger.study_facts import SealFact
from heldout.results.race import Race, find_race
from heldout.results.recorded_plan import recorded_metric, recorded_plan
from heldout.results.study_result import StudyResult
from heldout.stats.metric_families import FMeasure, LogLoss, Ranking
from heldout.text.words import join_names
from heldout.verdict.comparisons import compare_contenders
from heldout.verdict.read_rule import read_rule
from heldout.verdict.verdict import Verdict, make_verdict

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
    from heldout.metrics.metric import Metric
    from heldout.plan.plan import Plan

# What a winner by another metric should not lose at once: order, probabilities and decisions.
AT_ONCE = (Ranking, LogLoss, FMeasure)


def plan_fact(ledger: Ledger, plan: Any = None) -> Fact:
    """The fact of a plan: by its digest, a Plan, or the newest."""
    facts = ledger.facts("plan")
    if not facts:
        raise RequestError(
            "no plan has run in this study",
            where=f"'{ledger.path}'",
            fix="run one: study.run(ho.Plan(contenders=ho.default_contenders(study.task)))",
        )
    if plan is None:
        return facts[-1]
    wanted = plan if isinstance(plan, str) else plan.digest
    found = [fact for fact in facts if fact.key.startswith(wanted) and len(wanted) >= 6]
    if len(found) == 1:
        return found[0]
    raise RequestError(
        "there is no such plan in this study",
        where=f"plan {wanted[:12]!r}; there are {', '.join(fact.key[:12] for fact in facts)}",
        fix="study.plans lists them; a plan that left something open has another digest once it has run",
    )


def read_result(ledger: Ledger, plan: Any = None, known_plan: Plan | None = None) -> StudyResult:
    """The result of a plan in the study file: how the race stands to which it belongs.

    plan:       its digest, or None for the newest
    known_plan: the plan itself, where it ran in this session
    """
    fact = plan_fact(ledger, plan)
    found = recorded_plan(ledger, fact, None if known_plan is None else known_plan.choose_by)
    if not found.has_cells:
        raise RequestError(
            "nothing of this plan has run",
            where=f"plan {fact.key[:12]}",
            fix="run it: study.run(plan)",
        )
    race = find_race(found)
    standings, rows = race.standings(), race.rows
    seed = found.body.seed
    comparisons = compare_contenders(standings, found.metric, rows, seed=seed)
    rule = read_rule(found.body.plan["rule"])
    verdict = make_verdict(
        standings,
        comparisons,
        rule,
        found.metric,
        rows,
        is_quick=found.is_quick,
        notes=(found.body.choose_reason, *no_seal(ledger)),
        seed=seed,
    )
    facts = race.facts(verdict.winner)
    verdict = dataclasses.replace(verdict, race=facts, cautions=outdone(race, verdict, seed))
    return StudyResult(
        record=found.body.plan,
        plan_digest=fact.key,
        digest=ledger.results_digest(fact.key),
        metric=found.metric,
        choose_reason=found.body.choose_reason,
        standings=standings,
        comparisons=comparisons,
        verdict=verdict,
        rows=rows,
        plan_number=facts.plan_number,
        n_plans=facts.n_plans,
        notes=found.body.notes,
        chosen=chosen_settings(race),
        known_plan=known_plan,
    )


def no_seal(ledger: Ledger) -> tuple[str, ...]:
    """What has to be said where no rows are held back."""
    if SealFact.read(ledger.facts("seal")[0]).n_held:
        return ()
    return ("No rows are held back in this study, so there is no final score that nothing was chosen by.",)


def outdone(race: Race, verdict: Verdict, seed: int) -> tuple[str, ...]:
    """Who is significantly better than the winner by AUC, log loss and F1 at once, in a sentence.

    A winner by one metric that loses by all others should not stand there without a word. Whoever gives no
    probabilities is judged by the other two. The p of a contender is the largest of its metrics, times how
    many contenders are asked.
    """
    metrics = {type(each.family): each for each in _readable_metrics(race.requested.body.plan["metrics"])}
    if verdict.is_quick or verdict.decision.is_baseline or not set(AT_ONCE) <= set(metrics):
        return ()
    p_values: dict[str, list[float]] = {}
    for metric in (metrics[family] for family in AT_ONCE):
        standings = {each.name: each for each in race.standings_by(metric)}
        winner = standings.get(verdict.winner)
        if winner is None or not winner.can_stand:
            continue
        for name, other in standings.items():
            if name == verdict.winner or other.is_baseline or not other.can_stand:
                continue
            (found,) = compare_contenders([winner, other], metric, race.rows, seed=seed)
            is_worse = found.name_a != name or math.isnan(found.p_value)
            p_values.setdefault(name, []).append(1.0 if is_worse else found.p_value)
    level = verdict.decision.level
    better = [name for name, all_p in p_values.items() if max(all_p) * len(p_values) < level and all_p[1:]]
    if not better:
        return ()
    return (
        f"Mind that {join_names(better)} {'is' if len(better) == 1 else 'are'} significantly better than"
        f" {verdict.winner} by AUC, F1 and, where there are probabilities, log loss at once.",
    )


def _readable_metrics(forms: Sequence[Any]) -> Iterator[Metric]:
    """The metrics that can be read from the study file, which holds no code of others."""
    for form in forms:
        try:
            metric = recorded_metric(form)
        except HeldoutError:
            continue
        yield metric


def chosen_settings(race: Race) -> dict[str, list[tuple[dict[str, Any], int]]]:
    """For each contender the settings that its cells chose, the most frequent first."""
    found: dict[str, dict[str, int]] = {}
    for entrant in race.entrants:
        for cell in entrant.plan.cells_of(entrant.digest):
            if cell is None or not cell.result.chosen:
                continue
            spelled = json.dumps(cell.result.chosen, sort_keys=True)
            counts = found.setdefault(entrant.name, {})
            counts[spelled] = counts.get(spelled, 0) + 1
    return {
        name: [
            (json.loads(spelled), count)
            for spelled, count in sorted(counts.items(), key=lambda pair: -pair[1])
        ]
        for name, counts in found.items()
    }
