"""Which columns the plane of a tree has: those it asks for, or those that were wished for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heldout.errors import RequestError
from heldout.learners.inputs.input_schema import InputSchema, column_positions
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_label


def plane_columns(structure: TreeStructure, schema: InputSchema, features: Any) -> list[int]:
    """The positions of the column across and, where there is one, of the column upwards.

    features: names or positions, or None for the columns of the tree in the order in which it asks for them
    """
    asked = structure.grown.feature[~structure.is_leaf].tolist()
    used = list(dict.fromkeys(asked))
    if len(used) > 2:
        raise RequestError(
            f"the tree asks for {len(used)} columns, and a plane has two",
            where=_listed(schema, used),
            fix="fit a tree on two of the columns, or look at the whole tree with to_svg()",
        )
    if features is None:
        if not used:
            raise RequestError(
                "the tree asks for no column, so there is no plane to choose",
                where="a tree of one leaf",
                fix="name one or two columns with features=",
            )
        return used
    return _wished(schema, features, used)


def _wished(schema: InputSchema, features: Any, used: list[int]) -> list[int]:
    entries = (
        list(features) if isinstance(features, Iterable) and not isinstance(features, str) else [features]
    )
    positions = column_positions(entries, schema.names)
    if positions is None:
        unknown = [entry for entry in entries if column_positions([entry], schema.names) is None]
        raise RequestError(
            "features names a column that the tree was not fitted on",
            where=f"{unknown[0]!r:.60} is no name and no position of its {len(schema.columns)} columns",
            fix=f"name one or two of {_listed(schema, list(range(len(schema.columns))))}",
        )
    if len(set(positions)) < len(positions):
        raise RequestError(
            "features names a column twice",
            where=f"features={features!r:.60}",
            fix="name it once, or another one with it",
        )
    if not 1 <= len(positions) <= 2:
        raise RequestError(
            f"features must be one or two columns, and has {len(positions)}",
            where=f"features={features!r:.60}",
            fix=f"use names or positions; the tree asks for {_listed(schema, used) or 'none'}",
        )
    if missing := [position for position in used if position not in positions]:
        raise RequestError(
            "the tree asks for a column that is not in the plane",
            where=_listed(schema, missing),
            fix=f"leave features out, or name {_listed(schema, used)}",
        )
    return positions


def _listed(schema: InputSchema, positions: list[int]) -> str:
    names = ", ".join(shown_label(schema.columns[position].name) for position in positions[:6])
    return f"{names}, …" if len(positions) > 6 else names
