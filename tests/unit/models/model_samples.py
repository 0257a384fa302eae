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

import heldout as ho
from heldout import Column, Table
from heldout.learners.inputs.input_schema import InputColumn
from heldout.learners.trees.tree_structure import TreeStructure
from heldout.models.model_archive import archive_bytes
from heldout.models.save_model import MANIFEST
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
    return {
        "multiway": multiway.fit(table, classes),
        "groups": groups.fit(table, classes),
        "regressor": regressor.fit(table, targets),
        "rules": ho.RuleClassifier(max_depth=3).fit(table, classes),
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


def used_without_a_crash(model: Any) -> None:
    """Everything that reads the arrays of a model, on rows made from its own columns."""
    table = Table([_column(column) for column in model.inputs_.columns])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.predict(table)
        model.to_text()
        ho.export(model, "python")
        ho.export(model, "json")
        if hasattr(model, "tree_"):
            model.apply(table)
            model.decision_path(table)
            model.rules()
            model.explain(table[:1])
            _ = model.feature_importances_, model.tree_.heights, model.tree_.shares


def _column(column: InputColumn) -> Column:
    if not column.is_category:
        return Column(column.name, column.kind, np.array([np.nan, -1.0, 0.0, 0.7, 18_200.0]))
    codes = np.arange(5, dtype=np.int32) % (len(column.levels) + 1) - 1
    return Column(column.name, column.kind, codes, column.levels)


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


def edited_array(content: bytes, name: str, change: Any, dtype: str) -> bytes:
    """The file with `change` applied to an array, and right sums of everything."""
    members = members_of(content)
    raw = members[f"tree/{name}.npy"]
    head = 10 + int.from_bytes(raw[8:10], "little")
    array = np.frombuffer(raw, dtype=dtype, offset=head).copy()
    change(array)
    return archive_bytes({**members, f"tree/{name}.npy": raw[:head] + array.tobytes()})
