"""Exports at work: each runs what was exported and gives (prediction, probabilities) per row."""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

import heldout as ho

from .reference_predictions import Row, number_of

Predictions = list[tuple[Any, list[float]]]


def python_predictions(model: Any, kinds: dict[str, str], rows: list[Row]) -> Predictions:
    """The exported program, executed."""
    program: dict[str, Any] = {"__builtins__": __builtins__}
    source = ho.export(model, "python")
    assert isinstance(source, str)
    assert "import" not in source.replace("no import", "")
    exec(compile(source, "exported", "exec"), program)
    answers = []
    for row in rows:
        given = {name: value for name, value in row.items() if value is not None}
        probabilities = program["predict_proba"](given) if hasattr(model, "classes_") else {}
        answers.append((program["predict"](given), list(probabilities.values())))
    return answers


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def sql_predictions(
    connection: Any, types: dict[str, str], model: Any, rows: list[Row], **options: Any
) -> Predictions:
    """The exported SELECT over a table of the rows; answers stand behind the table's columns."""
    names = list(types)
    table = options.get("table", "data")
    listed = ", ".join(f"{quoted(name)} {types[name]}" for name in names)
    connection.execute(f"CREATE TABLE {quoted(table)} ({listed}, place INTEGER)")
    holes = ", ".join("?" * (len(names) + 1))
    values = [[*[row.get(name) for name in names], place] for place, row in enumerate(rows)]
    connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({holes})", values)
    cursor = connection.execute(ho.export(model, "sql", **options))
    columns = [column[0] for column in cursor.description]
    found = sorted(cursor.fetchall(), key=lambda row: row[columns.index("place")])
    at = columns.index("prediction")
    if not hasattr(model, "classes_"):
        return [(row[at], []) for row in found]
    first = next(k for k, name in enumerate(columns) if name.startswith("probability_"))
    n_classes = len(model.classes_)
    return [(row[at], list(row[first : first + n_classes])) for row in found]


def sqlite_predictions(model: Any, kinds: dict[str, str], rows: list[Row]) -> Predictions:
    """SQLite: moments are text, booleans 0 and 1, and a word's collation knows no capitals."""
    types = {
        "number": "REAL",
        "word": "TEXT COLLATE NOCASE",
        "boolean": "INTEGER",
        "date": "TEXT",
        "size": "REAL",
    }
    stored = [{name: _for_sqlite(value) for name, value in row.items()} for row in rows]
    with sqlite3.connect(":memory:") as connection:
        return sql_predictions(connection, {name: types[kind] for name, kind in kinds.items()}, model, stored)


def _for_sqlite(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime.datetime) else value


def duckdb_predictions(model: Any, kinds: dict[str, str], rows: list[Row]) -> Predictions:
    """DuckDB: typed columns, and NaN for a missing number."""
    types = {
        "number": "DOUBLE",
        "word": "VARCHAR",
        "boolean": "BOOLEAN",
        "date": "TIMESTAMP",
        "size": "DOUBLE",
    }
    stored = [
        {
            name: math.nan if value is None and kinds[name] in ("number", "size") else value
            for name, value in row.items()
        }
        for row in rows
    ]
    with duckdb.connect() as connection:
        return sql_predictions(connection, {name: types[kind] for name, kind in kinds.items()}, model, stored)


def json_predictions(model: Any, kinds: dict[str, str], rows: list[Row]) -> Predictions:
    """A reader of the exported JSON that knows nothing of Heldout."""
    tree = json.loads(ho.export(model, "json"))
    if isinstance(model, ho.RuleClassifier):
        assert (tree["format"], tree["version"]) == ("heldout rules", 1)
        return [_predict_from_json_rules(tree, row) for row in rows]
    assert (tree["format"], tree["version"]) == ("heldout tree", 1)
    return [_predict_from_json(tree, row) for row in rows]


def _predict_from_json_rules(read: dict[str, Any], row: Row) -> tuple[Any, list[float]]:
    values = [_value_of_json(column, row.get(column["name"])) for column in read["columns"]]
    answers = [rule for rule in read["rules"] if all(_is_met(c, values) for c in rule["conditions"])]
    first = [*answers, read["default"]][0]
    return read["classes"][first["class"]], first["probabilities"]


