"""The nodes of a tree as arrays of a model file, and back."""

from __future__ import annotations

from typing import Any

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import (
    ArrayMembers,
    Forms,
    checked_sizes,
    read_arrays,
    written_arrays,
)
from heldout.models.records.check_tree import check_tree
from heldout.native import GrownTree

_NODES = ("n_nodes",)
# Every array of a tree, with its type and its sizes.
ARRAYS: Forms = {
    "feature": ("<i4", _NODES),
    "split_kind": ("|u1", _NODES),
    "threshold": ("<f8", _NODES),
    "gap_below": ("<f8", _NODES),
    "gap_above": ("<f8", _NODES),
    "first_child": ("<i4", _NODES),
    "n_children": ("<i4", _NODES),
    "default_child": ("<i4", _NODES),
    "branch_level": ("<i4", _NODES),
    "set_begin": ("<i4", _NODES),
    "set_end": ("<i4", _NODES),
    "parent": ("<i4", _NODES),
    "n_rows": ("<i8", _NODES),
    "weight": ("<f8", _NODES),
    "impurity": ("<f8", _NODES),
    "gain": ("<f8", _NODES),
    "set_levels": ("<i4", ("n_set_levels",)),
    "value": ("<f8", ("n_nodes", "n_outputs")),
}
# The sizes that the JSON declares, and the least that each can be.
_SIZES = {"n_nodes": 1, "n_outputs": 1, "n_set_levels": 0}


def nodes_record(structure: TreeStructure) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the tree in JSON, and its arrays as members of the file."""
    grown = structure.grown
    record = {
        "splits_unknown": bool(structure.splits_unknown),
        "n_nodes": structure.n_nodes,
        "n_outputs": int(grown.value.shape[1]),
        "n_set_levels": len(grown.set_levels),
    }
    return record, written_arrays("tree", vars(grown), ARRAYS)


def nodes_of_record(
    record: Any, members: ArrayMembers, schema: InputSchema, is_classifier: bool
) -> TreeStructure:
    """The tree, checked."""
    if type(record) is not dict or set(record) != {"splits_unknown", *_SIZES}:
        raise damaged("the tree is not described as it should be", short(record))
    sizes = checked_sizes({name: record[name] for name in _SIZES}, _SIZES, "the tree")
    if type(record["splits_unknown"]) is not bool:
        raise damaged("splits_unknown is neither true nor false", short(record["splits_unknown"]))
    arrays: dict[str, Any] = read_arrays("tree", ARRAYS, sizes, members)
    grown = GrownTree(**arrays)
    check_tree(grown, schema, is_classifier)
    return TreeStructure(grown, record["splits_unknown"])
