"""What a model file holds of a list of rules."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.inputs.input_schema import InputSchema
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.rules.condition import Condition, Cut
from heldout.learners.rules.rule import Rule
from heldout.models.model_archive import ArrayMembers, damaged, short
from heldout.models.records.json_values import decode_value, encode_value
from heldout.models.records.learner_record import (
    CLASSES,
    LearnerRecord,
    check_classes,
    check_n_values,
    check_per_class,
)
from heldout.models.records.tree_record import MOST_DAYS


class RulesRecord(LearnerRecord[RuleClassifier]):
    """A RuleClassifier: each rule is an object of the JSON, and there are no arrays."""

    shaped = frozenset({"rules_", "default_rule_"})
    parts = frozenset({"rules", "default_rule"})
    plain = CLASSES | {"n_classes_", "class_weights_", "n_values_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_n_values(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")

    def write_parts(self, model: RuleClassifier) -> tuple[dict[str, Any], dict[str, bytes]]:
        rules = [encode_rule(rule) for rule in model.rules_]
        return {"rules": rules, "default_rule": encode_rule(model.default_rule_)}, {}

    def read_parts(self, model: RuleClassifier, parts: dict[str, Any], members: ArrayMembers) -> None:
        rules, schema, classes = parts["rules"], model.inputs_, model.classes_
        if type(rules) is not list:
            raise damaged("the rules are not a list", short(rules))
        model.rules_ = [
            decode_rule(rule, schema, classes, f"rule {index + 1}") for index, rule in enumerate(rules)
        ]
        model.default_rule_ = decode_rule(parts["default_rule"], schema, classes, "the default rule")


_RULE = {
    "conditions", "answer", "answer_text", "distribution", "n_rows", "weight", "right", "estimate",
}  # fmt: skip
_CONDITION = {"position", "low", "high", "levels", "unknown_share"}


def encode_rule(rule: Rule) -> dict[str, Any]:
    """One object per rule; a condition names its column by its place."""
    return {
        "conditions": [_encode_condition(condition) for condition in rule.conditions],
        "answer": encode_value(rule.prediction, "the answer of a rule"),
        "answer_text": rule.prediction_text,
        "distribution": [float(share) for share in rule.distribution],
        "n_rows": int(rule.n_rows),
        "weight": float(rule.weight),
        "right": encode_value(float(rule.right), "a rule"),
        "estimate": encode_value(float(rule.estimate), "a rule"),
    }


def _encode_condition(condition: Condition) -> dict[str, Any]:
    return {
        "position": condition.position,
        "low": _encode_cut(condition.low),
        "high": _encode_cut(condition.high),
        "levels": None if condition.levels is None else list(condition.levels),
        "unknown_share": float(condition.unknown_share),
    }


def _encode_cut(cut: Cut | None) -> list[Any] | None:
    if cut is None:
        return None
    return [encode_value(float(number), "a cut") for number in (cut.threshold, cut.below, cut.above)]


def decode_rule(record: object, schema: InputSchema, classes: NDArray[Any], where: str) -> Rule:
    """The rule, which fits the columns and the classes."""
    if type(record) is not dict or set(record) != _RULE or type(record["conditions"]) is not list:
        raise damaged("a rule has other fields than it should", where)
    conditions = tuple([_condition(fields, schema, where) for fields in record["conditions"]])
    if len({condition.position for condition in conditions}) < len(conditions):
        raise damaged("a rule asks twice for one column", where)
    prediction = decode_value(record["answer"], where)
    labels = classes.tolist()
    if not any(type(prediction) is type(label) and prediction == label for label in labels):
        raise damaged("a rule answers what is no class", f"{where}: {short(prediction)}")
    if type(record["answer_text"]) is not str:
        raise damaged("the text of an answer is no text", where)
    n_rows = record["n_rows"]
    if type(n_rows) is not int or not 0 <= n_rows < 2**63:
        raise damaged("a rule covers an impossible number of rows", f"{where}: {short(n_rows)}")
    weight, right = _number(record["weight"], where), _number(record["right"], where)
    is_possible = 0 <= weight < math.inf and (weight > 0 or n_rows == 0)
    if not is_possible or not (math.isnan(right) or 0 <= right <= weight * (1 + 1e-9)):
        raise damaged("a rule has an impossible weight", f"{where}: {short(weight)}, {short(right)} right")
    estimate = _number(record["estimate"], where)
    if math.isinf(estimate):
        raise damaged("the estimate of a rule is infinite", where)
    return Rule(
        conditions=conditions,
        prediction=prediction,
        prediction_text=record["answer_text"],
        distribution=_distribution(record["distribution"], len(labels), where),
        n_rows=n_rows,
        weight=weight,
        right=right,
        estimate=estimate,
    )


def _number(value: object, where: str) -> float:
    number = decode_value(value, where)
    if type(number) is not float:
        raise damaged("a number of a rule is none", f"{where}: {short(number)}")
    return number


def _distribution(values: Any, n_classes: int, where: str) -> NDArray[np.float64]:
    is_list = type(values) is list and len(values) == n_classes
    if not is_list or not all(type(value) is float and 0 <= value <= 1 for value in values):
        raise damaged("a rule has shares that do not fit the classes", where)
    return np.array(values, dtype=np.float64)


def _condition(fields: object, schema: InputSchema, where: str) -> Condition:
    if type(fields) is not dict or set(fields) != _CONDITION:
        raise damaged("a condition has other fields than it should", where)
    position, share = fields["position"], fields["unknown_share"]
    if type(position) is not int or not 0 <= position < len(schema.columns):
        raise damaged("a condition asks for a column that is not there", f"{where}: {short(position)}")
    if type(share) is not float or not 0 <= share <= 1:
        raise damaged("a share is not between 0 and 1", f"{where}: {short(share)}")
    column = schema.columns[position]
    levels = _levels(fields["levels"], len(column.levels), where)
    low, high = (_cut(fields[side], column.kind, where) for side in ("low", "high"))
    if column.is_category != (levels is not None) or (column.is_category and (low or high)):
        raise damaged("a condition does not fit its column", f"{where}: {short(column.name)}")
    condition = Condition(column, position, low, high, levels, share)
    if share != 0 or not condition.sides or not condition.allows_a_value:
        raise damaged("a condition asks for nothing, or for what no value has", where)
    return condition


def _levels(levels: Any, n_levels: int, where: str) -> tuple[int, ...] | None:
    if levels is None:
        return None
    is_list = type(levels) is list and all(type(level) is int and 0 <= level < n_levels for level in levels)
    if not is_list or sorted(set(levels)) != levels:
        raise damaged("the levels of a condition are not ascending or out of range", where)
    return tuple(levels)


def _cut(numbers: object, kind: str, where: str) -> Cut | None:
    if numbers is None:
        return None
    if type(numbers) is not list or len(numbers) != 3:
        raise damaged("a limit is not three numbers", where)
    threshold, below, above = (_number(number, where) for number in numbers)
    if not abs(threshold) < (MOST_DAYS if kind == "date" else math.inf):
        raise damaged("a limit is not a finite number, or no date", f"{where}: {threshold!r}")
    return Cut(threshold, below, above)
