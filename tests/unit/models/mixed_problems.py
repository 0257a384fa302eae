"""Random tables of every kind of column with hostile names, and trees grown from them."""

from __future__ import annotations

import dataclasses
import datetime
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from heldout import Column, Table, TreeClassifier, TreeRegressor
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.table.column import category_column

from .reference_predictions import Row, number_of

NUMBERS = [-1e300, -2.5, -0.0, 0.0, 0.1, 0.2, 0.1 + 0.2, 1 / 3, 7.0, 7.000000000000001, 2.0**53 + 2, 5e-324]
WORDS = ["Ulm", "ulm", "Köln", "it's", 'a "b"', "x;--", "", " ", "NULL", "7", "é\nb", "True", "𝔘"]
MOMENTS = [datetime.datetime(2020, 2, 28) + datetime.timedelta(hours=7 * k, microseconds=k) for k in range(9)]
MOMENTS += [datetime.datetime(1066, 10, 14), datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)]
SIZES = [1.0, 1.5, 2.0, 3.0, 1e17]
NAMES = ['a "quoted" name', "select", "semi;colon'--", "Größe", "new\nline", " ", "t", "x.y"]
KINDS = {"number": NUMBERS, "word": WORDS, "boolean": [False, True], "date": MOMENTS, "size": SIZES}


@dataclass(frozen=True)
class Problem:
    """Kinds by name, training rows with answers, and rows to be answered."""

    kinds: dict[str, str]
    rows: list[Row]
    targets: list[int]
    questions: list[Row]

    def table(self, rows: list[Row]) -> Table:
        return Table([_column(name, kind, [row[name] for row in rows]) for name, kind in self.kinds.items()])

    def as_categories(self) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind == "size"]


def _column(name: str, kind: str, values: list[Any]) -> Column:
    if kind == "word":
        return category_column(name, values)
    if kind == "boolean":
        codes = [-1 if value is None else int(value) for value in values]
        return Column(name, "boolean", np.array(codes, dtype=np.int32), ("false", "true"))
    numbers = [math.nan if value is None else number_of(value) for value in values]
    return Column(name, "date" if kind == "date" else "number", np.array(numbers))


@st.composite
def problems(draw: st.DrawFn, n_classes: int = 3) -> Problem:
    """Few columns and rows, with gaps; the questions have values that training never saw."""
    names = draw(st.permutations(NAMES))
    kinds = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=4))
    by_name = dict(zip(names, kinds, strict=False))
    seen = {name: draw(st.lists(st.sampled_from(KINDS[kind]), min_size=1)) for name, kind in by_name.items()}
    row = st.fixed_dictionaries({name: st.none() | st.sampled_from(seen[name]) for name in by_name})
    rows = draw(st.lists(row, min_size=6, max_size=25))
    targets = draw(st.lists(st.integers(0, n_classes - 1), min_size=len(rows), max_size=len(rows)))
    question = st.fixed_dictionaries(
        {name: st.none() | st.sampled_from(KINDS[kind]) for name, kind in by_name.items()}
    )
    return Problem(by_name, rows, targets, draw(st.lists(question, min_size=5, max_size=12)))


LABELS = {
    "text": ['it\'s "no"', "yes", "YES"],
    "numbers": [-3, 0, 12],
    "booleans": [False, True, True],
    "floats": [1.0, 2.0, 5.0],
}


@st.composite
def classifiers(draw: st.DrawFn) -> tuple[Problem, TreeClassifier]:
    """A classifier, whose missing values go one way, are filled, or are split."""
    problem = draw(problems())
    labels = LABELS[draw(st.sampled_from(list(LABELS)))]
    splits = draw(st.sampled_from(["multiway", "subset", "one_vs_rest"]))
    tree = TreeClassifier.cart(
        categorical_splits=splits,
        categorical=problem.as_categories(),
        missing="node_mode",
        prune=None,
        class_weight=draw(st.sampled_from([None, "balanced"])),
        smoothing=draw(st.sampled_from([0.0, 1.0])),
    )
    tree.fit(problem.table(problem.rows), [labels[target] for target in problem.targets])
    tree = draw(calibrated(tree))
    return with_thresholds_asked(problem, tree), changed_missing(draw, tree)


def calibrated(learner: Any) -> st.SearchStrategy[Any]:
    """A fitted tree or list of rules as it is, or with class factors."""
    n_classes = len(learner.classes_)
    factors = st.lists(st.sampled_from([0.01, 0.3, 0.8765, 1.0]), min_size=n_classes, max_size=n_classes)
    return factors.map(lambda given: learner._with_class_factors(np.array(given)))


@st.composite
def regressors(draw: st.DrawFn) -> tuple[Problem, TreeRegressor]:
    """A regressor, likewise."""
    problem = draw(problems())
    splits = draw(st.sampled_from(["multiway", "subset", "one_vs_rest"]))
    tree = TreeRegressor(
        categorical_splits=splits, min_leaf=1, categorical=problem.as_categories(), prune=None
    )
    tree.fit(problem.table(problem.rows), [target / 3 - 0.7 for target in problem.targets])
    return with_thresholds_asked(problem, tree), changed_missing(draw, tree)


def with_thresholds_asked(problem: Problem, tree: Any) -> Problem:
    """More questions: numbers that lie on a threshold, and right beside it."""
    grown, more = tree.tree_.grown, []
    for node in np.flatnonzero(grown.split_kind == 1)[:4]:
        column, cut = tree.inputs_.columns[grown.feature[node]], float(grown.threshold[node])
        if column.kind == "number":
            near = [math.nextafter(cut, -math.inf), cut, math.nextafter(cut, math.inf)]
            more += [{**problem.questions[0], column.name: value} for value in near]
    return dataclasses.replace(problem, questions=[*problem.questions, *more])


def changed_missing(draw: st.DrawFn, tree: Any) -> Any:
    """The tree as it is, with fills for some columns, with split rows, or with both."""
    if draw(st.booleans()):
        tree.tree_ = dataclasses.replace(tree.tree_, splits_unknown=True)
    fills = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    columns = [
        _filled(column) if is_filled else column
        for column, is_filled in zip(tree.inputs_.columns, fills, strict=False)
    ]
    tree.inputs_ = InputSchema(tuple(columns))
    return tree


def _filled(column: InputColumn) -> InputColumn:
    if not column.is_category:
        return dataclasses.replace(column, fill=0.25)
    return dataclasses.replace(column, fill=float(len(column.levels) - 1)) if column.levels else column
