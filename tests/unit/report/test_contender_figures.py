"""Contenders beside each other: strips, lengths, differences from the winner's side."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from heldout.report.length_figure import length_figure
from heldout.report.render import render
from heldout.report.standing_rows import (
    all_scores_figure,
    compared_words,
    comparison_rows,
    standing_rows,
    turned,
)
from heldout.report.strips import near_scale, strip_axis, strip_scale, strip_svg
from heldout.report.summarize import summarize
from heldout.stats.comparison import Comparison
from heldout.stats.interval import Interval

from .ledger_stand_in import interval, small_study, standing, study, verdict


def rows(**bits: float) -> list[dict[str, Any]]:
    """Standings of the small study with these lengths."""
    standings = verdict().standings
    return standing_rows(
        verdict(standings=tuple(replace(each, bits=bits.get(each.name, each.bits)) for each in standings))
    )


def compared(
    *pairs: tuple[str, str], effect: Interval | None = None, **tested: Any
) -> tuple[Comparison, ...]:
    """Comparisons of these pairs."""
    known = {"p_value": 0.01, "test": "t test"} | tested
    return tuple(Comparison(*pair, effect or interval("d", 0.03, 0.01), **known) for pair in pairs)


def test_the_winner_stands_first_in_every_difference() -> None:
    """A comparison in which the winner is second is turned, its interval with it."""
    effect = interval("forest minus tree", 0.004, 0.01)
    [row] = comparison_rows(verdict(comparisons=compared(("forest", "tree"), effect=effect)))
    assert (row["first"], row["second"]) == ("tree", "forest")
    assert row["interval"]["estimate"] == pytest.approx(-0.004)
    assert (row["interval"]["low"], row["interval"]["high"]) == pytest.approx((-0.014, 0.006))


def test_the_takeaway_follows_adjusted_p() -> None:
    """Who is told from the winner is decided by the adjusted p, so that it agrees with the verdict."""
    near = compared(("tree", "forest"), adjusted_p=0.2)
    far = compared(("tree", "baseline"), adjusted_p=0.01)
    rows = comparison_rows(verdict(comparisons=near + far))
    assert compared_words(rows) == "tree differs significantly from baseline; not from forest."
    assert compared_words([]) == ""


def test_one_side_is_told_at_its_own_level() -> None:
    """The gate's interval has 90%, but its p of one side must be at most 5%; the page says which p it is."""
    found = []
    for adjusted in (0.07, 0.05):
        tested = {"p_value": 0.03, "adjusted_p": adjusted, "adjustment": "holm", "is_one_sided": True}
        effect = replace(interval("d", 0.03, 0.01), confidence=0.9)
        pairs = compared(("tree", "baseline"), effect=effect, **tested)
        found += comparison_rows(verdict(comparisons=pairs, against_baseline=pairs))
    assert [row["is_shown"] for row in found] == [False, True]
    assert all(row["is_one_sided"] for row in found)


def test_errors_are_behind_by_what_they_are_larger() -> None:
    """By a metric of errors what is behind the best is larger, and shown without a minus."""
    tree = replace(standing("tree", 0.9), difference=interval("best minus tree", -0.2, 0.1))
    body = verdict(metric="mse", is_larger_better=False, standings=(tree,))
    found = {row["name"]: row["behind"] for row in standing_rows(body)}
    assert found["tree"] == "0.200 (0.100 to 0.300)"


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (
            {"tree": 40, "forest": 1200},
            "tree is 0.004 of accuracy behind forest, the best, with 1/30 of its bits",
        ),
        ({"tree": 500, "forest": 1200}, "half of its bits"),
        ({"tree": 1200, "forest": 40}, "tree is 0.004 of accuracy behind forest, the best."),
    ],
)
def test_lengths_are_said_in_words(bits: dict[str, float], words: str) -> None:
    """The takeaway says what the winner gives up against the best, and how much shorter it is."""
    figure = length_figure(rows(**bits), "accuracy")
    assert figure is not None
    assert words in figure.takeaway


def test_a_far_baseline_does_not_squeeze_the_others() -> None:
    """Where guessing is far off, the picture leaves it out and says so; the table has it."""
    figure = length_figure(rows(), "accuracy")
    assert figure is not None
    assert ">baseline<" not in figure.picture
    assert figure.notes[0].startswith("baseline (0.627")
    assert [row[0] for row in figure.rows] == ["forest", "tree", "neighbors", "baseline"]


def test_one_length_is_no_figure() -> None:
    """With fewer than two known lengths there is nothing to draw."""
    assert length_figure(rows()[:1], "accuracy") is None


