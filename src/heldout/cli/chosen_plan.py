"""The plan that the options of a command line stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heldout.cli.read_file import names_in
from heldout.cli.run import CONTENDERS
from heldout.errors import RequestError

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.plan.contender import Contender
    from heldout.plan.plan import Plan
    from heldout.table.task import Task

_USUAL = {"quick": (5, 1), "standard": (10, 3), "thorough": (10, 10)}


def chosen_plan(
    task: Task,
    contenders: str = "all",
    metric: str | None = None,
    rigor: str = "standard",
    folds: int | None = None,
    repeats: int | None = None,
) -> Plan:
    """Contenders by name, folds by number; what is left out is what a plan has by itself.

    task:       of the open rows
    contenders: names with commas between them, or "all"
    metric:     the name of what is chosen by
    rigor:      "quick", "standard" or "thorough"
    folds:      how many; of a quick plan those of the tuning
    repeats:    how often rows are dealt anew
    """
    from heldout.plan.plan import Plan
    from heldout.split.k_fold import KFold

    named = named_contenders(task, contenders, metric)
    k, times = number_of_folds(rigor, folds, repeats)
    dealt = {"tuning" if rigor == "quick" else "folds": KFold(k, repeats=times)}
    choices: dict[str, Any] = {"choose_by": metric, "rigor": rigor, **dealt}
    return Plan(named, **choices)


def check_choices(task: Task, contenders: str, metric: str | None) -> None:
    """Refuse contenders and metrics that this task or each other cannot have, before anything is made.

    task:       of all rows; of them nothing is shown
    contenders: names with commas between them, or "all"
    metric:     the name of what is chosen by
    """
    from heldout.plan.task_fit import check_contender

    named_contenders(task, contenders)
    if metric is not None:
        measured = _measured(task, metric)
        for contender in named_contenders(task, contenders, metric):
            check_contender(contender, task, measured)


def without_answers(task: Task, metric: str | None) -> list[str]:
    """The usual contenders that a metric cannot judge, because they give no probabilities or scores.

    metric: its name; None judges everyone
    """
    from heldout.plan.default_contenders import default_contenders
    from heldout.plan.task_fit import lacks_answers

    if metric is None:
        return []
    measured = _measured(task, metric)
    return [each.name for each in default_contenders(task) if lacks_answers(each, measured, task)]


def _measured(task: Task, metric: str) -> Metric:
    from heldout.plan.plan_checks import checked_metric
    from heldout.plan.task_metrics import metric_for

    return metric_for(checked_metric(metric), task)


def number_of_folds(rigor: str, folds: int | None, repeats: int | None) -> tuple[int, int]:
    """How many folds, how often."""
    usual = _USUAL[rigor]
    return (usual[0] if folds is None else folds, usual[1] if repeats is None else repeats)


def named_contenders(task: Task, names: str, metric: str | None = None) -> tuple[Contender, ...]:
    """The contenders of these names, in the order in which they always stand.

    task:   what they are for
    names:  with commas between them, or "all"
    metric: the name of what is chosen by; "all" are those whom it can judge
    """
    from heldout.plan.default_contenders import default_contenders

    usual = default_contenders(task)
    known = {contender.name: contender for contender in usual}
    if task.kind == "regression":
        known["linear"] = _linear()
    wanted = names_in([names])
    if "all" in wanted:
        silent = without_answers(task, metric)
        judged = [contender.name for contender in usual if contender.name not in silent]
        wanted = [*judged, *(name for name in wanted if name != "all")]
    _check(wanted, list(known), task)
    return tuple(contender for name, contender in known.items() if name in wanted)


def _linear() -> Contender:
    from heldout.learners.linear_regressor import LinearRegressor
    from heldout.plan.contender import Contender

    return Contender("linear", LinearRegressor())


def _instead(name: str, known: Sequence[str]) -> str:
    """What may have been meant; of a learner from elsewhere, how it can compete all the same."""
    from heldout.text.words import suggestion

    near = suggestion(name, known)
    if near.startswith("did you mean"):
        return near
    listed = f"use some of {', '.join(known)}"
    return f"{listed}; in Python any scikit-learn estimator can compete: ho.Contender({name!r}, estimator)"


def _check(wanted: Sequence[str], known: Sequence[str], task: Task) -> None:
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
