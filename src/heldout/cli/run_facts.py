"""What a run read, sealed and estimated, as facts that JSON can hold; the screen is made of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heldout.cli.output import near_path, plain
from heldout.ledger.plan_facts import PlanFact
from heldout.ledger.study_facts import ProfileFact, StudyFact
from heldout.ledger.verdict_facts import VerdictFact
from heldout.report.option_words import in_options

if TYPE_CHECKING:
    import os

    from heldout.ledger.ledger import Ledger
    from heldout.results.seal_state import SealState
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
    """What was read, sealed and estimated, as JSON can hold it; nothing of it is a held row."""
    from heldout.results.seal_state import read_seal_state

    record = StudyFact.read(study.ledger.only("study"))
    profile = ProfileFact.read(study.ledger.only("profile"))
    verdict = result.verdict
    facts = {
        "study": str(study.path),
        "report": None if report_path is None else str(report_path),
        "table": _table(record, table, profile),
        "task": _task(record, profile),
        "seal": _seal(record, read_seal_state(study.ledger)),
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
    plain_facts: dict[str, Any] = plain(facts)
    return plain_facts | {"next": next_commands(plain_facts)}


def _table(record: StudyFact, table: Table | None, profile: ProfileFact) -> dict[str, Any]:
    """What was read; kinds and missing values of the whole table, and never a value of it."""
    notes = () if table is None else table.notes
    return {
        "path": None if record.source is None else record.source.path,
        "n_rows": record.n_table_rows,
        "n_columns": len(record.columns),
        "digest": record.table_digest,
        "columns": _columns(table, profile),
        "notes": [in_options(note) for note in dict.fromkeys([*profile.notes, *notes])],
    }


def _columns(table: Table | None, profile: ProfileFact) -> list[dict[str, Any]]:
    if table is None:
        names = ("name", "kind", "role", "n_missing")
        return [{name: getattr(column, name) for name in names} for column in profile.columns]
    roles = {column.name: column.role for column in profile.columns}
    return [
        {
            "name": column.name,
            "kind": column.kind,
            "role": roles.get(column.name, "left out"),
            "n_missing": column.n_missing,
            "n_levels": column.n_levels,
            "why": in_options(column.reason) or "as requested",
        }
        for column in table.describe().columns
    ]


def _task(record: StudyFact, profile: ProfileFact) -> dict[str, Any]:
    roles = ("target", "kind", "positive", "groups", "time", "weights")
    counted = zip(profile.classes, profile.class_counts, strict=True)
    return {role: record.roles.get(role) for role in roles} | {
        "reason": in_options(profile.reason),
        "classes": [{"class": name, "n_open": count} for name, count in counted],
    }


def _seal(record: StudyFact, state: SealState) -> dict[str, Any]:
    kept = ("n_open", "n_held", "n_left_out", "how", "state")
    fields = state.to_dict()
    return {name: fields[name] for name in kept} | {
        "notes": [in_options(note) for note in state.seal.notes],
        "n_looks": len(state.looks),
        "looks_allowed": record.looks_allowed,
        "seed": record.seed,
        "is_seed_given": record.is_seed_given,
    }


def _dealt(ledger: Ledger, result: StudyResult) -> dict[str, int]:
    """How many folds there were, and how often: time, for one, can be cut in one way only."""
    fact = ledger.fact("plan", result.plan_digest)
    folds = () if fact is None else PlanFact.read(fact).fold_indices
    return {
        "folds": len({number for _, number in folds}),
        "repeats": len({repeat for repeat, _ in folds}),
    }


def _models(ledger: Ledger, result: StudyResult) -> list[dict[str, Any]]:
    """The winner's model and the best readable one, as they were recorded for this plan."""
    from heldout.report.models.recorded_models import recorded_models

    verdicts = map(VerdictFact.read, ledger.facts("verdict"))
    of_plan = [verdict for verdict in verdicts if verdict.plan == result.plan_digest]
    return recorded_models(ledger, of_plan[-1] if of_plan else None)


def next_commands(facts: Mapping[str, Any]) -> list[dict[str, str]]:
    """Commands, each with what it is good for, the most useful first."""
    study = near_path(str(facts["study"]))
    verdict, state = facts["verdict"], facts["seal"]["state"]
    if not verdict.get("winner") or verdict.get("is_baseline"):
        return [_command(study, "ledger", "", "every use of the rows")]
    model = str(Path(study).with_suffix(".model"))
    commands = []
    if state == "closed":
        commands.append(_command(study, "unseal", "", "the final score, once"))
    commands.append(_command(study, "ship", f" -o {shlex.quote(model)}", "fit on every row"))
    return [*commands, _command(study, "explain", "", "read the winner")]


def _command(study: str, verb: str, options: str, why: str) -> dict[str, str]:
    return {"command": f"heldout {verb} {shlex.quote(study)}{options}", "why": why}
