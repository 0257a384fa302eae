"""Pages of studies that really ran, small ones: one for each kind of page that there is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho
from heldout.ledger.ledger import Ledger
from heldout.report.render import render
from heldout.report.summarize import summarize
from heldout.study.study import Study

SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> {{ 7*7 }} </style>"
LONG = "w" * 300
HEBREW = "גיל הלקוח"
EMOJI = "😀🎉"
TARGET = "answer'\"><script>alert(2)</script>"
LABELS = ("<b>yes</b>\"'", "לא", f"😀 {'n' * 300}")
KINDS = ("two", "many", "number", "thorough", "noise", "hostile", "unfinished", "broken", "empty")


def made_pages(folder: Path) -> dict[str, Path]:
    """A page of each kind, by name.

    folder: where study files and pages are put
    """
    makers = {
        "two": _two,
        "many": _many,
        "number": _number,
        "thorough": _thorough,
        "noise": _noise,
        "hostile": _hostile,
        "unfinished": _unfinished,
        "empty": _empty,
    }
    for name, make in makers.items():
        with make(folder / f"{name}.heldout"):
            pass
    _break(folder / "two.heldout", folder / "broken.heldout")
    return {name: _written(folder, name) for name in KINDS}


def _written(folder: Path, name: str) -> Path:
    page = folder / f"{name}.html"
    with Ledger.open(folder / f"{name}.heldout", query_only=True) as ledger:
        page.write_text(render(summarize(ledger)), encoding="utf-8")
    return page


def _contenders(*wanted: str) -> tuple[ho.Contender, ...]:
    every = {
        "tree": ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 2, 4], "min_leaf": [2, 5]}),
        "rules": ho.Contender("rules", ho.RuleClassifier()),
        "forest": ho.Contender("forest", ho.ForestClassifier(n_trees=10)),
        "near": ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5, 9]}),
        "guess": ho.Contender("guess", ho.BaselineClassifier()),
    }
    return tuple(every[name] for name in wanted)


def _ran(path: Path, columns: dict[str, list[Any]], target: str, plan: ho.Plan, n_looks: int = 1) -> Study:
    study = Study.create(path, ho.read_table(columns), target, seed=3)
    result = study.run(plan, n_jobs=1, progress=False)
    names = [result.verdict.winner, *(each.name for each in result.standings)]
    for number, name in enumerate(dict.fromkeys(names).keys()):
        if number < n_looks:
            study.unseal(name, reason="a reviewer asked" if number else None)
    return study


def _customers(n_rows: int = 150, is_noise: bool = False) -> dict[str, list[Any]]:
    """Customers who leave, the more calls the likelier; with gaps, a category, a date and a name each."""
    random = np.random.default_rng(5)
    calls, months = random.poisson(3, n_rows).astype(float), random.normal(24, 8, n_rows).round(1)
    chance = np.full(n_rows, 0.4) if is_noise else 1 / (1 + np.exp(-1.5 * (calls - 3)))
    days = np.datetime64("2024-01-01") + random.integers(0, 400, n_rows)
    gaps = random.random(n_rows) < 0.1
    return {
        "customer": [f"c{number}" for number in range(n_rows)],
        "calls": [None if gap else value for value, gap in zip(calls.tolist(), gaps, strict=True)],
        "months": months.tolist(),
        "since": [str(day) for day in days],
        "city": [("Bonn", "Köln", "Ulm")[place] for place in random.integers(0, 3, n_rows)],
        "left": ["yes" if value else "no" for value in random.random(n_rows) < chance],
    }


def _two(path: Path) -> Study:
    plan = ho.Plan(_contenders("tree", "forest", "near", "guess"), ho.KFold(3), ho.KFold(2))
    return _ran(path, _customers(), "left", plan, n_looks=2)


def _noise(path: Path) -> Study:
    """Nothing to learn, by a quick plan: guessing wins."""
    plan = ho.Plan(_contenders("tree", "near", "guess"), tuning=ho.KFold(3), rigor="quick")
    return _ran(path, _customers(90, is_noise=True), "left", plan, n_looks=0)


def _thorough(path: Path) -> Study:
    plan = ho.Plan(_contenders("tree", "guess"), ho.KFold(3), ho.KFold(2))
    study = _ran(path, _customers(90), "left", plan, n_looks=0)
    # What a thorough plan draws at its end, on fewer folds.
    study.learning_curve("tree", fractions=[0.4, 0.7, 1.0], folds=ho.KFold(2))
    study.size_curve("tree", folds=ho.KFold(2))
    return study


def _many(path: Path) -> Study:
    table = ho.datasets.load("penguins").drop("year")
    study = Study.create(path, table, "species", seed=3)
    plan = ho.Plan(_contenders("rules", "near", "forest", "guess"), ho.KFold(3), ho.KFold(2))
    study.run(plan, n_jobs=1, progress=False)
    return study


def _number(path: Path) -> Study:
    random = np.random.default_rng(1)
    size, age = random.uniform(20, 200, 120), random.uniform(0, 80, 120)
    price = 3 * size - age + random.normal(0, 20, 120)
    columns = {"size": size.tolist(), "age": age.tolist(), "price": price.tolist()}
    contenders = (
        ho.Contender("line", ho.LinearRegressor()),
        ho.Contender("ridge", ho.RidgeRegressor(), {"alpha": [0.1, 1.0, 10.0]}),
        ho.Contender("tree", ho.TreeRegressor(), {"max_depth": [2, 4]}),
        ho.Contender("guess", ho.BaselineRegressor()),
    )
    return _ran(path, columns, "price", ho.Plan(contenders, ho.KFold(3), ho.KFold(2)))


def _hostile(path: Path) -> Study:
    """Columns, levels, classes and contenders whose names would like to be more than names."""
    random = np.random.default_rng(0)
    n_rows = 120
    number = random.normal(size=n_rows)
    place = np.digitize(number + 0.4 * random.normal(size=n_rows), [-0.5, 0.5])
    columns: dict[str, list[Any]] = {
        SCRIPT: number.tolist(),
        LONG: random.normal(size=n_rows).tolist(),
        HEBREW: [("<i>a</i>", "b&amp;b", "\u202ec")[each] for each in random.integers(0, 3, n_rows)],
        EMOJI: random.integers(0, 5, n_rows).astype(float).tolist(),
        TARGET: [LABELS[each] for each in place],
    }
    contenders = (
        ho.Contender("<script>alert(3)</script>", ho.TreeClassifier(), {"max_depth": [1, 2, 3]}),
        ho.Contender("t" * 60, ho.RuleClassifier()),
        ho.Contender("guess\"'", ho.BaselineClassifier()),
    )
    return _ran(path, columns, TARGET, ho.Plan(contenders, ho.KFold(3), ho.KFold(2)))


class _Stop:
    """Progress that is interrupted when two cells are done."""

    def begin(self, state: Any) -> None:
        """The run begins."""

    def update(self, state: Any) -> None:
        """A cell has ended."""
        if state.n_done == 2:
            raise KeyboardInterrupt

    def end(self, state: Any) -> None:
        """The run is over."""

    def step(self, words: str) -> None:
        """What is done after the fits."""


def _unfinished(path: Path) -> Study:
    study = Study.create(path, ho.read_table(_customers(90)), "left", seed=3)
    try:
        study.run(ho.Plan(_contenders("tree", "guess"), ho.KFold(3), ho.KFold(2)), n_jobs=1, progress=_Stop())
    except KeyboardInterrupt:
        return study
    raise AssertionError("the run was not interrupted")


def _empty(path: Path) -> Study:
    return Study.create(path, ho.read_table(_customers(90)), "left", held=None)


def _break(whole: Path, broken: Path) -> None:
    """A copy in which the verdict was changed behind the back of the ledger."""
    shutil.copy(whole, broken)
    with sqlite3.connect(broken) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (trigger,) in triggers:
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("UPDATE fact SET body = replace(body, 'tree', 'oak') WHERE kind = 'verdict'")
    database.close()
