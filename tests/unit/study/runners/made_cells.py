"""Cells that cost nothing, for tests of those who run them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.cell import CellKey, CellResult, cell_keys
from heldout.study.cells.work import Work, work_of

Behavior = Callable[[CellKey], None]


def made_work(*names: str, folds: Any = None, others: Sequence[ho.Contender] = ()) -> Work:
    """Work over a few rows, with a tree under each of these names (and the baseline that is always added)."""
    task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    contenders = [*(ho.Contender(name, ho.TreeClassifier()) for name in names), *others]
    plan = ho.Plan(contenders, folds=folds or ho.KFold(3), tuning=ho.KFold(2))
    return work_of(task, resolve_plan(plan, task, seed=1))


def name_of(work: Work, key: CellKey) -> str:
    """The name of a cell's contender."""
    return work.contender(key.contender).name


def keys_of(work: Work, *names: str) -> list[CellKey]:
    """The cells of these contenders; of all, if none is named."""
    return [key for key in cell_keys(work) if not names or name_of(work, key) in names]


def made_result(work: Work, key: CellKey) -> CellResult:
    """A result that depends on the key alone."""
    number = int.from_bytes(hashlib.sha256(key.text.encode()).digest()[:4], "big")
    rows = work.fold(key.repeat, key.fold).test
    return CellResult(
        key=key,
        name=name_of(work, key),
        chosen={},
        chosen_index=0,
        choice_scores=np.array([number / 2**32]),
        scores={"accuracy": number / 2**32},
        predictions={"labels": np.full(len(rows), number % 2, dtype=np.int32)},
        rows=rows,
        bits=1.0,
        bits_are_foreign=False,
        seconds={"fit": 0.001},
    )


def behaving(**behaviors: Behavior) -> Callable[[Work, CellKey], CellResult]:
    """What runs cells: contenders of these names do something first, all give `made_result`."""

    def run(work: Work, key: CellKey) -> CellResult:
        behaviors.get(name_of(work, key), lambda key: None)(key)
        return made_result(work, key)

    return run


def until(is_true: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Wait until something is true; whether it became so in time."""
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
