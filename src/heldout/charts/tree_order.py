"""How the nodes of a drawn tree follow each other: how deep each lies, and in which order they are read."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.charts.tree_parts import PictureNode


def depths_of(nodes: Sequence[PictureNode]) -> list[int]:
    """How many steps each node lies below the root.

    nodes: parents before their children

    >>> depths_of([PictureNode(parent, "", "", ()) for parent in (-1, 0, 0, 1)])
    [0, 1, 1, 2]
    """
    depths: list[int] = []
    for node in nodes:
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
    return depths


def reading_order(nodes: Sequence[PictureNode]) -> list[int]:
    """The places of all nodes, each before those below it, one branch after the other.

    nodes: parents before their children, siblings in order

    >>> reading_order([PictureNode(parent, "", "", ()) for parent in (-1, 0, 0, 1)])
    [0, 1, 3, 2]
    """
    children: list[list[int]] = [[] for _ in nodes]
    for place, node in enumerate(nodes):
        if node.parent >= 0:
            children[node.parent].append(place)
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children[order[-1]])
    return order
