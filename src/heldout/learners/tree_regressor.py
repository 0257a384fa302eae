"""A regression tree: leaves predict means, splits reduce the variance."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heldout.inputs.training_inputs import TrainingRows, target_rows
from heldout.learners.parameters import Parameter
from heldout.learners.trees.tree_base import TREE_PARAMETERS, TreeBase
from heldout.learners.trees.tree_text import shown_rows
from heldout.learners.trees.tree_walk import predict_rows
from heldout.types import CategoryChoice, PerColumn, PerRow, RandomState, TableLike


class TreeRegressor(RegressorMixin, TreeBase):  # type: ignore[misc]
    """A regression tree that takes categories and missing values as they are.

    Every split is the best one: no binning, no sampling. Ties go to the column on the left and the
    lower cut.

    Parameters
    ----------
    criterion
        "squared_error", the reduction of the variance
    categorical
        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of names or
        positions, or a mask, whose columns become categories as well
    categorical_splits
        "subset" (the best two groups of levels), "multiway" (a branch per level), or "one_vs_rest"
    missing
        what becomes of missing values: "node_mode" sends the row where most of the node's known rows
        went, "fractional" a part of it down every branch; "column_mode" fills by the column's most common
        level or lower median
    max_depth
        the largest number of splits on a way down; None for no limit
    min_leaf
        the smallest weight of a branch; of a multiway split at least two branches hold it
    min_gain
        a split is made only if it gains more than this; None splits whatever the gain
    max_leaves
        grow best-first until there are this many leaves; None for no limit
    prune
        None, or how the grown tree is made smaller: "cost_complexity" (CART) or "reduced_error" (on rows
        that are set aside)
    prune_alpha
        of "cost_complexity": the share of the variance that a further leaf must explain; "cv" finds it by
        cross-validation and the rule of one standard error, which takes ten more trees
    prune_order
        of "reduced_error": "best_first" prunes where it helps most, until it harms; "bottom_up" asks each
        split once, from below
    prune_ties
        of "reduced_error": whether a split goes that neither helps nor harms
    validation_fraction
        of "reduced_error": the part of the rows, or of the groups, that is set aside
    feature_costs
        what it costs to know each column, by name or as one number per column
    cost_rule
        "tan_schlimmer" (gain² / cost) or "nunez" ((2^gain - 1) / (cost + 1)^w). The gain is here the
        share of the node's variance that a split explains
    cost_exponent
        w of the rule of Núñez
    random_state
        the seed of what is set aside for "reduced_error" and "cv"; None is 0, so that the same data give
        the same tree. Growing draws nothing at random
    n_jobs
        threads; None is one, -1 all processors

    Attributes
    ----------
    n_features_in_
    feature_names_in_
    n_leaves_
    depth_
    feature_importances_
    tree_
    prune_alpha_
        after prune="cost_complexity"

    Examples
    --------
    >>> import numpy as np
    >>> tree = TreeRegressor(min_leaf=1).fit(np.array([[1.0], [2.0], [8.0], [9.0]]), [5.0, 5.0, 7.0, 7.0])
    >>> print(tree)
    x0 <= 5: 5 (2 rows)
    x0 > 5: 7 (2 rows)
    >>> tree.predict([[0.0], [10.0]]).tolist()
    [5.0, 7.0]
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("criterion", choices=("squared_error",)),
        Parameter("missing", choices=("node_mode", "fractional", "column_mode")),
        Parameter("prune", choices=(None, "reduced_error", "cost_complexity")),
        *TREE_PARAMETERS,
    )

    _is_regression = True

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        categorical: CategoryChoice = "auto",
        categorical_splits: str = "subset",
        missing: str = "node_mode",
        max_depth: int | None = None,
        min_leaf: float = 5,
        min_gain: float | None = 0.0,
        max_leaves: int | None = None,
        prune: str | None = "cost_complexity",
        prune_alpha: float | str = "cv",
        prune_order: str = "best_first",
        prune_ties: bool = True,
        validation_fraction: float = 0.25,
        feature_costs: PerColumn = None,
        cost_rule: str = "tan_schlimmer",
        cost_exponent: float = 1.0,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.missing = missing
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_gain = min_gain
        self.max_leaves = max_leaves
        self.prune = prune
        self.prune_alpha = prune_alpha
        self.prune_order = prune_order
        self.prune_ties = prune_ties
        self.validation_fraction = validation_fraction
        self.feature_costs = feature_costs
        self.cost_rule = cost_rule
        self.cost_exponent = cost_exponent
        self.random_state = random_state
        self.n_jobs = n_jobs

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """The mean of the training rows where each row ends.

        Where parts of a row end in several leaves, their means are added up, each with its part.
        """
        value = self._fitted().grown.value
        return predict_rows(self, X, self._labels(value), value, self._labels)

    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> TrainingRows:
        return target_rows(self, X, y, sample_weight, groups, self._n_threads)

    def _labels(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        return value[:, 0]

    def _leaf_text(self, node: int) -> str:
        grown = self.tree_.grown
        mean = f"{float(grown.value[node, 0]):.{self.tree_.n_value_digits}g}"
        return f"{mean} ({shown_rows(int(grown.n_rows[node]), float(grown.weight[node]))})"
