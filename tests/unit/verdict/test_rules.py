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

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.metrics.metric_registry import metric_named
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval
from heldout.verdict import BestMean, PairedComparison, SimplestWithinNoise, Standing, read_rule
from heldout.verdict.margin import margin_unit
from heldout.verdict.standing import Rivals

from .made_rows import bare

ACCURACY = metric_named("accuracy")


def compared(
    standings: Sequence[Standing],
    errors: Any = 0.01,
    p_value: float = 0.001,
    is_larger_better: bool = True,
) -> list[PairedComparison]:
    """All pairs with this standard error, or with these, and with this p against a baseline."""
    found = []
    table = np.broadcast_to(errors, (len(standings), len(standings)))
    for one, first in enumerate(standings):
        for other, second in enumerate(standings[one + 1 :], one + 1):
            difference, error = first.score - second.score, float(table[one, other])
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


def test_a_pickle_never_wins_by_its_bits() -> None:
    """However short a pickle is, a model with a code counts as simpler, and a sentence says so."""
    standings = plan(**FOUR)
    pickled = dataclasses.replace(bare("svm", 0.899, bits=8.0), bits_are_foreign=True)
    found = SimplestWithinNoise().decide([*standings, pickled], compared([*standings, pickled]), ACCURACY)
    assert found.equals == ("tree", "forest", "svm")
    assert "svm is counted as longer than any model with a code" in " ".join(found.reasons)
    alone = [pickled, dataclasses.replace(pickled, name="other svm", bits=16.0)]
    assert SimplestWithinNoise().decide(alone, compared(alone), ACCURACY).winner == "svm"


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
        "tree has the best accuracy of those that beat baseline, 0.895, and no simpler model is within 1"
        " standard error and 0.010 of it.",
        "Simpler, but out: stump (10 bits) lags tree by 0.045, more than the margin (0.010).",
        "tree and stump are significantly better than baseline (one-sided, Holm over the 3 comparisons with"
        " it); forest is not shown to be.",
    )


def test_nothing_beats_guessing() -> None:
    """If no p is small enough the baseline wins, and it is said."""
    standings = plan(**FOUR)
    found = SimplestWithinNoise().decide(standings, compared(standings, p_value=0.06), ACCURACY)
    assert (found.winner, found.best) == ("baseline", "forest")
    assert found.is_baseline
    assert found.better_than_baseline == ()
    assert found.reasons[0].startswith(
        "None of 3 models is significantly better than baseline (one-sided, Holm over"
    )


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
        ({"tree": 0.032, "forest": 0.9, "stump": 0.9}, ("tree",)),  # 6 × .032 = .192 over all pairs
        ({"tree": 0.034, "forest": 0.9, "stump": 0.9}, ()),
        ({"tree": 0.032, "forest": 0.048, "stump": 0.1}, ("tree", "forest", "stump")),
        ({"tree": 0.052, "forest": 0.9, "stump": 0.02}, ("stump",)),  # 2 × .026 = .052
    ],
)
def test_beating_the_baseline_is_a_family_of_its_own(
    p_values: dict[str, float], better: tuple[str, ...]
) -> None:
    """Holm over half of p, that of one side, decides for the comparisons with the baseline alone."""
    standings = plan(**FOUR)
    found = SimplestWithinNoise().decide(standings, against(standings, **p_values), ACCURACY)
    assert found.better_than_baseline == better
    assert [each.n_together for each in found.against_baseline] == [3, 3, 3]
    for each in found.against_baseline:  # the interval says what the adjusted p says
        assert each.simultaneous is not None
        assert (0 in each.simultaneous) == (each.name_b not in better) or each.simultaneous.high == 0


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
    comparisons = compared(standings, 1.0, is_larger_better=False)
    found = SimplestWithinNoise().decide(standings, comparisons, mse)
    assert (found.winner, found.margin) == ("ridge", 0.5)
    assert "1% of the mse of baseline" in found.reasons[0]
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
    assert read_rule(rule.to_dict()) == rule


@pytest.mark.parametrize(
    ("plain", "error", "words"),
    [
        ({"rule": "BestMeen"}, DataError, "BestMean"),
        ({"rule": "SimplestWithinNoise", "margins": 1}, DataError, "'margin'"),
        ({"rule": "BestMean", "se": 1}, DataError, "no settings"),
        ("BestMean", InputTypeError, "to_dict"),
        ({"rule": "SimplestWithinNoise", "se": -1}, RequestError, "use 1"),
        ({"rule": "SimplestWithinNoise", "margin": "1%"}, RequestError, "one point"),
    ],
)
def test_what_is_no_rule_is_refused(plain: Any, error: type[Exception], words: str) -> None:
    """Misspelled rules and settings are refused with what was meant."""
    with pytest.raises(error) as caught:
        read_rule(plain)
    assert words in str(caught.value)


