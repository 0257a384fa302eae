"""Tables for the tests of studies: groups, gaps, categories, times."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho
from heldout.study.study import Study

TREE = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 3]})
NEAR = ho.Contender("near", ho.NeighborsClassifier(k=9))

CITIES = ("Bonn", "Köln", "Ulm")


def churn_columns(n_rows: int = 240, seed: int = 0, is_noise: bool = False) -> dict[str, list[Any]]:
    """Customers with several rows each; the more calls, the likelier they leave, unless it is noise."""
    random = np.random.default_rng(seed)
    customers = np.repeat(np.arange(n_rows // 3), 3)
    calls = random.poisson(3, n_rows).astype(float)
    months = random.normal(24, 8, n_rows).round(1)
    city = random.integers(0, 3, n_rows)
    pull = 1.5 * (calls - 3) - 0.15 * (months - 24)
    chance = np.full(n_rows, 0.4) if is_noise else 1 / (1 + np.exp(-pull))
    churned = random.random(n_rows) < chance
    gaps = random.random(n_rows) < 0.1
    return {
        "customer": [f"c{number}" for number in customers],
        "calls": [None if gap else float(value) for value, gap in zip(calls, gaps, strict=True)],
        "months": months.tolist(),
        "city": [CITIES[place] for place in city],
        "churned": ["yes" if value else "no" for value in churned],
    }


def write_csv(path: Path, columns: dict[str, list[Any]]) -> Path:
    """A CSV file of the columns, nothing for a gap."""
    lines = [",".join(columns)]
    rows = zip(*columns.values(), strict=True)
    lines += [",".join("" if value is None else str(value) for value in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def price_columns(n_rows: int = 150, seed: int = 1) -> dict[str, list[Any]]:
    """A number to predict from two others."""
    random = np.random.default_rng(seed)
    size, age = random.uniform(20, 200, n_rows), random.uniform(0, 80, n_rows)
    price = 3 * size - age + random.normal(0, 20, n_rows)
    return {"size": size.round(2).tolist(), "age": age.round(1).tolist(), "price": price.round(3).tolist()}


def ran_study(folder: Path, **asked: Any) -> Study:
    """A study of churn.csv in which a plan of two contenders has run; made once, copied to the folder."""
    study, table = _template(tuple(asked.items()))
    (folder / "a.heldout").write_bytes(study)
    (folder / "churn.csv").write_bytes(table)
    return Study.open(folder / "a.heldout")


@cache
def _template(asked: tuple[tuple[str, Any], ...]) -> tuple[bytes, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        table = write_csv(Path(folder, "churn.csv"), churn_columns())
        path = Path(folder, "a.heldout")
        with Study.create(path, table, "churned", **dict(asked)) as study:
            plan = ho.Plan((TREE, NEAR), folds=ho.KFold(2), tuning=ho.KFold(2))
            study.run(plan, n_jobs=1, progress=False)
        return path.read_bytes(), table.read_bytes()
