"""Scores of all settings at once are the bits of the metric, one setting after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.metrics.metric_registry import metric_named
from heldout.metrics.operating_point import best_index
from heldout.study.cells.tune import mean_scores

LABELS = (np.array(["no", "so so", "yes"]), np.array([3, 7, 9]), np.array([False, True, True]))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.integers(0, 2), st.integers(1, 60), st.integers(1, 5), st.integers(0, 10**6))
def test_counted_metrics_are_those_of_the_metric(kind: int, n_rows: int, n_settings: int, seed: int) -> None:
    """Accuracy, error and balanced accuracy of words, numbers and booleans, to the last bit."""
    draws = np.random.default_rng(seed)
    y = LABELS[kind][draws.integers(0, 1 + draws.integers(0, 3), n_rows)]
    answers = LABELS[kind][draws.integers(0, 3, (n_settings, n_rows))]
    for name in ("accuracy", "error", "balanced_accuracy"):
        assert _bits(name, y, answers) == _bits_one_by_one(name, y, answers)


@given(st.integers(1, 40), st.integers(1, 4), st.data())
def test_errors_of_numbers_are_those_of_the_metric(n_rows: int, n_settings: int, data: Any) -> None:
    """Squared and absolute errors of numbers of any size, to the last bit, or left to the metric."""
    numbers = st.lists(FLOATS, min_size=n_rows, max_size=n_rows)
    y = np.array(data.draw(numbers))
    answers = np.array([data.draw(numbers) for _ in range(n_settings)])
    is_huge = max(np.abs(y).max(), np.abs(answers).max()) >= 1e300
    for name in ("mse", "rmse", "mae"):
        found = _bits(name, y, answers)
        assert found == _bits_one_by_one(name, y, answers) if found is not None else is_huge


def test_many_rows_are_added_in_the_order_of_the_metric() -> None:
    """Sums over more rows than any block of NumPy's are the same too."""
    draws = np.random.default_rng(3)
    y, answers = draws.standard_normal(20_011), draws.standard_normal((3, 20_011))
    for name in ("mse", "rmse", "mae"):
        assert _bits(name, y, answers) == _bits_one_by_one(name, y, answers)
    y, answers = draws.integers(0, 30, 20_011), draws.integers(0, 30, (3, 20_011))
    assert _bits("balanced_accuracy", y, answers) == _bits_one_by_one("balanced_accuracy", y, answers)


def test_what_is_not_plain_is_left_to_the_metric() -> None:
    """Options, labels of several kinds, gaps and other metrics have no shortcut."""
    y, answers = np.array([0, 1]), np.array([[0, 1]])
    assert metric_named("f1").settings_scores(y, answers) is None
    assert metric_named("accuracy").settings_scores(y.astype(object), answers) is None
    assert metric_named("accuracy").settings_scores(y, answers.astype(float)) is None
    assert metric_named("mse").settings_scores(y, np.array([[0.5, np.nan]])) is None
    assert metric_named("mse").settings_scores(y, np.array([[0.5, np.inf]])) is None
    assert metric_named("mse").using("own", weights=None).settings_scores(y, answers * 1.0) is None
    assert not metric_named("accuracy").using("own", weights=None).family.compares_labels


@pytest.mark.parametrize(
    ("name", "scores", "place"),
    [
        ("accuracy", [0.1, 0.7, 0.7], 1),
        ("mse", [0.1, 0.7, 0.1], 0),
        ("accuracy", [np.nan, -np.inf, np.nan], 1),
        ("log_loss", [np.nan, np.inf, 2.0], 2),
        ("accuracy", [np.nan, np.nan], 0),
    ],
)
def test_the_first_best_wins(name: str, scores: list[float], place: int) -> None:
    """Ties go to the first; no score loses against any, even an infinite one."""
    assert best_index(np.array(scores), metric_named(name)) == place


def test_one_fold_without_a_score_leaves_the_setting_without_one() -> None:
    """A mean over folds of which one is NaN, or of which two are opposite infinities, is NaN."""
    means = mean_scores(np.array([[1.0, 0.5], [np.nan, 1.0], [np.inf, -np.inf]]))
    assert means[0] == 0.75
    assert np.isnan(means[1:]).all()


def _bits(name: str, y: Any, answers: Any) -> bytes | None:
    """The scores of all settings at once; None where they are left to the metric."""
    found = metric_named(name).settings_scores(y, answers)
    return None if found is None else found.tobytes()


def _bits_one_by_one(name: str, y: Any, answers: Any) -> bytes:
    metric = metric_named(name)
    return np.array([metric(y, each) for each in answers]).tobytes()
