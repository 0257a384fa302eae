"""Exports of perceptrons, least squares, ridge and baselines, run and held against `predict`."""

from __future__ import annotations

import json
import math
import sqlite3
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout import Column, Table

from .learner_samples import classes, numbers_table, samples, targets

EXACT = [("perceptrons", "averaged"), ("perceptrons", "plain"), ("perceptrons", "sparse averaged")]
ROUNDED = [("linear", name) for name in ("least squares", "dependent", "saturated", "ridge", "sparse ridge")]
BASELINES = [("baselines", name) for name in ("prior", "majority", "mean", "median")]


def program_of(model: Any) -> dict[str, Any]:
    program: dict[str, Any] = {}
    exec(compile(str(ho.export(model, "python")), "exported", "exec"), program)
    return program


def rows_of(X: Any) -> list[dict[str, Any]]:
    """Rows as dicts, with booleans in words and dates as days."""
    if not isinstance(X, Table):
        dense = X.toarray() if hasattr(X, "toarray") else X
        return [{f"x{place}": value for place, value in enumerate(row)} for row in np.asarray(dense).tolist()]
    columns = {
        column.name: [column.levels[code] for code in column.values]
        if column.levels
        else column.values.tolist()
        for column in X.columns
    }
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def matrix_of(model: Any, X: Any) -> np.ndarray:
    """The numbers that a linear model sums, from words that mean 0 and 1."""
    words = {"no": 0.0, "yes": 1.0}
    return np.array([[words.get(value, value) for value in row.values()] for row in rows_of(X)], dtype=float)


def allowed_error(model: Any, X: Any) -> np.ndarray:
    """The rounding of two sums of the same terms: so much for each addition and product."""
    terms = np.abs(matrix_of(model, X) * model.coef_).sum(axis=1) + abs(model.intercept_)
    return 2 * (model.n_features_in_ + 1) * np.finfo(float).eps * terms


def decision_values_from_json(read: dict[str, Any], row: dict[str, Any]) -> list[float]:
    """A reader of the exported JSON that knows nothing of Heldout."""
    values = []
    for column in read["columns"]:
        value = row[column["name"]]
        if column["kind"] == "boolean":
            value = column["numbers"].get(value, column["meanings"].get(value.lower()))
        values.append(value)
    sums = []
    for function in read["functions"]:
        total = function["intercept"]
        for weight, value in zip(function["weights"], values, strict=True):
            total += weight * value
        sums.append(total)
    return sums


@pytest.mark.parametrize(("kind", "name"), EXACT)
def test_a_perceptron_has_the_same_bits_in_python_and_json(kind: str, name: str) -> None:
    """Sums in the order of the columns are the same wherever they are added."""
    model, X = samples(kind)[name]
    program, read = program_of(model), json.loads(ho.export(model, "json"))
    assert (read["format"], read["version"]) == ("heldout linear", 1)
    rows, values = rows_of(X), model.decision_function(X)
    predicted = model.predict(X).tolist()
    assert [program["predict"](row) for row in rows] == predicted
    exported = [program["decision_function"](row) for row in rows]
    if values.ndim == 1:
        assert exported == values.tolist()
    else:
        assert [list(scores.values()) for scores in exported] == values.tolist()
        assert list(exported[0]) == model.classes_.tolist()
    assert (
        np.array([decision_values_from_json(read, row) for row in rows]).ravel().tolist()
        == values.ravel().tolist()
    )
    assert read["classes"] == model.classes_.tolist()


@pytest.mark.parametrize(("kind", "name"), ROUNDED)
def test_a_regression_differs_by_rounding_alone(kind: str, name: str) -> None:
    """Whatever order the libraries add in, the answer is that of the exported sum but for rounding."""
    model, X = samples(kind)[name]
    program, read = program_of(model), json.loads(ho.export(model, "json"))
    rows, predicted = rows_of(X), model.predict(X)
    for answers in (
        np.array([program["predict"](row) for row in rows]),
        np.array([decision_values_from_json(read, row)[0] for row in rows]),
    ):
        assert (np.abs(answers - predicted) <= allowed_error(model, X)).all()


def without_dates(X: Table) -> Table:
    return X.drop("day")