def _is_met(condition: dict[str, Any], values: list[Any]) -> bool:
    value = values[condition["column"]]
    if value is None:
        return False
    if "levels" in condition:
        return value in condition["levels"]
    return condition.get("above", -math.inf) < value <= condition.get("at_most", math.inf)


def _value_of_json(column: dict[str, Any], value: Any) -> Any:
    """The number, or the position of the level; None if it is unknown."""
    fill = column.get("fill")
    if value is None:
        return fill
    if column["kind"] in ("number", "date"):
        return number_of(value)
    if "level_values" in column:
        values = column["level_values"]
        return values.index(number_of(value)) if number_of(value) in values else fill
    word = value if isinstance(value, str) else str(value).lower()
    if word in column["levels"]:
        return column["levels"].index(word)
    return column.get("meanings", {}).get(word.lower(), fill)


def _next_of_json(node: dict[str, Any], value: Any) -> int:
    if "threshold" in node:
        return node["children"][0 if value <= node["threshold"] else 1]
    if "first_levels" in node:
        return node["children"][0 if value in node["first_levels"] else 1]
    if value in node["branch_levels"]:
        return node["children"][node["branch_levels"].index(value)]
    return node["node"]


def ends_of_json(tree: dict[str, Any], row: Row) -> list[tuple[dict[str, Any], float]]:
    """The nodes where a row ends, each with the part of the row that ends there."""
    values = [_value_of_json(column, row.get(column["name"])) for column in tree["columns"]]
    going, ends = [(0, 1.0)], []
    while going:
        place, share = going.pop()
        node = tree["nodes"][place]
        if "children" not in node:
            ends.append((node, share))
        elif values[node["column"]] is None and "shares" in node:
            going += [(k, share * part) for k, part in zip(node["children"], node["shares"], strict=True)]
        else:
            value = values[node["column"]]
            below = node["missing"] if value is None else _next_of_json(node, value)
            if below == place:
                ends.append((node, share))
            else:
                going.append((below, share))
    return ends


def _predict_from_json(tree: dict[str, Any], row: Row) -> tuple[Any, list[float]]:
    ends = ends_of_json(tree, row)
    if tree["classes"] is None:
        return sum(node["mean"] * share for node, share in ends), []
    sums = [
        math.fsum(node["probabilities"][k] * share for node, share in ends)
        for k in range(len(tree["classes"]))
    ]
    shares = [
        math.fsum(node.get("class_shares", node["probabilities"])[k] * share for node, share in ends)
        for k in range(len(tree["classes"]))
    ]
    best = next(k for k, total in enumerate(shares) if total + tree["tie"] >= max(shares))
    return tree["classes"][ends[0][0]["class"] if len(ends) == 1 else best], sums


def onnx_session(model: Any, **options: Any) -> Any:
    """ONNX Runtime with the exported model."""
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 4
    exported = ho.export(model, "onnx", **options)
    return onnxruntime.InferenceSession(exported, quiet, providers=["CPUExecutionProvider"])


def onnx_inputs(kinds: dict[str, str], rows: Sequence[Row]) -> dict[str, Any]:
    """One input per column: words with a word that was never seen for missing, numbers with NaN."""
    inputs = {}
    for name, kind in kinds.items():
        values = [row.get(name) for row in rows]
        if kind in ("word", "boolean"):
            words = ["\x01 missing" if value is None else str(value) for value in values]
            inputs[name] = np.array(words, dtype=object)[:, None]
        else:
            numbers = [math.nan if value is None else number_of(value) for value in values]
            inputs[name] = np.array(numbers)[:, None]
    return inputs


def onnx_predictions(model: Any, kinds: dict[str, str], rows: list[Row], **options: Any) -> Predictions:
    """ONNX Runtime."""
    outputs = onnx_session(model, **options).run(None, onnx_inputs(kinds, rows))
    if not hasattr(model, "classes_"):
        return [(mean, []) for mean in outputs[0].tolist()]
    return list(zip(outputs[0].tolist(), outputs[1].tolist(), strict=True))


RUNNERS = {
    "python": python_predictions,
    "json": json_predictions,
    "sqlite": sqlite_predictions,
    "duckdb": duckdb_predictions,
    "onnx": onnx_predictions,
}
