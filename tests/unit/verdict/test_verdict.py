"""A verdict says which model, why it and not another, what is not significant, and with which number."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest
from scipy.stats import nct, norm, t

from heldout.metrics.metric_registry import metric_named
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict import (
    BestMean,
    JudgedRows,
    PairedComparison,
    Predictions,
    SimplestWithinNoise,
    Standing,
    Verdict,
    compare_contenders,
    estimate_score,
    make_verdict,
)
from heldout.verdict.verdict import RaceFacts

from .made_rows import bare, classified, fold_scores, predictions_of, standing

ACCURACY = metric_named("accuracy")


def judged(standings: list[Standing], rows: JudgedRows, rule: Any = None, **known: Any) -> Verdict:
    """The verdict over these contenders as a study makes it."""
    rule = SimplestWithinNoise() if rule is None else rule
    comparisons = compare_contenders(standings, ACCURACY, rows)
    return make_verdict(standings, comparisons, rule, ACCURACY, rows, **known)


@pytest.fixture(scope="module")
def rows() -> JudgedRows:
    return classified(400, n_folds=10, n_repeats=3)


def said(name: str, labels: np.ndarray, rows: JudgedRows, bits: float) -> Standing:
    """A contender that answers the same in every repeat."""
    answers = Predictions(labels=np.repeat(labels, rows.n_repeats, axis=0))
    scores = fold_scores("accuracy", answers, rows)
    return Standing(name, "accuracy", estimate_score(ACCURACY, answers, rows), scores, answers, bits=bits)


@pytest.fixture(scope="module")
def verdict(rows: JudgedRows) -> Verdict:
    """A forest that scores best, a tree as good, a stump far behind, and one that broke."""
    labels = predictions_of(rows, 0.8, 1).labels[:1]
    is_right = np.array(rows.classes)[labels[0]] == rows.y
    # Of these rows the tree has five wrong that the forest has right, and three right that it has wrong.
    turned = np.r_[np.flatnonzero(is_right)[:5], np.flatnonzero(~is_right)[:3]]
    others = labels.copy()
    others[:, turned] = 1 - others[:, turned]
    forest, tree = said("forest", labels, rows, 9000.0), said("tree", others, rows, 80.0)
    standings = [
        standing("baseline", rows, 0.0, 5, bits=2.0, is_baseline=True),
        standing("stump", rows, 0.4, 3, bits=10.0),
        tree,
        forest,
        Standing("svm", "accuracy", is_complete=False, problem="fold 3 raised ValueError"),
    ]
    return judged(
        standings, rows, race=RaceFacts(4, 4, (1, 4), ("forest",), "stump"), notes=("Chosen by accuracy.",)
    )


def test_the_first_sentence_is_short_and_has_the_number(verdict: Verdict) -> None:
    """It names the winner, the corrected number with its interval, and among how many was chosen."""
    first = str(verdict).splitlines()[0]
    assert first == verdict.sentence
    assert first.startswith("tree wins: accuracy 0.")
    assert "95% interval" in first
    assert "corrected for choosing among 4 contenders" in first
    assert verdict.number == verdict.corrected.interval


def test_it_says_why_and_not_the_best(verdict: Verdict) -> None:
    """The reason compares winner and best in score and length."""
    assert (verdict.winner, verdict.beats_baseline) == ("tree", True)
    assert verdict.best == "forest"
    assert "80 bits against 9,000 bits" in verdict.reason
    assert verdict.reason in " ".join(verdict.details)


def test_it_says_who_does_not_differ_significantly(verdict: Verdict) -> None:
    """Who does not differ from the winner is named, and that this does not show equality."""
    said = next(each for each in verdict.details if "No significant difference" in each)
    assert "forest" in said
    assert "stump" not in said
    assert "does not show" in said


def test_it_names_the_incomplete_and_the_plans(verdict: Verdict) -> None:
    """Incomplete contenders with their problem; of which plans the race is, who is new, who won before."""
    text = " ".join(verdict.details)
    assert "svm (fold 3 raised ValueError)" in text
    assert "The race is of plans 1 and 4, 5 contenders; forest is new." in text
    assert "Before plan 4 stump won." in text
    assert "Chosen by accuracy." in text
    assert (
        "All 3 models are significantly better than baseline (one-sided, Holm over the 3 comparisons with it"
        in text
    )
    assert "Expected score when trained on 9/10 of these rows, about" in text


def test_lines_fit_a_terminal(verdict: Verdict) -> None:
    """Below the first sentence no line is longer than 80 characters."""
    assert max(len(line) for line in str(verdict).splitlines()[1:]) <= 80


def test_it_becomes_json_and_a_picture(verdict: Verdict) -> None:
    """The dict holds words and numbers without arrays; the picture marks the winner and the baseline."""
    found = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert found["winner"] == "tree"
    assert found["text"] == str(verdict)
    assert found["number"]["estimate"] == verdict.number.estimate
    assert [each["name"] for each in found["standings"]] == ["baseline", "stump", "tree", "forest", "svm"]
    assert "out_of_fold" not in found["standings"][0]
    picture = verdict.to_svg()
    ElementTree.fromstring(picture)
    assert "tree, the winner" in picture
    assert "corrected for the choosing" in picture
    assert "stroke-dasharray" in picture


def test_nothing_beats_guessing(rows: JudgedRows) -> None:
    """Coins: the baseline wins, in the first sentence, with a number near chance."""
    standings = [standing("baseline", rows, 0.0, 5, bits=2.0, is_baseline=True)]
    standings += [standing(f"coin {seed}", rows, 0.0, seed, bits=50.0) for seed in (6, 7, 8)]
    found = judged(standings, rows)
    assert found.sentence.startswith("No model was shown to beat guessing with these rows, so baseline wins")
    assert (found.winner, found.beats_baseline) == ("baseline", False)
    assert found.number == standings[0].estimate
    assert found.number.estimate == standings[0].score


def test_the_best_that_cannot_win_is_named(rows: JudgedRows) -> None:
    """A contender with the best score that is not shown to beat the baseline is said to be out."""
    noisy = bare("noisy", 0.95, bits=1.0, fold_scores=np.tile([[0.0, 2.0]], (3, 5)))
    standings = [
        standing("baseline", rows, 0.0, 5, bits=2.0, is_baseline=True),
        standing("tree", rows, 0.8, 1, bits=80.0),
        noisy,
    ]
    comparisons = compare_contenders(standings, ACCURACY, rows)
    found = make_verdict(standings, comparisons, SimplestWithinNoise(), ACCURACY)
    assert (found.winner, found.best) == ("tree", "noisy")
    assert "noisy has the best score of all, but was not shown to beat baseline" in " ".join(found.details)


def near_miss(*p_values: float) -> Verdict:
    """Two models whose intervals against the baseline leave out 0, with these p."""
    standings = [bare("baseline", 0.5, is_baseline=True, bits=1.0), bare("a", 0.7, bits=9.0), bare("b", 0.6)]
    effects = {"a": (0.2, 0.01, 0.39), "b": (0.1, -0.1, 0.3)}
    made = [
        PairedComparison(name, "baseline", Interval("", *effects[name]), p, "t", standard_error=0.1)
        for name, p in zip("ab", p_values, strict=True)
    ]
    made.append(PairedComparison("a", "b", Interval("", 0.1, -0.1, 0.3), 0.9, "t", standard_error=0.1))
    return make_verdict(standings, Comparison.adjusted(made), SimplestWithinNoise(), ACCURACY)


def test_what_could_have_been_seen_stands_beside_a_null() -> None:
    """The largest lead, and the lead that four of five such studies would have found at 5% / 2."""
    found = near_miss(0.06, 0.3)
    assert found.winner == "baseline"
    assert found.sentence.startswith("No model was shown to beat guessing with these rows, so baseline wins")
    assert found.decision.detectable == pytest.approx((norm.isf(0.025) + norm.ppf(0.8)) * 0.1)
    assert found.details[1] == (
        "The largest lead is that of a, 0.200. With these rows a true lead of 0.280 in accuracy would be"
        " found in 80% of such studies, whichever model had it; a smaller one less often."
    )
    assert "No significant difference between baseline and a or b" in str(found)


@pytest.mark.parametrize("freedom", [9, 29])
def test_the_lead_that_could_be_seen_has_four_fifths_of_power(freedom: int) -> None:
    """By the noncentral t of SciPy the test finds it in 80% of studies, give or take two points."""
    pair = PairedComparison(
        "a", "b", Interval("", 0.0, -1, 1), 1.0, standard_error=0.05, degrees_of_freedom=freedom
    )
    shift = pair.detectable(0.05 / 3) / 0.05
    assert nct.sf(t.isf(0.05 / 6, freedom), freedom, shift) == pytest.approx(0.8, abs=0.02)


def test_who_beats_the_baseline_is_told_from_it() -> None:
    """p of 3 × .02 over all pairs is above 5%, but 2 × .02 over those with the baseline decides, here too."""
    found = near_miss(0.02, 0.3)
    assert (found.winner, found.beats_baseline) == ("a", True)
    assert found.comparisons[0].adjusted_p == pytest.approx(0.06)
    assert "Only a is significantly better than baseline" in str(found)
    assert math.isnan(found.decision.detectable)
    assert "No significant difference between a and b (Holm over all 3 pairs)" in " ".join(found.details)


def test_nobody_could_be_judged() -> None:
    """All broke: there is no winner, and still a text, a dict and a picture."""
    broken = [Standing("tree", "accuracy", is_complete=False, problem="it raised")]
    found = make_verdict(broken, [], SimplestWithinNoise(), ACCURACY)
    assert found.winner == ""
    assert found.sentence.startswith("No verdict")
    assert "tree (it raised)" in str(found)
    assert math.isnan(found.number.estimate)
    json.dumps(found.to_dict(), allow_nan=False)
    ElementTree.fromstring(found.to_svg())


def test_without_a_baseline_it_is_said(rows: JudgedRows) -> None:
    """It is then not known whether anything beats guessing."""
    found = judged([standing("tree", rows, 0.8, 1, bits=80.0)], rows, BestMean())
    assert found.winner == "tree"
    assert not found.beats_baseline
    assert "not known whether anything beats guessing" in str(found)
    assert "no choice to correct for" in found.sentence


def test_a_quick_plan_is_labelled(rows: JudgedRows) -> None:
    """The verdict of a plan without an outer loop says so, and counts settings."""
    settings = tuple(predictions_of(rows, 0.7, seed) for seed in range(3))
    one = standing("knn", rows, 0.7, 0, bits=5.0, settings=settings)
    found = judged([one], rows, is_quick=True)
    assert "corrected for choosing among 3 candidates" in found.sentence
    assert "1 contender with all settings are 3 candidates." in found.details
    assert "quick plan" in str(found)


def test_resamples_that_choose_others_are_told(rows: JudgedRows) -> None:
    """A winner that fewer than half of the resamples choose has a line that says who else is chosen."""
    standings = [standing("baseline", rows, 0.0, 5, bits=2.0, is_baseline=True)]
    standings += [standing(f"c{seed}", rows, 0.6, seed, bits=50.0) for seed in range(6, 26)]
    found = judged(standings, rows, BestMean())
    assert found.corrected is not None
    assert found.number.estimate <= found.corrected.best_score
    share = found.corrected.shares[found.winner]
    told = [each for each in found.details if each.startswith("When rows are drawn anew")]
    assert share < 0.5
    assert told[0].startswith(
        f"When rows are drawn anew, {found.winner} is chosen in {share:.0%} of resamples"
    )


def test_other_characters_are_harmless(rows: JudgedRows) -> None:
    """Names with marks of HTML stay text in the picture."""
    found = judged([standing("<script>alert(1)</script>", rows, 0.8, 1, bits=80.0)], rows)
    assert "<script>" not in found.to_svg()
