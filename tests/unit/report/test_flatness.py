"""How flat an optimum is: the noise of the choice, the settings within it, the words for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import heldout as ho
from heldout.report.summarize import summarize
from heldout.report.tuning.setting_scores import flatness, setting_lines, settings_of, within_range
from heldout.report.tuning.tuning_figure import flat_words, tuning_figure

SCORES = np.random.default_rng(2).normal(0.8, 0.02, (30, 4)) + np.array([0.0, 0.05, 0.049, -0.2])


def test_the_noise_of_folds_that_choose_is_their_deviation() -> None:
    """For nested scores the noise is the standard deviation of paired differences, as SciPy has it."""
    found = flatness(SCORES, True, test_share=0.1, is_nested=True)
    assert found is not None
    best = int(SCORES.mean(axis=0).argmax())
    assert found.best == best
    assert found.noise[0] == pytest.approx(stats.tstd(SCORES[:, 0] - SCORES[:, best]))
    assert found.is_within.tolist() == [False, True, True, False]


def test_the_noise_of_one_choice_is_a_corrected_error() -> None:
    """For a choice by the mean the noise is SciPy's standard error, widened for shared training rows."""
    found = flatness(SCORES, True, test_share=0.2, is_nested=False)
    assert found is not None
    plain = stats.sem(SCORES[:, 3] - SCORES[:, found.best])
    widened = np.sqrt((1 / 30 + 0.2 / 0.8) * 30)
    assert found.noise[3] == pytest.approx(plain * widened)


def test_errors_are_best_where_they_are_smallest() -> None:
    """By a metric of errors the setting with the smallest mean is the best."""
    found = flatness(SCORES, False, test_share=0.1, is_nested=True)
    assert found is not None
    assert found.best == 3
    assert found.is_within.tolist() == [False, False, False, True]


def test_equal_settings_are_all_within() -> None:
    """Settings that score the same in every cell are within noise of each other, the first is the best."""
    found = flatness(np.full((5, 3), 0.7), True, test_share=0.2, is_nested=True)
    assert found is not None
    assert (found.best, found.n_within) == (0, 3)


def test_settings_without_a_score_are_left_out() -> None:
    """A setting that failed or lost infinitely much somewhere is never within noise; nor are all of them."""
    losses = np.array([[np.inf, 0.5, np.inf], [0.4, 0.6, np.inf]])
    lost = flatness(losses, False, test_share=0.5, is_nested=True)
    assert lost is not None
    assert (lost.best, lost.is_within.tolist()) == (1, [False, True, False])
    assert flatness(losses[:, [0, 2]], False, test_share=0.5, is_nested=True) is None
    found = flatness(np.array([[np.nan, 0.5], [0.9, 0.6]]), True, test_share=0.5, is_nested=True)
    assert found is not None
    assert found.is_within.tolist() == [False, True]
    assert flatness(np.full((2, 2), np.nan), True, test_share=0.5, is_nested=True) is None


def test_one_cell_tells_nothing_of_noise() -> None:
    """From a single cell only the best setting itself is within noise."""
    found = flatness(np.array([[0.5, 0.9, 0.89]]), True, test_share=0.5, is_nested=True)
    assert found is not None
    assert found.is_within.tolist() == [False, True, False]


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_the_range_is_the_run_around_the_best(is_within: list[bool], data: Any) -> None:
    """All between the ends of the range is within noise, and what lies next to it is not."""
    best = data.draw(st.integers(0, len(is_within) - 1))
    is_within[best] = True
    values = list(range(len(is_within)))
    low, high = within_range(values, is_within, best)
    assert isinstance(low, int)
    assert isinstance(high, int)
    assert low <= best <= high
    assert all(is_within[low : high + 1])
    assert low == 0 or not is_within[low - 1]
    assert high == len(is_within) - 1 or not is_within[high + 1]


def test_a_grid_of_two_becomes_lines_over_the_longer_one() -> None:
    """The numeric parameter with the most values stands across, the others give the lines."""
    space = {"grid": [["weights", ["uniform", "distance"]], ["k", [9, 1, 3]]]}
    settings = settings_of(space)
    scores = np.tile(np.linspace(0.1, 0.6, 6), (4, 1))
    found = flatness(scores, True, test_share=0.25, is_nested=True)
    assert found is not None
    lines = setting_lines(settings, found, larger_is_better=True)
    assert lines is not None
    assert (lines["parameter"], lines["places"]) == ("k", [1, 3, 9])
    assert [line["label"] for line in lines["lines"]] == ['weights = "uniform"', 'weights = "distance"']
    assert lines["lines"][1]["means"] == pytest.approx([0.5, 0.6, 0.4])


def test_too_many_lines_become_the_best_of_them() -> None:
    """With more combinations than can be told apart, the best of the others is drawn at each place."""
    space = {"grid": [["a", [1, 2, 3]], ["b", [1, 2, 3]], ["k", [1, 2, 3, 4]]]}
    settings = settings_of(space)
    scores = np.tile(np.arange(36.0), (3, 1))
    found = flatness(scores, True, test_share=0.25, is_nested=True)
    assert found is not None
    lines = setting_lines(settings, found, larger_is_better=True)
    assert lines is not None
    assert len(lines["lines"]) == 1
    assert lines["lines"][0]["means"] == [32.0, 33.0, 34.0, 35.0]
    assert lines["is_at_end"]


def test_settings_as_a_list_are_known() -> None:
    """A space that is a list of settings gives them in order; one that is neither gives none."""
    assert settings_of({"settings": [{"k": 1}, {"k": 5}]}) == [{"k": 1}, {"k": 5}]
    assert settings_of(None) == []


@pytest.mark.parametrize(
    ("n_within", "words"),
    [(1, "sharp"), (2, "narrow"), (5, "flat"), (20, "Tuning made no difference that shows")],
)
def test_words_follow_the_share(n_within: int, words: str) -> None:
    """One setting within noise is a sharp optimum, a few a narrow one, many a flat one, all none."""
    best = {"setting": {"k": 5}, "mean": 0.5}
    assert words in flat_words({"n_settings": 20, "n_within": n_within, "best": best})


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The summary of a study with two tuned contenders, standard and quick."""
    folder: Path = tmp_path_factory.mktemp("flat")
    table = ho.datasets.load("penguins").drop("year")
    near = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 61]})
    plans = {"standard": ho.Plan((near,), ho.KFold(3), ho.KFold(2)), "quick": ho.Plan((near,), rigor="quick")}
    found = {}
    for name, plan in plans.items():
        with ho.Study.create(folder / f"{name}.heldout", table, "species") as study:
            study.run(plan, n_jobs=1, progress=False)
            found[name] = summarize(study.ledger)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rigor", ["standard", "quick"])
def test_a_study_tells_how_flat_its_optimum_is(summary: dict[str, Any], rigor: str) -> None:
    """The summary holds the mean of each setting over the recorded cells, and a figure can be made of it."""
    [tuned] = summary[rigor]["tuned"]
    flat = tuned["flat"]
    assert (flat["n_settings"], flat["is_nested"]) == (3, rigor == "standard")
    assert {each["setting"]["k"] for each in flat["listed"]} == {1, 5, 61}
    means = [each["mean"] for each in flat["listed"]]
    assert means == sorted(means, reverse=True)
    chosen = sum(each["n_chosen"] for each in flat["listed"])
    assert chosen == (3 if rigor == "standard" else 0)
    figure = tuning_figure("near", flat)
    assert figure.picture.startswith("<svg")
    assert len(figure.rows) == 3
