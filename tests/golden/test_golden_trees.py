"""The numbers that the textbooks print about trees, recomputed exactly and found in the core."""

import math

import numpy as np
import pytest

from heldout import Column, Table, TreeClassifier, datasets
from heldout.learners import AttributeScore, entropy, gini, score_attributes
from heldout.table.column import category_column

ATTRIBUTES = ("Outlook", "Temperature", "Humidity", "Wind")
NOISY = ("Sunny", "Hot", "Normal", "Strong", "No")


def tennis() -> tuple[Table, Column]:
    """The four attributes of the fourteen days, and whether tennis was played."""
    table = datasets.load("play_tennis")
    return table.select(ATTRIBUTES), table["PlayTennis"]


def tennis_with_noise() -> tuple[Table, Column]:
    """The fourteen days and the wrong one."""
    table, play = tennis()
    columns = [
        category_column(column.name, [*column.labels(), added])
        for column, added in zip([*table.columns, play], NOISY, strict=True)
    ]
    return Table(columns[:4]), columns[4]


def branch(table: Table, play: Column, outlook: str) -> tuple[Table, Column]:
    """The days with this outlook."""
    rows = np.flatnonzero([label == outlook for label in table["Outlook"].labels()])
    return table[rows], play.take(rows)


def scores(X: object, y: object, criterion: str = "entropy", **settings: object) -> list[AttributeScore]:
    return score_attributes(X, y, criterion, **settings)


def near(*numbers: float) -> object:
    return pytest.approx(list(numbers), abs=6e-7)


def test_entropy_of_nine_to_five():
    """The entropy of [9+,5-] is .940286 bits."""
    assert entropy([9, 5]) == pytest.approx(0.940286, abs=5e-7)


def test_surprise_and_entropy_of_four_boxes():
    """The likely box tells .043943 bits, the four of them .241941 on average."""
    assert -math.log2(0.97) == pytest.approx(0.043943, abs=5e-7)
    assert entropy([0.97, 0.01, 0.01, 0.01]) == pytest.approx(0.241941, abs=5e-7)


def test_play_tennis_gains():
    """Information gain of the four attributes of PlayTennis."""
    found = [score.gain for score in scores(*tennis())]
    assert found == near(0.246750, 0.029223, 0.151836, 0.048127)


def test_play_tennis_split_information():
    """Split information of the four attributes."""
    found = [score.split_info for score in scores(*tennis())]
    assert found == near(1.577406, 1.556657, 1, 0.985228)


def test_play_tennis_gain_ratios():
    """Gain ratio of the four attributes."""
    found = [score.gain_ratio for score in scores(*tennis(), "gain_ratio")]
    assert found == near(0.156428, 0.018773, 0.151836, 0.048849)


def test_play_tennis_gini_gains():
    """Decrease of Gini impurity for the four attributes."""
    found = [score.gain for score in scores(*tennis(), "gini")]
    assert found == near(0.116327, 0.018707, 0.091837, 0.030612)
    assert gini([9, 5]) == pytest.approx(1 - (81 + 25) / 196)


def test_an_attribute_unique_per_row_keeps_the_largest_gain_ratio():
    """The attribute Day has gain .940286 and gain ratio .246966, more than any useful one."""
    table, play = tennis()
    days = Table([category_column("Day", datasets.load("play_tennis")["Day"].labels()), *table.columns])
    found = scores(days, play)
    assert [found[0].gain, found[0].gain_ratio] == near(0.940286, 0.246966)
    assert found[0].gain_ratio == max(score.gain_ratio for score in found)


def test_sunny_branch():
    """Gains within the Sunny branch."""
    found = scores(*branch(*tennis(), "Sunny"))
    assert [score.gain for score in found[1:]] == near(0.570951, 0.970951, 0.019973)


def test_rain_branch():
    """Gains within the Rain branch."""
    found = scores(*branch(*tennis(), "Rain"))
    assert [score.gain for score in found[1:]] == near(0.019973, 0.019973, 0.970951)


def test_numeric_wind():
    """The cuts at 12 and 10 gain .00049 and .04813; the best is at 8 and gains .15184."""
    table = datasets.load("play_tennis_wind")
    wind, play = table["Wind"].values, table["PlayTennis"]
    cuts = np.column_stack([wind >= 12, wind >= 10, wind >= 8]).astype(float)
    found = [score.gain for score in scores(cuts, play)]
    assert found == pytest.approx([0.00049, 0.04813, 0.15184], abs=5e-6)
    (best,) = scores(table.select(["Wind"]), play)
    assert best.gain == pytest.approx(0.15184, abs=5e-6)
    assert best.cut == "Wind <= 7.5"


def test_noisy_example_by_gain_and_by_gain_ratio():
    """One wrong example moves ID3's Sunny branch to Temperature; by gain ratio it stays on Humidity."""
    table, play = tennis_with_noise()
    _, temperature, humidity, _ = scores(*branch(table, play, "Sunny"))
    assert [temperature.gain, humidity.gain] == pytest.approx([0.585, 0.459], abs=5e-4)
    assert [temperature.gain_ratio, humidity.gain_ratio] == pytest.approx([0.401, 0.459], abs=5e-4)
    assert "Outlook = Sunny\n|   Temperature = Cool" in TreeClassifier.id3().fit(table, play).to_text()
    by_ratio = TreeClassifier.c45(min_leaf=1).fit(table, play)
    assert "Outlook = Sunny\n|   Humidity = High" in by_ratio.to_text()


