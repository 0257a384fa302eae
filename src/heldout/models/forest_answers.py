"""What every export needs of a forest: its trees one by one, and how they answer together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.learners.class_shares import shares_of
from heldout.learners.forests.forest_arrays import tree_of_forest
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.models.tree_answers import Label, TreeAnswers, plain_labels
from heldout.native.forests import GrownForest


@dataclass(frozen=True, eq=False)
class ForestAnswers:
    """A fitted forest, and its classes as plain values.

    learner:  the name of the learner's class
    forest:   the nodes of all trees
    schema:   the columns
    labels:   the classes; None for a regression
    is_vote:  whether each tree gives its class one vote, and not its shares
    is_named: whether the columns have names of the user's
    shares:   the share of each class in the training rows; None for a regression
    weights:  what the probability of each class is multiplied by for the decision; None where by 1
    smoothing: how many imaginary trees know nothing but the shares
    """

    learner: str
    forest: GrownForest
    schema: InputSchema
    labels: tuple[Label, ...] | None
    is_vote: bool
    is_named: bool
    shares: tuple[float, ...] | None = None
    weights: tuple[float, ...] | None = None
    smoothing: float = 0.0

    @property
    def used(self) -> list[int]:
        """The positions of the columns that some tree asks for."""
        feature = self.forest.feature
        return [int(position) for position in np.unique(feature[feature >= 0])]

    def trees(self) -> Iterator[TreeAnswers]:
        """The trees in their order."""
        for tree in range(self.forest.n_trees):
            structure = TreeStructure(tree_of_forest(self.forest, tree))
            value = structure.grown.value
            numbers = value if self.labels is None else shares_of(value)
            yield TreeAnswers(self.learner, structure, self.schema, self.labels, self.is_named, numbers)

    def numbers(self, tree: TreeAnswers) -> NDArray[np.float64]:
        """Node × output: what the tree adds to the answer of the forest."""
        if self.is_vote and self.labels is not None:
            return np.eye(len(self.labels))[tree.best]
        return tree.numbers


def forest_answers(model: Any, caller: str) -> ForestAnswers:
    """What a fitted ForestClassifier or ForestRegressor answers.

    caller: what was called, for the error
    """
    own: dict[str, Any] = {}
    if hasattr(model, "classes_"):
        is_weighted = bool((model.class_weights_ != 1.0).any())
        own = {
            "shares": tuple(model.class_shares_.tolist()),
            "weights": tuple(model.class_weights_.tolist()) if is_weighted else None,
            "smoothing": float(model.smoothing),
        }
    return ForestAnswers(
        **own,
        learner=type(model).__name__,
        forest=model.forest_,
        schema=model.inputs_,
        labels=plain_labels(model.classes_, caller) if hasattr(model, "classes_") else None,
        is_vote=getattr(model, "combine", "average") == "vote",
        is_named=hasattr(model, "feature_names_in_"),
    )
