"""Which rows a cell looked at, and for what: every use of rows is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.split.fold import Fold

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.study.cells.work import Work


def cell_looks(work: Work, fold: Fold, contender: Contender, is_tuned: bool) -> tuple[dict[str, Any], ...]:
    """The looks of a cell in order: tuning, fitting, scoring.

    is_tuned: whether settings were compared

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    >>> tree = ho.Contender("tree", ho.TreeClassifier())
    >>> work = work_of(task, resolved(ho.Plan([tree], folds=ho.KFold(2)), task, seed=1))
    >>> [(look["what"], look["n_rows"]) for look in cell_looks(work, work.folds[0], tree, is_tuned=False)]
    [('fit', 7), ('score', 7)]
    """
    looks = [("fit", work.fit_rows(fold)), ("score", fold.test)]
    if is_tuned:
        looks.insert(0, ("tune", work.fit_rows(fold)))
    return tuple(
        {
            "what": what,
            "rows": work.digest_of(rows),
            "n_rows": len(rows),
            "role": "open",
            "by": contender.name,
            "bits": 0.0,
        }
        for what, rows in looks
    )
