"""The drawing of a tree as plain values that JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.charts.legend import LegendEntry
from heldout.charts.tree_cards import BarScale, PictureNode, PictureTree, Segment

LONGEST_WORDS = 240
LONGEST_LABEL = 120
_DIGITS = 4


def plain_tree(tree: PictureTree) -> dict[str, Any]:
    """What is drawn, in dicts, lists, texts and numbers; texts that are too long to be read are cut."""
    return {
        "title": tree.title,
        "caption": tree.caption,
        "description": _cut(tree.description, LONGEST_WORDS),
        "legend": [[_cut(entry.label, LONGEST_LABEL), entry.remark] for entry in tree.legend],
        "scale": None if tree.scale is None else vars(tree.scale) | {},
        "nodes": [_plain_node(node) for node in tree.nodes],
    }


def tree_of_plain(record: Mapping[str, Any]) -> PictureTree:
    """The drawing of what `plain_tree` made."""
    scale = record["scale"]
    return PictureTree(
        title=str(record["title"]),
        caption=str(record["caption"]),
        description=str(record["description"]),
        nodes=[_node(node) for node in record["nodes"]],
        legend=tuple(LegendEntry(str(label), str(remark)) for label, remark in record["legend"]),
        scale=None if scale is None else BarScale(**scale),
    )


def _plain_node(node: PictureNode) -> dict[str, Any]:
    # A node whose children are folded away tells what it predicts, as a leaf does.
    does = "predicts" if node.is_leaf or node.note else "asks for"
    return {
        "parent": node.parent,
        "heading": _cut(node.heading, LONGEST_LABEL),
        "remark": node.remark,
        "segments": [
            [round(part.start, _DIGITS), round(part.end, _DIGITS), part.index] for part in node.segments
        ],
        "edge": _cut(node.edge, LONGEST_LABEL),
        "share": round(node.share, _DIGITS),
        "place": node.index,
        "note": node.note,
        "is_leaf": node.is_leaf,
        "way": _cut(node.way, LONGEST_WORDS),
        "does": does,
        "description": _cut(node.description, LONGEST_WORDS),
    }


def _node(record: Mapping[str, Any]) -> PictureNode:
    return PictureNode(
        parent=int(record["parent"]),
        heading=str(record["heading"]),
        remark=str(record["remark"]),
        segments=tuple(
            Segment(float(start), float(end), int(index)) for start, end, index in record["segments"]
        ),
        edge=str(record["edge"]),
        share=float(record["share"]),
        index=int(record["place"]),
        note=str(record["note"]),
        is_leaf=bool(record["is_leaf"]),
        way=str(record["way"]),
        title=f"{record['way']}: {record['does']} {record['heading']}",
        description=str(record["description"]),
    )


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