def test_what_is_off_the_scale_is_an_arrow() -> None:
    """An interval beyond the scale is drawn as an arrow at its end, and its words stay."""
    near = [{"estimate": 0.95, "low": 0.94, "high": 0.96}, {"estimate": 0.9, "low": 0.89, "high": 0.91}]
    far = [{"estimate": 0.4, "low": 0.3, "high": 0.5}]
    scale = near_scale(near, far)
    assert scale == strip_scale(near)
    drawn = strip_svg(far[0], scale, "0.400 (0.300 to 0.500)")
    assert 'class="arrow"' in drawn
    assert "<circle" not in drawn
    assert "0.400 (0.300 to 0.500)" in drawn
    close = [{"estimate": 0.86, "low": 0.85, "high": 0.87}]
    assert near_scale(near, close) == strip_scale([*near, *close])


def test_zero_stays_among_the_ticks() -> None:
    """However few ticks an axis keeps, 0 is one of them."""
    scale = strip_scale([{"estimate": 0.0, "low": -0.031, "high": 0.083}], 0.0)
    assert ">0<" in strip_axis(scale)


def test_the_card_shows_guessing_beside_the_number() -> None:
    """The number of the verdict has guessing marked on its line; where guessing won there is no mark."""
    assert "guessing (baseline) 0.627" in render(summarize(small_study()))
    ledger = small_study()
    ledger.put("later", verdict(winner="baseline"))
    assert "guessing (baseline)" not in render(summarize(ledger))


def test_names_cannot_turn_a_sentence_around() -> None:
    """A sign that reverses the direction of text is shown as the sign for what cannot be shown."""
    ledger = small_study()
    ledger.put("s", study(roles={"target": "abc\u202edef", "kind": "classification"}))
    page = render(summarize(ledger))
    assert "\u202e" not in page
    assert "abc\ufffddef" in page


def test_a_metric_of_ones_own_says_which_way_is_better() -> None:
    """By a metric that only the study knows, the least cost stands first, and the page says how."""
    body = verdict(metric="cost", is_larger_better=False)
    assert [row["name"] for row in standing_rows(body)][:2] == ["baseline", "neighbors"]
    ledger = small_study()
    assert "is better: below 0" not in render(summarize(ledger))  # type: ignore[arg-type]
    ledger.put("plan-1:i", body)
    page = render(summarize(ledger))  # type: ignore[arg-type]
    assert "Less of cost is better: below 0 the first is ahead." in page


def test_a_gap_has_the_digits_of_the_scores() -> None:
    """What the winner is behind by is rounded as the scores beside it are."""
    found = rows(tree=40.0, forest=1200.0)
    found[0]["estimate"]["estimate"] = 0.96013
    figure = length_figure(found, "accuracy")
    assert figure is not None
    assert figure.takeaway.startswith("tree is 0.003 of accuracy behind forest")


def test_all_metrics_of_all_contenders_stand_in_a_table() -> None:
    """The metric that was chosen by comes first, columns are alike, and what is not known is a dash."""
    rows = [
        {"name": "ridge", "scores": {"mae": 60000.0, "r2": 0.5, "rmse": 85757.5}},
        {"name": "odd", "scores": {"r2": -0.00001, "rmse": 985.25}},
    ]
    figure = all_scores_figure(rows, "rmse")
    assert figure is not None
    assert figure.headings == ("contender", "rmse", "mae", "r2")
    assert figure.rows == (("ridge", "85,758", "60,000", "0.500"), ("odd", "985", "–", "0.000"))
    assert not figure.notes
    quick = all_scores_figure(rows, "rmse", is_quick=True)
    assert quick is not None
    assert quick.notes[0].startswith("rmse is corrected for the choice of settings")
    assert all_scores_figure([{"name": "a", "scores": {"rmse": 1.0}}], "rmse") is None


def test_one_difference_has_one_interval() -> None:
    """How far the baseline is behind the best is said with the interval of their comparison."""
    wide = Interval("d", -0.126, -0.275, 0.022)
    narrow = Interval("d", -0.126, -0.243, -0.01)
    forest = replace(standing("forest", 0.456), difference=None)
    guess = replace(standing("baseline", 0.582), difference=wide)
    body = verdict(winner="forest", metric="rmse", is_larger_better=False, standings=(forest, guess))
    for pair, effect in ((("forest", "baseline"), narrow), (("baseline", "forest"), turned(narrow))):
        rows = standing_rows(replace(body, against_baseline=compared(pair, effect=effect)))
        assert rows[1]["behind"] == "0.126 (0.010 to 0.243)"


def test_an_infinite_loss_is_said() -> None:
    """A contender whose loss is infinite has no estimate, and the reason stands there."""
    lost = replace(standing("tree", math.nan), is_infinite=True)
    [row] = standing_rows(verdict(standings=(lost,)))
    assert row["estimate"]["estimate"] is None
    assert (
        row["problem"] == "A probability of 0 was given to something that happened, so the score is infinite."
    )
