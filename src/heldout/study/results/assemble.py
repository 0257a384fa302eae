"""From the study file to a result: standings, comparisons, verdict. Nothing is run, no data are needed."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from heldout.errors import RequestError
from heldout.report.recorded.recorded_plan import RecordedPlan, recorded_plan
from heldout.study.results.standings_of_ledger import standings_of
from heldout.study.results.study_result import StudyResult
from heldout.verdict.comparisons_of import comparisons_of
from heldout.verdict.corrected_number import Rival, corrected_number, rivals_of
from heldout.verdict.rule_of_dict import rule_of_dict
from heldout.verdict.standing import Standing
from heldout.verdict.verdict import verdict_of

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger
    from heldout.plan.plan import Plan


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


def result_of(ledger: Ledger, plan: Any = None, known_plan: Plan | None = None) -> StudyResult:
    """The result of a plan in the study file.

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
    standings = standings_of(found)
    seed = int(found.record["seed"])
    comparisons = comparisons_of(standings, found.metric, found.rows, seed=seed)
    rule = rule_of_dict(found.record["rule"])
    plans = ledger.facts("plan")
    rivals = rivals_of_all_plans(found, standings, plans)
    corrected = corrected_number(rivals, found.metric, rule, seed=seed) if rivals else None
    number = [each.key for each in plans].index(fact.key) + 1
    verdict = verdict_of(
        standings,
        comparisons,
        rule,
        found.metric,
        corrected,
        plan_number=number,
        n_plans=len(plans),
        n_contenders=len({each for plan in plans for each in plan.body["contenders"]}),
        is_quick=found.is_quick,
        notes=(fact.body["choose_reason"], *no_seal(ledger)),
    )
    return StudyResult(
        record=found.record,
        plan_digest=fact.key,
        digest=ledger.results_digest(fact.key),
        metric=found.metric,
        choose_reason=fact.body["choose_reason"],
        standings=standings,
        comparisons=comparisons,
        verdict=verdict,
        rows=found.rows,
        plan_number=number,
        n_plans=len(plans),
        notes=tuple(fact.body["notes"]),
        chosen=chosen_settings(found),
        known_plan=known_plan,
    )


def no_seal(ledger: Ledger) -> tuple[str, ...]:
    """What has to be said where no rows are held back."""
    if ledger.facts("seal")[0].body["n_held"]:
        return ()
    return ("No rows are held back in this study, so there is no final score that nothing was chosen by.",)


def rivals_of_all_plans(
    newest: RecordedPlan, standings: tuple[Standing, ...], plans: tuple[Fact, ...]
) -> tuple[Rival, ...]:
    """Everyone who could have been chosen in this study: ten edited plans are one large choice.

    newest:    the plan whose metric judges all of them
    standings: of its contenders
    plans:     all of the study
    """
    rivals = list(rivals_of(standings, newest.rows))
    seen = set(_judged(newest).values())
    for fact in plans:
        other = dataclasses.replace(newest, fact=fact)
        wanted = [each for each, judged in _judged(other).items() if judged not in seen]
        if not wanted or not other.has_cells:
            continue
        seen |= set(_judged(other).values())
        rivals += rivals_of(standings_of(other, wanted), other.rows)
    return tuple(rivals)


def _judged(plan: RecordedPlan) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Each contender with how it was judged: the same under other folds is another one to choose."""
    body = plan.fact.body
    return {each: (each, body["protocol"], tuple(body["folds"])) for each in plan.contenders}


def chosen_settings(plan: RecordedPlan) -> dict[str, list[tuple[dict[str, Any], int]]]:
    """For each contender the settings that its cells chose, the most frequent first."""
    found: dict[str, dict[str, int]] = {}
    for contender in plan.contenders:
        for fold in plan.fact.body["folds"]:
            cell = plan.cell(contender, fold)
            if cell is None or not cell.body["result"]["chosen"]:
                continue
            result = cell.body["result"]
            spelled = json.dumps(result["chosen"], sort_keys=True)
            counts = found.setdefault(result["name"], {})
            counts[spelled] = counts.get(spelled, 0) + 1
    return {
        name: [
            (json.loads(spelled), count)
            for spelled, count in sorted(counts.items(), key=lambda pair: -pair[1])
        ]
        for name, counts in found.items()
    }
