"""Rules decide as they say, for every kind of plan and every gap in it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heldout.errors import DataError, KindError, RequestError
from heldout.metrics.metric_registry import metric_named
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict import BestMean, PairedComparison, SimplestWithinNoise, Standing, rule_of_dict
from heldout.verdict.margin import margin_unit
from heldout.verdict.rivals import Rivals

from .made_rows import bare

ACCURACY = metric_named("accuracy")


def compared(
    standings: Sequence[Standing], error: float = 0.01, p_value: float = 0.001, is_larger_better: bool = True
) -> list[PairedComparison]:
    """All pairs with this standard error, and with this p against a baseline."""
    found = []
    for place, first in enumerate(standings):
        for second in standings[place + 1 :]:
            difference = first.score - second.score
            effect = Interval("", difference, difference - 2 * error, difference + 2 * error)
            found.append(
                PairedComparison(
                    first.name,
                    second.name,
                    effect,
                    p_value,
                    adjusted_p=p_value,
                    standard_error=error,
                    is_larger_better=is_larger_better,
                )
            )
    return found


def plan(**scores: tuple[float, float]) -> list[Standing]:
    """Contenders with score and bits; one named baseline is one."""
    return [
        bare(name, score, bits=bits, is_baseline=name == "baseline") for name, (score, bits) in scores.items()
    ]


FOUR = {"baseline": (0.6, 2.0), "tree": (0.895, 100.0), "forest": (0.90, 9000.0), "stump": (0.85, 10.0)}


def test_the_simplest_within_noise_and_margin_wins() -> None:
    """The tree lies half a point behind the forest, within both limits, and is shorter."""
    found = SimplestWithinNoise().decide(plan(**FOUR), compared(plan(**FOUR)), ACCURACY)
    assert (found.winner, found.best) == ("tree", "forest")
    assert found.equals == ("tree", "forest")
    assert set(found.better_than_baseline) == {"tree", "forest", "stump"}
    assert found.margin == 0.01
    assert "forest scores best" in found.reasons[0]
    assert "100 bits against 9,000 bits" in found.reasons[0]


@pytest.mark.parametrize(
    ("rule", "error", "winner"),
    [
        (SimplestWithinNoise(), 0.004, "forest"),  # half a point is more than one standard error
        (SimplestWithinNoise(se=2), 0.004, "tree"),
        (SimplestWithinNoise(margin=0.001), 0.01, "forest"),  # and more than a tenth of a point
        (SimplestWithinNoise(margin=None), 0.06, "stump"),  # without a margin noise alone counts
        (SimplestWithinNoise(), 0.06, "tree"),
        (SimplestWithinNoise(se=0), 0.06, "forest"),
        (BestMean(), 0.06, "forest"),
    ],
)
def test_both_limits_count(rule: Any, error: float, winner: str) -> None:
    """A contender has to be within the standard errors and within the margin."""
    standings = plan(**FOUR)
    assert rule.decide(standings, compared(standings, error), ACCURACY).winner == winner


def test_who_does_not_beat_the_baseline_cannot_win() -> None:
    """With p above 5% for the forest alone the tree is the best that may win; both are named."""
    standings = plan(**FOUR)
    comparisons = [
        each
        if {each.name_a, each.name_b} != {"baseline", "forest"}
        else Comparison(each.name_a, each.name_b, each.effect, 0.2, adjusted_p=0.2)
        for each in compared(standings)
    ]
    found = SimplestWithinNoise().decide(standings, comparisons, ACCURACY)
    assert (found.winner, found.best) == ("tree", "forest")
    assert found.equals == ("tree",)
    assert found.reasons == (
        "tree has the best accuracy of those that beat baseline, 0.895, and no other lies within 1 corrected"
        " standard error and 0.010 of it.",
        "tree and stump are significantly better than baseline (Holm over the 3 comparisons with it);"
        " forest is not shown to be.",
        "Taken alone, forest would beat baseline: the 95% interval of their difference, -0.320 to -0.280,"
        " leaves out 0. Among 3 such comparisons that can be luck: adjusted p = 0.200.",
    )


def test_nothing_beats_guessing() -> None:
    """If no p is small enough the baseline wins, and it is said."""
    standings = plan(**FOUR)
    found = SimplestWithinNoise().decide(standings, compared(standings, p_value=0.06), ACCURACY)
    assert (found.winner, found.best) == ("baseline", "forest")
    assert found.is_baseline
    assert found.better_than_baseline == ()
    assert found.reasons[0].startswith("None of 3 models is significantly better than baseline (Holm over")


def against(standings: Sequence[Standing], **p_values: float) -> list[PairedComparison]:
    """All pairs; p against the baseline as given, and 1 of all others, adjusted over all pairs."""
    made = [
        dataclasses.replace(
            each, p_value=p_values.get(each.name_b, 1.0) if each.name_a == "baseline" else 1.0
        )
        for each in compared(standings)
    ]
    return list(Comparison.adjusted(made))


@pytest.mark.parametrize(
    ("p_values", "better"),
    [
        ({"tree": 0.016, "forest": 0.9, "stump": 0.9}, ("tree",)),  # 6 × .016 = .096 over all pairs
        ({"tree": 0.017, "forest": 0.9, "stump": 0.9}, ()),
        ({"tree": 0.016, "forest": 0.024, "stump": 0.05}, ("tree", "forest", "stump")),
        ({"tree": 0.026, "forest": 0.9, "stump": 0.01}, ("stump",)),  # 2 × .026 = .052
    ],
)
def test_beating_the_baseline_is_a_family_of_its_own(
    p_values: dict[str, float], better: tuple[str, ...]
) -> None:
    """Holm over the comparisons with the baseline decides, whatever pairs of models say."""
    standings = plan(**FOUR)
    found = SimplestWithinNoise().decide(standings, against(standings, **p_values), ACCURACY)
    assert found.better_than_baseline == better
    assert [each.n_together for each in found.against_baseline] == [3, 3, 3]
    assert set(found.near_baseline) == {"tree", "forest", "stump"} - set(better)
    assert sum("Taken alone" in said for said in found.reasons) == len(found.near_baseline)


def test_an_unknown_interval_leaves_out_nothing() -> None:
    """A p above 5% without an interval is not said to be near."""
    standings = plan(baseline=(0.6, 2.0), tree=(0.9, 100.0))
    unknown = Interval("", 0.3, math.nan, math.nan)
    found = SimplestWithinNoise().decide(standings, [Comparison("tree", "baseline", unknown, 0.3)], ACCURACY)
    assert (found.winner, found.near_baseline) == ("baseline", ())
    assert found.reasons == ("tree is not significantly better than baseline.",)


def test_a_model_that_is_significantly_worse_does_not_beat_guessing() -> None:
    """A small p speaks for the baseline where the baseline scores better."""
    standings = plan(baseline=(0.6, 2.0), tree=(0.5, 100.0))
    assert SimplestWithinNoise().decide(standings, compared(standings), ACCURACY).winner == "baseline"


def test_where_nothing_could_be_tested_it_is_said() -> None:
    """Without any p the baseline stands, and nobody says that no model beats guessing."""
    standings = plan(baseline=(0.6, 2.0), tree=(0.9, 100.0))
    found = SimplestWithinNoise().decide(standings, [], ACCURACY)
    assert found.winner == "baseline"
    assert "could not be tested" in found.reasons[0]


def test_without_a_baseline_all_may_win() -> None:
    """The rule then chooses among all, and says that guessing was not beaten."""
    standings = plan(tree=(0.895, 100.0), forest=(0.9, 9000.0))
    found = SimplestWithinNoise().decide(standings, compared(standings, p_value=0.5), ACCURACY)
    assert found.winner == "tree"
    assert not found.baseline
    assert any("no baseline" in reason for reason in found.reasons)


def test_one_contender_alone() -> None:
    """One that beats the baseline wins; a baseline alone wins; one without a baseline wins."""
    both = plan(baseline=(0.6, 2.0), tree=(0.9, 100.0))
    assert SimplestWithinNoise().decide(both, compared(both), ACCURACY).winner == "tree"
    alone = SimplestWithinNoise().decide(both[:1], [], ACCURACY)
    assert alone.winner == "baseline"
    assert "Only baseline" in alone.reasons[0]
    assert SimplestWithinNoise().decide(both[1:], [], ACCURACY).winner == "tree"


@pytest.mark.parametrize("rule", [SimplestWithinNoise(), BestMean()])
def test_nobody_can_be_judged(rule: Any) -> None:
    """All incomplete, or without a score: there is no winner, and no error."""
    broken = [bare("tree", 0.9, is_complete=False, problem="it raised"), bare("rule", math.nan)]
    found = rule.decide(broken, [], ACCURACY)
    assert (found.winner, found.best) == ("", "")
    assert "none can win" in found.reasons[0]
    assert rule.decide([], [], ACCURACY).winner == ""


def test_an_incomplete_contender_cannot_win() -> None:
    """However well it scored in the folds that it has."""
    standings = [*plan(**FOUR), bare("lucky", 0.99, bits=1.0, is_complete=False)]
    complete = standings[:-1]
    assert SimplestWithinNoise().decide(standings, compared(complete), ACCURACY).winner == "tree"
    assert BestMean().decide(standings, compared(complete), ACCURACY).winner == "forest"


def test_ties_go_to_the_better_score_then_to_the_first() -> None:
    """Equal lengths are settled by the score, equal scores by the order; an unknown length is the longest."""
    same = plan(one=(0.90, 10.0), two=(0.905, 10.0))
    assert SimplestWithinNoise().decide(same, compared(same), ACCURACY).winner == "two"
    equal = plan(one=(0.9, 10.0), two=(0.9, 10.0))
    assert SimplestWithinNoise().decide(equal, compared(equal), ACCURACY).winner == "one"
    unknown = plan(one=(0.905, math.nan), two=(0.9, 1e9))
    assert SimplestWithinNoise().decide(unknown, compared(unknown), ACCURACY).winner == "two"


def test_of_losses_the_smaller_is_better() -> None:
    """For a mean squared error the margin is a share of the baseline's loss."""
    mse = metric_named("mse")
    standings = [
        Standing(name, "mse", Interval("mse", score, 0, 1), bits=bits, is_baseline=name == "baseline")
        for name, score, bits in (("baseline", 50.0, 1.0), ("ridge", 10.4, 20.0), ("forest", 10.0, 9000.0))
    ]
    comparisons = compared(standings, error=1.0, is_larger_better=False)
    found = SimplestWithinNoise().decide(standings, comparisons, mse)
    assert (found.winner, found.margin) == ("ridge", 0.5)
    assert "1% of baseline's mse" in found.reasons[0]
    assert SimplestWithinNoise(margin=0.005).decide(standings, comparisons, mse).winner == "forest"


