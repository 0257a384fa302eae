"""A cell: what it keeps, in which order, and what it says where something is missing."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import heldout as ho
from heldout.errors import DataError, RequestError
from heldout.split.fold import Fold
from heldout.study.cells.cell import cell_keys, run_cell
from heldout.table.column import category_column

from .made_work import cells_of, key_of, made_work

PENGUINS = ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 3)), target="species")
VOTES = ho.Task(ho.datasets.load("house_votes").take(np.arange(0, 435, 4)), target="party")
PROSTATE = ho.Task(ho.datasets.load("prostate"), target="lpsa")


class Answering(ClassifierMixin, BaseEstimator):
    """Answers whatever it was told to."""

    def __init__(self, answer: Any = "a", n_columns: int = 1) -> None:
        self.answer = answer
        self.n_columns = n_columns

    def fit(self, X: Any, y: Any) -> Answering:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full((X.n_rows, self.n_columns) if self.n_columns > 1 else X.n_rows, self.answer)


def _three_classes() -> ho.Task:
    """Rows 0 to 5 are of the class "a", 6 to 11 of "b", the others of "c"."""
    labels = ["a"] * 6 + ["b"] * 6 + ["c"] * 6
    size = ho.Column("size", "number", np.arange(18.0))
    return ho.Task(ho.Table([size, category_column("kind", labels)]), target="kind")


def _fold(test: Any) -> Fold:
    rows = np.arange(18)
    return Fold(0, 0, np.setdiff1d(rows, test), np.asarray(test, dtype=np.intp))


def test_probabilities_are_ordered_by_the_classes_of_the_task() -> None:
    """A training part without the class "b" leaves its column 0, and the others in their places."""
    fold = _fold(np.arange(6, 12))
    work = made_work(_three_classes(), ho.Contender("tree", ho.TreeClassifier()), folds=[fold])
    cell = run_cell(work, key_of(work, "tree", fold))
    assert work.classes == ("a", "b", "c")
    assert cell.predictions["probabilities"].shape == (6, 3)
    assert (cell.predictions["probabilities"][:, 1] == 0).all()
    assert cell.predictions["probabilities"].sum(axis=1).tolist() == [1.0] * 6
    assert set(cell.predictions["labels"].tolist()) <= {0, 2}
    assert cell.scores["accuracy"] == 0.0
    assert cell.scores["log_loss"] == np.inf
    assert cell.rows.tolist() == list(range(6, 12))


def test_a_metric_that_a_fold_cannot_have_is_nan() -> None:
    """In a test part of one class there is no AUC; which is said; the other scores stand."""
    fold = _fold(np.arange(3))
    work = made_work(_three_classes(), ho.Contender("tree", ho.TreeClassifier()), folds=[fold])
    cell = run_cell(work, key_of(work, "tree", fold))
    assert np.isnan(cell.scores["auc"])
    assert cell.scores["accuracy"] == 1.0
    assert cell.notes == ("no auc: it is not defined for these rows",)


def test_margins_stand_in_for_probabilities() -> None:
    """Without predict_proba margins are kept, towards the positive class; log_loss is NaN, and it is said."""
    for positive in ("democrat", "republican"):
        task = ho.Task(VOTES.table, target="party", positive=positive)
        work = made_work(task, ho.Contender("perceptron", ho.Perceptron()))
        cell = cells_of(work, "perceptron")[0]
        is_positive = cell.predictions["labels"] == task.classes.index(positive)
        assert ((cell.predictions["scores"] > 0) == is_positive).mean() > 0.95
        assert "probabilities" not in cell.predictions
        assert np.isnan(cell.scores["log_loss"])
        assert cell.scores["auc"] > 0.9
        assert cell.notes == ("no log_loss: Perceptron gives no probabilities",)


def test_margins_of_several_classes_are_a_column_each() -> None:
    """Columns stand in the order of the task's classes, with −∞ for a class that training never saw."""
    cell = cells_of(made_work(PENGUINS, ho.Contender("p", ho.Perceptron())), "p")[0]
    assert cell.predictions["scores"].argmax(axis=1).tolist() == cell.predictions["labels"].tolist()
    fold = _fold(np.arange(6, 12))
    work = made_work(_three_classes(), ho.Contender("svc", LinearSVC()), folds=[fold])
    scores = run_cell(work, key_of(work, "svc", fold)).predictions["scores"]
    assert np.isneginf(scores[:, 1]).all()
    assert np.isfinite(scores[:, [0, 2]]).all()


