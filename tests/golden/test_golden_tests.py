"""Tests of two, and of many, whose numbers are known from elsewhere."""

from __future__ import annotations

import pytest

from heldout.stats.adjust import adjust
from heldout.stats.mcnemar import mcnemar_of_counts, tango_ends
from heldout.stats.paired_tests import paired_t
from heldout.stats.sign_test import sign_test


@pytest.mark.parametrize(
    ("wins", "losses", "p_value", "digits"),
    [(50, 40, 0.34283, 5), (10, 0, 0.00195, 5), (9, 1, 0.0215, 4), (8, 2, 0.109, 3)],
)
def test_sign_test_of_the_lectures(wins: int, losses: int, p_value: float, digits: int) -> None:
    """50 of 90, and ten, nine and eight of ten."""
    assert round(sign_test(wins, losses).p_value, digits) == p_value


def test_fifteen_against_fourteen_discordant_rows() -> None:
    """They could not be closer: p = 1."""
    assert mcnemar_of_counts(15, 14, 200).p_value == 1.0
    assert sign_test(15, 14).p_value == 1.0


def test_benjamini_hochberg_is_a_step_up_rule() -> None:
    """The lecture's five p-values give four discoveries, not three: the fourth lies below its line."""
    found = adjust([0.010, 0.022, 0.025, 0.039, 0.20], "benjamini_hochberg")
    assert found.is_rejected == (True, True, True, True, False)
    assert found.n_discoveries == 4
    assert adjust([0.010, 0.022, 0.025, 0.039, 0.20], "bonferroni").n_discoveries == 1


def test_benjamini_and_hochbergs_own_example() -> None:
    """The fifteen p-values of their paper of 1995, section 3.3: four discoveries, Bonferroni finds three."""
    p_values = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000),
    ]
    assert adjust(p_values, "benjamini_hochberg").n_discoveries == 4
    assert adjust(p_values, "bonferroni").n_discoveries == 3


def test_mcnemar_on_paired_tables_of_the_literature() -> None:
    """Cavo 2012 (6 against 16 of 161) and Bentur 2009 (1 against 7 of 21), by Fagerland and others."""
    assert round(mcnemar_of_counts(6, 16, 161, "mid_p").p_value, 6) == 0.034690
    assert round(mcnemar_of_counts(1, 7, 21).p_value, 4) == 0.0703
    assert round(mcnemar_of_counts(1, 7, 21, "mid_p").p_value, 4) == 0.0391
    assert [round(end, 4) for end in tango_ends(6, 16, 161)] == [-0.1240, -0.0054]


def test_students_sleep() -> None:
    """Student's ten patients of 1908: t = −4.0621, p = .002833, interval −2.4599 to −.7001."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = paired_t(first, second)
    assert (round(found.statistic, 4), round(found.p_value, 6)) == (-4.0621, 0.002833)
    assert found.difference is not None
    assert (round(found.difference.low, 4), round(found.difference.high, 4)) == (-2.4599, -0.7001)
