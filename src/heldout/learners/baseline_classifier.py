"""The classifier that every other must beat: it predicts without looking."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.inputs.targets import check_lengths, class_codes, row_weights
from heldout.learners.baseline import Baseline, columns_at_fit, n_rows_with_weight
from heldout.learners.decision_threshold import DecidesAtThreshold
from heldout.learners.description_length import class_bits, share_bits
from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.trees.tree_text import shown_level
from heldout.types import PerRow, TableLike


class BaselineClassifier(ClassifierMixin, DecidesAtThreshold, Baseline):  # type: ignore[misc]
    """Always the most frequent class; of several equally frequent ones the first in sorted order.

    X may be anything, and only its columns are counted and its names checked.

    Parameters
    ----------
    strategy
        what `predict_proba` says. "prior" gives each class its share of the training rows, by weight;
        "majority" is sure: 1 for the class that it predicts and 0 for the others. Both predict the same
        class

    Attributes
    ----------
    classes_
    class_prior_
        the shares of the classes, whatever the strategy
    n_rows_
        the rows of weight above 0
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> baseline = BaselineClassifier().fit([[1], [2], [3]], ["yes", "no", "yes"])
    >>> baseline.predict([[7]]).tolist(), baseline.predict_proba([[7]]).round(3).tolist()
    (['yes'], [[0.333, 0.667]])
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("strategy", choices=("prior", "majority")),)

    # Set by fit.
    classes_: NDArray[Any]
    class_prior_: NDArray[np.float64]

    def __init__(self, *, strategy: str = "prior") -> None:
        self.strategy = strategy

    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None) -> Self:
        """Count the classes.

        Parameters
        ----------
        X
            anything with rows and columns
        y
            the class of each row
        sample_weight
            how many rows each row stands for; a class without weight stays in `classes_`, with a share of 0
        """
        check_parameters(self, self._parameters)
        classes, codes = class_codes(self, y)
        self.inputs_, n_rows = columns_at_fit(self, X)
        check_lengths(n_rows, codes)
        weights = row_weights(sample_weight, n_rows, consequence=None)
        self.classes_ = classes
        self.class_prior_ = _shares(codes, weights, len(classes))
        self.n_rows_ = n_rows_with_weight(weights, n_rows)
        return self

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The most frequent class, for every row."""
        n_rows = self._n_rows(X)
        return np.repeat(self.classes_[[self._predicted_index]], n_rows)

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The same probabilities for every row, with columns in the order of `classes_`."""
        n_rows = self._n_rows(X)
        return np.tile(self._probabilities, (n_rows, 1))

    def description_bits(self) -> float:
        """How many bits it takes to write the model down.

        "majority" names a class, log2 of their number; "prior" tells the shares of all classes in steps of
        1 / ceil(sqrt(rows)), as a leaf of a tree does.
        """
        self._check_is_fitted()
        if self.strategy == "majority":
            return class_bits(len(self.classes_))
        return float(share_bits(self.n_rows_, len(self.classes_)))

    def to_text(self) -> str:
        """The class that is always predicted, and the shares of all classes."""
        self._check_is_fitted()
        labels = [shown_level(str(label)) for label in self.classes_.tolist()]
        pairs = zip(labels, self.class_prior_.tolist(), strict=True)
        shares = ", ".join(f"{label} {share:.3g}" for label, share in pairs)
        return f"always {labels[self._predicted_index]}\nshares of the training rows: {shares}"

    @property
    def _majority(self) -> int:
        return int(self.class_prior_.argmax())

    @property
    def _predicted_index(self) -> int:
        """The position of the class that is always predicted."""
        return self._majority if self._decision is None else int(self._decision.codes(self._probabilities))

    @property
    def _probabilities(self) -> NDArray[np.float64]:
        is_sure = self.strategy == "majority"
        return np.eye(len(self.classes_))[self._majority] if is_sure else self.class_prior_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


def _shares(
    codes: NDArray[np.uint32], weights: NDArray[np.float64] | None, n_classes: int
) -> NDArray[np.float64]:
    """The share of each class; the sums are rounded once, so that equal weights tie in any order."""
    if weights is None:
        return np.asarray(np.bincount(codes, minlength=n_classes) / len(codes))
    scaled = np.ldexp(weights, -math.frexp(float(weights.max()))[1])  # no sum overflows
    sums = np.array([math.fsum(scaled[codes == index]) for index in range(n_classes)])
    return np.asarray(sums / math.fsum(sums))
