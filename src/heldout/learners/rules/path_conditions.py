"""The ways through a tree as conditions: one for each leaf, and for each branch that no training row took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from heldout.inputs.input_schema import InputSchema
from heldout.learners.rules.condition import Condition, Cut
from heldout.learners.trees.tree_structure import MULTIWAY, THRESHOLD, TreeStructure

Conditions = dict[int, Condition]


@dataclass(frozen=True)
class Way:
    """Where a row ends, and what brings it there.

    node:       a leaf, or a multiway node none of whose branches has the row's level
    is_empty:   whether it is the latter, which no training row did
    conditions: at most one for each column, in the order in which the tree first asks for it
    """

    node: int
    is_empty: bool
    conditions: tuple[Condition, ...]


def ways_through(structure: TreeStructure, schema: InputSchema) -> Iterator[Way]:
    """All ways that some row can take, in the order in which the tree is printed."""
    waiting: list[tuple[int, Conditions]] = [(0, {})]
    while waiting:
        node, conditions = waiting.pop()
        children = structure.children(node)
        if not children:
            yield Way(node, False, tuple(conditions.values()))
            continue
        if structure.grown.split_kind[node] == MULTIWAY:
            stopping = _narrowed(conditions, schema, structure, node, **_no_branch(structure, schema, node))
            if stopping is not None:
                yield Way(node, True, tuple(stopping.values()))
        for child in reversed(children):
            wanted = _branch(structure, schema, child)
            below = _narrowed(conditions, schema, structure, node, **wanted)
            if below is not None:
                waiting.append((child, below))


def branch_condition(structure: TreeStructure, schema: InputSchema, child: int) -> Condition:
    """What the branch to this child asks of a row, whatever the branches above it ask."""
    position = int(structure.grown.feature[structure.grown.parent[child]])
    return _requested_of(schema, position, None, **_branch(structure, schema, child))


def _narrowed(
    conditions: Conditions, schema: InputSchema, structure: TreeStructure, node: int, **wanted: Any
) -> Conditions | None:
    """The conditions with what a branch of this node asks in addition; None if nothing can meet them."""
    position = int(structure.grown.feature[node])
    narrowed = _requested_of(schema, position, conditions.get(position), **wanted)
    return {**conditions, position: narrowed} if narrowed.can_be_met else None


def _requested_of(schema: InputSchema, position: int, known: Condition | None, **wanted: Any) -> Condition:
    """A condition with what a branch asks in addition; a value that is filled is never unknown."""
    column = schema.columns[position]
    if column.fill is not None:
        wanted["unknown_share"] = 0.0
    return (known or Condition(column, position, unknown_share=1.0)).narrowed(**wanted)


def _branch(structure: TreeStructure, schema: InputSchema, child: int) -> dict[str, Any]:
    """What a row must have to go from its parent to this child."""
    grown = structure.grown
    parent = int(grown.parent[child])
    kind, is_first = grown.split_kind[parent], child == grown.first_child[parent]
    if structure.splits_unknown:
        share = float(structure.shares[child])
    else:
        share = float(child == grown.default_child[parent])
    if kind == THRESHOLD:
        cut = Cut(
            float(grown.threshold[parent]), float(grown.gap_below[parent]), float(grown.gap_above[parent])
        )
        return {"high" if is_first else "low": cut, "unknown_share": share}
    if kind == MULTIWAY:
        return {"levels": (int(grown.branch_level[child]),), "unknown_share": share}
    levels = structure.levels_in_set(parent)
    if not is_first:
        n_levels = len(schema.columns[int(grown.feature[parent])].levels)
        levels = sorted(set(range(n_levels)).difference(levels))
    return {"levels": levels, "unknown_share": share}


def _no_branch(structure: TreeStructure, schema: InputSchema, node: int) -> dict[str, Any]:
    """What a row must have to stop at a multiway node: a level that none of its branches has."""
    n_levels = len(schema.columns[int(structure.grown.feature[node])].levels)
    taken = {int(structure.grown.branch_level[child]) for child in structure.children(node)}
    return {"levels": set(range(n_levels)).difference(taken), "unknown_share": 0.0}
