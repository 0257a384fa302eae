"""What every export needs of a fitted model: its columns, its classes, and what it predicts where."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.class_shares import first_largest, shares_of
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.forests.forest_arrays import tree_of_forest
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.rules.condition import Condition
from heldout.learners.rules.rule import Rule
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
from heldout.native.forests import GrownForest

Label = str | int | float | bool


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedModel:
    """What the exports of all models share."""

    learner: str  # the name of its class
    schema: InputSchema  # the columns
    labels: tuple[Label, ...] | None  # the classes as plain values; None for a regression

    @property
    def n_outputs(self) -> int:
        """One probability for each class, or the one number of a regression."""
        return 1 if self.labels is None else len(self.labels)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedTree(ExportedModel):
    """A fitted tree.

    A row whose value is missing may be split among the branches of a node: it is then a row in parts, whose
    class is decided by sums of `shares`, and whose probabilities are sums of `outputs`.
    """

    structure: TreeStructure
    is_named: bool  # whether the columns have names that the user gave
    outputs: NDArray[np.float64]  # by node: the probabilities of the classes, or the mean
    shares: NDArray[np.float64] | None = None  # by node: the shares of the classes with their weights

    @cached_property
    def best(self) -> list[int]:
        """By node the position of the class with the most weight, the first of equals."""
        return [int(position) for position in self.structure.grown.value.argmax(axis=1)]

    @cached_property
    def decides_alone(self) -> NDArray[np.bool_]:
        """The nodes whose class is another than a sum of parts would give, see `tree_walk`."""
        assert self.shares is not None
        return np.asarray(first_largest(self.shares) != np.array(self.best))

    @cached_property
    def decides_by_shares(self) -> bool:
        """Whether rows in parts are decided by other sums than those of their probabilities."""
        return self.splits_rows and self.shares is not None and not np.array_equal(self.shares, self.outputs)

    @cached_property
    def used(self) -> list[int]:
        """The positions of the columns that some split is on."""
        return _used_columns(self.structure.grown.feature)

    @cached_property
    def splits_rows(self) -> bool:
        """Whether some row is split: missing values go down every branch, and a column has no fill."""
        return self.structure.splits_unknown and any(
            self.schema.columns[position].fill is None for position in self.used
        )

    def column(self, node: int) -> InputColumn:
        return self.schema.columns[int(self.structure.grown.feature[node])]

    def missing_child(self, node: int) -> int | None:
        """Where a row goes whose value is missing: a child, the node itself, or None for every child."""
        column = self.column(node)
        if column.fill is not None:
            return self.child(node, column.fill)
        return None if self.structure.splits_unknown else int(self.structure.grown.default_child[node])

    def child(self, node: int, value: float) -> int:
        """The child for a number or the position of a level; the node itself where no child has it."""
        grown = self.structure.grown
        first, kind = int(grown.first_child[node]), int(grown.split_kind[node])
        if kind == THRESHOLD:
            return first + int(value > float(grown.threshold[node]))
        if kind == LEVEL_SET:
            return first + int(int(value) not in self.structure.levels_in_set(node))
        assert kind == MULTIWAY
        children = self.structure.children(node)
        return next((child for child in children if int(grown.branch_level[child]) == value), node)

    def is_leaf(self, node: int) -> bool:
        return int(self.structure.grown.split_kind[node]) == LEAF


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedForest(ExportedModel):
    """A fitted forest."""

    forest: GrownForest  # the nodes of all trees
    is_vote: bool  # whether each tree gives its class one vote, and not its shares
    is_named: bool  # whether the columns have names that the user gave
    shares: tuple[float, ...] | None = None  # of the classes in the training rows
    weights: tuple[float, ...] | None = None  # by class, a factor for the decision; None where all are 1
    smoothing: float = 0.0  # how many imaginary trees know nothing but the shares
    factors: tuple[float, ...] | None = None  # of the smoothed shares, for probabilities; None where 1

    @property
    def used(self) -> list[int]:
        """The positions of the columns that some split is on."""
        return _used_columns(self.forest.feature)

    def trees(self) -> Iterator[ExportedTree]:
        """The trees in their order."""
        for tree in range(self.forest.n_trees):
            structure = TreeStructure(tree_of_forest(self.forest, tree))
            value = structure.grown.value
            yield ExportedTree(
                learner=self.learner,
                schema=self.schema,
                labels=self.labels,
                structure=structure,
                is_named=self.is_named,
                outputs=value if self.labels is None else shares_of(value),
            )

    def tree_outputs(self, tree: ExportedTree) -> NDArray[np.float64]:
        """Node × output: what the tree adds to the sums of the forest."""
        if self.is_vote and self.labels is not None:
            return np.eye(len(self.labels))[tree.best]
        return tree.outputs


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedRules(ExportedModel):
    """A fitted list of rules; it has classes."""

    labels: tuple[Label, ...]
    rules: tuple[Rule, ...]  # from the top; the last is for the rows that meet none of the others

    @property
    def conditions(self) -> list[tuple[Condition, ...]]:
        """What each rule requires, but for the last one, which requires nothing."""
        return [rule.conditions for rule in self.rules[:-1]]

    @cached_property
    def outputs(self) -> NDArray[np.float64]:
        """By rule the shares of the classes."""
        return np.stack([rule.distribution for rule in self.rules])

    @cached_property
    def best(self) -> list[int]:
        """By rule the position of the class that it predicts."""
        return [self.labels.index(rule.prediction) for rule in self.rules]

    @cached_property
    def used(self) -> list[int]:
        """The positions of the columns that some condition is on."""
        return sorted({condition.position for rule in self.rules for condition in rule.conditions})


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedLinear(ExportedModel):
    """Weighted sums of the columns: one for a regression and for two classes, else one for each class."""

    weights: NDArray[np.float64]  # function × column
    intercepts: NDArray[np.float64]  # a sum begins with it, and adds the columns in their order


@dataclass(frozen=True, eq=False, kw_only=True)
class ExportedBaseline(ExportedModel):
    """The one prediction for all rows, and of classes their probabilities."""

    prediction: Label
    probabilities: tuple[float, ...]


def export_tree(model: TreeClassifier | TreeRegressor, caller: str) -> ExportedTree:
    """What exports need of a fitted tree."""
    labels, outputs, shares = None, model.tree_.grown.value, None
    if isinstance(model, TreeClassifier):
        labels, shares = plain_labels(model.classes_, caller), shares_of(outputs)
        outputs = model._probabilities(outputs)
    return ExportedTree(
        learner=type(model).__name__,
        schema=model.inputs_,
        labels=labels,
        structure=model.tree_,
        is_named=hasattr(model, "feature_names_in_"),
        outputs=outputs,
        shares=shares,
    )


def export_forest(model: ForestClassifier | ForestRegressor, caller: str) -> ExportedForest:
    """What exports need of a fitted forest."""
    of_classes: dict[str, Any] = {}
    if isinstance(model, ForestClassifier):
        of_classes = {
            "shares": tuple(model.class_shares_.tolist()),
            "weights": _unless_ones(model.class_weights_),
            "factors": _unless_ones(model.class_factors_),
            "smoothing": float(model.smoothing),
        }
    return ExportedForest(
        **of_classes,
        **_shared(model, caller),
        forest=model.forest_,
        is_vote=getattr(model, "combine", "average") == "vote",
        is_named=hasattr(model, "feature_names_in_"),
    )


def export_rules(model: RuleClassifier, caller: str) -> ExportedRules:
    """What exports need of a fitted list of rules."""
    return ExportedRules(**_shared(model, caller), rules=(*model.rules_, model.default_rule_))


def export_linear(model: LinearRegressor | RidgeRegressor | Perceptron, caller: str) -> ExportedLinear:
    """What exports need of a fitted linear model."""
    if isinstance(model, Perceptron) and hasattr(model, "updates_"):
        raise RequestError(
            "a voted perceptron has no single row of weights that could be exported",
            where=f"{caller}: {model.n_mistakes_:,} rows of weights vote",
            fix='fit variant="averaged", whose weights are the mean of them, or keep it with ho.save',
        )
    return ExportedLinear(
        **_shared(model, caller),
        weights=np.atleast_2d(model.coef_),
        intercepts=np.atleast_1d(model.intercept_),
    )


def export_baseline(model: BaselineClassifier | BaselineRegressor, caller: str) -> ExportedBaseline:
    """What exports need of a fitted baseline."""
    shared = _shared(model, caller)
    if isinstance(model, BaselineRegressor):
        return ExportedBaseline(**shared, prediction=float(model.constant_), probabilities=())
    prior = model.class_prior_
    best = int(prior.argmax())
    shares = np.eye(len(prior))[best] if model.strategy == "majority" else prior
    return ExportedBaseline(**shared, prediction=shared["labels"][best], probabilities=tuple(shares.tolist()))


def _shared(model: BaseEstimator, caller: str) -> dict[str, Any]:
    """The fields of every exported model."""
    labels = plain_labels(model.classes_, caller) if hasattr(model, "classes_") else None
    return {"learner": type(model).__name__, "schema": model.inputs_, "labels": labels}


def _used_columns(feature: NDArray[np.int32]) -> list[int]:
    return [int(position) for position in np.unique(feature[feature >= 0])]


def plain_labels(classes: NDArray[Any], caller: str) -> tuple[Label, ...]:
    """The classes as str, int, float or bool; an error names the caller."""
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


def _unless_ones(per_class: NDArray[np.float64]) -> tuple[float, ...] | None:
    return None if (per_class == 1.0).all() else tuple(per_class.tolist())
