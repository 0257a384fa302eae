"""The form of a record: which fitted attributes a learner has, and how they become JSON and arrays.

A fitted attribute either is a plain value, which stands under `attributes` in the JSON, or has a form of its
own: a part of the JSON, arrays as members of the file, or both. What is neither is refused when a model is
saved, so that nothing is lost in silence.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from heldout.errors import RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter
from heldout.models.model_archive import ArrayMembers, damaged, other_version, short
from heldout.models.records.json_values import KINDS, decode_schema, decode_value, encode_schema, encode_value

Model = TypeVar("Model", bound=BaseEstimator)


class LearnerRecord(ABC, Generic[Model]):
    """What a model file holds of one learner.

    `plain` names the fitted attributes that are plain values, beside those of the columns; `shaped` those
    that have a form of their own, in `parts` of the JSON and in arrays; `rebuilt` what a learner keeps for
    speed and makes again by itself, so that it is not saved.
    """

    plain: ClassVar[frozenset[str]] = frozenset()
    shaped: ClassVar[frozenset[str]] = frozenset()
    rebuilt: ClassVar[frozenset[str]] = frozenset()
    parts: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = KINDS  # that a column can have
    needs_columns: ClassVar[bool] = True  # images have none
    shaped_parameters: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, learner: type[Model]) -> None:
        self.learner = learner

    def check_writable(self, model: Model) -> None:
        """Refuse a model that a file cannot hold, with the reason; every other is taken."""
        return

    def parameters(self) -> Iterable[Parameter]:
        """What each parameter of the learner may be, as far as a table can say it."""
        allowed: Iterable[Parameter] = self.learner._parameters
        return allowed

    def check_parameters(self, model: Model) -> None:
        """Refuse parameters of a file that `fit` would refuse though the table of parameters allows them."""
        return

    def check_columns(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        """Refuse a number or names of columns that are not those of the schema."""
        check_columns(attributes, schema)

    @abstractmethod
    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        """Refuse plain values that do not fit together or do not fit the columns."""

    def write_parts(self, model: Model) -> tuple[dict[str, Any], dict[str, bytes]]:
        """What is shaped: the parts of the JSON by name, and the arrays as members of the file."""
        return {}, {}

    def read_parts(self, model: Model, parts: dict[str, Any], members: ArrayMembers) -> None:
        """Give the model what is shaped, checked; it has its parameters, columns and plain values already."""
        return


def is_fitted(learner: BaseEstimator) -> bool:
    """Whether `fit` was called."""
    if hasattr(learner, "__sklearn_is_fitted__"):
        # scikit-learn does not ask a transformer that could do without `fit`; a file needs its columns.
        return bool(learner.__sklearn_is_fitted__())
    try:
        check_is_fitted(learner)
    except NotFittedError:
        return False
    return True


MOST_THREADS = 1 << 16


def encode_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Every parameter by its name."""
    return {key: encode_value(value, key) for key, value in sorted(parameters.items())}


def make_learner(form: LearnerRecord[Model], record: object) -> Model:
    """The learner with its parameters, each of which `fit` would allow."""
    learner = form.learner
    if type(record) is not dict:
        raise damaged("the list of parameters is not described as it should be", short(record))
    known = set(learner().get_params(deep=False)) - form.shaped_parameters
    if set(record) != known:
        first = sorted(known ^ set(record))[0]
        verb = "lacks" if first in known else "has"
        raise other_version(f"it {verb} the parameter {short(first)}", f"parameters of a {learner.__name__}")
    model: Model = learner(**{key: decode_value(value, f"parameter {key}") for key, value in record.items()})
    for parameter in form.parameters():
        value = getattr(model, parameter.name)
        if not parameter.allows(value):
            raise damaged(f"{parameter.name} must be {parameter.allowed}", f"it is {short(value)}")
    n_jobs = getattr(model, "n_jobs", None)
    if n_jobs is not None and abs(n_jobs) > MOST_THREADS:
        raise damaged("n_jobs is no number of threads", short(n_jobs))
    form.check_parameters(model)
    return model