def run_sql(connection: Any, statement: str, rows: list[dict[str, Any]], types: dict[str, str]) -> Any:
    listed = "".join(f'"{name}" {types[name]}, ' for name in types)
    connection.execute(f'CREATE TABLE "data" ({listed}place INTEGER)')
    holes = ", ".join("?" * (len(types) + 1))
    values = [[*[row[name] for name in types], place] for place, row in enumerate(rows)]
    connection.executemany(f'INSERT INTO "data" VALUES ({holes})', values)
    cursor = connection.execute(statement)
    names = [column[0] for column in cursor.description]
    found = sorted(cursor.fetchall(), key=lambda row: row[names.index("place")])
    return names, found


DATABASES = {
    "sqlite": (sqlite3.connect, ":memory:", {"number": "REAL", "boolean": "TEXT"}),
    "duckdb": (duckdb.connect, ":memory:", {"number": "DOUBLE", "boolean": "BOOLEAN"}),
}


def sql_predictions(database: str, model: Any, rows: list[dict[str, Any]]) -> Any:
    connect, path, types = DATABASES[database]
    of_columns = {column.name: types[column.kind] for column in model.inputs_.columns}
    with connect(path) as connection:
        return run_sql(connection, str(ho.export(model, "sql")), rows, of_columns)


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_perceptron_has_the_same_bits_in_sql(database: str, n_classes: int) -> None:
    """The sums of a database, and the class with the largest of them, are those of the model."""
    X = without_dates(numbers_table())
    labels = classes() if n_classes == 3 else np.where(classes() == "a", "a", "b")
    model = ho.Perceptron(epochs=3).fit(X, labels)
    rows = rows_of(X)
    names, found = sql_predictions(database, model, rows)
    assert [row[names.index("prediction")] for row in found] == model.predict(X).tolist()
    values = [[row[k] for k, name in enumerate(names) if name.startswith("decision_value_")] for row in found]
    assert np.array(values).ravel().tolist() == model.decision_function(X).ravel().tolist()


@pytest.mark.parametrize("database", DATABASES)
def test_a_regression_in_sql_differs_by_rounding_alone(database: str) -> None:
    """Numbers and booleans are added up as `predict` adds them."""
    X = without_dates(numbers_table())
    for model in (ho.LinearRegressor().fit(X, targets()), ho.RidgeRegressor(alpha=3.0).fit(X, targets())):
        names, found = sql_predictions(database, model, rows_of(X))
        answers = np.array([row[names.index("prediction")] for row in found])
        assert (np.abs(answers - model.predict(X)) <= allowed_error(model, X)).all()


@pytest.mark.parametrize("database", DATABASES)
def test_a_row_with_a_gap_has_no_answer(database: str) -> None:
    """As `predict` refuses it, Python raises, and a database gives NULL; NaN is a gap too."""
    X = without_dates(numbers_table())
    gap = {"length": None, "paid": "yes"}
    for labels in (classes(), np.where(classes() == "a", "a", "b")):
        model = ho.Perceptron().fit(X, labels)
        names, found = sql_predictions(database, model, [gap, {"length": 1.0, "paid": None}])
        assert [row[names.index("prediction")] for row in found] == [None, None]
        with pytest.raises(ValueError, match="column 'length' has no value"):
            program_of(model)["predict"](gap)
        if database == "duckdb":
            names, found = sql_predictions(database, model, [{"length": math.nan, "paid": "no"}])
            assert found[0][names.index("prediction")] is None
    unknown = Column("length", "number", np.full(X.n_rows, np.nan))
    with pytest.raises(ho.DataError, match="Input X contains NaN"):
        model.predict(Table([unknown, X["paid"]]))


@pytest.mark.slow
@given(
    weights=st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=5),
    values=st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=5),
)
def test_any_weights_give_the_same_bits(weights: list[float], values: list[float]) -> None:
    """Very small and very large weights are written and read exactly, in Python, JSON and SQLite."""
    n_columns = min(len(weights), len(values))
    model = ho.Perceptron().fit(np.eye(max(n_columns, 2), n_columns), range(max(n_columns, 2)))
    row = np.array([values[:n_columns]])
    model.classes_ = np.array(["n", "y"])
    model.coef_, model.intercept_ = np.array([weights[:n_columns]]), np.array([weights[-1]])
    expected = float(model.decision_function(row)[0])
    (given_row,) = rows_of(row)
    assert program_of(model)["decision_function"](given_row) == expected
    assert decision_values_from_json(json.loads(ho.export(model, "json")), given_row) == [expected]
    names, found = sql_predictions("sqlite", model, [given_row])
    assert found[0][names.index("decision_value_y")] == expected
    assert found[0][names.index("prediction")] == model.predict(row)[0]


