"""Why a tree answers as it does."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from heldout import (
    Column,
    DataError,
    InputTypeError,
    RequestError,
    Table,
    TreeClassifier,
    TreeRegressor,
    datasets,
    read_table,
)
from heldout.table.column import category_column

from .random_tables import other_rows, random_classes, random_rows
from .tables import FORMS, as_pandas, mixed_answers, mixed_cells


def tennis_tree(**changes: object) -> TreeClassifier:
    table = datasets.load("play_tennis")
    X = table.select(["Outlook", "Temperature", "Humidity", "Wind"])
    return TreeClassifier.id3(prune=None, **changes).fit(X, table["PlayTennis"])


@pytest.mark.slow
@given(
    st.integers(0, 2**20),
    st.sampled_from(["node_mode", "column_mode", "fractional"]),
    st.sampled_from(["multiway", "subset"]),
)
@settings(max_examples=40)
def test_the_way_ends_where_the_tree_answers(seed, missing, splits):
    """Answer and shares of the explanation are those of predict and predict_proba."""
    X, y = random_rows(seed, 50), random_classes(seed, 50)
    tree = TreeClassifier(missing=missing, categorical_splits=splits, min_leaf=1, prune=None).fit(X, y)
    rows = other_rows(seed, 6)
    for place in range(rows.n_rows):
        found = tree.explain(rows[[place]])
        shares = tree.predict_proba(rows[[place]])[0]
        assert list(found.distribution) == tree.classes_.tolist()
        assert list(found.distribution.values()) == pytest.approx(shares.tolist(), abs=1e-12)
        assert sum(found.shares.values()) == pytest.approx(1.0)
        assert found.prediction == tree.predict(rows[[place]])[0]
        if missing != "fractional":
            assert list(found.shares) == tree.apply(rows[[place]]).tolist()
            path = tree.tree_.path(int(tree.apply(rows[[place]])[0]))
            assert [step.node for step in found.steps] == path


def test_the_way_in_words():
    """Each question stands with the row's value, then the leaf and the answer."""
    sunny = {"Outlook": "Sunny", "Humidity": "High"}
    assert str(tennis_tree().explain(sunny)) == (
        "Outlook is Sunny\nHumidity is High\nThis ends at No (3)\n"
        "So the prediction is No (No 84% and Yes 16%)."
    )


def test_an_unknown_value_goes_where_most_rows_went():
    """A level that training never saw is like a missing one, and the words say where it went."""
    explained = tennis_tree().explain({"Outlook": "Hail", "Wind": "Weak"})
    assert explained.steps[0].value == "Hail"
    text = str(explained)
    assert text.splitlines()[0] == (
        "Outlook is Hail, which training never saw, and goes where most rows went (Outlook = Rain)"
    )


def test_a_row_that_is_split():
    """Each part stands under its share, and the answer adds them up."""
    explained = tennis_tree(missing="fractional").explain({"Outlook": "Sunny"})
    assert str(explained).splitlines() == [
        "Outlook is Sunny",
        "Humidity is unknown, so the row is split",
        "  60% goes on with Humidity = High",
        "    This ends at No (3)",
        "  40% goes on with Humidity = Normal",
        "    This ends at Yes (2)",
        "So the prediction is No (No 55% and Yes 45%).",
    ]
    assert [step.share for step in explained.steps] == pytest.approx([1, 1, 0.6, 0.4])
    assert [step.depth for step in explained.steps] == [0, 0, 1, 1]
    assert [step.is_end for step in explained.steps] == [False, False, True, True]


def test_a_value_that_is_filled():
    """What a missing value counts as is told."""
    X = Table(
        [Column("age", "number", np.array([20.0, 25, 25, 40, 50])), category_column("a", list("xxyxy"))]
    )
    tree = TreeClassifier.cart(missing="column_mode", prune=None).fit(X, [0, 0, 0, 1, 1])
    assert str(tree.explain({"a": "x"})).splitlines()[0] == ("age is unknown and counts as 25 (age <= 32.5)")


