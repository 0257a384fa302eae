"""A list of rules, grown as a tree, pruned one by one and read from the top."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin

from heldout.errors import InputTypeError, RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.inputs.one_row import one_row
from heldout.inputs.prediction_inputs import PredictionInputs, prediction_blocks
from heldout.inputs.training_inputs import class_rows
from heldout.learners.class_shares import calibrated
from heldout.learners.decision_threshold import DecidesAtThreshold, DecisionThreshold
from heldout.learners.description_length import rules_bits
from heldout.learners.parameters import N_JOBS, Parameter, check_parameters, seed_of
from heldout.learners.pruning.pruning_rows import validation_rows
from heldout.learners.pruning.set_aside import check_validation_classes, validation_mask, validation_pair
from heldout.learners.readable_learner import HasProbabilities, ReadableLearner
from heldout.learners.rules.rule import Rule
from heldout.learners.rules.rule_learning import ClassWeighting, learn_rules
from heldout.learners.rules.rule_pruning import pessimistic_accuracy, plain_accuracy
from heldout.learners.rules.rule_rows import RuleRows, matching_rows, rule_rows, seen_rows, values_by_column
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.trees.growth import Growth
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.learners.trees.tree_text import MOST_LEVELS, shown_level
from heldout.types import CategoryChoice, ClassWeight, PerRow, RandomState, TableLike, Validation

_GROWING = (
    "categorical",
    "categorical_splits",
    "max_depth",
    "min_leaf",
    "class_weight",
    "smoothing",
    "random_state",
)


class RuleClassifier(ClassifierMixin, HasProbabilities, DecidesAtThreshold, ReadableLearner):  # type: ignore[misc]
    """Rules that are read from the top: the first whose conditions a row meets gives the class.

    A tree is grown as C4.5 grows it, without pruning. Each way to a leaf becomes a rule, and each rule by
    itself loses preconditions while its estimated accuracy does not fall. Duplicates go, the rest is
    ordered by that estimate, and a row that meets no rule gets the default class. A condition on a value
    that is unknown is not met.

    Parameters
    ----------
    estimate
        what a rule is judged by: "pessimistic" (C4.5's limit on the training rows) or "validation" (the
        accuracy on rows that are set aside or given to `fit`)
    prune_confidence
        of "pessimistic"; smaller drops more
    validation_fraction
        of "validation": the part of the rows, or of the groups, that is set aside
    categorical
        "auto" (kinds of the table or dtypes of the frame; an array has none), or a list of names or
        positions, or a mask, whose columns become categories as well
    categorical_splits
        "multiway", "subset" or "one_vs_rest", as for TreeClassifier
    max_depth
        the largest number of splits above a leaf of the tree; None for no limit
    min_leaf
        the smallest weight of a branch of the tree
    class_weight
        None, "balanced", or a weight for each class, for growing, pruning and `predict`; `predict_proba`
        gives the shares that the classes really have
    smoothing
        how many imaginary rows, with the classes in their shares of the training rows, are added to the
        rows of a rule before `predict_proba` takes shares; 0 for none
    random_state
        the seed of what is set aside; None is 0
    n_jobs
        threads for growing; None is one, -1 all processors

    Attributes
    ----------
    rules_
        Rule objects, best first
    default_rule_
        and `default_class_` (of the rows that meet none)
    classes_
    n_classes_
    class_weights_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[20.0], [25.0], [31.0], [40.0], [41.0], [44.0]])
    >>> rules = RuleClassifier().fit(X, ["young", "young", "old", "old", "old", "old"])
    >>> print(rules)
    If x0 is above 28: old (4 rows, none wrong)
    Otherwise: young (2 rows, none wrong)
    >>> rules.predict([[22.0], [33.0]]).tolist()
    ['young', 'old']
    """

    _learned = "rules_"
    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("estimate", choices=("pessimistic", "validation")),
        Parameter("prune_confidence", number="number", lowest=0, is_above=True, highest=0.5),
        Parameter("validation_fraction", number="number", lowest=0, is_above=True, highest=1, is_below=True),
        *(parameter for parameter in TreeClassifier._parameters if parameter.name in _GROWING),
        N_JOBS,
    )

    classes_: NDArray[Any]
    n_classes_: int
    class_weights_: NDArray[np.float64]
    n_features_in_: int
    inputs_: InputSchema
    n_values_: NDArray[np.int64]
    rules_: list[Rule]
    default_rule_: Rule

    def __init__(
        self,
        *,
        estimate: str = "pessimistic",
        prune_confidence: float = 0.25,
        validation_fraction: float = 0.25,
        categorical: CategoryChoice = "auto",
        categorical_splits: str = "multiway",
        max_depth: int | None = None,
        min_leaf: float = 2,
        class_weight: ClassWeight = None,
        smoothing: float = 1.0,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimate = estimate
        self.prune_confidence = prune_confidence
        self.validation_fraction = validation_fraction
        self.categorical = categorical
        self.categorical_splits = categorical_splits
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.class_weight = class_weight
        self.smoothing = smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    @classmethod
    def from_tree(
        cls,
        tree: TreeClassifier,
        X: TableLike,
        y: ArrayLike,
        sample_weight: PerRow = None,
        *,
        validation: Validation = None,
        **parameters: Any,
    ) -> Self:
        """The rules of a fitted tree, pruned and ordered.

        Parameters
        ----------
        tree
            a fitted TreeClassifier
        X, y
            the rows that it was fitted on
        sample_weight
            how many rows each row stands for; rows of weight 0 are left out
        validation
            X and y of other rows, for estimate="validation"
        parameters
            of this learner; those that say how a tree grows have no meaning here
        """
        if not isinstance(tree, TreeClassifier):
            raise InputTypeError(
                "rules are made from a TreeClassifier",
                where=f"from_tree got a {type(tree).__name__}",
                fix="hand over a fitted TreeClassifier",
            )
        structure = tree._fitted()
        learner = cls(**parameters)
        check_parameters(learner, learner._parameters)
        learner._check_validation(validation, has_tree=True)
        learner.classes_, learner.n_classes_ = tree.classes_, len(tree.classes_)
        learner.n_features_in_ = tree.n_features_in_
        if hasattr(tree, "feature_names_in_"):
            learner.feature_names_in_ = tree.feature_names_in_
        learner.inputs_ = tree.inputs_
        if hasattr(tree, "n_values_"):
            learner.n_values_ = tree.n_values_
        if validation is not None:
            check_validation_classes(learner, validation)
        training = seen_rows(learner, X, y, sample_weight)
        learner._learn(structure, training, learner._judging_rows(validation, training))
        return learner

    def fit(
        self,
        X: TableLike,
        y: ArrayLike,
        sample_weight: PerRow = None,
        *,
        validation: Validation = None,
        groups: PerRow = None,
    ) -> Self:
        """Grow a tree, make rules of it, and prune them.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, or an array; NaN is a missing value
        y
            one class per row
        sample_weight
            how many rows each row stands for; rows of weight 0 are left out
        validation
            X and y to judge the rules on, instead of rows that are set aside
        groups
            one per row; rows of a group are set aside together
        """
        check_parameters(self, self._parameters)
        self._check_validation(validation, has_tree=False)
        rows = class_rows(self, X, y, sample_weight, groups, self._n_threads).with_weight()
        if validation is not None:
            check_validation_classes(self, validation)
        held = None
        if self.estimate == "validation" and validation is None:
            is_held = validation_mask(rows, float(self.validation_fraction), seed_of(self.random_state))
            rows, held = rows.divide(is_held)
        options = self._growing_tree()._options(rows.schema)
        growth = Growth(rows, [options], "fractional")
        structure = TreeStructure(growth.tree(options).tree, splits_unknown=True)
        self.inputs_, self.n_values_ = growth.schema, growth.n_values
        training = rule_rows(growth.pruning_rows(rows), self.n_classes_)
        if held is None:
            self._learn(structure, training, self._judging_rows(validation, training))
        else:
            self._learn(structure, training, rule_rows(growth.pruning_rows(held), self.n_classes_))
        return self

    def predict(self, X: TableLike) -> NDArray[Any]:
        """The class of the first rule that each row meets, or the default class."""
        self._check_is_fitted()
        code_of = {label: code for code, label in enumerate(self.classes_.tolist())}
        codes = np.array([code_of[rule.prediction] for rule in (*self.rules_, self.default_rule_)])
        return np.asarray(self.classes_[codes[self._rule_indices(X)]])

    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """The probabilities of the classes, by the training rows that the same rule is the first to cover.

        They are the shares of the classes among these, without class weights, and with `smoothing`.
        """
        self._check_is_fitted()
        shares = np.stack([rule.distribution for rule in (*self.rules_, self.default_rule_)])
        return np.asarray(shares[self._rule_indices(X)])

    def to_text(self, most_levels: int | None = MOST_LEVELS) -> str:
        """One line per rule, from the top, and one for the rows that meet none.

        Parameters
        ----------
        most_levels
            how many levels of a condition are named; None names all
        """
        self._check_is_fitted()
        lines = [rule.to_text(most_levels) for rule in self.rules_]
        return "\n".join([*lines, f"{'Otherwise' if lines else 'Always'}: {self.default_rule_.outcome()}"])

    def explain(self, row: object) -> str:
        """The rule that predicts one row: the first, from the top, whose conditions it meets.

        Parameters
        ----------
        row
            a dict or a series with the names of the columns (what they do not name is missing), or a
            Table, frame or array of one row

        Returns
        -------
        str
            which rule it is, and the rule

        Examples
        --------
        >>> X, y = [[1.0], [2.0], [8.0], [9.0]] * 5, ["no", "no", "yes", "yes"] * 5
        >>> print(RuleClassifier(min_leaf=1).fit(X, y).explain([[1.5]]))
        Rule 1 of 1 is the first that the row meets:
        If x0 is at most 5: no (10 rows, none wrong)
        """
        self._check_is_fitted()
        index, n_rules = int(self._rule_indices(one_row(self, row, self.inputs_))[0]), len(self.rules_)
        if index < n_rules:
            which = f"Rule {index + 1} of {n_rules} is the first that the row meets"
            return f"{which}:\n{self.rules_[index].to_text()}"
        which = f"The row meets no rule of {n_rules}:" if n_rules else "There is no rule:"
        return f"{which} {self.default_rule_.outcome()}"

    @property
    def default_class_(self) -> Any:
        """The class of a row that meets no rule."""
        self._check_is_fitted()
        return self.default_rule_.prediction

    def description_bits(self) -> float:
        """How many bits it takes to write the rules down; the fewer, the simpler they are.

        One bit says whether a rule follows, and one whether a condition follows. A condition tells its
        column, log2 of the number of columns; of a number one of the cuts that the column offered at fit,
        log2 of their number, and a bit for its side; of a category a bit that says whether one level is
        meant, log2 of their number, or several, a bit for each. A rule of m rows tells its class, log2 of
        their number, and the shares of the classes in steps of 1 / ceil(sqrt(m)); the default tells shares.
        """
        self._check_is_fitted()
        return rules_bits(self.rules_, self.default_rule_, self.n_values_, self.n_classes_)

    def _with_class_factors(self, factors: NDArray[np.float64]) -> Self:
        """The same rules, whose probabilities are multiplied by these; `predict` is the same."""
        changed = copy(self)
        *rules, default = (
            replace(rule, distribution=calibrated(rule.distribution, factors))
            for rule in (*self.rules_, self.default_rule_)
        )
        changed.rules_, changed.default_rule_ = rules, default
        return changed

    def _deciding_at(self, decision: DecisionThreshold) -> Self:
        decided = super()._deciding_at(decision)
        *rules, default = (self._decided(rule, decision) for rule in (*self.rules_, self.default_rule_))
        decided.rules_, decided.default_rule_ = rules, default
        return decided

    def _decided(self, rule: Rule, decision: DecisionThreshold) -> Rule:
        prediction = self.classes_.tolist()[int(decision.codes(rule.distribution))]
        return rule.decided(prediction, shown_level(str(prediction)), decision.share_words(rule.distribution))

    def _rule_indices(self, X: TableLike) -> NDArray[np.intp]:
        """The index of the first rule that each row meets; that of the default comes after the last."""
        blocks = prediction_blocks(self, X, self.inputs_)
        return np.concatenate([self._rule_indices_in(inputs) for inputs in blocks])

    def _rule_indices_in(self, inputs: PredictionInputs) -> NDArray[np.intp]:
        values_of = values_by_column(inputs, self.inputs_)
        indices = np.full(len(inputs.numbers), len(self.rules_), dtype=np.intp)
        waiting = np.arange(len(indices))
        for index, rule in enumerate(self.rules_):
            met, _ = matching_rows(rule.conditions, values_of, waiting)
            indices[met] = index
            waiting = waiting[indices[waiting] == len(self.rules_)]
        return indices

    def _check_validation(self, validation: Validation, has_tree: bool) -> None:
        if validation is not None and self.estimate != "validation":
            raise RequestError(
                "rows to validate on are given, and rules are not judged by them",
                where=f"validation=…, estimate={self.estimate!r}",
                fix="set estimate='validation', or leave validation out",
            )
        if has_tree and validation is None and self.estimate == "validation":
            raise RequestError(
                "a tree that has seen all rows cannot be validated on some of them",
                where="from_tree(…, estimate='validation')",
                fix="give validation=(X, y) with rows that the tree has not seen",
            )

    def _growing_tree(self) -> TreeClassifier:
        """The tree of which rules are made: C4.5's, without pruning."""
        own = {name: getattr(self, name) for name in (*_GROWING, "n_jobs")}
        return TreeClassifier(prune=None, **own)

    def _judging_rows(self, validation: Validation, training: RuleRows) -> RuleRows:
        if validation is None:
            return training
        X, y = validation_pair(validation)
        return rule_rows(validation_rows(self, X, y, self.inputs_, self.classes_), self.n_classes_)

    def _learn(self, structure: TreeStructure, training: RuleRows, judging: RuleRows) -> None:
        is_plain = self.estimate == "validation"
        estimate = plain_accuracy if is_plain else pessimistic_accuracy(float(self.prune_confidence))
        weighting = ClassWeighting(self.class_weights_, float(self.smoothing))
        learned = learn_rules(structure, self.inputs_, self.classes_, training, judging, estimate, weighting)
        self.rules_, self.default_rule_ = learned.rules, learned.default
