"""A threshold of its own: where it lies, what it decides, and that probabilities do not change."""

from __future__ import annotations

import json
import math
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline

import heldout as ho
from heldout.errors import DataError, RequestError
from heldout.learners.threshold_classifier import best_threshold, positive_scores

SCORES = {"balanced_accuracy": balanced_accuracy_score, "f1": f1_score}


def rare_rows(n_rows: int = 400) -> tuple[Any, Any]:
    """Rows of which about a tenth is positive."""
    generator = np.random.default_rng(5)
    X = generator.normal(size=(n_rows, 3))
    is_rare = X[:, 0] + generator.normal(size=n_rows) > 1.9
    return X, np.where(is_rare, "yes", "no")


@pytest.mark.slow
@pytest.mark.parametrize("metric", list(SCORES))
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=25))
def test_no_other_threshold_is_better(metric: str, rows: list[tuple[bool, int]]) -> None:
    """scikit-learn's score at the threshold is the largest over every cut between two scores."""
    is_positive = np.array([each for each, _ in rows])
    scores = np.array([float(score) for _, score in rows])
    found = best_threshold(is_positive, scores, metric=metric)
    values = np.unique(scores)
    if len(values) == 1 or is_positive.all() or not is_positive.any():
        assert math.isnan(found)
        return
    cuts = [*(values[:-1] + values[1:]) / 2]
    best = max(SCORES[metric](is_positive, scores >= cut) for cut in cuts)
    assert SCORES[metric](is_positive, scores >= found) == pytest.approx(best, abs=1e-12)


def test_weights_count_as_rows() -> None:
    """A row of weight 3 moves the threshold as three rows do."""
    generator = np.random.default_rng(2)
    is_positive, scores = generator.random(60) < 0.3, generator.random(60)
    weights = generator.integers(1, 4, size=60)
    repeated = best_threshold(np.repeat(is_positive, weights), np.repeat(scores, weights))
    assert best_threshold(is_positive, scores, weights.astype(float)) == pytest.approx(repeated)


@pytest.mark.slow
@pytest.mark.parametrize("positive", ["yes", "no"])
@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.8])
def test_it_decides_as_scikit_learns(positive: str, threshold: float) -> None:
    """At the same threshold of the same probabilities the classes are those of FixedThresholdClassifier."""
    X, y = rare_rows()
    ours = ho.ThresholdClassifier(LogisticRegression(), threshold=threshold, positive=positive).fit(X, y)
    theirs = FixedThresholdClassifier(
        LogisticRegression(), threshold=threshold, pos_label=positive, response_method="predict_proba"
    ).fit(X, y)
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()
    assert ours.predict_proba(X).tolist() == theirs.predict_proba(X).tolist()


def test_a_learner_without_probabilities_has_a_threshold_of_its_decision_values() -> None:
    """A perceptron is moved along its decision values, on the side of the positive class."""
    X, y = rare_rows()
    plain = ho.Perceptron(random_state=1).fit(X, y)
    values = positive_scores(plain, X, "no")
    model = ho.ThresholdClassifier.around(plain, float(np.quantile(values, 0.25)), "no")
    assert not hasattr(model, "predict_proba")
    assert np.mean(model.predict(X) == "no") == pytest.approx(0.75, abs=0.01)
    assert "decision value" in model.decision_words()


@pytest.mark.parametrize(
    "learner",
    [
        ho.TreeClassifier(),
        ho.ForestClassifier(n_trees=5),
        ho.NeighborsClassifier(),
        ho.Perceptron(),
        ho.RuleClassifier(),
    ],
)
def test_a_file_gives_it_back(learner: Any, tmp_path: Path) -> None:
    """Saved and loaded, alone and at the end of a Pipeline, it predicts the same classes."""
    X, y = rare_rows(120)
    prepared = ho.Scale().fit(X)
    scaled = prepared.transform(X)
    scores = positive_scores(learner.fit(scaled, y), scaled, "yes")
    model = ho.ThresholdClassifier.around(learner, float(np.median(scores)), "yes")
    joined = make_pipeline(prepared, model)
    for each, rows in ((model, scaled), (joined, X)):
        ho.save(each, tmp_path / "a.model")
        assert ho.load(tmp_path / "a.model").predict(rows).tolist() == each.predict(rows).tolist()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A threshold that is no number, or a class that is none, is found before anything is predicted."""
    import zipfile

    X, y = rare_rows(120)
    path = tmp_path / "a.model"
    ho.save(ho.ThresholdClassifier(ho.TreeClassifier(), threshold=0.25, positive="yes").fit(X, y), path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for old, new in ((b"0.25", b'"high"'), (b'"positive": "yes"', b'"positive": "maybe"')):
        assert old in members["model.json"]
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content.replace(old, new) if name == "model.json" else content)
        with pytest.raises(DataError):
            ho.load(path)


def test_three_classes_are_refused() -> None:
    """There is no threshold between three classes, and the error says so."""
    with pytest.raises(DataError, match="between two classes"):
        ho.ThresholdClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "c"])
    with pytest.raises(RequestError, match="none of the classes"):
        ho.ThresholdClassifier(positive="c").fit([[1.0], [2.0]], ["a", "b"])


@pytest.mark.parametrize("learner", [ho.TreeClassifier(), ho.RuleClassifier()], ids=["tree", "rules"])
def test_exports_decide_at_the_threshold(learner: Any) -> None:
    """A program, a SELECT in SQLite and JSON decide as the model does, row by row."""
    X, y = rare_rows(600)
    table = ho.read_table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    learner.fit(table, y)
    usual = learner.predict(table).tolist()
    models = [
        ho.ThresholdClassifier.around(learner, float(score) + 1e-9, "yes")
        for score in np.unique(positive_scores(learner, table, "yes"))
    ]
    model = next(each for each in models if each.predict(table).tolist() != usual)
    wanted, threshold = model.predict(table).tolist(), model.threshold
    program: dict[str, Any] = {}
    exec(ho.export(model, "python"), program)
    assert [program["predict"](dict(zip("abc", row, strict=True))) for row in X.tolist()] == wanted
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE data (a REAL, b REAL, c REAL)")
        database.executemany("INSERT INTO data VALUES (?, ?, ?)", X.tolist())
        rows = database.execute(f"SELECT decision FROM ({ho.export(model, 'sql')})").fetchall()
    assert [row[0] for row in rows] == wanted
    told = json.loads(ho.export(model, "json"))
    assert (told["threshold"], told["classes"][told["positive"]]) == (threshold, "yes")


def test_what_cannot_hold_a_threshold_is_refused() -> None:
    """A perceptron has no probability to compare, and ONNX no place for a threshold."""
    X, y = rare_rows(120)
    with pytest.raises(RequestError, match="holds no threshold"):
        ho.export(ho.ThresholdClassifier(ho.Perceptron(), threshold=0.1).fit(X, y), "python")


def test_a_pipeline_inside_comes_back(tmp_path: Path) -> None:
    """A threshold around a whole Pipeline of ours, as a contender may be one, is saved and loaded."""
    X, y = rare_rows(120)
    inner = make_pipeline(ho.Scale(), ho.Perceptron(random_state=1)).fit(X, y)
    model = ho.ThresholdClassifier.around(inner, -0.5, "yes")
    ho.save(model, tmp_path / "a.model")
    assert ho.load(tmp_path / "a.model").predict(X).tolist() == model.predict(X).tolist()
