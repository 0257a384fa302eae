"""Intervals on held rows: exact where counts are, by groups where rows have them, else approximate."""

from __future__ import annotations

import dataclasses
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import beta, norm, t
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

import heldout as ho
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric, metric_named
from heldout.stats.looks import Looks
from heldout.study.seal.held_look import all_predictions
from heldout.study.seal.held_rate import N_ERRORS, HeldPredictions, Scale
from heldout.study.seal.held_score import held_score

RANDOM = np.random.default_rng(5)


def labels(n_rows: int, share: float, n_classes: int = 2) -> tuple[NDArray[Any], NDArray[Any]]:
    """Truths, and answers that are right in about this share of the rows."""
    y = np.arange(n_rows) % n_classes
    wrong = (y + 1) % n_classes
    return y, np.where(RANDOM.random(n_rows) < share, y, wrong)


def clopper(n_hits: int, n: int, level: float) -> tuple[float, float]:
    low = beta.ppf(level / 2, n_hits, n - n_hits + 1) if n_hits else 0.0
    high = beta.ppf(1 - level / 2, n_hits + 1, n - n_hits) if n_hits < n else 1.0
    return float(low), float(high)


def test_an_error_is_one_minus_an_accuracy() -> None:
    """The ends of an error are those of the accuracy, turned round."""
    y, answers = labels(80, 0.8)
    right = held_score(HeldPredictions(metric_named("accuracy"), y, answers), Looks((81,)))
    wrong = held_score(HeldPredictions(metric_named("error"), y, answers), Looks((81,)))
    assert wrong.after.estimate == pytest.approx(1 - right.after.estimate)
    assert wrong.after.adaptive.low == pytest.approx(1 - right.after.adaptive.high)
    assert wrong.n_answers == right.n_answers == 81


def test_balanced_accuracy_joins_exact_recalls() -> None:
    """The ends are the means of Clopper-Pearson's ends of each recall at α / classes, by SciPy."""
    y = np.array(["a"] * 50 + ["b"] * 20 + ["c"] * 10)
    answers = np.array(["a"] * 45 + ["b"] * 5 + ["b"] * 12 + ["c"] * 8 + ["c"] * 7 + ["a"] * 3)
    held = HeldPredictions(metric_named("balanced_accuracy"), y, answers, baseline=1 / 3, n_classes=3)
    found = held_score(held, Looks())
    ends = np.mean([clopper(45, 50, 0.05 / 3), clopper(12, 20, 0.05 / 3), clopper(7, 10, 0.05 / 3)], axis=0)
    assert found.after.estimate == pytest.approx(balanced_accuracy_score(y, answers))
    assert found.after.adaptive.low == pytest.approx(ends[0])
    assert found.after.adaptive.high == pytest.approx(ends[1])
    assert found.n_answers == 51 * 21 * 11
    assert not found.after.is_approximate


def test_balanced_accuracy_counts_more_answers_where_counts_were_unknown() -> None:
    """Without a stratified seal the answer may tell the counts of the classes too, and that is counted."""
    y, answers = labels(30, 0.8, 3)
    counts = [
        held_score(
            HeldPredictions(
                metric_named("balanced_accuracy"),
                y,
                answers,
                is_stratified=known,
                n_classes=3,
                baseline=1 / 3,
            ),
            Looks(),
        ).n_answers
        for known in (True, False)
    ]
    assert counts == [11**3, math.comb(30 + 5, 5)]


def test_used_up_means_that_a_perfect_score_says_nothing() -> None:
    """At the budget the interval of a perfect balanced accuracy just reaches the baseline."""
    y = np.arange(40) % 2
    held = HeldPredictions(metric_named("balanced_accuracy"), y, y, baseline=0.5)
    budget = held_score(held, Looks()).after.budget
    for bits, is_used_up in ((math.floor(budget), False), (math.ceil(budget) + 1, True)):
        after = held_score(held, Looks((2**bits,))).after
        assert (after.adaptive.low <= 0.5) == is_used_up
        assert after.is_used_up == is_used_up


