"""The work behind a curve: one contender over the open rows of a study, under given folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from heldout.arrays import Rows
from heldout.errors import HeldoutError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.contender import Contender
from heldout.plan.plan import Plan
from heldout.plan.plan_checks import checked_metric
from heldout.plan.read_values import written_metric
from heldout.plan.resolved_plan import resolve_plan
from heldout.split.k_fold import KFold
from heldout.study.cells.chosen_on import Chosen, chosen_on
from heldout.study.cells.fit_contender import fit_recipe
from heldout.study.cells.guarded_fit import Notes, record_warnings
from heldout.study.cells.work import Work, work_of
from heldout.text.words import plural

if TYPE_CHECKING:
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
    """
    measure = None if metric is None else metric_named(metric)
    plan = Plan(
        (contender,),
        folds=folds,
        tuning=KFold(5) if tuning is None else tuning,
        metrics=() if measure is None else (measure,),
        choose_by=measure,
    )
    return work_of(task, resolve_plan(plan, task, seed))


def metric_record(metric: Metric | str | None) -> Any:
    """What a request says of the metric: all that makes it another one, also the code of one's own."""
    return None if metric is None else written_metric(checked_metric(metric))


def n_repeats(folds: Sequence[Fold]) -> int:
    """How often the folds were made anew, whatever was asked for."""
    return 1 + max(fold.repeat for fold in folds)


class CurveNotes:
    """What happened on the way, each thing once, with in how many folds.

    n_folds: of the curve
    """

    def __init__(self, n_folds: int) -> None:
        self.n_folds = n_folds
        self._counts: dict[str, int] = {}

    def add(self, note: str) -> None:
        """Something that happened in one fold."""
        words = note.rstrip(".")
        self._counts[words] = self._counts.get(words, 0) + 1

    @property
    def sentences(self) -> tuple[str, ...]:
        """In the order in which they came."""
        return tuple(
            f"{words} ({count} of {plural(self.n_folds, 'fold')})." for words, count in self._counts.items()
        )


def chosen_on_few(work: Work, contender: Contender, rows: Rows, notes: CurveNotes, where: str) -> Chosen:
    """Tune and fit on some rows; where a setting fails, among those that do not.

    A hundred neighbors cannot be asked for among fifty rows, and whoever had fifty would not ask.

    notes: get how many settings were left out
    where: begins the note
    """
    try:
        return chosen_on(work, contender, rows)
    except HeldoutError:
        able = able_settings(work, contender, rows)
        if not 0 < len(able) < contender.n_settings:
            raise
    n_left_out = contender.n_settings - len(able)
    notes.add(f"{where} {plural(n_left_out, 'setting')} of {contender.n_settings} could not be fitted")
    fewer = Contender(
        contender.name, contender.learner, able, contender.prepare, contender.resample, contender.choose
    )
    return chosen_on(work, fewer, rows)


def able_settings(work: Work, contender: Contender, rows: Rows) -> list[dict[str, Any]]:
    """The settings that can be fitted, and asked, on the smallest of the inner folds."""
    recipe = work.recipe_of(contender)
    smallest = min(work.inner_folds(rows), key=lambda fold: len(fold.train))
    part, judged = work.part(smallest.train), work.part(smallest.judged)
    able = []
    for index, setting in enumerate(recipe.settings):
        try:
            with record_warnings(Notes()):
                fit_recipe(recipe, index, part).predict(judged.X)
        except MemoryError:
            raise
        except Exception:  # a learner may raise anything; what is left out is counted and said
            continue
        able.append(dict(setting))
    return able
