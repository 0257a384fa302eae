"""The default preparation: what has to happen to a table before a learner can take it, and nothing more."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from heldout.errors import InputTypeError, RequestError
from heldout.features.bag_of_words import BagOfWords
from heldout.features.fill_missing import FillMissing
from heldout.features.one_hot import OneHot
from heldout.features.scale import Scale
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS
from heldout.table.table import Table
from heldout.table.task import Task
from heldout.types import Estimator

# A tree reads every word as a column of its own; of more it would hardly choose another.
WORDS_OF_A_TREE = 1000
NOTHING = ("nothing", "passthrough")


def prepare_for(learner: Estimator, task: Task | Table) -> Pipeline:
    """A Pipeline that makes the task's inputs what the learner takes.

    Learners that take categories and gaps as they are, as trees and forests do, get them so. For others gaps
    are filled, numbers and dates scaled, and categories and booleans made columns of 0 and 1. Texts become
    words for all of them but the baselines, which look at no column.

    Parameters
    ----------
    learner
        ours or any other of scikit-learn's protocol; what it takes is read from its tags. A search over
        parameters is prepared as the learner that it searches for
    task
        a Task, or a Table of inputs; only the kinds of its columns are looked at, at no row

    Examples
    --------
    >>> import heldout as ho
    >>> task = ho.Task(ho.datasets.load("penguins"), target="species")
    >>> ho.prepare_for(ho.NeighborsClassifier(), task)
    Pipeline(steps=[('fill', FillMissing()), ('scale', Scale()),
                    ('encode', OneHot())])
    >>> ho.prepare_for(ho.ForestClassifier(), task)
    Pipeline(steps=[('nothing', 'passthrough')])
    """
    kinds = set(_inputs(task).kinds.values())
    _refuse_identifiers(_inputs(task))
    learner = _searched(learner)
    if isinstance(learner, BaselineClassifier | BaselineRegressor):
        return Pipeline([NOTHING])
    takes = _input_tags(learner)
    words = _words_for(takes)
    steps: list[tuple[str, Any]] = []
    # scikit-learn's trees take gaps, but none in a sparse matrix.
    has_sparse_words = "text" in kinds and words.sparse
    if kinds - {"text"} and (has_sparse_words or not takes.allow_nan):
        steps.append(("fill", FillMissing()))
    if not takes.categorical:
        if kinds.intersection(NUMERIC_KINDS):
            steps.append(("scale", Scale()))
        if kinds.intersection(LEVEL_KINDS):
            # With all levels and an intercept the columns depend on each other, and least squares says so.
            steps.append(("encode", OneHot(drop_first=isinstance(_last(learner), LinearRegressor))))
    if "text" in kinds:
        steps.append(("words", words))
    return Pipeline(steps or [NOTHING])


def _searched(learner: Estimator) -> Any:
    """The learner whose parameters are searched, which gets X as the search is given it; else itself."""
    # By what all searches of scikit-learn have: to import them takes longer than the preparation.
    while hasattr(learner, "estimator") and hasattr(learner, "refit"):
        learner = learner.estimator
    return learner


def _last(learner: Estimator) -> Any:
    """The last step of a Pipeline; else the learner itself."""
    return learner.steps[-1][1] if isinstance(learner, Pipeline) and learner.steps else learner


def _words_for(takes: Any) -> BagOfWords:
    if takes.categorical:
        return BagOfWords(min_count=2, max_words=WORDS_OF_A_TREE, sparse=False)
    return BagOfWords(min_count=2, log=True, unit_length=True, sparse=takes.sparse)


def _inputs(task: object) -> Table:
    if isinstance(task, Task):
        return task.X
    if isinstance(task, Table):
        return task
    raise InputTypeError(
        "a preparation is made for a Task or a Table",
        where=f"prepare_for(learner, task), task is a {type(task).__name__}",
        fix="make one: ho.Task(ho.read_table(data), target=...)",
    )


def _input_tags(learner: Estimator) -> Any:
    if isinstance(learner, type) or not isinstance(learner, BaseEstimator):
        shown = learner.__name__ if isinstance(learner, type) else f"a {type(learner).__name__}"
        raise InputTypeError(
            "a preparation is made for a learner of scikit-learn's protocol",
            where=f"prepare_for(learner, task), learner is {shown}",
            fix=f"hand over {shown}()" if isinstance(learner, type) else "hand over an estimator",
        )
    return get_tags(learner).input_tags


def _refuse_identifiers(inputs: Table) -> None:
    names = [name for name, kind in inputs.kinds.items() if kind == "identifier"]
    if names:
        raise RequestError(
            "an identifier tells rows apart and says nothing about others",
            where=f"{len(names)} of {inputs.n_columns} columns, first '{names[0]}'",
            fix="hand over a Task, which leaves identifiers out, or drop them with table.drop",
        )
