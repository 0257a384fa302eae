"""Learners: scikit-learn estimators whose models can be read."""

from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.sweep import Sweep
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.split_scores import AttributeScore, entropy, error_share, gini, score_attributes

__all__ = [
    "AttributeScore",
    "RuleClassifier",
    "Sweep",
    "TreeClassifier",
    "TreeRegressor",
    "entropy",
    "error_share",
    "gini",
    "score_attributes",
]
