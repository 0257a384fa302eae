"""What a model file holds of a list of rules."""

from __future__ import annotations

from typing import Any

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short
from heldout.models.records.array_members import ArrayMembers
from heldout.models.records.fitted_values import CLASSES, check_classes, check_n_values, check_per_class
from heldout.models.records.learner_record import LearnerRecord
from heldout.models.records.rule_form import rule_of_record, rule_record


class RulesRecord(LearnerRecord):
    """A RuleClassifier: each rule is an object of the JSON, and there are no arrays."""

    shaped = frozenset({"rules_", "default_rule_"})
    parts = frozenset({"rules", "default_rule"})
    plain = CLASSES | {"n_classes_", "class_weights_", "n_values_"}

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        check_n_values(attributes, schema)
        check_classes(attributes, attributes.get("n_classes_"))
        check_per_class(attributes, "class_weights_")

    def written(self, model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
        rules = [rule_record(rule) for rule in model.rules_]
        return {"rules": rules, "default_rule": rule_record(model.default_rule_)}, {}

    def read(self, model: Any, parts: dict[str, Any], members: ArrayMembers) -> None:
        rules, schema, classes = parts["rules"], model.inputs_, model.classes_
        if type(rules) is not list:
            raise damaged("the rules are not a list", short(rules))
        model.rules_ = [
            rule_of_record(rule, schema, classes, f"rule {place + 1}") for place, rule in enumerate(rules)
        ]
        model.default_rule_ = rule_of_record(parts["default_rule"], schema, classes, "the default rule")
