"""What a run read, sealed and estimated, as facts that JSON can hold; the screen is made of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.cli.output import near_path, plain
from heldout.report.option_words import in_options

if TYPE_CHECKING:
    import os

    from heldout.ledger.ledger import Ledger
    from heldout.results.study_result import StudyResult
    from heldout.study.study import Study
    from heldout.table.table import Table


def run_facts(
    study: Study,
    table: Table | None,
    result: StudyResult,
    report_path: str | os.PathLike[str] | None,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What was read, asked, sealed and found, as JSON can hold it; nothing of it is a held row.

    study:       that ran, or was opened
    table:       all that was read; left out, it is told as the study file knows it
    result:      what the plan found
    report_path: of the page; None where none was written
    settings:    that the run was started with, and where each came from
    """
    profile = _newest(study.ledger, "profile")
    seal = _seal(study)
    verdict = result.verdict
    facts = {
        "study": str(study.path),
        "report": None if report_path is None else str(report_path),
        "table": _table(study, table, profile),
        "task": _task(profile, study),
        "seal": seal,
        "result": result.to_dict(),
        "dealt": _dealt(study.ledger, result),
        "verdict": {
            "winner": verdict.winner,
            "is_baseline": verdict.decision.is_baseline,
            "is_larger_better": verdict.is_larger_better,
            "is_complete": result.is_complete,
            "sentence": verdict.sentence,
            "race": list(verdict.race.sentences(verdict.n_contenders, verdict.winner)),
            "details": list(verdict.details),
            "short_details": list(verdict.short_details),
        },
        "model": _models(study.ledger, result),
        "settings": dict(settings or {}),
    }
    found: dict[str, Any] = plain(facts)
    return found | {"next": next_commands(found)}


def _newest(ledger: Ledger, kind: str) -> dict[str, Any]:
    facts = ledger.facts(kind)
    return dict(facts[-1].body) if facts else {}


def _table(study: Study, table: Table | None, profile: Mapping[str, Any]) -> dict[str, Any]:
    """What was read; kinds and gaps of the whole table, and never a value of it."""
    record = _newest(study.ledger, "study")
    source = record.get("source") or {}
    roles = {column["name"]: column["role"] for column in profile.get("columns") or ()}
    notes = [] if table is None else table.notes
    return {
        "path": source.get("path"),
        "n_rows": record.get("n_table_rows"),
        "n_columns": len(record.get("columns") or ()),
        "digest": record.get("table_digest"),
        "columns": _columns(table, profile, roles),
        "notes": [in_options(note) for note in dict.fromkeys([*(profile.get("notes") or ()), *notes])],
    }


def _columns(
    table: Table | None, profile: Mapping[str, Any], roles: Mapping[str, str]
) -> list[dict[str, Any]]:
    if table is None:
        names = ("name", "kind", "role", "n_missing")
        return [{name: column.get(name) for name in names} for column in profile.get("columns") or ()]
    return [
        {
            "name": column.name,
            "kind": column.kind,
            "role": roles.get(column.name, "left out"),
            "n_missing": column.n_missing,
            "n_levels": column.n_levels,
            "why": in_options(column.reason) or "as asked",
        }
        for column in table.describe().columns
    ]


def _task(profile: Mapping[str, Any], study: Study) -> dict[str, Any]:
    roles = _newest(study.ledger, "study").get("roles") or {}
    counts = profile.get("class_counts") or []
    return {
        "target": roles.get("target"),
        "kind": roles.get("kind"),
        "reason": in_options(str(profile.get("reason") or "")),
        "positive": roles.get("positive"),
        "groups": roles.get("groups"),
        "time": roles.get("time"),
        "weights": roles.get("weights"),
        "classes": [
            {"class": name, "n_open": count}
            for name, count in zip(profile.get("classes") or [], counts, strict=False)
        ],
    }


def _seal(study: Study) -> dict[str, Any]:
    from heldout.results.seal_state import seal_state

    body = _newest(study.ledger, "seal")
    found = seal_state(body, [dict(fact.body) for fact in study.ledger.facts("unseal")], 0)
    record = _newest(study.ledger, "study")
    kept = ("n_open", "n_held", "how", "state")
    return {name: found[name] for name in kept} | {
        "notes": [in_options(note) for note in found["notes"] or ()],
        "n_left_out": body.get("n_left_out", 0),
        "n_looks": len(found["looks"]),
        "looks_allowed": study.looks_allowed,
        "seed": study.seed,
        "is_seed_given": bool(record.get("is_seed_given")),
    }


def _dealt(ledger: Ledger, result: StudyResult) -> dict[str, int]:
    """How many folds there were, and how often: time, for one, can be cut in one way only."""
    plan = ledger.fact("plan", result.plan_digest)
    places = [] if plan is None else plan.body["fold_places"]
    return {
        "folds": len({number for _, number in places}),
        "repeats": len({repeat for repeat, _ in places}),
    }


def _models(ledger: Ledger, result: StudyResult) -> list[dict[str, Any]]:
    """The winner's model and the best readable one, as they were recorded for this plan."""
    from heldout.report.models.recorded_models import recorded_models

    verdicts = [fact.body for fact in ledger.facts("verdict") if fact.body.get("plan") == result.plan_digest]
    plan = ledger.fact("plan", result.plan_digest)
    return recorded_models(ledger, verdicts[-1] if verdicts else {}, {} if plan is None else plan.body)


def next_commands(facts: Mapping[str, Any]) -> list[dict[str, str]]:
    """Commands, each with what it is good for, the most useful first.

    facts: as `run_facts` gathers them
    """
    study = near_path(str(facts["study"]))
    verdict, state = facts["verdict"], facts["seal"]["state"]
    if not verdict.get("winner") or verdict.get("is_baseline"):
        return [_told(study, "ledger", "", "every use of the rows")]
    model = str(Path(study).with_suffix(".model"))
    found = []
    if state == "closed":
        found.append(_told(study, "unseal", "", "the final score, once"))
    found.append(_told(study, "ship", f" -o {shlex.quote(model)}", "fit on every row"))
    return [*found, _told(study, "explain", "", "read the winner")]


def _told(study: str, verb: str, options: str, why: str) -> dict[str, str]:
    return {"command": f"heldout {verb} {shlex.quote(study)}{options}", "why": why}