def test_a_value_that_training_never_saw():
    """It is named in every form of a row, whatever becomes of it; a gap is unknown."""
    X = pd.DataFrame({"island": ["Dream", "Biscoe", "Dream", "Biscoe", "Torgersen"]})
    y = list("abaac")
    starts = {
        "node_mode": ", and goes",
        "fractional": ", so the row",
        "column_mode": ", and counts as Biscoe",
    }
    for missing, rest in starts.items():
        tree = TreeClassifier.id3(missing=missing, prune=None).fit(X, y)
        mars = X[:1].assign(island="Mars")
        for row in ({"island": "Mars"}, mars, mars.iloc[0], pl.from_pandas(mars)):
            words = tree.explain(row).steps[0].words
            assert words.startswith(f"island is Mars, which training never saw{rest}")
        gap = tree.explain(X[:1].assign(island=None)).steps[0]
        assert gap.words.startswith(f"island is unknown{rest.replace(', and', ' and')}")
        assert gap.value is None


def test_a_number_that_training_never_saw():
    """So is a number that is a category, in an array, a sparse matrix and an array of objects."""
    tree = TreeClassifier.id3(categorical=[0], prune=None).fit([[1.0], [2.0], [1.0]], [0, 1, 0])
    for row in ([7.0], np.array([[7.0]]), csr_matrix([[7.0]]), np.array([7], dtype=object), {"x0": 7}):
        assert tree.explain(row).steps[0].words.startswith("x0 is 7, which training never saw")
    assert tree.explain([np.nan]).steps[0].words.startswith("x0 is unknown")
    words = TreeClassifier.id3(categorical=[0], prune=None).fit([["a"], ["b"]], [0, 1])
    assert words.explain(["c"]).steps[0].words.startswith("x0 is c, which training never saw")


def test_a_row_that_stops_at_an_empty_branch():
    """A level that no training row had at the node ends the way there."""
    X = Table([category_column("a", list("xxxxyyyy")), category_column("b", list("ppqqpqrr"))])
    tree = TreeClassifier.id3(prune=None).fit(X, [0, 0, 1, 1, 2, 2, 2, 2])
    explained = tree.explain({"a": "x", "b": "r"})
    assert explained.steps[-1].words == "b is r, as in no training row here: this ends at 0 (4/2)"
    assert (explained.steps[-1].column, explained.steps[-1].value) == ("b", "r")
    assert str(explained).endswith("So the prediction is 0 (0 45%, 1 45% and 2 10%).")


def test_a_regression():
    """A number is answered, and there is no distribution."""
    tree = TreeRegressor(min_leaf=1, prune=None).fit([[1.0], [2.0], [8.0]], [5.0, 5.0, 7.0])
    explained = tree.explain([1.5])
    assert str(explained) == "x0 is 1.5 (x0 <= 5)\nThis ends at 5 (2 rows)\nSo the prediction is 5."
    assert (explained.prediction, explained.distribution) == (5.0, {})


def test_every_form_of_a_row_is_explained_alike():
    """A dict, a series, a table and frames of one row give the same words."""
    cells = mixed_cells()
    tree = TreeClassifier(min_leaf=1, prune=None).fit(as_pandas(cells), mixed_answers(cells))
    frames = {name: form(cells) for name, form in FORMS.items()}
    for place in range(20):
        wanted = str(tree.explain({name: values[place] for name, values in cells.items()}))
        forms = (
            frames["pandas"].iloc[place],
            frames["pandas"].iloc[[place]],
            frames["polars"][place],
            frames["arrow"].slice(place, 1),
            frames["table"][place],
        )
        assert {str(tree.explain(form)) for form in forms} == {wanted}


