"""A nested cross-validation as a study runs it: from a table to a verdict, everything in the study file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho
from heldout.plan.resolved_plan import resolved
from heldout.study.cells.work import work_of
from heldout.study.runners.local import LocalRunner
from heldout.study.runs.run_plan import run_plan

OUTER, INNER, N_JOBS = 10, 5, 2


@contextmanager
def new_study(table: ho.Table, target: str) -> Iterator[ho.Study]:
    """A study in a folder of its own, without sealed rows: the peers have none either."""
    with tempfile.TemporaryDirectory() as folder:
        study = ho.Study.create(Path(folder) / "nested.heldout", table, target, held=None, seed=1)
        with study:
            yield study


def cells_score(
    table: ho.Table, target: str, contenders: Sequence[ho.Contender], metric: str, name: str
) -> float:
    """Make a study of all rows, run ten folds with five inside on two processes, and give the mean score.

    It ends where cross_val_score ends: all cells stand in the study file, with predictions and scores.

    name: of the contender whose score is wanted
    """
    with new_study(table, target) as study:
        work = work_of(study.task, resolved(_plan(contenders, metric), study.task, study.seed))
        run_plan(study.ledger, work, LocalRunner(N_JOBS))
        scores = [fact.body["result"] for fact in study.ledger.facts("cell")]
        return float(np.mean([each["scores"][metric] for each in scores if each["name"] == name]))


def study_score(
    table: ho.Table, target: str, contenders: Sequence[ho.Contender], metric: str, name: str
) -> float:
    """The same with everything a study does: the verdict, and the winner fitted on all rows."""
    with new_study(table, target) as study:
        result = study.run(_plan(contenders, metric), n_jobs=N_JOBS, progress=False)
        standing = next(each for each in result.standings if each.name == name)
        return float(np.mean(standing.fold_scores))


def _plan(contenders: Sequence[ho.Contender], metric: str) -> ho.Plan:
    return ho.Plan(contenders, ho.KFold(OUTER), ho.KFold(INNER), metrics=metric, choose_by=metric)


def table_of(X: Any, y: Any) -> ho.Table:
    """The numbers as a table with the target "y"."""
    columns = {f"x{place}": X[:, place] for place in range(X.shape[1])}
    return ho.read_table(columns | {"y": y.astype(str) if y.dtype.kind == "i" else y})
