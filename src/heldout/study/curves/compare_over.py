"""Two learners over many data sets: the same folds for both, a scatter plot, and a test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout import datasets as embedded
from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.contender import Contender
from heldout.plan.plan import Plan
from heldout.plan.resolved_plan import resolve_plan
from heldout.report.method_lines import split_words
from heldout.split.k_fold import KFold
from heldout.stats.interval import Result
from heldout.stats.over_data_sets import OverDataSets, over_data_sets
from heldout.study.cells.cell import cell_key, run_cell
from heldout.study.cells.work import Work, work_of
from heldout.table.table import Table
from heldout.table.task import Task

if TYPE_CHECKING:
    from heldout.split.split import Split


@dataclass(frozen=True)
class DataSetScores:
    """What the two learners scored on one data set.

    name:             of the data set
    n_rows:           how many rows it has
    score_a, score_b: the means over its folds
    folds_a, folds_b: the score of each fold; NaN where it has none
    notes:            what was noticed on the way
    """

    name: str
    n_rows: int
    score_a: float
    score_b: float
    folds_a: tuple[float, ...]
    folds_b: tuple[float, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparedOver(Result):
    """Two learners over many data sets, with what they scored on each.

    found:     who wins where, Wilcoxon's signed ranks and the sign test
    data_sets: the scores on each data set
    metric:    by which they are compared
    folds:     how each data set was split, in words
    failures:  data sets on which one of them failed: name and reason; they are in no test
    """

    found: OverDataSets
    data_sets: tuple[DataSetScores, ...]
    metric: str
    folds: str
    failures: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        sentences = [str(self.found), f"Each score is a mean over {self.folds}."]
        if self.failures:
            left_out = ", ".join(f"{name} ({reason})" for name, reason in self.failures)
            sentences.append(f"Left out of the tests: {left_out}.")
        return " ".join(sentences)

    def to_svg(self) -> str:
        """A point per data set over both scores, and the diagonal on which the two are equal."""
        return self.found.to_svg()


def compare_over(
    datasets: Any,
    a: Any,
    b: Any,
    folds: Split | None = None,
    tuning: Split | None = None,
    metric: Metric | str | None = None,
    names: tuple[str, str] | None = None,
    seed: int = 0,
) -> ComparedOver:
    """Compare two learners over many data sets, each counted once (Demšar 2006).

    On every data set both get the same folds; preparation and tuning happen inside them. A data set on which
    one of the two fails is left out of the tests, and the result says which and why.

    Parameters
    ----------
    datasets
        names of embedded tables, Tasks, pairs of a Table and the name of its target, or pairs of a name
        and a Task; a dict of names works too
    a, b
        learners or Contenders, of which `space` is tuned
    folds
        of every data set; left out, KFold(10)
    tuning
        inside every training part; left out, KFold(5)
    metric
        left out, accuracy, or R² for regressions: an error in the unit of its target could not be
        compared between data sets
    names
        of the two; left out, those of the Contenders or of the classes
    seed
        of all folds

    Examples
    --------
    >>> import heldout as ho
    >>> tree, guess = ho.TreeClassifier(), ho.BaselineClassifier()
    >>> compared = compare_over(["play_tennis", "penguins"], tree, guess, folds=ho.KFold(3))
    >>> [scores.name for scores in compared.data_sets], compared.found.wins
    (['play_tennis', 'penguins'], 1)
    """
    pair = _pair(a, b, names)
    tasks = named_tasks(datasets)
    measure = _metric(tasks, metric)
    split = KFold(10) if folds is None else folds
    done: list[DataSetScores] = []
    failures: list[tuple[str, str]] = []
    first_error: HeldoutError | None = None
    for named in tasks:
        try:
            done.append(_scores(named, pair, split, KFold(5) if tuning is None else tuning, measure, seed))
        except HeldoutError as error:
            first_error = first_error or error
            failures.append((named.name, error.what))
    if not done and first_error is not None:
        raise first_error
    return ComparedOver(
        over_data_sets(
            [scores.score_a for scores in done],
            [scores.score_b for scores in done],
            [scores.name for scores in done],
            names=(pair[0].name, pair[1].name),
            is_larger_better=measure.is_larger_better,
            what=measure.name,
        ),
        tuple(done),
        measure.name,
        split_words(split.to_dict()),
        tuple(failures),
    )


def _pair(a: Any, b: Any, names: tuple[str, str] | None) -> tuple[Contender, Contender]:
    called = names or _names(a, b)
    if len(called) != 2 or called[0] == called[1]:
        raise RequestError(
            "the two learners need different names",
            where=f"names={called!r:.60}",
            fix='say which is which: names=("deep tree", "shallow tree")',
        )
    first, second = (_called(each, name) for each, name in zip((a, b), called, strict=True))
    return first, second


def _names(a: Any, b: Any) -> tuple[str, str]:
    first, second = (each.name if isinstance(each, Contender) else type(each).__name__ for each in (a, b))
    return (first, second) if first != second else (f"{first} (first)", f"{second} (second)")


def _called(learner: Any, name: str) -> Contender:
    if not isinstance(learner, Contender):
        return Contender(name, learner)
    return Contender(name, learner.learner, learner.space, learner.prepare, learner.resample, learner.choose)


def _metric(tasks: Sequence[NamedTask], metric: Metric | str | None) -> Metric:
    kinds = {named.task.kind for named in tasks}
    if len(kinds) > 1:
        other = next(named for named in tasks if named.task.kind != tasks[0].task.kind)
        raise RequestError(
            "classifications and regressions cannot be compared by one measure",
            where=f"{tasks[0].name} is a {tasks[0].task.kind}, {other.name} a {other.task.kind}",
            fix="compare over the data sets of one kind",
        )
    if metric is not None:
        return metric_named(metric)
    return metric_named("accuracy" if kinds == {"classification"} else "r2")


def _scores(
    named: NamedTask,
    pair: tuple[Contender, Contender],
    folds: Split,
    tuning: Split,
    metric: Metric,
    seed: int,
) -> DataSetScores:
    """Both contenders on all folds of a data set."""
    plan = Plan(pair, folds=folds, tuning=tuning, metrics=(metric,), choose_by=metric)
    work = work_of(named.task, resolve_plan(plan, named.task, seed))
    notes: dict[str, None] = {}
    scores = [_fold_scores(work, contender, metric, notes) for contender in pair]
    # A fold in which one of the two has no score speaks of neither.
    is_known = ~np.isnan(scores).any(axis=0)
    means = [
        _mean(found[is_known], each.name, metric) for found, each in zip(np.array(scores), pair, strict=True)
    ]
    return DataSetScores(
        named.name, named.task.n_rows, means[0], means[1], tuple(scores[0]), tuple(scores[1]), tuple(notes)
    )


def _fold_scores(work: Work, contender: Contender, metric: Metric, notes: dict[str, None]) -> list[float]:
    found = []
    for fold in work.folds:
        result = run_cell(work, cell_key(work, contender.digest, fold))
        found.append(float(result.scores[metric.name]))
        notes |= dict.fromkeys(f"{contender.name}: {note}" for note in result.notes)
    return found


def _mean(scores: NDArray[np.float64], name: str, metric: Metric) -> float:
    if len(scores) and np.isfinite(scores).all():
        return float(scores.mean())
    raise RequestError(
        f"{name} has an infinite {metric.name}" if len(scores) else f"no fold has a {metric.name} of both",
        where=f"metric {metric.name!r}",
        fix="compare by a metric that both learners have, and that is finite, such as accuracy or r2",
    )


@dataclass(frozen=True, eq=False)
class NamedTask:
    """A Task under the name of its data set."""

    name: str
    task: Task


def named_tasks(given: Any) -> tuple[NamedTask, ...]:
    """The data sets in order, each with a name of its own.

    given: a list or a dict; an entry is the name of an embedded table, a Task, (Table, target), or
           (name, any of these)
    """
    if isinstance(given, Mapping):
        listed = [(str(name), entry) for name, entry in given.items()]
    elif isinstance(given, Iterable) and not isinstance(given, str | bytes | Table):
        listed = [_with_name(entry, number) for number, entry in enumerate(given, 1)]
    else:
        raise _refusal(given, "datasets")
    if not listed:
        raise RequestError(
            "there is no data set to compare on",
            where="datasets is empty",
            fix="give names of embedded tables (ho.datasets.names()), or Tasks",
        )
    counts = Counter(name for name, _ in listed)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise RequestError(
            "a data set counts once, so each needs a name of its own",
            where=f"{twice[0]!r} is there {counts[twice[0]]} times",
            fix="leave one out, or name them: datasets={'first': …, 'second': …}",
        )
    return tuple(NamedTask(name, _task(entry, name)) for name, entry in listed)


def _with_name(entry: Any, number: int) -> tuple[str, Any]:
    if isinstance(entry, str):
        return entry, entry
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], str):
        return entry[0], entry[1]
    return f"data set {number}", entry


def _task(entry: Any, name: str) -> Task:
    if isinstance(entry, Task):
        return entry
    if isinstance(entry, str):
        about = embedded.describe(entry)
        return Task(embedded.load(entry), about.target, groups=about.groups or None)
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], Table):
        return Task(entry[0], entry[1])
    raise _refusal(entry, name)


def _refusal(entry: Any, name: str) -> InputTypeError:
    return InputTypeError(
        "a data set is the name of an embedded table, a Task, or a Table with the name of its target",
        where=f"{name} is a {type(entry).__name__}",
        fix="make a Task: ho.Task(table, target=…), or give (table, 'target')",
    )
