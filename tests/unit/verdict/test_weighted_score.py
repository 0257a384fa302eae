"""Scores under counts of rows are those of the metric itself on rows that are repeated or left out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, r2_score, roc_auc_score

from heldout.metrics.metric_registry import METRICS, metric_named
from heldout.verdict import JudgedRows, Predictions
from heldout.verdict.predictions import metric_input
from heldout.verdict.resamples import StackedScores
from heldout.verdict.weighted_score import CalledScore, RankedScore, SummedScore, weighted_score

from .made_rows import classified, measured, predictions_of

OF_CLASSES = [each.name for each in METRICS.values() if each.needs in ("labels", "scores", "probabilities")]
OF_NUMBERS = ["mse", "rmse", "mae", "r2"]
# Of a positive class, which several classes do not have.
OF_ONE = ("precision", "recall", "sensitivity", "specificity", "npv", "f1", "pr_area")

PLACES = [
    (name, classes)
    for classes in (("a", "b"), ("a", "b", "c"), (0, 1), (False, True))
    for name in OF_CLASSES
    if len(classes) == 2 or name not in OF_ONE
]


def counts_of(n_rows: int, seed: int = 5, n_lines: int = 4) -> np.ndarray:
    """Lines of counts with zeros, ones and more; the first rows, one of each class, count at least once."""
    counts = np.random.default_rng(seed).integers(4, size=(n_lines, n_rows)).astype(float)
    counts[:, :6] = np.maximum(counts[:, :6], 1)
    return counts


def by_hand(name: str, answers: Predictions, rows: JudgedRows, line: np.ndarray, repeat: int) -> float:
    """The metric of rows that are repeated as often as they count."""
    metric = metric_named(name)
    given_answers = metric_input(metric, answers, rows, repeat)
    kept = np.repeat(np.arange(rows.n_rows), (line * rows.is_tested[repeat]).astype(int))
    return metric(rows.y[kept], given_answers.predictions[kept], **given_answers.options)


@pytest.mark.parametrize(("name", "classes"), PLACES)
def test_metrics_of_classes_under_counts(name: str, classes: tuple[object, ...]) -> None:
    """Every metric of labels, scores and probabilities equals itself on repeated rows."""
    rows = classified(classes=classes)
    answers = predictions_of(rows)
    counts = counts_of(rows.n_rows)
    found = weighted_score(metric_named(name), answers, rows).values(counts)
    wanted = [[by_hand(name, answers, rows, line, repeat) for repeat in range(2)] for line in counts]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_metrics_of_numbers_under_counts(name: str) -> None:
    """Every metric of numbers equals itself on repeated rows."""
    rows = measured()
    answers = predictions_of(rows)
    counts = counts_of(rows.n_rows)
    found = weighted_score(metric_named(name), answers, rows).values(counts)
    wanted = [[by_hand(name, answers, rows, line, repeat) for repeat in range(2)] for line in counts]
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_averages_over_classes_under_counts(average: str) -> None:
    """A metric of labels with options is scored from its cells, as scikit-learn scores it."""
    rows = classified(classes=("a", "b", "c"))
    answers = predictions_of(rows)
    counts = counts_of(rows.n_rows)
    scored = weighted_score(metric_named("f1").using(average=average), answers, rows)
    assert isinstance(scored, SummedScore)
    names = np.array(rows.classes)[answers.labels]
    wanted = [
        [f1_score(rows.y, names[repeat], average=average, sample_weight=line) for repeat in range(2)]
        for line in counts
    ]
    np.testing.assert_allclose(scored.values(counts), wanted, rtol=1e-12)


@pytest.mark.parametrize("n_rows", [40, 200])
def test_weighted_rows_as_scikit_learn_weighs_them(n_rows: int) -> None:
    """Counts times weights are scikit-learn's sample weights, for rates, areas and shares of variance."""
    weights = np.random.default_rng(9).gamma(2.0, size=n_rows)
    counts = counts_of(n_rows)
    rows = classified(n_rows, weights=weights)
    answers = predictions_of(rows)
    names = np.array(rows.classes)[answers.labels]
    is_b = rows.y == "b"
    for name, wanted in {
        "balanced_accuracy": lambda r, w: balanced_accuracy_score(rows.y, names[r], sample_weight=w),
        "auc": lambda r, w: roc_auc_score(is_b, answers.probabilities[r, :, 1], sample_weight=w),
        "f1": lambda r, w: f1_score(rows.y, names[r], sample_weight=w, pos_label="b"),
    }.items():
        found = weighted_score(metric_named(name), answers, rows).values(counts)
        expected = [[wanted(repeat, line * weights) for repeat in range(2)] for line in counts]
        np.testing.assert_allclose(found, expected, rtol=1e-10, err_msg=name)
    numbers = measured(n_rows, weights=weights)
    answers = predictions_of(numbers)
    found = weighted_score(metric_named("r2"), answers, numbers).values(counts)
    expected = [
        [r2_score(numbers.y, answers.values[r], sample_weight=line * weights) for r in range(2)]
        for line in counts
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_rows_that_were_not_tested_count_for_nothing() -> None:
    """Answers of rows outside a hold-out may be anything, and do not change a score."""
    rows = classified()
    folds = np.where(rows.folds == 0, 0, -1)
    part = JudgedRows(rows.y, folds, classes=rows.classes, positive="b", test_share=0.2)
    answers = predictions_of(rows)
    spoiled = Predictions(
        labels=np.where(folds < 0, -1, answers.labels),
        probabilities=np.where((folds < 0)[:, :, np.newaxis], np.nan, answers.probabilities),
    )
    counts = np.ones((1, rows.n_rows))
    for name in ("accuracy", "auc", "log_loss", "f1", "pr_area", "brier", "balanced_accuracy"):
        one, other = (
            weighted_score(metric_named(name), each, part).values(counts) for each in (answers, spoiled)
        )
        np.testing.assert_array_equal(one, other)
        wanted = [[by_hand(name, answers, part, counts[0], repeat) for repeat in range(2)]]
        np.testing.assert_allclose(one, wanted, rtol=1e-12)


def test_an_infinite_loss_stays_with_its_row() -> None:
    """A probability of 0 for what happened makes resamples infinite that hold the row, and no others."""
    rows = classified(n_repeats=1)
    table = np.full((1, rows.n_rows, 2), 0.5)
    table[0, 3] = [1.0, 0.0] if rows.y[3] == "b" else [0.0, 1.0]
    scored = weighted_score(metric_named("log_loss"), Predictions(probabilities=table), rows)
    counts = np.ones((2, rows.n_rows))
    counts[1, 3] = 0
    np.testing.assert_allclose(scored.means(counts), [np.inf, np.log(2)])


def test_the_quick_ways_are_taken() -> None:
    """Means and rates are sums, the AUC of two classes is ranked, and only what is left calls the metric."""
    rows = classified()
    answers = predictions_of(rows)
    ways = {
        "accuracy": SummedScore,
        "log_loss": SummedScore,
        "precision": SummedScore,
        "auc": RankedScore,
        "pr_area": CalledScore,
    }
    assert {name: type(weighted_score(metric_named(name), answers, rows)) for name in ways} == ways


def test_stacked_scores_are_those_of_each() -> None:
    """Sums taken for all contenders at once give the same scores as one after the other."""
    rows = classified()
    every = [predictions_of(rows, skill, seed) for seed, skill in enumerate((0.2, 0.5, 0.8))]
    counts = counts_of(rows.n_rows)
    for name in ("accuracy", "balanced_accuracy", "auc"):
        scored = [weighted_score(metric_named(name), each, rows) for each in every]
        wanted = np.column_stack([each.means(counts) for each in scored])
        np.testing.assert_allclose(StackedScores(scored).means(counts), wanted, rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_tied_scores_are_ranked_together(seed: int, n_values: int) -> None:
    """The AUC of scores with ties is that of scikit-learn under any counts that leave both classes."""
    generator = np.random.default_rng(seed)
    rows = classified(30, n_repeats=1)
    scores = generator.integers(n_values, size=(1, 30)).astype(float)
    scored = weighted_score(metric_named("auc"), Predictions(scores=scores), rows)
    counts = counts_of(30, seed)
    wanted = [roc_auc_score(rows.y == "b", scores[0], sample_weight=line) for line in counts]
    np.testing.assert_allclose(scored.means(counts), wanted, rtol=1e-12)
