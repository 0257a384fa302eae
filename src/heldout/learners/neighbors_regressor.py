"""Regression by the nearest training rows: their mean, or a plane through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from heldout.arrays import Floats
from heldout.inputs.targets import numeric_targets
from heldout.learners.neighbors.leave_one_out import LeaveOneOut
from heldout.learners.neighbors.neighbor_lists import NeighborBlock
from heldout.learners.neighbors.neighbors_base import NEIGHBORS_PARAMETERS, NeighborsBase
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.learners.neighbors.votes import mean_steps
from heldout.learners.parameters import Parameter
from heldout.types import NeighborWeights, PerColumn, TableLike


class NeighborsRegressor(RegressorMixin, NeighborsBase):  # type: ignore[misc]
    """What the k nearest training rows say of a row: their mean, or a straight plane through them.

    The search is exact: distances are sums of float64 in the order of the columns. Of equally near rows the
    one that stands first among the training rows is nearer.

    Parameters
    ----------
    k
        how many neighbors are combined; "all" is every training row. More than there are is refused
    metric
        how far apart two rows are: "l2", "l1", "linf", "mahalanobis", "hamming", "cosine", or "gower" for
        categories and missing values; see NeighborsClassifier
    weights
        how much a neighbor counts: "uniform", "inverse", "gaussian", or a function; see there
    bandwidth
        of "gaussian"; None is half the distance of the k-th neighbor, of each row anew
    local
        "mean" is the weighted mean; "linear" a plane through the neighbors by weighted least squares, at
        the row that is asked for. Where the neighbors leave its slopes open (too few, or in line) the
        smallest slopes are taken. It needs numbers, not sparse ones, and leaves columns of feature weight
        0 out
    feature_weights
        what each column counts in the distance, by name or one number per column
    n_jobs
        threads; None is one, -1 all processors

    Notes
    -----
    After fit: `n_features_in_`, `feature_names_in_`, and the rows: `numbers_`, `levels_`, `targets_`;
    `inputs_`, `metric_`, `feature_weights_`, and what the metric has learned: `ranges_` of Gower, `center_`
    and `factor_` of Mahalanobis.

    Examples
    --------
    >>> rows, targets = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 5.0, 7.0]
    >>> NeighborsRegressor(k=2).fit(rows, targets).predict([[2.6]]).tolist()
    [6.0]
    >>> NeighborsRegressor(k=3, local="linear").fit(rows, targets).predict([[2.6]]).round(9).tolist()
    [6.2]
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        *NEIGHBORS_PARAMETERS,
        Parameter("local", choices=("mean", "linear")),
    )
    _is_regression = True

    def __init__(
        self,
        k: int | str = 5,
        *,
        metric: str = "l2",
        weights: NeighborWeights = "uniform",
        bandwidth: float | None = None,
        local: str = "mean",
        feature_weights: PerColumn = None,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.metric = metric
        self.weights = weights
        self.bandwidth = bandwidth
        self.local = local
        self.feature_weights = feature_weights
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self.metric == "hamming"  # whether numbers are equal says little
        return tags

    def predict(self, X: TableLike) -> NDArray[np.float64]:
        """The weighted mean of the neighbors, or what the plane through them says at the row."""
        return self._combined(X)

    @property
    def _is_linear(self) -> bool:
        return self.local == "linear"

    def _enter_targets(self, y: ArrayLike) -> NDArray[Any]:
        self.targets_ = numeric_targets(self, y).copy()
        return self.targets_

    def _n_distinct_targets(self) -> int:
        return len(np.unique(self.targets_))

    def _target_of(self, position: int) -> float:
        return float(self.targets_[position])

    def _steps(
        self, block: NeighborBlock, queries: StoredRows, ks: Sequence[int]
    ) -> Iterator[NDArray[np.float64]]:
        targets, weighting = self.targets_[block.positions], self._weighting
        if not self._is_linear and not weighting.changes_with_k:
            yield from mean_steps(targets, weighting.weights(block.distances), ks)
            return
        whole = None if weighting.changes_with_k else weighting.weights(block.distances)
        for k in ks:
            given = weighting.weights(block.distances[:, :k]) if weighting.changes_with_k else whole
            weights = None if given is None else given[:, :k]
            if self._is_linear:
                yield self._plane(block.positions[:, :k], queries, targets[:, :k], weights)
            else:
                yield from mean_steps(targets[:, :k], weights, [k])

    def _plane(
        self,
        positions: NDArray[np.int32],
        queries: StoredRows,
        targets: NDArray[np.float64],
        weights: NDArray[np.float64] | None,
    ) -> NDArray[np.float64]:
        requested, rows = queries.dense_numbers, self._kept.dense_numbers
        is_used = self.feature_weights_ > 0
        if not is_used.all():
            requested, rows = requested[:, is_used], rows[:, is_used]
        return plane_predictions(requested, rows, positions, targets, weights)

    def _judged(self, blocks: Iterator[NeighborBlock], k_max: int, keeps_predictions: bool) -> LeaveOneOut:
        n_rows, ks = len(self.targets_), range(1, k_max + 1)
        squares = np.zeros(k_max)
        predicted = np.empty((k_max, n_rows)) if keeps_predictions else None
        for block in blocks:
            truth, queries = self.targets_[block.part], self._kept.take(block.part)
            for index, predictions in enumerate(self._steps(block, queries, ks)):
                off = predictions - truth
                squares[index] += off @ off
                if predicted is not None:
                    predicted[index, block.part] = predictions
        return LeaveOneOut("mean squared error", squares / n_rows, n_rows, predicted)


CELLS_PER_BLOCK = 1 << 21


def plane_predictions(
    queries: NDArray[np.floating],
    rows: NDArray[np.floating],
    positions: NDArray[np.int32],
    targets: Floats,
    weights: Floats | None,
) -> Floats:
    """The prediction at each query.

    queries:   query × column
    rows:      training row × column
    positions: query × rank: the neighbors
    targets:   query × rank: their predictions
    weights:   query × rank; None where each counts 1
    """
    predictions = np.empty(len(queries))
    k, n_columns = positions.shape[1], rows.shape[1]
    height = max(1, CELLS_PER_BLOCK // (k * n_columns))
    for begin in range(0, len(queries), height):
        part = slice(begin, begin + height)
        some = None if weights is None else weights[part]
        points = rows[positions[part]].astype(np.float64, copy=False)
        predictions[part] = _plane_values(
            queries[part].astype(np.float64, copy=False), points, targets[part], some
        )
    return predictions


def _plane_values(queries: Floats, points: Floats, targets: Floats, weights: Floats | None) -> Floats:
    k, n_columns = points.shape[1:]
    parts = np.full(targets.shape, 1.0 / k) if weights is None else weights / _sums(weights)[:, np.newaxis]
    middle = _sums((points * parts[:, :, np.newaxis]).swapaxes(1, 2))
    level = _sums(targets * parts)
    roots = np.sqrt(parts)
    left = (points - middle[:, np.newaxis]) * roots[:, :, np.newaxis]
    right = (targets - level[:, np.newaxis]) * roots
    u, sizes, v = np.linalg.svd(left, full_matrices=False)
    is_kept = sizes > np.finfo(np.float64).eps * max(k, n_columns) * sizes[:, :1]
    along = _sums(u.swapaxes(1, 2) * right[:, np.newaxis])
    along = np.divide(along, sizes, out=np.zeros_like(along), where=is_kept)
    reach = _sums(v * (queries - middle)[:, np.newaxis])
    return level + _sums(along * reach)


def _sums(terms: Floats) -> Floats:
    """Sums over the last axis, term after term, so that they do not depend on the other rows."""
    return np.asarray(np.cumsum(terms, axis=-1)[..., -1])
