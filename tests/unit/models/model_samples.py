"""Small models of every learner that a file can hold, and rows for any of them."""

from __future__ import annotations

import json
import warnings
import zipfile
from dataclasses import fields
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import heldout as ho
from heldout import Column, Table
from heldout.inputs.input_schema import InputColumn
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.models.model_archive import archive_bytes
from heldout.models.model_file import MANIFEST
from heldout.models.pipeline_steps import first_inside
from heldout.native import GrownTree

COLOURS = ["red", "green", "blue", "it's"]


def sample_table(n_rows: int = 80, seed: int = 5) -> Table:
    """A number, a category, a boolean, a date and a number to be taken for a category, with gaps."""
    draw = np.random.default_rng(seed)
    gaps = draw.random((n_rows, 5)) < 0.1
    numbers = np.where(gaps[:, 0], np.nan, draw.normal(size=n_rows))
    colours = np.where(gaps[:, 1], -1, draw.integers(0, 4, n_rows))
    claims = np.where(gaps[:, 2], -1, draw.integers(0, 2, n_rows))
    days = np.where(gaps[:, 3], np.nan, draw.integers(18_000, 18_400, n_rows) + 0.25)
    sizes = np.where(gaps[:, 4], np.nan, draw.integers(1, 4, n_rows) / 2)
    return Table(
        [
            Column("length", "number", numbers),
            Column("colour", "category", colours.astype(np.int32), tuple(COLOURS)),
            Column("paid", "boolean", claims.astype(np.int32), ("no", "yes")),
            Column("day", "date", days),
            Column("size", "number", sizes),
        ]
    )


def sample_models() -> dict[str, Any]:
    """One fitted model per form that a file can have."""
    table = sample_table()
    draw = np.random.default_rng(6)
    classes = np.array(["a", "b", "c"])[draw.integers(0, 3, table.n_rows)]
    targets = draw.normal(size=table.n_rows)
    multiway = ho.TreeClassifier.id3(categorical=["size"], max_depth=4, prune=None)
    weights = {"a": 2.0, "b": 1, "c": 0.5}
    groups = ho.TreeClassifier.cart(categorical=[4], class_weight=weights, max_depth=4, prune=None)
    regressor = ho.TreeRegressor(max_depth=3, feature_costs={"length": 2.0}, prune=None)
    factors = np.array([0.5, 1.0, 0.0321])
    return {
        "calibrated": groups.fit(table, classes)._with_class_factors(factors),
        "multiway": multiway.fit(table, classes),
        "groups": groups.fit(table, classes),
        "regressor": regressor.fit(table, targets),
        "rules": ho.RuleClassifier(max_depth=3).fit(table, classes)._with_class_factors(factors),
    }


