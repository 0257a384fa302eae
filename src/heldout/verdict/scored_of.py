"""Answers of a contender, made ready to be scored under counts of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.metrics.metric import Metric
from heldout.verdict.answers import Answers
from heldout.verdict.called_score import CalledScore
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import MetricAnswers, answers_for, base_name
from heldout.verdict.ranked_score import ranked_score
from heldout.verdict.scored import Scored, SummedScore
from heldout.verdict.summed_parts import summed_parts


def scored_of(metric: Metric, answers: Answers, rows: JudgedRows) -> Scored:
    """The quickest way to score these answers.

    metric:  of rows, not of a model
    answers: out of fold
    rows:    that are judged, with the folds that tested them

    >>> from heldout.metrics.metric_registry import metric_named
    >>> rows = JudgedRows(np.array(["a", "b", "b"]), np.array([[0, 1, 0]]), classes=("a", "b"))
    >>> found = scored_of(metric_named("accuracy"), Answers(labels=np.array([[0, 1, 0]])), rows)
    >>> found.means(np.ones((1, 3))).round(3).tolist()
    [0.667]
    """
    given = tuple(answers_for(metric, answers, rows, repeat) for repeat in range(rows.n_repeats))
    if base_name(metric) == "auc" and given[0].answers.ndim == 1:
        return _ranked(metric, given, rows)
    summed = [_summed(metric, each, rows, repeat) for repeat, each in enumerate(given)]
    first = summed[0]
    if first is None or any(each is None for each in summed):
        return CalledScore(metric, rows, given)
    return SummedScore(tuple(each[0] for each in summed if each is not None), first[1])


def _ranked(metric: Metric, given: tuple[MetricAnswers, ...], rows: JudgedRows) -> Scored:
    wanted = dict(metric.options).get("positive", given[0].options.get("positive"))
    if wanted is None:
        wanted = max(rows.classes)
    lines = [np.asarray(each.answers, dtype=np.float64) for each in given]
    weights = None if rows.weights is None else rows.row_weights
    return ranked_score(lines, np.asarray(rows.y == wanted), weights, rows.is_tested)


def _summed(metric: Metric, given: MetricAnswers, rows: JudgedRows, repeat: int) -> Any:
    """The parts of one repeat, weighted, with nothing for rows that were not tested."""
    is_tested = rows.is_tested[repeat]
    found = summed_parts(metric, rows.y, given)
    if found is None:
        return None
    parts, value = found
    weighed = np.where(is_tested[:, np.newaxis], parts * rows.row_weights[:, np.newaxis], 0.0)
    return weighed, value