def test_play_tennis_tree():
    """ID3 and C4.5 both grow the tree that every textbook draws."""
    table, play = tennis()
    drawn = (
        "Outlook = Overcast: Yes (4)\n"
        "Outlook = Rain\n"
        "|   Wind = Strong: No (2)\n"
        "|   Wind = Weak: Yes (3)\n"
        "Outlook = Sunny\n"
        "|   Humidity = High: No (3)\n"
        "|   Humidity = Normal: Yes (2)"
    )
    assert str(TreeClassifier.id3().fit(table, play)) == drawn
    assert str(TreeClassifier.c45().fit(table, play)) == drawn


def test_training_error_criterion():
    """On the eight-row table J is 2, 4, 4 and the gains are .188722, 0, 0."""
    X = [[row >> 2 & 1, row >> 1 & 1, row & 1] for row in range(8)]
    y = list("+-++-+--")
    assert [score.errors for score in scores(X, y, "error")] == [2, 4, 4]
    assert [score.gain for score in scores(X, y)] == near(0.188722, 0, 0)


def test_tables_of_plus_and_minus_one():
    """The four-row table gains 1 and 0, the eight-row one .311278, .311278 and 0."""
    four = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    assert [score.gain for score in scores(four, [1, 1, -1, -1])] == near(1, 0)
    eight = [[a, b, c] for a in (1, -1) for b in (1, -1) for c in (1, -1)]
    found = [score.gain for score in scores(eight, [1, 1, 1, 1, 1, 1, -1, -1])]
    assert found == near(0.311278, 0.311278, 0)


def test_x1_or_x2_and_not_x3():
    """The gains are .5488, .0488 and .0488, and the tree learns the formula."""
    X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    y = X[:, 0] | (X[:, 1] & (1 - X[:, 2]))
    assert [score.gain for score in scores(X, y)] == pytest.approx([0.5488, 0.0488, 0.0488], abs=5e-5)
    assert (TreeClassifier.id3().fit(X, y).predict(X) == y).all()


def test_eleven_to_nine():
    """The impurity is .992774; one split gains .275944, the other .301365."""
    groups = {"blue": (0, 4), "orange": (11, 5)}, {"teal": (3, 8), "grey": (8, 1)}
    gains = []
    for split in groups:
        names = [name for name, counts in split.items() for _ in range(sum(counts))]
        y = [k for counts in split.values() for k, count in enumerate(counts) for _ in range(count)]
        gains.append(scores(Table([category_column("group", names)]), y)[0].gain)
    assert [entropy([11, 9]), *gains] == near(0.992774, 0.275944, 0.301365)


def tennis_without_a_value() -> tuple[Table, Column]:
    """The fourteen days, of which the ninth has lost its humidity."""
    table, play = tennis()
    humidity = table["Humidity"].labels()
    humidity[8] = None
    columns = [category_column("Humidity", humidity) if c.name == "Humidity" else c for c in table.columns]
    return Table(columns), play


def test_a_day_of_unknown_humidity_goes_down_both_branches():
    """In the Sunny branch the parts are [.75+,3-] and [1.25+,0-], and the gain is .649022."""
    sunny = branch(*tennis_without_a_value(), "Sunny")
    tree = TreeClassifier.id3(missing="fractional", max_depth=1).fit(*sunny)
    grown = tree.tree_.grown
    assert tree.to_text() == "Humidity = High: No (3.75/0.75)\nHumidity = Normal: Yes (1.25)"
    assert grown.value[1:].tolist() == [[3, 0.75], [0, 1.25]]
    assert grown.gain[0] == pytest.approx(0.649022, abs=5e-7)
    assert grown.gain[0] == pytest.approx(4 / 5 * entropy([1, 3]), abs=1e-12)


def test_gain_and_split_information_with_an_unknown_value():
    """The Humidity of the sunny days gains .649022, and three branches of 3, 1 and 1 days tell 1.370951."""
    humidity = scores(*branch(*tennis_without_a_value(), "Sunny"))[2]
    assert [humidity.gain, humidity.split_info] == near(0.649022, 1.370951)
    assert humidity.gain_ratio == pytest.approx(0.649022 / 1.370951, abs=1e-6)
    assert humidity.errors == 0.75


def test_the_textbooks_tree_with_an_unknown_value():
    """By gain ratio, two levels deep, the tree keeps its form, with parts of the ninth day under Sunny."""
    table, play = tennis_without_a_value()
    tree = TreeClassifier.c45(min_leaf=1, max_depth=2, prune=None, smoothing=0).fit(table, play)
    assert tree.to_text() == (
        "Outlook = Overcast: Yes (4)\n"
        "Outlook = Rain\n"
        "|   Wind = Strong: No (2)\n"
        "|   Wind = Weak: Yes (3)\n"
        "Outlook = Sunny\n"
        "|   Humidity = High: No (3.75/0.75)\n"
        "|   Humidity = Normal: Yes (1.25)"
    )
    # A sunny day of unknown humidity: 3.75 of 5 parts are answered [.2, .8], 1.25 of 5 [1, 0].
    sunny = table.take([8])
    assert tree.predict_proba(sunny)[0].tolist() == pytest.approx([0.6, 0.4])
    assert tree.predict(sunny).tolist() == ["No"]