def test_f1_and_auc_are_those_of_scikit_learn() -> None:
    """F1 and AUC have the known scores, and their answers are counted."""
    y, answers = labels(100, 0.8)
    scores = RANDOM.random(100) + y
    f1 = held_score(HeldPredictions(metric_named("f1"), y, answers, {"positive": 1}), Looks())
    auc = held_score(HeldPredictions(metric_named("auc"), y, scores, {"positive": 1}), Looks((10, 10)))
    assert f1.after.estimate == pytest.approx(f1_score(y, answers))
    assert auc.after.estimate == pytest.approx(roc_auc_score(y, scores))
    assert f1.n_answers == 51 * 51
    assert auc.after.adaptive.width > auc.after.fixed.width


@pytest.mark.parametrize("name", ["precision", "npv", "recall", "sensitivity", "specificity"])
def test_rates_of_a_part_of_the_rows_are_exact(name: str) -> None:
    """Precision, recall and their like are Clopper-Pearson's among the rows that they count, by SciPy."""
    y = np.array([1] * 30 + [0] * 50)
    answers = np.array([1] * 24 + [0] * 6 + [1] * 9 + [0] * 41)
    n_hits, n = {
        "precision": (24, 33),
        "npv": (41, 47),
        "recall": (24, 30),
        "sensitivity": (24, 30),
        "specificity": (41, 50),
    }[name]
    of_seal = {}
    for is_stratified in (True, False):
        held = HeldPredictions(metric_named(name), y, answers, {"positive": 1}, is_stratified=is_stratified)
        found = held_score(held, Looks((81,)))
        assert found.after.estimate == n_hits / n == pytest.approx(held.score())
        ends = clopper(n_hits, n, 0.05 / 82)
        assert (found.after.adaptive.low, found.after.adaptive.high) == pytest.approx(ends, rel=1e-6)
        assert not found.after.is_approximate
        of_seal[is_stratified] = found.n_answers
    # The rows called positive are known beforehand; those that are positive only from a stratified seal.
    assert of_seal == {True: n + 1, False: n + 1 if name in ("precision", "npv") else 41 * 41}


def test_a_rate_of_no_rows_is_none() -> None:
    """A model that calls nothing positive has no precision, and no value of it is contradicted."""
    held = HeldPredictions(metric_named("precision"), np.array([0, 1] * 5), np.zeros(10), {"positive": 1})
    after = held_score(held, Looks()).after
    assert math.isnan(after.estimate)
    assert (after.adaptive.low, after.adaptive.high) == (0.0, 1.0)


def test_a_metric_of_ones_own_tells_no_more_than_is_counted() -> None:
    """Errors, warnings and values outside of the range of a metric carry no labels out of the seal."""
    y, answers = labels(30, 0.8)

    def raising(y: Any, predicted: Any) -> float:
        raise ValueError("".join(map(str, y)))

    def warning(y: Any, predicted: Any) -> float:
        warnings.warn("".join(map(str, y)), UserWarning, stacklevel=1)
        return 0.5

    def far(y: Any, predicted: Any) -> float:
        return float("".join(map(str, y)))

    for function, score in ((raising, math.nan), (warning, 0.5), (far, 1.0), (lambda *_: math.inf, 1.0)):
        judged = Metric("own", function, lowest=0.0, highest=1.0)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            found = held_score(HeldPredictions(judged, y, answers), Looks())
        assert heard == []
        assert found.after.estimate == pytest.approx(score, nan_ok=True)
        assert found.n_answers == 1002 * N_ERRORS


def test_an_auc_of_one_class_has_no_interval() -> None:
    """Held rows that lack a class give no AUC, and say so instead of failing."""
    held = HeldPredictions(metric_named("auc"), np.ones(10), RANDOM.random(10), {"positive": 1})
    found = held_score(held, Looks())
    assert math.isnan(found.after.estimate)
    assert math.isnan(found.after.adaptive.low)


def test_groups_that_agree_count_as_one_row_each() -> None:
    """If all rows of a group are alike the interval is about that of as many rows as groups."""
    groups = np.repeat(np.arange(60), 5)
    is_right = np.repeat(RANDOM.random(60) < 0.7, 5)
    y = np.zeros(300, dtype=int)
    held = HeldPredictions(metric_named("accuracy"), y, np.where(is_right, 0, 1), groups=groups)
    after = held_score(held, Looks()).after
    low, high = clopper(round(is_right.mean() * 60), 60, 0.05)
    assert after.adaptive.width == pytest.approx(high - low, rel=0.08)
    assert after.adaptive.n_rows == 60


