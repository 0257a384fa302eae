"""A study file becomes plain facts for a page: nothing is run, and the data are not needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from heldout.report.answers.answers_summary import answers_summary
from heldout.report.chosen_settings import chosen_once, chosen_settings
from heldout.report.data.data_facts import data_facts
from heldout.report.method_lines import command_line, method_lines
from heldout.report.models.recorded_models import readable_name, recorded_models
from heldout.report.option_words import in_options
from heldout.report.standing_rows import comparison_rows, larger_is_better, standing_rows
from heldout.report.tuning.setting_scores import setting_scores
from heldout.results.seal_state import seal_state
from heldout.stats.comparison import NOT_SAID as P_NOT_SAID
from heldout.stats.interval import NOT_SAID
from heldout.text.numbers import percent_text
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


def summarize(ledger: Ledger) -> dict[str, Any]:
    """What the newest verdict of a study rests on, in plain values that JSON can hold.

    ledger: of the study; only read

    The keys: `study` (what is asked), `verdict` (None before the first run is done), `seal`, `standings`,
    `comparisons`, `models` (the winner, and the best to read beside it), `answers` (what the winner answered
    out of fold), `tuned`, `curves`, `data` (the open rows), `failures`, `method`, `limits`, `unfinished`
    (plans that have not run to their end), `chain` (its head, and whether it is unbroken).
    """
    study = _newest(ledger, "study")
    verdict = _newest(ledger, "verdict")
    plan = _plan(ledger, verdict)
    seal = _newest(ledger, "seal")
    models = recorded_models(ledger, verdict, plan)
    found = seal_state(seal, _openings(ledger), _n_open_looks(ledger))
    if ledger.facts("settings"):
        found["notes"] = [in_options(note) for note in found["notes"]]
    return {
        "study": _study(ledger, study, verdict, found),
        "verdict": _verdict(verdict) if verdict else None,
        "seal": found,
        "standings": standing_rows(verdict),
        "comparisons": comparison_rows(verdict),
        "models": models,
        "answers": answers_summary(ledger, verdict, readable_name(models)),
        "tuned": _tuned(ledger, plan, verdict),
        "curves": [dict(fact.body) for fact in ledger.facts("curve")],
        "data": _in_the_readers_language(data_facts(study, _newest(ledger, "profile"), models), ledger),
        "failures": _failures(ledger),
        "method": method_lines(study, plan, verdict, found, *_made(ledger, study, verdict)),
        "limits": limits(study, plan, verdict, found) if verdict.get("winner") else [],
        "unfinished": unfinished_sentences(ledger),
        "chain": _chain(ledger, str(verdict.get("plan", ""))),
    }


def _in_the_readers_language(data: dict[str, Any], ledger: Ledger) -> dict[str, Any]:
    """Advice in options of the command line where the study was made by one, else in Python."""
    if not data or not ledger.facts("settings"):
        return data
    columns = [each | {"reason": in_options(str(each.get("reason") or ""))} for each in data["columns"]]
    notes = [in_options(note) for note in data["notes"]]
    return data | {"reason": in_options(data["reason"]), "columns": columns, "notes": notes}


def _tuned(ledger: Ledger, plan: Mapping[str, Any], verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What tuning chose, with how flat the optimum is where the file tells; the winner first."""
    flat = setting_scores(ledger, plan, verdict)
    tuned = [each | {"flat": flat.get(each["name"])} for each in chosen_settings(ledger, verdict)]
    told = {each["name"] for each in tuned}
    # A quick plan chooses once, over all folds, and no fold tells of it.
    tuned += [chosen_once(name, found) | {"flat": found} for name, found in flat.items() if name not in told]
    return sorted(tuned, key=lambda each: each["name"] != verdict.get("winner"))


def _newest(ledger: Ledger, kind: str) -> dict[str, Any]:
    facts = ledger.facts(kind)
    return dict(facts[-1].body) if facts else {}


def _plan(ledger: Ledger, verdict: Mapping[str, Any]) -> dict[str, Any]:
    fact = ledger.fact("plan", str(verdict.get("plan", "")))
    return dict(fact.body) if fact is not None else _newest(ledger, "plan")


def _openings(ledger: Ledger) -> list[dict[str, Any]]:
    return [dict(fact.body) | {"at": fact.at} for fact in ledger.facts("unseal")]


def _n_open_looks(ledger: Ledger) -> int:
    return sum(1 for fact in ledger.facts("look") if fact.body.get("role", "open") == "open")


def _made(ledger: Ledger, study: Mapping[str, Any], verdict: Mapping[str, Any]) -> tuple[str, str]:
    """When and by which version the verdict was made, and the line of the command where there was one."""
    at = next((fact.at for fact in reversed(ledger.facts("verdict"))), "")
    version = dict(verdict.get("versions") or study.get("versions") or {}).get("heldout", "")
    when = f"{at[:16].replace('T', ' ')} UTC" if at else ""
    by = f"by Heldout {version}" if version else ""
    settings = _newest(ledger, "settings").get("settings") or {}
    return f"{when} {by}".strip(), command_line(settings) if settings else ""


