"""Which learners a model file can hold, and what is written of each: a fixed list, never a name to import."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.errors import KindError, RequestError
from heldout.learners.inputs.input_schema import InputSchema
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.models.damaged_file import damaged, newer, short
from heldout.models.plain_values import decoded, encoded
from heldout.models.rule_record import rule_of_record, rule_record
from heldout.models.schema_record import schema_of_record, schema_record
from heldout.models.tree_record import ARRAYS, member, tree_of_record, tree_record

LEARNERS: dict[str, type] = {
    "TreeClassifier": TreeClassifier,
    "TreeRegressor": TreeRegressor,
    "RuleClassifier": RuleClassifier,
}
# Fitted attributes that are plain values, those of trees alone, and those that have a form of their own.
_ATTRIBUTES = {
    "classes_", "feature_costs_", "feature_names_in_", "n_classes_", "n_features_in_", "prune_alpha_",
}  # fmt: skip
_OF_TREES = {"feature_costs_", "prune_alpha_"}
MOST_THREADS = 1 << 16
_OWN_FORM = {"tree_", "inputs_", "rules_", "default_rule_"}


def model_record(model: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of a fitted model in JSON, and its arrays as members of the file."""
    name = type(model).__name__
    if not _is_known(model):
        raise KindError(
            f"a {name} cannot be saved",
            where="ho.save",
            fix=f"hand over a fitted {', '.join(LEARNERS)}",
        )
    if not model.__sklearn_is_fitted__():
        raise RequestError(f"this {name} is not fitted", where="ho.save", fix="call fit before you save it")
    parameters = model.get_params(deep=False)
    attributes = {key: value for key, value in vars(model).items() if key not in parameters}
    strange = sorted(set(attributes) - _ATTRIBUTES - _OWN_FORM)
    if strange:
        raise RequestError(
            f"this {name} has an attribute that a model file cannot hold",
            where=f"{strange[0]}",
            fix="delete the attribute, or fit the model anew",
        )
    record: dict[str, Any] = {
        "learner": name,
        "parameters": {key: encoded(value, key) for key, value in sorted(parameters.items())},
        "attributes": {
            key: encoded(value, key) for key, value in sorted(attributes.items()) if key not in _OWN_FORM
        },
        "columns": schema_record(model.inputs_),
    }
    members: dict[str, bytes] = {}
    if "tree_" in attributes:
        record["tree"], members = tree_record(model.tree_)
    else:
        record["rules"] = [rule_record(rule) for rule in model.rules_]
        record["default_rule"] = rule_record(model.default_rule_)
    return record, members


def _is_known(model: Any) -> bool:
    return LEARNERS.get(type(model).__name__) is type(model)


def model_of_record(record: dict[str, Any], members: dict[str, bytes]) -> Any:
    """The model, after everything in the record was checked."""
    learner = record.get("learner")
    if type(learner) is not str or learner not in LEARNERS:
        raise damaged("the file holds a learner that this version does not know", short(learner))
    has_tree = learner != "RuleClassifier"
    body = {"tree"} if has_tree else {"rules", "default_rule"}
    _check_keys(record, {"learner", "parameters", "attributes", "columns"} | body, "the model")
    _check_keys(members, {member(name) for name in ARRAYS} if has_tree else set(), "the file")
    model = _with_parameters(LEARNERS[learner], record["parameters"])
    schema = schema_of_record(record["columns"])
    attributes = _attributes(model, record["attributes"], schema)
    vars(model).update(attributes)
    model.inputs_ = schema
    if has_tree:
        model.tree_ = tree_of_record(record["tree"], members, schema, "classes_" in attributes)
        _check_outputs(model)
    else:
        _take_rules(model, record, schema)
    return model


def _check_keys(given: Any, wanted: set[str], what: str) -> None:
    if type(given) is not dict:
        raise damaged(f"{what} is not described as it should be", short(given))
    missing, unknown = sorted(wanted - set(given)), sorted(set(given) - wanted)
    if missing or unknown:
        where = f"missing {short(missing[0])}" if missing else f"unknown {short(unknown[0])}"
        raise damaged(f"{what} has other parts than this version writes", where)


