"""Where the nodes of a tree stand: a tidy drawing in linear time.

The algorithm is that of Reingold and Tilford (1981) as Walker (1990) generalized it to many branches and
Buchheim, Jünger and Leipert (2002) made it linear: subtrees are pushed apart along their contours, threads
let a contour go on where a subtree ends, and what is pushed is spread over the siblings between. Parents
stand midway between their outer children, equal subtrees are drawn alike, a mirrored tree gets the
mirrored drawing.

Every walk is a loop; a chain of 100,000 nodes is laid out like any other tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from heldout.charts.svg import Box, SvgWriter, Value, at, fitted, short_number
from heldout.charts.theme import EDGE, INK, PAPER, fill, stroke
from heldout.charts.tree_cards import PictureNode


def tidy_centers(parents: Sequence[int], breadths: Sequence[float], gap: float) -> list[float]:
    """The middle of each node across its level, the leftmost edge at 0.

    parents:  the parent of each node, -1 for the root, which is first; a parent stands before its children,
              and siblings stand in their order
    breadths: how much room each node needs across its level
    gap:      the least distance between two neighbors on a level
    """
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    centers = _Layout(children, breadths, gap).centers()
    leftmost = min(center - breadth / 2 for center, breadth in zip(centers, breadths, strict=True))
    return [center - leftmost for center in centers]


class _Layout:
    """The state of one drawing; the names are those of the paper."""

    def __init__(self, children: list[list[int]], breadths: Sequence[float], gap: float) -> None:
        n_nodes = len(children)
        self.children = children
        self.breadths = breadths
        self.gap = gap
        self.prelim = [0.0] * n_nodes
        self.mod = [0.0] * n_nodes
        self.shift = [0.0] * n_nodes
        self.change = [0.0] * n_nodes
        self.thread = [-1] * n_nodes
        self.ancestor = list(range(n_nodes))
        self.index = [0] * n_nodes
        self.middle = [0.0] * n_nodes
        self.parent = [-1] * n_nodes
        for node, family in enumerate(children):
            for index, child in enumerate(family):
                self.index[child] = index
                self.parent[child] = node

    def centers(self) -> list[float]:
        for node in range(len(self.children) - 1, -1, -1):
            if self.children[node]:
                self._lay_out_children(node)
        centers, sums = [0.0] * len(self.children), [0.0] * len(self.children)
        for node in range(len(self.children)):
            parent = self.parent[node]
            above = sums[parent] if parent >= 0 else 0.0
            centers[node] = self.prelim[node] + above
            sums[node] = self.mod[node] + above
        return centers

    def _lay_out_children(self, node: int) -> None:
        family = self.children[node]
        default_ancestor = family[0]
        for index, child in enumerate(family):
            if index == 0:
                self.prelim[child] = self.middle[child]
            else:
                left = family[index - 1]
                self.prelim[child] = self.prelim[left] + self._distance(left, child)
                self.mod[child] = self.prelim[child] - self.middle[child]
                default_ancestor = self._apportion(child, left, family[0], default_ancestor)
        self._execute_shifts(family)
        self.middle[node] = (self.prelim[family[0]] + self.prelim[family[-1]]) / 2
        if self.parent[node] < 0:
            self.prelim[node] = self.middle[node]

    def _apportion(self, node: int, left: int, first: int, default_ancestor: int) -> int:
        """Push the node's subtree away from those on its left, along the two contours between them."""
        inner_right = outer_right = node
        inner_left, outer_left = left, first
        sum_inner_right = sum_outer_right = self.mod[node]
        sum_inner_left, sum_outer_left = self.mod[left], self.mod[first]
        next_left, next_right = self._next_right(inner_left), self._next_left(inner_right)
        while next_left >= 0 and next_right >= 0:
            inner_left, inner_right = next_left, next_right
            outer_left, outer_right = self._next_left(outer_left), self._next_right(outer_right)
            self.ancestor[outer_right] = node
            overlap = self.prelim[inner_left] + sum_inner_left - self.prelim[inner_right] - sum_inner_right
            overlap += self._distance(inner_left, inner_right)
            if overlap > 0:
                is_sibling = self.parent[self.ancestor[inner_left]] == self.parent[node]
                mover = self.ancestor[inner_left] if is_sibling else default_ancestor
                self._move_subtree(mover, node, overlap)
                sum_inner_right += overlap
                sum_outer_right += overlap
            sum_inner_left += self.mod[inner_left]
            sum_inner_right += self.mod[inner_right]
            sum_outer_left += self.mod[outer_left]
            sum_outer_right += self.mod[outer_right]
            next_left, next_right = self._next_right(inner_left), self._next_left(inner_right)
        if next_left >= 0 and self._next_right(outer_right) < 0:
            self.thread[outer_right] = next_left
            self.mod[outer_right] += sum_inner_left - sum_outer_right
        if next_right >= 0 and self._next_left(outer_left) < 0:
            self.thread[outer_left] = next_right
            self.mod[outer_left] += sum_inner_right - sum_outer_left
            default_ancestor = node
        return default_ancestor

    def _move_subtree(self, left: int, right: int, distance: float) -> None:
        """Move a subtree to the right; the siblings between get their part in `_execute_shifts`."""
        per_sibling = distance / (self.index[right] - self.index[left])
        self.change[right] -= per_sibling
        self.shift[right] += distance
        self.change[left] += per_sibling
        self.prelim[right] += distance
        self.mod[right] += distance

    def _execute_shifts(self, family: list[int]) -> None:
        shift = change = 0.0
        for child in reversed(family):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def _distance(self, left: int, right: int) -> float:
        return (self.breadths[left] + self.breadths[right]) / 2 + self.gap

    def _next_left(self, node: int) -> int:
        family = self.children[node]
        return family[0] if family else self.thread[node]

    def _next_right(self, node: int) -> int:
        family = self.children[node]
        return family[-1] if family else self.thread[node]