def test_booleans_are_read_by_what_they_mean() -> None:
    """Other words, capitals, numbers and booleans mean what they mean at `predict`."""
    X = without_dates(numbers_table())
    model = ho.Perceptron().fit(X, classes())
    program = program_of(model)
    for spelled, level in ((True, "yes"), ("TRUE", "yes"), (1, "yes"), ("off", "no"), (0.0, "no")):
        same = {"length": 0.25, "paid": level}
        assert program["decision_function"]({"length": 0.25, "paid": spelled}) == program[
            "decision_function"
        ](same)
    with pytest.raises(ValueError, match="column 'paid' has no value that this model knows: 'perhaps'"):
        program["predict"]({"length": 0.25, "paid": "perhaps"})


@pytest.mark.parametrize(("kind", "name"), BASELINES)
def test_a_baseline_answers_the_same_everywhere(kind: str, name: str) -> None:
    """Python, JSON and both databases give its one answer, and its probabilities."""
    model, X = samples(kind)[name]
    answer = model.predict(X).tolist()[0]
    shares = model.predict_proba(X)[0].tolist() if hasattr(model, "classes_") else []
    program, read = program_of(model), json.loads(ho.export(model, "json"))
    assert (read["format"], read["prediction"], read.get("probabilities", [])) == (
        "heldout baseline",
        answer,
        shares,
    )
    assert program["predict"]({}) == answer
    if shares:
        assert program["predict_proba"]({}) == dict(zip(model.classes_.tolist(), shares, strict=True))
    for connect, path, _ in DATABASES.values():
        with connect(path) as connection:
            names, found = run_sql(connection, str(ho.export(model, "sql")), [{}], {})
        assert found[0][names.index("prediction")] == answer
        assert list(found[0][names.index("prediction") + 1 :]) == shares


def test_what_cannot_be_exact_is_refused() -> None:
    """Each refusal has a reason and another way."""
    dated = ho.RidgeRegressor().fit(numbers_table(), targets())
    with pytest.raises(ho.RequestError, match="the days of a date") as caught:
        ho.export(dated, "sql")
    assert "'day'" in caught.value.where
    wide = ho.RidgeRegressor().fit(np.random.default_rng(0).normal(size=(9, 501)), np.arange(9.0))
    with pytest.raises(ho.RequestError, match="nested too deeply"):
        ho.export(wide, "sql")
    assert ho.export(wide, "python")
    voted = samples("perceptrons")["voted"][0]
    for format in ("python", "onnx"):
        with pytest.raises(ho.RequestError, match="no single row of weights"):
            ho.export(voted, format)
    for model in (dated, samples("baselines")["prior"][0]):
        with pytest.raises(ho.RequestError, match="ONNX") as caught:
            ho.export(model, "onnx")
        assert '"python"' in caught.value.fix
    for format in ("sql", "python", "json", "onnx"):
        with pytest.raises(ho.RequestError, match="search their training rows") as caught:
            ho.export(samples("neighbors")["l2"][0], format)
        assert "80 rows" in caught.value.where
    with pytest.raises(ho.RequestError, match="letters"):
        ho.export(ho.RidgeRegressor().fit(np.ones((3, 2)), [1.0, 2.0, 3.0]), "sql", max_length=10)


def test_a_sum_of_many_columns_runs_in_a_database() -> None:
    """The widest model that is exported is not too deep for SQLite."""
    X = np.random.default_rng(0).normal(size=(40, 500))
    model = ho.Perceptron().fit(X, np.arange(40) % 2)
    names, found = sql_predictions("sqlite", model, rows_of(X[:3]))
    assert [row[names.index("decision_value_1")] for row in found] == model.decision_function(X[:3]).tolist()