@example(2048, 5, "accuracy", False)  # one lies exactly one standard error behind the best
@given(st.integers(0, 100_000), st.integers(1, 6), st.sampled_from(["accuracy", "mse", "r2"]), st.booleans())
def test_repeated_choices_are_those_of_decide(
    seed: int, n_rivals: int, name: str, has_baseline: bool
) -> None:
    """Without the test against the baseline a rule takes the same on numbers as on standings."""
    metric = metric_named(name)
    generator = np.random.default_rng(seed)
    level = generator.choice([0.8, 0.95, 0.97])
    scores = level + generator.integers(0, 30, size=n_rivals) / 1000
    bits = generator.integers(1, 5, size=n_rivals).astype(float)
    bits[generator.random(n_rivals) < 0.1] = math.nan
    if has_baseline:
        scores, bits = np.r_[0.1, scores], np.r_[1.0, bits]
    scores = scores if metric.is_larger_better else 1 - scores
    errors = generator.choice([0.001, 0.005, 0.02], size=(len(scores), len(scores)))
    errors = np.maximum(errors, errors.T)
    is_baseline = np.zeros(len(scores), dtype=bool)
    is_baseline[0] = has_baseline
    standings = [
        Standing(f"c{place}", name, Interval(name, score, score, score), bits=bits[place], is_baseline=is_one)
        for place, (score, is_one) in enumerate(zip(scores, is_baseline, strict=True))
    ]
    comparisons = compared(standings, errors, is_larger_better=metric.is_larger_better)
    known = scores[is_baseline] if has_baseline else metric.sign * np.array([(metric.sign * scores).max()])
    rivals = Rivals(metric.sign * scores[np.newaxis], errors, bits, is_baseline, metric, float(known[0]))
    for rule in (SimplestWithinNoise(), SimplestWithinNoise(margin=None), BestMean()):
        wanted = rule.decide(standings, comparisons, metric).winner
        assert standings[int(rule.indices(rivals)[0])].name == wanted


@given(st.integers(0, 100_000), st.integers(2, 7))
def test_no_loser_is_both_simpler_and_better(seed: int, n_rivals: int) -> None:
    """Whoever is no longer than the winner scores worse, whatever the noise of the pairs."""
    generator = np.random.default_rng(seed)
    scores = 0.8 + generator.random(n_rivals) / 50
    bits = generator.integers(1, 9, size=n_rivals).astype(float)
    errors = generator.random((n_rivals, n_rivals)) / 50
    standings = [bare(f"c{place}", scores[place], bits=bits[place]) for place in range(n_rivals)]
    found = SimplestWithinNoise().decide(standings, compared(standings, (errors + errors.T) / 2), ACCURACY)
    winner = next(each for each in standings if each.name == found.winner)
    assert scores.max() - winner.score <= 0.01 + 1e-12
    for each in standings:
        assert each is winner or each.bits > winner.bits or each.score <= winner.score


def test_the_set_is_closed_downwards() -> None:
    """The votes of the guide: the tree scores as the rules do, and is not out for varying less."""
    standings = plan(tree=(0.94536, 23.0), rules=(0.94542, 84.0), forest=(0.955, 11_692.0))
    errors = np.array([[0, 0.005, 0.0078], [0.005, 0, 0.0097], [0.0078, 0.0097, 0]])
    found = SimplestWithinNoise().decide(standings, compared(standings, errors), ACCURACY)
    assert found.equals == ("tree", "rules", "forest")
    assert found.reasons[0] == (
        "forest scores best (accuracy 0.955 against 0.945), but tree is simpler, 23 bits against 11,692 bits,"
        " within 0.010 of forest and within 1 standard error of rules, which counts as equally good."
    )
    # Without the rules in between, the tree is out by its own difference to the best.
    two = [standings[0], standings[2]]
    alone = SimplestWithinNoise().decide(two, compared(two, errors[np.ix_([0, 2], [0, 2])]), ACCURACY)
    assert alone.equals == ("forest",)
    assert alone.reasons[1] == (
        "Simpler, but out: tree (23 bits) lags forest by 0.00964, more than 1 standard error (0.0078)."
    )