def depths_of(nodes: Sequence[PictureNode]) -> list[int]:
    """How many steps each node lies below the root.

    nodes: parents before their children
    """
    depths: list[int] = []
    for node in nodes:
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
    return depths


def reading_order(nodes: Sequence[PictureNode]) -> list[int]:
    """The places of all nodes, each before those below it, one branch after the other.

    nodes: parents before their children, siblings in order
    """
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        if node.parent >= 0:
            children[node.parent].append(index)
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children[order[-1]])
    return order


LABEL_SIZE = 12.0
THINNEST, THICKEST = 1.25, 7.0
TRUNK = 16.0
_ROUND = 7.0


def edge_width(share: float) -> float:
    """The thickness of the line that a share of the rows went along."""
    return THINNEST + (THICKEST - THINNEST) * min(max(share, 0.0), 1.0)


def draw_line_down(writer: SvgWriter, parent: Box, child: Box, share: float) -> None:
    """From the middle of the parent's lower side to the middle of the child's upper side."""
    turn = parent.bottom + TRUNK
    round_ = min(_ROUND, abs(child.center - parent.center) / 2)
    side = 1 if child.center > parent.center else -1
    path = f"M{at(parent.center, parent.bottom)}V{short_number(turn - round_)}"
    if round_ > 0.5:
        path += f"Q{at(parent.center, turn)} {at(parent.center + side * round_, turn)}"
        path += f"H{short_number(child.center - side * round_)}"
        path += f"Q{at(child.center, turn)} {at(child.center, turn + round_)}"
    writer.leaf("path", d=f"{path}V{short_number(child.top)}", stroke_width=edge_width(share), **stroke(EDGE))


def draw_line_right(writer: SvgWriter, parent: Box, child: Box, share: float) -> None:
    """From the middle of the parent's right side to the middle of the child's left side."""
    turn = parent.right + TRUNK
    round_ = min(_ROUND, abs(child.middle - parent.middle) / 2)
    side = 1 if child.middle > parent.middle else -1
    path = f"M{at(parent.right, parent.middle)}H{short_number(turn - round_)}"
    if round_ > 0.5:
        path += f"Q{at(turn, parent.middle)} {at(turn, parent.middle + side * round_)}"
        path += f"V{short_number(child.middle - side * round_)}"
        path += f"Q{at(turn, child.middle)} {at(turn + round_, child.middle)}"
    writer.leaf(
        "path", d=f"{path}H{short_number(child.left)}", stroke_width=edge_width(share), **stroke(EDGE)
    )


def draw_label(
    writer: SvgWriter, label: str, parent: Box, child: Box, share: float, grows_down: bool
) -> None:
    """The condition: above the child on its line, or above the line at the left of the child."""
    if grows_down:
        x, y, anchor, room = child.center, child.top - 13, "middle", child.width + 8
    else:
        x, y, anchor = parent.right + TRUNK + 10, child.middle - edge_width(share) / 2 - 4, "start"
        room = child.left - x - 6
    text = fitted(label, room, LABEL_SIZE)
    index: dict[str, Value] = {"x": x, "y": y, "font_size": LABEL_SIZE, "text_anchor": anchor}
    if grows_down:
        writer.leaf("text", text, **index, stroke_width=7.0, **stroke(PAPER))
    writer.leaf("text", text, **index, **fill(INK))
