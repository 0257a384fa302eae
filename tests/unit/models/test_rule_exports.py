"""Exports of rule lists answer as the list does, run in their own worlds."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.table.column import category_column

from .rule_lists import rule_lists
from .run_exports import RUNNERS, sql_predictions

WORLDS = [world for world in RUNNERS if world != "onnx"]
PATIENT = settings(max_examples=settings().max_examples // 2, suppress_health_check=[HealthCheck.too_slow])


def assert_predictions(model: Any, table: Any, answers: list[tuple[Any, list[float]]]) -> None:
    assert [answer for answer, _ in answers] == model.predict(table).tolist()
    found = np.array([probabilities for _, probabilities in answers])
    np.testing.assert_allclose(found, model.predict_proba(table), rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@given(data=st.data())
@PATIENT
def test_classes_and_probabilities_are_the_rules(world: str, data: st.DataObject) -> None:
    """Same class and same probabilities for known, missing and never-seen values, filled or not."""
    problem, rules = data.draw(rule_lists())
    answers = RUNNERS[world](rules, problem.kinds, problem.questions)
    assert_predictions(rules, problem.table(problem.questions), answers)


def two_rules() -> ho.RuleClassifier:
    """Two rules that overlap, in this order, and a default."""
    towns = ["Ulm"] * 6 + ["Bonn"] * 6 + ["Trier"] * 4
    ages = [30.0] * 6 + [20.0] * 3 + [40.0] * 3 + [20.0] * 2 + [40.0] * 2
    table = ho.Table([category_column("town", towns), ho.Column("age", "number", np.array(ages))])
    rules = ho.RuleClassifier().fit(table, ["yes"] * 6 + ["no"] * 3 + ["yes"] * 3 + ["no"] * 4)
    assert len(rules.rules_) == 2
    return rules


def assert_first_rule_wins(answers: dict[tuple[Any, Any], Any], rules: ho.RuleClassifier) -> None:
    for (town, age), answer in answers.items():
        columns = [category_column("town", [town]), ho.Column("age", "number", np.array([age or np.nan]))]
        assert answer == rules.predict(ho.Table(columns))[0], (town, age)


QUESTIONS = [(town, age) for town in ("Ulm", "Bonn", "Trier", "Mars", None) for age in (20.0, 40.0, None)]


@pytest.mark.parametrize("world", WORLDS)
def test_the_first_rule_wins_and_the_unknown_meets_none(world: str) -> None:
    """Rows that meet both rules, one, and none for want of a value get the answer of the list."""
    rules = two_rules()
    rows = [{"town": town, "age": age} for town, age in QUESTIONS]
    answers = RUNNERS[world](rules, {"town": "word", "age": "number"}, rows)
    assert_first_rule_wins(dict(zip(QUESTIONS, [label for label, _ in answers], strict=True)), rules)
    assert answers[-1][0] == rules.default_class_


def test_the_statement_tells_which_rule_it_was() -> None:
    """`heldout_rule` is the place of the rule in `rules_`; the default comes after the last."""
    rules = two_rules()
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        connection.execute("CREATE TABLE data (town VARCHAR, age DOUBLE)")
        connection.execute("INSERT INTO data VALUES ('Ulm', 40.0), ('Bonn', 40.0), ('Mars', NULL)")
        found = connection.execute(ho.export(rules, "sql", prefix="list_"))
        names = [column[0] for column in found.description]
        assert names[2:4] == ["list_heldout_rule", "list_prediction"]
        ages = ho.Column("age", "number", np.array([40.0, 40.0, np.nan]))
        table = ho.Table([category_column("town", ["Ulm", "Bonn", "Mars"]), ages])
        assert [row[2] for row in found.fetchall()] == rules._rule_indices(table).tolist()


def test_a_list_without_rules_answers_its_default() -> None:
    """Where no rule is needed, every world gives the default class to any row."""
    rules = ho.RuleClassifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "a"])
    assert rules.rules_ == []
    for world in WORLDS:
        answers = RUNNERS[world](rules, {"x0": "number"}, [{"x0": 1.0}, {"x0": None}])
        assert answers == [("a", [1.0])] * 2


@pytest.mark.slow
def test_many_rules_run_in_both_databases() -> None:
    """Hundreds of rules make a flat statement, and past the stated length it is refused."""
    draw = np.random.default_rng(3)
    X = np.round(draw.normal(size=(3_000, 3)), 3)
    tree = ho.TreeClassifier.cart(prune=None, missing="fractional", min_leaf=4)
    rules = ho.RuleClassifier.from_tree(
        tree.fit(X, y := draw.integers(0, 4, len(X))), X, y, prune_confidence=0.5
    )
    assert len(rules.rules_) > 100
    X[draw.random(X.shape) < 0.1] = np.nan
    rows = [{f"x{k}": None if v != v else v for k, v in enumerate(row)} for row in X[:300].tolist()]
    types = {f"x{k}": "DOUBLE" for k in range(3)}
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        assert_predictions(rules, X[:300], sql_predictions(connection, types, rules, rows))
    with pytest.raises(ho.RequestError, match="10,000 are allowed") as caught:
        ho.export(rules, "sql", max_length=10_000)
    assert f"{len(rules.rules_)} rules" in caught.value.where
    assert "prune_confidence" in caught.value.fix


def test_names_that_sql_confuses_are_refused() -> None:
    """A column named as the place of the rule wants a prefix."""
    table = ho.read_table({"Heldout_Rule": [1.0, 2.0, 3.0, 4.0]})
    rules = ho.RuleClassifier().fit(table, ["a", "a", "b", "b"])
    with pytest.raises(ho.RequestError, match="name of a column that the SQL adds"):
        ho.export(rules, "sql")
    assert "list_heldout_rule" in str(ho.export(rules, "sql", prefix="list_"))


def test_rules_that_were_saved_are_exported_alike(tmp_path: Any) -> None:
    """A model file keeps what an export needs, and exports are deterministic."""
    rules = two_rules()
    ho.save(rules, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    for name in ("sql", "python", "json"):
        assert ho.export(again, name) == ho.export(rules, name)
    assert json.loads(ho.export(rules, "json"))["learner"] == "RuleClassifier"
