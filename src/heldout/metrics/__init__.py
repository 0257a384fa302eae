"""How good answers are: confusion, curves, errors, and metrics that know their range and direction.

>>> import heldout as ho
>>> ho.metrics.confusion(["a", "b", "b"], ["a", "b", "a"]).accuracy
0.6666666666666666
"""

from heldout.metrics.brier import BrierScore, brier
from heldout.metrics.confusion import Confusion, confusion
from heldout.metrics.cost import TimedModel, timed, timed_predictions
from heldout.metrics.many_classes import hand_till, one_vs_rest_auc
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import METRICS, metric, metric_named
from heldout.metrics.operating_point import OperatingPoint
from heldout.metrics.precision_recall import PrecisionRecall, precision_recall
from heldout.metrics.probability_inputs import log_loss
from heldout.metrics.regression_errors import mae, mse, r2, rmse, rss
from heldout.metrics.reliability import Reliability, reliability
from heldout.metrics.roc import Roc, roc
from heldout.metrics.roc_hull import RocHull, roc_hull

__all__ = [
    "METRICS",
    "BrierScore",
    "Confusion",
    "Metric",
    "OperatingPoint",
    "PrecisionRecall",
    "Reliability",
    "Roc",
    "RocHull",
    "TimedModel",
    "brier",
    "confusion",
    "hand_till",
    "log_loss",
    "mae",
    "metric",
    "metric_named",
    "mse",
    "one_vs_rest_auc",
    "precision_recall",
    "r2",
    "reliability",
    "rmse",
    "roc",
    "roc_hull",
    "rss",
    "timed",
    "timed_predictions",
]
