"""A classifier of two classes that decides at a threshold of its own instead of one half."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.metaestimators import available_if

from heldout.errors import DataError, RequestError
from heldout.learners.decision_threshold import DecidesAtThreshold, decision_threshold, shown_threshold
from heldout.learners.parameters import Parameter, check_parameters
from heldout.learners.readable_learner import KnownParameters
from heldout.learners.rules.tree_rules import TreeRules
from heldout.learners.tree_classifier import TreeClassifier
from heldout.types import Classifier, Estimator, TableLike

ONE_POSITIVE = "a threshold decides between two classes"


def _has(name: str) -> Any:
    return lambda self: hasattr(self.inner, name)


class ThresholdClassifier(ClassifierMixin, MetaEstimatorMixin, KnownParameters):  # type: ignore[misc]
    """The positive class where its probability, or else the decision value, reaches the threshold.

    Where a class is rare, its probability seldom passes one half, and a classifier that decides there hardly
    ever names it. The probabilities stay those of the estimator: a threshold serves a decision alone.

    Parameters
    ----------
    estimator
        a classifier, which `fit` copies; None for a TreeClassifier
    threshold
        from which probability of the positive class on it is predicted, or from which decision value on
        where the estimator has no probabilities
    positive
        the positive class; None for the last of the two in sorted order

    Notes
    -----
    After fit: `estimator_` (the fitted copy), `positive_`, `classes_`, and what the estimator knows of its
    columns.

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [2.0], [2.0]], ["no", "no", "no", "yes"]
    >>> model = ThresholdClassifier(TreeClassifier(min_leaf=1), threshold=0.25).fit(X, y)
    >>> model.estimator_.predict([[2.0]]).tolist(), model.predict([[2.0]]).tolist()
    (['no'], ['yes'])
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("threshold", number="number", lowest=-math.inf),
    )

    # Set by fit.
    estimator_: Any
    positive_: Any

    def __init__(
        self, estimator: Estimator | None = None, *, threshold: float = 0.5, positive: object = None
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.positive = positive

    def fit(self, X: TableLike, y: ArrayLike, **fit_arguments: Any) -> Self:
        """Fit a copy of the estimator.

        Parameters
        ----------
        fit_arguments
            handed on, such as sample_weight
        """
        check_parameters(self, self._parameters)
        inner = TreeClassifier() if self.estimator is None else clone(self.estimator)
        inner.fit(X, y, **{key: value for key, value in fit_arguments.items() if value is not None})
        return self._around(inner)

    @classmethod
    def around(cls, fitted: Classifier, threshold: float, positive: object) -> Self:
        """A fitted classifier with a threshold; nothing is fitted again.

        Parameters
        ----------
        fitted
            the classifier, which is not copied
        """
        return cls(clone(fitted), threshold=float(threshold), positive=positive)._around(fitted)

    def _around(self, fitted: Classifier) -> Self:
        classes = fitted.classes_.tolist()
        if len(classes) > 2:
            raise DataError(
                ONE_POSITIVE,
                where=f"Only binary classification is supported. y has {len(classes):,} classes",
                fix="use the estimator by itself, which decides for the most likely class",
            )
        positive = classes[-1] if self.positive is None else self.positive
        if positive not in classes:
            raise RequestError(
                "the positive class is none of the classes",
                where=f"positive={positive!r:.40}, classes {classes!r:.80}",
                fix="name a class as it stands in y",
            )
        self.estimator_, self.positive_ = fitted, positive
        return self

    @property
    def inner(self) -> Any:
        """The classifier without the threshold, fitted if this is."""
        fitted = getattr(self, "estimator_", None)
        return TreeClassifier() if fitted is None and self.estimator is None else fitted or self.estimator

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes in sorted order."""
        return np.asarray(self.estimator_.classes_)

    @property
    def n_features_in_(self) -> int:
        """How many columns it was fitted on."""
        return int(self.estimator_.n_features_in_)

    @property
    def feature_names_in_(self) -> Any:
        """Their names, if they had some."""
        return self.estimator_.feature_names_in_

    @property
    def inputs_(self) -> Any:
        """The columns as the estimator knows them."""
        return self.estimator_.inputs_

    @property
    def is_of_probability(self) -> bool:
        """Whether the threshold is one of the probability; otherwise it is one of the decision value."""
        return hasattr(self.estimator_, "predict_proba")

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The positive class where the threshold is reached, else the other one."""
        self._check_is_fitted()
        classes = self.classes_
        if len(classes) == 1:
            return np.asarray(self.estimator_.predict(X))
        index = classes.tolist().index(self.positive_)
        is_positive = positive_scores(self.estimator_, X, self.positive_) >= self.threshold
        return np.asarray(classes[np.where(is_positive, index, 1 - index)])

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Those of the estimator."""
        self._check_is_fitted()
        return np.asarray(self.estimator_.predict_proba(X))

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: TableLike) -> NDArray[np.float64]:
        """Those of the estimator."""
        self._check_is_fitted()
        return np.asarray(self.estimator_.decision_function(X))

    @available_if(_has("description_bits"))  # type: ignore[untyped-decorator]
    def description_bits(self) -> float:
        """Those of the estimator: a threshold belongs to the use of a model."""
        self._check_is_fitted()
        return float(self.estimator_.description_bits())

    @available_if(_has("to_text"))  # type: ignore[untyped-decorator]
    def to_text(self, *arguments: Any, **options: Any) -> str:
        """The text of the estimator with the classes that are decided for, and the threshold below it.

        Parameters
        ----------
        arguments, options
            as of `to_text` of the estimator

        Examples
        --------
        >>> X, y = [[1.0]] * 5 + [[2.0]] * 5, ["no"] * 8 + ["yes"] * 2
        >>> tree = TreeClassifier(prune=None)
        >>> print(ThresholdClassifier(tree, threshold=0.3).fit(X, y).to_text())
        x0 <= 1.5: no (5; 3% yes)
        x0 > 1.5: yes (5/3; 37% yes)
        It predicts yes from a probability of 30% on.
        """
        self._check_is_fitted()
        return f"{self.decided.to_text(*arguments, **options)}\n{self.decision_words()}"

    @available_if(_has("rules"))  # type: ignore[untyped-decorator]
    def rules(self) -> TreeRules:
        """The rules of a tree, with the classes that are decided for."""
        self._check_is_fitted()
        rules: TreeRules = self.decided.rules()
        return rules

    @available_if(_has("explain"))  # type: ignore[untyped-decorator]
    def explain(self, row: object) -> Any:
        """How the estimator comes to the probability of one row, and what is decided.

        Parameters
        ----------
        row
            as of `explain` of the estimator
        """
        self._check_is_fitted()
        return self.decided.explain(row)

    @available_if(_has("to_svg"))  # type: ignore[untyped-decorator]
    def to_svg(self, *arguments: Any, **options: Any) -> str:
        """The drawing of a tree, with the classes that are decided for.

        Parameters
        ----------
        arguments, options
            as of `to_svg` of the estimator
        """
        self._check_is_fitted()
        return str(self.decided.to_svg(*arguments, **options))

    @property
    def decided(self) -> Any:
        """The estimator, such that what it shows are the classes that are decided for, if it is fitted.

        Only a tree, rules, neighbors and a baseline show classes; any other estimator is given as it is.
        """
        inner = self.inner
        if not (self.__sklearn_is_fitted__() and isinstance(inner, DecidesAtThreshold)):
            return inner
        if len(self.classes_) < 2:
            return inner
        return inner._deciding_at(decision_threshold(self.threshold, self.classes_, self.positive_))

    def decision_words(self) -> str:
        """When the positive class is predicted, in a sentence.

        Examples
        --------
        >>> model = ThresholdClassifier(threshold=0.25).fit([[1.0], [2.0]], ["no", "yes"])
        >>> model.decision_words()
        'It predicts yes from a probability of 25% on.'
        """
        if self.is_of_probability:
            return f"It predicts {self.positive_} from a probability of {shown_threshold(self.threshold)} on."
        return f"It predicts {self.positive_} from a decision value of {self.threshold:.3g} on."

    def __str__(self) -> str:
        if not self.__sklearn_is_fitted__():
            return str(super().__repr__())
        return self.to_text() if hasattr(self, "to_text") else f"{self.estimator_}\n{self.decision_words()}"

    def _check_is_fitted(self) -> None:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner: Any = TreeClassifier() if self.estimator is None else self.estimator
        tags.input_tags = inner.__sklearn_tags__().input_tags
        tags.classifier_tags.multi_class = False
        return tags


def positive_scores(model: Classifier, X: TableLike, positive: object) -> NDArray[np.float64]:
    """The probability of the positive class of two, or else the decision value."""
    index = model.classes_.tolist().index(positive)
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)[:, index]
    values = np.asarray(model.decision_function(X), dtype=np.float64)
    return values if index == 1 else -values


def best_threshold(
    is_positive: NDArray[np.bool_],
    scores: NDArray[np.float64],
    weights: NDArray[np.float64] | None = None,
    metric: str = "balanced_accuracy",
    are_probabilities: bool = True,
) -> float:
    """The threshold with the best balanced accuracy or F1 on these rows.

    It lies between two scores. A tree of few leaves has few scores, and any number between two of them is as
    good on these rows; with probabilities the one is taken that is nearest to what would be best if they were
    the true ones: the share of the positive class for balanced accuracy, half of the F1 for F1. Otherwise it
    is the middle. NaN where there is nothing to decide: one class, or one score for all.

    is_positive:       which rows are of the positive class
    scores:            of rows that the model was not fitted on
    metric:            "balanced_accuracy" or "f1"
    are_probabilities: whether the scores are
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    each = np.ones(len(scores)) if weights is None else weights[order]
    hits = np.cumsum(np.where(is_positive[order], each, 0.0))
    called = np.cumsum(each)
    n_positive, n_all = (hits[-1], called[-1]) if len(scores) else (0.0, 0.0)
    is_cut = np.flatnonzero(ranked[1:] < ranked[:-1])  # between two scores that differ
    if not len(is_cut) or not 0 < n_positive < n_all:
        return math.nan
    hits, called = hits[is_cut], called[is_cut]
    if metric == "f1":
        goodness = 2 * hits / (called + n_positive)
    else:
        goodness = hits / n_positive - (called - hits) / (n_all - n_positive)
    equals = is_cut[goodness >= goodness.max() - 1e-12]
    high, low = ranked[equals], ranked[equals + 1]
    middle = high / 2 + low / 2
    if not are_probabilities:
        return float(middle[len(equals) // 2])
    ideal = float(goodness.max()) / 2 if metric == "f1" else n_positive / n_all
    within = np.clip(ideal, low + (middle - low) / 5, high - (high - middle) / 5)
    return float(within[np.abs(within - ideal).argmin()])
