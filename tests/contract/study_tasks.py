"""Tasks of every kind that cells meet: classes and numbers, gaps, categories, texts, groups, weights."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import heldout as ho
from heldout.table.column import category_column

from .made_rows import made_rows

N_ROWS = 120


@cache
def study_task(name: str) -> ho.Task:
    """The task of this name."""
    return _MAKERS[name]()


def _penguins() -> ho.Task:
    return ho.Task(ho.datasets.load("penguins").take(np.arange(0, 344, 2)), target="species")


def _votes() -> ho.Task:
    return ho.Task(
        ho.datasets.load("house_votes").take(np.arange(0, 435, 3)), target="party", positive="democrat"
    )


def _prostate() -> ho.Task:
    return ho.Task(ho.datasets.load("prostate"), target="lpsa")


def _mixed(**roles: str) -> ho.Task:
    """Numbers, dates, categories, booleans with gaps; the answer depends on some of them."""
    rows = made_rows("table", N_ROWS, np.zeros(N_ROWS, dtype=bool)).drop("note")
    return _answered(rows, **roles)


def _complete() -> ho.Task:
    """Categories and numbers without gaps."""
    rows = made_rows("whole", N_ROWS, np.zeros(N_ROWS, dtype=bool)).drop("note")
    return _answered(rows)


def _words() -> ho.Task:
    return _answered(made_rows("table", N_ROWS, np.zeros(N_ROWS, dtype=bool)))


def _groups_and_weights() -> ho.Task:
    return _mixed(groups="house", weights="times")


def _groups() -> ho.Task:
    return _mixed(groups="house")


def _weights() -> ho.Task:
    return _mixed(weights="times")


def _time() -> ho.Task:
    return _mixed(time="when")


def _answered(rows: ho.Table, **roles: str) -> ho.Task:
    draws = np.random.default_rng(11)
    size = np.nan_to_num(rows["size"].values, nan=0.5)
    strength = size + 0.3 * draws.standard_normal(N_ROWS)
    answers = np.where(strength > 0.7, "high", np.where(strength > 0.4, "middle", "low"))
    extra = {
        "house": category_column("house", [f"h{place}" for place in draws.integers(0, 20, N_ROWS)]),
        "times": ho.Column("times", "number", draws.integers(1, 4, N_ROWS).astype(np.float64)),
        "when": ho.Column("when", "number", draws.permutation(N_ROWS).astype(np.float64)),
    }
    used = [extra[name] for name in roles.values()]
    return ho.Task(
        ho.Table([*rows.columns, category_column("answer", answers.tolist()), *used]), "answer", **roles
    )


_MAKERS: dict[str, Any] = {
    "penguins": _penguins,
    "votes": _votes,
    "prostate": _prostate,
    "mixed": _mixed,
    "complete": _complete,
    "words": _words,
    "groups": _groups,
    "weights": _weights,
    "groups and weights": _groups_and_weights,
    "time": _time,
}
