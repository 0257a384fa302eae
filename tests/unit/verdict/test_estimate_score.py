"""Estimates are those of heldout.stats where it has one, and stay in range everywhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, mean_absolute_error, r2_score, recall_score

from heldout.errors import DataError
from heldout.metrics.metric_registry import METRICS, metric_named
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_interval import (
    cross_validated_f1,
    cross_validated_mse,
    cross_validated_rate,
)
from heldout.stats.rate_interval import wilson_ends
from heldout.verdict import JudgedRows, Predictions, estimate_score

from .made_rows import classified, folds_of, measured, predictions_of

EVERY = [each.name for each in METRICS.values() if each.needs in ("labels", "scores", "probabilities")]


def ends(found: object) -> list[float]:
    return [found.estimate, found.low, found.high]  # type: ignore[attr-defined]


@pytest.mark.parametrize("groups", [None, np.arange(60) % 12])
def test_what_stats_has_is_taken_from_there(groups: np.ndarray | None) -> None:
    """Accuracy, error, AUC and F1 have the intervals of heldout.stats, by rows and by groups."""
    rows = classified(groups=groups)
    answers = predictions_of(rows)
    names = np.array(rows.classes)[answers.labels]
    right = names == rows.y
    wanted = {
        "accuracy": cross_validated_rate(right, 5, groups=groups),
        "error": cross_validated_rate(~right, 5, groups=groups),
        "auc": cross_validated_auc(rows.y, answers.probabilities[:, :, 1], 5, "b", groups=groups),
        "f1": cross_validated_f1(rows.y, names, 5, "b", groups=groups),
    }
    for name, expected in wanted.items():
        found = estimate_score(metric_named(name), answers, rows)
        assert ends(found) == ends(expected)
        assert (found.n_rows, found.unit) == (expected.n_rows, expected.unit)
        assert found.what == name


@pytest.mark.parametrize("groups", [None, np.arange(60) % 12])
def test_losses_of_numbers_are_taken_from_there(groups: np.ndarray | None) -> None:
    """A mean squared error has the log interval, its root the roots of the ends, an absolute error too."""
    rows = measured(groups=groups)
    answers = predictions_of(rows)
    errors = answers.values - rows.y
    squares = ends(cross_validated_mse(errors**2, 5, groups=groups))
    assert ends(estimate_score(metric_named("mse"), answers, rows)) == squares
    np.testing.assert_allclose(ends(estimate_score(metric_named("rmse"), answers, rows)), np.sqrt(squares))
    absolute = ends(cross_validated_mse(np.abs(errors), 5, groups=groups))
    assert ends(estimate_score(metric_named("mae"), answers, rows)) == absolute
    assert absolute[0] == pytest.approx(
        np.mean([mean_absolute_error(rows.y, each) for each in answers.values])
    )


def test_recall_is_a_rate_among_the_positive_rows() -> None:
    """Recall has Wilson's interval for as many rows as are positive, divided by 1 + K/(K−1)."""
    rows = classified(n_repeats=1)
    answers = predictions_of(rows)
    names = np.array(rows.classes)[answers.labels[0]]
    found = estimate_score(metric_named("recall"), answers, rows)
    recall = recall_score(rows.y, names, pos_label="b")
    n_positive = (rows.y == "b").sum()
    np.testing.assert_allclose(ends(found), [recall, *wilson_ends(recall, n_positive / 2.25)])


def test_perfect_recall_of_few_rows_is_not_sure() -> None:
    """Three of three positives found leave an interval far below 1, however many negatives there are."""
    y = np.array(["b"] * 3 + ["a"] * 197)
    rows = JudgedRows(y, folds_of(200, 10, 1), classes=("a", "b"), positive="b")
    answers = Predictions(labels=(y == "b").astype(int)[np.newaxis])
    for name in ("recall", "precision", "f1"):
        found = estimate_score(metric_named(name), answers, rows)
        assert found.estimate == found.high == 1
        assert found.low < 0.45
    balanced = estimate_score(metric_named("balanced_accuracy"), answers, rows)
    assert balanced.estimate == 1
    assert 0.55 < balanced.low < 0.75


def test_balanced_accuracy_is_put_together_from_recalls() -> None:
    """Its estimate is scikit-learn's mean over repeats."""
    rows = classified(classes=("a", "b", "c"))
    answers = predictions_of(rows)
    names = np.array(rows.classes)[answers.labels]
    found = estimate_score(metric_named("balanced_accuracy"), answers, rows)
    wanted = np.mean([balanced_accuracy_score(rows.y, each) for each in names])
    assert found.estimate == pytest.approx(wanted)
    assert found.low < found.estimate < found.high
    assert "every class" in found.method


