"""How many rows are left to learn from within the folds of a usual plan."""

from __future__ import annotations

from heldout.errors import HeldoutError
from heldout.split.k_fold import KFold
from heldout.split.row_facts import RowFacts
from heldout.table.task import Task


def fewest_inner_rows(task: Task) -> int:
    """A bound on the training rows of every tuning fold within every fold; at least 1.

    10 folds with 5 within them leave 72% of the rows, 2 with 2 leave a quarter, which is taken. Groups and
    time may leave less, so there the folds are made.

    >>> import heldout as ho
    >>> fewest_inner_rows(ho.Task(ho.datasets.load("penguins"), target="species"))
    86
    """
    n_rows = task.n_rows // 4
    if task.groups is not None or task.time is not None:
        n_rows = min(n_rows, *_inner_sizes(RowFacts.of(task)))
    return max(n_rows, 1)


def _inner_sizes(facts: RowFacts) -> list[int]:
    sizes = [facts.n_rows]
    try:
        for fold in KFold(10).folds(facts, shrink=True):
            inner = KFold(5).folds(facts.take(fold.train), shrink=True)
            sizes += [len(each.train) for each in inner]
    except HeldoutError:  # so few groups or times that no plan can be run; it will say so
        return [1]
    return sizes
