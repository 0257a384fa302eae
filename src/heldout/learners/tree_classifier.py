"""A classification tree in the manner of ID3, C4.5 and CART."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.targets import check_lengths, class_codes, class_weighted, row_weights
from heldout.learners.tree_base import TREE_PARAMETERS, TreeBase
from heldout.learners.tree_text import shown_count, shown_level


class TreeClassifier(ClassifierMixin, TreeBase):  # type: ignore[misc]
    """A classification tree that takes categories and missing values as they are.

    Every split is the best one: no binning, no sampling. Ties go to the column on the left and the
    lower cut, so the same table gives the same tree, whatever the number of threads. As it is, the
    tree is that of `TreeClassifier.c45()`; `.id3()` and `.cart()` are the two other classics.

    criterion:          what a split is chosen by: "gain_ratio" (information gain over split information),
                        "entropy" (information gain in bits), "gini", or "error" (training error)
    average_gain:       whether gain ratio is taken only among columns of at least average gain, as in C4.5
    categorical:        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of
                        names or positions, or a mask, whose columns become categories as well
    categorical_splits: "multiway" (a branch per level), "subset" (the best two groups of levels: exact for
                        two classes, else the best cut of the levels ordered by the share of one class), or
                        "one_vs_rest"
    missing:            "node_mode" sends an unknown value where most of the node's known rows went
    max_depth:          the largest number of splits on a way down; None for no limit
    min_leaf:           the smallest weight of a branch; of a multiway split at least two branches hold it
    min_gain:           a split is made only if it gains more than this; None splits whatever the gain
    max_leaves:         grow best-first until there are this many leaves; None for no limit
    feature_costs:      what it costs to know each column, by name or as one number per column
    cost_rule:          "tan_schlimmer" (gain² / cost) or "nunez" ((2^gain - 1) / (cost + 1)^w)
    cost_exponent:      w of the rule of Núñez
    class_weight:       None, "balanced", or a weight for each class
    random_state:       taken for scikit-learn's sake and not used: growing draws nothing at random
    n_jobs:             threads; None is one, -1 all processors

    After fit: classes_, n_classes_, n_features_in_, feature_names_in_, n_leaves_, depth_,
    feature_importances_, tree_ (the nodes).

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
        Parameter("class_weight", choices=(None, "balanced"), types=(dict,)),
        *TREE_PARAMETERS,
    )

    classes_: NDArray[Any]
    n_classes_: int

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        average_gain: bool = True,
        categorical: Any = "auto",
        categorical_splits: str = "multiway",
        missing: str = "node_mode",
        max_depth: int | None = None,
        min_leaf: float = 2,
        min_gain: float | None = 0.0,
        max_leaves: int | None = None,
        feature_costs: Any = None,
        cost_rule: str = "tan_schlimmer",
        cost_exponent: float = 1.0,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.average_gain = average_gain
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.missing = missing
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_gain = min_gain
        self.max_leaves = max_leaves
        self.feature_costs = feature_costs
        self.cost_rule = cost_rule
        self.cost_exponent = cost_exponent
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    @classmethod
    def id3(cls, **changes: Any) -> Self:
        """Quinlan's ID3: information gain, a branch per level, grown until nothing is gained."""
        classic: dict[str, Any] = {"criterion": "entropy", "average_gain": False, "min_leaf": 1}
        return cls(**(classic | changes))

    @classmethod
    def c45(cls, **changes: Any) -> Self:
        """Quinlan's C4.5: gain ratio among columns of at least average gain. These are the defaults."""
        return cls(**changes)

    @classmethod
    def cart(cls, **changes: Any) -> Self:
        """Breiman's CART: Gini impurity, two branches everywhere, grown until pure."""
        classic: dict[str, Any] = {
            "criterion": "gini",
            "average_gain": False,
            "categorical_splits": "subset",
            "min_leaf": 1,
        }
        return cls(**(classic | changes))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        X:             a Table, a pandas, polars or Arrow frame, or an array; NaN is a missing value
        y:             one class per row
        sample_weight: how often each row counts; rows of weight 0 are left out
        """
        check_parameters(self, self._parameters)
        classes, codes = class_codes(self, y)
        inputs = self._enter(X)
        check_lengths(inputs.n_rows, codes)
        weights = row_weights(sample_weight, inputs.n_rows)
        weights = class_weighted(self.class_weight, classes, codes, weights)
        self.classes_, self.n_classes_ = classes, len(classes)
        self._grow(inputs, weights, classes=codes, n_classes=len(classes))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the most weight where each row ends; ties go to the first class."""
        structure = self._fitted()
        class_of_node = self.classes_.take(structure.grown.value.argmax(axis=1))
        return np.asarray(class_of_node.take(self.apply(X)))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The shares of the classes, in the order of `classes_`, where each row ends."""
        value = self._fitted().grown.value
        shares = value / value.sum(axis=1, keepdims=True)
        return np.asarray(shares.take(self.apply(X), axis=0))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithms of the shares."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def _answer(self, node: int) -> str:
        counts = self.tree_.grown.value[node]
        label = shown_level(str(self.classes_[counts.argmax()]))
        total = float(counts.sum())
        wrong = total - float(counts.max())
        if wrong <= 1e-9 * total:
            return f"{label} ({shown_count(total)})"
        return f"{label} ({shown_count(total)}/{shown_count(wrong)})"
