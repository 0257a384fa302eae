"""The sweep of a tree: rows go once down each tree that was grown, whatever was cut from it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heldout import native
from heldout.arrays import Floats
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.prediction_inputs import PredictionInputs
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.class_shares import at_most_one
from heldout.learners.sweep import Sweep, refuse_regression
from heldout.learners.trees.growth import stop_at
from heldout.learners.trees.pruned_trees import PrunedTree, entering_key, prune_trees
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_walk import (
    ends_in,
    near_ties,
    predict_by_schema,
    predict_parts,
    split_rows,
    unknown_columns,
)
from heldout.types import TableLike, Validation

if TYPE_CHECKING:
    from heldout.learners.trees.tree_base import TreeBase

# Where a hundred thousand nodes stop under so many cuts takes some 100 MB.
CUTS_AT_ONCE = 64
ENTERED = (
    "n_features_in_",
    "feature_names_in_",
    "classes_",
    "n_classes_",
    "class_weights_",
    "class_shares_",
    "class_factors_",
)


class _Methods(NamedTuple):
    """The methods of a learner by which its nodes predict.

    of_node:  the predictions of nodes
    in_parts: what each node adds to the sum of a row in parts
    of_parts: the predictions from these sums; None for probabilities, which are the sums
    """

    of_node: str
    in_parts: str
    of_parts: str | None


class TreeSweep(Sweep):
    """The settings of a tree. Trees are cut when they are asked for.

    settings: the settings in order
    learners: one tree for each of them, which knows its columns and classes but not its nodes
    trees:    the nodes of each
    """

    def __init__(
        self, settings: list[dict[str, Any]], learners: Sequence[TreeBase], trees: Sequence[PrunedTree]
    ) -> None:
        super().__init__(settings)
        self._learners = learners
        self._trees = trees

    def model(self, i: int) -> Any:
        """The tree that `fit` would have made with the setting `settings[i]`."""
        index = self._index(i)
        learner = self._learners[index]
        if not learner.__sklearn_is_fitted__():
            learner._remember(self._trees[index])
        return learner

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        return self._predict(X, _Methods("_labels", "_in_parts", "_labels_of_parts"))

    def predict_proba(self, X: TableLike) -> Floats:
        """The probabilities by all settings: setting × row of X × class."""
        refuse_regression(self._learners[0]._is_regression)
        return self._predict(X, _Methods("_probabilities", "_probabilities", None))

    def _predict(self, X: TableLike, methods: _Methods) -> NDArray[Any]:
        """What each setting says of every row."""
        schemas = [tree.schema for tree in self._trees]
        return np.stack(
            predict_by_schema(
                self._learners,
                schemas,
                X,
                lambda indices: partial(self._predict_block, indices, schemas[indices[0]], methods),
            )
        )

    def _predict_block(
        self, indices: Sequence[int], schema: InputSchema, methods: _Methods, inputs: PredictionInputs
    ) -> dict[int, NDArray[Any]]:
        """What each of the settings predicts for the rows of a block."""
        found: dict[int, NDArray[Any]] = {}
        n_threads, is_unknown = self._learners[indices[0]]._n_threads, unknown_columns(inputs, schema)
        for base, alike in _by_base(self._trees, indices):
            leader = self._learners[alike[0][0]]  # settings of one base weigh and smooth alike
            at_node = getattr(leader, methods.of_node)(base.value)
            ends = ends_in(base, schema, inputs, n_threads)
            is_complete = not is_unknown[base.feature[base.feature >= 0]].any()
            for begin in range(0, len(alike), CUTS_AT_ONCE):
                some = alike[begin : begin + CUTS_AT_ONCE]
                stops = stop_at(base.parent, np.array([_cut_mask(self._trees[twins[0]]) for twins in some]))
                for twins, stop in zip(some, stops, strict=True):
                    predicted = at_node.take(stop, axis=0).take(ends, axis=0)
                    if not is_complete:
                        self._predict_split_rows(twins[0], inputs, predicted, methods)
                    found |= dict.fromkeys(twins, predicted)
        return found

    def _predict_split_rows(
        self,
        index: int,
        inputs: PredictionInputs,
        predicted: NDArray[Any],
        methods: _Methods,
    ) -> None:
        """Rows with missing values that were split go down the cut tree itself."""
        tree, learner = self._trees[index], self._learners[index]
        if not tree.splits_unknown:
            return
        structure: TreeStructure = self.model(index).tree_
        is_doubtful = near_ties(learner, structure)
        rows = split_rows(structure, tree.schema, inputs, learner._n_threads, is_doubtful)
        if len(rows):
            in_parts = getattr(learner, methods.in_parts)(structure.grown.value)
            parts = predict_parts(learner, structure, tree.schema, inputs.take(rows), in_parts)
            of_parts = at_most_one if methods.of_parts is None else getattr(learner, methods.of_parts)
            predicted[rows] = of_parts(parts)


def tree_sweep(
    settings: list[dict[str, Any]],
    learners: Sequence[TreeBase],
    entered: Mapping[Hashable, tuple[Any, TrainingRows]],
    validation: Validation,
) -> TreeSweep:
    """Grow, cut and prune what the settings ask for.

    learners: one tree for each setting
    entered:  for each way in which X and y enter, a learner that knows them, and the rows
    """
    trees: dict[int, PrunedTree] = {}
    for key, (leader, rows) in entered.items():
        indices = [index for index, learner in enumerate(learners) if entering_key(learner) == key]
        for index in indices:
            known = {name: value for name, value in vars(leader).items() if name in ENTERED}
            learners[index].__dict__.update(known)
        grown = prune_trees([learners[index] for index in indices], rows, validation)
        trees |= dict(zip(indices, grown, strict=True))
    return TreeSweep(settings, learners, [trees[index] for index in range(len(learners))])


def _by_base(
    trees: Sequence[PrunedTree], indices: Sequence[int]
) -> list[tuple[native.GrownTree, list[list[int]]]]:
    """The grown trees, and for each the settings that were cut from it: those of equal cuts together."""
    bases: dict[int, tuple[native.GrownTree, dict[bytes, list[int]]]] = {}
    for index in indices:
        tree = trees[index]
        _, cuts = bases.setdefault(id(tree.base), (tree.base, {}))
        cuts.setdefault(b"" if tree.is_cut is None else tree.is_cut.tobytes(), []).append(index)
    return [(base, list(cuts.values())) for base, cuts in bases.values()]


def _cut_mask(tree: PrunedTree) -> NDArray[np.bool_]:
    return np.zeros(len(tree.base.feature), dtype=np.bool_) if tree.is_cut is None else tree.is_cut
