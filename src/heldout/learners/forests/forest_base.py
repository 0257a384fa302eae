"""What both forests share: growing, walking, and what they tell of rows and columns."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.description_length import tree_bits
from heldout.learners.forests.forest_arrays import (
    joined_forest,
    node_depths,
    tree_of_forest,
    without_importance,
)
from heldout.learners.forests.forest_options import (
    check_forest_parameters,
    forest_options,
    has_rows_out_of_bag,
    rules_mark,
)
from heldout.learners.forests.forest_rows import EnteredRows, ForestRows, forest_rows
from heldout.learners.forests.forest_sweep import forest_entering_key, forest_sweep
from heldout.learners.forests.importances import PermutationImportances, gain_shares, permutation_importances
from heldout.learners.forests.out_of_bag import (
    OutOfBag,
    out_of_bag,
    refuse_full_bags,
    warn_of_rows_in_every_bag,
)
from heldout.learners.forests.proximity import proximities
from heldout.learners.parameters import Parameter, refusal, seed_of
from heldout.learners.readable_learner import ReadableLearner, learner_copies
from heldout.learners.sweep import Sweep, settings_of
from heldout.learners.trees.tree_base import SHOWN_DEPTH
from heldout.learners.trees.tree_structure import LEAF, TreeStructure
from heldout.learners.trees.tree_sweep import ENTERED
from heldout.learners.trees.tree_text import shown_label, tree_text
from heldout.learners.trees.tree_walk import join_blocks, walked_blocks
from heldout.native import forests
from heldout.native.forests import Bagging, ForestOptions, GrownForest
from heldout.text.words import plural
from heldout.types import PerRow, SettingsSpace, TableLike


class ForestBase(ReadableLearner):
    """A forest that `fit` has grown, or that waits for it."""

    _parameters: ClassVar[tuple[Parameter, ...]]
    _is_regression: ClassVar[bool]
    _oob_names: ClassVar[tuple[str, ...]]
    _learned = "forest_"

    # Set by the constructors of the two forests.
    n_trees: int
    criterion: str
    max_features: Any
    bootstrap: bool
    sample_fraction: float
    categorical: Any
    categorical_splits: str
    missing: str
    max_depth: int | None
    min_leaf: float
    min_gain: float | None
    oob_score: bool
    warm_start: bool
    random_state: Any
    n_jobs: int | None

    # Set by fit.
    n_features_in_: int
    forest_: GrownForest
    inputs_: InputSchema
    n_rows_: int
    n_values_: NDArray[np.int64]
    max_features_: int
    is_bootstrap_: bool
    n_draws_: int
    seed_: int
    data_mark_: str
    rules_mark_: str

    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None, *, groups: PerRow = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, an array or a sparse matrix; NaN is a missing value
        y
            one target per row
        sample_weight
            how many rows each row stands for; rows of weight 0 are left out
        groups
            one group per row: a bag has all rows of a group or none, so that what is said out of the bag
            is said of groups that a tree has not seen; groups are drawn all alike, and their rows count
            with their weights
        """
        return self._fit(X, y, sample_weight, groups)

    def _fit(
        self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow, calibrates: bool = False
    ) -> Self:
        """Grow the trees; see `fit`."""
        check_forest_parameters(self)
        is_warm = bool(self.warm_start) and self.__sklearn_is_fitted__()
        # What stands is not touched before the new rows are known to be the old ones.
        entering = clone(self) if is_warm else self
        entered = entering._rows(X, y, sample_weight, groups)
        training = forest_rows(entered, self.missing)
        is_drawn = isinstance(self.random_state, np.random.RandomState)
        seed = self.seed_ if is_warm and is_drawn else seed_of(self.random_state)
        options = forest_options(self, training, seed, self._n_threads)
        if self.oob_score:
            refuse_full_bags(self, options.bagging, training.rows.n_rows, "out-of-bag score")
        if is_warm:
            check_warm_start(self, training, rules_mark(self, options))
            self.__dict__.update({name: value for name, value in vars(entering).items() if name in ENTERED})
        self._grow(training, options, is_warm)
        self._judge(X, training, calibrates)
        return self

    def sweep(
        self,
        X: TableLike,
        y: ArrayLike,
        space: SettingsSpace,
        sample_weight: PerRow = None,
        *,
        groups: PerRow = None,
    ) -> Sweep:
        """Fit many settings at once, from as few grown forests as can be; this one is not changed.

        Each setting gives the forest that `fit` would give it. Settings that differ in `n_trees` and
        `max_depth` alone come from one forest, of which the first trees are taken, or the tops of its
        trees; those that differ in `min_leaf` grow together as far as they are the same.

        Parameters
        ----------
        X, y, sample_weight, groups
            as for `fit`
        space
            parameters with lists of values, of which every combination is a setting, such as {"n_trees":
            [10, 100], "max_features": [2, 4]}; or a list of settings, each a dict
        """
        settings = settings_of(self, space)
        learners = learner_copies(self, settings)
        for learner in learners:
            check_forest_parameters(learner)
        entered: dict[Hashable, tuple[Any, EnteredRows]] = {}
        for learner in learners:
            key = forest_entering_key(learner)
            if key not in entered:
                entered[key] = learner, learner._rows(X, y, sample_weight, groups)
        return forest_sweep(settings, learners, entered, X)

    def apply(self, X: TableLike) -> NDArray[np.int32]:
        """Row × tree: the node in which each row ends, counted from the first node of the tree.

        That is a leaf, except where a row has a level that its node never saw: it stops there.
        """
        forest, schema, threads = self._fitted(), self.inputs_, self._n_threads
        return join_blocks(
            [
                forests.apply_forest(forest, inputs.numbers, schema.number_of, inputs.levels, threads)
                for inputs in walked_blocks(self, X, schema)
            ]
        )

    def proximity(self, X: TableLike, Y: TableLike | None = None) -> NDArray[np.float64]:
        """Row of X × row of Y: the share of the trees in which both end in the same leaf.

        Parameters
        ----------
        X
            rows
        Y
            other rows; None compares the rows of X with one another
        """
        ends = self.apply(X)
        others = ends if Y is None else self.apply(Y)
        return proximities(ends, others, self.forest_.tree_begin)

    def permutation_importances(
        self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None, *, groups: PerRow = None
    ) -> PermutationImportances:
        """What the trees lose on rows out of their bags when a column is shuffled among these rows.

        Unlike `feature_importances_` it does not favor columns of many values. The rows are not kept, so
        they are handed over again. Each counts by its weight.

        Parameters
        ----------
        X, y, sample_weight, groups
            those of `fit`
        """
        self._check_is_fitted()
        training = forest_rows(clone(self)._rows(X, y, sample_weight, groups), self.missing)
        return permutation_importances(self, X, training)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in what the splits gained: the mean over the trees, summing to 1.

        All 0 if nothing was gained.
        """
        return gain_shares(self._fitted(), self.criterion)

    @property
    def n_nodes_(self) -> int:
        return len(self._fitted().feature)

    @property
    def n_leaves_(self) -> int:
        return int(np.count_nonzero(self._fitted().feature < 0))

    @property
    def depth_(self) -> int:
        """The number of splits on the longest way down in any tree."""
        return int(node_depths(self._fitted()).max())

    def description_bits(self) -> float:
        """How many bits it takes to write the forest down: the sum over its trees.

        One bit for each node says whether it is a leaf. A split tells its column, log2 of the number of
        columns, and log2 of the number of cuts or groups of levels that the column offered at fit. A leaf
        that has m rows of its bag tells the shares of its classes, or its mean, in steps of
        1 / ceil(sqrt(m)).
        """
        forest, n_values = self._fitted(), self.n_values_
        # Weights of rows and classes change what a leaf weighs, not how many rows it has.
        bags = np.repeat(forest.weight[forest.tree_begin[:-1]], np.diff(forest.tree_begin))
        n_rows = np.rint(self.n_draws_ * forest.weight / bags)
        return tree_bits(
            forest.feature,
            forest.split_kind,
            n_values,
            n_rows[forest.split_kind == LEAF],
            getattr(self, "n_classes_", None),
            self.categorical_splits == "one_vs_rest",
        )

    def to_text(self) -> str:
        """The forest in words: its size, its out-of-bag score if it has one, its most important columns."""
        self._check_is_fitted()
        return forest_text(self)

    def tree_text(self, i: int, max_depth: int | None = 30) -> str:
        """One of the trees as text, in the original names; the weights are those of the rows in its bag.

        Parameters
        ----------
        i
            the number of the tree, from 0; a negative one counts from the last
        max_depth
            deeper parts are folded into one line; None shows everything
        """
        if not SHOWN_DEPTH.allows(max_depth):
            raise refusal("tree_text", SHOWN_DEPTH, max_depth)
        structure = TreeStructure(tree_of_forest(self._fitted(), self._tree_number(i)))
        return tree_text(structure, self.inputs_, lambda node: self._leaf_text(structure, node), max_depth)

    def _tree_number(self, i: SupportsIndex) -> int:
        n_trees = self.forest_.n_trees
        where, fix = f"tree_text({i!r:.60})", f"give the number of a tree, from 0 to {n_trees - 1}"
        try:
            number = operator.index(i)
        except TypeError as error:
            raise InputTypeError("a tree is asked for by its number", where=where, fix=fix) from error
        if not -n_trees <= number < n_trees:
            raise RequestError("there is no such tree", where=where, fix=fix)
        return number % n_trees

    def _grow(self, training: ForestRows, options: ForestOptions, is_warm: bool) -> None:
        """Grow all trees, or those that are still missing, and remember the forest."""
        if not is_warm:
            self._remember(training, options, training.grown(options, 0, int(self.n_trees)))
            return
        n_before = self.forest_.n_trees
        if self.n_trees > n_before:
            further = training.grown(options, n_before, int(self.n_trees) - n_before)
            self.forest_ = joined_forest(self.forest_, without_importance(further))

    def _remember(self, training: ForestRows, options: ForestOptions, grown: GrownForest) -> None:
        self.forest_ = without_importance(grown)
        self.inputs_, self.n_values_, self.n_rows_ = training.schema, training.n_values, training.rows.n_rows
        self.max_features_ = options.max_features
        self.is_bootstrap_ = options.bagging.is_bootstrap
        self.n_draws_, self.seed_ = options.bagging.n_draws, options.bagging.seed
        self.data_mark_, self.rules_mark_ = training.mark, rules_mark(self, options)

    def _judge(self, X: TableLike, training: ForestRows, calibrates: bool = False) -> None:
        """Learn from the rows out of the bag what is requested: their score, factors of the classes."""
        for name in self._oob_names:
            self.__dict__.pop(name, None)
        # Where every tree has seen every row, there is nothing to calibrate by.
        is_calibrated = calibrates and has_rows_out_of_bag(training.bagging_of(self), training.rows.n_rows)
        if not (self.oob_score or is_calibrated):
            return
        found = out_of_bag(self, X, training)
        if self.oob_score:
            warn_of_rows_in_every_bag(found)
            self._remember_out_of_bag(found, training)
        if is_calibrated:
            self._keep_factors(found, training)

    def _combined(self, X: TableLike) -> NDArray[np.float64]:
        """What the trees predict together: row × output."""
        forest = self._fitted()
        return join_blocks(
            [
                forests.predict_forest(
                    forest,
                    inputs.numbers,
                    self.inputs_.number_of,
                    inputs.levels,
                    [forest.n_trees],
                    self._is_vote,
                    self._is_regression,
                    self._n_threads,
                )[0]
                for inputs in walked_blocks(self, X, self.inputs_)
            ]
        )

    def _fitted(self) -> GrownForest:
        self._check_is_fitted()
        return self.forest_

    @property
    def _bagging(self) -> Bagging:
        return Bagging(self.seed_, self.is_bootstrap_, self.n_draws_)

    @abstractmethod
    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> EnteredRows:
        """What `fit` was given, as rows to learn from; sets what is known of columns and classes."""

    @abstractmethod
    def _remember_out_of_bag(self, found: OutOfBag, training: ForestRows) -> None:
        """Set the attributes that hold the out-of-bag score and predictions."""

    def _keep_factors(self, found: OutOfBag, training: ForestRows) -> None:
        """Set the factors of the classes; a regression has none."""

    @abstractmethod
    def _labels(self, combined: NDArray[np.float64], n_trees: int) -> NDArray[Any]:
        """The prediction for each row of shares or means of so many trees."""

    @abstractmethod
    def _tree_predictions(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """What one tree predicts at each of its nodes, as it goes into the prediction of the forest."""

    @abstractmethod
    def _leaf_text(self, structure: TreeStructure, node: int) -> str:
        """What a leaf of a tree predicts, as text."""

    @property
    @abstractmethod
    def _is_vote(self) -> bool:
        """Whether each tree has one vote."""

    @property
    @abstractmethod
    def _aim(self) -> str:
        """What is predicted, in words."""

    @property
    @abstractmethod
    def _shown_score(self) -> str:
        """The out-of-bag score in words."""


SHOWN_COLUMNS = 8


def forest_text(learner: ForestBase) -> str:
    """The summary of a fitted forest."""
    n_trees, n_leaves, depth = learner.forest_.n_trees, learner.n_leaves_, learner.depth_
    lines = [
        f"{plural(n_trees, 'tree')} for {learner._aim}, from {plural(learner.n_rows_, 'row')} and"
        f" {plural(learner.n_features_in_, 'column')}",
        f"leaves: {n_leaves:,}, {n_leaves / n_trees:,.1f} in a tree; {plural(depth, 'level')} at most",
    ]
    if hasattr(learner, "oob_score_"):
        lines.append(f"out of bag: {learner._shown_score}")
    return "\n".join([*lines, f"importance: {_shown_importances(learner)}"])


def _shown_importances(learner: ForestBase) -> str:
    shares, names = learner.feature_importances_, learner.inputs_.names
    order = [index for index in np.argsort(-shares, kind="stable").tolist() if shares[index] > 0]
    if not order:
        return "no column splits anything"
    shown = [f"{shown_label(names[index])} {shares[index]:.0%}" for index in order[:SHOWN_COLUMNS]]
    more = [f"… ({len(order) - len(shown):,} more)"] if len(order) > len(shown) else []
    return ", ".join(shown + more)


def check_warm_start(learner: ForestBase, training: ForestRows, rules: str) -> None:
    """Refuse to add trees that would not have grown in the same forest.

    learner: the forest that was fitted before
    rules:   what the further trees grow by
    """
    n_before, where = learner.forest_.n_trees, f"{type(learner).__name__}(warm_start=True)"
    if learner.n_trees < n_before:
        raise RequestError(
            f"n_trees={learner.n_trees} is less than the {n_before} trees that stand",
            where=where,
            fix=f"set n_trees to at least {n_before}, or warm_start=False to begin anew",
        )
    if training.mark != learner.data_mark_:
        raise DataError(
            "the rows are not those of the trees that stand",
            where=f"{where}: {training.difference(learner)}",
            fix="hand over the same X, y, groups and sample_weight, or set warm_start=False to begin anew",
        )
    if rules != learner.rules_mark_:
        pairs = zip(rules.split(", "), learner.rules_mark_.split(", "), strict=False)
        changed = [f"{now}, and {before} before" for now, before in pairs if now != before]
        raise RequestError(
            "the parameters have changed, and trees of other rules do not go into the same forest",
            where=f"{where}: {'; '.join(changed)}",
            fix="change n_trees only, or set warm_start=False to begin anew",
        )
