"""The steps of `heldout run`, after its line was understood."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from heldout.cli.read_file import names_in, read_file
from heldout.cli.run import CONTENDERS
from heldout.cli.run_facts import run_facts
from heldout.cli.settings import settings_record
from heldout.cli.study_files import Question, StudyPaths
from heldout.errors import LedgerError, RequestError
from heldout.report.option_words import in_options
from heldout.text.words import first_few

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan
    from heldout.results.study_result import StudyResult
    from heldout.study.runs.progress import Progress
    from heldout.study.study import Study
    from heldout.table.table import Table
    from heldout.table.task import Task


# Bytes of a file that takes about a second to read.
LARGE_FILE = 4_000_000
_ROLES = ("target", "groups", "time", "weights")


def read_question(file: str, options: Mapping[str, Any]) -> tuple[Table, Question]:
    """The table and the question; columns that are not there are refused with the nearest name."""
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
        return  # the reader reports that it is not there
    if n_bytes >= LARGE_FILE and not is_quiet:
        click.echo(f"heldout: reading {file}, {n_bytes / 1e6:,.0f} MB", err=True)


def check_request(table: Table, question: Question, options: Mapping[str, Any]) -> None:
    """Refuse what cannot be run before there is a study, and advise where a seal would tell nothing.

    A typo leaves no file behind.
    """
    from heldout.table.task import Task

    roles = question.roles()
    task = Task(table, roles.pop("target"), **roles)
    check_choices(task, options["contenders"], options["metric"])
    if question.held and not options["quiet"]:
        _advise(task, question)


def _advise(task: Task, question: Question) -> None:
    """Say it before any row is sealed where the seal would hold too few to tell anything."""
    from heldout.split.row_facts import RowFacts
    from heldout.split.sealed_split import seal_rows
    from heldout.study.files.seal_task import advice_for_seal

    facts = RowFacts.of(task)
    advice = advice_for_seal(facts, seal_rows(facts, held=question.held))
    if advice:
        click.echo(f"heldout: {in_options(advice)}", err=True)


def run_study(ctx: click.Context, study: Study, table: Table, paths: StudyPaths) -> None:
    """Run the plan, write the page, and print the results."""
    from heldout.study.runs.progress import make_progress

    options = ctx.params
    plan = make_plan(
        study.task, *(options[name] for name in ("contenders", "metric", "rigor", "folds", "repeats"))
    )
    if options["contenders"] == "all" and not options["quiet"]:
        for name in contenders_without_scores(study.task, options["metric"]):
            why = f"{options['metric']} needs probabilities or scores, which it does not give"
            click.echo(f"heldout: {name} is left out: {why}", err=True)
    settings = settings_record(ctx, _resolved(study, plan, options))
    progress = make_progress(not options["quiet"])
    result = _result(study, plan, settings, options, progress)
    progress.step("writing the page")
    page = _page(study, paths)
    progress.step("")
    print_result(study, table, result, page, settings, options["json"])


def print_result(
    study: Study, table: Table, result: StudyResult, page: Any, settings: Mapping[str, Any], is_json: bool
) -> None:
    """The facts on stdout: one screen, or JSON."""

    facts = run_facts(study, table, result, page, settings)
    if is_json:
        from heldout.cli.output import print_json

        print_json(facts)
        return
    from heldout.cli.screen.run_screen import run_screen
    from heldout.cli.screen.terminal import terminal_of

    sys.stdout.write(run_screen(facts, terminal_of(sys.stdout)))


def _result(
    study: Study, plan: Plan, settings: Mapping[str, Any], options: Mapping[str, Any], progress: Progress
) -> StudyResult:
    """The results of the plan; a study that cannot be written shows those that it holds."""
    if study.ledger.is_query_only:
        return _recorded_result(study, plan)
    from heldout.ledger.study_facts import SettingsFact
    from heldout.plan.code_fingerprint import digest_of
    from heldout.stats.interval import plain

    body = SettingsFact("run", plain(dict(settings)))
    study.ledger.append([body.entry(digest_of(body.to_dict(), "settings"), once=True)])
    n_before = len(study.ledger.keys("cell"))
    result = study.run(plan, n_jobs=options["jobs"], progress=progress)
    if n_before == len(study.ledger.keys("cell")) and result.is_complete and not options["quiet"]:
        click.echo("heldout: all of it was done before, and nothing had to run again", err=True)
    return result


def _recorded_result(study: Study, plan: Plan) -> StudyResult:
    digest = study.session.resolve(plan, study.task, study.seed).digest
    result = study.result(digest) if digest in study.plans else None
    if result is None or not result.is_complete:
        raise LedgerError(
            "there is more to run, and the study file cannot be written",
            where=f"'{study.path}'",
            fix="check who may write to it, or make another study with --out",
        )
    return result


def _page(study: Study, paths: StudyPaths) -> Any:
    try:
        return study.report(paths.page)
    except RequestError:
        if study.ledger.is_query_only and paths.page.is_file():
            return paths.page  # where nothing can be written, the page of the same results stands
        raise


def _resolved(study: Study, plan: Plan, options: Mapping[str, Any]) -> dict[str, Any]:
    """What was decided where the line left it open."""
    decided = study.session.resolve(plan, study.task, study.seed).plan
    folds, repeats = number_of_folds(options["rigor"], options["folds"], options["repeats"])
    return {
        "task": study.task.kind,
        "positive": study.task.positive,
        # As they were named: a baseline that was added is no part of the line that was typed.
        "contenders": [contender.name for contender in plan.contenders],
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
    return f"one of {first_few([*map(repr, names)], 12)}"


def make_plan(
    task: Task,
    contenders: str = "all",
    metric: str | None = None,
    rigor: str = "standard",
    folds: int | None = None,
    repeats: int | None = None,
) -> Plan:
    """Contenders by name, folds by number; what is left out is what a plan has by itself."""
    from heldout.plan.plan import Plan
    from heldout.split.k_fold import KFold

    named = named_contenders(task, contenders, metric)
    k, times = number_of_folds(rigor, folds, repeats)
    dealt = {"tuning" if rigor == "quick" else "folds": KFold(k, repeats=times)}
    choices: dict[str, Any] = {"choose_by": metric, "rigor": rigor, **dealt}
    return Plan(named, **choices)


def check_choices(task: Task, contenders: str, metric: str | None) -> None:
    """Refuse contenders and metrics that this task or each other cannot have, before anything is made."""
    from heldout.plan.task_fit import check_contender

    named_contenders(task, contenders)
    if metric is not None:
        measured = _metric(task, metric)
        for contender in named_contenders(task, contenders, metric):
            check_contender(contender, task, measured)


def contenders_without_scores(task: Task, metric: str | None) -> list[str]:
    """The usual contenders that a metric cannot judge, because they give no probabilities or scores."""
    from heldout.plan.default_contenders import default_contenders
    from heldout.plan.task_fit import lacks_predictions

    if metric is None:
        return []
    measured = _metric(task, metric)
    return [
        contender.name
        for contender in default_contenders(task)
        if lacks_predictions(contender, measured, task)
    ]


def _metric(task: Task, metric: str) -> Metric:
    from heldout.plan.plan_checks import checked_metric
    from heldout.plan.task_metrics import metric_for

    return metric_for(checked_metric(metric), task)


def number_of_folds(rigor: str, folds: int | None, repeats: int | None) -> tuple[int, int]:
    """How many folds, how often."""
    from heldout.plan.plan import USUAL_FOLDS

    usual = USUAL_FOLDS[rigor]
    return (usual.k if folds is None else folds, usual.repeats if repeats is None else repeats)


def named_contenders(task: Task, names: str, metric: str | None = None) -> tuple[Contender, ...]:
    """The contenders of these names, in the order in which they always stand."""
    from heldout.plan.default_contenders import default_contenders

    usual = default_contenders(task)
    known = {contender.name: contender for contender in usual}
    if task.kind == "regression":
        known["linear"] = _linear()
    wanted = names_in([names])
    if "all" in wanted:
        silent = contenders_without_scores(task, metric)
        judged = [contender.name for contender in usual if contender.name not in silent]
        wanted = [*judged, *(name for name in wanted if name != "all")]
    _check_names(wanted, list(known), task)
    return tuple(contender for name, contender in known.items() if name in wanted)


def _linear() -> Contender:
    from heldout.learners.linear_regressor import LinearRegressor
    from heldout.plan.contender import Contender

    return Contender("linear", LinearRegressor())


def _instead(name: str, known: Sequence[str]) -> str:
    """What may have been meant; of a learner from elsewhere, how it can compete all the same."""
    from heldout.text.words import nearest_name

    near = nearest_name(name, known, cutoff=0.6)
    if near is not None:
        return f"did you mean {near!r}?"
    listed = f"use some of {', '.join(known)}"
    return f"{listed}; in Python any scikit-learn estimator can compete: ho.Contender({name!r}, estimator)"


def _check_names(wanted: Sequence[str], known: Sequence[str], task: Task) -> None:
    allowed = ", ".join(known)
    if not wanted:
        raise RequestError(
            "no contender is named", where="--contenders", fix=f"name some of {allowed}, or all"
        )
    for name in wanted:
        if name in known:
            continue
        is_other = name in CONTENDERS
        raise RequestError(
            f"'{name}' is not for {task.kind}" if is_other else f"there is no contender {name!r:.60}",
            where=f"--contenders {','.join(wanted)}; the target is '{task.target}'",
            fix=f"use some of {allowed}, or all" if is_other else _instead(name, [*known, "all"]),
        )