def test_the_margin_is_measured_to_the_best_alone() -> None:
    """A chain of contenders, each within the noise of the one before, ends where the margin ends."""
    scores = {f"c{place}": (0.90 - 0.004 * place, 100.0 - place) for place in range(6)}
    standings = plan(**scores)
    found = SimplestWithinNoise().decide(standings, compared(standings, 0.004), ACCURACY)
    assert found.equals == ("c2", "c1", "c0")
    assert "c5 (95 bits) lags c0 by 0.020, more than the margin (0.010)" in found.reasons[1]


@pytest.mark.parametrize(
    ("best", "margin"), [(0.90, 0.01), (0.96, 0.01), (0.98, 0.005), (0.992, 0.002), (1.0, 0.0)]
)
def test_near_the_top_the_margin_is_a_quarter_of_the_error(best: float, margin: float) -> None:
    """One point, or a quarter of the best one's error where that is less."""
    standings = plan(tree=(best - 0.003, 10.0), forest=(best, 9000.0))
    found = SimplestWithinNoise().decide(standings, compared(standings, 0.02), ACCURACY)
    assert found.margin == pytest.approx(margin, abs=1e-12)
    assert found.winner == ("tree" if margin >= 0.003 else "forest")


@pytest.mark.parametrize(("name", "best"), [("mse", 2.0), ("r2", 0.98)])
def test_of_a_small_loss_the_margin_is_a_tenth(name: str, best: float) -> None:
    """1% of a baseline's loss of 100 would be half of a best loss of 2; a tenth of that is the margin."""
    metric = metric_named(name)
    guess = 100.0 if name == "mse" else 0.0
    standings = [
        Standing("guess", name, Interval(name, guess, guess, guess), bits=1.0, is_baseline=True),
        Standing("forest", name, Interval(name, best, best, best), bits=9000.0),
    ]
    comparisons = compared(standings, 0.001, is_larger_better=metric.is_larger_better)
    found = SimplestWithinNoise().decide(standings, comparisons, metric)
    assert found.margin == pytest.approx(0.1 * abs(metric.best - best))
    whole = SimplestWithinNoise(loss_share=None).decide(standings, comparisons, metric)
    assert whole.margin == pytest.approx(0.01 * abs(metric.best - guess))


def test_on_numbers_models_are_taken_before_the_baseline() -> None:
    """Beating it was decided before; it is taken where no model has a score, or is the best mean."""
    goodness = np.array([[0.5, 0.9], [0.5, 0.45], [0.5, math.nan], [math.nan, math.nan], [math.nan, 0.7]])
    bits, is_baseline = np.array([1.0, 50.0]), np.array([True, False])
    rivals = Rivals(goodness, np.full((2, 2), 0.02), bits, is_baseline, ACCURACY)
    assert SimplestWithinNoise().indices(rivals).tolist() == [1, 1, 0, -1, 1]
    assert BestMean().indices(rivals).tolist() == [1, 0, 0, -1, 1]


@pytest.mark.parametrize(
    ("error", "words"), [(0.05, "a true lead of 0."), (0.3, "even a lead of 0.350, the largest")]
)
def test_a_lead_that_cannot_be_is_not_asked_for(error: float, words: str) -> None:
    """From an accuracy of .65 nothing can lead by more than .35: fewer rows than that needs are said so."""
    standings = plan(tree=(0.68, 30.0), baseline=(0.65, 2.0))
    made = compared(standings, error, p_value=0.6)
    reasons = " ".join(SimplestWithinNoise().decide(standings, made, ACCURACY).reasons)
    assert words in reasons
    assert ("too few" in reasons) == (error > 0.1)


def test_the_only_one_that_beats_guessing_is_said_to_be_it() -> None:
    """Before it is said who is out, it is said why the winner is in."""
    standings = plan(forest=(0.8, 900.0), tree=(0.7, 30.0), baseline=(0.65, 2.0))
    made = [
        dataclasses.replace(
            each, p_value=0.4 if {"tree", "baseline"} == {each.name_a, each.name_b} else 0.001
        )
        for each in compared(standings)
    ]
    found = SimplestWithinNoise().decide(standings, made, ACCURACY)
    assert found.winner == "forest"
    assert found.reasons[0].startswith("Only forest is significantly better than baseline")
    assert found.reasons[1].startswith("Simpler, but out: tree")
    assert found.first_reasons == 2 == len(found.reasons)
