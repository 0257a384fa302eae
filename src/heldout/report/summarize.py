"""A study file becomes plain facts for a page: nothing is run, and the data are not needed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from heldout.ledger.plan_facts import FailureFact, PlanFact
from heldout.ledger.study_facts import ProfileFact, SettingsFact, StudyFact
from heldout.ledger.verdict_facts import CurveFact, VerdictFact
from heldout.report.chosen_settings import chosen_once, chosen_settings
from heldout.report.data.data_facts import data_facts
from heldout.report.method_lines import command_line, method_lines
from heldout.report.models.recorded_models import readable_name, recorded_models
from heldout.report.option_words import in_options
from heldout.report.predictions.predictions_summary import predictions_summary
from heldout.report.standing_rows import comparison_rows, standing_rows
from heldout.report.tuning.setting_scores import setting_scores
from heldout.results.seal_state import SealCondition, SealState, read_seal_state
from heldout.stats.comparison import NOT_SAID as P_NOT_SAID
from heldout.stats.interval import NOT_SAID
from heldout.text.numbers import percent_text
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def summarize(ledger: Ledger) -> dict[str, Any]:
    """What the newest verdict of a study rests on, in plain values that JSON can hold.

    The keys: `study` (what is asked), `verdict` (None before the first run is done), `seal`, `standings`,
    `comparisons`, `models` (the winner, and the best to read beside it), `answers` (what the winner answered
    out of fold), `tuned`, `curves`, `data` (the open rows), `failures`, `method`, `limits`, `unfinished`
    (plans that have not run to their end), `chain` (its head, and whether it is unbroken).
    """
    study, sealed = StudyFact.read(ledger.only("study")), read_seal_state(ledger)
    verdicts = ledger.facts("verdict")
    verdict = VerdictFact.read(verdicts[-1]) if verdicts else None
    plan = _plan(ledger, verdict)
    command = _command(ledger)
    made = _made(verdicts[-1].at if verdicts else "", study if verdict is None else verdict)
    models = recorded_models(ledger, verdict)
    data = data_facts(study, ProfileFact.read(ledger.only("profile")), models)
    seal = sealed.to_dict()
    if command:  # advice in options of the command line where the study was made by one, else in Python
        seal["notes"] = [in_options(note) for note in seal["notes"]]
        data = _data_in_options(data)
    return {
        "study": _study(study, seal, made, command) | {"begun": ledger.only("study").at},
        "verdict": None if verdict is None else _verdict(verdict),
        "seal": seal,
        "standings": standing_rows(verdict),
        "comparisons": comparison_rows(verdict),
        "models": models,
        "answers": predictions_summary(ledger, verdict, readable_name(models)),
        "tuned": _tuned(ledger, verdict),
        "curves": [CurveFact.read(fact).to_dict() for fact in ledger.facts("curve")],
        "data": data,
        "failures": _failures(ledger),
        "method": method_lines(study, plan, verdict, sealed.seal, made, command),
        "limits": limits(study, verdict, sealed) if verdict is not None and verdict.winner else [],
        "unfinished": unfinished_sentences(ledger),
        "chain": _chain(ledger, None if verdict is None else verdict.plan),
    }


def _data_in_options(data: dict[str, Any]) -> dict[str, Any]:
    columns = [each | {"reason": in_options(each["reason"])} for each in data["columns"]]
    notes = [in_options(note) for note in data["notes"]]
    return data | {"reason": in_options(data["reason"]), "columns": columns, "notes": notes}


def _tuned(ledger: Ledger, verdict: VerdictFact | None) -> list[dict[str, Any]]:
    """What tuning chose, with how flat the optimum is where the cells tell; the winner first."""
    if verdict is None:
        return []
    flat = setting_scores(ledger, verdict)
    tuned = [each | {"flat": flat.get(each["name"])} for each in chosen_settings(verdict)]
    named = {each["name"] for each in tuned}
    # A quick plan chooses once, over all folds, and no fold tells of it.
    tuned += [chosen_once(name, found) | {"flat": found} for name, found in flat.items() if name not in named]
    return sorted(tuned, key=lambda each: each["name"] != verdict.winner)


def _plan(ledger: Ledger, verdict: VerdictFact | None) -> PlanFact | None:
    """The plan of the verdict; before the first, the newest."""
    facts = ledger.facts("plan")
    wanted = [fact for fact in facts if verdict is None or fact.key == verdict.plan]
    return PlanFact.read(wanted[-1]) if wanted else None


def _made(at: str, by: StudyFact | VerdictFact) -> str:
    """When and by which version the verdict was made."""
    when = f"{at[:16].replace('T', ' ')} UTC " if at else ""
    return f"{when}by Heldout {by.versions['heldout']}"


def _command(ledger: Ledger) -> str:
    """The line of the newest command; empty where the study was made in Python."""
    facts = ledger.facts("settings")
    return command_line(SettingsFact.read(facts[-1]).settings) if facts else ""


def _study(study: StudyFact, seal: Mapping[str, Any], made: str, command: str) -> dict[str, Any]:
    return {
        "name": study.name,
        "target": study.target,
        "kind": study.task_kind,
        "n_open": seal["n_open"],
        "n_held": seal["n_held"],
        "file": "" if study.source is None else PurePath(study.source.path).name,
        "made": made,
        "command": command,
    }


def _verdict(verdict: VerdictFact) -> dict[str, Any]:
    return {
        "winner": verdict.winner,
        "headline": verdict.sentence,
        "sentences": list(verdict.details),
        "number": verdict.number.to_dict(),
        "metric": verdict.metric,
        "is_larger_better": verdict.is_larger_better,
        "beats_baseline": verdict.beats_baseline,
        "plan_number": verdict.plan_number,
        "n_plans": verdict.n_plans,
        "n_contenders": verdict.n_contenders,
        "rigor": verdict.rigor,
    }


def _failures(ledger: Ledger) -> list[dict[str, Any]]:
    """Who failed with which error, and how often."""
    failures = map(FailureFact.read, ledger.facts("failure"))
    counts = Counter((failure.name, failure.error) for failure in failures)
    return [{"contender": name, "error": error, "n": n} for (name, error), n in counts.items()]


def _chain(ledger: Ledger, plan: str | None) -> dict[str, Any]:
    checked = ledger.verify()
    return {
        "head": ledger.head,
        "n_facts": ledger.n_facts,
        "is_unbroken": checked.is_unbroken,
        "problems": list(checked.problems),
        "digest": ledger.results_digest(plan),
    }


def limits(study: StudyFact, verdict: VerdictFact, seal: SealState) -> list[str]:
    """Sentences about what may not be read into this page."""
    sentences = [
        "It is the expected score of the method, tuning included, when it learns from as many rows as a"
        " training part had. The model that is shipped learns from every row, and its own score was not"
        " measured.",
        "It speaks of new rows that come about as these did. Rows from another place, another time or"
        " another way of measuring may score otherwise.",
        _of_groups(study.groups),
        *(
            []
            if study.time
            else ["No column of time was named. If the future differs from the past, it may be too good."]
        ),
        "What a model uses to predict need not be a cause of what it predicts.",
        "The ledger knows what was done with Heldout. Whoever looked at the rows elsewhere, and chose columns"
        " or models by it, knows more than this number allows for.",
    ]
    if not math.isnan(verdict.number.low + verdict.number.high):
        sentences.append(NOT_SAID.format(share=percent_text(verdict.number.confidence)))
    if verdict.comparisons:
        sentences.append(P_NOT_SAID)
    if seal.condition is SealCondition.CLOSED:
        sentences.append(
            "The held rows have not been used yet. One look at them gives a score free of any choice."
        )
    return sentences


def _of_groups(groups: str | None) -> str:
    if groups:
        return f"It holds for rows of a '{groups}' never seen before; those of a known one may score better."
    return (
        "Rows are taken as independent. If several belong to one person, place or thing and no groups were"
        " named, it is too good."
    )


def unfinished_sentences(ledger: Ledger) -> list[str]:
    """A sentence for each plan without a verdict, in the order in which they were begun."""
    judged = {VerdictFact.read(fact).plan for fact in ledger.facts("verdict")}
    begun = [PlanFact.read(fact) for fact in ledger.facts("plan") if fact.key not in judged]
    done = ledger.keys("cell") if begun else frozenset()
    return [_unfinished(plan, done, bool(judged)) for plan in begun]


def _unfinished(plan: PlanFact, done: frozenset[str], is_beside_verdict: bool) -> str:
    wanted = plan.cell_keys()
    n_done = sum(key in done for key in wanted)
    which = "Another plan" if is_beside_verdict else "A plan"
    begun = f"{which} of {plural(len(plan.contenders), 'contender')} is not finished:"
    counted = f"{n_done:,} of {plural(len(wanted), 'fit')} are done."
    rest = " The verdict does not know its contenders." if is_beside_verdict else ""
    return f"{begun} {counted}{rest} Run the same plan again and it goes on from there."
