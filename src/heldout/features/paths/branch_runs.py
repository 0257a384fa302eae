"""Conjunctions along the branches of a tree: runs of conditions that follow each other."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.path_conditions import branch_condition
from heldout.learners.trees.tree_structure import TreeStructure

Path = tuple[Condition, ...]


def branch_runs(structure: TreeStructure, schema: InputSchema, length: int | None) -> tuple[Path, ...]:
    """Every run of so many branches that follow each other, in the order in which the tree is printed.

    A run may start at any node. A way from the root to a leaf that is shorter gives all of its conditions.
    What a run asks of one column is one condition. A conjunction that the tree has in several places comes
    once, and does with an unknown value what the first of them does.

    length: how many branches make a run; None takes the whole way to each leaf
    """
    found: dict[tuple[object, ...], Path] = {}
    for nodes in _runs(structure, length):
        path = _merged([branch_condition(structure, schema, node) for node in nodes])
        if all(condition.allows_a_value for condition in path):
            found.setdefault(tuple(condition.key for condition in sorted(path, key=_place)), path)
    return tuple(found.values())


def _runs(structure: TreeStructure, length: int | None) -> Iterator[list[int]]:
    """The nodes to which the branches of each run lead, ordered by the last of them."""
    depths = structure.depths
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = structure.children(node)
        waiting += reversed(children)
        depth = int(depths[node])
        if depth == 0:
            continue
        if not children and (length is None or depth < length):
            yield structure.path(node)[1:]
        elif length is not None and depth >= length:
            yield _last(structure, node, length)


def _last(structure: TreeStructure, node: int, length: int) -> list[int]:
    """This node and those above it, so many in all, from above; no way to the root, which may be far."""
    nodes = [node]
    while len(nodes) < length:
        nodes.append(int(structure.grown.parent[nodes[-1]]))
    return nodes[::-1]


def _merged(conditions: list[Condition]) -> Path:
    """One condition for each column, in the order in which the columns are first asked for."""
    by_column: dict[int, Condition] = {}
    for each in conditions:
        known = by_column.get(each.position)
        by_column[each.position] = (
            each if known is None else known.narrowed(each.low, each.high, each.levels, each.unknown_share)
        )
    return tuple(by_column.values())


def _place(condition: Condition) -> int:
    return condition.position
