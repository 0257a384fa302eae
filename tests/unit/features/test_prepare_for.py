"""The default preparation: what each learner gets, and that it can be changed and passed anywhere."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import SVC

import heldout as ho
from heldout import Column, InputTypeError, RequestError, Table

PENGUINS = ho.Task(ho.datasets.load("penguins"), target="species")
REVIEWS = [
    ("a warm and groovy film", "good"),
    ("groovy from start to end", "good"),
    ("warm, funny and groovy", "good"),
    ("a warm story with a good end", "good"),
    ("slow and cold", "bad"),
    ("a cold film with a slow start", "bad"),
    ("slow slow slow and no end", "bad"),
    ("cold story, slow end", "bad"),
] * 5


def reviews(with_category: bool = True) -> ho.Task:
    """Texts with a number, a date, an identifier and, if wanted, a category with gaps."""
    n_rows = len(REVIEWS)
    numbers = np.random.default_rng(3).random(n_rows)
    columns = [
        Column("review", "text", np.array([text for text, _ in REVIEWS], dtype=object)),
        Column("stars", "number", np.where(np.arange(n_rows) % 6 == 0, np.nan, numbers)),
        Column("day", "date", 18_000 + np.floor(numbers * 300)),
        Column("id", "identifier", np.array([f"r{row}" for row in range(n_rows)], dtype=object)),
    ]
    if with_category:
        kind = ["drama" if row % 3 else None if row % 2 else "comedy" for row in range(n_rows)]
        columns.append(ho.read_table({"kind": kind}, kinds={"kind": "category"})["kind"])
    columns.append(ho.read_table({"verdict": [verdict for _, verdict in REVIEWS]})["verdict"])
    return ho.Task(Table(columns), target="verdict")


def steps(learner: Any, task: ho.Task) -> list[str]:
    return list(ho.prepare_for(learner, task).named_steps)


@pytest.mark.parametrize(
    "learner",
    [
        ho.TreeClassifier(),
        ho.RuleClassifier(),
        ho.ForestClassifier(),
        ho.NeighborsClassifier(metric="gower"),
        ho.BaselineClassifier(),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_learners_of_categories_and_gaps_get_them_as_they_are(learner: Any) -> None:
    """The preparation has one step that does nothing, and gives back the very table."""
    preparation = ho.prepare_for(learner, PENGUINS)
    assert preparation.steps == [("nothing", "passthrough")]
    assert preparation.fit_transform(PENGUINS.X) is PENGUINS.X


@pytest.mark.parametrize(
    "learner", [ho.NeighborsClassifier(), ho.Perceptron(), LogisticRegression()], ids=repr
)
def test_learners_of_numbers_get_filled_scaled_and_encoded_columns(learner: Any) -> None:
    """Every column is a number and known, numbers have mean 0 and variance 1, levels are 0 and 1."""
    preparation = ho.prepare_for(learner, PENGUINS)
    assert list(preparation.named_steps) == ["fill", "scale", "encode"]
    made = preparation.fit_transform(PENGUINS.X)
    assert set(made.kinds.values()) == {"number"}
    assert all(column.n_missing == 0 for column in made.columns)
    matrix = np.asarray(made)
    numbers = [name for name in made.names if name in PENGUINS.X.names and PENGUINS.X.kinds[name] == "number"]
    places = [made.names.index(name) for name in numbers]
    assert len(places) >= 4
    np.testing.assert_allclose(matrix[:, places].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(matrix[:, places].var(axis=0), 1.0, rtol=1e-12)
    others = [place for place in range(matrix.shape[1]) if place not in places]
    assert set(np.unique(matrix[:, others])) == {0.0, 1.0}


@pytest.mark.parametrize(
    ("learner", "lowest"),
    [(ho.NeighborsClassifier(), 0.97), (ho.Perceptron(), 0.97), (ho.ForestClassifier(20), 0.96)],
    ids=lambda part: type(part).__name__,
)
def test_a_prepared_learner_is_cross_validated(learner: Any, lowest: float) -> None:
    """Pipeline of preparation and learner works in scikit-learn's cross-validation, on a Table with gaps."""
    whole = make_pipeline(ho.prepare_for(learner, PENGUINS), learner)
    assert cross_val_score(whole, PENGUINS.X, PENGUINS.y, cv=5).mean() >= lowest


