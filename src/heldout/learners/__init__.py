"""Learners: scikit-learn estimators whose models can be read."""

from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors.leave_one_out import LeaveOneOut
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.sweep import Sweep
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.split_scores import AttributeScore, entropy, error_share, gini, score_attributes

__all__ = [
    "AttributeScore",
    "BaselineClassifier",
    "BaselineRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "LeaveOneOut",
    "LinearRegressor",
    "NeighborsClassifier",
    "NeighborsRegressor",
    "RidgeRegressor",
    "RuleClassifier",
    "Sweep",
    "TreeClassifier",
    "TreeRegressor",
    "entropy",
    "error_share",
    "gini",
    "score_attributes",
]
