"""What every export needs of a fitted model: its columns, its classes, and what it predicts where."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.class_shares import first_largest, shares_of
from heldout.learners.forests.forest_arrays import tree_of_forest
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.rule import Rule
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
from heldout.native.forests import GrownForest

Label = str | int | float | bool


def plain_labels(classes: NDArray[Any], caller: str) -> tuple[Label, ...]:
    """The classes as str, int, float or bool."""
    labels = classes.tolist()
    for label in labels:
        is_plain = type(label) in (str, int, bool) or (type(label) is float and math.isfinite(label))
        if not is_plain:
            raise RequestError(
                "a class is neither text nor a finite number",
                where=f"{caller}: {label!r:.60} of type {type(label).__name__}",
                fix="fit on classes that are strings, whole numbers, floats or booleans",
            )
    return tuple(labels)


@dataclass(frozen=True, eq=False)
class TreeAnswers:
    """A fitted tree, and its classes as plain values.

    learner:   the name of the learner's class
    structure: the nodes
    schema:    the columns
    labels:    the classes as str, int, float or bool; None for a regression
    is_named:  whether the columns have names of the user's
    numbers:   per node the probabilities of the classes, or the mean
    shares:    per node the shares of the classes with their weights, whose sum decides on a row in parts;
               None for a regression
    """

    learner: str
    structure: TreeStructure
    schema: InputSchema
    labels: tuple[Label, ...] | None
    is_named: bool
    numbers: NDArray[np.float64]
    shares: NDArray[np.float64] | None = None

    @cached_property
    def best(self) -> list[int]:
        """Per node the position of the class with the most weight, the first of equals."""
        return [int(place) for place in self.structure.grown.value.argmax(axis=1)]

    @cached_property
    def answers_by_itself(self) -> NDArray[np.bool_]:
        """The nodes whose class is another than a sum of parts would give, see `tree_walk`."""
        assert self.shares is not None
        return np.asarray(first_largest(self.shares) != np.array(self.best))

    @cached_property
    def decides_apart(self) -> bool:
        """Whether rows in parts are decided by other sums than those of their probabilities."""
        return self.splits_rows and self.shares is not None and not np.array_equal(self.shares, self.numbers)

    @cached_property
    def used(self) -> list[int]:
        """The positions of the columns that the tree asks for."""
        feature = self.structure.grown.feature
        return [int(position) for position in np.unique(feature[feature >= 0])]

    @cached_property
    def splits_rows(self) -> bool:
        """Whether some row is split: unknown values go down every branch, and a column has no fill."""
        return self.structure.splits_unknown and any(
            self.schema.columns[position].fill is None for position in self.used
        )

    def column(self, node: int) -> InputColumn:
        return self.schema.columns[int(self.structure.grown.feature[node])]

    def unknown_goes(self, node: int) -> int | None:
        """Where a row goes whose value is unknown: a child, the node itself, or None for every child."""
        column = self.column(node)
        if column.fill is not None:
            return self.known_goes(node, column.fill)
        return None if self.structure.splits_unknown else int(self.structure.grown.default_child[node])

    def known_goes(self, node: int, value: float) -> int:
        """The child for a number or the position of a level; the node itself where no child has it."""
        grown = self.structure.grown
        first, kind = int(grown.first_child[node]), int(grown.split_kind[node])
        if kind == THRESHOLD:
            return first + int(value > float(grown.threshold[node]))
        if kind == LEVEL_SET:
            return first + int(int(value) not in self.structure.levels_in_set(node))
        assert kind == MULTIWAY
        return next(
            (child for child in self.structure.children(node) if int(grown.branch_level[child]) == value),
            node,
        )

    def is_leaf(self, node: int) -> bool:
        return int(self.structure.grown.split_kind[node]) == LEAF


def tree_answers(model: TreeClassifier | TreeRegressor, caller: str) -> TreeAnswers:
    """What a fitted tree answers.

    caller: what was called, for the error
    """
    labels, numbers, shares = None, model.tree_.grown.value, None
    if isinstance(model, TreeClassifier):
        labels, shares = plain_labels(model.classes_, caller), shares_of(numbers)
        numbers = model._probabilities(numbers)
    return TreeAnswers(
        learner=type(model).__name__,
        structure=model.tree_,
        schema=model.inputs_,
        labels=labels,
        is_named=hasattr(model, "feature_names_in_"),
        numbers=numbers,
        shares=shares,
    )


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


@dataclass(frozen=True, eq=False)
class RuleAnswers:
    """A fitted list of rules, and its classes as plain values.

    learner: the name of the learner's class
    rules:   from the top; the last one is for the rows that meet none of the others
    schema:  the columns
    labels:  the classes as str, int, float or bool
    """

    learner: str
    rules: tuple[Rule, ...]
    schema: InputSchema
    labels: tuple[Label, ...]

    @property
    def conditions(self) -> list[tuple[Condition, ...]]:
        """What each rule asks, but for the last one, which asks nothing."""
        return [rule.conditions for rule in self.rules[:-1]]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Per rule the shares of the classes."""
        return np.stack([rule.distribution for rule in self.rules])

    @cached_property
    def best(self) -> list[int]:
        """Per rule the position of the class that it answers."""
        return [self.labels.index(rule.answer) for rule in self.rules]

    @cached_property
    def used(self) -> list[int]:
        """The positions of the columns that some rule asks for."""
        return sorted({condition.position for rule in self.rules for condition in rule.conditions})