def test_r2_is_measured_by_leaving_out_rows() -> None:
    """R² has no formula of its own: its standard error is the jackknife's, as made by hand."""
    rows = measured(n_repeats=1)
    answers = predictions_of(rows)
    found = estimate_score(metric_named("r2"), answers, rows)
    y, predicted = rows.y, answers.values[0]
    assert found.estimate == pytest.approx(r2_score(y, predicted))
    without = [r2_score(np.delete(y, row), np.delete(predicted, row)) for row in range(60)]
    variance = 59 / 60 * np.sum((without - np.mean(without)) ** 2) * 2.25
    from scipy.stats import t

    half = t.ppf(0.975, 59) * math.sqrt(variance) / (1 - found.estimate)
    wanted = [1 - (1 - found.estimate) * math.exp(sign * half) for sign in (1, -1)]
    np.testing.assert_allclose([found.low, found.high], wanted)
    assert "log scale" in found.method


@pytest.mark.slow
@given(
    st.sampled_from(EVERY),
    st.sampled_from([("a", "b"), ("a", "b", "c")]),
    st.floats(0, 1),
    st.integers(0, 1000),
    st.sampled_from(["rows", "groups", "weights", "hold-out", "time"]),
)
def test_intervals_hold_their_estimate_and_stay_in_range(
    name: str, classes: tuple[str, ...], skill: float, seed: int, kind: str
) -> None:
    """Whatever the metric, the answers and the splits, low ≤ estimate ≤ high within the metric's range."""
    if len(classes) > 2 and name in (
        "precision",
        "recall",
        "sensitivity",
        "specificity",
        "npv",
        "f1",
        "pr_area",
    ):
        return
    if kind == "weights" and len(classes) > 2 and name == "auc":
        return  # refused by the metric itself
    metric = metric_named(name)
    n_rows = 40
    known: dict[str, object] = {}
    if kind == "groups":
        known["groups"] = np.arange(n_rows) % 10
    if kind == "weights":
        known["weights"] = np.random.default_rng(seed).gamma(1.0, size=n_rows) + 0.01
    if kind == "time":
        known["is_in_time"] = True
    rows = classified(n_rows, classes, n_repeats=1 if kind == "time" else 2, **known)
    if kind == "hold-out":
        rows = JudgedRows(
            rows.y,
            np.where(rows.folds < 2, 0, -1),
            classes=classes,
            positive=rows.positive,
            test_share=0.4,
        )
    found = estimate_score(metric, predictions_of(rows, skill, seed), rows)
    assert metric.lowest <= found.estimate <= metric.highest
    if not math.isnan(found.low):
        assert metric.lowest <= found.low <= found.estimate + 1e-12
        assert found.estimate - 1e-12 <= found.high <= metric.highest
    assert found.unit == {"groups": "group", "time": "block"}.get(kind, "row")
    assert str(found)


def test_equal_weights_change_next_to_nothing() -> None:
    """With weights that are all 2 the estimate is the same, and the interval differs by less than 3%."""
    for rows, names in ((classified(), ("accuracy", "f1", "brier", "recall")), (measured(), ("mse", "mae"))):
        weighted = JudgedRows(
            rows.y, rows.folds, rows.classes, rows.positive, weights=np.full(rows.n_rows, 2.0)
        )
        answers = predictions_of(rows)
        for name in names:
            plain = estimate_score(metric_named(name), answers, rows)
            found = estimate_score(metric_named(name), answers, weighted)
            assert found.estimate == pytest.approx(plain.estimate, abs=0.01)
            assert found.width == pytest.approx(plain.width, rel=0.05)


def test_a_heavy_row_makes_the_interval_wide() -> None:
    """Where one row counts for half of all, the weighted accuracy is nearly unknown."""
    rows = classified()
    weights = np.ones(rows.n_rows)
    weights[0] = rows.n_rows
    heavy = JudgedRows(rows.y, rows.folds, rows.classes, rows.positive, weights=weights)
    answers = predictions_of(rows)
    metric = metric_named("accuracy")
    assert estimate_score(metric, answers, heavy).width > 2 * estimate_score(metric, answers, rows).width


def test_repeated_hold_out_narrows_up_to_a_point() -> None:
    """More hold-outs narrow the interval, but never below that of folds of the same size."""
    generator = np.random.default_rng(0)
    y = np.array(["a", "b"])[generator.integers(2, size=300)]

    def width(n_repeats: int) -> float:
        folds = np.full((n_repeats, 300), -1, dtype=np.intp)
        for line in folds:
            line[generator.permutation(300)[:60]] = 0
        rows = JudgedRows(y, folds, ("a", "b"), "b", test_share=0.2)
        return estimate_score(metric_named("accuracy"), predictions_of(rows, 0.6), rows).width

    folds = JudgedRows(y, folds_of(300, 5, 1), ("a", "b"), "b")
    by_folds = estimate_score(metric_named("accuracy"), predictions_of(folds, 0.6), folds).width
    one, three, many = width(1), width(3), width(30)
    assert one > three > many > 0.9 * by_folds


def test_one_hold_out_says_what_it_does_not_see() -> None:
    """A single split is judged as one, with a sentence about other training rows."""
    rows = classified(n_repeats=1)
    split = JudgedRows(rows.y, np.where(rows.folds == 0, 0, -1), rows.classes, "b", test_share=0.2)
    found = estimate_score(metric_named("accuracy"), predictions_of(rows), split)
    assert "One split" in str(found)
    assert "80% of these rows" in str(found)
    assert found.n_rows == 12


