"""Answers in the form that a metric takes them, with what else it wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.verdict.answers import Answers
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.level_guesses import level_guesses


@dataclass(frozen=True, eq=False)
class MetricAnswers:
    """What one repeat answered, for rows that were tested.

    answers: labels, numbers, or a table with a column per class; one line per row of the table
    options: what the metric is told besides: labels, positive
    """

    answers: NDArray[Any]
    options: dict[str, Any]


def answers_for(metric: Metric, answers: Answers, rows: JudgedRows, repeat: int) -> MetricAnswers:
    """The answers of one repeat; those of rows that were not tested mean nothing.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.array(["a", "b"]), np.array([[0, 1]]), classes=("a", "b"), positive="b")
    >>> found = answers_for(metric_named("f1"), Answers(labels=np.array([[1, 1]])), rows, 0)
    >>> found.answers.tolist(), found.options
    (['b', 'b'], {'positive': 'b', 'labels': ['a', 'b']})
    """
    if metric.needs == "values":
        return MetricAnswers(_given(answers.values, metric, "values")[repeat], {})
    classes = list(rows.classes)
    known: dict[str, Any] = {} if rows.positive is None else {"positive": rows.positive}
    if metric.needs == "labels":
        codes = np.asarray(_given(answers.labels, metric, "labels")[repeat], dtype=np.intp)
        names = np.asarray(classes)[np.maximum(codes, 0)]
        return MetricAnswers(
            names, _taken(metric, known | ({"labels": classes} if len(classes) == 2 else {}))
        )
    if metric.needs == "scores" and len(classes) == 2:
        wanted = classes[1] if rows.positive is None else rows.positive
        if answers.scores is not None:
            line = answers.scores[repeat]
        else:
            line = _given(answers.probabilities, metric, "probabilities")[repeat][:, classes.index(wanted)]
        leveled = level_guesses(line, rows.folds[repeat], rows.y)
        return MetricAnswers(leveled, _taken(metric, {"positive": wanted}))
    table = _given(answers.probabilities, metric, "probabilities")[repeat]
    if metric.needs == "scores":
        table = level_guesses(table, rows.folds[repeat], rows.y)
    return MetricAnswers(table, _taken(metric, known | {"labels": classes}))


def base_name(metric: Metric) -> str:
    """The name of the built-in metric whose function this one uses; empty for others.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> base_name(metric_named("f1").using(positive="yes"))
    'f1'
    """
    names = [each.name for each in BUILT_IN if each.function == metric.function]
    return metric.name if metric.name in names else (names[0] if names else "")


def is_plain(metric: Metric) -> bool:
    """Whether nothing but the class to spot was set.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> is_plain(metric_named("f1")), is_plain(metric_named("f1").using(average="macro"))
    (True, False)
    """
    return set(dict(metric.options)) <= {"positive"}


def _taken(metric: Metric, known: dict[str, Any]) -> dict[str, Any]:
    """What the metric takes and was not set; an average is over the classes that occur."""
    is_average = dict(metric.options).get("average") is not None
    left = {
        name: value
        for name, value in known.items()
        if metric.takes(name) and not (is_average and name == "labels")
    }
    return {name: value for name, value in left.items() if name not in dict(metric.options)}


def _given(array: NDArray[Any] | None, metric: Metric, name: str) -> NDArray[Any]:
    if array is None:
        raise DataError(
            f"the metric {metric.name!r} needs {name}, and none were kept",
            where=f"out-of-fold answers without {name}",
            fix="use a learner that gives them, or another metric",
        )
    return array