def test_regression_is_prepared_too() -> None:
    """Least squares gets one level less of each category, so that no column depends on the others."""
    table = ho.datasets.load("penguins")
    task = ho.Task(table, target="body_mass_g")
    preparation = ho.prepare_for(ho.LinearRegressor(), task)
    assert preparation.named_steps["encode"].drop_first
    assert not ho.prepare_for(ho.RidgeRegressor(), task).named_steps["encode"].drop_first
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = make_pipeline(preparation, ho.LinearRegressor()).fit(task.X, task.y)
    assert fitted[-1].rank_ == len(fitted[-1].coef_)
    assert fitted.score(task.X, task.y) > 0.8


def test_only_what_the_kinds_ask_for_is_done() -> None:
    """Without categories nothing is encoded, without numbers nothing is scaled; gaps may come later."""
    numbers = ho.Task(ho.read_table({"a": [1.0, 2.0, 3.0], "y": ["p", "q", "p"]}), target="y")
    assert steps(ho.Perceptron(), numbers) == ["fill", "scale"]
    words = ho.Task(ho.read_table({"a": ["u", "v", "u"], "y": ["p", "q", "p"]}), target="y")
    assert steps(ho.Perceptron(), words) == ["fill", "encode"]
    assert steps(ho.NeighborsClassifier(metric="hamming"), words) == ["fill"]
    assert steps(HistGradientBoostingClassifier(), PENGUINS) == ["scale", "encode"]


@pytest.mark.parametrize(
    ("learner", "lowest"),
    [
        (ho.TreeClassifier(), 0.9),
        (ho.ForestClassifier(10, random_state=1), 0.9),
        (ho.NeighborsClassifier(3), 0.75),  # to neighbors the two columns that say nothing are as near
        (ho.Perceptron(), 0.9),
        (ho.NeighborsClassifier(3, metric="gower"), 0.9),
        (LogisticRegression(), 0.9),
    ],
    ids=repr,
)
def test_texts_become_words_for_every_learner(learner: Any, lowest: float) -> None:
    """Half of the rows teach which words go with which verdict, and the other half is told apart."""
    task = reviews()
    assert "review" in task.X.names
    assert "id" not in task.X.names
    whole = make_pipeline(ho.prepare_for(learner, task), clone(learner))
    first = np.arange(task.n_rows) < task.n_rows // 2
    whole.fit(task.X[first], task.y[first])
    assert (whole.predict(task.X[~first]) == task.y[~first]).mean() > lowest


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [
        SVC(),
        RandomForestClassifier(5, random_state=0),
        GradientBoostingClassifier(n_estimators=5),
        HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3),
        GaussianNB(),
        VotingClassifier([("a", LogisticRegression()), ("b", ho.Perceptron())]),
        GridSearchCV(ho.TreeClassifier(), {"min_leaf": [1, 3]}, cv=2),
        make_pipeline(ho.TreePaths(), ho.Perceptron()),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_learners_that_are_not_ours_take_what_is_made(learner: Any) -> None:
    """Texts, gaps, dates, categories and booleans come through a cross-validation, whatever the learner."""
    task = reviews()
    paid = Column("paid", "boolean", (np.arange(task.n_rows) % 3 - 1).astype(np.int32), ("no", "yes"))
    table = Table([*task.X.columns, paid])
    whole = make_pipeline(ho.prepare_for(learner, table), learner)
    scores = cross_val_score(whole, table, task.y, cv=3, error_score="raise")
    assert scores.min() >= 0.5


def test_gaps_are_filled_where_words_make_the_matrix_sparse() -> None:
    """A forest of scikit-learn takes gaps, but none in a sparse matrix."""
    assert steps(RandomForestClassifier(), PENGUINS) == ["scale", "encode"]
    assert steps(RandomForestClassifier(), reviews()) == ["fill", "scale", "encode", "words"]
    assert steps(HistGradientBoostingClassifier(), reviews()) == ["scale", "encode", "words"]


def test_a_search_is_prepared_as_its_learner() -> None:
    """A search over trees gets the table as it is, and least squares one level less, also in a pipeline."""
    assert steps(GridSearchCV(ho.TreeClassifier(), {}), PENGUINS) == ["nothing"]
    linear = ho.LinearRegressor()
    for learner in (GridSearchCV(linear, {}), make_pipeline(linear), GridSearchCV(make_pipeline(linear), {})):
        assert ho.prepare_for(learner, PENGUINS).named_steps["encode"].drop_first


