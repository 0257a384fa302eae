"""Study files with a few facts and arrays, and what lies in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger

Rows = dict[str, list[tuple[Any, ...]]]


def cell_entries(number: int, n_rows: int = 7) -> list[Entry]:
    """One cell's facts: the cell with three arrays, four scores, three looks."""
    key = f"contender:{number}:protocol"
    generator = np.random.default_rng(number)
    result = {"chosen": {"k": number}, "scores": {"accuracy": 0.5 + number / 1000}, "bits": 12.5}
    body = {"result": result, "clock": {"fit": 0.01 * number}}
    arrays = {
        "labels": generator.integers(0, 2, n_rows),
        "probabilities": generator.random((n_rows, 2)),
        "names": np.array([f"row {row}" for row in range(n_rows)]),
    }
    scores = [
        Entry("score", f"{key}:{metric}", {"value": 0.5}) for metric in ("accuracy", "auc", "f1", "log_loss")
    ]
    looks = [
        Entry("look", f"{key}:{step}", {"what": step, "n_rows": n_rows}) for step in ("tune", "fit", "score")
    ]
    return [Entry("cell", key, body, arrays), *scores, *looks]


def made_file(path: Path, n_cells: int = 2) -> str:
    """A closed study file with a study fact and so many cells; gives the head."""
    with Ledger.create(path) as ledger:
        ledger.append([Entry("study", "digest", {"target": "größe", "note": "line\nbreak"})])
        for number in range(n_cells):
            ledger.append(cell_entries(number))
        return ledger.head


def rows_of(path: Path) -> Rows:
    """Every row of both tables, by plain SQLite, sorted."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda data: ("text", data)  # tells text from equal bytes, also if no UTF-8
        return {
            "fact": connection.execute("SELECT * FROM fact ORDER BY rowid").fetchall(),
            "array": connection.execute("SELECT * FROM array ORDER BY fact, name").fetchall(),
        }