@pytest.mark.parametrize(
    ("name", "reference", "unit"),
    [
        ("accuracy", 0.5, 1.0),
        ("auc", 0.5, 1.0),
        ("brier", 0.25, 0.25),
        ("mse", 9.0, 9.0),
        ("log_loss", 0.7, 0.7),
    ],
)
def test_units_of_the_margin(name: str, reference: float, unit: float) -> None:
    """Scores with a range are measured by it, losses of numbers and probabilities by the baseline's."""
    assert margin_unit(metric_named(name), reference) == unit
    assert margin_unit(metric_named("r2"), 0.0) == 1.0


@pytest.mark.parametrize("rule", [SimplestWithinNoise(), SimplestWithinNoise(2, None, 0.01), BestMean()])
def test_rules_go_to_a_dict_and_back(rule: Any) -> None:
    """A rule is what its dict makes."""
    assert rule_of_dict(rule.to_dict()) == rule


@pytest.mark.parametrize(
    ("plain", "error", "words"),
    [
        ({"rule": "BestMeen"}, DataError, "BestMean"),
        ({"rule": "SimplestWithinNoise", "margins": 1}, DataError, "'margin'"),
        ({"rule": "BestMean", "se": 1}, DataError, "no settings"),
        ("BestMean", KindError, "to_dict"),
        ({"rule": "SimplestWithinNoise", "se": -1}, RequestError, "use 1"),
        ({"rule": "SimplestWithinNoise", "margin": "1%"}, RequestError, "one point"),
    ],
)
def test_what_is_no_rule_is_refused(plain: Any, error: type[Exception], words: str) -> None:
    """Misspelled rules and settings are refused with what was meant."""
    with pytest.raises(error) as caught:
        rule_of_dict(plain)
    assert words in str(caught.value)