def test_a_row_of_a_tree_without_names():
    """A list, an array of one or two dimensions, a series and places as keys all name x0, x1."""
    X = np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 1.0], [6.0, 0.0]])
    tree = TreeClassifier.cart(prune=None).fit(X, [0, 0, 1, 1])
    rows = ([0.5, 1.0], np.array([0.5, 1.0]), np.array([[0.5, 1.0]]), pd.Series([0.5, 1.0]), {"x0": 0.5})
    assert {str(tree.explain(row)).splitlines()[0] for row in rows} == {"x0 is 0.5 (x0 <= 3)"}
    words = TreeClassifier.id3(categorical=[0], prune=None).fit([["a", 1.0], ["b", 2.0]], [0, 1])
    assert words.explain(["b", 1.0]).prediction == 1
    assert words.explain({"x0": "a"}).prediction == 0


def test_categories_made_of_numbers():
    """A level that is a number is given as a number or as its label."""
    frame = pd.DataFrame({"rooms": [1, 2, 3, 1, 2, 3]})
    tree = TreeClassifier.id3(categorical=["rooms"], prune=None).fit(frame, list("abcabc"))
    assert [tree.explain({"rooms": value}).prediction for value in (2, 2.0, "2")] == ["b", "b", "b"]


def test_dates_and_booleans():
    """Dates are days or moments, booleans any word that means one."""
    table = Table(
        [
            Column("joined", "date", np.array([18000.0, 18001, 18002, 18003])),
            Column("member", "boolean", np.array([0, 1, 0, 1], dtype=np.int32), ("false", "true")),
        ]
    )
    tree = TreeClassifier.cart(prune=None).fit(table, [0, 0, 1, 1])
    day = datetime.date(2019, 4, 15)
    assert str(tree.explain({"joined": day})).startswith("joined is 2019-04-15 (joined <= 2019-04-15)")
    for moment in (
        datetime.datetime(2019, 4, 17, 12),
        pd.Timestamp("2019-04-17"),
        np.datetime64("2019-04-17"),
    ):
        assert tree.explain({"joined": moment}).prediction == 1
    member = TreeClassifier.cart(prune=None).fit(table, [0, 1, 0, 1])
    assert [member.explain({"member": word}).prediction for word in (True, "yes", np.True_, False)] == [
        1,
        1,
        1,
        0,
    ]


def test_what_is_no_row_of_this_tree_is_refused():
    """Names that are not there, several rows, and values of another kind."""
    cells = mixed_cells()
    tree = TreeClassifier(prune=None).fit(as_pandas(cells), mixed_answers(cells))
    with pytest.raises(RequestError, match="there is no column 'twon'") as caught:
        tree.explain({"twon": "Ulm"})
    assert caught.value.fix == "did you mean 'town'?"
    with pytest.raises(RequestError, match="only one row"):
        tree.explain(as_pandas(cells))
    with pytest.raises(DataError, match="column 'age' wants a number"):
        tree.explain({"age": "old"})
    for word in ("soon", "03/04/2024", "2024-02-30", ""):
        with pytest.raises(DataError, match="column 'joined' wants a date"):
            tree.explain({"joined": word})


@pytest.mark.parametrize("row", [None, 3.5, "Sunny", {"Outlook"}, np.array(1.0)], ids=str)
def test_what_is_no_row_at_all_is_refused(row):
    """The error says what a row may be."""
    with pytest.raises(InputTypeError, match="is not a row") as caught:
        tennis_tree().explain(row)
    assert "a dict or a series" in caught.value.fix


@pytest.mark.parametrize("text", ["2019-04-17", "2019-04-17 12:00", "2019-04-17T14:00+02:00", " 2019-4-17 "])
def test_dates_as_text(text):
    """A date may be ISO text, which counts as read_table reads it."""
    days = Column("joined", "date", np.array([18000.0, 18001, 18002, 18003]))
    tree = TreeClassifier.cart(prune=None).fit(Table([days]), [0, 0, 1, 1])
    explained = tree.explain({"joined": text})
    wanted = read_table({"joined": [text]}, kinds={"joined": "date"})
    assert explained.steps[0].value == wanted["joined"].values[0]
    assert explained.prediction == 1
