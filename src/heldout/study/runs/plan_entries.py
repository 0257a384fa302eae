"""What the ledger keeps of a plan before anything of it runs: the plan, its cells, and its contenders."""

from __future__ import annotations

from heldout.ledger.fact import Entry
from heldout.study.cells.work import Work
from heldout.study.files.versions import versions


def plan_entries(work: Work) -> list[Entry]:
    """The plan and its contenders, each written once, however often the plan is run.

    >>> import heldout as ho
    >>> from heldout.plan.resolved_plan import resolved
    >>> from heldout.study.cells.work import work_of
    >>> task = ho.Task(ho.datasets.load("play_tennis"), target="PlayTennis")
    >>> plan = ho.Plan([ho.Contender("tree", ho.TreeClassifier())], folds=ho.KFold(2))
    >>> [entry.kind for entry in plan_entries(work_of(task, resolved(plan, task, seed=1)))]
    ['plan', 'contender', 'contender']
    """
    plan = work.resolved
    body = plan.to_dict() | {
        "cells": {
            "contenders": [contender.digest for contender in plan.contenders],
            "folds": [fold.digest for fold in plan.folds],
            "protocol": plan.protocol_digest,
        },
        # In the order of the folds: a cell that ran under another plan may have had another place there.
        "fold_places": [[fold.repeat, fold.number] for fold in plan.folds],
        "versions": versions(),
    }
    contenders = [
        Entry(
            "contender",
            contender.digest,
            {
                "contender": contender.to_dict(),
                "name": contender.name,
                "is_baseline": contender.is_baseline,
                "n_settings": contender.n_settings,
            },
            once=True,
        )
        for contender in plan.contenders
    ]
    return [Entry("plan", plan.digest, body, once=True), *contenders]
