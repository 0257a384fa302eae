"""A classification forest in the manner of Breiman: many trees, each from a bag of the rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.inputs.targets import (
    check_lengths,
    class_codes,
    class_weighted,
    group_codes,
    row_weights,
    weight_per_class,
)
from heldout.inputs.training_inputs import coded_rows
from heldout.learners.class_shares import (
    SMOOTHING,
    calibrated,
    factors_beyond_noise,
    first_largest,
    shares_of,
    smoothed_votes,
)
from heldout.learners.forests.forest_base import ForestBase
from heldout.learners.forests.forest_options import FOREST_PARAMETERS, consequence_of_light_rows
from heldout.learners.forests.forest_rows import EnteredRows, ForestRows
from heldout.learners.forests.out_of_bag import OutOfBag
from heldout.learners.parameters import Parameter
from heldout.learners.readable_learner import HasProbabilities
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import shown_count, shown_level
from heldout.text.numbers import share_text
from heldout.types import CategoryChoice, ClassWeight, PerRow, RandomState, TableLike


class ForestClassifier(ClassifierMixin, HasProbabilities, ForestBase):  # type: ignore[misc]
    """A forest of classification trees that takes categories and missing values as they are.

    Each tree grows from its own bag of rows, and each of its nodes looks at a few columns drawn at random;
    of these the best split is taken, without binning. The same seed gives the same forest, whatever the
    number of threads.

    Parameters
    ----------
    n_trees
        how many trees
    criterion
        what a split is chosen by: "gini", or "entropy" (information gain in bits)
    max_features
        how many columns are drawn for a node: "sqrt", "log2", None for all, a number, or a share as a
        float, rounded up; further ones are drawn only until one can split the node
    bootstrap
        whether the rows of a bag are drawn with replacement, in proportion to their weights; else
        without, all alike, and each counts with its weight
    sample_fraction
        how much is drawn: a share of the total weight (at most 16 draws for each row), or, without
        replacement, of the rows
    combine
        what the trees predict together: "average" is the mean of their class shares, "vote" gives each
        tree one vote
    categorical
        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of names or
        positions, or a mask, whose columns become categories as well
    categorical_splits
        "subset" (the best two groups of levels: exact for two classes, else the best cut of the levels
        ordered by the share of one class), "multiway" (a branch per level), or "one_vs_rest"
    missing
        what becomes of missing values: "node_mode" sends the row where most of the node's known rows
        went; "column_mode" fills by the column's most common level or lower median, "class_mode" by that
        of the row's class (new rows by that of the column, with a warning)
    max_depth
        the largest number of splits on a way down; None for no limit
    min_leaf
        the smallest weight of a branch; of a multiway split at least two branches hold it
    min_gain
        a split is made only if it gains more than this; None splits whatever the gain
    class_weight
        None, "balanced", or a weight for each class: `predict` multiplies the probabilities by them and
        takes the largest. The trees and `predict_proba` know nothing of them, but that a class of weight
        0 is not learned
    smoothing
        how many imaginary trees, which know but the shares of the classes in the training rows,
        `predict_proba` adds to the others; 0 for none
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
    After fit: `classes_`, `n_classes_`, `class_weights_` and `class_factors_` (one per class),
    `n_features_in_`, `feature_names_in_`, `n_leaves_`, `n_nodes_`, `depth_`, `feature_importances_`,
    `forest_` (the nodes); with oob_score=True also `oob_score_` (the accuracy, rows counted by weight) and
    `oob_decision_function_` (what the trees predict; NaN for a row that every tree has seen, or of weight 0).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(60.0).reshape(30, 2)
    >>> forest = ForestClassifier(20).fit(X, ["low"] * 15 + ["high"] * 15)
    >>> forest.predict([[3.0, 4.0], [50.0, 51.0]]).tolist()
    ['low', 'high']
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("criterion", choices=("gini", "entropy")),
        Parameter("combine", choices=("average", "vote")),
        Parameter("missing", choices=("node_mode", "column_mode", "class_mode")),
        Parameter("class_weight", choices=(None, "balanced"), types=(dict,)),
        SMOOTHING,
        *FOREST_PARAMETERS,
    )

    _is_regression = False
    _oob_names = ("oob_score_", "oob_decision_function_")
    classes_: NDArray[Any]
    n_classes_: int
    oob_score_: float
    oob_decision_function_: NDArray[np.float64]

    def __init__(
        self,
        n_trees: int = 100,
        *,
        criterion: str = "gini",
        max_features: float | str | None = "sqrt",
        bootstrap: bool = True,
        sample_fraction: float = 1.0,
        combine: str = "average",
        categorical: CategoryChoice = "auto",
        categorical_splits: str = "subset",
        missing: str = "node_mode",
        max_depth: int | None = None,
        min_leaf: float = 1,
        min_gain: float | None = None,
        class_weight: ClassWeight = None,
        smoothing: float = 1.0,
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
        self.combine = combine
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.missing = missing
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_gain = min_gain
        self.class_weight = class_weight
        self.smoothing = smoothing
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class with the largest share of the trees' predictions; ties go to the first.

        With class weights it is the largest of the smoothed shares times `class_weights_`.
        """
        combined = self._combined(X)
        return self._labels(combined, self.forest_.n_trees)

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The mean over the trees of the class shares where each row ends, or of their votes.

        The classes are in the order of `classes_`. Class weights play no part, `smoothing` is added,
        and `class_factors_` are multiplied with.
        """
        combined = self._combined(X)
        return self._probabilities(combined, self.forest_.n_trees)

    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> EnteredRows:
        classes, codes = class_codes(self, y)
        rows = coded_rows(self, X, self.categorical, self._n_threads)
        check_lengths(rows.n_rows, codes)
        consequence = consequence_of_light_rows(self, groups is not None)
        counts = row_weights(sample_weight, rows.n_rows, consequence)
        self.classes_, self.n_classes_ = classes, len(classes)
        self._weigh_classes(classes, codes)
        self.class_factors_ = np.ones(len(classes))
        # Class weights belong to the decision; a class of weight 0 is not learned, and has no share.
        weights = class_weighted((self.class_weights_ > 0).astype(np.float64), codes, counts, consequence)
        self.class_shares_ = shares_of(np.bincount(codes, weights, len(classes)).astype(np.float64))
        rows = replace(
            rows,
            weights=weights,
            classes=codes,
            n_classes=len(classes),
            groups=group_codes(groups, rows.n_rows),
        )
        return EnteredRows(rows, counts, classes)

    def _weigh_classes(self, classes: NDArray[Any], codes: NDArray[np.uint32]) -> None:
        self.class_weights_ = weight_per_class(self.class_weight, classes, codes)

    def _remember_out_of_bag(self, found: OutOfBag, training: ForestRows) -> None:
        assert training.rows.classes is not None
        is_right = self._leaders(found.known, found.n_trees) == training.rows.classes[found.is_known]
        self.oob_decision_function_ = found.predictions
        self.oob_score_ = float(np.average(is_right, weights=found.counts)) if len(is_right) else np.nan

    def _fit_calibrated(
        self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None, *, groups: PerRow = None
    ) -> Self:
        """The same as `fit`, with class factors: rows out of the bag have the shares of the classes."""
        return self._fit(X, y, sample_weight, groups, calibrates=True)

    def _keep_factors(self, found: OutOfBag, training: ForestRows) -> None:
        assert training.rows.classes is not None
        probabilities = self._smoothed(found.known, found.n_trees)
        codes = training.rows.classes[found.is_known]
        self.class_factors_ = factors_beyond_noise(probabilities, codes, found.counts)

    def _labels(self, combined: NDArray[np.float64], n_trees: int) -> NDArray[Any]:
        return np.asarray(self.classes_.take(self._leaders(combined, n_trees)))

    def _leaders(self, combined: NDArray[np.float64], n_trees: int | NDArray[np.float64]) -> NDArray[np.intp]:
        """The index of the class that is predicted from what so many trees predict together."""
        if (self.class_weights_ == 1.0).all():
            return first_largest(combined)
        return first_largest(self._smoothed(combined, n_trees) * self.class_weights_)

    def _probabilities(
        self, combined: NDArray[np.float64], n_trees: int | NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What so many trees predict together, smoothed and calibrated."""
        return calibrated(self._smoothed(combined, n_trees), self.class_factors_)

    def _smoothed(
        self, combined: NDArray[np.float64], n_trees: int | NDArray[np.float64]
    ) -> NDArray[np.float64]:
        return smoothed_votes(combined, n_trees, self.class_shares_, float(self.smoothing))

    def _tree_predictions(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        if self._is_vote:
            return np.asarray(np.eye(value.shape[1])[value.argmax(axis=1)])
        return np.asarray(value / value.sum(axis=1, keepdims=True))

    def _leaf_text(self, structure: TreeStructure, node: int) -> str:
        counts = structure.grown.value[node]
        label = shown_level(str(self.classes_[counts.argmax()]))
        total = float(counts.sum())
        wrong = total - float(counts.max())
        return f"{label} ({shown_count(total)}{f'/{shown_count(wrong)}' if wrong > 1e-9 * total else ''})"

    @property
    def _is_vote(self) -> bool:
        return self.combine == "vote"

    @property
    def _aim(self) -> str:
        return f"{self.n_classes_} class{'' if self.n_classes_ == 1 else 'es'}"

    @property
    def _shown_score(self) -> str:
        return f"{share_text(self.oob_score_, 1)} right"
