"""Numbers in sentences and tables: nothing looks certain that is not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout.cli.screen.score_table import ScoreLine, score_lines
from heldout.cli.screen.terminal import Terminal
from heldout.metrics import confusion
from heldout.text.numbers import align_points, number_text, number_texts, p_value_text, share_text


@given(st.floats(1e-11, 1 - 1e-11))
def test_a_rate_is_printed_as_0_or_1_only_where_it_is(rate: float) -> None:
    """Neither alone nor beside others, and never with more than seven letters beside a score."""
    texts = [number_text(rate), *number_texts([0.9, rate]), share_text(rate), share_text(rate, 1)]
    assert not {"0.000", "1.000", "0%", "100%", "0.0%", "100.0%"} & set(texts)
    assert len(number_texts([0.9, rate])[1]) <= 7


@given(st.floats(1e-11, 1 - 1e-11))
def test_what_is_printed_is_true(rate: float) -> None:
    """A bound holds, and a number is the nearest of its digits."""
    text = number_texts([0.9, rate])[1]
    if text[0] == "<":
        assert rate < float(text[1:])
    elif text[0] == ">":
        assert rate > float(text[1:])
    else:
        decimals = len(text.partition(".")[2])
        assert abs(float(text) - rate) <= 0.5000001 * 10.0**-decimals


def test_exact_ends_stay_short() -> None:
    """0 and 1 themselves, and what differs by the rounding of a sum, are printed plainly."""
    assert number_texts([0.9, 0.0, 1.0, 0.1 + 0.2 - 0.3, 1 - 1e-16]) == [
        "0.900",
        "0.000",
        "1.000",
        "0.000",
        "1.000",
    ]


def test_an_interval_of_one_error_in_69_rows_does_not_end_at_1() -> None:
    """The interval that the demo shows: one error was seen, so perfection is excluded."""
    found = ho.stats.rate_interval(68, 69, method="clopper_pearson")
    assert found.high < 1
    assert "0.922 to 0.9996" in str(found)
    none_wrong = ho.stats.rate_interval(69, 69, method="clopper_pearson")
    assert "to 1.000" in str(none_wrong)


def test_differences_show_on_which_side_of_0_they_end() -> None:
    """An end of .0002 is not the end of 0, whatever its sign; a tiny negative one is as good as 0."""
    assert number_texts([0.03, 0.0002, -0.0002, -0.00003]) == ["0.030", "0.0002", "-0.0002", "0.000"]


def test_p_values_are_never_1_by_rounding() -> None:
    """As they are never 0."""
    assert p_value_text(0.9997) == "p = 0.9997"
    assert p_value_text(1.0) == "p = 1.000"


def test_points_stand_below_each_other() -> None:
    """In a table of the screen the point of a longer number stands where the others have theirs."""
    lines = [
        ScoreLine("held rows", (0.986, 0.922, 0.9996), ("0.986", "0.922 to 0.9996")),
        ScoreLine("open rows", (0.9996, 0.96, 0.9997), ("0.9996", "0.960 to 0.9997")),
        ScoreLine("guessing", (0.4, 0.3, 0.5), ("0.400", "0.300 to 0.500")),
    ]
    table = score_lines(lines, ("", "accuracy", "interval"), Terminal(70))[1:]
    points = [[match.start() for match in re.finditer(r"\.", line)] for line in table]
    assert points[0] == points[1] == points[2]
    assert align_points([]) == []


def test_a_table_of_results_keeps_its_points_in_line(tmp_path: Path) -> None:
    """Also where a score comes within .0005 of 1."""
    generator = np.random.default_rng(1)
    column = generator.normal(size=3000)
    y = np.where(column > 0, "b", "a")
    y[0] = "a" if y[0] == "b" else "b"
    table = ho.read_table({"x": column, "y": y})
    with ho.Study.create(tmp_path / "a.heldout", table, target="y") as study:
        tree = ho.Contender("tree", ho.TreeClassifier())
        result = study.run(ho.Plan([tree], folds=ho.KFold(5)), n_jobs=1, progress=False)
    lines = str(result.table()).split("\n")
    assert any(re.search(r"0\.999\d", line) for line in lines)
    assert len({line.find(".") for line in lines[1:] if "." in line}) == 1
    assert not any("to 1.000" in line for line in lines)


def test_a_confusion_shows_no_perfect_rate_with_an_error() -> None:
    """One row of 10,000 that is wrong is seen in the recall of its class."""
    y = ["a"] * 10000 + ["b"] * 10000
    text = str(confusion(y, ["b", *y[1:]]))
    assert "0.9999" in text
    assert "1.000" in text  # every b is right
