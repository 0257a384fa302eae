"""A tree as plain nodes, whoever grew it, and where two of them part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import heldout as ho

LOW, HIGH = "<=", ">"


@dataclass
class PlainNode:
    """A node: a leaf has no attribute; a number is cut anywhere from `below` to just under `above`.

    branches: the node that each level, or side of the cut, leads to; branches that no row took are left out
    weights:  what rows of each class weigh here
    """

    attribute: str | None
    weights: dict[str, float]
    below: float | None = None
    above: float | None = None
    branches: dict[str, int] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        return sum(self.weights.values())

    @property
    def answers(self) -> set[str]:
        """The classes that weigh most: two where they weigh the same."""
        most = max(self.weights.values(), default=0.0)
        return {label for label, weight in self.weights.items() if weight > most - 1e-6}


PlainTree = list[PlainNode]


def word(text: object) -> str:
    """A level or class as both sides spell it: Heldout writes truth values in small letters."""
    return str(text).strip().casefold()


def n_leaves(tree: PlainTree) -> int:
    """Leaves that training rows reach."""
    return sum(node.attribute is None for node in tree)


def plain_tree(model: ho.TreeClassifier) -> PlainTree:
    """A fitted tree of Heldout."""
    structure, columns = model.tree_, model.inputs_.columns
    grown, classes = structure.grown, [word(label) for label in model.classes_]
    nodes = []
    for index in range(structure.n_nodes):
        weights = dict(zip(classes, grown.value[index].tolist(), strict=True))
        node = PlainNode(None, weights)
        children = structure.children(index)
        if children:
            column = columns[grown.feature[index]]
            node.attribute = column.name
            if column.is_category:
                node.branches = {word(column.levels[grown.branch_level[child]]): child for child in children}
            else:
                node.below, node.above = float(grown.gap_below[index]), float(grown.gap_above[index])
                node.branches = dict(zip((LOW, HIGH), children, strict=True))
        nodes.append(node)
    return nodes


def parting(ours: PlainTree, theirs: PlainTree) -> str | None:
    """Where the trees first part, from the top, in words; None if they ask the same questions.

    A leaf must answer the same class; where classes weigh the same there, either will do.
    """
    waiting: list[tuple[int, int, str]] = [(0, 0, "root")]
    for our_index, their_index, place in waiting:
        ours_here, theirs_here = ours[our_index], theirs[their_index]
        difference = _difference(ours_here, theirs_here)
        if difference:
            return f"{place}: {difference}"
        waiting += [
            (child, theirs_here.branches[branch], f"{place} / {ours_here.attribute} {branch}")
            for branch, child in ours_here.branches.items()
        ]
    return None


def _difference(ours: PlainNode, theirs: PlainNode) -> str | None:
    if ours.attribute != theirs.attribute:
        return f"{_shown(ours)}, they {_shown(theirs)}"
    if ours.attribute is None:
        return None if ours.answers & theirs.answers else f"{_shown(ours)}, they {_shown(theirs)}"
    if ours.below is not None and not ours.below <= _number(theirs.below) < _number(ours.above):
        return f"{_shown(ours)}, they {_shown(theirs)}"
    if ours.branches.keys() != theirs.branches.keys():
        return f"branches of {ours.attribute}: {sorted(ours.branches)}, they {sorted(theirs.branches)}"
    return None


def _number(bound: float | None) -> Any:
    return float("nan") if bound is None else bound


def _shown(node: PlainNode) -> str:
    counts = " ".join(f"{weight:.4g}" for weight in node.weights.values() if weight)
    if node.attribute is None:
        return f"answer {' or '.join(sorted(node.answers))} [{counts}]"
    cut = "" if node.below is None else f" at {node.below:.6g}"
    return f"ask {node.attribute}{cut} [{counts}]"