def test_leave_one_out_is_pooled() -> None:
    """With a row per fold the AUC is that of all rows together."""
    rows = classified(n_repeats=1)
    alone = JudgedRows(rows.y, np.arange(60, dtype=np.intp)[np.newaxis], rows.classes, "b")
    answers = predictions_of(alone)
    found = estimate_score(metric_named("auc"), answers, alone)
    wanted = cross_validated_auc(rows.y, answers.probabilities[:, :, 1], 60, "b")
    assert ends(found) == ends(wanted)


@pytest.mark.parametrize("n_folds", [5, 60])
@pytest.mark.parametrize("classes", [("a", "b"), ("a", "b", "c")])
def test_guessing_has_an_auc_of_a_half(n_folds: int, classes: tuple[str, ...]) -> None:
    """Shares of classes in what is left to train on rank nothing, in uneven folds and row by row."""
    y = classified(60, classes).y
    folds = (np.arange(60, dtype=np.intp) * n_folds // 60)[np.newaxis]
    rows = JudgedRows(y, folds, classes, "b" if len(classes) == 2 else None)
    is_of = y[:, np.newaxis] == np.array(classes)
    shares = np.array([is_of[folds[0] != fold].mean(axis=0) for fold in range(n_folds)])
    assert np.ptp(shares[:, 0]) > 0
    guess = Predictions(probabilities=shares[folds])
    assert estimate_score(metric_named("auc"), guess, rows).estimate == pytest.approx(0.5)


def test_time_is_counted_in_blocks() -> None:
    """Folds of time are blocks: the interval is that of blocks as groups, in words of blocks."""
    rows = classified(n_repeats=1, n_folds=8)
    folds = np.where(rows.folds == 0, -1, rows.folds - 1)
    timed = JudgedRows(rows.y, folds, rows.classes, "b", is_in_time=True)
    answers = predictions_of(timed)
    found = estimate_score(metric_named("accuracy"), answers, timed)
    is_requested = folds[0] >= 0
    right = (np.array(rows.classes)[answers.labels] == rows.y)[:, is_requested]
    wanted = cross_validated_rate(right, 7, groups=folds[0][is_requested])
    assert ends(found) == ends(wanted)
    assert (found.n_rows, found.unit) == (7, "block")
    assert "before it" in str(found)
    assert "group" not in str(found)


def test_few_blocks_of_time_have_no_interval() -> None:
    """Three blocks cannot tell how blocks differ: no interval, and a sentence that says why."""
    timed = classified(n_repeats=1, n_folds=3, is_in_time=True)
    found = estimate_score(metric_named("accuracy"), predictions_of(timed), timed)
    assert math.isnan(found.low)
    assert "3 blocks of time are too few" in str(found)
    assert 0 < found.estimate < 1


def test_one_block_of_time_is_cut_into_more() -> None:
    """With the times at hand a hold-out of the latest rows is cut into ten blocks, ties staying together."""
    rows = classified(120, n_repeats=1)
    times = np.repeat(np.arange(60), 2)
    folds = np.where(np.arange(120) >= 60, 0, -1)[np.newaxis]
    timed = JudgedRows(rows.y, folds, rows.classes, "b", is_in_time=True, time=times, test_share=0.5)
    assert timed.n_units == 10
    assert all(len(set(timed.units[times == moment].tolist())) == 1 for moment in range(30, 60))
    found = estimate_score(metric_named("accuracy"), predictions_of(timed), timed)
    assert (found.n_rows, found.unit) == (10, "block")
    assert found.low < found.estimate < found.high


def test_scores_that_are_none_have_no_interval() -> None:
    """An infinite log loss and an AUC of one class say what they are."""
    rows = classified(n_repeats=1)
    table = np.zeros((1, 60, 2))
    table[:, :, 0] = 1
    found = estimate_score(metric_named("log_loss"), Predictions(probabilities=table), rows)
    assert found.estimate == math.inf
    assert math.isnan(found.low)
    assert "probability of 0" in str(found)
    alone = JudgedRows(np.array(["a"] * 10), folds_of(10, 5, 1), ("a", "b"), "b")
    found = estimate_score(metric_named("auc"), Predictions(probabilities=np.full((1, 10, 2), 0.5)), alone)
    assert math.isnan(found.estimate)
    assert "no such score" in str(found)


def test_metrics_of_the_model_have_no_interval() -> None:
    """What measures models is the mean over folds, without an interval."""
    found = estimate_score(metric_named("n_leaves"), None, classified(), fold_scores=[[3.0, 5.0, math.nan]])
    assert found.estimate == 4
    assert math.isnan(found.low)
    assert "models and not rows" in str(found)


def test_missing_answers_are_refused() -> None:
    """A metric of probabilities without any says what is missing."""
    with pytest.raises(DataError, match="needs probabilities"):
        estimate_score(
            metric_named("log_loss"), Predictions(labels=np.zeros((2, 60), dtype=int)), classified()
        )


def test_folds_must_fit_the_rows() -> None:
    """Folds of another number of rows are refused."""
    with pytest.raises(DataError, match="repeats × rows"):
        JudgedRows(np.zeros(3), np.zeros((1, 4), dtype=np.intp))
