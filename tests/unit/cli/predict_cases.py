"""Models of every learner with files of new rows, and the answers that the whole table gets."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result
from sklearn.pipeline import Pipeline

import heldout as ho
from heldout.cli.main import program
from heldout.table.column import date_label

CITIES = ("Bonn", "Köln", "Ulm, Donau")


@dataclass(frozen=True, eq=False)
class Case:
    """A fitted model, and the text of a file whose rows it can answer."""

    model: Any
    text: str


def mixed_columns(n_rows: int, seed: int, has_gaps: bool = True) -> dict[str, list[Any]]:
    """A number, a category, a boolean, a date, a text and an identifier; later rows have a new city."""
    draw = np.random.default_rng(seed)
    cities = (*CITIES, "Rom") if seed else CITIES
    columns: dict[str, list[Any]] = {
        "key": [f"k{place:04}" for place in range(n_rows)],
        "size": [repr(float(value)) for value in draw.normal(size=n_rows)],
        "city": [cities[place] for place in draw.integers(0, len(cities), n_rows)],
        "paid": [("no", "yes")[place] for place in draw.integers(0, 2, n_rows)],
        "day": [date_label(float(value)) for value in draw.integers(18_000, 18_400, n_rows)],
        "age": [str(value) for value in draw.integers(18, 80, n_rows)],
        "note": [
            " ".join(draw.choice(["so", "many", "words", "it", "is", "text"], 9)) for _ in range(n_rows)
        ],
    }
    if has_gaps:
        for name in ("size", "city", "paid", "day"):
            gaps = draw.random(n_rows) < 0.1
            columns[name] = ["" if gap else value for value, gap in zip(columns[name], gaps, strict=True)]
    return columns


def csv_text(columns: dict[str, list[Any]], delimiter: str = ",", line_end: str = "\n") -> str:
    """The columns as a CSV file, as Python's own module writes it."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue()


def _table(columns: dict[str, list[Any]]) -> ho.Table:
    kinds = {"size": "number", "city": "category", "paid": "boolean", "day": "date", "age": "number"}
    kinds |= {"note": "text", "key": "identifier"}
    return ho.read_table(columns, kinds={name: kinds[name] for name in columns})


@cache
def cases() -> dict[str, Case]:
    """Every learner, prepared as a study would, and alone where it takes rows as they are."""
    columns = mixed_columns(90, seed=0)
    draw = np.random.default_rng(4)
    classes = np.array(["a", "b", "=c"])[draw.integers(0, 3, 90)]
    targets = draw.normal(size=90)
    later = mixed_columns(41, seed=1)
    new = {name: later[name] for name in ("note", "age", "key", "day", "paid", "city", "size")}
    inputs = _table(columns).drop("key")
    plain = inputs.drop("note")
    found = {}
    learners = {
        "tree": (ho.TreeClassifier(), classes),
        "rules": (ho.RuleClassifier(), classes),
        "forest": (ho.ForestClassifier(9, random_state=1), classes),
        "neighbors": (ho.NeighborsClassifier(k=3), classes),
        "perceptron": (ho.Perceptron(random_state=1), classes),
        "baseline": (ho.BaselineClassifier(), classes),
        "tree of numbers": (ho.TreeRegressor(), targets),
        "forest of numbers": (ho.ForestRegressor(9, random_state=1), targets),
        "neighbors of numbers": (ho.NeighborsRegressor(k=3), targets),
        "ridge": (ho.RidgeRegressor(), targets),
        "least squares": (ho.LinearRegressor(), targets),
        "baseline of numbers": (ho.BaselineRegressor(), targets),
    }
    for name, (learner, y) in learners.items():
        steps = [*ho.prepare_for(learner, inputs).steps, ("learner", learner)]
        found[name] = Case(Pipeline(steps).fit(inputs, y), csv_text(new))
    alone = ho.TreeClassifier.id3(missing="fractional", categorical=["age"], prune=None, max_depth=4)
    found["tree alone"] = Case(alone.fit(plain, classes), csv_text(new))
    gower = ho.NeighborsClassifier(k=3, metric="gower")
    found["gower alone"] = Case(gower.fit(plain, classes), csv_text(new))
    numbers = draw.normal(size=(90, 2))
    array_rows = {f"x{place}": [repr(float(v)) for v in draw.normal(size=30)] for place in range(2)}
    of_array = ho.ForestClassifier(5, random_state=1).fit(numbers, np.arange(90) % 2)
    found["of an array"] = Case(of_array, csv_text(array_rows))
    return found


def whole_answers(model: Any, path: Path, **options: Any) -> tuple[list[Any], Any]:
    """What the loaded model says of the whole table, read at once: predictions and probabilities."""
    from heldout.cli.predicting.model_columns import model_columns

    wanted = model_columns(model)
    kinds = {column.name: column.kind for column in wanted.columns}
    table = ho.read_table(path, kinds=kinds, **options).select(wanted.names)
    rows = table if wanted.form == "table" else np.asarray(table)
    chances = model.predict_proba(rows) if hasattr(model, "predict_proba") else None
    return model.predict(rows).tolist(), chances


def invoked(*arguments: str | Path, charset: str = "utf-8", **more: Any) -> Result:
    """The command line, run in this process, with streams that have these letters."""
    return CliRunner(charset=charset).invoke(program, [str(each) for each in arguments], **more)


def read_back(path: Path, delimiter: str = ",") -> tuple[list[str], list[list[str]]]:
    """Header and rows of a CSV file, as Python's own module reads it."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file, delimiter=delimiter)
    return header, rows