def test_groups_count_with_half_a_group_more() -> None:
    """The ends are Clopper-Pearson's for rows that vary like the groups and half a one more, by hand."""
    sizes, hits = [8, 8, 4, 4] * 5, [8, 7, 4, 3] * 5
    n_rows, n_right = sum(sizes), sum(hits)
    n_typical = n_rows**2 / sum(size**2 for size in sizes)
    size = n_rows / n_typical
    share = (n_right + size / 4) / (n_rows + size / 2)
    squares = sum((each - share * of) ** 2 for each, of in zip(hits, sizes, strict=True))
    squares += 0.5 * ((size - share * size) ** 2 + (0 - share * size) ** 2) / 2
    variance = 20.5 / 19.5 * squares / (n_rows + size / 2) ** 2
    n_alike = int(share * (1 - share) / variance * n_rows / (n_rows + size / 2))
    assert 30 < n_alike < n_rows
    n_sure = n_alike / (t.ppf(0.975, n_typical - 1) / norm.ppf(0.975)) ** 2
    is_right = np.concatenate([np.arange(of) < each for each, of in zip(hits, sizes, strict=True)])
    answers = np.where(is_right, 0, 1)
    y, groups = np.zeros(n_rows, dtype=int), np.repeat(range(20), sizes)
    held = HeldPredictions(metric_named("accuracy"), y, answers, groups=groups)
    found = held_score(held, Looks()).after.adaptive
    n_hits, n_misses = n_right / n_rows * n_sure, (1 - n_right / n_rows) * n_sure
    assert found.low == pytest.approx(beta.ppf(0.025, n_hits, n_misses + 1), rel=1e-6)
    assert found.high == pytest.approx(beta.ppf(0.975, n_hits + 1, n_misses), rel=1e-6)


def test_groups_without_correlation_cost_little() -> None:
    """If groups mean nothing the interval is nearly that of independent rows."""
    groups = np.repeat(np.arange(100), 3)
    y, answers = labels(300, 0.8)
    grouped = held_score(HeldPredictions(metric_named("accuracy"), y, answers, groups=groups), Looks()).after
    alone = held_score(HeldPredictions(metric_named("accuracy"), y, answers), Looks()).after
    assert 0.85 < grouped.adaptive.width / alone.adaptive.width < 1.4


@pytest.mark.parametrize("sizes", [[5] * 20, [60] + [5] * 148])
def test_after_bits_each_group_is_one_draw(sizes: list[int]) -> None:
    """Chernoff's bound for even groups, Hoeffding's for uneven ones, both by hand."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    n_rows = len(groups)
    answers = (np.arange(n_rows) % 5 == 0).astype(int)
    held = HeldPredictions(metric_named("accuracy"), np.zeros(n_rows, dtype=int), answers, groups=groups)
    after = held_score(held, Looks((1023,))).after
    share, level = 0.8, 0.05 / 1024
    low = after.adaptive.low
    if len(set(sizes)) == 1:
        divergence = share * math.log(share / low) + (1 - share) * math.log((1 - share) / (1 - low))
        assert math.exp(-len(sizes) * divergence) == pytest.approx(level / 2, rel=1e-6)
    else:
        squares = sum((size / n_rows) ** 2 for size in sizes)
        assert low == pytest.approx(share - math.sqrt(math.log(2 / level) * squares / 2))


def test_one_held_group_says_nothing() -> None:
    """A single group gives the whole range instead of a number that looks sure."""
    y, answers = labels(30, 0.9)
    held = HeldPredictions(metric_named("accuracy"), y, answers, groups=np.zeros(30))
    after = held_score(held, Looks()).after
    assert (after.adaptive.low, after.adaptive.high) == (0.0, 1.0)


def test_a_mean_squared_error_is_judged_on_the_log_scale() -> None:
    """Jackknife and delta method agree: the half width is about z · relative standard error."""
    errors = RANDOM.normal(0, 2, 400)
    held = HeldPredictions(metric_named("mse"), errors, np.zeros(400), baseline=4.0, n_classes=0)
    found = held_score(held, Looks())
    squares = errors**2
    relative = squares.std(ddof=1) / math.sqrt(400) / squares.mean()
    half = math.log(found.after.adaptive.high / found.after.estimate)
    assert half == pytest.approx(norm.ppf(0.975) * relative, rel=0.1)
    assert found.after.is_approximate
    assert found.n_answers == 10_803 * N_ERRORS


def test_weighted_scores_are_rounded() -> None:
    """With weights an accuracy is no count any more: it is weighted, rounded and approximate."""
    y, answers = labels(90, 0.8)
    weights = RANDOM.random(90) + 0.5
    held = HeldPredictions(metric_named("accuracy"), y, answers, weights=weights)
    found = held_score(held, Looks())
    assert found.after.estimate == round(float(np.average(y == answers, weights=weights)), 3)
    assert found.after.is_approximate
    assert found.n_answers == 1002 * N_ERRORS


def test_any_metric_has_a_score() -> None:
    """R² and a metric of one's own get rounded scores with intervals on a scale that suits their range."""
    y = RANDOM.normal(0, 1, 120)
    answers = y + RANDOM.normal(0, 0.3, 120)

    @metric(name="bias of the answers", needs="values", is_larger_better=False)
    def bias(y: Any, predicted: Any) -> float:
        """the mean difference"""
        return float(np.mean(predicted - y))

    for judged in (metric_named("r2"), bias):
        after = held_score(HeldPredictions(judged, y, answers, n_classes=0, baseline=0.0), Looks()).after
        assert after.adaptive.low <= after.estimate <= after.adaptive.high
        assert after.estimate == pytest.approx(judged(y, answers), rel=0.01, abs=0.001)


