"""What a model file holds of the branches of a tree: the tree, from which all conjunctions follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.errors import RequestError
from heldout.features.path_tree import branch_runs
from heldout.features.transformer import Transformer
from heldout.features.tree_paths import of_whole_table
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_structure import LEAF, TreeStructure
from heldout.models.model_archive import ArrayMembers, damaged, short
from heldout.models.records.learner_record import (
    LearnerRecord,
    encode_parameters,
    make_learner,
    read_fitted,
    write_fitted,
)
from heldout.models.records.transformer_record import TransformerRecord
from heldout.models.records.tree_record import TreeClassifierRecord, TreeRecord

FOLDER = "paths"
# Of so many conditions, and no more, conjunctions are made when a file is read.
MOST_CONDITIONS = 5_000_000
_TREES: dict[str, LearnerRecord[TreeBase]] = {
    "TreeClassifier": TreeClassifierRecord(TreeClassifier),
    "TreeRegressor": TreeRecord(TreeRegressor),
}


class TreePathsRecord(TransformerRecord):
    """A TreePaths: its fitted tree as it would stand alone, and the parameters of the requested one.

    A requested tree that happened to be fitted is kept without what it had learned, which nothing
    looks at.
    """

    shaped = frozenset({"tree_", "paths_"})
    parts = frozenset({"tree", "requested_tree"})
    shaped_parameters = frozenset({"tree"})

    def check_writable(self, model: Transformer) -> None:
        for tree in (model.tree_, model.tree):
            if tree is not None and (name := type(tree).__name__) not in _TREES:
                raise RequestError(
                    f"a model file cannot hold a {name}",
                    where="the tree of a TreePaths",
                    fix="hand over a TreeClassifier or a TreeRegressor itself, and fit again",
                )
        n_conditions = _n_conditions(model.tree_.tree_, model.length)
        if n_conditions > MOST_CONDITIONS:
            raise RequestError(
                f"the conjunctions have more than {MOST_CONDITIONS:,} conditions, the most for a model file",
                where=f"TreePaths(length={model.length!r}), {model.tree_.n_leaves_:,} leaves",
                fix="choose a smaller length, or a tree with fewer leaves",
            )

    def write_parts(self, model: Transformer) -> tuple[dict[str, Any], dict[str, bytes]]:
        record, members = write_fitted(_form_of(model.tree_), model.tree_)
        parts = {"tree": record, "requested_tree": _encode_requested(model.tree)}
        return parts, {f"{FOLDER}/{name}": content for name, content in members.items()}

    def read_parts(self, model: Transformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read_parts(model, parts, members)
        model.tree = _make_requested(parts["requested_tree"])
        record = parts["tree"]
        form = _TREES[_named_tree(record)]
        tree = read_fitted(form, record, members.take_folder(FOLDER))
        _check_columns(tree, model)
        length = None if model.length is None else int(model.length)
        if _n_conditions(tree.tree_, length) > MOST_CONDITIONS:
            raise damaged("the branches of the tree make too many conditions", f"length {short(length)}")
        runs = branch_runs(tree.tree_, tree.inputs_, length)
        model.tree_ = tree
        model.paths_ = of_whole_table(runs, model.inputs_, model.columns_)
        if not model.paths_ and not model.keep:
            raise damaged("the tree has no split, so no column would be left", "TreePaths(keep=False)")


def _form_of(tree: TreeBase) -> LearnerRecord[TreeBase]:
    return _TREES[type(tree).__name__]


def _named_tree(record: Any) -> str:
    name = record.get("learner") if type(record) is dict else None
    if type(name) is not str or name not in _TREES:
        raise damaged("the tree is not described as it should be", short(record))
    return name


def _encode_requested(tree: TreeBase | None) -> dict[str, Any] | None:
    if tree is None:
        return None
    return {
        "learner": type(tree).__name__,
        "parameters": encode_parameters(tree.get_params(deep=False)),
    }


def _make_requested(record: Any) -> TreeBase | None:
    if record is None:
        return None
    name = _named_tree(record)
    if set(record) != {"learner", "parameters"}:
        raise damaged("the requested tree has other parts than it should", short(record))
    return make_learner(_TREES[name], record["parameters"])


def _check_columns(tree: TreeBase, model: Transformer) -> None:
    """The tree was grown on the columns that are acted on."""
    acted = [model.inputs_.columns[position] for position in model.columns_.tolist()]
    has_names = hasattr(tree, "feature_names_in_")
    if len(tree.inputs_.columns) != len(acted) or (
        has_names and tree.inputs_.names != [column.name for column in acted]
    ):
        raise damaged("the tree has other columns than those that are acted on", f"{len(acted)} columns")


def _n_conditions(structure: TreeStructure, length: int | None) -> int:
    """How many branches all runs have together, at most."""
    depths = structure.depths.astype(np.int64)
    if length is None:
        return int(depths[structure.grown.split_kind == LEAF].sum())
    return int(np.minimum(depths, min(int(length), len(depths))).sum())
