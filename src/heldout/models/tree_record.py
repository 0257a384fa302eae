"""The nodes of a tree as arrays of a model file, and back."""

from __future__ import annotations

from typing import Any

from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.models.check_tree import check_tree
from heldout.models.damaged_file import damaged, short
from heldout.models.model_archive import npy_array, npy_bytes
from heldout.native import GrownTree

MOST_NODES = 2**31 - 1

# Every array of a tree and its type; all have one entry per node but the last two.
ARRAYS = {
    "feature": "<i4",
    "split_kind": "|u1",
    "threshold": "<f8",
    "gap_below": "<f8",
    "gap_above": "<f8",
    "first_child": "<i4",
    "n_children": "<i4",
    "default_child": "<i4",
    "branch_level": "<i4",
    "set_begin": "<i4",
    "set_end": "<i4",
    "parent": "<i4",
    "n_rows": "<i8",
    "weight": "<f8",
    "impurity": "<f8",
    "gain": "<f8",
    "set_levels": "<i4",
    "value": "<f8",
}


def tree_record(structure: TreeStructure) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of the tree in JSON, and its arrays as members of the file."""
    grown = structure.grown
    record = {
        "splits_unknown": bool(structure.splits_unknown),
        "n_nodes": structure.n_nodes,
        "n_outputs": int(grown.value.shape[1]),
        "n_set_levels": len(grown.set_levels),
    }
    members = {member(name): npy_bytes(getattr(grown, name), dtype) for name, dtype in ARRAYS.items()}
    return record, members


def member(name: str) -> str:
    """Where an array stands in the file."""
    return f"tree/{name}.npy"


def tree_of_record(
    record: Any, members: dict[str, bytes], schema: InputSchema, is_classifier: bool
) -> TreeStructure:
    """The tree, checked."""
    if type(record) is not dict or set(record) != {"splits_unknown", "n_nodes", "n_outputs", "n_set_levels"}:
        raise damaged("the tree is not described as it should be", short(record))
    sizes = [record["n_nodes"], record["n_outputs"], record["n_set_levels"]]
    if not all(type(size) is int and 0 <= size <= MOST_NODES for size in sizes) or min(sizes[:2]) < 1:
        raise damaged("the tree has an impossible size", f"nodes, outputs, levels in sets: {sizes}")
    if type(record["splits_unknown"]) is not bool:
        raise damaged("splits_unknown is neither true nor false", short(record["splits_unknown"]))
    n_nodes, n_outputs, n_set_levels = sizes
    shapes = {"set_levels": (n_set_levels,), "value": (n_nodes, n_outputs)}
    arrays: dict[str, Any] = {
        name: npy_array(members[member(name)], dtype, shapes.get(name, (n_nodes,)), member(name))
        for name, dtype in ARRAYS.items()
    }
    grown = GrownTree(**arrays)
    check_tree(grown, schema, is_classifier)
    return TreeStructure(grown, record["splits_unknown"])
