"""The number repeats the choosing by the rule, and belongs to those that can win."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import pytest

from heldout.errors import RequestError
from heldout.metrics.metric_registry import metric_named
from heldout.stats.selection_bias import selection_bias_corrected
from heldout.verdict import (
    BestMean,
    JudgedRows,
    Predictions,
    Rival,
    SimplestWithinNoise,
    Standing,
    compare_contenders,
    corrected_number,
    estimate_score,
    make_rivals,
    make_verdict,
    quick_estimate,
)
from heldout.verdict.repeated_choice import score_choices

from .made_rows import classified, fold_scores, folds_of, measured, predictions_of

ACCURACY = metric_named("accuracy")


def rivals(rows: JudgedRows, skills: list[float], **known: list[float]) -> list[Rival]:
    """One per skill."""
    extra = [{name: each[place] for name, each in known.items()} for place in range(len(skills))]
    return [
        Rival(f"c{place}", predictions_of(rows, skill, place), **extra[place])
        for place, skill in enumerate(skills)
    ]


@pytest.mark.parametrize("groups", [None, np.arange(80) % 16])
def test_resamples_choose_as_in_stats(groups: np.ndarray | None) -> None:
    """With the best mean as the rule plain resamples choose as selection_bias_corrected, groups too."""
    rows = classified(80, n_repeats=3, groups=groups)
    made = rivals(rows, [0.3, 0.35, 0.4, 0.2])
    found = corrected_number(made, rows, ACCURACY, BestMean(), seed=7, n_resamples=300)
    labels = np.stack([np.array(rows.classes)[each.predictions.labels] for each in made], axis=2)
    wanted = selection_bias_corrected(labels, rows.y, "accuracy", n_bootstraps=300, seed=7, groups=groups)
    assert found.frequencies == wanted.frequencies
    assert (found.best, found.best_score) == ("c" + wanted.chosen, pytest.approx(wanted.best_score))
    assert found.interval.n_rows == (80 if groups is None else 16)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["accuracy", "mse", "rmse", "auc"])
def test_the_number_is_that_of_rows_left_out_where_as_much_noise_is_added(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """With all of the noise added again the number is that of bias-corrected cross-validation, on average."""
    monkeypatch.setattr("heldout.verdict.repeated_choice.ADDED", 1.0)
    metric, gaps = metric_named(name), []
    for seed in range(12):
        rows = classified(100, n_repeats=1) if metric.needs != "values" else measured(100)
        made = [Rival(str(place), predictions_of(rows, 0.35, 20 * seed + place)) for place in range(5)]
        found = corrected_number(made, rows, metric, BestMean(), seed=seed, n_resamples=1000)
        given = [each.predictions for each in made]
        answers = {
            "labels": lambda each, rows=rows: np.array(rows.classes)[each.labels],
            "scores": lambda each: each.probabilities[:, :, 1],
            "values": lambda each: each.values,
        }["scores" if name == "auc" else metric.needs]
        stacked = np.stack([answers(each) for each in given], axis=2)
        strata = rows.y if name == "auc" else None
        wanted = selection_bias_corrected(
            stacked, rows.y, metric, n_bootstraps=1000, seed=seed, stratify=strata
        )
        gaps.append((found.corrected - wanted.corrected) / abs(wanted.optimism))
    assert abs(np.mean(gaps)) < 0.15


def test_one_contender_needs_no_correction() -> None:
    """Where nothing is chosen the number is the score itself, to the last digit."""
    rows = classified(90, n_repeats=3)
    (alone,) = rivals(rows, [0.5])
    found = corrected_number([alone], rows, ACCURACY, BestMean())
    assert found.corrected == pytest.approx(
        estimate_score(ACCURACY, alone.predictions, rows).estimate, abs=1e-15
    )


def test_a_number_stays_within_the_range() -> None:
    """Of many that are hardly ever right the best was lucky, and is still not expected below 0."""
    rows = JudgedRows(np.arange(60) % 30, np.arange(60)[np.newaxis] % 10, tuple(range(30)))
    generator = np.random.default_rng(4)
    coins = [Rival(str(n), Predictions(labels=generator.integers(30, size=(1, 60)))) for n in range(40)]
    found = corrected_number(coins, rows, ACCURACY, BestMean())
    assert 0 < found.interval.low < found.corrected < found.best_score < found.interval.high < 1


def test_the_interval_is_no_shorter_than_that_of_one_contender() -> None:
    """A model that is always right has resamples that never differ, and still an interval: its own."""
    rows = classified(80, n_repeats=1)
    codes = np.searchsorted(np.array(rows.classes), rows.y)[np.newaxis]
    perfect = [Rival("perfect", Predictions(labels=codes)), *rivals(rows, [0.1])]
    found = corrected_number(perfect, rows, ACCURACY, BestMean())
    own = estimate_score(ACCURACY, Predictions(labels=codes), rows)
    assert (found.corrected, found.interval.high) == (1, 1)
    assert found.interval.low == own.low < 0.95


def test_a_single_row_cannot_be_drawn_from() -> None:
    """With one row tested there is no number, and it is said."""
    rows = JudgedRows(np.array(["a", "b", "b"]), np.array([[0, -1, -1]]), ("a", "b"), "b")
    found = corrected_number(
        [Rival("one", Predictions(labels=np.array([[0, -1, -1]])))], rows, ACCURACY, BestMean()
    )
    assert math.isnan(found.corrected)
    assert "Fewer than two rows were tested" in str(found)


@pytest.mark.parametrize("groups", [None, np.arange(90) % 12])
@pytest.mark.parametrize("name", ["accuracy", "auc"])
def test_counts_that_are_kept_are_those_drawn_again(
    monkeypatch: pytest.MonkeyPatch, groups: np.ndarray | None, name: str
) -> None:
    """Large sets draw twice instead of keeping their counts, a few resamples at a time: the same number."""
    rows = classified(90, groups=groups)
    made = rivals(rows, [0.3, 0.4, 0.5])
    kept = corrected_number(made, rows, metric_named(name), BestMean(), n_resamples=50)
    monkeypatch.setattr("heldout.verdict.resamples.MOST_KEPT", 0)
    monkeypatch.setattr("heldout.verdict.resamples.CHUNK", 700)
    monkeypatch.setattr("heldout.verdict.weighted_score.CHUNK", 200)
    assert corrected_number(made, rows, metric_named(name), BestMean(), n_resamples=50) == kept


def test_the_rule_is_repeated() -> None:
    """The simplest within noise takes the short one of two alike, the best mean the other."""
    rows = classified(300, n_folds=10, n_repeats=1)
    alike = predictions_of(rows, 0.8, 1)
    labels = alike.labels.copy()
    labels[0, :2] = 1 - labels[0, :2]
    made = [
        Rival("long", alike, bits=1000.0),
        Rival("short", Predictions(labels=labels), bits=10.0),
    ]
    by_mean = corrected_number(made, rows, ACCURACY, BestMean())
    by_length = corrected_number(made, rows, ACCURACY, SimplestWithinNoise())
    assert by_length.frequencies[1] > 900
    assert by_mean.frequencies[0] > 500


@pytest.mark.slow
def test_noise_is_seen_through() -> None:
    """Of thirty coins the best looks good; what to expect of either rule is chance, on average."""
    best, by_mean, by_rule = [], [], []
    for seed in range(30):
        generator = np.random.default_rng(seed)
        y = np.arange(100) % 2
        rows = JudgedRows(y, folds_of(100, 10, 1, seed), (0, 1), 1)
        coins = [
            Rival(str(place), Predictions(labels=generator.integers(2, size=(1, 100))), bits=place)
            for place in range(30)
        ]
        guess = Rival("baseline", Predictions(labels=np.ones((1, 100), dtype=int)), 0.0, is_baseline=True)
        found = corrected_number([*coins, guess], rows, ACCURACY, BestMean(), seed=seed, n_resamples=100)
        best.append(found.best_score)
        by_mean.append(found.corrected)
        again = corrected_number(
            [*coins, guess], rows, ACCURACY, SimplestWithinNoise(), seed=seed, n_resamples=100
        )
        by_rule.append(again.corrected)
    assert np.mean(best) > 0.58
    assert abs(np.mean(by_mean) - 0.5) < 0.03
    assert abs(np.mean(by_rule) - 0.5) < 0.03


def test_quick_plans_choose_among_contenders_and_settings() -> None:
    """Every setting of every complete contender is a rival of its own."""
    rows = classified(80, n_repeats=1)
    settings = tuple(predictions_of(rows, 0.2, seed) for seed in range(4))
    standings = [
        Standing("knn", "accuracy", settings=settings, bits=5.0),
        Standing("tree", "accuracy", settings=settings[:1]),
        Standing("broken", "accuracy", settings=settings, is_complete=False),
        Standing("usual", "accuracy", out_of_fold=settings[0]),
        Standing("bare", "accuracy"),
    ]
    made = make_rivals(standings)
    assert [each.name for each in made] == [
        *(f"knn, setting {n}" for n in (1, 2, 3, 4)),
        "tree, setting 1",
        "usual",
    ]
    assert made[0].bits == 5.0
    scores = [(np.array(rows.classes)[each.labels[0]] == rows.y).mean() for each in settings]
    place = int(np.argmax(scores))
    assert quick_estimate(ACCURACY, settings, rows, place).estimate < scores[place]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["accuracy", "log_loss"])
def test_a_quick_number_is_never_above_that_of_the_setting_that_was_chosen(name: str, seed: int) -> None:
    """By one standard error the worse but simpler setting is taken, and resamples often take the better."""
    rows = classified(200)
    settings = [
        predictions_of(rows, skill, 10 * seed + place) for place, skill in enumerate((0.55, 0.6, 0.65))
    ]
    metric = metric_named(name)
    own = estimate_score(metric, settings[0], rows)
    found = quick_estimate(metric, settings, rows, 0, choose="one_se")
    assert metric.sign * found.estimate <= metric.sign * own.estimate
    assert found.low <= found.estimate <= found.high


def test_the_same_seed_gives_the_same_number() -> None:
    """No clock and no order of sets: the same answers give the same number, another seed another."""
    rows = classified(80)
    made = rivals(rows, [0.3, 0.4])
    one, two, other = (corrected_number(made, rows, ACCURACY, BestMean(), seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one.interval != other.interval


@pytest.mark.parametrize("skills", [[0.8, 0.1, 0.1], [0.5, 0.5, 0.45], [0.95, 0.96, 0.2], [0.3, 0.9, 0.9]])
def test_the_number_is_never_better_than_the_winners_own(skills: list[float]) -> None:
    """Whoever is named as the winner: its own score bounds the number and lies inside; no end is 1."""
    rows = classified(120, n_folds=10, n_repeats=3)
    made = rivals(rows, skills)
    for each in made:
        own = estimate_score(ACCURACY, each.predictions, rows)
        winner = Standing(each.name, "accuracy", own, out_of_fold=each.predictions)
        found = corrected_number(made, rows, ACCURACY, BestMean(), winner, n_resamples=200)
        assert found.winner == each.name
        assert found.corrected <= own.estimate
        assert own.estimate in found.interval
        assert found.corrected in found.interval
        assert 0 < found.interval.low < found.interval.high < 1
        assert sum(found.shares.values()) == pytest.approx(1)


def test_losses_are_never_smaller_than_the_winners_own() -> None:
    """The same for an error of numbers: the number is no smaller, and the ends stay above 0."""
    rows = measured(70)
    made = rivals(rows, [0.3, 0.9, 0.4])
    metric = metric_named("mse")
    for each in made:
        own = estimate_score(metric, each.predictions, rows)
        winner = Standing(each.name, "mse", own, out_of_fold=each.predictions)
        found = corrected_number(made, rows, metric, BestMean(), winner, n_resamples=200)
        assert found.corrected >= own.estimate
        assert own.estimate in found.interval
        assert found.interval.low > 0


def test_resamples_where_guessing_wins_are_left_aside() -> None:
    """Under a rule with a gate only resamples count in which a model beats the baseline, as on all rows."""
    rows = classified(80, n_folds=10, n_repeats=1)
    guess = Rival("baseline", Predictions(labels=np.zeros((1, 80), dtype=int)), 0.0, is_baseline=True)
    made = [guess, *rivals(rows, [0.5], bits=[9.0])]
    gated = corrected_number(made, rows, ACCURACY, SimplestWithinNoise())
    free = corrected_number(made, rows, ACCURACY, BestMean())
    assert 100 < sum(gated.frequencies) < 1000
    assert sum(free.frequencies) == 1000
    assert gated.corrected < free.corrected
    assert "in them no model beat guessing" in str(gated.interval)


def test_nothing_to_choose_among_is_refused() -> None:
    """Without any rival there is no number."""
    with pytest.raises(RequestError, match="nothing to choose"):
        corrected_number([], classified(80), ACCURACY, BestMean())


@pytest.mark.slow
def test_many_contenders_are_quick() -> None:
    """23 contenders × 2,000 rows × 3 repeats take little time, also by AUC."""
    rows = classified(2000, n_folds=10, n_repeats=3)
    made = rivals(rows, [0.5] * 23)
    for name in ("accuracy", "auc"):
        start = time.process_time()
        found = corrected_number(made, rows, metric_named(name), SimplestWithinNoise())
        assert time.process_time() - start < 2  # about a fifth of a second on an idle core
        assert len(found.names) == 23


def test_every_run_can_afford_it() -> None:
    """One contender and a baseline by 3 × 10 folds of 5,000 rows, in whole groups too."""
    for groups in (None, np.arange(5000) // 5):
        rows = classified(5000, n_folds=10, n_repeats=3, groups=groups)
        guess = Predictions(labels=np.zeros((3, 5000), dtype=int))
        made = [*rivals(rows, [0.5]), Rival("baseline", guess, 1.0, is_baseline=True)]
        start = time.process_time()
        found = corrected_number(made, rows, ACCURACY, SimplestWithinNoise())
        assert time.process_time() - start < 0.5  # less than a tenth on an idle core
        assert found.frequencies == (1000, 0)


def gated(n_rows: int, leads: list[float], **known: list[float]) -> list[Rival]:
    """A baseline and rivals of these leads whose gate has a standard error of 0.1."""
    nothing = Predictions(labels=np.zeros((1, n_rows), dtype=int))
    made = [Rival("guess", nothing, 1.0, is_baseline=True)]
    extra = [{name: each[place] for name, each in known.items()} for place in range(len(leads))]
    return [*made, *(Rival(f"c{n}", nothing, gate_error=0.1, **each) for n, each in enumerate(extra))]


def test_whom_the_baseline_kept_out_gives_no_number() -> None:
    """Of two that pass in most resamples the shorter cannot win on all rows: no choice of it counts."""
    leads = [0.5, 0.2]
    made = gated(10, leads, bits=[100.0, 2.0], is_kept_out=[False, True])
    generator = np.random.default_rng(0)
    inside = np.array([0.5, 1.0, 0.7]) + 0.05 * generator.normal(size=(500, 3))
    rule = SimplestWithinNoise(margin=None, se=50)
    on_all = np.array([0.5, 1.0, 0.7])
    found = score_choices(inside, on_all, made, ACCURACY, rule, 1.0)
    assert found.n_kept_out > 100
    assert found.frequencies[2] > 100
    assert len(found.goodness) == 500 - found.n_kept_out - found.n_guesses > 50
    assert found.goodness.min() > 0.75
    freely = [dataclasses.replace(each, is_kept_out=False) for each in made]
    assert score_choices(inside, on_all, freely, ACCURACY, rule, 1.0).goodness.min() < 0.7


def test_where_hardly_any_choice_counts_only_those_that_can_win_are_chosen_among() -> None:
    """A gate that lets nobody in again still leaves a number, and not that of one who cannot win."""
    made = gated(10, [0.1, 0.3], bits=[1.0, 2.0], is_kept_out=[False, True])
    inside = np.array([0.5, 0.6, 0.8]) + 0.01 * np.random.default_rng(0).normal(size=(300, 3))
    found = score_choices(inside, np.array([0.5, 0.6, 0.8]), made, ACCURACY, SimplestWithinNoise(), 1.0)
    assert (found.n_guesses, found.n_kept_out, len(found.goodness)) == (0, 0, 300)
    assert found.mean == pytest.approx(0.6, abs=0.005)


def test_a_verdict_takes_no_score_of_one_that_cannot_win() -> None:
    """By RMSE, beside a simple model that is not shown to beat the mean: the number is the winner's."""
    rows = measured(40, n_folds=10, n_repeats=3)
    spread = float(np.std(rows.y))
    generator = np.random.default_rng(5)
    off = {"good": 0.5, "poor": 0.93}
    answers = {"mean": Predictions(values=np.full((3, 40), rows.y.mean()))} | {
        name: Predictions(values=rows.y + share * spread * generator.normal(size=(3, 40)))
        for name, share in off.items()
    }
    metric = metric_named("rmse")
    scores = {name: np.sqrt(fold_scores("mse", each, rows)) for name, each in answers.items()}
    standings = [
        Standing(
            name,
            "rmse",
            estimate_score(metric, each, rows),
            scores[name],
            each,
            bits={"good": 90.0, "poor": 5.0, "mean": 1.0}[name],
            is_baseline=name == "mean",
        )
        for name, each in answers.items()
    ]
    rule = SimplestWithinNoise(margin=None, se=20)
    found = make_verdict(standings, compare_contenders(standings, metric, rows), rule, metric, rows)
    assert found.winner == "good"
    assert found.decision.better_than_baseline == ("good",)
    own = next(each.score for each in standings if each.name == "good")
    assert own <= found.number.estimate < 1.05 * own
