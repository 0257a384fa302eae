"""Which part of a large tree is shown: the nodes that carry the most rows are opened first.

What stays closed is folded: it is shown as one node that tells how much is below it. Of a split into very
many branches the heaviest are shown, and the rest is one folded branch.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from heldout.learners.trees.tree_structure import TreeStructure

MOST_BRANCHES = 16


@dataclass(frozen=True)
class ShownNode:
    """A node of the picture.

    node:   the tree's node; for a bundle of branches their parent
    parent: the place of the parent in the list, -1 for the root
    is_open: whether its branches are shown too
    bundle: the branches that this node stands for, empty for a node of the tree
    """

    node: int
    parent: int
    is_open: bool
    bundle: tuple[int, ...] = ()


def shown_nodes(structure: TreeStructure, max_depth: int | None, max_leaves: int | None) -> list[ShownNode]:
    """The nodes to draw, parents before their children and siblings in order.

    max_depth:  nodes at this depth are not opened; None for no limit
    max_leaves: how many ends the picture may have; None opens everything, 1 nothing. A
                larger number opens the root in any case
    """
    is_open = _opened(structure, max_depth, max_leaves)
    shown = [ShownNode(0, -1, 0 in is_open)]
    place = 0
    while place < len(shown):
        here = shown[place]
        if here.is_open and not here.bundle:
            branches, bundle = _branches(structure, here.node, max_leaves)
            shown += [ShownNode(child, place, child in is_open) for child in branches]
            if bundle:
                shown.append(ShownNode(here.node, place, False, bundle))
        place += 1
    return shown


def _opened(structure: TreeStructure, max_depth: int | None, max_leaves: int | None) -> set[int]:
    weights, depths = structure.grown.weight, structure.depths
    is_open: set[int] = set()
    n_ends = 1
    waiting = [(-float(weights[0]), 0)]
    while waiting:
        _, node = heapq.heappop(waiting)
        if not structure.children(node) or (max_depth is not None and depths[node] >= max_depth):
            continue
        branches, bundle = _branches(structure, node, max_leaves)
        n_more = len(branches) + bool(bundle) - 1
        if max_leaves is not None and n_ends + n_more > max_leaves and (node > 0 or max_leaves == 1):
            continue
        n_ends += n_more
        is_open.add(node)
        for child in branches:
            heapq.heappush(waiting, (-float(weights[child]), child))
    return is_open


def _branches(
    structure: TreeStructure, node: int, max_leaves: int | None
) -> tuple[list[int], tuple[int, ...]]:
    """The branches to show, and those to bundle."""
    children = list(structure.children(node))
    if max_leaves is None or len(children) <= MOST_BRANCHES:
        return children, ()
    weights = structure.grown.weight
    heaviest = set(heapq.nsmallest(MOST_BRANCHES - 1, children, key=lambda child: (-weights[child], child)))
    bundle = tuple(child for child in children if child not in heaviest)
    return [child for child in children if child in heaviest], bundle