@example(2048, 5, False)  # one lies exactly one standard error behind the best
@given(st.integers(0, 100_000), st.integers(1, 6), st.booleans())
def test_repeated_choices_are_those_of_decide(seed: int, n_rivals: int, has_baseline: bool) -> None:
    """Without the test against the baseline a rule takes the same on numbers as on standings."""
    generator = np.random.default_rng(seed)
    scores = 0.8 + generator.integers(0, 30, size=n_rivals) / 1000
    bits = generator.integers(1, 5, size=n_rivals).astype(float)
    error = float(generator.choice([0.001, 0.005, 0.02]))
    standings = [bare(f"c{place}", scores[place], bits=bits[place]) for place in range(n_rivals)]
    errors = np.full((n_rivals, n_rivals), error)
    is_baseline = np.zeros(n_rivals, dtype=bool)
    if has_baseline:
        standings = [bare("guess", 0.1, bits=1.0, is_baseline=True), *standings]
        scores, bits = np.r_[0.1, scores], np.r_[1.0, bits]
        errors = np.full((n_rivals + 1, n_rivals + 1), error)
        is_baseline = np.r_[True, is_baseline]
    rivals = Rivals(scores[np.newaxis], errors, bits, is_baseline)
    for rule in (SimplestWithinNoise(), SimplestWithinNoise(margin=None), BestMean()):
        wanted = rule.decide(standings, compared(standings, error), ACCURACY).winner
        assert standings[int(rule.places(rivals)[0])].name == wanted


def test_on_numbers_models_are_taken_before_the_baseline() -> None:
    """Beating it was decided before; it is taken where no model has a score, or is the best mean."""
    goodness = np.array([[0.5, 0.9], [0.5, 0.45], [0.5, math.nan], [math.nan, math.nan], [math.nan, 0.7]])
    rivals = Rivals(goodness, np.full((2, 2), 0.02), np.array([1.0, 50.0]), np.array([True, False]))
    assert SimplestWithinNoise().places(rivals).tolist() == [1, 1, 0, -1, 1]
    assert BestMean().places(rivals).tolist() == [1, 0, 0, -1, 1]
