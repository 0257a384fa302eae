"""A nested cross-validation as a study runs it: from a table to a verdict, everything in the study file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import heldout as ho

OUTER, INNER, N_JOBS = 10, 5, 2


@contextmanager
def new_study(table: ho.Table, target: str) -> Iterator[ho.Study]:
    """A study in a folder of its own, without sealed rows: the peers have none either."""
    with tempfile.TemporaryDirectory() as folder:
        study = ho.Study.create(Path(folder) / "nested.heldout", table, target, held=None, seed=1)
        with study:
            yield study


def study_score(
    table: ho.Table, target: str, contenders: Sequence[ho.Contender], metric: str, name: str
) -> float:
    """Make a study of all rows, run ten folds with five inside on two processes, and give the mean score.

    name: of the contender whose score is wanted
    """
    plan = ho.Plan(contenders, ho.KFold(OUTER), ho.KFold(INNER), metrics=metric, choose_by=metric)
    with new_study(table, target) as study:
        result = study.run(plan, n_jobs=N_JOBS, progress=False)
        standing = next(each for each in result.standings if each.name == name)
        return float(np.mean(standing.fold_scores))


def table_of(X: Any, y: Any) -> ho.Table:
    """The numbers as a table with the target "y"."""
    columns = {f"x{place}": X[:, place] for place in range(X.shape[1])}
    return ho.read_table(columns | {"y": y.astype(str) if y.dtype.kind == "i" else y})
