"""A fitted model in plain values that JSON can hold: text, numbers, a drawing, and what to see in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heldout.features.scale import Scale
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forests.forest_base import ForestBase
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors.neighbors_base import NeighborsBase
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.trees.tree_base import TreeBase
from heldout.models.pipeline_steps import as_decided, decision_words, is_pipeline, is_skipped, named_learner
from heldout.report.models.views.coefficient_view import least_squares_view, perceptron_view, ridge_view
from heldout.report.models.views.importance_view import importance_view
from heldout.report.models.views.plain_views import class_view, constant_view, no_view, rows_view
from heldout.report.models.views.rule_view import rule_view
from heldout.report.models.views.tree_view import tree_view
from heldout.stats.result import plain

if TYPE_CHECKING:
    from heldout.learners.forests.permutation_importances import PermutationImportances


def model_view(
    model: Any,
    n_rows: int | None = None,
    shuffled: PermutationImportances | None = None,
    why_not_shuffled: str = "",
) -> dict[str, Any]:
    """What can be shown of a fitted model; see `summary["models"]` in `recorded_models`.

    model:            a fitted learner, or a Pipeline that ends in one
    n_rows:           how many rows it was fitted on, where that is known
    shuffled:         of a forest: its importances by permutation
    why_not_shuffled: why there are none, in a sentence

    >>> import heldout as ho
    >>> view = model_view(ho.BaselineRegressor().fit([[1], [2]], [1.0, 2.0]))
    >>> view["learner"], view["form"], view["text"]
    ('BaselineRegressor', 'constant', 'always 1.5, the mean of the training rows')
    """
    steps = _steps(model)
    learner, before = steps[-1][1], steps[:-1]
    is_scaled = any(isinstance(step, Scale) for _, step in before)
    if isinstance(learner, ForestBase):
        view = importance_view(learner, shuffled, why_not_shuffled)
    elif isinstance(learner, NeighborsBase):
        view = rows_view(learner, int(learner.numbers_.shape[0]) if n_rows is None else n_rows)
    else:
        view = _of_formula(named_learner(learner, before[-1][1] if before else None), is_scaled)
    prepared = [name for name, _ in before]
    decided = decision_words(model)
    if decided:
        view["takeaway"] = f"{view['takeaway']} {decided}"
    view["notes"] = [
        *([_PREPARED.format(", ".join(prepared))] if prepared else []),
        *view["notes"],
    ]
    return dict(plain({"learner": type(learner).__name__, "prepared": prepared, **view}))


_PREPARED = "The columns were prepared first ({}), by what the same rows tell; names are those after it."


def is_readable(model: Any) -> bool:
    """Whether a learner, or the last step of a Pipeline, is a tree or a list of rules: read as it is.

    >>> import heldout as ho
    >>> is_readable(ho.TreeRegressor()), is_readable(ho.RidgeRegressor())
    (True, False)
    """
    return isinstance(_steps(model)[-1][1], TreeBase | RuleClassifier)


def _of_formula(learner: Any, is_scaled: bool) -> dict[str, Any]:
    if isinstance(learner, TreeBase):
        return tree_view(learner)
    if isinstance(learner, RuleClassifier):
        return rule_view(learner)
    if isinstance(learner, LinearRegressor):
        return least_squares_view(learner, is_scaled)
    if isinstance(learner, RidgeRegressor):
        return ridge_view(learner, is_scaled)
    if isinstance(learner, Perceptron):
        return perceptron_view(learner, is_scaled)
    if isinstance(learner, BaselineClassifier):
        return class_view(learner)
    return constant_view(learner) if isinstance(learner, BaselineRegressor) else no_view(learner)


def _steps(model: Any) -> list[tuple[str, Any]]:
    """The steps in order, those of inner pipelines too; a learner that stands alone is one step."""
    if not is_pipeline(model):
        learner = as_decided(model)
        return [(type(learner).__name__, learner)]
    found: list[tuple[str, Any]] = []
    for name, step in model.steps:
        if not is_skipped(step):
            found += _steps(step) if is_pipeline(step) else [(str(name), as_decided(step))]
    return found or [("nothing", None)]
