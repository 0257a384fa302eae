"""Classification by the nearest training rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.inputs.targets import class_codes
from heldout.learners.class_shares import SMOOTHING, calibrated, class_factors, smoothed_votes
from heldout.learners.decision_threshold import DecidesAtThreshold
from heldout.learners.neighbors.leave_one_out import LeaveOneOut
from heldout.learners.neighbors.neighbor_lists import NeighborBlock
from heldout.learners.neighbors.neighbors_base import NEIGHBORS_PARAMETERS, NeighborsBase
from heldout.learners.neighbors.stored_rows import StoredRows
from heldout.learners.neighbors.votes import leading_steps, share_steps
from heldout.learners.parameters import Parameter
from heldout.learners.readable_learner import HasProbabilities
from heldout.types import NeighborWeights, PerColumn, TableLike


class NeighborsClassifier(ClassifierMixin, HasProbabilities, DecidesAtThreshold, NeighborsBase):  # type: ignore[misc]
    """A vote of the k training rows that are nearest to a row.

    The search is exact: distances are sums of float64 in the order of the columns. Of equally near rows the
    one that stands first among the training rows is nearer; of equally strong classes the first in `classes_`
    is predicted.

    Parameters
    ----------
    k
        how many neighbors vote; "all" is every training row. More than there are is refused
    metric
        how far apart two rows are: "l2" the straight line, "l1" the sum of the differences, "linf" the
        largest of them; "mahalanobis" l2 after the columns are made uncorrelated by the covariance of the
        training rows; "hamming" the share of columns that differ, levels of categories too; "cosine" one
        less the cosine of the angle, 1 for a row of zeros; "gower" for categories and missing values: the
        mean over the columns known in both rows of 1 for levels that differ, and of the difference of
        numbers as a share of the range in the training rows
    weights
        how much a neighbor counts: "uniform" the same for all; "inverse" one by its distance, and where
        some are at distance zero these alone; "gaussian" exp(-½ (distance / bandwidth)²); or a function
        from an array of distances, row × neighbor, to weights of the same shape, each row by itself
    bandwidth
        of "gaussian"; None is half the distance of the k-th neighbor, of each row anew
    feature_weights
        what each column counts in the distance, by name or one number per column: the factor of the term
        of the column (of l2 of the squared difference). 0 leaves the column out
    smoothing
        how many imaginary neighbors `predict_proba` adds to the k, with the classes in their shares of
        the training rows; 0 for none
    calibrate
        whether `predict_proba` multiplies the votes for each class by a factor, so that the training
        rows, each predicted by the others, have their shares on average: rows that lie apart are seldom a
        neighbor. `predict` is the vote in any case. The default contenders of a study are calibrated
    n_jobs
        threads; None is one, -1 all processors

    Notes
    -----
    After fit: `n_features_in_`, `feature_names_in_`, `classes_`, `n_classes_`, and the rows: `numbers_`,
    `levels_`, `class_codes_`; `class_factors_` (one per class); `inputs_`, `metric_`, `feature_weights_`, and
    what the metric has learned: `ranges_` of Gower, `center_` and `factor_` of Mahalanobis.

    Examples
    --------
    >>> rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> xor = NeighborsClassifier(k=1).fit(rows, ["no", "yes", "yes", "no"])
    >>> xor.predict([[0.1, 0.2], [0.9, 0.1]]).tolist()
    ['no', 'yes']
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        *NEIGHBORS_PARAMETERS,
        SMOOTHING,
        Parameter("calibrate", choices=(True, False)),
    )
    _is_regression = False

    def __init__(
        self,
        k: int | str = 5,
        *,
        metric: str = "l2",
        weights: NeighborWeights = "uniform",
        bandwidth: float | None = None,
        feature_weights: PerColumn = None,
        smoothing: float = 0.25,
        calibrate: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.metric = metric
        self.weights = weights
        self.bandwidth = bandwidth
        self.feature_weights = feature_weights
        self.smoothing = smoothing
        self.calibrate = calibrate
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.metric == "hamming"  # whether numbers are equal says little
        return tags

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class with the most weight among the neighbors; ties go to the first in `classes_`."""
        leaders = self._combined(X, lambda shares: shares.argmax(axis=1))
        return np.asarray(self.classes_.take(leaders))

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The share of each class in the weight of the neighbors, smoothed and calibrated."""
        return self._probabilities(self._combined(X))

    def _probabilities(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        votes = self._smoothed(shares)
        return calibrated(votes, self.class_factors_) if self.calibrate else votes

    def _smoothed(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        n_rows = len(self.class_codes_)
        k = n_rows if self.k == "all" else int(self.k)
        prior = np.bincount(self.class_codes_, minlength=self.n_classes_) / n_rows
        return smoothed_votes(shares, k, prior, float(self.smoothing))

    def _keep_factors(self, votes: NDArray[np.float64] | None, requested: NDArray[np.intp]) -> None:
        """Learn the factors of the classes.

        votes: of the nearest others of the rows that were asked; None where no one was
        """
        if votes is None:
            self.class_factors_ = np.ones(self.n_classes_)
            return
        shares = np.bincount(self.class_codes_[requested], minlength=self.n_classes_) / len(requested)
        self.class_factors_ = class_factors(self._smoothed(votes), shares)

    def _enter_targets(self, y: ArrayLike) -> NDArray[Any]:
        self.classes_, codes = class_codes(self, y)
        self.n_classes_ = len(self.classes_)
        self.class_codes_ = codes.astype(np.int32)
        self.__dict__.pop("class_factors_", None)
        return self.class_codes_

    def _n_distinct_targets(self) -> int:
        return self.n_classes_

    @property
    def _width(self) -> int:
        return self.n_classes_

    def _target_of(self, position: int) -> Any:
        return self.classes_[self.class_codes_[position]].item()

    def _steps(
        self, block: NeighborBlock, queries: StoredRows, ks: Sequence[int]
    ) -> Iterator[NDArray[np.float64]]:
        codes, weighting = self.class_codes_[block.positions], self._weighting
        if not weighting.changes_with_k:
            yield from share_steps(codes, weighting.weights(block.distances), ks, self.n_classes_)
            return
        for k in ks:
            weights = weighting.weights(block.distances[:, :k])
            yield from share_steps(codes[:, :k], weights, [k], self.n_classes_)

    def _judged(self, blocks: Iterator[NeighborBlock], k_max: int, keeps_predictions: bool) -> LeaveOneOut:
        n_rows, ks = len(self.class_codes_), range(1, k_max + 1)
        n_wrong = np.zeros(k_max, dtype=np.int64)
        predicted = np.empty((k_max, n_rows), dtype=np.int32) if keeps_predictions else None
        for block in blocks:
            truth = self.class_codes_[block.part]
            for index, leaders in enumerate(self._leaders(block, ks)):
                n_wrong[index] += np.count_nonzero(leaders != truth)
                if predicted is not None:
                    predicted[index, block.part] = leaders
        predictions = None if predicted is None else self.classes_.take(predicted)
        return LeaveOneOut("error rate", n_wrong / n_rows, n_rows, predictions)

    def _leaders(self, block: NeighborBlock, ks: Sequence[int]) -> Iterator[NDArray[Any]]:
        """For each k the index of the class that wins."""
        if self._weighting.is_uniform:
            yield from leading_steps(self.class_codes_[block.positions], ks, self.n_classes_)
            return
        queries = self._kept.take(block.part)
        for shares in self._steps(block, queries, ks):
            yield shares.argmax(axis=1)
