"""Two learners over many data sets, and comparisons that are made together."""

from __future__ import annotations

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import binomtest, wilcoxon

from heldout.errors import DataError
from heldout.stats.adjust import adjust
from heldout.stats.comparison import Comparison, Significance
from heldout.stats.cross_validated_interval import CrossValidatedInterval
from heldout.stats.interval import Interval
from heldout.stats.mcnemar import mcnemar_of_counts
from heldout.stats.over_data_sets import over_data_sets
from heldout.stats.paired_tests import paired_t

# C4.5 with and without m, AUCs on 14 data sets: Demšar (2006), table 2.
PLAIN = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957]
WITH_M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978]


def test_the_example_of_demsar() -> None:
    """Ten wins, two ties, two losses; Wilcoxon's p agrees with SciPy's, and is below 5% as in the paper."""
    found = over_data_sets(WITH_M, PLAIN, names=("with m", "plain"), what="AUC")
    assert (found.wins, found.ties, found.losses) == (10, 2, 2)
    assert found.sign.p_value == pytest.approx(binomtest(10, 12).pvalue)
    differences = np.round(np.array(WITH_M) - np.array(PLAIN), 6)
    approximate = wilcoxon(differences, zero_method="pratt", method="approx").pvalue
    assert found.signed_rank.p_value == pytest.approx(approximate, abs=0.01)
    assert found.signed_rank.p_value < 0.05
    text = str(found)
    assert text.startswith("middle difference of with m minus plain 0.013, 95% interval ")
    assert "On 14 data sets with m won 10, tied 2, lost 2 against plain." in text


def test_errors_are_better_when_small() -> None:
    """With is_larger_better=False wins and losses change places, and the picture's colours too."""
    better = over_data_sets([0.1, 0.2, 0.3], [0.2, 0.3, 0.3], is_larger_better=False)
    assert (better.wins, better.ties, better.losses) == (2, 1, 0)
    other = over_data_sets([0.1, 0.2, 0.3], [0.2, 0.3, 0.3])
    assert (other.wins, other.losses) == (0, 2)
    assert better.to_svg() != other.to_svg()


def test_the_picture() -> None:
    """Each data set is a point with its name, both axes have one scale, and the diagonal is drawn."""
    found = over_data_sets([0.9, 0.5, 0.7], [0.8, 0.5, 0.75], ["iris & co", "<wine>", "x"], ("tree", "rule"))
    root = ElementTree.fromstring(found.to_svg())
    titles = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "iris & co: tree 0.900, rule 0.800" in titles
    assert "<wine>: tree 0.500, rule 0.500" in titles
    assert found.to_svg().count("stroke-dasharray") == 1
    assert {"tree is better", "rule is better", "tied"} <= set(titles)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_data_sets(n: int) -> None:
    """None, one or two data sets have an answer, a sentence, a dict and a picture."""
    found = over_data_sets([0.9, 0.8][:n], [0.7, 0.7][:n])
    assert found.wins == n
    assert found.signed_rank.p_value == [1.0, 1.0, 0.5][n]
    assert f"On {n} data set" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.to_svg().startswith("<svg")


def test_names_have_to_fit() -> None:
    """As many names as scores, or none."""
    with pytest.raises(DataError, match="1 name for 2 pairs"):
        over_data_sets([1, 2], [1, 2], ["iris"])


def test_a_comparison_shows_the_difference_first() -> None:
    """The interval comes first, then p and its adjusted value, then what neither says."""
    found = Comparison.of(mcnemar_of_counts(30, 10, 200, names=("tree", "rule")), "tree", "rule")
    other = Comparison.of(mcnemar_of_counts(12, 10, 200, names=("tree", "kNN")), "tree", "kNN")
    both = Comparison.adjusted([found, other])
    assert [each.adjusted_p for each in both] == pytest.approx(
        adjust([found.p_value, other.p_value], "holm").adjusted
    )
    text = str(both[0])
    places = [
        text.index(part)
        for part in (
            "accuracy of tree minus accuracy of rule 0.100, 95% interval",
            "exact McNemar test: p = 0.002, adjusted 0.004 among 2 comparisons (Holm)",
            "Of intervals made this way",
            "it is not the chance that there is none",
        )
    ]
    assert places == sorted(places)
    assert places[0] == 0
    assert both[0].to_svg() == found.effect.to_svg()
    json.dumps(both[0].to_dict(), allow_nan=False)


def test_a_comparison_without_p() -> None:
    """It counts among the others as if p were 1, keeps its unknown p, and says so."""
    unknown = Comparison.of(paired_t([0.3, 0.9], [0.2, 0.8]), "A", "B")
    known = Comparison("A", "C", Interval("A minus C", 0.1, 0.0, 0.2), 0.02)
    adjusted = Comparison.adjusted([unknown, known], "bonferroni")
    assert math.isnan(adjusted[0].adjusted_p)
    assert adjusted[1].adjusted_p == pytest.approx(0.04)
    assert "p is not known." in str(adjusted[0])
    assert "no interval (2 pairs)" in str(adjusted[0])
    assert "Of intervals made this way" not in str(adjusted[0])
    assert Comparison.adjusted([]) == ()


def test_a_test_without_a_difference_is_no_comparison() -> None:
    """There is nothing to show first."""
    with pytest.raises(DataError, match="shows a difference first"):
        Comparison.of(Significance("some test", "nothing", 0.5, 1.0, 10), "A", "B")


def test_a_comparison_says_what_its_own_interval_holds() -> None:
    """An effect from folds says what such intervals were seen to hold, not that about 95% of them do."""
    effect = CrossValidatedInterval("tree minus rule", 0.03, 0.01, 0.05, method="plain t", held=(0.63, 0.95))
    said = str(Comparison("tree", "rule", effect, 0.02, "paired t test"))
    assert "between 63% and 95% held" in said
    assert "about 95% hold" not in said


def test_a_test_that_was_told_nothing_seen() -> None:
    """A test with a difference and no words about what was seen prints p without a comma before it."""
    effect = Interval("tree minus rule", 0.03, 0.01, 0.05, method="paired t", n_rows=30)
    assert "are equal: p = 0.020." in str(
        Significance("t test", "both are equal", 0.02, 1.0, 30, difference=effect)
    )
