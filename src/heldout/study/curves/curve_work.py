"""The work behind a curve: one contender over the open rows of a study, under given folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.plan import Plan
from heldout.plan.plan_checks import checked_metric
from heldout.plan.resolved_plan import resolved
from heldout.plan.written_metric import written_metric
from heldout.split.k_fold import KFold
from heldout.study.cells.work import Work, work_of

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.split.fold import Fold
    from heldout.split.split import Split
    from heldout.table.task import Task


def curve_work(
    task: Task,
    contender: Contender,
    folds: Split,
    metric: Metric | str | None,
    seed: int,
    tuning: Split | None = None,
) -> Work:
    """All that the curve of a contender needs.

    task:   over open rows
    folds:  of the rows
    metric: left out, the one that a plan would choose by
    seed:   of the study
    tuning: left out, KFold(5)

    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> work = curve_work(task, ho.Contender("tree", ho.TreeClassifier()), ho.KFold(3), None, seed=1)
    >>> len(work.folds), work.choose_by.name
    (3, 'accuracy')
    """
    measure = None if metric is None else metric_named(metric)
    plan = Plan(
        (contender,),
        folds=folds,
        tuning=KFold(5) if tuning is None else tuning,
        metrics=() if measure is None else (measure,),
        choose_by=measure,
    )
    return work_of(task, resolved(plan, task, seed))


def metric_record(metric: Metric | str | None) -> Any:
    """What a request says of the metric: all that makes it another one, also the code of one's own.

    >>> metric_record("f1"), metric_record(metric_named("f1")), metric_record(None)
    ('f1', 'f1', None)
    >>> metric_record(metric_named("f1").using("f", beta=2))
    {'metric': 'f1', 'name': 'f', 'options': {'beta': 2}}
    """
    return None if metric is None else written_metric(checked_metric(metric))


def n_repeats(folds: Sequence[Fold]) -> int:
    """How often the folds were made anew, whatever was asked for.

    >>> import numpy as np
    >>> from heldout.split.row_facts import RowFacts
    >>> n_repeats(KFold(2, repeats=3).folds(RowFacts(np.array([0, 1, 0, 1]), "classification")))
    3
    """
    return 1 + max(fold.repeat for fold in folds)
