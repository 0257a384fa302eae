"""What classification and regression trees share: growing, walking, and showing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from heldout import native
from heldout.errors import RequestError
from heldout.learners.input_schema import InputSchema, column_positions
from heldout.learners.parameters import Parameter, check_parameters, refusal
from heldout.learners.prediction_inputs import prediction_blocks
from heldout.learners.training_inputs import TrainingInputs, training_inputs
from heldout.learners.tree_structure import TreeStructure
from heldout.learners.tree_text import tree_text

N_JOBS = Parameter("n_jobs", choices=(None,), number="integer", is_not_0=True)
SHOWN_DEPTH = Parameter("max_depth", choices=(None,), number="integer", lowest=0)

# What both trees have; each adds its criteria.
TREE_PARAMETERS = (
    Parameter("categorical", choices=("auto",), types=(list, tuple, np.ndarray)),
    Parameter("categorical_splits", choices=("multiway", "subset", "one_vs_rest")),
    Parameter("missing", choices=("node_mode",)),
    Parameter("max_depth", choices=(None,), number="integer", lowest=0),
    Parameter("min_leaf", number="number", lowest=0, is_above=True),
    Parameter("min_gain", choices=(None,), number="number"),
    Parameter("max_leaves", choices=(None,), number="integer", lowest=1),
    Parameter("feature_costs", choices=(None,), types=(dict, list, tuple, np.ndarray)),
    Parameter("cost_rule", choices=("tan_schlimmer", "nunez")),
    Parameter("cost_exponent", number="number", lowest=0),
    Parameter("random_state", choices=(None,), number="integer", types=(np.random.RandomState,)),
    N_JOBS,
)


class TreeBase(BaseEstimator):  # type: ignore[misc]
    """A tree that `fit` has grown, or that waits for it."""

    _parameters: ClassVar[tuple[Parameter, ...]]

    # Set by the constructors of the two trees.
    criterion: str
    categorical: Any
    categorical_splits: str
    max_depth: int | None
    min_leaf: float
    min_gain: float | None
    max_leaves: int | None
    feature_costs: Any
    cost_rule: str
    cost_exponent: float
    n_jobs: int | None

    # Set by fit.
    n_features_in_: int
    tree_: TreeStructure
    inputs_: InputSchema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags

    def __str__(self) -> str:
        return self.to_text() if self.__sklearn_is_fitted__() else repr(self)

    def __sklearn_is_fitted__(self) -> bool:
        return "tree_" in self.__dict__

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The node in which each row ends.

        That is a leaf, except where a row has a level that its node never saw: it stops there.
        """
        structure = self._fitted()
        check_parameters(self, (N_JOBS,))
        threads, number_of = n_threads(self.n_jobs), self.inputs_.number_of
        reached = [
            native.apply_tree(structure.grown, inputs.numbers, number_of, inputs.levels, threads)
            for inputs in prediction_blocks(self, X, self.inputs_)
        ]
        return reached[0] if len(reached) == 1 else np.concatenate(reached)

    def decision_path(self, X: Any) -> Any:
        """A sparse table of rows × nodes that marks the nodes on each row's way."""
        return self._fitted().paths(self.apply(X))

    def to_text(self, max_depth: int | None = 30) -> str:
        """The tree as text, in the original names, with counts at the leaves.

        max_depth: deeper parts are folded into one line, with 0 the whole tree; None shows everything, and
                   every level of a group, of which else the first ten are named
        """
        if not SHOWN_DEPTH.allows(max_depth):
            raise refusal("to_text", SHOWN_DEPTH, max_depth)
        return tree_text(self._fitted(), self.inputs_, self._answer, max_depth)

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

    def _fitted(self) -> TreeStructure:
        structure: TreeStructure | None = self.__dict__.get("tree_")
        if structure is None:
            name = type(self).__name__
            raise NotFittedError(
                f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before"
                " using this estimator."
            )
        return structure

    @abstractmethod
    def _answer(self, node: int) -> str:
        """What a leaf answers, as text."""

    def _enter(self, X: Any) -> TrainingInputs:
        return training_inputs(self, X, self.categorical, n_threads(self.n_jobs))

    def _grow(
        self,
        inputs: TrainingInputs,
        weights: NDArray[np.float64] | None,
        classes: NDArray[np.uint32] | None = None,
        n_classes: int = 0,
        targets: NDArray[np.float64] | None = None,
    ) -> None:
        """Grow on the rows that have a weight, and remember the tree."""
        if weights is not None and not weights.all():
            chosen = np.flatnonzero(weights)
            inputs, weights = inputs.keep(chosen), weights[chosen]
            classes = None if classes is None else classes[chosen]
            targets = None if targets is None else targets[chosen]
        inputs = inputs.compacted()
        options = self._options(inputs.schema)
        grown = native.grow_tree(inputs.columns, inputs.rows, classes, n_classes, targets, weights, options)
        self.tree_ = TreeStructure(grown)
        self.inputs_ = inputs.schema

    def _options(self, schema: InputSchema) -> native.GrowOptions:
        costs = None if self.feature_costs is None else column_costs(self, schema.names)
        return native.GrowOptions(
            criterion=self.criterion,
            categorical_splits=self.categorical_splits,
            average_gain=bool(getattr(self, "average_gain", False)),
            max_depth=-1 if self.max_depth is None else int(self.max_depth),
            min_leaf=float(self.min_leaf),
            min_gain=-np.inf if self.min_gain is None else float(self.min_gain),
            max_leaves=-1 if self.max_leaves is None else int(self.max_leaves),
            costs=costs,
            cost_rule="none" if costs is None else self.cost_rule,
            cost_exponent=float(self.cost_exponent),
            n_threads=n_threads(self.n_jobs),
        )


def n_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` means: None is one, -1 all processors.

    >>> n_threads(None), n_threads(2)
    (1, 2)
    """
    if n_jobs is None or n_jobs == 1:
        return 1
    from joblib import effective_n_jobs  # type: ignore[import-untyped]

    return int(effective_n_jobs(n_jobs))


def column_costs(tree: TreeBase, names: list[str]) -> NDArray[np.float64]:
    """One cost per column, from a dict (a column that is not named costs 1) or a sequence."""
    given = tree.feature_costs
    if isinstance(given, Mapping):
        positions = column_positions(list(given), names)
        costs = np.ones(len(names))
        if positions is None:
            unknown = [name for name in given if column_positions([name], names) is None]
            raise _cost_error(
                f"it names {unknown[0]!r}, which is not a column", "use the names of the columns"
            )
        costs[positions] = _cost_numbers(list(given.values()))
    else:
        costs = _cost_numbers(given)
    if costs.shape != (len(names),):
        raise _cost_error(f"shape {costs.shape} for {len(names)} columns", "give one cost per column")
    lowest_allowed = tree.cost_rule == "nunez"
    if not (np.isfinite(costs).all() and (costs.min() > 0 or (lowest_allowed and costs.min() >= 0))):
        raise _cost_error(f"the smallest is {costs.min():g}", "use finite costs above 0")
    return costs


def _cost_numbers(given: Any) -> NDArray[np.float64]:
    try:
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _cost_error(str(error), "use finite costs above 0") from error


def _cost_error(where: str, fix: str) -> RequestError:
    return RequestError("feature_costs does not fit the columns", where=f"feature_costs: {where}", fix=fix)
