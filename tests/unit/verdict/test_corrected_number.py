"""The number of the choosing is that of heldout.stats where it has one, and repeats the rule elsewhere."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from heldout.errors import RequestError
from heldout.metrics.metric_registry import metric_named
from heldout.stats.selection_bias import selection_bias_corrected
from heldout.verdict import (
    Answers,
    BestMean,
    JudgedRows,
    Rival,
    SimplestWithinNoise,
    Standing,
    corrected_number,
    estimate_of,
    quick_estimate,
    rivals_of,
)

from .made_rows import answers_of, classified, folds_of, measured

ACCURACY = metric_named("accuracy")


def rivals(rows: JudgedRows, skills: list[float], **known: list[float]) -> list[Rival]:
    """One per skill."""
    extra = [{name: each[place] for name, each in known.items()} for place in range(len(skills))]
    return [
        Rival(f"c{place}", answers_of(rows, skill, place), rows, **extra[place])
        for place, skill in enumerate(skills)
    ]


@pytest.mark.parametrize("groups", [None, np.arange(80) % 16])
def test_the_best_mean_is_corrected_as_in_stats(groups: np.ndarray | None) -> None:
    """With the best mean as the rule it is selection_bias_corrected, by rows and by groups."""
    rows = classified(80, n_repeats=3, groups=groups)
    made = rivals(rows, [0.3, 0.35, 0.4, 0.2])
    found = corrected_number(made, ACCURACY, BestMean(), seed=7, n_resamples=300)
    labels = np.stack([np.array(rows.classes)[each.answers.labels] for each in made], axis=2)
    wanted = selection_bias_corrected(labels, rows.y, "accuracy", n_bootstraps=300, seed=7, groups=groups)
    assert found.corrected == pytest.approx(wanted.corrected, rel=1e-12)
    assert found.interval.low <= wanted.interval.low + 1e-12
    assert found.interval.high >= wanted.interval.high - 1e-12
    assert found.frequencies == wanted.frequencies
    assert (found.best, found.best_score) == ("c" + wanted.chosen, pytest.approx(wanted.best_score))
    assert found.interval.n_rows == (80 if groups is None else 16)


def test_the_interval_is_no_shorter_than_that_of_one_contender() -> None:
    """A model that is always right has resamples that never differ, and still an interval: its own."""
    rows = classified(80, n_repeats=1)
    codes = np.searchsorted(np.array(rows.classes), rows.y)[np.newaxis]
    perfect = [Rival("perfect", Answers(labels=codes), rows), *rivals(rows, [0.1])]
    found = corrected_number(perfect, ACCURACY, BestMean())
    own = estimate_of(ACCURACY, Answers(labels=codes), rows)
    assert (found.corrected, found.interval.high) == (1, 1)
    assert found.interval.low == own.low < 0.95


def test_losses_of_numbers_are_corrected_as_in_stats() -> None:
    """The same for a mean squared error, of which the smaller is better."""
    rows = measured(70)
    made = rivals(rows, [0.3, 0.35, 0.4])
    found = corrected_number(made, metric_named("mse"), BestMean(), n_resamples=200)
    values = np.stack([each.answers.values for each in made], axis=2)
    wanted = selection_bias_corrected(values, rows.y, "mse", n_bootstraps=200)
    assert found.corrected == pytest.approx(wanted.corrected, rel=1e-12)
    assert found.optimism == pytest.approx(wanted.optimism)
    assert not found.is_larger_better


def test_any_metric_is_corrected_as_in_stats() -> None:
    """The AUC and F1 go their quick ways to what calling the metric gives, in strata of the classes."""
    rows = classified(60, n_repeats=2)
    made = rivals(rows, [0.3, 0.35, 0.4])
    scores = np.stack([each.answers.probabilities[:, :, 1] for each in made], axis=2)
    for name in ("auc", "balanced_accuracy"):
        metric = metric_named(name)
        labels = np.stack([np.array(rows.classes)[each.answers.labels] for each in made], axis=2)
        found = corrected_number(made, metric, BestMean(), n_resamples=40)
        wanted = selection_bias_corrected(
            scores if name == "auc" else labels, rows.y, metric, n_bootstraps=40, stratify=rows.y
        )
        assert found.corrected == pytest.approx(wanted.corrected, rel=1e-9)
        assert found.frequencies == wanted.frequencies


def test_plans_with_other_folds_and_repeats_are_one_choice() -> None:
    """Contenders of several plans are drawn on the same rows, whatever their splits."""
    rows = classified(100, n_folds=10, n_repeats=3)
    other = JudgedRows(rows.y, folds_of(100, 5, 1, seed=9), rows.classes, "b")
    both = [*rivals(rows, [0.4, 0.5]), *rivals(other, [0.45, 0.9])]
    both = [Rival(str(place), each.answers, each.rows) for place, each in enumerate(both)]
    found = corrected_number(both, ACCURACY, BestMean())
    assert found.best == "3"
    assert sum(found.frequencies) == 1000
    assert found.corrected == pytest.approx(found.best_score, abs=0.02)


def test_rows_of_the_plan_are_drawn() -> None:
    """An earlier hold-out does not take rows from the number of a later plan, nor the other way round."""
    rows = classified(100, n_folds=10, n_repeats=1)
    half = JudgedRows(rows.y, np.where(np.arange(100) < 50, rows.folds, -1), rows.classes, "b")
    later = corrected_number([*rivals(rows, [0.5]), *rivals(half, [0.6])], ACCURACY, BestMean())
    earlier = corrected_number([*rivals(half, [0.6]), *rivals(rows, [0.5])], ACCURACY, BestMean())
    assert (later.interval.n_rows, earlier.interval.n_rows) == (100, 50)
    assert min(later.frequencies) > 0


def test_who_was_tested_on_other_rows_is_not_chosen() -> None:
    """Without a row in common it has no score in any resample, and the number is that of the others."""
    rows = classified(100, n_folds=10, n_repeats=1)
    is_first = np.arange(100) < 50
    first, second = (
        JudgedRows(rows.y, np.where(each, rows.folds, -1), rows.classes, "b")
        for each in (is_first, ~is_first)
    )
    alone = corrected_number(rivals(first, [0.5]), ACCURACY, BestMean())
    both = corrected_number([*rivals(first, [0.5]), *rivals(second, [0.9])], ACCURACY, BestMean())
    assert both.frequencies == (1000, 0)
    assert both.interval == alone.interval


def test_a_single_row_cannot_be_drawn_from() -> None:
    """With one row tested there is no number, and it is said."""
    rows = JudgedRows(np.array(["a", "b", "b"]), np.array([[0, -1, -1]]), ("a", "b"), "b")
    found = corrected_number(
        [Rival("one", Answers(labels=np.array([[0, -1, -1]])), rows)], ACCURACY, BestMean()
    )
    assert math.isnan(found.corrected)
    assert "Fewer than two rows were tested" in str(found)


@pytest.mark.parametrize("groups", [None, np.arange(90) % 12])
@pytest.mark.parametrize("name", ["accuracy", "auc"])
def test_counts_that_are_kept_are_those_drawn_again(
    monkeypatch: pytest.MonkeyPatch, groups: np.ndarray | None, name: str
) -> None:
    """Large sets draw twice instead of keeping their counts, a few resamples at a time: the same number."""
    made = rivals(classified(90, groups=groups), [0.3, 0.4, 0.5])
    kept = corrected_number(made, metric_named(name), BestMean(), n_resamples=50)
    monkeypatch.setattr("heldout.verdict.bags.MOST_KEPT", 0)
    monkeypatch.setattr("heldout.verdict.bags.CHUNK", 700)
    monkeypatch.setattr("heldout.verdict.ranked_score.CHUNK", 200)
    assert corrected_number(made, metric_named(name), BestMean(), n_resamples=50) == kept


def test_the_rule_is_repeated() -> None:
    """The simplest within noise takes the short one of two alike, the best mean the other."""
    rows = classified(300, n_folds=10, n_repeats=1)
    alike = answers_of(rows, 0.8, 1)
    labels = alike.labels.copy()
    labels[0, :2] = 1 - labels[0, :2]
    made = [
        Rival("long", alike, rows, bits=1000.0),
        Rival("short", Answers(labels=labels), rows, bits=10.0),
    ]
    by_mean = corrected_number(made, ACCURACY, BestMean())
    by_length = corrected_number(made, ACCURACY, SimplestWithinNoise())
    assert by_length.frequencies[1] > 900
    assert by_mean.frequencies[0] > 500


def test_noise_is_seen_through() -> None:
    """Of thirty coins the best looks good; what to expect of either rule is chance, on average."""
    best, by_mean, by_rule = [], [], []
    for seed in range(30):
        generator = np.random.default_rng(seed)
        y = np.arange(100) % 2
        rows = JudgedRows(y, folds_of(100, 10, 1, seed), (0, 1), 1)
        coins = [
            Rival(str(place), Answers(labels=generator.integers(2, size=(1, 100))), rows, bits=place)
            for place in range(30)
        ]
        guess = Rival("baseline", Answers(labels=np.ones((1, 100), dtype=int)), rows, 0.0, is_baseline=True)
        found = corrected_number([*coins, guess], ACCURACY, BestMean(), seed, n_resamples=100)
        best.append(found.best_score)
        by_mean.append(found.corrected)
        again = corrected_number([*coins, guess], ACCURACY, SimplestWithinNoise(), seed, n_resamples=100)
        by_rule.append(again.corrected)
    assert np.mean(best) > 0.58
    assert abs(np.mean(by_mean) - 0.5) < 0.03
    assert abs(np.mean(by_rule) - 0.5) < 0.03
    assert again.of_baseline.estimate == 0.5


def test_quick_plans_choose_among_contenders_and_settings() -> None:
    """Every setting of every complete contender is a rival of its own."""
    rows = classified(80, n_repeats=1)
    settings = tuple(answers_of(rows, 0.2, seed) for seed in range(4))
    standings = [
        Standing("knn", "accuracy", settings=settings, bits=5.0),
        Standing("tree", "accuracy", settings=settings[:1]),
        Standing("broken", "accuracy", settings=settings, is_complete=False),
        Standing("usual", "accuracy", out_of_fold=settings[0]),
        Standing("bare", "accuracy"),
    ]
    made = rivals_of(standings, rows)
    assert [each.name for each in made] == [
        *(f"knn, setting {n}" for n in (1, 2, 3, 4)),
        "tree, setting 1",
        "usual",
    ]
    assert made[0].bits == 5.0
    best = max((np.array(rows.classes)[each.labels[0]] == rows.y).mean() for each in settings)
    assert quick_estimate(ACCURACY, settings, rows).estimate < best


def test_the_same_seed_gives_the_same_number() -> None:
    """No clock and no order of sets: the same answers give the same number, another seed another."""
    rows = classified(80)
    made = rivals(rows, [0.3, 0.4])
    one, two, other = (corrected_number(made, ACCURACY, BestMean(), seed) for seed in (1, 1, 2))
    assert one == two
    assert one.interval != other.interval


def test_nothing_to_choose_among_is_refused() -> None:
    """Without any rival there is no number."""
    with pytest.raises(RequestError, match="nothing to choose"):
        corrected_number([], ACCURACY, BestMean())


def test_many_contenders_are_quick() -> None:
    """23 contenders × 2,000 rows × 3 repeats take little time, also by AUC."""
    rows = classified(2000, n_folds=10, n_repeats=3)
    made = rivals(rows, [0.5] * 23)
    for name in ("accuracy", "auc"):
        start = time.process_time()
        found = corrected_number(made, metric_named(name), SimplestWithinNoise())
        assert time.process_time() - start < 2  # about a fifth of a second on an idle core
        assert len(found.names) == 23


def test_every_run_can_afford_it() -> None:
    """One contender and a baseline by 3 × 10 folds of 5,000 rows, in whole groups too."""
    for groups in (None, np.arange(5000) // 5):
        rows = classified(5000, n_folds=10, n_repeats=3, groups=groups)
        guess = Answers(labels=np.zeros((3, 5000), dtype=int))
        made = [*rivals(rows, [0.5]), Rival("baseline", guess, rows, 1.0, is_baseline=True)]
        start = time.process_time()
        found = corrected_number(made, ACCURACY, SimplestWithinNoise())
        assert time.process_time() - start < 0.5  # less than a tenth on an idle core
        assert found.frequencies == (1000, 0)
