"""The perceptron of Rosenblatt: plain, averaged, or a vote of all weights that it had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.numeric_inputs import numeric_rows
from heldout.learners.description_length import number_bits
from heldout.learners.linear.coefficient_table import INTERCEPT, MAX_COLUMNS
from heldout.learners.parameters import Parameter, check_copies, check_parameters, refusal
from heldout.learners.perceptron_run import fit_perceptrons, labeled_rows
from heldout.learners.readable_learner import ReadableLearner, learner_copies
from heldout.learners.sweep import SeparateSweep, settings_of
from heldout.learners.trees.tree_text import shown_label, shown_level
from heldout.native.perceptron import VotedUpdates, count_votes, linear_scores
from heldout.text.words import plural
from heldout.types import Matrix, RandomState, SettingsSpace, TableLike


class Perceptron(ClassifierMixin, ReadableLearner):  # type: ignore[misc]
    """A linear classifier that learns from its mistakes, row by row.

    A row whose class has not a larger score than every other is a mistake: the row is added to the weights
    of its class and subtracted from those of the class that scored highest instead (Kesler's construction).
    Two classes share one row of weights, of which the second class has the positive side. On data that a
    margin γ separates, rows no longer than R, there are at most (R/γ)² mistakes, of several classes 2(R/γ)².
    An epoch without a mistake is the last that is run: nothing would change after it.

    Parameters
    ----------
    variant
        "averaged" (the mean of the weights over all steps), "plain" (the last weights), or "voted" (all
        weights vote, each as often as steps went by before the next mistake). Voted keeps every row that
        was a mistake and 20 bytes for each mistake, and predicts slowly
    epochs
        how often to go through the rows. Epochs that were not run because one before them made no mistake
        count in averages and votes all the same
    shuffle
        whether each epoch takes the rows in a new random order; else in that of X
    fit_intercept
        whether a constant is learned; it counts as a further column of ones
    random_state
        the seed of the orders; None is 0, so that the same data give the same perceptron

    Notes
    -----
    There is no sample_weight, and no learning rate: weights start from 0, where it would only scale them.
    Scores are sums in the order of the columns, so dense and sparse rows give the same weights, bit for bit.

    After fit: `classes_`, `n_features_in_`, `feature_names_in_`, `n_mistakes_` (in all epochs), `n_epochs_`
    (that were run), `is_separated_` (whether the last made no mistake); `coef_` and `intercept_` (a row for
    each class, one for two classes), or `updates_` if voted.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 1.0], [4.0, 3.0]])
    >>> perceptron = Perceptron(variant="plain", shuffle=False).fit(X, ["over", "over", "under", "under"])
    >>> perceptron.is_separated_, perceptron.predict([[7.0, 8.0], [8.0, 7.0]]).tolist()
    (True, ['over', 'under'])
    >>> print(perceptron)
    under if the sum is above 0, else over
    (intercept)   0
    x0            1
    x1           -1
    2 mistakes in 2 epochs, the last of which made none
    """

    _learned = "n_epochs_"
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("variant", choices=("averaged", "plain", "voted")),
        Parameter("epochs", number="integer", lowest=1, highest=2**32 - 1),
        Parameter("shuffle", choices=(True, False)),
        Parameter("fit_intercept", choices=(True, False)),
        Parameter("random_state", choices=(None,), number="integer", types=(np.random.RandomState,)),
    )

    classes_: NDArray[Any]
    inputs_: InputSchema
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    updates_: VotedUpdates
    n_rows_: int
    n_mistakes_: int
    n_epochs_: int
    is_separated_: bool

    def __init__(
        self,
        *,
        variant: str = "averaged",
        epochs: int = 10,
        shuffle: bool = True,
        fit_intercept: bool = True,
        random_state: RandomState = None,
    ) -> None:
        self.variant = variant
        self.epochs = epochs
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: TableLike, y: ArrayLike) -> Self:
        """Go through the rows.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, or an array of numbers, or a sparse matrix; all
            known
        y
            one class per row, of at least two classes
        """
        check_parameters(self, self._parameters)
        fit_perceptrons([self], labeled_rows(self, X, y))
        return self

    def sweep(self, X: TableLike, y: ArrayLike, space: SettingsSpace) -> PerceptronSweep:
        """Fit many settings at once. Each predicts as if it had been fitted by itself.

        Settings that differ in `epochs` and `variant` share one run through the rows.

        Parameters
        ----------
        X, y
            as for `fit`
        space
            parameters with lists of values, or a list of settings, each a dict
        """
        settings = settings_of(self, space)
        learners = learner_copies(self, settings)
        check_copies(learners, settings, self._parameters)
        rows = labeled_rows(learners[0], X, y)
        known = {name: value for name, value in vars(learners[0]).items() if name.endswith("_in_")}
        for learner in learners:
            vars(learner).update(known)
        fit_perceptrons(learners, rows)
        return PerceptronSweep(settings, learners)

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class of the highest score, the first of equals: of two classes the second is above 0."""
        values = self.decision_function(X)
        return np.asarray(self.classes_.take(values > 0 if values.ndim == 1 else values.argmax(axis=1)))

    def decision_function(self, X: TableLike) -> NDArray[np.float64]:
        """The decision value of each row: of two classes one, above 0 for the second; else one per class.

        It is the score, the intercept plus weights times values. Divided by the length of the weights
        it would be the distance to the border. A voted perceptron gives the share of the votes of each class,
        of two classes that of the second less that of the first.
        """
        self._check_is_fitted()
        return self._decision_values(numeric_rows(self, X, self.inputs_, accepts_sparse=True))

    def coefficients(self) -> tuple[ClassCoefficients, ...]:
        """The weights in the names of the columns: a record for each class, or one for the second of two."""
        self._check_is_fitted()
        self._refuse_voted()
        return class_coefficients(self.classes_, self.inputs_.names, self.coef_, self.intercept_)

    def description_bits(self) -> float:
        """How many bits it takes to write the perceptron down.

        Half of log2 of the number of training rows for each weight and each intercept, of two classes in one
        row, else in a row for each class; of a voted perceptron for those of all weights that vote.
        """
        self._check_is_fitted()
        n_classes = len(self.classes_)
        n_weights = (1 if n_classes == 2 else n_classes) * (self.n_features_in_ + self.fit_intercept)
        n_voters = self.n_mistakes_ if self._is_voted else 1
        return float(n_voters * n_weights * number_bits(self.n_rows_))

    def to_text(self, max_columns: int = 20) -> str:
        """The weights of the columns, and how many mistakes were made.

        Parameters
        ----------
        max_columns
            of more columns those with the largest weights are shown
        """
        self._check_is_fitted()
        if not MAX_COLUMNS.allows(max_columns):
            raise refusal("to_text", MAX_COLUMNS, max_columns)
        if self._is_voted:
            n_votes = int(self.updates_.votes.sum())
            lines = [f"a vote of {plural(self.n_mistakes_, 'row')} of weights, {n_votes} votes in all"]
        else:
            names = self.inputs_.names
            lines = [coefficients_text(self.classes_, names, self.coef_, self.intercept_, max_columns)]
        end = ", the last of which made none" if self.is_separated_ else ""
        lines += [f"{plural(self.n_mistakes_, 'mistake')} in {plural(self.n_epochs_, 'epoch')}{end}"]
        return "\n".join(lines)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = False
        return tags

    @property
    def _is_voted(self) -> bool:
        """As it was fitted, whatever `variant` says now."""
        return "updates_" in self.__dict__

    def _decision_values(self, matrix: Matrix) -> NDArray[np.float64]:
        if not self._is_voted:
            return self._by_class(linear_scores(matrix, self.coef_, self.intercept_))
        votes = count_votes(matrix, self.updates_, len(self.classes_))
        shares = votes / self.updates_.votes.sum()
        return np.asarray(shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares)

    def _by_class(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _refuse_voted(self) -> None:
        if self._is_voted:
            raise RequestError(
                "a voted perceptron has no single row of weights",
                where=f"{plural(self.n_mistakes_, 'row')} of weights vote",
                fix='use variant="averaged", whose weights are the mean of them',
            )


# A line of text that any terminal and the page can show.
LINE = 78


@dataclass(frozen=True)
class ClassCoefficients:
    """One linear function: the score of a class, or of two classes the score of the second against the first.

    class_:    the class whose score it is
    intercept: what is added to the sum
    weights:   the weight of each column, by name, in the order of the columns
    """

    class_: Any
    intercept: float
    weights: dict[str, float]


def class_coefficients(
    classes: NDArray[Any], names: Sequence[str], weights: NDArray[Any], intercepts: NDArray[Any]
) -> tuple[ClassCoefficients, ...]:
    """A record for each row of weights.

    classes: all classes; a single row of weights belongs to the second of two
    """
    owners = classes.tolist()[-len(weights) :]
    return tuple(
        ClassCoefficients(owner, float(intercept), dict(zip(names, row.tolist(), strict=True)))
        for owner, intercept, row in zip(owners, intercepts, weights, strict=True)
    )


def coefficients_text(
    classes: NDArray[Any], names: Sequence[str], weights: NDArray[Any], intercepts: NDArray[Any], most: int
) -> str:
    """A line for each column, and before them what the sum of them says.

    most: of more columns than these only those with the largest weights are shown
    """
    shown = np.sort(np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:most])
    labels = [shown_level(str(label)) for label in classes.tolist()]
    if len(weights) == 1:
        lines = [f"{labels[1]} if the sum is above 0, else {labels[0]}"]
        cells = []
    else:
        lines, cells = ["the class of the largest sum"], [["", *labels]]
    cells += [[INTERCEPT, *_numbers(intercepts)]]
    cells += [[shown_label(names[index]), *_numbers(weights[:, index])] for index in shown.tolist()]
    lines += _blocks(cells)
    n_others = len(names) - len(shown)
    if n_others:
        lines.append(f"and {n_others} more column{'s' * (n_others > 1)} of smaller weights")
    return "\n".join(lines)