def _study(
    ledger: Ledger, study: Mapping[str, Any], verdict: Mapping[str, Any], seal: Mapping[str, Any]
) -> dict[str, Any]:
    made, command = _made(ledger, study, verdict)
    roles = study.get("roles") or {}
    return {
        "name": str(study.get("name", "")),
        "target": str(study.get("target") or roles.get("target", "")),
        "kind": str(study.get("kind") or roles.get("kind", "")),
        "n_open": seal["n_open"],
        "n_held": seal["n_held"],
        "file": PurePath(str((study.get("source") or {}).get("path") or "")).name,
        "made": made,
        "command": command,
        "begun": next((fact.at for fact in ledger.facts("study")), ""),
    }


def _verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    number = verdict.get("number") or {}
    headline, *sentences = verdict_sentences(str(verdict.get("text", ""))) or [""]
    return {
        "winner": str(verdict.get("winner", "")),
        "headline": headline,
        "sentences": [str(note) for note in verdict.get("notes") or sentences],
        "number": dict(number),
        "metric": str(verdict.get("metric") or number.get("what", "score")),
        "is_larger_better": larger_is_better(verdict),
        "beats_baseline": verdict.get("beats_baseline"),
        "plan_number": verdict.get("plan_number"),
        "n_plans": verdict.get("n_plans"),
        "n_contenders": verdict.get("n_contenders"),
        "rigor": str(verdict.get("rigor") or "standard"),
    }


def verdict_sentences(text: str) -> list[str]:
    """The paragraphs of a text that was made for a terminal: lines that were wrapped are joined again."""
    found: list[str] = []
    for line in text.split("\n"):
        words = line.strip()
        if not words:
            continue
        if not found or words.startswith("- ") or not line.startswith(" "):
            found.append(words.removeprefix("- "))
        else:
            found[-1] += f" {words}"
    return found


def _failures(ledger: Ledger) -> list[dict[str, Any]]:
    """Who failed with which error, and how often."""
    bodies = [fact.body for fact in ledger.facts("failure")]
    counts = Counter(
        (str(body.get("name") or body.get("contender", "")), str(body.get("error", ""))) for body in bodies
    )
    return [{"contender": name, "error": error, "n": n} for (name, error), n in counts.items()]


def _chain(ledger: Ledger, plan: str) -> dict[str, Any]:
    checked = ledger.verify()
    return {
        "head": str(ledger.head),
        "n_facts": int(ledger.n_facts),
        "is_unbroken": bool(checked.is_unbroken),
        "problems": [str(problem) for problem in checked.problems],
        "digest": str(ledger.results_digest(plan or None)),
    }


def limits(
    study: Mapping[str, Any],
    plan: Mapping[str, Any],
    verdict: Mapping[str, Any],
    seal: Mapping[str, Any],
) -> list[str]:
    """Sentences about what may not be read into this page.

    study, plan, verdict: the bodies of their facts
    seal:                 as `seal_state` gives it
    """
    roles = study.get("roles") or {}
    groups, time = study.get("groups") or roles.get("groups"), study.get("time") or roles.get("time")
    found = [
        "It is the expected score of the method, tuning included, when it learns from as many rows as a"
        " training part had. The model that is shipped learns from every row, and its own score was not"
        " measured.",
        "It speaks of new rows that come about as these did. Rows from another place, another time or"
        " another way of measuring may score otherwise.",
        _of_groups(groups),
        *(
            []
            if time
            else ["No column of time was named. If the future differs from the past, it may be too good."]
        ),
        "What a model uses to predict need not be a cause of what it predicts.",
        "The ledger knows what was done with Heldout. Whoever looked at the rows elsewhere, and chose columns"
        " or models by it, knows more than this number allows for.",
    ]
    number = verdict.get("number") or {}
    if number.get("low") is not None and number.get("high") is not None:
        found.append(NOT_SAID.format(share=percent_text(float(number.get("confidence") or 0.95))))
    if verdict.get("comparisons"):
        found.append(P_NOT_SAID)
    if seal["state"] == "closed":
        found.append(
            "The held rows have not been used yet. One look at them gives a score free of any choice."
        )
    return found


def _of_groups(groups: Any) -> str:
    if groups:
        return f"It holds for rows of a '{groups}' never seen before; those of a known one may score better."
    return (
        "Rows are taken as independent. If several belong to one person, place or thing and no groups were"
        " named, it is too good."
    )


def unfinished_sentences(ledger: Ledger) -> list[str]:
    """A sentence for each plan without a verdict, in the order in which they were begun.

    ledger: of the study; only read
    """
    judged = {str(fact.body.get("plan", "")) for fact in ledger.facts("verdict")}
    begun = [fact for fact in ledger.facts("plan") if fact.key not in judged]
    done = ledger.keys("cell") if begun else frozenset()
    return [_sentence(fact, done, bool(judged)) for fact in begun]


def _sentence(plan: Fact, done: frozenset[str], is_beside_verdict: bool) -> str:
    cells = plan.body.get("cells") or {}
    contenders, folds = cells.get("contenders") or (), cells.get("folds") or ()
    wanted = [f"{each}:{fold}:{cells.get('protocol', '')}" for each in contenders for fold in folds]
    n_done = sum(key in done for key in wanted)
    which = "Another plan" if is_beside_verdict else "A plan"
    said = f"{which} of {plural(len(contenders), 'contender')} is not finished:"
    counted = f"{n_done:,} of {plural(len(wanted), 'fit')} are done."
    rest = " The verdict does not know its contenders." if is_beside_verdict else ""
    return f"{said} {counted}{rest} Run the same plan again and it goes on from there."
