"""A fitted model in a language that needs no Heldout."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from heldout.errors import KindError, RequestError
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.models.json_export import json_export
from heldout.models.json_rules import json_rules
from heldout.models.onnx_export import onnx_export
from heldout.models.python_export import python_export
from heldout.models.python_rules import python_rules
from heldout.models.rule_answers import RuleAnswers, rule_answers
from heldout.models.sql_export import sql_export
from heldout.models.sql_rules import sql_rules
from heldout.models.tree_answers import tree_answers

_OPTIONS = {"sql": ("table", "prefix", "max_length"), "python": (), "json": (), "onnx": ("missing",)}
_OF_TREES: dict[str, Callable[..., str | bytes]] = {
    "sql": sql_export,
    "python": python_export,
    "json": json_export,
    "onnx": onnx_export,
}
_OF_RULES: dict[str, Callable[..., str]] = {"sql": sql_rules, "python": python_rules, "json": json_rules}


def export(model: Any, format: str, **options: Any) -> str | bytes:
    """The model as SQL, Python source, JSON or ONNX, with the same answers.

    Classes are the same, probabilities to 1e-12, also for missing values and for categories that were
    never seen. What a format cannot say exactly is refused.

    model:      a fitted TreeClassifier, TreeRegressor or RuleClassifier
    format:     "sql" (a SELECT), "python" (a program without imports), "json", or, for trees, "onnx" (bytes;
                needs the extra `heldout[onnx]`)
    table:      "sql": the table's name, or a tuple of schema and name; "data" if it is not given
    prefix:     "sql": put before the names of the columns that are added
    max_length: "sql": the most letters that the statement may have; 1,000,000 if it is not given
    missing:    "onnx": "refuse" for a model that stops with an error where a tree would split a row with
                an unknown value among its branches, which ONNX cannot; without it such a tree is refused

    >>> from heldout import TreeClassifier
    >>> tree = TreeClassifier(min_leaf=1).fit([[20.0], [40.0]], ["young", "old"])
    >>> program = {}
    >>> exec(export(tree, "python"), program)
    >>> program["predict"]({"x0": 35})
    'old'
    """
    caller = f"export(..., {format!r})"
    _check_request(format, options, caller)
    _check_model(model, caller)
    if isinstance(model, RuleClassifier):
        return _written_rules(rule_answers(model, caller), format, options)
    return _OF_TREES[format](tree_answers(model, caller), **options)


def _check_request(format: str, options: dict[str, Any], caller: str) -> None:
    if format not in _OPTIONS:
        near = get_close_matches(str(format).casefold(), _OPTIONS, n=1)
        raise RequestError(
            f"format must be {', '.join(map(repr, _OPTIONS))}",
            where=caller,
            fix=f"did you mean {near[0]!r}?" if near else "use one of these",
        )
    allowed = _OPTIONS[format]
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise RequestError(
            f"{unknown[0]} is not an option of the format {format!r}",
            where=f"export(..., {format!r}, {unknown[0]}=...)",
            fix=f"use {', '.join(allowed)}" if allowed else "leave it out",
        )


def _check_model(model: Any, caller: str) -> None:
    name = type(model).__name__
    if not isinstance(model, TreeClassifier | TreeRegressor | RuleClassifier):
        raise KindError(
            f"a {name} cannot be exported",
            where=caller,
            fix="hand over a fitted TreeClassifier, TreeRegressor or RuleClassifier",
        )
    if not model.__sklearn_is_fitted__():
        raise RequestError(f"this {name} is not fitted", where=caller, fix="call fit before you export it")


def _written_rules(answers: RuleAnswers, format: str, options: dict[str, Any]) -> str:
    if format not in _OF_RULES:
        raise RequestError(
            "ONNX has trees and no lists of rules, and as a tree a list may become too large for any file",
            where=f"a {answers.learner} of {len(answers.conditions):,} rules, to be exported as {format!r}",
            fix='export the rules to "sql", "python" or "json", or fit a TreeClassifier and export that',
        )
    return _OF_RULES[format](answers, **options)
