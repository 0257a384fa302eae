"""What classification and regression trees share: growing, walking, and showing."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema, numbers_by_column
from heldout.inputs.training_inputs import TrainingRows
from heldout.learners.description_length import tree_bits
from heldout.learners.parameters import N_JOBS, Parameter, check_copies, check_parameters, refusal
from heldout.learners.pictures.tree_pictures import notebook_picture, picture_of_plane, picture_of_tree
from heldout.learners.pruning.cost_complexity import CostComplexityPath, path_of
from heldout.learners.pruning.set_aside import check_validation_classes
from heldout.learners.readable_learner import ReadableLearner, learner_copies
from heldout.learners.rules.tree_rules import TreeRules, tree_rules
from heldout.learners.sweep import Sweep, settings_of
from heldout.learners.trees.explanation import Explanation, explain_row
from heldout.learners.trees.prediction_costs import expected_cost, row_costs
from heldout.learners.trees.pruned_trees import (
    PrunedTree,
    check_validation,
    entering_key,
    prune_trees,
    refuse_unused,
    warn_of_unused,
)
from heldout.learners.trees.tree_structure import LEAF, TreeStructure
from heldout.learners.trees.tree_sweep import tree_sweep
from heldout.learners.trees.tree_text import tree_text
from heldout.learners.trees.tree_walk import ends_in, join_blocks, walked_blocks
from heldout.native.trees import GrowOptions
from heldout.types import ColumnChoice, PerRow, SettingsSpace, TableLike, Validation

SHOWN_DEPTH = Parameter("max_depth", choices=(None,), number="integer", lowest=0)

# What both trees have; each adds its criteria, prunings and ways with missing values.
TREE_PARAMETERS = (
    Parameter("categorical", choices=("auto",), types=(list, tuple, np.ndarray)),
    Parameter("categorical_splits", choices=("multiway", "subset", "one_vs_rest")),
    Parameter("max_depth", choices=(None,), number="integer", lowest=0),
    Parameter("min_leaf", number="number", lowest=0, is_above=True),
    Parameter("min_gain", choices=(None,), number="number"),
    Parameter("max_leaves", choices=(None,), number="integer", lowest=1),
    Parameter("prune_alpha", choices=("cv",), number="number", lowest=0),
    Parameter("prune_order", choices=("best_first", "bottom_up")),
    Parameter("prune_ties", choices=(True, False)),
    Parameter("validation_fraction", number="number", lowest=0, is_above=True, highest=1, is_below=True),
    Parameter("feature_costs", choices=(None,), types=(dict, list, tuple, np.ndarray)),
    Parameter("cost_rule", choices=("tan_schlimmer", "nunez")),
    Parameter("cost_exponent", number="number", lowest=0),
    Parameter("random_state", choices=(None,), number="integer", types=(np.random.RandomState,)),
    N_JOBS,
)


class TreeBase(ReadableLearner):
    """A tree that `fit` has grown, or that waits for it."""

    _parameters: ClassVar[tuple[Parameter, ...]]
    _is_regression: ClassVar[bool]
    _learned = "tree_"

    # Set by the constructors of the two trees.
    criterion: str
    categorical: Any
    categorical_splits: str
    missing: str
    max_depth: int | None
    min_leaf: float
    min_gain: float | None
    max_leaves: int | None
    prune: str | None
    prune_alpha: float | str
    prune_order: str
    prune_ties: bool
    validation_fraction: float
    feature_costs: Any
    cost_rule: str
    cost_exponent: float
    random_state: Any
    n_jobs: int | None

    # Set by fit.
    n_features_in_: int
    tree_: TreeStructure
    inputs_: InputSchema
    feature_costs_: NDArray[np.float64]
    n_values_: NDArray[np.int64]
    prune_alpha_: float

    def fit(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: PerRow = None,
        *,
        validation: Validation = None,
        groups: PerRow = None,
    ) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, an array or a sparse matrix; NaN is a missing value
        y
            one class, or one number, per row
        sample_weight
            how many rows each row stands for; rows of weight 0 are left out
        validation
            the X and y by which prune="reduced_error" prunes; None sets a part of X aside
        groups
            one group per row: rows of a group are set aside together or not at all
        """
        check_parameters(self, self._parameters)
        rows = self._rows(X, y, sample_weight, groups)
        check_validation([self], validation)
        if validation is not None:
            check_validation_classes(self, validation)
        warn_of_unused(self)
        self._remember(prune_trees([self], rows, validation)[0])
        return self

    def apply(self, X: TableLike) -> NDArray[np.int32]:
        """The node in which each row ends.

        That is a leaf, except where a row has a level that its node never saw: it stops there. Where
        missing="fractional" sends parts of a row down every branch, this follows the heaviest one.
        """
        tree, schema, threads = self._fitted().grown, self.inputs_, self._n_threads
        return join_blocks(
            [ends_in(tree, schema, inputs, threads) for inputs in walked_blocks(self, X, schema)]
        )

    def cost_complexity_path(
        self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None
    ) -> CostComplexityPath:
        """Every tree that pruning by cost and complexity can give, with the alpha from which on it does.

        The tree is grown with the parameters of this one; this one is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        """
        whole = clone(self).set_params(prune=None)
        check_parameters(whole, self._parameters)
        [pruned] = prune_trees([whole], whole._rows(X, y, sample_weight, None), None)
        return path_of(pruned.tree())

    def sweep(
        self,
        X: TableLike,
        y: ArrayLike,
        space: SettingsSpace,
        sample_weight: PerRow = None,
        *,
        validation: Validation = None,
        groups: PerRow = None,
    ) -> Sweep:
        """Fit many settings at once, from as few grown trees as can be; this tree is not changed.

        Each setting gives the tree that `fit` would give it.

        Parameters
        ----------
        X, y, sample_weight, validation, groups
            as for `fit`
        space
            parameters with lists of values, of which every combination is a setting, such as
            {"max_depth": [2, 4, None], "min_leaf": [1, 5]}; or a list of settings, each a dict
        """
        settings = settings_of(self, space)
        learners = learner_copies(self, settings)
        check_copies(learners, settings, self._parameters)
        refuse_unused(settings, [learner.prune for learner in learners])
        check_validation(learners, validation)
        entered: dict[Hashable, tuple[TreeBase, TrainingRows]] = {}
        for learner in learners:
            key = entering_key(learner)
            if key not in entered:
                entered[key] = learner, learner._rows(X, y, sample_weight, groups)
        if validation is not None:
            check_validation_classes(next(iter(entered.values()))[0], validation)
        return tree_sweep(settings, learners, entered, validation)

    def decision_path(self, X: TableLike) -> Any:
        """A sparse table of rows × nodes that marks the nodes on each row's way."""
        return self._fitted().paths(self.apply(X))

    def to_text(self, max_depth: int | None = 30) -> str:
        """The tree as text, in the original names, with counts at the leaves.

        Parameters
        ----------
        max_depth
            deeper parts are folded into one line, with 0 the whole tree; None shows everything, and every
            level of a group, of which else the first ten are named
        """
        if not SHOWN_DEPTH.allows(max_depth):
            raise refusal("to_text", SHOWN_DEPTH, max_depth)
        text = tree_text(self._fitted(), self.inputs_, self._leaf_text, max_depth)
        if self.feature_costs is None:
            return text
        return f"{text}\nexpected cost of a prediction: {self.expected_cost_:.6g}"

    def rules(self) -> TreeRules:
        """The rules that say exactly what the tree says, one for each way that a row can take."""
        self._fitted()
        return tree_rules(self)

    def explain(self, row: object) -> Explanation:
        """The way of one row through the tree, in words, and the prediction at its end.

        Parameters
        ----------
        row
            a dict or a series with the names of the columns (what they do not name is unknown), or a
            Table, frame or array of one row
        """
        self._fitted()
        return explain_row(self, row)

    def prediction_costs(self, X: TableLike) -> NDArray[np.float64]:
        """What each row's prediction costs: every column that is asked on its way is paid once.

        A column costs what `feature_costs` says, and 1 where it says nothing.
        """
        self._fitted()
        return row_costs(self, X)

    @property
    def expected_cost_(self) -> float:
        """The mean cost of a prediction over the training rows, by weight; parts of a row pay their part."""
        return expected_cost(self._fitted(), self.feature_costs_)

    def to_svg(
        self, max_depth: int | None = None, max_leaves: int | str | None = "auto", direction: str = "auto"
    ) -> str:
        """The tree as a picture: SVG, light or dark as the reader's system is, without any script.

        Parameters
        ----------
        max_depth
            deeper parts are folded; None sets no limit
        max_leaves
            how many ends the picture has; the nodes with the most rows are opened first, and the rest is
            folded. None sets no limit. "auto" is None where `max_depth` is given, and else 30 ends on at
            most 6 levels
        direction
            where it grows, "down" or "right"; "auto" is down if that is no wider than a page
        """
        self._fitted()
        return picture_of_tree(self, max_depth, max_leaves, direction)

    def partition_svg(self, X: TableLike, y: ArrayLike, features: ColumnChoice = None) -> str:
        """The rectangles into which a tree of at most two columns cuts the plane, and rows in it, as SVG.

        Numbers and dates run along a side, the levels of a category are bands. Rows with a missing value
        are left out; of more than 2,000 rows a sample is drawn, always the same.

        Parameters
        ----------
        X
            rows to show as points, the training rows or others
        y
            their true classes or numbers, which give the points their colour and shape
        features
            the column across and the column upwards, as names or positions; None for those that the tree
            asks for
        """
        self._fitted()
        return picture_of_plane(self, X, y, features)

    def _repr_html_inner(self) -> str:
        return notebook_picture(self) if self.__sklearn_is_fitted__() else str(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return bundle | {"text/html": self._repr_html_inner()} if "text/html" in bundle else bundle

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the total weighted gain."""
        return self._fitted().importances(self.n_features_in_)

    @property
    def n_leaves_(self) -> int:
        return self._fitted().n_leaves

    @property
    def depth_(self) -> int:
        """The number of splits on the longest way from the root to a leaf."""
        return self._fitted().depth

    def description_bits(self) -> float:
        """How many bits it takes to write the tree down; the fewer, the simpler it is.

        One bit for each node says whether it is a leaf. A split tells its column, log2 of the number of
        columns, and log2 of the number of cuts or groups of levels that the column offered at fit; a
        branch per level needs no choice. A leaf of m rows tells the shares of its classes, or its mean, in
        steps of 1 / ceil(sqrt(m)).
        """
        grown = self._fitted().grown
        return tree_bits(
            grown.feature,
            grown.split_kind,
            self.n_values_,
            grown.n_rows[grown.split_kind == LEAF],
            getattr(self, "n_classes_", None),
            self.categorical_splits == "one_vs_rest",
        )

    def _fitted(self) -> TreeStructure:
        self._check_is_fitted()
        return self.tree_

    @abstractmethod
    def _leaf_text(self, node: int) -> str:
        """What a leaf predicts, as text."""

    @abstractmethod
    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> TrainingRows:
        """What `fit` was given, as rows to learn from; sets what is known of columns and classes."""

    @abstractmethod
    def _labels(self, value: NDArray[np.float64]) -> NDArray[Any]:
        """The prediction for each row of class weights or means."""

    def _in_parts(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each node adds to the sum by which a row in parts is predicted."""
        return value

    def _labels_of_parts(self, parts: NDArray[np.float64]) -> NDArray[Any]:
        """The prediction for each row of sums over the parts of a row."""
        return self._labels(parts)

    def _remember(self, pruned: PrunedTree) -> None:
        self.tree_ = TreeStructure(pruned.tree(), pruned.splits_unknown)
        self.inputs_ = pruned.schema
        self.feature_costs_ = column_costs(self, pruned.schema.names)
        self.n_values_ = pruned.n_values
        self.__dict__.pop("prune_alpha_", None)
        if pruned.alpha is not None:
            self.prune_alpha_ = pruned.alpha

    def _options(self, schema: InputSchema) -> GrowOptions:
        """How the tree grows: a parameter that the kernel has goes there under its own name."""
        names = {option.name for option in fields(GrowOptions)}
        own = {name: getattr(self, name) for name in names if hasattr(self, name)}
        as_numbers = {
            "max_depth": -1 if self.max_depth is None else int(self.max_depth),
            "max_leaves": -1 if self.max_leaves is None else int(self.max_leaves),
            "min_gain": -math.inf if self.min_gain is None else float(self.min_gain),
            "min_leaf": float(self.min_leaf),
            "n_threads": self._n_threads,
        }
        # Without costs their rule plays no part; the core fills nothing in, that is done before.
        costs = None if self.feature_costs is None else tuple(column_costs(self, schema.names).tolist())
        as_meant = {
            "costs": costs,
            "cost_rule": "none" if costs is None else self.cost_rule,
            "cost_exponent": 1.0 if costs is None else float(self.cost_exponent),
            "missing": "fractional" if self.missing == "fractional" else "node_mode",
        }
        return GrowOptions(**(own | as_numbers | as_meant))


def column_costs(tree: TreeBase, names: list[str]) -> Floats:
    """One cost per column, from a dict or a sequence; a column that has none costs 1."""
    costs = numbers_by_column(tree.feature_costs, names, _cost_error)
    may_be_0 = tree.cost_rule == "nunez"
    is_refused = ~(np.isfinite(costs) & ((costs > 0) | (may_be_0 & (costs == 0))))
    if is_refused.any():
        first = int(is_refused.argmax())
        raise _cost_error(
            f"column '{names[first]}' has {costs[first]:g}",
            f"use finite costs {'of at least' if may_be_0 else 'above'} 0",
        )
    return costs


def _cost_error(
    where: str, fix: str = "give one number per column, or a dict of their names"
) -> RequestError:
    return RequestError("feature_costs does not fit the columns", where=f"feature_costs: {where}", fix=fix)
