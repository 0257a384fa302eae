"""Fitted attributes that several learners have, held against the columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from heldout.learners.inputs.input_schema import InputSchema
from heldout.models.damaged_file import damaged, short

COLUMNS = frozenset({"n_features_in_", "feature_names_in_"})
CLASSES = frozenset({"classes_"})
MOST_VALUES = 2**53


def is_vector(value: Any, kinds: str) -> bool:
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


def check_classes(attributes: dict[str, Any], n_classes: Any) -> None:
    """The classes are labels, no two alike, and as many as there should be.

    n_classes: their number as the file tells it elsewhere
    """
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


def check_n_values(attributes: dict[str, Any], schema: InputSchema) -> None:
    """How many values each column had; a category has its levels. Older files do not tell."""
    if "n_values_" not in attributes:
        return
    n_values: Any = attributes["n_values_"]
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


def check_count(value: Any, name: str, lowest: int = 0) -> None:
    """A fitted attribute is a whole number of at least so much."""
    if type(value) is not int or not lowest <= value < 2**64:
        raise damaged(f"{name} is no number of at least {lowest}", short(value))


def check_number(value: Any, name: str, lowest: float = -math.inf) -> None:
    """A fitted attribute is a finite number of at least so much."""
    if type(value) is not float or not math.isfinite(value) or value < lowest:
        raise damaged(f"{name} is not a finite number that it can be", short(value))


def check_text(value: Any, name: str) -> None:
    """A fitted attribute is text."""
    if type(value) is not str:
        raise damaged(f"{name} is no text", short(value))


def check_words_of_columns(words: Any, name: str, n_columns: int) -> None:
    """A fitted attribute is a tuple of different words for each of so many columns."""
    if type(words) is not tuple or len(words) != n_columns:
        raise damaged(f"{name} does not fit the columns", f"{n_columns} columns, {short(words)}")
    for each in words:
        is_words = type(each) is tuple and all(type(word) is str for word in each)
        if not is_words or len(set(each)) < len(each):
            raise damaged("a word is there twice, or is none", f"attribute {name}")
