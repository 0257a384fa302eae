"""Work for tests of cells: a plan over a task, with few folds, and folds by hand where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.split.fold import Fold
from heldout.study.cells.cell import CellKey, CellResult, cell_key, run_cell
from heldout.study.cells.work import Work, work_of


def made_work(
    task: ho.Task, *contenders: ho.Contender, folds: Any = None, seed: int = 3, **choices: Any
) -> Work:
    """Work over a task with these contenders; three outer and three inner folds unless said otherwise.

    folds:   a split, or a list of folds made by hand
    choices: other fields of the plan
    """
    by_hand = isinstance(folds, Sequence)
    asked: dict[str, Any] = {"tuning": ho.KFold(3)}
    if choices.get("rigor") != "quick":
        asked["folds"] = ho.KFold(3) if folds is None or by_hand else folds
    found = resolve_plan(ho.Plan(contenders, **(asked | choices)), task, seed)
    return work_of(task, replace(found, folds=tuple(folds)) if by_hand else found)


def key_of(work: Work, name: str, fold: Fold) -> CellKey:
    """The key of a cell by the name of its contender."""
    return cell_key(work, work.resolved.contender(name).digest, fold)


def cells_of(work: Work, name: str) -> list[CellResult]:
    """All cells of a contender, in the order of the folds."""
    return [run_cell(work, key_of(work, name, fold)) for fold in work.folds]
