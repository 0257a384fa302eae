"""Small studies whose answers are drawn: two classes, three classes, numbers; each is run once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho
from heldout.ledger.ledger import Ledger
from heldout.report.summarize import summarize
from heldout.results.recorded_plan import RecordedPlan, recorded_plan, recorded_predictions
from heldout.verdict.predictions import Predictions

FOLDS = ho.KFold(5, repeats=2)


def two_classes(n_rows: int = 240) -> dict[str, list[Any]]:
    """A product of two columns decides, which a forest finds and a stump does not."""
    random = np.random.default_rng(3)
    x = random.normal(size=(n_rows, 3))
    chance = 1 / (1 + np.exp(-9 * x[:, 0] * x[:, 1] - 2 * x[:, 2]))
    is_ripe = random.random(n_rows) < 0.95 * chance
    return {**{f"c{n}": x[:, n].tolist() for n in range(3)}, "ripe": np.where(is_ripe, "yes", "no").tolist()}


def numbers(n_rows: int = 160) -> dict[str, list[Any]]:
    """A bent line with noise that grows."""
    random = np.random.default_rng(4)
    x = random.uniform(-2, 2, size=(n_rows, 2))
    price = 100 + 30 * np.sin(2 * x[:, 0]) + random.normal(size=n_rows) * (4 + 3 * np.abs(x[:, 1]))
    return {"a": x[:, 0].tolist(), "b": x[:, 1].tolist(), "price": price.tolist()}


@cache
def study_file(kind: str) -> bytes:
    """The file of a study that ran.

    kind: "two classes", "many classes", "regression", "guess", "quick"
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.heldout")
        table, target, contenders = _asked(kind)
        plan = ho.Plan(contenders, FOLDS, ho.KFold(2))
        if kind == "quick":
            plan = ho.Plan(contenders, tuning=FOLDS, rigor="quick")
        with ho.Study.create(path, table, target=target, held=0.1, seed=1) as study:
            study.run(plan, n_jobs=1, progress=False)
        return path.read_bytes()


def _asked(kind: str) -> tuple[ho.Table, str, tuple[ho.Contender, ...]]:
    guess = ho.Contender("guess", ho.BaselineClassifier())
    stump = ho.Contender("stump", ho.TreeClassifier(), {"max_depth": [1, 2]})
    if kind == "regression":
        guess = ho.Contender("guess", ho.BaselineRegressor())
        forest = ho.Contender("forest", ho.ForestRegressor(n_trees=20))
        return ho.read_table(numbers()), "price", (forest, guess)
    if kind == "many classes":
        penguins = ho.datasets.load("penguins").take(np.arange(0, 344, 2))
        return penguins, "species", (stump, guess)
    if kind == "guess":
        return ho.read_table(two_classes(100)), "ripe", (guess,)
    forest = ho.Contender("forest", ho.ForestClassifier(n_trees=20))
    rivals = (stump, guess) if kind == "quick" else (forest, stump, guess)
    return ho.read_table(two_classes()), "ripe", rivals


def copied(kind: str, folder: Path) -> Path:
    """The file of a study in a folder."""
    path = folder / "a.heldout"
    path.write_bytes(study_file(kind))
    return path


@contextmanager
def opened(kind: str) -> Iterator[Ledger]:
    """The ledger of a study, for as long as it is read."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Ledger.open(copied(kind, Path(folder)), query_only=True) as ledger,
    ):
        yield ledger


@cache
def summary_of(kind: str) -> dict[str, Any]:
    """What the page is told of the answers."""
    with opened(kind) as ledger:
        return dict(summarize(ledger)["answers"])


@cache
def recorded(kind: str) -> tuple[RecordedPlan, Predictions]:
    """The plan and the answers of the winner, as the file has them."""
    with opened(kind) as ledger:
        winner = ledger.facts("verdict")[-1].body["winner"]
        plan = recorded_plan(ledger, ledger.facts("plan")[-1])
        names = {fact.body["name"]: fact.key for fact in ledger.facts("contender")}
        answers = recorded_predictions(plan, names[winner])
        assert answers is not None
        assert plan.rows.n_rows  # kept beside the plan, for the ledger is closed from here on
        return plan, answers
