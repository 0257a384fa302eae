"""The steps of `heldout run`, after its line was understood."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from heldout.cli.chosen_plan import check_choices, chosen_plan, number_of_folds, without_answers
from heldout.cli.json_output import plain
from heldout.cli.next_commands import next_commands
from heldout.cli.read_file import read_file
from heldout.cli.same_question import Question
from heldout.cli.settings import settings_record
from heldout.cli.study_files import StudyPlace
from heldout.errors import LedgerError, RequestError
from heldout.report.option_words import in_options

if TYPE_CHECKING:
    import os

    from heldout.ledger.ledger import Ledger
    from heldout.plan.plan import Plan
    from heldout.results.study_result import StudyResult
    from heldout.study.runs.progress import Progress
    from heldout.study.study import Study
    from heldout.table.table import Table
    from heldout.table.task import Task

# Bytes of a file that takes about a second to read.
LARGE_FILE = 4_000_000
_ROLES = ("target", "groups", "time", "weights")


def asked_question(file: str, options: Mapping[str, Any]) -> tuple[Table, Question]:
    """The table, and what is asked of it; columns that are not there are refused with what was meant.

    file:    of the table
    options: of the line
    """
    _say_reading(file, options["quiet"])
    table = read_file(file, options)
    if options["target"] is None:
        raise click.UsageError(f"which column is to be predicted? Say --target with {_one_of(table.names)}")
    for role in _ROLES:
        _check_column(role, options[role], table, options)
    names = ("target", "task", "positive", "groups", "time", "weights", "held", "seed")
    return table, Question(**{name: options[name] for name in names})


def _say_reading(file: str, is_quiet: bool) -> None:
    """Say that a large file is being read, which takes a while."""
    try:
        n_bytes = Path(file).stat().st_size
    except (OSError, ValueError):
        return  # that it is not there is said by the reader
    if n_bytes >= LARGE_FILE and not is_quiet:
        click.echo(f"heldout: reading {file}, {n_bytes / 1e6:,.0f} MB", err=True)


def check_first(table: Table, question: Question, options: Mapping[str, Any]) -> None:
    """Refuse what cannot be run before there is a study, and say where a seal would tell nothing.

    A typo leaves no file behind.

    options: of the line
    """
    from heldout.table.task import Task

    roles = question.roles()
    task = Task(table, roles.pop("target"), **roles)
    check_choices(task, options["contenders"], options["metric"])
    if question.held and not options["quiet"]:
        _advise(task, question)


def _advise(task: Task, question: Question) -> None:
    """Say it before any row is sealed where the seal would hold too few to tell anything."""
    from heldout.report.option_words import in_options
    from heldout.split.row_facts import RowFacts
    from heldout.split.sealed_split import seal_rows
    from heldout.study.files.create_study import advice_of

    facts = RowFacts.of(task)
    advice = advice_of(facts, seal_rows(facts, held=question.held))
    if advice:
        click.echo(f"heldout: {in_options(advice)}", err=True)


def run_and_tell(ctx: click.Context, study: Study, table: Table, place: StudyPlace) -> None:
    """Run the plan, write the page, and say what was found.

    ctx:   of the command
    study: opened, or made a moment ago
    table: all rows
    place: of its files
    """
    from heldout.study.runs.progress import progress_of

    options = ctx.params
    plan = chosen_plan(
        study.task, *(options[name] for name in ("contenders", "metric", "rigor", "folds", "repeats"))
    )
    if options["contenders"] == "all" and not options["quiet"]:
        for name in without_answers(study.task, options["metric"]):
            why = f"{options['metric']} needs probabilities or scores, which it does not give"
            click.echo(f"heldout: {name} is left out: {why}", err=True)
    settings = settings_record(ctx, _resolved(study, plan, options))
    progress = progress_of(not options["quiet"])
    result = _result(study, plan, settings, options, progress)
    progress.step("writing the page")
    page = _page(study, place)
    progress.step("")
    tell(study, table, result, page, settings, options["json"])


def tell(
    study: Study, table: Table, result: StudyResult, page: Any, settings: Mapping[str, Any], is_json: bool
) -> None:
    """The facts on stdout: one screen, or JSON.

    page:    the path of the page
    is_json: for a machine
    """

    facts = run_facts(study, table, result, page, settings)
    if is_json:
        from heldout.cli.json_output import print_json

        print_json(facts)
        return
    from heldout.cli.screen.run_screen import run_screen
    from heldout.cli.terminal import terminal_of

    sys.stdout.write(run_screen(facts, terminal_of(sys.stdout)))


def _result(
    study: Study, plan: Plan, settings: Mapping[str, Any], options: Mapping[str, Any], progress: Progress
) -> StudyResult:
    """What the plan found; a study that cannot be written answers from what it holds."""
    if study.ledger.is_query_only:
        return _recorded_result(study, plan)
    from heldout.ledger.fact import Entry
    from heldout.plan.code_fingerprint import digest_of

    body = {"command": "run", "settings": dict(settings)}
    study.ledger.append([Entry("settings", digest_of(body, "settings"), body, once=True)])
    n_before = len(study.ledger.keys("cell"))
    result = study.run(plan, n_jobs=options["jobs"], progress=progress)
    if n_before == len(study.ledger.keys("cell")) and result.is_complete and not options["quiet"]:
        click.echo("heldout: all of it was done before, and nothing had to run again", err=True)
    return result


def _recorded_result(study: Study, plan: Plan) -> StudyResult:
    from heldout.plan.resolved_plan import resolved

    digest = resolved(plan, study.task, study.seed).digest
    result = study.result(digest) if digest in study.plans else None
    if result is None or not result.is_complete:
        raise LedgerError(
            "there is more to run, and the study file cannot be written",
            where=f"'{study.path}'",
            fix="check who may write to it, or make another study with --out",
        )
    return result


def _page(study: Study, place: StudyPlace) -> Any:
    try:
        return study.report(place.page)
    except RequestError:
        if study.ledger.is_query_only and place.page.is_file():
            return place.page  # where nothing can be written, the page of the same results stands
        raise


def _resolved(study: Study, plan: Plan, options: Mapping[str, Any]) -> dict[str, Any]:
    """What was decided where the line left it open."""
    from heldout.plan.resolved_plan import resolved

    decided = resolved(plan, study.task, study.seed).plan
    folds, repeats = number_of_folds(options["rigor"], options["folds"], options["repeats"])
    return {
        "task": study.task.kind,
        "positive": study.task.positive,
        "contenders": [contender.name for contender in decided.contenders],
        "metric": decided.choose_by.name if decided.choose_by is not None else None,
        "folds": folds,
        "repeats": repeats,
        "seed": study.seed,
    }


def _check_column(role: str, name: str | None, table: Table, options: Mapping[str, Any]) -> None:
    if name is None or name in table:
        return
    from heldout.cli.read_file import names_in
    from heldout.text.words import suggestion

    is_dropped = name in names_in(options["drop"])
    raise RequestError(
        f"column {name!r} is dropped" if is_dropped else f"there is no column {name!r:.80}",
        where=f"--{role} {name:.80}" + (" and --drop" if is_dropped else ""),
        fix="leave out one of the two" if is_dropped else suggestion(name, table.names),
    )


def _one_of(names: tuple[str, ...]) -> str:
    shown = ", ".join(repr(name) for name in names[:12])
    return f"one of {shown}" + (f" and {len(names) - 12} more" if len(names) > 12 else "")


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