def test_words_are_sparse_where_the_learner_takes_it() -> None:
    """The perceptron gets a sparse matrix of all columns, a tree a table with words beside the others."""
    task = reviews()
    sparse = ho.prepare_for(ho.Perceptron(), task).fit(task.X)
    made = sparse.transform(task.X)
    assert issparse(made)
    assert made.shape[1] == len(sparse.get_feature_names_out())
    table = ho.prepare_for(ho.TreeClassifier(), task).fit_transform(task.X)
    assert isinstance(table, Table)
    assert table["kind"].kind == "category"
    assert table["kind"].n_missing > 0
    assert table["review: groovy"].values[:5].tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert not issparse(ho.prepare_for(ho.LinearRegressor(), task).fit_transform(task.X))


def test_a_text_alone_is_enough() -> None:
    """A table whose only input is a text is prepared for a tree and for a perceptron."""
    task = ho.Task(reviews(with_category=False).table.select(["review", "verdict"]), target="verdict")
    for learner in (ho.TreeClassifier(), ho.Perceptron()):
        assert steps(learner, task) == ["words"]
        whole = make_pipeline(ho.prepare_for(learner, task), learner)
        assert set(cross_val_predict(whole, task.X, task.y, cv=4)) <= {"good", "bad"}


def test_a_bare_learner_says_what_to_do_with_a_text() -> None:
    """A text that reaches a learner is refused, and the preparation named."""
    task = reviews()
    for learner in (ho.TreeClassifier(), ho.ForestClassifier(), ho.Perceptron()):
        with pytest.raises(ho.DataError) as caught:
            learner.fit(task.X, task.y)
        assert "prepare_for" in caught.value.fix
    assert any("'review' is text" in note for note in task.notes)


@pytest.mark.parametrize("learner", [ho.NeighborsClassifier(), ho.Perceptron()], ids=repr)
def test_the_advice_of_a_bare_learner_can_be_followed(learner: Any) -> None:
    """Errors name FillMissing for gaps, OneHot and prepare_for for categories; with these it learns."""
    table, y = PENGUINS.X, PENGUINS.y
    with pytest.raises(ho.DataError) as gaps:
        learner.fit(table[["body_mass_g"]], y)
    assert "ho.FillMissing" in gaps.value.fix
    with pytest.raises(ho.DataError) as words:
        learner.fit(table, y)
    assert "ho.OneHot" in words.value.fix
    assert "ho.prepare_for(learner, task)" in words.value.fix
    make_pipeline(ho.FillMissing(), learner).fit(table[["body_mass_g"]], y)
    make_pipeline(ho.FillMissing(), ho.OneHot(), learner).fit(table, y)
    with pytest.raises(ho.DataError) as hamming:
        ho.NeighborsClassifier(metric="hamming").fit(table[["sex"]], y)
    assert "ho.FillMissing" in hamming.value.fix
    make_pipeline(ho.FillMissing(), ho.NeighborsClassifier(metric="hamming")).fit(table[["sex"]], y)


def test_the_preparation_can_be_changed_and_tuned() -> None:
    """A step is replaced, its parameters are searched, and a clone is unfitted."""
    preparation = ho.prepare_for(ho.NeighborsClassifier(), PENGUINS)
    preparation.set_params(fill__numbers="median", scale=ho.Discretize(n=4))
    assert list(preparation.named_steps) == ["fill", "scale", "encode"]
    whole = Pipeline([("prepare", preparation), ("learn", ho.NeighborsClassifier())])
    search = GridSearchCV(whole, {"prepare__fill__numbers": ["mean", "median"], "learn__k": [1, 5]}, cv=3)
    assert search.fit(PENGUINS.X, PENGUINS.y).best_score_ > 0.9


def test_only_kinds_are_looked_at() -> None:
    """The same steps for any rows of a table: a fold is never prepared differently."""
    task = reviews()
    shown = {repr(ho.prepare_for(ho.Perceptron(), task.X[[row, row + 1]])) for row in range(10)}
    assert shown == {repr(ho.prepare_for(ho.Perceptron(), task))}


def test_what_cannot_be_prepared_is_refused() -> None:
    """A class, something that is no learner, no task, and a table with an identifier: each with advice."""
    with pytest.raises(InputTypeError) as caught:
        ho.prepare_for(ho.Perceptron, PENGUINS)
    assert caught.value.fix == "hand over Perceptron()"
    with pytest.raises(InputTypeError, match="learner of scikit-learn's protocol"):
        ho.prepare_for("tree", PENGUINS)
    with pytest.raises(InputTypeError, match="a Task or a Table"):
        ho.prepare_for(ho.Perceptron(), np.ones((2, 2)))
    with pytest.raises(RequestError) as refused:
        ho.prepare_for(ho.Perceptron(), reviews().table)
    assert "Task" in refused.value.fix
