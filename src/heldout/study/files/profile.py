"""The profile of the open rows: kinds, counts, gaps, histograms by class. Held rows leave no trace in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.study.files.study_record import unquoted
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.task import Task

N_BINS = 20
MOST_LEVELS = 30
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def profile_of(task: Task) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What is recorded of the open rows: a description, and the arrays that results are made from later.

    task: of the open rows
    """
    codes = _class_codes(task)
    roles = {name: role for role, name in task.roles.items()}
    columns = [
        _column(column, codes, len(task.classes), roles.get(column.name, ""), column.name in task.X)
        for column in task.table.columns
    ]
    body = {
        "n_rows": task.n_rows,
        "kind": task.kind,
        "reason": task.reason,
        "target": task.target,
        "classes": list(task.classes),
        "positive": task.positive,
        "class_counts": np.bincount(codes, minlength=len(task.classes)).tolist() if task.classes else [],
        "columns": columns,
        "notes": [unquoted(note) for note in task.notes],
    }
    return body, _arrays(task, codes)


def _class_codes(task: Task) -> NDArray[np.intp]:
    if task.kind != "classification":
        return np.zeros(task.n_rows, dtype=np.intp)
    return np.unique(task.y, return_inverse=True)[1].astype(np.intp)


def _arrays(task: Task, codes: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
    is_classes = task.kind == "classification"
    arrays: dict[str, NDArray[Any]] = {"target": codes.astype(np.int32) if is_classes else np.asarray(task.y)}
    if task.groups is not None:
        arrays["groups"] = np.unique(task.groups, return_inverse=True)[1].astype(np.int64)
    if task.time is not None:
        arrays["time"] = np.asarray(task.time)
    if task.weights is not None:
        arrays["weights"] = np.asarray(task.weights)
    return arrays


def _column(
    column: Column, codes: NDArray[np.intp], n_classes: int, role: str, is_input: bool
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": column.name,
        "kind": column.kind,
        "role": role or ("input" if is_input else "left out"),
        "n_missing": column.n_missing,
        "reason": unquoted(column.reason),
    }
    if column.kind in NUMERIC_KINDS:
        return found | _numbers(column.values, codes, max(n_classes, 1))
    if column.kind in LEVEL_KINDS:
        return found | _levels(column, codes, max(n_classes, 1))
    return found | {"n_distinct": len({value for value in column.values.tolist() if value is not None})}


def _numbers(values: NDArray[np.float64], codes: NDArray[np.intp], n_classes: int) -> dict[str, Any]:
    is_known = np.isfinite(values)
    known = values[is_known]
    if not len(known):
        return {"quantiles": [], "edges": [], "counts": []}
    low, high = float(known.min()), float(known.max())
    edges = np.linspace(low, high, N_BINS + 1) if low < high else np.array([low, high])
    if not np.isfinite(edges).all():  # the range itself may be too large for a float
        return {"quantiles": np.quantile(known, _QUANTILES).tolist(), "edges": [], "counts": []}
    counts = [
        np.histogram(known[codes[is_known] == each], edges)[0].tolist()
        if low < high
        else [int((codes[is_known] == each).sum())]
        for each in range(n_classes)
    ]
    return {
        "quantiles": np.quantile(known, _QUANTILES).tolist(),
        "edges": edges.tolist(),
        "counts": counts,
    }


def _levels(column: Column, codes: NDArray[np.intp], n_classes: int) -> dict[str, Any]:
    """The most frequent levels, each with its count by class; ties in the order of the levels."""
    is_known = column.values >= 0
    totals = np.bincount(column.values[is_known], minlength=len(column.levels))
    order = np.argsort(-totals, kind="stable")[:MOST_LEVELS]
    counts = [
        np.bincount(column.values[is_known & (codes == each)], minlength=len(column.levels))[order].tolist()
        for each in range(n_classes)
    ]
    return {
        "n_levels": len(column.levels),
        "levels": [column.levels[place] for place in order],
        "counts": counts,
    }
