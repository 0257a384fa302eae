"""A nested cross-validation as a study runs it: from a table to a verdict, everything in the study file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.study.cells.work import work_of
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.run_plan import run_plan

OUTER, INNER, N_JOBS = 10, 5, 2


class ReadyStudies:
    """Studies of one table that wait to be run, without sealed rows: the peers have none either.

    A study is made once and runs many plans, so that making it is off the clock; `seconds` is what one took.
    """

    def __init__(self, folder: str, table: ho.Table, target: str, n_studies: int) -> None:
        start = time.perf_counter()
        self._ready = [
            ho.Study.create(Path(folder) / f"{number}.heldout", table, target, held=None, seed=1)
            for number in range(n_studies)
        ]
        self.seconds = (time.perf_counter() - start) / n_studies

    def cells_score(self, contenders: Sequence[ho.Contender], metric: str, name: str) -> float:
        """Run ten folds with five inside on two processes, and give the mean score.

        It ends where cross_val_score ends: all cells stand in the study file, with predictions and scores.

        name: of the contender whose score is wanted
        """
        with self._ready.pop() as study:
            work = work_of(study.task, resolve_plan(_plan(contenders, metric), study.task, study.seed))
            run_plan(study.ledger, work, LocalRunner(N_JOBS))
            scores = [fact.body["result"] for fact in study.ledger.facts("cell")]
            return float(np.mean([each["scores"][metric] for each in scores if each["name"] == name]))

    def study_score(self, contenders: Sequence[ho.Contender], metric: str, name: str) -> float:
        """The same with everything a study does: the verdict, and the winner fitted on all rows."""
        with self._ready.pop() as study:
            result = study.run(_plan(contenders, metric), n_jobs=N_JOBS, progress=False)
            standing = next(each for each in result.standings if each.name == name)
            return float(np.mean(standing.fold_scores))

    def run(self, plan: ho.Plan) -> None:
        """Run another plan in this process."""
        with self._ready.pop() as study:
            study.run(plan, n_jobs=1, progress=False)


def _plan(contenders: Sequence[ho.Contender], metric: str) -> ho.Plan:
    return ho.Plan(contenders, ho.KFold(OUTER), ho.KFold(INNER), metrics=metric, choose_by=metric)


def table_of(X: Any, y: Any) -> ho.Table:
    """The numbers as a table with the target "y"."""
    columns = {f"x{place}": X[:, place] for place in range(X.shape[1])}
    return ho.read_table(columns | {"y": y.astype(str) if y.dtype.kind == "i" else y})
