"""Which learners can be exported, to what, and why not to the rest: a fixed table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heldout.errors import RequestError
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.models.baseline_answers import baseline_answers, json_baseline, python_baseline, sql_baseline
from heldout.models.forest_answers import forest_answers
from heldout.models.json_export import json_export
from heldout.models.json_forest import json_forest
from heldout.models.json_linear import json_linear
from heldout.models.json_rules import json_rules
from heldout.models.linear_answers import linear_answers
from heldout.models.onnx_export import onnx_export
from heldout.models.python_export import python_export
from heldout.models.python_forest import python_forest
from heldout.models.python_linear import python_linear
from heldout.models.python_rules import python_rules
from heldout.models.rule_answers import rule_answers
from heldout.models.sql_export import sql_export
from heldout.models.sql_linear import sql_linear
from heldout.models.sql_rules import sql_rules
from heldout.models.tree_answers import tree_answers

Writer = Callable[..., str | bytes]


@dataclass(frozen=True)
class Exporter:
    """How some learners are exported.

    learners: their classes
    answers:  from a fitted model to what its writers need
    writers:  by format, what writes it
    reason:   why the other formats cannot hold it
    size:     how large a model is, in words
    fix:      what to do instead
    """

    learners: tuple[type, ...]
    answers: Callable[[Any, str], Any]
    writers: dict[str, Writer]
    reason: str
    size: Callable[[Any], str]
    fix: str

    def refusal(self, model: Any, format: str) -> RequestError:
        """The error for a format that cannot hold the model."""
        return RequestError(
            self.reason,
            where=f"a {type(model).__name__} {self.size(model)}, to be exported as {format!r}",
            fix=self.fix,
        )


def _nothing(model: Any, caller: str) -> None:
    return None


EXPORTERS = (
    Exporter(
        (TreeClassifier, TreeRegressor),
        tree_answers,
        {"sql": sql_export, "python": python_export, "json": json_export, "onnx": onnx_export},
        "",
        lambda model: f"of {model.n_leaves_:,} leaves",
        "",
    ),
    Exporter(
        (RuleClassifier,),
        rule_answers,
        {"sql": sql_rules, "python": python_rules, "json": json_rules},
        "ONNX has trees and no lists of rules, and as a tree a list may become too large for any file",
        lambda model: f"of {len(model.rules_):,} rules",
        'export the rules to "sql", "python" or "json", or fit a TreeClassifier and export that',
    ),
    Exporter(
        (ForestClassifier, ForestRegressor),
        forest_answers,
        {"python": python_forest, "json": json_forest},
        "a forest is exported tree by tree, which SQL and ONNX would add up in an order of their own",
        lambda model: f"of {model.forest_.n_trees:,} trees",
        'export the forest to "python" or "json", keep it with ho.save, or export one tree',
    ),
    Exporter(
        (Perceptron, LinearRegressor, RidgeRegressor),
        linear_answers,
        {"sql": sql_linear, "python": python_linear, "json": json_linear},
        "ONNX leaves open in which order its linear models add, so their bits are not those of predict",
        lambda model: f"of {model.n_features_in_:,} columns",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (BaselineClassifier, BaselineRegressor),
        baseline_answers,
        {"sql": sql_baseline, "python": python_baseline, "json": json_baseline},
        "a baseline answers without looking at a row, for which ONNX has no model",
        lambda model: "with one answer",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (NeighborsClassifier, NeighborsRegressor),
        _nothing,
        {},
        "neighbors search their training rows, and nothing that is exported could do that",
        lambda model: f"of {len(model.levels_):,} rows",
        "keep the model with ho.save, or export a model that needs no rows",
    ),
)


def exporter_of(model: Any) -> Exporter | None:
    """How a model is exported; None for what is no learner of Heldout."""
    return next((each for each in EXPORTERS if isinstance(model, each.learners)), None)


def exportable() -> str:
    """The names of the learners that some format can hold.

    >>> exportable().startswith("TreeClassifier, TreeRegressor, RuleClassifier")
    True
    """
    return ", ".join(learner.__name__ for each in EXPORTERS if each.writers for learner in each.learners)
