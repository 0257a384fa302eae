"""A fitted model in plain values that JSON can hold: text, numbers, a drawing, and what to see in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.features.scale import Scale
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forests.forest_base import ForestBase
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors.neighbors_base import NeighborsBase
from heldout.learners.perceptron import Perceptron
from heldout.learners.pictures.tree_drawing import tree_drawing
from heldout.learners.pictures.tree_pictures import drawn_predictions
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.rules.rule import Rule
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_text import shown_label, shown_level
from heldout.models.pipeline_steps import as_decided, decision_words, is_pipeline, is_skipped, named_learner
from heldout.report.models.model_text import FEW_LINES, MOST_LINES, folded, shortened, wrapped
from heldout.report.models.plain_tree import plain_tree
from heldout.report.models.views.coefficient_view import least_squares_view, perceptron_view, ridge_view
from heldout.report.models.views.importance_view import importance_view
from heldout.stats.interval import plain
from heldout.text.numbers import share_text
from heldout.text.words import join_names, plural

if TYPE_CHECKING:
    from heldout.learners.forests.importances import PermutationImportances


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
    """Whether a learner, or the last step of a Pipeline, is a tree or a list of rules: read as it is."""
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


_BLIND = "It looks at nothing and always says"


def rows_view(model: Any, n_rows: int) -> dict[str, Any]:
    """Of neighbors: how many are asked, and by which distance; never a row.

    n_rows: how many rows the model keeps
    """
    k, weights = model.k, model.weights if isinstance(model.weights, str) else "a function"
    nearest = (
        f"the {k} nearest"
        if isinstance(k, int) and k > 1
        else "the nearest"
        if k == 1
        else "the nearest ones"
    )
    how = {"uniform": "which all count alike"}.get(weights, f"which count by {weights} weights")
    text = wrapped(f"the answer of {nearest} of {plural(n_rows, 'row')} by {model.metric_} distance, {how}")
    return {
        "form": "rows",
        "k": k,
        "distance": str(model.metric_),
        "weighting": str(weights),
        "text": text,
        "short": text,
        "takeaway": f"It keeps the {plural(n_rows, 'row')} and asks {nearest}, so there is no model to draw.",
        "notes": ["The rows stay with the user: none of them is in the study file."],
    }


def class_view(model: Any) -> dict[str, Any]:
    """Of a BaselineClassifier: its one answer, and the shares of the classes."""
    labels = [shown_level(str(label)) for label in model.classes_.tolist()]
    shares = [float(share) for share in model.class_prior_]
    index = model._predicted_index
    text = shortened(wrapped(model.to_text()), FEW_LINES)
    return {
        "form": "class",
        "answer": labels[index],
        "shares": [{"class": label, "share": share} for label, share in zip(labels, shares, strict=True)],
        "text": text,
        "short": text,
        "takeaway": f"{_BLIND} {labels[index]}, the class of {share_text(shares[index])} of the rows.",
        "notes": [],
    }


def constant_view(model: Any) -> dict[str, Any]:
    """Of a BaselineRegressor: its one answer."""
    text = model.to_text()
    constant = float(model.constant_)
    grouped = "," if abs(constant) >= 10_000 else ""  # not a year
    return {
        "form": "constant",
        "answer": constant,
        "strategy": str(model.strategy),
        "text": text,
        "short": text,
        "takeaway": f"{_BLIND} {constant:{grouped}.6g}, the {model.strategy} of the rows.",
        "notes": [],
    }


def no_view(model: Any) -> dict[str, Any]:
    """Of a learner that is not ours: that nothing is known of its inside."""
    takeaway = f"{type(model).__name__} is no learner of Heldout: what it has learned is not shown."
    return {"form": "none", "text": "", "short": "", "takeaway": takeaway, "notes": []}


MOST_RULES = 40
OVERLAPPING = "A row is counted for every rule that covers it, so counts may add up to more than all rows."
OPTIMISTIC = (
    "What a rule has wrong is counted on the rows that made it, which flatters it; the score of the contender"
    " is measured on rows that it had not seen."
)


def rule_view(rules: Any) -> dict[str, Any]:
    """What the page and the terminal show of fitted rules."""
    text = "\n".join(_line(rule, rules) for rule in (*rules.rules_, rules.default_rule_))
    shown = [_plain_rule(rule) for rule in rules.rules_[:MOST_RULES]]
    return {
        "form": "rules",
        "n_rules": len(rules.rules_),
        "rules": [*shown, _plain_rule(rules.default_rule_)],
        "n_left_out": len(rules.rules_) - len(shown),
        "text": shortened(wrapped(text)),
        "short": shortened(wrapped(text), FEW_LINES),
        "takeaway": _rules_takeaway(rules),
        "notes": [OVERLAPPING, OPTIMISTIC] if len(rules.rules_) > 1 else [OPTIMISTIC],
    }


def _plain_rule(rule: Rule) -> dict[str, Any]:
    return {
        "conditions": [condition.words() for condition in rule.conditions],
        "answer": rule.prediction_text,
        "n_rows": int(rule.n_rows),
        "wrong": rule.wrong_text,
        "decided_by": rule.decided_by,
    }


def _line(rule: Rule, rules: Any) -> str:
    """A rule as a terminal shows it."""
    if rule is rules.default_rule_:
        wanted = "Otherwise" if rules.rules_ else "Always"
    else:
        wanted = f"If {', and '.join(condition.words() for condition in rule.conditions)}"
    evidence = plural(rule.n_rows, "row") if rule.n_rows else "no training rows"
    wrong = f", {rule.wrong_words}" if rule.wrong_words else ""
    decided_by = f"; {rule.decided_by}" if rule.decided_by else ""
    return f"{wanted}: {rule.prediction_text} ({evidence}{wrong}{decided_by})"


def _rules_takeaway(rules: Any) -> str:
    if not rules.rules_:
        return (
            f"No rule was found that helps: the prediction is always {rules.default_rule_.prediction_text}."
        )
    first, n_rules = rules.rules_[0], len(rules.rules_)
    begin = f"{plural(n_rules, 'rule')} and a prediction for all other rows"
    subject = "it covers" if n_rules == 1 else "read from the top, the first covers"
    # A rule counts every row that it covers, its probabilities are of those that come to it.
    shares = " Percentages are of rows that no rule above takes." if n_rules > 1 and first.decided_by else ""
    return f"{begin}; {subject} {plural(first.n_rows, 'row')} and says {first.prediction_text}.{shares}"


# How far a drawing is opened; the parts with the most rows first.
MOST_ENDS, MOST_LEVELS = 16, 6
MOST_NAMES = 4


def tree_view(tree: Any) -> dict[str, Any]:
    """What the page and the terminal show of a fitted tree."""
    names = _requested(tree)
    drawing = tree_drawing(tree.tree_, tree.inputs_, drawn_predictions(tree), MOST_LEVELS, MOST_ENDS)
    return {
        "form": "tree",
        "n_leaves": int(tree.n_leaves_),
        "depth": int(tree.depth_),
        "columns": names,
        "text": folded(tree.to_text, MOST_LINES),
        "short": folded(tree.to_text, FEW_LINES),
        "takeaway": _tree_takeaway(tree, names),
        "drawing": plain_tree(drawing),
        "notes": [],
    }


def _requested(tree: Any) -> list[str]:
    """The columns that the tree asks for, that of the root first, then by what they gained."""
    features = tree.tree_.grown.feature
    requested = np.unique(features[features >= 0])
    gains = tree.feature_importances_
    ordered = sorted(requested.tolist(), key=lambda index: (index != int(features[0]), -gains[index], index))
    return [shown_label(tree.inputs_.names[index]) for index in ordered]


def _tree_takeaway(tree: Any, names: list[str]) -> str:
    if not names:
        return "A tree of a single leaf: it predicts the same for every row."
    size = f"A tree of {plural(tree.n_leaves_, 'leaf', 'leaves')} on {plural(tree.depth_, 'level')}"
    if len(names) == 1:
        return f"{size}; it uses {names[0]} alone."
    if len(names) <= MOST_NAMES:
        return f"{size}; it uses {join_names(names, 'and', most=None)}, first {names[0]}."
    return f"{size}; it uses {len(names):,} columns, first {names[0]}."
