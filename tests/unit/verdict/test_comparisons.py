"""Contenders are compared on the same splits, as one family, in the way that their splits allow."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t

from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.stats.adjust import adjust
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t
from heldout.stats.interval import Interval
from heldout.verdict import (
    JudgedRows,
    PairedComparison,
    Predictions,
    Standing,
    compare_contenders,
    estimate_score,
    quick_estimate,
)
from heldout.verdict.comparisons import FEW_FOLDS
from heldout.verdict.weighted_score import weighted_score

from .made_rows import classified, fold_scores, measured, predictions_of, standing

ACCURACY, MSE = metric_named("accuracy"), metric_named("mse")


def test_every_pair_is_compared_by_the_cross_validated_t() -> None:
    """Of three contenders three pairs, the better first, each as cross_validated_t has it."""
    rows = classified(120, n_folds=10, n_repeats=3)
    standings = [
        standing(name, rows, skill, seed)
        for seed, (name, skill) in enumerate(zip("abc", (0.1, 0.9, 0.5), strict=True))
    ]
    found = compare_contenders(standings, ACCURACY, rows)
    assert [(each.name_a, each.name_b) for each in found] == [("b", "c"), ("b", "a"), ("c", "a")]
    scores = {each.name: each.fold_scores for each in standings}
    for each in found:
        wanted = cross_validated_t(scores[each.name_a] - scores[each.name_b])
        assert isinstance(each, PairedComparison)
        assert each.p_value == wanted.p_value
        assert (each.effect.low, each.effect.high) == (wanted.difference.low, wanted.difference.high)
        assert each.standard_error == wanted.details["standard_error"]
        assert each.advantage > 0


@pytest.mark.parametrize("method", ["holm", "benjamini_hochberg"])
def test_all_pairs_are_one_family(method: str) -> None:
    """p-values are adjusted over all pairs, by the method that was asked for."""
    rows = classified(120, n_folds=10, n_repeats=3)
    standings = [standing(str(seed), rows, skill, seed) for seed, skill in enumerate((0.2, 0.3, 0.5, 0.6))]
    found = compare_contenders(standings, ACCURACY, rows, adjustment=method)
    wanted = adjust([each.p_value for each in found], method).adjusted
    assert [each.adjusted_p for each in found] == list(wanted)
    assert {each.n_together for each in found} == {6}
    assert {each.adjustment for each in found} == {method}


def test_of_losses_the_smaller_comes_first() -> None:
    """A difference of mean squared errors is below 0 where the first is better, and its advantage above."""
    rows = measured(100, n_folds=10)
    found = compare_contenders([standing("bad", rows, 0.2), standing("good", rows, 0.8, 3)], MSE, rows)
    assert (found[0].name_a, found[0].name_b) == ("good", "bad")
    assert found[0].effect.estimate < 0 < found[0].advantage
    assert found[0].effect.what == "mse of good minus mse of bad"


@pytest.mark.parametrize(("n_folds", "n_repeats", "is_by_rows"), [(2, 1, True), (3, 2, True), (5, 1, False)])
def test_few_folds_are_compared_by_rows(n_folds: int, n_repeats: int, is_by_rows: bool) -> None:
    """A t test over two folds finds nothing, however large the difference; below five rows are counted."""
    rows = measured(100, n_folds=n_folds, n_repeats=n_repeats)
    one, other = standing("one", rows, 0.9, 3), standing("other", rows, 0.1, 4)
    found = compare_contenders([one, other], MSE, rows)[0]
    assert (FEW_FOLDS in found.notes) == is_by_rows
    assert found.p_value < 0.01
    if is_by_rows:
        losses = [(each.out_of_fold.values - rows.y) ** 2 for each in (one, other)]
        spread = np.mean((losses[0] - losses[1]).var(axis=1, ddof=1)) / 100
        factor = 1 + n_folds / (n_folds - 1)
        assert found.standard_error == pytest.approx(math.sqrt(spread * factor))
        bare = [dataclasses.replace(each, out_of_fold=None) for each in (one, other)]
        assert "cross-validated t" in compare_contenders(bare, MSE, rows)[0].test


def test_groups_are_compared_as_groups() -> None:
    """The variance is that of groups left out one by one, times 1 + K/(K−1), with G − 1 freedom."""
    groups = np.arange(60) % 12
    rows = measured(groups=groups)
    one, other = standing("one", rows, 0.8, 3), standing("other", rows, 0.5, 4)
    found = compare_contenders([one, other], MSE, rows)[0]
    losses = [(each.out_of_fold.values - rows.y) ** 2 for each in (one, other)]
    differences = losses[0] - losses[1]
    variances = []
    for line in differences:
        without = np.array([line[groups != group].mean() for group in range(12)])
        variances.append(11 / 12 * ((without - without.mean()) ** 2).sum())
    error = math.sqrt(np.mean(variances) * (1 + 5 / 4))
    assert found.standard_error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * t.sf(abs(differences.mean()) / error, 11))
    assert (found.effect.n_rows, found.effect.unit) == (12, "group")


def test_rows_that_repeat_themselves_are_no_new_evidence() -> None:
    """Every row ten times over, in a group: by groups p is that of the rows, by rows far smaller."""
    rows = classified(60, n_folds=5, n_repeats=1)
    answers = [predictions_of(rows, 0.8, 3), predictions_of(rows, 0.5, 4)]

    def p_value(copies: int, groups: bool) -> float:
        many = JudgedRows(
            np.repeat(rows.y, copies),
            np.repeat(rows.folds, copies, axis=1),
            rows.classes,
            "b",
            groups=np.repeat(np.arange(60), copies) if groups else None,
        )
        standings = []
        for name, each in zip(("good", "bad"), answers, strict=True):
            repeated = Predictions(labels=np.repeat(each.labels, copies, axis=1))
            scores = np.full((1, 5), math.nan)  # so that rows are compared, and not folds
            estimate = estimate_score(ACCURACY, repeated, many)
            standings.append(Standing(name, "accuracy", estimate, scores, repeated))
        return compare_contenders(standings, ACCURACY, many)[0].p_value

    assert p_value(10, groups=True) == pytest.approx(p_value(1, groups=False), rel=1e-6)
    assert p_value(10, groups=False) < 0.1 * p_value(10, groups=True)


def test_a_fold_without_a_score_is_judged_with_its_repeat() -> None:
    """An AUC that one-class folds lack is compared on all rows of the repeat, and a note says so."""
    rows = classified(60, n_folds=20)
    auc = metric_named("auc")
    standings = []
    for seed, (name, skill) in enumerate({"good": 0.9, "bad": 0.3}.items()):
        answers = predictions_of(rows, skill, seed)
        scores = np.full((2, 20), 0.7)
        scores[0, 3] = math.nan
        standings.append(Standing(name, "auc", estimate_score(auc, answers, rows), scores, answers))
    found = compare_contenders(standings, auc, rows)[0]
    assert found.p_value < 0.05
    assert "judged together" in str(found)
    assert found.effect.estimate == pytest.approx(standings[0].score - standings[1].score)


def test_leave_one_out_compares_rows() -> None:
    """With a row per fold the corrected t runs over the rows."""
    rows = classified(60, n_repeats=1)
    alone = JudgedRows(rows.y, np.arange(60, dtype=np.intp)[np.newaxis], rows.classes, "b")
    standings = [
        standing(name, alone, skill, seed)
        for seed, (name, skill) in enumerate(zip("ab", (0.9, 0.2), strict=True))
    ]
    found = compare_contenders(standings, ACCURACY, alone)[0]
    assert found.effect.n_rows == 60
    assert found.p_value < 0.01


def test_repeated_hold_out_counts_its_share() -> None:
    """The correction of hold-out is n_test / n_train."""
    generator = np.random.default_rng(0)
    folds = np.full((8, 100), -1, dtype=np.intp)
    for line in folds:
        line[generator.permutation(100)[:25]] = 0
    rows = JudgedRows(classified(100).y, folds, ("a", "b"), "b", test_share=0.25)
    standings = [
        Standing(name, "accuracy", Interval("accuracy", scores.mean(), 0.5, 0.9), scores)
        for name, scores in (
            ("good", 0.8 + 0.05 * generator.random((8, 1))),
            ("bad", 0.6 + 0.05 * generator.random((8, 1))),
        )
    ]
    found = compare_contenders(standings, ACCURACY, rows)[0]
    differences = (standings[0].fold_scores - standings[1].fold_scores).ravel()
    wanted = corrected_resampled_t(differences, test_share=0.25)
    assert found.p_value == wanted.p_value
    assert found.effect.unit == "split"


def test_one_split_compares_its_rows() -> None:
    """A single hold-out has one difference and still an answer: from its rows, said so."""
    rows = classified(200, n_repeats=1)
    split = JudgedRows(rows.y, np.where(rows.folds == 0, 0, -1), rows.classes, "b", test_share=0.2)
    standings = []
    for seed, (name, skill) in enumerate({"good": 0.95, "bad": 0.1}.items()):
        answers = predictions_of(rows, skill, seed)
        right = (np.array(rows.classes)[answers.labels] == rows.y)[:, split.folds[0] >= 0]
        scores = right.mean(axis=1, keepdims=True)
        standings.append(
            Standing(name, "accuracy", estimate_score(ACCURACY, answers, split), scores, answers)
        )
    found = compare_contenders(standings, ACCURACY, split)[0]
    assert found.p_value < 0.05
    assert found.effect.n_rows == 40
    assert "One split" in str(found)


def test_a_perfect_model_beats_guessing_although_folds_do_not_vary() -> None:
    """Every fold differs by exactly ½, which no t test over folds can judge: rows are counted instead."""
    y = np.array(["a", "b"] * 50)
    rows = JudgedRows(y, (np.arange(100, dtype=np.intp) // 2 % 10)[np.newaxis], ("a", "b"), "b")
    perfect, guess = (y == "b").astype(int)[np.newaxis], np.ones((1, 100), dtype=int)
    standings = []
    for name, labels in {"perfect": perfect, "guess": guess}.items():
        answers = Predictions(labels=labels)
        scores = fold_scores("accuracy", answers, rows)
        standings.append(Standing(name, "accuracy", estimate_score(ACCURACY, answers, rows), scores, answers))
    assert np.ptp(standings[0].fold_scores - standings[1].fold_scores) == 0
    found = compare_contenders(standings, ACCURACY, rows)[0]
    assert found.p_value < 1e-6
    assert found.effect.low < 0.5 < found.effect.high


def test_equal_answers_are_not_told_apart() -> None:
    """The same answers give p = 1, by folds and by groups."""
    for rows in (classified(), classified(groups=np.arange(60) % 12)):
        both = [standing("one", rows, 0.6), standing("two", rows, 0.6)]
        found = compare_contenders(both, ACCURACY, rows)[0]
        assert found.p_value == 1
        assert found.effect.estimate == 0


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("n_folds", [3, 10])
@pytest.mark.parametrize("is_quick", [False, True])
def test_rounding_is_no_difference(scale: float, n_folds: int, is_quick: bool) -> None:
    """Errors that are larger in the last digit of every row are equal, whatever the unit of the target."""
    made = measured(90, n_folds=n_folds, n_repeats=1)
    rows = JudgedRows(made.y * scale, made.folds)
    standings = []
    for name, more in {"one leaf": 1.0, "baseline": 1 + 1e-15}.items():
        answers = Predictions(values=rows.y + more * scale * np.linspace(1, 2, 90)[np.newaxis])
        found = estimate_score(MSE, answers, rows)
        scores = None if is_quick else fold_scores("mse", answers, rows)
        kept = {"settings": (answers,)} if is_quick else {"fold_scores": scores, "out_of_fold": answers}
        standings.append(Standing(name, "mse", found, **kept))
    compared = compare_contenders(standings, MSE, rows)[0]
    assert standings[0].score != standings[1].score
    assert (compared.p_value, compared.effect.estimate) == (1, 0)


@pytest.mark.parametrize("n_folds", [3, 10])
def test_the_unit_of_the_target_changes_no_p(n_folds: int) -> None:
    """In a unit in which all errors are tiny a real difference has the same p, not that of a sign test."""
    made, seen = measured(90, n_folds=n_folds, n_repeats=1), []
    for scale in (1.0, 1e-9):
        rows = JudgedRows(made.y * scale, made.folds)
        standings = []
        for name, skill in {"good": 0.5, "bad": 0.4}.items():
            answers = Predictions(values=predictions_of(made, skill, len(name)).values * scale)
            scores = fold_scores("mse", answers, rows)
            standings.append(Standing(name, "mse", estimate_score(MSE, answers, rows), scores, answers))
        seen.append(compare_contenders(standings, MSE, rows)[0].p_value)
    assert seen[1] == pytest.approx(seen[0], rel=1e-6)
    assert seen[0] > 1e-3


def test_the_same_difference_in_every_row_is_a_sign_test() -> None:
    """Where every row has the same difference p halves with every one of them."""
    rows = measured(20, n_folds=5, n_repeats=1)
    standings = []
    for name, error in {"near": 1.0, "far": 2.0}.items():
        answers = Predictions(values=rows.y[np.newaxis] + error)
        scores = np.full((1, 5), error**2)
        standings.append(Standing(name, "mse", estimate_score(MSE, answers, rows), scores, answers))
    found = compare_contenders(standings, MSE, rows)[0]
    assert found.p_value == pytest.approx(2.0**-19)
    assert "sign test" in str(found)


def test_an_infinite_score_has_no_difference() -> None:
    """A log loss that is infinite is compared with nothing, and the others are."""
    rows = classified(n_repeats=1)
    loss = metric_named("log_loss")
    sure = Predictions(probabilities=np.eye(2)[predictions_of(rows, 0.5).labels])
    scores = {"sure": np.full((1, 5), math.inf), "fair": np.full((1, 5), 0.6), "bad": np.full((1, 5), 0.9)}
    scores["fair"][0, 0], scores["bad"][0, 0] = 0.65, 0.8
    standings = [
        Standing(
            name,
            "log_loss",
            estimate_score(loss, sure, rows) if name == "sure" else Interval("log_loss", each.mean(), 0.5, 1),
            each,
        )
        for name, each in scores.items()
    ]
    found = {
        frozenset((each.name_a, each.name_b)): each for each in compare_contenders(standings, loss, rows)
    }
    assert math.isnan(found[frozenset(("sure", "fair"))].p_value)
    assert "infinite" in str(found[frozenset(("sure", "fair"))])
    assert found[frozenset(("fair", "bad"))].p_value < 0.05


def test_who_is_not_complete_is_not_compared() -> None:
    """Incomplete contenders are left out; one alone has nobody to be compared with."""
    rows = classified()
    one, two = standing("one", rows, 0.6), standing("two", rows, 0.7)
    broken = Standing("broken", "accuracy", is_complete=False, problem="it raised")
    assert len(compare_contenders([one, broken, two], ACCURACY, rows)) == 1
    assert compare_contenders([one, broken], ACCURACY, rows) == ()


def test_blocks_of_time_are_compared_as_folds() -> None:
    """Folds of time are blocks: the t over them by what each learned from, with a sentence about drift."""
    numbers = np.repeat(np.arange(-1, 5), 10)[np.newaxis]
    made = classified(60, n_folds=5, n_repeats=1)
    rows = dataclasses.replace(made, folds=numbers, is_in_time=True)
    both = [standing("good", rows, 0.9, 3), standing("bad", rows, 0.2, 4)]
    found = compare_contenders(both, ACCURACY, rows)[0]
    differences = (both[0].fold_scores - both[1].fold_scores).ravel()
    # Ten rows are tested by what ten, twenty … fifty rows taught.
    ratio = (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5
    error = math.sqrt(differences.var(ddof=1) * (1 / 5 + ratio))
    assert found.standard_error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * t.sf(abs(differences.mean()) / error, 4))
    assert "drifts" in str(found)


def test_folds_in_time_learn_from_earlier_rows_of_other_groups() -> None:
    """The ratio of test to training rows counts what lies before, less the groups that are tested."""
    folds = np.array([[-1, -1, -1, -1, 0, 0, 1, 1]])
    rows = JudgedRows(np.arange(8.0), folds, is_in_time=True)
    assert rows.test_to_train == pytest.approx((2 / 4 + 2 / 6) / 2)
    assert rows.paired_factor == pytest.approx(1 + 2 * rows.test_to_train)
    grouped = dataclasses.replace(rows, groups=np.array(list("aabbacda")))
    assert grouped.test_to_train == pytest.approx((2 / 2 + 2 / 3) / 2)


def test_quick_plans_are_compared_by_their_resamples() -> None:
    """Settings are chosen again in every resample; good ones differ from coins, coins do not."""
    rows = classified(200, n_repeats=1)

    def quick(name: str, skill: float, seed: int) -> Standing:
        settings = tuple(predictions_of(rows, skill, 10 * seed + place) for place in range(8))
        return Standing(name, "accuracy", estimate_score(ACCURACY, settings[0], rows), settings=settings)

    standings = [quick("good", 0.8, 1), quick("coin", 0.0, 2), quick("other coin", 0.0, 3)]
    found = {(each.name_a, each.name_b): each for each in compare_contenders(standings, ACCURACY, rows)}
    coins = next(each for names, each in found.items() if "good" not in names)
    against = next(each for names, each in found.items() if "good" in names)
    assert against.adjusted_p <= 0.05
    assert coins.p_value > 0.2
    assert coins.effect.low < 0 < coins.effect.high
    assert "Without an outer loop" in str(coins)
    assert compare_contenders(standings, ACCURACY, rows) == compare_contenders(standings, ACCURACY, rows)


@pytest.mark.parametrize("name", ["auc", "rmse", "accuracy"])
def test_the_difference_is_that_of_the_printed_scores(name: str) -> None:
    """Folds of other sizes, roots and ranks have another mean; what is printed is one number in one order."""
    metric = metric_named(name)
    rows = measured(83, n_folds=10) if name == "rmse" else classified(83, n_folds=10)
    n_moved, n_turned = 0, 0
    for seed in range(30):
        answers = [predictions_of(rows, 0.4, 2 * seed + place) for place in (0, 1)]
        standings = [
            Standing(place, name, estimate_score(metric, each, rows), _by_fold(metric, each, rows), each)
            for place, each in zip("ab", answers, strict=True)
        ]
        (found,) = compare_contenders(standings, metric, rows)
        scores = {each.name: each.score for each in standings}
        assert found.effect.estimate == pytest.approx(scores[found.name_a] - scores[found.name_b], abs=1e-12)
        assert found.advantage >= 0
        assert found.effect.low < found.effect.estimate < found.effect.high
        by_folds = {each.name: each.fold_scores.mean() for each in standings}
        mean = by_folds[found.name_a] - by_folds[found.name_b]
        n_moved += abs(mean - found.effect.estimate) > 1e-5
        n_turned += metric.sign * mean < 0
    assert n_moved > 25
    assert n_turned > 0 or name == "accuracy"


def _by_fold(metric: Metric, answers: Predictions, rows: JudgedRows) -> NDArray[np.float64]:
    """The score of each fold by itself."""
    scored = weighted_score(metric, answers, rows)
    numbers = np.arange(rows.n_folds)[:, np.newaxis]
    found = [scored.values((line == numbers).astype(float)) for line in rows.folds]
    return np.array([each[:, repeat] for repeat, each in enumerate(found)])


def test_settings_chosen_by_resamples_differ_by_the_printed_scores() -> None:
    """In a quick plan, too, a difference is that of the scores."""
    rows = classified(120, n_repeats=1)
    standings = []
    for name, skill in (("a", 0.4), ("b", 0.5)):
        settings = tuple(predictions_of(rows, skill, ord(name) + seed) for seed in range(5))
        best = int(np.argmax([np.mean(each.labels == rows.y) for each in settings]))
        estimate = quick_estimate(ACCURACY, settings, rows, best)
        standings.append(Standing(name, "accuracy", estimate, settings=settings))
    (found,) = compare_contenders(standings, ACCURACY, rows)
    scores = {each.name: each.score for each in standings}
    assert found.effect.estimate == pytest.approx(scores[found.name_a] - scores[found.name_b])
