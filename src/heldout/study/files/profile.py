"""The profile of the open rows: kinds, counts, gaps, histograms by class. Held rows leave no trace in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.ledger.study_facts import ColumnProfile, ProfileFact
from heldout.study.files.task_roles import without_example
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.task import Task

N_BINS = 20
MOST_LEVELS = 30
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


def profile_task(task: Task) -> tuple[ProfileFact, dict[str, NDArray[Any]]]:
    """What is recorded of the open rows: a description, and the arrays that results are made from later.

    task: of the open rows
    """
    codes = _class_codes(task)
    roles = {name: role for role, name in task.roles.items()}
    columns = (
        _column(column, codes, len(task.classes), roles.get(column.name, ""), column.name in task.X)
        for column in task.table.columns
    )
    profile = ProfileFact(
        n_rows=task.n_rows,
        kind=task.kind,
        reason=task.reason,
        target=task.target,
        classes=tuple(task.classes),
        positive=task.positive,
        class_counts=tuple(np.bincount(codes, minlength=len(task.classes)).tolist()) if task.classes else (),
        columns=tuple(columns),
        notes=tuple(without_example(note) for note in task.notes),
    )
    return profile, _arrays(task, codes)


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
) -> ColumnProfile:
    profile = ColumnProfile(
        name=column.name,
        kind=column.kind,
        role=role or ("input" if is_input else "left out"),
        n_missing=column.n_missing,
        reason=without_example(column.reason),
    )
    if column.kind in NUMERIC_KINDS:
        return _with_numbers(profile, column.values, codes, max(n_classes, 1))
    if column.kind in LEVEL_KINDS:
        return _with_levels(profile, column, codes, max(n_classes, 1))
    return replace(profile, n_distinct=len({value for value in column.values.tolist() if value is not None}))


def _with_numbers(
    profile: ColumnProfile, values: NDArray[np.float64], codes: NDArray[np.intp], n_classes: int
) -> ColumnProfile:
    is_known = np.isfinite(values)
    known = values[is_known]
    if not len(known):
        return replace(profile, quantiles=())
    low, high = float(known.min()), float(known.max())
    edges = np.linspace(low, high, N_BINS + 1) if low < high else np.array([low, high])
    quantiles = tuple(np.quantile(known, _QUANTILES).tolist())
    if not np.isfinite(edges).all():  # the range itself may be too large for a float
        return replace(profile, quantiles=quantiles)
    counts = (
        tuple(np.histogram(known[codes[is_known] == each], edges)[0].tolist())
        if low < high
        else (int((codes[is_known] == each).sum()),)
        for each in range(n_classes)
    )
    return replace(profile, quantiles=quantiles, edges=tuple(edges.tolist()), counts=tuple(counts))


def _with_levels(
    profile: ColumnProfile, column: Column, codes: NDArray[np.intp], n_classes: int
) -> ColumnProfile:
    """The most frequent levels, each with its count by class; ties in the order of the levels."""
    is_known = column.values >= 0
    totals = np.bincount(column.values[is_known], minlength=len(column.levels))
    order = np.argsort(-totals, kind="stable")[:MOST_LEVELS]
    counts = (
        np.bincount(column.values[is_known & (codes == each)], minlength=len(column.levels))[order]
        for each in range(n_classes)
    )
    return replace(
        profile,
        n_levels=len(column.levels),
        levels=tuple(column.levels[index] for index in order),
        counts=tuple(tuple(each.tolist()) for each in counts),
    )