def test_a_perfect_fit_has_no_interval() -> None:
    """An error of 0 has no place on a log scale, and the interval says that it cannot be told."""
    y = RANDOM.normal(0, 1, 50)
    found = held_score(HeldPredictions(metric_named("mse"), y, y, baseline=1.0, n_classes=0), Looks())
    assert found.after.estimate == 0.0
    assert math.isnan(found.after.adaptive.high)


@given(st.floats(1e-12, 1e12), st.floats(1e-3, 1e3))
def test_rounding_keeps_three_digits_in_the_stated_range(score: float, near: float) -> None:
    """A rounded loss lies within half a percent, or at the stated end; rounding again changes nothing."""
    reference = 10.0 ** round(math.log10(near))
    scale = Scale("log", 0.0, math.inf, reference)
    rounded = scale.rounded(score)
    assert scale.rounded(rounded) == rounded
    if reference * 1e-6 <= score <= reference * 1e6:
        assert rounded == pytest.approx(score, rel=0.0051)
    else:
        assert rounded in (0.0, pytest.approx(reference * 1e6))


def test_the_stated_number_of_answers_is_not_exceeded() -> None:
    """All rounded scores that a scale can give are counted, by brute force."""
    shares = {Scale("logit", 0.0, 1.0).rounded(value) for value in np.linspace(0, 1, 8_001)}
    assert len(shares) + 1 == Scale("logit", 0.0, 1.0).n_scores
    explained = {Scale("one minus", -math.inf, 1.0).rounded(value) for value in np.linspace(-3, 1, 20_001)}
    assert len(explained) <= Scale("one minus", -math.inf, 1.0).n_scores
    log = Scale("log", 0.0, math.inf, 1.0)
    losses = {log.rounded(value) for value in np.exp(np.linspace(math.log(1e-8), math.log(1e8), 60_001))}
    assert 0.9 * log.n_scores < len(losses) <= log.n_scores


def test_all_labels_are_all_answers() -> None:
    """Seeing every row is n · log2(classes) bits, and 64 bits for each number."""
    assert Looks((all_predictions(100, 2),)).bits == pytest.approx(100)
    assert Looks((all_predictions(100, 3),)).bits == pytest.approx(100 * math.log2(3))
    assert Looks((all_predictions(10, 0),)).bits == 640


def test_a_first_look_uses_nothing_up(tmp_path: Path) -> None:
    """Where single rows weigh so much that no score could tell, it is not put on earlier looks."""
    draws = np.random.default_rng(2)
    table = ho.read_table({"age": draws.normal(size=60), "income": draws.normal(size=60)})
    contenders = [ho.Contender("tree", ho.TreeRegressor()), ho.Contender("mean", ho.BaselineRegressor())]
    with ho.Study.create(tmp_path / "i.heldout", table, target="income", kind="regression") as study:
        study.run(ho.Plan(contenders, ho.KFold(3), ho.KFold(2)), n_jobs=1, progress=False)
        score = dataclasses.replace(study.unseal("tree"), budget=0.0)
    assert score.is_used_up
    assert score.bits_before == 0
    assert "not even a perfect score could be told from the baseline: they are too few" in str(score)
    assert "used up" not in str(score)
    assert "earlier" not in str(score)
