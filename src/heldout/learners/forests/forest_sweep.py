"""The sweep of a forest: the largest is grown, and smaller ones are its first trees, or their tops."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.inputs.prediction_inputs import PredictionInputs
from heldout.learners.forests.forest_arrays import first_trees
from heldout.learners.forests.forest_options import forest_options
from heldout.learners.forests.forest_rows import EnteredRows, ForestRows, forest_rows
from heldout.learners.forests.out_of_bag import refuse_full_bags
from heldout.learners.parameters import seed_of
from heldout.learners.sweep import Sweep, refuse_regression
from heldout.learners.trees.pruned_trees import hashable
from heldout.learners.trees.tree_sweep import ENTERED
from heldout.learners.trees.tree_walk import predict_by_schema
from heldout.native import forests
from heldout.native.forests import ForestOptions, GrownForest
from heldout.types import TableLike

if TYPE_CHECKING:
    from heldout.learners.forests.forest_base import ForestBase


@dataclass(frozen=True, eq=False)
class SharedForest:
    """A forest that was grown for several settings.

    training: what it grew from
    options: how it grew, without limits that a setting does not have
    grown:   all trees that any of the settings wants
    """

    training: ForestRows
    options: ForestOptions
    grown: GrownForest

    def tops(self, max_depth: int) -> GrownForest:
        """The forest with another limit of depth; -1 is none."""
        is_whole = max_depth == self.options.max_depth
        return self.grown if is_whole else forests.cut_forest(self.grown, max_depth)


class ForestSweep(Sweep):
    """The settings of a forest. Forests are cut when they are asked for.

    settings: the settings in order
    learners: one forest for each of them, which knows its columns and classes but not its trees
    options:  how each of them grows
    shared:   the forest of which each is a part
    X:        the training rows, for out-of-bag scores
    """

    def __init__(
        self,
        settings: list[dict[str, Any]],
        learners: Sequence[ForestBase],
        options: Sequence[ForestOptions],
        shared: Sequence[SharedForest],
        X: TableLike,
    ) -> None:
        super().__init__(settings)
        self._learners = learners
        self._options = options
        self._shared = shared
        self._X = X

    def model(self, i: int) -> Any:
        """The forest that `fit` would have made with the setting `settings[i]`."""
        index = self._index(i)
        learner, options, shared = self._learners[index], self._options[index], self._shared[index]
        if not learner.__sklearn_is_fitted__():
            part = replace(shared, grown=first_trees(shared.grown, int(learner.n_trees)))
            learner._remember(shared.training, options, part.tops(options.max_depth))
            learner._judge(self._X, shared.training)
        return learner

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        pairs = zip(self._learners, self._combined(X), strict=True)
        return np.stack([learner._labels(each, int(learner.n_trees)) for learner, each in pairs])

    def predict_proba(self, X: TableLike) -> Floats:
        """The probabilities by all settings: setting × row of X × class."""
        refuse_regression(self._learners[0]._is_regression)
        pairs = zip(self._learners, self._combined(X), strict=True)
        return np.stack([learner._probabilities(each, int(learner.n_trees)) for learner, each in pairs])

    def _combined(self, X: TableLike) -> list[Floats]:
        """What the trees of each setting predict together."""
        return predict_by_schema(
            self._learners,
            [shared.training.schema for shared in self._shared],
            X,
            lambda indices: partial(self._predict_block, self._predicting_alike(indices)),
        )

    def _predicting_alike(self, indices: Sequence[int]) -> list[tuple[GrownForest, list[int]]]:
        """Settings of which one forest predicts for all: they differ in the number of trees only."""
        groups: dict[Hashable, list[int]] = {}
        for index in indices:
            key = id(self._shared[index]), self._options[index].max_depth, self._learners[index]._is_vote
            groups.setdefault(key, []).append(index)
        return [
            (self._shared[alike[0]].tops(self._options[alike[0]].max_depth), alike)
            for alike in groups.values()
        ]

    def _predict_block(
        self, groups: list[tuple[GrownForest, list[int]]], inputs: PredictionInputs
    ) -> dict[int, Floats]:
        """What each of the settings predicts for the rows of a block; they go once down each tree."""
        found: dict[int, Floats] = {}
        for forest, indices in groups:
            learner = self._learners[indices[0]]
            prefixes = sorted({int(self._learners[index].n_trees) for index in indices})
            combined = forests.predict_forest(
                forest,
                inputs.numbers,
                self._shared[indices[0]].training.schema.number_of,
                inputs.levels,
                prefixes,
                learner._is_vote,
                learner._is_regression,
                learner._n_threads,
            )
            by_size = dict(zip(prefixes, combined, strict=True))
            found |= {index: by_size[int(self._learners[index].n_trees)] for index in indices}
        return found


def forest_entering_key(learner: ForestBase) -> Hashable:
    """Equal for forests whose X and y enter alike; of class weights only a weight of 0 matters to trees."""
    weights = getattr(learner, "class_weight", None)
    given = weights.items() if isinstance(weights, dict) else ()
    left_out = [name for name, weight in given if isinstance(weight, Real) and weight == 0]
    return hashable(learner.categorical), tuple(sorted(map(repr, left_out)))


def forest_sweep(
    settings: list[dict[str, Any]],
    learners: Sequence[ForestBase],
    entered: Mapping[Hashable, tuple[Any, EnteredRows]],
    X: TableLike,
) -> ForestSweep:
    """Grow what the settings ask for, and nothing twice.

    learners: one forest for each setting
    entered:  for each way in which X and y enter, a learner that knows them, and the rows
    X:        the training rows as they were given
    """
    trainings: dict[Hashable, ForestRows] = {}
    families: dict[tuple[Hashable, ForestOptions], list[int]] = {}
    entering: Hashable
    options: list[ForestOptions] = []
    for index, learner in enumerate(learners):
        leader, rows = entered[forest_entering_key(learner)]
        learner.__dict__.update({name: value for name, value in vars(leader).items() if name in ENTERED})
        if rows.labels is not None:
            learner._weigh_classes(rows.labels, rows.rows.classes)
        entering = forest_entering_key(learner), learner.missing
        if entering not in trainings:
            trainings[entering] = forest_rows(rows, learner.missing)
        training = trainings[entering]
        options.append(forest_options(learner, training, seed_of(learner.random_state), learner._n_threads))
        if learner.oob_score:
            refuse_full_bags(learner, options[-1].bagging, training.rows.n_rows, "out-of-bag score")
        family = entering, replace(options[-1], max_depth=-1, min_leaf=1.0, n_threads=1)
        families.setdefault(family, []).append(index)
    shared: dict[int, SharedForest] = {}
    for (entering, _), indices in families.items():
        requested = {index: (options[index], int(learners[index].n_trees)) for index in indices}
        shared |= _shared_forests(trainings[entering], requested)
    return ForestSweep(settings, learners, options, [shared[index] for index in range(len(learners))], X)


def _shared_forests(
    training: ForestRows, requested: Mapping[int, tuple[ForestOptions, int]]
) -> dict[int, SharedForest]:
    """The forest of which each index has a part; they differ in `min_leaf`, depth and number of trees.

    asked: for each index how it grows, and how many trees it has
    """
    by_leaf: dict[float, list[int]] = {}
    for index, (options, _) in requested.items():
        by_leaf.setdefault(options.min_leaf, []).append(index)
    together: dict[tuple[int, int], list[float]] = {}
    for min_leaf, indices in by_leaf.items():
        depths = [requested[index][0].max_depth for index in indices]
        loosest = -1 if min(depths) < 0 else max(depths)
        together.setdefault((loosest, max(requested[index][1] for index in indices)), []).append(min_leaf)
    shared: dict[int, SharedForest] = {}
    for (max_depth, n_trees), min_leafs in together.items():
        options = replace(requested[by_leaf[min_leafs[0]][0]][0], max_depth=max_depth)
        for min_leaf, grown in zip(
            min_leafs, training.grown_together(options, 0, n_trees, min_leafs), strict=True
        ):
            of_leaf = SharedForest(training, replace(options, min_leaf=min_leaf), grown)
            shared |= dict.fromkeys(by_leaf[min_leaf], of_leaf)
    return shared