_PARTS = {"learner", "parameters", "attributes", "columns"}


def write_fitted(form: LearnerRecord[Model], model: Model) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A fitted model as JSON, and its arrays as members of the file."""
    name = type(model).__name__
    if not is_fitted(model):
        raise RequestError(f"this {name} is not fitted", where="ho.save", fix="call fit before you save it")
    form.check_writable(model)
    parameters = model.get_params(deep=False)
    attributes = {
        key: value for key, value in vars(model).items() if key not in form.rebuilt | set(parameters)
    }
    plain = form.plain | COLUMNS
    strange = sorted(set(attributes) - plain - form.shaped - {"inputs_"})
    if strange:
        raise RequestError(
            f"this {name} has an attribute that a model file cannot hold",
            where=f"{strange[0]}",
            fix="delete the attribute, or fit the model anew",
        )
    parts, members = form.write_parts(model)
    own = form.shaped_parameters
    record = {
        "learner": name,
        "parameters": encode_parameters({key: value for key, value in parameters.items() if key not in own}),
        "attributes": {key: encode_value(attributes[key], key) for key in sorted(plain & set(attributes))},
        "columns": encode_schema(model.inputs_),
        **parts,
    }
    return record, members


def read_fitted(form: LearnerRecord[Model], record: dict[str, Any], members: dict[str, bytes]) -> Model:
    """The model, after everything in the record was checked."""
    check_parts(record, _PARTS | form.parts)
    model = make_learner(form, record["parameters"])
    schema = decode_schema(record["columns"], form.kinds, form.needs_columns)
    attributes = _decode_attributes(form, record["attributes"])
    form.check_columns(attributes, schema)
    form.check_plain(attributes, schema)
    set_attributes(model, attributes)
    model.inputs_ = schema
    arrays = ArrayMembers(members)
    form.read_parts(model, {part: record[part] for part in form.parts}, arrays)
    arrays.check_all_taken()
    return model


def set_attributes(model: BaseEstimator, attributes: Mapping[str, Any]) -> None:
    """Give a model the fitted attributes that were read and checked."""
    for name, value in attributes.items():
        setattr(model, name, value)


def check_parts(record: dict[str, Any], wanted: set[str]) -> None:
    """Refuse a record that has other parts than these."""
    missing, unknown = sorted(wanted - set(record)), sorted(set(record) - wanted)
    if missing or unknown:
        where = f"missing {short(missing[0])}" if missing else f"unknown {short(unknown[0])}"
        raise damaged("the model has other parts than this version writes", where)


def _decode_attributes(form: LearnerRecord[Model], record: object) -> dict[str, Any]:
    """The plain fitted attributes by name, of which the learner knows each."""
    if type(record) is not dict:
        raise damaged("the attributes are not described as they should be", short(record))
    unknown = sorted(set(record) - form.plain - COLUMNS)
    if unknown:
        learner = form.learner.__name__
        raise other_version(f"it has the attribute {short(unknown[0])}", f"fitted attributes of a {learner}")
    return {key: decode_value(value, f"attribute {key}") for key, value in record.items()}


COLUMNS = frozenset({"n_features_in_", "feature_names_in_"})
CLASSES = frozenset({"classes_"})
MOST_VALUES = 2**53


def is_vector(value: object, kinds: str) -> bool:
    """Whether this is an array of one dimension whose type is one of these kinds."""
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in kinds


def check_columns(attributes: dict[str, Any], schema: InputSchema) -> None:
    """The number and the names of the columns are those of the schema."""
    n_columns = len(schema.columns)
    n_features = attributes.get("n_features_in_")
    if type(n_features) is not int or n_features != n_columns:
        raise damaged("the number of columns is not that of the model", f"{n_columns} columns")
    names: Any = attributes.get("feature_names_in_")
    if "feature_names_in_" in attributes and not (is_vector(names, "O") and names.tolist() == schema.names):
        raise damaged("the names of the columns differ from those of the model", f"{n_columns} columns")


def check_classes(attributes: dict[str, Any], n_classes: object) -> None:
    """The classes are labels, no two alike, and as many as the file says elsewhere."""
    classes: Any = attributes.get("classes_")
    is_count = type(n_classes) is int and n_classes > 0
    if not is_vector(classes, "biufUO") or not is_count or n_classes != len(classes):
        raise damaged("the classes are not a list of labels", "attribute classes_, or how many there are")
    labels = classes.tolist()
    if len(set(labels)) < len(labels) or any(label is None or label != label for label in labels):
        raise damaged("a class is there twice, or is missing", "attribute classes_")


def check_per_class(attributes: dict[str, Any], name: str) -> None:
    """A fitted attribute has a finite number of at least 0 for each class, and not 0 for all."""
    numbers: Any = attributes.get(name)
    is_right = is_vector(numbers, "f") and len(numbers) == len(attributes["classes_"])
    if not is_right or not (np.isfinite(numbers) & (numbers >= 0)).all() or not numbers.any():
        raise damaged("the classes have weights or shares that are none", f"attribute {name}")


def check_factors(attributes: dict[str, Any]) -> None:
    """The factors of the classes are positive numbers, one per class."""
    check_per_class(attributes, "class_factors_")
    if not (attributes["class_factors_"] > 0).all():
        raise damaged("a class is multiplied by nothing", "attribute class_factors_")


def check_n_values(attributes: dict[str, Any], schema: InputSchema) -> None:
    """How many values each column had; a category has its levels."""
    n_values: Any = attributes.get("n_values_")
    n_levels = [len(column.levels) if column.is_category else None for column in schema.columns]
    is_counts = is_vector(n_values, "i") and n_values.dtype == np.int64 and len(n_values) == len(n_levels)
    if not is_counts or not ((n_values >= 0) & (n_values <= MOST_VALUES)).all():
        raise damaged("the numbers of distinct values do not fit the columns", "attribute n_values_")
    for column, n_here, n_wanted in zip(schema.columns, n_values.tolist(), n_levels, strict=True):
        if n_wanted is not None and n_here != n_wanted:
            raise damaged(
                "the numbers of distinct values do not fit the columns",
                f"{short(column.name)}: {n_here} values, {n_wanted} levels",
            )


def check_all_there(attributes: dict[str, Any], names: frozenset[str]) -> None:
    """None of the fitted attributes is missing."""
    missing = sorted(names - set(attributes))
    if missing:
        raise damaged("a fitted attribute is missing", missing[0])


def check_count(value: object, name: str, lowest: int = 0) -> None:
    """A fitted attribute is a whole number of at least so much."""
    if type(value) is not int or not lowest <= value < 2**64:
        raise damaged(f"{name} is no number of at least {lowest}", short(value))


def check_number(value: object, name: str, lowest: float = -math.inf) -> None:
    """A fitted attribute is a finite number of at least so much."""
    if type(value) is not float or not math.isfinite(value) or value < lowest:
        raise damaged(f"{name} is not a finite number that it can be", short(value))


def check_flag(value: object, name: str) -> None:
    """A fitted attribute is true or false."""
    if type(value) is not bool:
        raise damaged(f"{name} is neither true nor false", short(value))


def check_text(value: object, name: str) -> None:
    """A fitted attribute is text."""
    if type(value) is not str:
        raise damaged(f"{name} is no text", short(value))


def check_words_of_columns(words: object, name: str, n_columns: int) -> None:
    """A fitted attribute is a tuple of different words for each of so many columns."""
    if type(words) is not tuple or len(words) != n_columns:
        raise damaged(f"{name} does not fit the columns", f"{n_columns} columns, {short(words)}")
    for levels in words:
        is_words = type(levels) is tuple and all(type(word) is str for word in levels)
        if not is_words or len(set(levels)) < len(levels):
            raise damaged("a word is there twice, or is none", f"attribute {name}")