def rule_answers(model: RuleClassifier, caller: str) -> RuleAnswers:
    """What a fitted list of rules answers.

    caller: what was called, for the error
    """
    return RuleAnswers(
        learner=type(model).__name__,
        rules=(*model.rules_, model.default_rule_),
        schema=model.inputs_,
        labels=plain_labels(model.classes_, caller),
    )


@dataclass(frozen=True, eq=False)
class LinearAnswers:
    """Weighted sums of the columns, and the classes as plain values.

    learner:    the name of the learner's class
    schema:     the columns
    labels:     the classes; None for a regression
    weights:    function × column: of a regression and of two classes one function, else one for each class
    intercepts: one for each function; a sum begins with it, and adds the columns in their order
    """

    learner: str
    schema: InputSchema
    labels: tuple[Label, ...] | None
    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]


def linear_answers(model: Any, caller: str) -> LinearAnswers:
    """What a fitted LinearRegressor, RidgeRegressor or Perceptron answers.

    caller: what was called, for the error
    """
    if hasattr(model, "updates_"):
        raise RequestError(
            "a voted perceptron has no single row of weights that could be exported",
            where=f"{caller}: {model.n_mistakes_:,} rows of weights vote",
            fix='fit variant="averaged", whose weights are the mean of them, or keep it with ho.save',
        )
    return LinearAnswers(
        learner=type(model).__name__,
        schema=model.inputs_,
        labels=plain_labels(model.classes_, caller) if hasattr(model, "classes_") else None,
        weights=np.atleast_2d(model.coef_),
        intercepts=np.atleast_1d(model.intercept_),
    )


@dataclass(frozen=True)
class BaselineAnswers:
    """What a baseline answers.

    answer: the class, or the number
    labels: the classes; None for a regression
    shares: the probability of each
    """

    learner: str
    schema: InputSchema
    answer: Label
    labels: tuple[Label, ...] | None
    shares: tuple[float, ...]


def baseline_answers(model: Any, caller: str) -> BaselineAnswers:
    """What a fitted BaselineClassifier or BaselineRegressor answers.

    caller: what was called, for the error
    """
    learner, schema = type(model).__name__, model.inputs_
    if not hasattr(model, "classes_"):
        return BaselineAnswers(learner, schema, float(model.constant_), None, ())
    labels, prior = plain_labels(model.classes_, caller), model.class_prior_
    best = int(prior.argmax())
    shares = np.eye(len(prior))[best] if model.strategy == "majority" else prior
    return BaselineAnswers(learner, schema, labels[best], labels, tuple(shares.tolist()))