def test_margins_are_kept_beside_probabilities_where_scores_are_judged() -> None:
    """A model with both ranks by its margins in the fold, so the ledger has them for the pooled AUC."""
    cell = cells_of(made_work(VOTES, ho.Contender("logistic", LogisticRegression())), "logistic")[0]
    assert set(cell.predictions) == {"labels", "probabilities", "scores"}
    order = np.argsort(cell.predictions["scores"], kind="stable")
    assert (np.diff(cell.predictions["probabilities"][order, 1]) >= 0).all()


@pytest.mark.parametrize(
    ("learner", "is_pickled"),
    [
        (GaussianNB(), True),
        (SVC(), True),
        (RandomForestClassifier(5), False),
        (make_pipeline(StandardScaler(), LogisticRegression()), False),
        (GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=3), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_foreign_learners_run_and_are_described(learner: Any, is_pickled: bool) -> None:
    """Any learner of scikit-learn's protocol makes cells; pickles are labelled, and bits the same twice."""
    work = made_work(PENGUINS, ho.Contender("foreign", learner))
    first, again = (run_cell(work, key_of(work, "foreign", work.folds[0])) for _ in range(2))
    assert first.bits_are_foreign == is_pickled
    assert first.bits > (1000 if is_pickled else 10)
    assert first.bits == again.bits
    assert first.scores["accuracy"] > 0.4
    assert first.predictions["labels"].tolist() == again.predictions["labels"].tolist()


def test_own_learners_are_described_by_their_code() -> None:
    """Bits are those of the preparation and of the learner, and not foreign."""
    work = made_work(PENGUINS, ho.Contender("near", ho.NeighborsClassifier()))
    cell = cells_of(work, "near")[0]
    assert cell.bits > 0
    assert not cell.bits_are_foreign


def test_numbers_are_predicted_as_values() -> None:
    """A regression keeps one number per row, also of a foreign learner."""
    for learner in (ho.TreeRegressor(), LinearRegression()):
        cells = cells_of(made_work(PROSTATE, ho.Contender("numbers", learner)), "numbers")
        assert set(cells[0].predictions) == {"values"}
        assert np.sort(np.concatenate([cell.rows for cell in cells])).tolist() == list(range(97))
        off = cells[0].predictions["values"] - PROSTATE.y[cells[0].rows]
        assert cells[0].scores["rmse"] == pytest.approx(np.sqrt(np.mean(off**2)), rel=1e-12)


def test_warnings_become_notes_with_their_number(capfd: Any) -> None:
    """ConvergenceWarning and UnseenLevelWarning are counted in the cell and not printed."""
    work = made_work(PENGUINS, ho.Contender("logistic", LogisticRegression(max_iter=2), {"C": [1.0, 2.0]}))
    cell = run_cell(work, key_of(work, "logistic", work.folds[0]))
    said = [note for note in cell.notes if note.startswith(ConvergenceWarning.__name__)]
    assert len(said) == 1
    assert said[0].endswith("(7 times)")
    levels = category_column("place", ["x", "y"] * 8 + ["z", "z"])
    table = ho.Table([levels, *_three_classes().table.columns])
    fold = _fold(np.array([0, 8, 16, 17]))
    unseen = made_work(
        ho.Task(table, target="kind"), ho.Contender("near", ho.NeighborsClassifier()), folds=[fold]
    )
    notes = run_cell(unseen, key_of(unseen, "near", fold)).notes
    assert any(note.startswith("UnseenLevelWarning: ") and "z" in note for note in notes)
    assert capfd.readouterr() == ("", "")


def test_warnings_outside_are_left_alone() -> None:
    """After a cell the filters of warnings are what they were."""
    before = list(warnings.filters)
    cells_of(made_work(VOTES, ho.Contender("tree", ho.TreeClassifier())), "tree")
    assert warnings.filters == before


def test_texts_become_words_inside_the_fold() -> None:
    """A text column is prepared for learners that take sparse rows and for those that do not."""
    words = [f"{'good' if row % 2 else 'bad'} film number {row % 5}" for row in range(60)]
    table = ho.Table(
        [
            ho.Column("review", "text", np.array(words, dtype=object)),
            category_column("likes", ["yes" if row % 2 else "no" for row in range(60)]),
        ]
    )
    contenders = [
        ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 3]}),
        ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}),
        ho.Contender("perceptron", ho.Perceptron()),
    ]
    work = made_work(ho.Task(table, target="likes"), *contenders)
    for contender in contenders:
        assert [cell.scores["accuracy"] for cell in cells_of(work, contender.name)] == [1.0] * 3