def deep_tree(n_levels: int) -> Any:
    """A regressor whose every split cuts off one number: as deep as a tree can be."""
    tree = ho.TreeRegressor(min_leaf=1, prune=None).fit([[0.0], [1.0]], [0.0, 1.0])
    n_nodes = 2 * n_levels + 1
    nodes = np.arange(n_nodes, dtype=np.int32)
    is_split = (nodes % 2 == 0) & (nodes < n_nodes - 1)
    split_or = partial(np.where, is_split)
    grown = tree.tree_.grown
    arrays = {field.name: np.repeat(getattr(grown, field.name)[:1], n_nodes, 0) for field in fields(grown)}
    arrays["set_levels"] = grown.set_levels
    arrays["feature"] = split_or(0, -1)
    arrays["split_kind"] = split_or(1, 0)
    arrays["threshold"] = split_or(nodes / 2 + 0.5, np.nan)
    arrays["first_child"] = arrays["default_child"] = split_or(nodes + 1, -1)
    arrays["n_children"] = split_or(2, 0)
    arrays["parent"] = np.where(nodes == 0, -1, (nodes - 1) // 2 * 2)
    arrays["value"] = nodes[:, None].astype(np.float64)
    typed = {name: np.ascontiguousarray(a, getattr(grown, name).dtype) for name, a in arrays.items()}
    tree.tree_ = TreeStructure(GrownTree(**typed))
    return tree


READING = (
    "predict", "predict_proba", "decision_function", "apply", "decision_path", "transform",
    "unseen_levels", "unseen_words",
)  # fmt: skip


def used_without_a_crash(model: Any) -> None:
    """Everything that reads the parts of a model, on rows made from its own columns."""
    rows = rows_for(model)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name in READING:
            if hasattr(model, name):
                getattr(model, name)(rows)
        str(model)
        if hasattr(model, "steps"):
            return
        model.description_bits()
        if hasattr(model, "transform"):
            model.get_feature_names_out()
            if hasattr(model, "inverse_transform"):
                model.inverse_transform(model.transform(rows))
            return
        if hasattr(model, "tree_"):
            model.rules()
            model.explain(rows[:1])
            _ = model.feature_importances_, model.tree_.heights, model.tree_.shares
        if not hasattr(model, "numbers_") and not hasattr(model, "updates_"):
            ho.export(model, "python")
            ho.export(model, "json")


def rows_for(model: Any) -> Any:
    """Five rows of the columns of a model, with gaps where it takes them: a table, or an array.

    Of a pipeline those of its first step; texts and images where a model takes these.
    """
    first = first_inside(model)
    if first is None:
        return np.zeros((5, 2))
    if getattr(first, "takes_documents_", False):
        return ["a b", "", "The film was not", "c\n\0", "ΣΑΣ"]
    tags = first.__sklearn_tags__().input_tags
    takes_gaps, lowest = tags.allow_nan and first is model, 0.0 if tags.positive_only else -1.0
    if hasattr(first, "feature_names_in_"):
        return Table([_column(column, takes_gaps, lowest) for column in first.inputs_.columns])
    if hasattr(first, "image_shape_"):
        shape = (5, *(first.image_shape_ or (6, 7)))
        return np.random.default_rng(4).random(shape)
    numbers = np.tile(_numbers(takes_gaps, lowest)[:, np.newaxis], (1, first.n_features_in_))
    words = [place for place, column in enumerate(first.inputs_.columns) if column.is_category]
    if not words:
        return numbers
    objects = numbers.astype(object)
    objects[:, words] = np.array(["a", "red", "b", "green", "x"], dtype=object)[:, np.newaxis]
    return objects


def _column(column: InputColumn, takes_gaps: bool, lowest: float) -> Column:
    if column.kind in ("text", "identifier"):
        return Column(column.name, column.kind, pa.array(["a", "b", None, "d", "e"]))
    if not column.is_category:
        return Column(column.name, column.kind, _numbers(takes_gaps, lowest))
    if not column.levels:
        return Column(column.name, column.kind, np.array([0, 1, 0, 1, 0], dtype=np.int32), ("no", "yes"))
    n_levels = len(column.levels)
    codes = np.arange(5, dtype=np.int32)
    codes = codes % (n_levels + 1) - 1 if takes_gaps else codes % n_levels
    return Column(column.name, column.kind, codes, column.levels)


def _numbers(takes_gaps: bool, lowest: float) -> np.ndarray:
    return np.array([np.nan if takes_gaps else 2.0, lowest, 0.0, 0.7, 18_200.0])


def saved_bytes(model: Any, folder: Path) -> bytes:
    ho.save(model, folder / "a.model")
    return (folder / "a.model").read_bytes()


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def edited_manifest(content: bytes, change: Any) -> bytes:
    """The file with `change` applied to its JSON, and right sums of everything."""
    members = members_of(content)
    manifest = json.loads(members[MANIFEST])
    change(manifest)
    return archive_bytes({**members, MANIFEST: json.dumps(manifest).encode()})


def edited_array(content: bytes, member: str, change: Any) -> bytes:
    """The file with `change` applied to an array, and right sums of everything."""
    members = members_of(content)
    raw = members[member]
    array = np.load(BytesIO(raw), allow_pickle=False)
    change(array)
    return archive_bytes({**members, member: raw[: len(raw) - array.nbytes] + array.tobytes()})