def _with_parameters(learner: type[Any], record: Any) -> Any:
    """The learner with its parameters, each of which `fit` would allow.

    A parameter that the file does not have came after it was written, and has its default.
    """
    if type(record) is not dict:
        raise damaged("the list of parameters is not described as it should be", short(record))
    unknown = sorted(set(record) - set(learner().get_params(deep=False)))
    if unknown:
        raise newer(f"this one has no parameter {short(unknown[0])}", f"parameters of a {learner.__name__}")
    model = learner(**{key: decoded(value, f"parameter {key}") for key, value in record.items()})
    for parameter in model._parameters:
        value = getattr(model, parameter.name)
        if not parameter.allows(value):
            raise damaged(f"{parameter.name} must be {parameter.allowed}", f"it is {short(value)}")
    if model.n_jobs is not None and abs(model.n_jobs) > MOST_THREADS:
        raise damaged("n_jobs is no number of threads", short(model.n_jobs))
    return model


def _attributes(model: Any, record: Any, schema: InputSchema) -> dict[str, Any]:
    """The plain fitted attributes, which fit the columns."""
    if type(record) is not dict:
        raise damaged("the attributes are not described as they should be", short(record))
    learner, is_rules = type(model).__name__, isinstance(model, RuleClassifier)
    unknown = sorted(set(record) - (_ATTRIBUTES - _OF_TREES if is_rules else _ATTRIBUTES))
    if unknown:
        raise newer(f"this one has no attribute {short(unknown[0])}", f"fitted attributes of a {learner}")
    attributes = {key: decoded(value, f"attribute {key}") for key, value in record.items()}
    n_columns = len(schema.columns)
    if attributes.get("n_features_in_") != n_columns or type(attributes["n_features_in_"]) is not int:
        raise damaged("the number of columns is not that of the model", f"{n_columns} columns")
    names: Any = attributes.get("feature_names_in_")
    if "feature_names_in_" in attributes and not (_is_vector(names, "O") and names.tolist() == schema.names):
        raise damaged("the names of the columns differ from those of the model", f"{n_columns} columns")
    costs: Any = np.zeros(n_columns) if is_rules else attributes.get("feature_costs_")
    is_cost = _is_vector(costs, "f") and len(costs) == n_columns
    if not is_cost or not (np.isfinite(costs) & (costs >= 0)).all():
        raise damaged("the costs do not fit the columns", f"{n_columns} columns")
    alpha = attributes.get("prune_alpha_", 0.0)
    if not isinstance(alpha, float) or not 0 <= alpha < np.inf:
        raise damaged("alpha is no number of at least 0", short(alpha))
    _check_classes(attributes, is_regression=isinstance(model, TreeRegressor))
    return attributes


def _is_vector(value: Any, kinds: str) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in kinds


def _check_classes(attributes: dict[str, Any], is_regression: bool) -> None:
    if is_regression:
        if "classes_" in attributes or "n_classes_" in attributes:
            raise damaged("a regression has classes", "attribute classes_")
        return
    classes: Any = attributes.get("classes_")
    count = attributes.get("n_classes_")
    if not _is_vector(classes, "biufUO") or type(count) is not int or count != len(classes) or not count:
        raise damaged("the classes are not a list of labels", "attributes classes_ and n_classes_")
    labels = classes.tolist()
    if len(set(labels)) < len(labels) or any(label is None or label != label for label in labels):
        raise damaged("a class is there twice, or is missing", "attribute classes_")


def _check_outputs(model: Any) -> None:
    wanted = model.n_classes_ if hasattr(model, "classes_") else 1
    if model.tree_.grown.value.shape[1] != wanted:
        raise damaged("the tree answers for another number of classes", f"wanted {wanted}")


def _take_rules(model: Any, record: dict[str, Any], schema: InputSchema) -> None:
    rules = record["rules"]
    if type(rules) is not list:
        raise damaged("the rules are not a list", short(rules))
    model.rules_ = [
        rule_of_record(rule, schema, model.classes_, f"rule {place + 1}") for place, rule in enumerate(rules)
    ]
    model.default_rule_ = rule_of_record(record["default_rule"], schema, model.classes_, "the default rule")
