"""From a tree and its names to what its picture shows: questions, conditions, predictions, and words."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from heldout.charts.tree_cards import PictureNode, PictureTree
from heldout.inputs.input_schema import InputSchema
from heldout.learners.pictures.drawn_predictions import DrawnPredictions
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import branch_parts, branch_text, shown_label

LEVELS_ON_A_LINE, LEVELS_IN_A_TITLE = 10, 100
_SIGNS = {"<=": "≤ ", ">": "> ", "=": "", "!=": "≠ ", "in": "", "not in": "not "}


def tree_drawing(
    structure: TreeStructure,
    schema: InputSchema,
    predictions: DrawnPredictions,
    max_depth: int | None,
    max_leaves: int | None,
) -> PictureTree:
    """What the picture of a tree shows.

    predictions:           how its predictions are drawn
    max_depth, max_leaves: how far it is opened, as in `shown_nodes`
    """
    shown = shown_nodes(structure, max_depth, max_leaves)
    n_rows = int(structure.grown.n_rows[0])
    size = f"{_counted(structure.n_leaves, 'leaf')}, {_counted(structure.depth, 'level')}"
    nodes = [_picture_node(structure, schema, predictions, part) for part in shown]
    n_folded = sum(bool(node.note) for node in nodes)
    folded = f" · {_counted(n_folded, 'part')} folded" if n_folded else ""
    folded += f" · {predictions.remark}" if predictions.remark else ""
    return PictureTree(
        title=f"{predictions.kind}, {size}",
        caption=f"{predictions.kind} · {size} · {_counted(n_rows, 'row')}{folded}",
        description=f"Grown from {_counted(n_rows, 'row')}. At the root: {predictions.of([0]).words}.",
        nodes=nodes,
        legend=predictions.legend,
        scale=predictions.scale,
    )


def _picture_node(
    structure: TreeStructure, schema: InputSchema, predictions: DrawnPredictions, part: ShownNode
) -> PictureNode:
    nodes = part.bundle or (part.node,)
    prediction = predictions.of(nodes)
    share = float(structure.grown.weight[list(nodes)].sum() / structure.grown.weight[0])
    way, edge = _way(structure, schema, part)
    note = "" if part.is_open else _folded_note(structure, part)
    is_leaf = not part.is_open and not note
    if part.is_open:
        heading, remark = (
            shown_label(schema.columns[int(structure.grown.feature[part.node])].name),
            prediction.total,
        )
    else:
        heading, remark = prediction.label, prediction.count
    asks = f"asks for {heading}" if part.is_open else f"predicts {heading}"
    return PictureNode(
        parent=part.parent,
        heading=heading,
        remark=remark,
        segments=prediction.bar,
        edge=edge,
        share=share,
        index=prediction.index if is_leaf else -1,
        note=note,
        is_leaf=is_leaf,
        way=way,
        title=f"{way}: {asks}",
        description=f"{prediction.words}. {note}".rstrip(),
    )


def _way(structure: TreeStructure, schema: InputSchema, part: ShownNode) -> tuple[str, str]:
    """How a row comes here from the parent: in full, and as it stands on the line."""
    if part.bundle:
        name = shown_label(schema.columns[int(structure.grown.feature[part.node])].name)
        return f"{name} has another level", _counted(len(part.bundle), "other level")
    if part.node == 0:
        return "All rows", ""
    _, sign, value = branch_parts(structure, schema, part.node, LEVELS_ON_A_LINE)
    return branch_text(structure, schema, part.node, LEVELS_IN_A_TITLE), f"{_SIGNS[sign]}{value}"


def _folded_note(structure: TreeStructure, part: ShownNode) -> str:
    nodes = part.bundle or (part.node,)
    n_leaves = sum(int(structure.leaves_below[node]) for node in nodes)
    n_levels = max(int(structure.heights[node]) for node in nodes)
    if not n_levels and not part.bundle:
        return ""
    return f"+{_counted(n_leaves, 'leaf')}" + (f", {_counted(n_levels, 'level')}" if n_levels else "")


def _counted(number: int, noun: str) -> str:
    """A number with its noun."""
    plural = "leaves" if noun == "leaf" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


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
    index = 0
    while index < len(shown):
        here = shown[index]
        if here.is_open and not here.bundle:
            branches, bundle = _branches(structure, here.node, max_leaves)
            shown += [ShownNode(child, index, child in is_open) for child in branches]
            if bundle:
                shown.append(ShownNode(here.node, index, False, bundle))
        index += 1
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