def test_answers_that_are_no_classes_are_refused() -> None:
    """A learner that answers another label, or a table of labels, fails with its name."""
    for learner, words in (
        (Answering("zebra"), "no class of the task"),
        (Answering("a", 2), "another shape"),
    ):
        work = made_work(_three_classes(), ho.Contender("odd", learner, prepare=None))
        with pytest.raises(DataError, match=f"odd answered .*{words}"):
            cells_of(work, "odd")


def test_looks_say_which_rows_were_used_for_what() -> None:
    """Tuning and fitting look at the training rows, scoring at the test rows."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}))
    fold = work.folds[0]
    looks = run_cell(work, key_of(work, "tree", fold)).looks
    assert [(look.what, look.n_rows) for look in looks] == [
        ("tune", len(fold.train)),
        ("fit", len(fold.train)),
        ("score", len(fold.test)),
    ]
    assert looks[0].rows == looks[1].rows != looks[2].rows
    assert {look.role for look in looks} == {"open"}
    assert {look.by for look in looks} == {"tree"}


def test_keys_are_those_of_contender_fold_and_protocol() -> None:
    """Every cell has one key; the same contender in another plan with the same protocol has the same."""
    tree, near = ho.Contender("tree", ho.TreeClassifier()), ho.Contender("near", ho.NeighborsClassifier())
    one, both = made_work(PENGUINS, tree), made_work(PENGUINS, tree, near)
    keys = [key.text for key in cell_keys(both)]
    assert len(set(keys)) == len(keys) == 9
    assert {key.text for key in cell_keys(one)} < set(keys)
    other = made_work(PENGUINS, tree, tuning=ho.KFold(4))
    assert not {key.text for key in cell_keys(other)} & set(keys)


def test_work_is_pickled_without_what_it_kept() -> None:
    """A worker gets rows and plan; folds and recipes are made there again, and are the same."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}))
    cell = run_cell(work, key_of(work, "tree", work.folds[0]))
    copied = pickle.loads(pickle.dumps(work))
    assert copied._kept.count("folds") == 0
    assert work._kept.count("folds") == 1
    again = run_cell(copied, key_of(copied, "tree", copied.folds[0]))
    assert again.key == cell.key
    assert again.scores == cell.scores
    assert again.choice_scores.tobytes() == cell.choice_scores.tobytes()


def test_contenders_and_folds_that_are_not_there_are_refused() -> None:
    """A wrong key says what there is."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier()))
    with pytest.raises(RequestError, match="no such fold"):
        work.fold(0, 17)
    with pytest.raises(RequestError, match="no contender"):
        work.contender("abc")


def test_what_is_kept_is_bounded_and_belongs_to_its_rows() -> None:
    """A work over other rows keeps nothing of the first; of many folds only the latest stay."""
    work = made_work(PENGUINS, ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2]}))
    for n_rows in range(60, 80):
        work.inner_folds(np.arange(n_rows))
    assert work._kept.count("folds") == 8
    assert replace(work, weights=None)._kept.count("folds") == 0
