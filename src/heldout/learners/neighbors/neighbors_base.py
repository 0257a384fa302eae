"""What classification and regression by neighbors share: keeping rows, comparing them, and sweeps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from heldout.arrays import Floats
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.targets import check_lengths
from heldout.learners.neighbors.explanation import NeighborsExplanation, explain_row
from heldout.learners.neighbors.learned_metric import (
    METRICS,
    OTHER_NAMES,
    SPARSE_METRICS,
    LearnedMetric,
    learn_metric,
)
from heldout.learners.neighbors.leave_one_out import LeaveOneOut, last_k, left_out_blocks
from heldout.learners.neighbors.neighbor_lists import (
    ListedRows,
    NeighborBlock,
    blocks_without_own,
    can_look_up,
    listed_blocks,
    listed_rows,
    neighbor_blocks,
    share_lists,
)
from heldout.learners.neighbors.neighbors_sweep import NeighborsSweep, calibrate, neighbors_sweep
from heldout.learners.neighbors.parameter_checks import (
    K,
    check_k,
    refuse_unused_bandwidth,
    refuse_weighted_mahalanobis,
    warn_of_unused_bandwidth,
    weights_of_columns,
)
from heldout.learners.neighbors.row_inputs import rows_at_fit, rows_later
from heldout.learners.neighbors.stored_rows import StoredRows, bits_of_columns
from heldout.learners.neighbors.votes import Weighting
from heldout.learners.parameters import N_JOBS, Parameter, check_copies, check_parameters
from heldout.learners.readable_learner import KnownParameters, learner_copies
from heldout.learners.sweep import settings_of
from heldout.table.table import Table
from heldout.types import SettingsSpace, TableLike

NEIGHBORS_PARAMETERS = (
    K,
    Parameter("metric", choices=METRICS, synonyms=OTHER_NAMES),
    Parameter(
        "weights",
        choices=("uniform", "inverse", "gaussian"),
        types=(Callable,),  # type: ignore[arg-type]
        synonyms=(("distance", "inverse"),),
    ),
    Parameter("bandwidth", choices=(None,), number="number", lowest=0, is_above=True),
    Parameter("feature_weights", choices=(None,), types=(dict, list, tuple, np.ndarray)),
    N_JOBS,
)
# What only some metrics learn.
LEARNED = ("ranges_", "center_", "factor_")


class NeighborsBase(KnownParameters):
    """Training rows that vote on the rows near them."""

    _parameters: ClassVar[tuple[Parameter, ...]]
    _is_regression: ClassVar[bool]

    # Set by the constructors.
    k: int | str
    metric: str
    weights: str | Callable[[NDArray[np.float64]], Any]
    bandwidth: float | None
    feature_weights: Any
    n_jobs: int | None

    # Set by fit.
    n_features_in_: int
    inputs_: InputSchema
    metric_: str
    numbers_: Any
    levels_: NDArray[np.int32]
    feature_weights_: NDArray[np.float64]
    _listed: ListedRows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.metric in SPARSE_METRICS and not self._is_linear
        tags.input_tags.allow_nan = self.metric == "gower"
        tags.input_tags.categorical = self.metric in ("gower", "hamming")
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return "numbers_" in self.__dict__

    def fit(self, X: TableLike, y: ArrayLike) -> Self:
        """Keep the rows, and learn of them what the metric needs.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, an array, or a sparse matrix (metrics l2, l1 and
            cosine)
        y
            one target per row
        """
        check_parameters(self, self._parameters)
        warn_of_unused_bandwidth(self)
        self._learn(X, y, needs_k=True)
        calibrate([self])
        return self

    def kneighbors(
        self, X: TableLike | None = None, k: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Distances and positions of the nearest training rows: the nearest first, ties by position.

        Parameters
        ----------
        X
            rows; None for the training rows themselves, each without itself
        k
            how many; None for that of the learner
        """
        check_is_fitted(self)
        wanted = check_k(self, self.k if k is None else k, self._kept.n_rows, is_own_left_out=X is None)
        if X is None:
            metric, points = self._learned_metric, self._reference_points
            blocks = list(blocks_without_own(metric, points, wanted, n_threads=self._n_threads))
        else:
            blocks = list(self._blocks(rows_later(self, X), wanted))
        distances = [block.distances for block in blocks]
        positions = [block.positions for block in blocks]
        return np.concatenate(distances), np.concatenate(positions).astype(np.intp)

    def sweep(self, X: TableLike, y: ArrayLike, space: SettingsSpace) -> NeighborsSweep:
        """Fit many settings at once; this learner is not changed.

        Rows are searched once for each metric and feature_weights, for the largest k that is asked for; k,
        weights, bandwidth and local are then predicted from the same neighbors. Each setting predicts as if
        it had been fitted by itself.

        Parameters
        ----------
        X, y
            as for `fit`
        space
            parameters with lists of values, of which every combination is a setting, such as {"k":
            range(1, 51), "weights": ["uniform", "inverse"]}; or a list of settings, each a dict
        """
        settings = settings_of(self, space)
        learners = learner_copies(self, settings)
        check_copies(learners, settings, self._parameters)
        refuse_unused_bandwidth(settings, learners)
        return neighbors_sweep(settings, learners, X, y)

    def share(self, X: Table, k: int, n_threads: int = 1) -> bool:
        """Search the neighbors of all rows of a table once, for all folds of it; changes no prediction.

        Whoever learns from a selection of the rows and asks for another gets the same neighbors, sooner. Only
        metrics that learn nothing can share. Returns whether the neighbors were kept, with the table.

        Parameters
        ----------
        X
            a Table of all rows
        k
            how many neighbors will be asked for at most
        """
        learner: NeighborsBase = clone(self)
        check_parameters(learner, self._parameters)
        schema, rows = rows_at_fit(learner, X)
        weights = weights_of_columns(self.feature_weights, schema.names)
        metric = learn_metric(learner.metric, schema, weights, rows)
        return share_lists(X, metric, metric.points(rows), k, n_threads) is not None

    def leave_one_out(
        self, X: TableLike, y: ArrayLike, k_max: int | None = None, *, keeps_predictions: bool = False
    ) -> LeaveOneOut:
        """The error for every K from 1 to k_max, each row predicted by the others; changes nothing here.

        It is what as many separate fits give, ties and duplicates included: a row is left out by its index.
        A metric that is learned from the rows is learned without the row: Gower at no cost worth mentioning,
        Mahalanobis at that of as many fits, and only on tables that are not too large for it. Weights that
        depend on how many neighbors there are (a function, or bells without a bandwidth) and planes are made
        anew for each K. The parameter k plays no part.

        Parameters
        ----------
        X, y
            as for `fit`
        k_max
            the largest K; None for one less than there are rows
        keeps_predictions
            whether the predictions of each K are wanted too
        """
        learner: NeighborsBase = clone(self)
        check_parameters(learner, self._parameters)
        learner._learn(X, y, needs_k=False)
        wanted = last_k(k_max, learner._kept.n_rows)
        blocks = left_out_blocks(
            learner._learned_metric,
            learner._kept,
            learner._reference_points,
            wanted,
            width=learner._width,
            n_threads=learner._n_threads,
        )
        return learner._judged(blocks, wanted, keeps_predictions)

    def explain(self, row: object) -> NeighborsExplanation:
        """The neighbors of one row, with distances, weights and values, and the prediction that they give.

        Parameters
        ----------
        row
            a dict or a series with the names of the columns, a Table or frame of one row, or an array
        """
        check_is_fitted(self)
        check_parameters(self, self._parameters)
        return explain_row(self, row)

    def description_bits(self) -> float:
        """The length of the stored rows in bits.

        Each value costs log2 of the number of distinct values that its column has (a missing one is one of
        them), each target log2 of the number of classes, or of distinct targets.
        """
        check_is_fitted(self)
        rows = self._kept
        return bits_of_columns(rows) + rows.n_rows * float(np.log2(self._n_distinct_targets()))

    @property
    def _is_linear(self) -> bool:
        return False

    @property
    def _weighting(self) -> Weighting:
        return Weighting(self.weights, self.bandwidth)

    @property
    def _kept(self) -> StoredRows:
        return StoredRows(self.numbers_, self.levels_)

    @property
    def _learned_metric(self) -> LearnedMetric:
        learned = {name: getattr(self, f"{name}_", None) for name in ("ranges", "center", "factor")}
        return LearnedMetric(self.metric_, self.inputs_, self.feature_weights_, **learned)

    @property
    def _reference_points(self) -> StoredRows:
        """The training rows as the metric compares them; made by `fit`, or again if a file has lost them."""
        if "_points" not in self.__dict__:
            self._points = self._learned_metric.points(self._kept)
        return self._points

    def _learn(self, X: TableLike, y: ArrayLike, needs_k: bool) -> None:
        """Keep rows and targets, and what the metric takes from them."""
        targets = self._enter_targets(y)
        schema, rows = rows_at_fit(self, X)
        check_lengths(rows.n_rows, targets)
        if needs_k:
            check_k(self, self.k, rows.n_rows)
        refuse_weighted_mahalanobis(self)
        weights = weights_of_columns(self.feature_weights, schema.names)
        metric = learn_metric(self.metric, schema, weights, rows)
        for name in LEARNED:
            self.__dict__.pop(name, None)
        self.inputs_, self.metric_, self.feature_weights_ = schema, self.metric, weights
        self.numbers_, self.levels_ = rows.numbers, rows.levels
        if metric.ranges is not None:
            self.ranges_ = metric.ranges
        if metric.center is not None and metric.factor is not None:
            self.center_, self.factor_ = metric.center, metric.factor
        self._points = metric.points(rows)
        self._keep_listed(listed_rows(X, metric))

    def _keep_listed(self, rows: ListedRows | None) -> None:
        """Where the training rows stand in a table that is shared; most are of none, and keep nothing."""
        if rows is None:
            self.__dict__.pop("_listed", None)
        else:
            self._listed = rows

    def _blocks(self, rows: StoredRows, k: int, X: TableLike | None = None) -> Iterator[NeighborBlock]:
        """The neighbors of rows that came after fit.

        X: what the rows were made from; of a table that is shared the neighbors may be known
        """
        metric, points = self._learned_metric, self._learned_metric.points(rows)
        members = self.__dict__.get("_listed")
        queries = None if members is None else listed_rows(X, metric)
        if members is not None and queries is not None and can_look_up(members, queries, k):
            return listed_blocks(members, queries, metric, self._reference_points, points, k, self._n_threads)
        return neighbor_blocks(
            metric, self._reference_points, points, k, width=self._width, n_threads=self._n_threads
        )

    def _combined(self, X: TableLike, reduced: Callable[[Floats], NDArray[Any]] = np.asarray) -> NDArray[Any]:
        """Class shares or numbers for every row of X, or what they are reduced to."""
        check_is_fitted(self)
        check_parameters(self, self._parameters)
        rows, k = rows_later(self, X), check_k(self, self.k, self._kept.n_rows)
        return np.concatenate(
            [
                reduced(next(iter(self._steps(block, rows.take(block.part), [k]))))
                for block in self._blocks(rows, k, X)
            ]
        )

    @property
    def _width(self) -> int:
        """How many numbers the prediction of a row has."""
        return 1

    @abstractmethod
    def _enter_targets(self, y: ArrayLike) -> NDArray[Any]:
        """Check y and keep what is learned of it."""

    @abstractmethod
    def _n_distinct_targets(self) -> int:
        """How many distinct classes or targets there are."""

    @abstractmethod
    def _steps(
        self, block: NeighborBlock, queries: StoredRows, ks: Sequence[int]
    ) -> Iterator[NDArray[np.float64]]:
        """For each k, ascending, class shares or numbers for the rows of a block.

        queries: those rows
        """

    @abstractmethod
    def _judged(self, blocks: Iterator[NeighborBlock], k_max: int, keeps_predictions: bool) -> LeaveOneOut:
        """The errors for K = 1, …, k_max when these neighbors vote on the training rows."""
