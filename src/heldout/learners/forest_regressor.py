"""A regression forest in the manner of Breiman: the mean of many trees, each from a bag of the rows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heldout.inputs.training_inputs import target_rows
from heldout.learners.forests.forest_base import ForestBase
from heldout.learners.forests.forest_options import (
    FOREST_PARAMETERS,
    consequence_of_light_rows,
    size_exponent,
)
from heldout.learners.forests.forest_rows import EnteredRows, ForestRows
from heldout.learners.forests.out_of_bag import OutOfBag
from heldout.learners.parameters import Parameter
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_count
from heldout.types import CategoryChoice, PerRow, RandomState, TableLike


class ForestRegressor(RegressorMixin, ForestBase):  # type: ignore[misc]
    """A forest of regression trees that takes categories and missing values as they are.

    Each tree grows from its own bag of rows, and each of its nodes looks at a few columns drawn at random;
    of these the best split is taken, without binning. The same seed gives the same forest, whatever the
    number of threads.

    Parameters
    ----------
    n_trees
        how many trees
    criterion
        "squared_error", the reduction of the variance
    max_features
        how many columns are drawn for a node: a share as a float, rounded up, by default a third; "sqrt",
        "log2", None for all, or a number; further ones are drawn only until one can split the node
    bootstrap
        whether the rows of a bag are drawn with replacement, in proportion to their weights; else
        without, all alike, and each counts with its weight
    sample_fraction
        how much is drawn: a share of the total weight (at most 16 draws for each row), or, without
        replacement, of the rows
    categorical
        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of names or
        positions, or a mask, whose columns become categories as well
    categorical_splits
        "subset" (the best two groups of levels), "multiway" (a branch per level), or "one_vs_rest"
    missing
        what becomes of missing values: "node_mode" sends the row where most of the node's known rows
        went; "column_mode" fills by the column's most common level or lower median
    max_depth
        the largest number of splits on a way down; None for no limit
    min_leaf
        the smallest weight of a branch; of a multiway split at least two branches hold it
    min_gain
        a split is made only if it gains more than this; None splits whatever the gain
    oob_score
        whether fit also asks, for each row, the trees that have not seen it
    warm_start
        whether a further fit with a larger `n_trees` only adds trees; they are those that would have
        grown at once
    random_state
        the seed of the bags and columns; None is 0, so the same data give the same forest
    n_jobs
        threads; None is one, -1 all processors

    Notes
    -----
    After fit: `n_features_in_`, `feature_names_in_`, `n_leaves_`, `n_nodes_`, `depth_`,
    `feature_importances_`, `forest_` (the nodes); with oob_score=True also `oob_score_` (R², rows counted by
    weight) and `oob_prediction_` (NaN for a row that every tree has seen, or of weight 0).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(60.0).reshape(30, 2)
    >>> forest = ForestRegressor(20).fit(X, [1.0] * 15 + [2.0] * 15)
    >>> forest.predict([[3.0, 4.0], [50.0, 51.0]]).tolist()
    [1.0, 2.0]
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("criterion", choices=("squared_error",)),
        Parameter("missing", choices=("node_mode", "column_mode")),
        *FOREST_PARAMETERS,
    )

    _is_regression = True
    _is_vote = False
    _oob_names = ("oob_score_", "oob_prediction_")
    oob_score_: float
    oob_prediction_: NDArray[np.float64]

    def __init__(
        self,
        n_trees: int = 100,
        *,
        criterion: str = "squared_error",
        max_features: float | str | None = 1 / 3,
        bootstrap: bool = True,
        sample_fraction: float = 1.0,
        categorical: CategoryChoice = "auto",
        categorical_splits: str = "subset",
        missing: str = "node_mode",
        max_depth: int | None = None,
        min_leaf: float = 2,
        min_gain: float | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.criterion = criterion
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.sample_fraction = sample_fraction
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.missing = missing
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_gain = min_gain
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """The mean over the trees of the means where each row ends."""
        return self._labels(self._combined(X), self.n_trees)

    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> EnteredRows:
        consequence = consequence_of_light_rows(self, groups is not None)
        rows = target_rows(self, X, y, sample_weight, groups, self._n_threads, consequence)
        return EnteredRows(rows, rows.weights)

    def _remember_out_of_bag(self, found: OutOfBag, training: ForestRows) -> None:
        assert training.rows.targets is not None
        self.oob_prediction_ = found.predictions[:, 0]
        self.oob_score_ = _explained(training.rows.targets[found.is_known], found.known[:, 0], found.counts)

    def _labels(self, combined: NDArray[np.float64], n_trees: int) -> NDArray[np.float64]:
        return np.ascontiguousarray(combined[:, 0])

    def _tree_predictions(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        return value

    def _leaf_text(self, structure: TreeStructure, node: int) -> str:
        grown = structure.grown
        mean = f"{float(grown.value[node, 0]):.{structure.n_value_digits}g}"
        return f"{mean} ({shown_count(float(grown.weight[node]))})"

    @property
    def _aim(self) -> str:
        return "a number"

    @property
    def _shown_score(self) -> str:
        return f"R² {self.oob_score_:.3f}"


def _explained(
    targets: NDArray[np.float64], predictions: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> float:
    """R²: the share of the variance that is explained; as in scikit-learn, 1 or 0 where there is none."""
    if not len(targets):
        return float("nan")
    if (targets == targets[0]).all():
        return 1.0 if np.allclose(predictions, targets, rtol=1e-12, atol=0) else 0.0
    exponent = size_exponent(targets)
    targets, predictions = np.ldexp(targets, -exponent), np.ldexp(predictions, -exponent)
    mean = np.average(targets, weights=weights)
    lost = float(np.average((targets - predictions) ** 2, weights=weights))
    return 1.0 - lost / float(np.average((targets - mean) ** 2, weights=weights))
