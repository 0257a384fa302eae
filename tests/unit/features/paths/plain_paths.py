"""The paths of a tree and the rows that meet them, found one by one, as judge of TreePaths."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from heldout import Table

_, THRESHOLD, MULTIWAY, _ = range(4)


def plain_cells(tree: Any, table: Table) -> list[dict[int, Any]]:
    """Per row the value of each column of the tree: a number, a level, or None, or its fill."""
    rows: list[dict[int, Any]] = [{} for _ in range(table.n_rows)]
    for position, column in enumerate(tree.inputs_.columns):
        given = table[column.name]
        fill = column.fill
        if column.is_category and fill is not None:
            fill = column.levels[int(fill)]
        values = given.labels() if column.is_category else given.values.tolist()
        for row, value in zip(rows, values, strict=True):
            is_known = value in column.levels if column.is_category else not math.isnan(value)
            row[position] = value if is_known else fill
    return rows


def plain_runs(tree: Any, length: int | None) -> list[list[int]]:
    """The nodes of each run, by walking down from the root and looking back."""
    structure, found = tree.tree_, []

    def walk(way: list[int]) -> None:
        children = list(structure.children(way[-1]))
        below_root = way[1:]
        if length is not None and len(below_root) >= length:
            found.append(below_root[-length:])
        elif not children and below_root:
            found.append(below_root)
        for child in children:
            walk([*way, child])

    walk([0])
    return found


def plain_share(tree: Any, run: list[int], cells: dict[int, Any]) -> float:
    """The part of one row that passes all branches of a run, each asked by itself."""
    structure = tree.tree_
    grown, share = structure.grown, 1.0
    for child in run:
        parent = int(grown.parent[child])
        position = int(grown.feature[parent])
        value, is_first = cells[position], child == grown.first_child[parent]
        if value is None:
            if structure.splits_unknown:
                siblings = list(structure.children(parent))
                share *= grown.weight[child] / grown.weight[siblings].sum()
            else:
                share *= float(child == grown.default_child[parent])
        elif grown.split_kind[parent] == THRESHOLD:
            share *= float((value <= grown.threshold[parent]) == is_first)
        else:
            levels = tree.inputs_.columns[position].levels
            if grown.split_kind[parent] == MULTIWAY:
                share *= float(levels[int(grown.branch_level[child])] == value)
            else:
                wanted = [levels[place] for place in structure.levels_in_set(parent)]
                share *= float((value in wanted) == is_first)
    return share


def plain_columns(tree: Any, table: Table, length: int | None) -> np.ndarray:
    """Rows × all runs, with those that say the same."""
    rows, runs = plain_cells(tree, table), plain_runs(tree, length)
    return np.array([[plain_share(tree, run, cells) for run in runs] for cells in rows]).reshape(
        -1, len(runs)
    )


def is_true(formula: str, row: dict[str, Any]) -> bool:
    """Whether a row of known values meets what a column's name says, read as a person would read it."""
    return all(_is_met(part, row) for part in formula.split(" ∧ "))


def _is_met(part: str, row: dict[str, Any]) -> bool:
    between = re.fullmatch(r"(\S+) < (\S+) ≤ (\S+)", part)
    if between:
        low, name, high = between.groups()
        return float(low) < row[name] <= float(high)
    name, sign, wanted = part.split(" ", 2)
    levels = wanted.strip("{}").split(", ")
    if sign in ("=", "∈"):
        return row[name] in levels
    if sign in ("≠", "∉"):
        return row[name] not in levels
    return bool(row[name] <= float(wanted) if sign == "≤" else row[name] > float(wanted))
