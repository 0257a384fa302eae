"""A classification tree in the manner of ID3, C4.5 and CART."""

from __future__ import annotations

import math
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.errors import RequestError
from heldout.inputs.training_inputs import TrainingRows, class_rows
from heldout.learners.class_shares import (
    SMOOTHING,
    at_most_one,
    calibrated,
    first_largest,
    shares_of,
    smoothed,
    unweighted,
)
from heldout.learners.decision_threshold import DecidesAtThreshold
from heldout.learners.description_length import class_bits, split_bits
from heldout.learners.parameters import Parameter
from heldout.learners.readable_learner import HasProbabilities
from heldout.learners.trees.tree_base import TREE_PARAMETERS, TreeBase
from heldout.learners.trees.tree_structure import MULTIWAY
from heldout.learners.trees.tree_text import shown_count, shown_level
from heldout.learners.trees.tree_walk import predict_rows
from heldout.text.words import plural
from heldout.types import CategoryChoice, ClassWeight, PerColumn, PerRow, RandomState, TableLike


class TreeClassifier(ClassifierMixin, HasProbabilities, DecidesAtThreshold, TreeBase):  # type: ignore[misc]
    """A classification tree that takes categories and missing values as they are.

    Every split is the best one: no binning, no sampling. Ties go to the column on the left and the
    lower cut, so the same table gives the same tree, whatever the number of threads. As it is, the
    tree is that of `TreeClassifier.c45()`; `.id3()` and `.cart()` are the two other classics.

    Parameters
    ----------
    criterion
        what a split is chosen by: "gain_ratio" (information gain over split information), "entropy"
        (information gain in bits), "gini", or "error" (training error)
    average_gain
        whether gain ratio is taken only among columns of at least average gain, as in C4.5
    numeric_cuts
        "c45" takes C4.5's two precautions with numbers: the gain pays for the number of cuts that were
        compared, and a branch holds a tenth of the node's weight per class (at least `min_leaf`, at most
        25); "plain" takes none
    categorical
        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of names or
        positions, or a mask, whose columns become categories as well
    categorical_splits
        "multiway" (a branch per level), "subset" (the best two groups of levels: exact for two classes,
        else the best cut of the levels ordered by the share of one class), or "one_vs_rest"
    missing
        what becomes of missing values: "fractional" sends a part of the row down every branch,
        "node_mode" the whole row where most of the node's known rows went; "column_mode" fills by the
        column's most common level or lower median, "class_mode" by that of the row's class (new rows by
        that of the column, with a warning)
    max_depth
        the largest number of splits on a way down; None for no limit
    min_leaf
        the smallest weight of a branch; of a multiway split at least two branches hold it
    min_gain
        a split is made only if it gains more than this; None splits whatever the gain
    max_leaves
        grow best-first until there are this many leaves; None for no limit
    prune
        None, or how the grown tree is made smaller: "pessimistic" (C4.5's estimate of the error from the
        training rows), "reduced_error" (on rows that are set aside), "cost_complexity" (CART), or
        "chi_square" (a split goes whose branches do not differ significantly)
    prune_alpha
        of "cost_complexity": the share of the root's impurity that a further leaf must take away; "cv"
        finds it by cross-validation and the rule of one standard error
    prune_confidence
        of "pessimistic": at most 0.5; smaller prunes more
    prune_significance
        of "chi_square": smaller prunes more
    prune_order
        of "reduced_error": "best_first" prunes where it helps most, until it harms; "bottom_up" asks each
        split once, from below
    prune_ties
        of "reduced_error": whether a split goes that neither helps nor harms
    raise_subtrees
        of "pessimistic": whether a split may be replaced by its heaviest branch
    validation_fraction
        of "reduced_error": the part of the rows, or of the groups, that is set aside
    feature_costs
        what it costs to know each column, by name or as one number per column
    cost_rule
        "tan_schlimmer" (gain² / cost) or "nunez" ((2^gain - 1) / (cost + 1)^w). With costs the gain
        itself is weighed, whatever the criterion; `average_gain` does not apply
    cost_exponent
        w of the rule of Núñez
    class_weight
        None, "balanced", or a weight for each class, for growing, pruning and `predict`; `predict_proba`
        gives the shares that the classes really have
    smoothing
        how many imaginary rows, with the classes in their shares of the training rows, are added to the
        rows of a leaf before `predict_proba` takes shares; 0 for none
    random_state
        the seed of what is set aside for "reduced_error" and "cv"; None is 0, so that the same data give
        the same tree. Growing draws nothing at random
    n_jobs
        threads; None is one, -1 all processors

    Attributes
    ----------
    classes_
    n_classes_
    class_weights_
        one per class
    class_factors_
        one per class, by which `predict_proba` multiplies before all sum to 1; 1 after `fit`. The inner
        folds of a study give others where new rows show that the mean probability is off
    n_features_in_
    feature_names_in_
    n_leaves_
    depth_
    feature_importances_
    tree_
        the nodes
    prune_alpha_
        after prune="cost_complexity"

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[20.0], [25.0], [31.0], [40.0]])
    >>> tree = TreeClassifier.cart().fit(X, ["young", "young", "old", "old"])
    >>> print(tree)
    x0 <= 28: young (2)
    x0 > 28: old (2)
    >>> tree.predict([[22.0], [33.0]]).tolist()
    ['young', 'old']
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("criterion", choices=("gain_ratio", "entropy", "gini", "error")),
        Parameter("average_gain", choices=(True, False)),
        Parameter("numeric_cuts", choices=("c45", "plain")),
        Parameter("missing", choices=("fractional", "node_mode", "column_mode", "class_mode")),
        Parameter("prune", choices=(None, "reduced_error", "cost_complexity", "pessimistic", "chi_square")),
        Parameter("prune_confidence", number="number", lowest=0, is_above=True, highest=0.5),
        Parameter("raise_subtrees", choices=(True, False)),
        Parameter("prune_significance", number="number", lowest=0, highest=1),
        Parameter("class_weight", choices=(None, "balanced"), types=(dict,)),
        SMOOTHING,
        *TREE_PARAMETERS,
    )

    _is_regression = False
    classes_: NDArray[Any]
    n_classes_: int

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        average_gain: bool = True,
        numeric_cuts: str = "c45",
        categorical: CategoryChoice = "auto",
        categorical_splits: str = "multiway",
        missing: str = "fractional",
        max_depth: int | None = None,
        min_leaf: float = 2,
        min_gain: float | None = 0.0,
        max_leaves: int | None = None,
        prune: str | None = "pessimistic",
        prune_alpha: float | str = "cv",
        prune_confidence: float = 0.25,
        prune_significance: float = 0.05,
        prune_order: str = "best_first",
        prune_ties: bool = True,
        raise_subtrees: bool = True,
        validation_fraction: float = 0.25,
        feature_costs: PerColumn = None,
        cost_rule: str = "tan_schlimmer",
        cost_exponent: float = 1.0,
        class_weight: ClassWeight = None,
        smoothing: float = 1.0,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.average_gain, self.numeric_cuts = average_gain, numeric_cuts
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.missing = missing
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_gain = min_gain
        self.max_leaves = max_leaves
        self.prune = prune
        self.prune_alpha = prune_alpha
        self.prune_confidence = prune_confidence
        self.prune_significance = prune_significance
        self.prune_order, self.prune_ties = prune_order, prune_ties
        self.raise_subtrees = raise_subtrees
        self.validation_fraction = validation_fraction
        self.feature_costs = feature_costs
        self.cost_rule, self.cost_exponent = cost_rule, cost_exponent
        self.class_weight, self.smoothing = class_weight, smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    @classmethod
    def id3(cls, **changes: Any) -> Self:
        """Quinlan's ID3: information gain, a branch per level, grown until nothing is gained."""
        classic: dict[str, Any] = {
            "criterion": "entropy",
            "average_gain": False,
            "numeric_cuts": "plain",
            "missing": "node_mode",
            "min_leaf": 1,
            "prune": None,
        }
        return cls(**(classic | changes))

    @classmethod
    def c45(cls, **changes: Any) -> Self:
        """Quinlan's C4.5: gain ratio, parts of rows, pruned by its pessimistic estimate. The defaults."""
        return cls(**changes)

    @classmethod
    def cart(cls, **changes: Any) -> Self:
        """Breiman's CART: Gini impurity, two branches everywhere, pruned by cost and complexity."""
        classic: dict[str, Any] = {
            "criterion": "gini",
            "average_gain": False,
            "numeric_cuts": "plain",
            "categorical_splits": "subset",
            "missing": "node_mode",
            "min_leaf": 1,
            "prune": "cost_complexity",
            "prune_alpha": "cv",
        }
        return cls(**(classic | changes))

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class with the most weight where each row ends; ties go to the first class.

        Where parts of a row end in several leaves, their shares of weight are added up, each with its part.
        Smoothing is for probabilities and decides nothing.
        """
        value = self._fitted().grown.value
        return predict_rows(self, X, self._labels(value), self._in_parts(value), self._labels_of_parts)

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The probabilities of the classes, in the order of `classes_`, where each row ends.

        They are the shares of the classes among the training rows there, without class weights, and with
        `smoothing`. Where parts of a row end in several leaves, theirs are added up, each with its part.
        """
        probabilities = self._probabilities(self._fitted().grown.value)
        return predict_rows(self, X, probabilities, probabilities, at_most_one)

    def to_dnf(self, class_: object) -> str:
        """When a row of known values gets this class, in disjunctive normal form."""
        return self.rules().to_dnf(class_)

    def fixed_code_bits(self, n_values: ArrayLike) -> float:
        """The length of the tree in a code fixed before the rows were seen, as `occam_bound` needs it.

        Its classes alone are told, not their shares, and its cuts are those of a grid: every column takes one
        of so many values, whatever rows come. Round numbers to such a grid before the fit. A leaf names one
        of the classes, and a level that no row of a node had is a leaf. It describes the predictions for rows
        without missing values.

        Parameters
        ----------
        n_values
            how many values each column can take, decided without the rows; one number for all columns, or
            one for each

        Examples
        --------
        >>> tree = TreeClassifier(min_leaf=1).fit([[1.0], [2.0], [7.0], [8.0]], ["a", "a", "b", "b"])
        >>> tree.fixed_code_bits(9)  # three nodes, one of eight cuts, two leaves with one of two classes
        8.0
        """
        grown, seen = self._fitted().grown, self.n_values_
        given = np.broadcast_to(np.asarray(n_values, dtype=np.int64), seen.shape)
        if (given < seen).any():
            position = int(np.argmax(given < seen))
            raise RequestError(
                "a column has more values than the grid",
                where=f"'{self.inputs_.names[position]}': {seen[position]:,} values, not {given[position]:,}",
                fix="round it to the grid before the fit, or take a finer grid",
            )
        is_one_vs_rest = self.categorical_splits == "one_vs_rest"
        splits = split_bits(grown.feature, grown.split_kind, given, is_one_vs_rest)
        is_multiway = grown.split_kind == MULTIWAY
        n_empty = int((given[grown.feature[is_multiway]] - grown.n_children[is_multiway]).sum())
        n_leaves = self.n_leaves_ + n_empty
        return len(splits) + n_empty + n_leaves * class_bits(self.n_classes_) + math.fsum(splits.tolist())

    def _rows(self, X: TableLike, y: ArrayLike, sample_weight: PerRow, groups: PerRow) -> TrainingRows:
        rows = class_rows(self, X, y, sample_weight, groups, self._n_threads)
        self.class_factors_ = np.ones(self.n_classes_)
        return rows

    def _with_class_factors(self, factors: NDArray[np.float64]) -> Self:
        """The same tree, which multiplies the probabilities of its nodes by these; `predict` is the same."""
        changed = copy(self)
        changed.class_factors_ = factors
        return changed

    def _labels(self, value: NDArray[np.float64]) -> NDArray[Any]:
        at = self._decision
        codes = value.argmax(axis=1) if at is None else at.codes(self._probabilities(value))
        return np.asarray(self.classes_.take(codes))

    def _labels_of_parts(self, parts: NDArray[np.float64]) -> NDArray[Any]:
        return np.asarray(self.classes_.take(self._codes_of_parts(parts)))

    def _in_parts(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is added up to decide on a row in parts: shares of weight, or what a threshold is set for."""
        return shares_of(value) if self._decision is None else self._probabilities(value)

    def _codes_of_parts(self, parts: NDArray[np.float64]) -> NDArray[np.intp]:
        """The class of each row of such sums."""
        at = self._decision
        return first_largest(parts) if at is None else at.codes(parts)

    def _code(self, value: NDArray[np.float64]) -> int:
        """The class of a node, or of several that are taken together, from the class weights in it."""
        at = self._decision
        return int(value.argmax() if at is None else at.codes(self._share_of(value)))

    def _probabilities(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        counts = unweighted(value, self.class_weights_)
        shares = smoothed(counts, shares_of(counts[0]), float(self.smoothing))
        return calibrated(shares, self.class_factors_)

    def _share_of(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities of the classes in a node of this tree."""
        root = unweighted(self.tree_.grown.value[0], self.class_weights_)
        shares = smoothed(unweighted(value, self.class_weights_), shares_of(root), float(self.smoothing))
        return calibrated(shares, self.class_factors_)

    def _leaf_text(self, node: int) -> str:
        label = shown_level(str(self.classes_[self._code(self.tree_.grown.value[node])]))
        return f"{label} ({self._evidence(node)}{self._decided_by(node)})"

    def _decided_by(self, node: int) -> str:
        """Where a threshold decides, what it is compared with."""
        at = self._decision
        return "" if at is None else f"; {at.share_words(self._share_of(self.tree_.grown.value[node]))}"

    def _evidence(self, node: int) -> str:
        """As C4.5 writes it: the training rows, and how many of them have another class; weights as such."""
        grown, rows = self.tree_.grown, self._row_counts
        index = self._code(grown.value[node])
        weight = _with_wrong(grown.value[node], index)
        if rows is None:
            return f"{plural(int(grown.n_rows[node]), 'row')}, weight {weight}"
        n_rows = _with_wrong(rows[node], index)
        return n_rows if (self.class_weights_ == 1.0).all() else f"{n_rows} rows, weight {weight}"

    @property
    def _row_counts(self) -> NDArray[np.float64] | None:
        """Node × class: how many rows, and parts of rows, came there; None where rows had weights."""
        grown = self.tree_.grown
        counts = unweighted(grown.value, self.class_weights_)
        return counts if math.isclose(counts[0].sum(), grown.n_rows[0], rel_tol=1e-9) else None


def _with_wrong(counts: NDArray[np.float64], index: int) -> str:
    """The sum of counts, and behind a bar what is not at this index, if there is something."""
    total = float(counts.sum())
    wrong = total - float(counts[index])
    return shown_count(total) if wrong <= 1e-9 * total else f"{shown_count(total)}/{shown_count(wrong)}"
