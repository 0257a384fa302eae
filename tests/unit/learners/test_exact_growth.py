"""The core against the slow grower: no split is better than the one it took."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heldout.native import GrowOptions, grow_tree

from .judge import Case, agrees_with, is_best_everywhere, reference_problem
from .reference_tree import all_subsets, gain_of, grow_reference, level_set_split

CRITERIA = ("gain_ratio", "entropy", "gini", "error")


@st.composite
def numbers(draw, n_rows):
    values = st.sampled_from([-2.5, 0.0, 0.1, 1.0, 3.0, 1e6])
    return False, draw(st.lists(st.none() | values | values, min_size=n_rows, max_size=n_rows))


@st.composite
def categories(draw, n_rows):
    values = st.integers(0, 3)
    return True, draw(st.lists(st.none() | values | values, min_size=n_rows, max_size=n_rows))


@st.composite
def cases(draw, is_regression=False, n_classes=None, with_gaps=True):
    n_rows = draw(st.integers(2, 12))
    columns = draw(st.lists(numbers(n_rows) | categories(n_rows), min_size=1, max_size=3))
    if not with_gaps:
        columns = [
            (is_category, [0 if value is None else value for value in values])
            for is_category, values in columns
        ]
    classes = 0 if is_regression else n_classes or draw(st.integers(2, 3))
    answer = st.sampled_from([-1.0, 0.0, 0.5, 2.0, 7.0]) if is_regression else st.integers(0, classes - 1)
    answers = draw(st.lists(answer, min_size=n_rows, max_size=n_rows))
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n_rows, max_size=n_rows))
    return Case(columns, answers, classes, weights)


@st.composite
def options(draw, criteria=CRITERIA):
    return GrowOptions(
        criterion=draw(st.sampled_from(criteria)),
        categorical_splits=draw(st.sampled_from(["multiway", "subset", "one_vs_rest"])),
        average_gain=draw(st.booleans()),
        max_depth=draw(st.sampled_from([-1, -1, 1, 2])),
        min_leaf=draw(st.sampled_from([0.5, 1.0, 2.0])),
        min_gain=draw(st.sampled_from([0.0, 0.0, 0.05, -np.inf])),
    )


@pytest.mark.slow
@given(cases(), options())
@settings(max_examples=400)
def test_classification_trees_are_the_best_everywhere(case, chosen):
    """In every node no split on any column is better, and the reported numbers are right."""
    grown = case.grow(chosen)
    assert is_best_everywhere(reference_problem(case, chosen), grown) == ""


@pytest.mark.slow
@given(cases(is_regression=True), options(("squared_error",)))
@settings(max_examples=200)
def test_regression_trees_are_the_best_everywhere(case, chosen):
    """The same for the reduction of variance."""
    grown = case.grow(chosen)
    assert is_best_everywhere(reference_problem(case, chosen), grown) == ""


@pytest.mark.slow
@given(cases() | cases(is_regression=True), st.data())
@settings(max_examples=300)
def test_the_whole_tree_is_the_slow_growers_where_the_best_split_is_unique(case, data):
    """Structure, thresholds, sets, defaults and counts are equal, node by node."""
    chosen = data.draw(options(CRITERIA if case.n_classes else ("squared_error",)))
    nodes, is_unique = grow_reference(reference_problem(case, chosen))
    assume(is_unique)
    assert agrees_with(nodes, reference_problem(case, chosen), case.grow(chosen)) == ""


@pytest.mark.slow
@given(cases(n_classes=2, with_gaps=False) | cases(is_regression=True, with_gaps=False), st.data())
@settings(max_examples=200)
def test_no_group_of_levels_is_better(case, data):
    """With two classes or a number to predict, the best subset is the best of all subsets."""
    criterion = data.draw(st.sampled_from(CRITERIA[1:])) if case.n_classes else "squared_error"
    chosen = GrowOptions(criterion=criterion, categorical_splits="subset", max_depth=1, min_leaf=0.5)
    problem = reference_problem(case, chosen)
    rows = list(range(len(case.answers)))
    for feature, (is_category, values) in enumerate(case.columns):
        levels = sorted(set(problem.columns[feature]))
        if not is_category or len(levels) < 2 or len(set(case.answers)) < 2:
            continue
        best = max(
            float(gain_of(problem, rows, level_set_split(problem, rows, feature, group).children))
            for group in all_subsets(levels)
        )
        alone = Case([(True, values)], case.answers, case.n_classes, case.weights)
        assert alone.grow(chosen).gain[0] == pytest.approx(best, abs=1e-9)


@pytest.mark.slow
@given(cases(), st.sampled_from(["tan_schlimmer", "nunez"]), st.sampled_from(CRITERIA[1:]))
def test_costs_are_weighed_as_published(case, rule, criterion):
    """Gain squared over cost, or 2^gain - 1 over a power of the cost, decides between columns."""
    costs = np.array([1.0, 4.0, 0.5])[: len(case.columns)]
    chosen = GrowOptions(
        criterion=criterion, min_gain=0.0, costs=costs, cost_rule=rule, cost_exponent=0.5, max_depth=2
    )
    nodes, is_unique = grow_reference(reference_problem(case, chosen))
    assume(is_unique)
    assert agrees_with(nodes, reference_problem(case, chosen), case.grow(chosen)) == ""


def test_rows_choose_from_a_larger_table():
    """Positions of rows give the tree of a table that has only these rows."""
    draw = np.random.default_rng(0)
    whole = Case(
        [
            (False, draw.integers(0, 30, 200).astype(float).tolist()),
            (True, draw.integers(0, 4, 200).tolist()),
        ],
        draw.integers(0, 3, 200).tolist(),
        3,
        None,
    )
    chosen = GrowOptions(criterion="gini", categorical_splits="subset", min_gain=0.0)
    rows = draw.choice(200, 120, replace=False).astype(np.uint32)
    classes = np.array(whole.answers, dtype=np.uint32)[rows]
    found = grow_tree(whole.coded(), rows, classes, 3, None, None, chosen)
    part = Case(
        [(is_category, [values[row] for row in rows]) for is_category, values in whole.columns],
        classes.tolist(),
        3,
        None,
    )
    expected = part.grow(chosen)
    assert np.array_equal(found.feature, expected.feature)
    assert np.array_equal(found.threshold, expected.threshold, equal_nan=True)
    assert np.array_equal(found.value, expected.value)