def _blocks(cells: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells, the names to the left; classes that have no room in a line stand below the others."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    for block in _columns_that_fit(widths):
        lines += [""] * bool(lines)
        for row in cells:
            padded = [row[index].rjust(widths[index]) for index in block]
            lines.append("  ".join([row[0].ljust(widths[0]), *padded]))
    return lines


def _columns_that_fit(widths: Sequence[int]) -> list[list[int]]:
    """The columns after the first, in blocks that are no wider than a line with it; one at least in each."""
    blocks: list[list[int]] = []
    room = 0
    for index, width in enumerate(widths[1:], start=1):
        if not blocks or room < width + 2:
            blocks.append([])
            room = LINE - widths[0]
        blocks[-1].append(index)
        room -= width + 2
    return blocks


def _numbers(values: NDArray[Any]) -> list[str]:
    return [f"{value:.4g}" for value in values.tolist()]


class PerceptronSweep(SeparateSweep):
    """The settings of a perceptron.

    settings: the settings in order
    models:   the fitted perceptron of each
    """

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The predictions of all settings: one row for each setting, one column for each row of X."""
        values = self.decision_function(X)
        best = values > 0 if values.ndim == 2 else values.argmax(axis=2)
        return np.asarray(self._models[0].classes_.take(best))

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Refused: a perceptron has decision values, not probabilities."""
        raise RequestError(
            "a perceptron has no probabilities: decision values say on which side a row lies, not how likely",
            where="Sweep.predict_proba",
            fix="use decision_function, or fit scikit-learn's CalibratedClassifierCV around a perceptron",
        )

    def decision_function(self, X: TableLike) -> NDArray[np.float64]:
        """The decision values by all settings: setting × row of X, and × class of more than two."""
        first = self._models[0]
        matrix = numeric_rows(first, X, first.inputs_, accepts_sparse=True)
        found: dict[int, NDArray[np.float64]] = {}
        linear = [index for index, model in enumerate(self._models) if not model._is_voted]
        if linear:
            weights = np.concatenate([self._models[index].coef_ for index in linear])
            intercepts = np.concatenate([self._models[index].intercept_ for index in linear])
            scores = linear_scores(matrix, weights, intercepts)
            parts = np.split(scores, len(linear), axis=1)
            found = {index: first._by_class(part) for index, part in zip(linear, parts, strict=True)}
        voted = set(range(len(self._models))) - set(linear)
        found |= {index: self._models[index]._decision_values(matrix) for index in voted}
        return np.stack([found[index] for index in range(len(self._models))])
