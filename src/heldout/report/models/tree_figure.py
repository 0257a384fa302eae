"""The drawing of a tree: cards where they fit, else an outline; and its ends as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.charts.tree_outline import outline_svg
from heldout.charts.tree_parts import PictureTree
from heldout.charts.tree_picture import tree_svg, tree_width
from heldout.report.figure import Figure
from heldout.report.models.plain_tree import tree_of_plain

# A page shows so much without making it too small to read.
WIDEST_CARDS, OUTLINE_WIDTH = 760.0, 660.0


def tree_figure(model: Mapping[str, Any]) -> Figure:
    """The figure of a tree.

    model: of the form "tree", as `recorded_models` gives it

    >>> import heldout as ho
    >>> from heldout.report.models.views.model_view import model_view
    >>> tree = ho.TreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["low"] * 2 + ["high"] * 2)
    >>> tree_figure(model_view(tree)).rows
    (('x0 <= 2.5', 'low', 'all 2 are low.'), ('x0 > 2.5', 'high', 'all 2 are high.'))
    """
    nodes, tree = model["drawing"]["nodes"], tree_of_plain(model["drawing"])
    return Figure(
        title="The tree",
        takeaway=str(model["takeaway"]),
        picture=_wide(tree),
        narrow=outline_svg(tree),
        headings=("where a row goes", "answer", "rows"),
        rows=tuple(_ends(nodes)),
        caption="The ends of the tree",
        notes=_notes(model, nodes),
    )


def _wide(tree: PictureTree) -> str:
    """Cards that grow down or to the right, whichever fits; an outline for what is too large for both."""
    for direction in ("down", "right"):
        if tree_width(tree, direction) <= WIDEST_CARDS:
            return tree_svg(tree, direction)
    return outline_svg(tree, OUTLINE_WIDTH)


def _ends(nodes: list[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """What a row meets on its way, the answer, and the rows behind it; for each end that is drawn."""
    has_more = {node["parent"] for node in nodes}
    rows = []
    for place, node in enumerate(nodes):
        if place in has_more:
            continue
        ways, above = [str(node["way"])], int(node["parent"])
        while above > 0:
            ways.append(str(nodes[above]["way"]))
            above = int(nodes[above]["parent"])
        rows.append((" and ".join(reversed(ways)), str(node["heading"]), str(node["description"])))
    return rows


def _notes(model: Mapping[str, Any], nodes: list[Mapping[str, Any]]) -> tuple[str, ...]:
    n_folded = sum(bool(node["note"]) for node in nodes)
    if not n_folded:
        return ()
    parts = "A part that holds" if n_folded == 1 else f"{n_folded} parts that hold"
    return (
        f"{parts} the fewest rows {'is' if n_folded == 1 else 'are'} folded in the drawing: the tree has"
        f" {int(model['n_leaves']):,} leaves.",
    )
