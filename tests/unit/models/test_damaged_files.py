"""Model files that were cut off, edited or made up are refused, with a reason."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models.model_archive import archive_bytes
from heldout.models.model_file import MANIFEST

from .model_samples import edited_array, edited_manifest, members_of, sample_models, saved_bytes


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("models")
    return {name: saved_bytes(model, folder) for name, model in sample_models().items()}


def refusal(content: bytes, tmp_path: Path) -> ho.DataError:
    """The error that the file meets; it has three parts and names the file."""
    path = tmp_path / "hostile.model"
    path.write_bytes(content)
    with pytest.raises(ho.DataError) as caught:
        ho.load(path)
    assert caught.value.what
    assert "hostile.model" in caught.value.where
    assert caught.value.fix
    return caught.value


ARRAY_EDITS = [
    ("feature", lambda a: a.__setitem__(0, 99), "on no column"),
    ("feature", lambda a: a.__setitem__(0, -1), "on no column"),
    ("split_kind", lambda a: a.__setitem__(0, 7), "unknown kind"),
    ("split_kind", lambda a: a.__setitem__(0, 0), "leaf has a split"),
    ("split_kind", lambda a: a.__setitem__(0, 4 - a[0]), "fit its column"),
    ("first_child", lambda a: a.__setitem__(0, 0), "after their parent"),
    ("first_child", lambda a: a.__setitem__(0, 2**31 - 2), "after their parent"),
    ("first_child", lambda a: a.__setitem__(0, 2), "make a tree"),
    ("n_children", lambda a: a.__setitem__(0, 1), "two children"),
    ("n_children", lambda a: a.__setitem__(0, 2**31 - 1), "."),
    ("parent", lambda a: a.__setitem__(-1, 0), "another parent"),
    ("branch_level", lambda a: a.__setitem__(0, 0), "no branches"),
    ("branch_level", lambda a: a.__setitem__(1, 99), "no branches"),
    ("parent", lambda a: a.__setitem__(0, 0), "another parent"),
    ("default_child", lambda a: a.__setitem__(0, 0), "default child"),
    ("default_child", lambda a: a.__setitem__(0, len(a) - 1), "default child"),
    ("weight", lambda a: a.__setitem__(3, np.nan), "weight"),
    ("weight", lambda a: a.__setitem__(3, -1.0), "weight"),
    ("weight", lambda a: a.__setitem__(slice(None), 0.0), "no weight"),
    ("value", lambda a: a.__setitem__(0, np.inf), "finite"),
    ("value", lambda a: a.__setitem__(0, -1.0), "no weight"),
    ("value", lambda a: a.__setitem__(slice(None), 0.0), "no weight"),
    ("n_rows", lambda a: a.__setitem__(0, -5), "rows is negative"),
    ("gain", lambda a: a.__setitem__(0, np.nan), "gain"),
    ("threshold", lambda a: a.__setitem__(slice(None), np.inf), "threshold"),
    ("threshold", lambda a: a.__setitem__(slice(None), 1e300), "no date"),
    ("set_begin", lambda a: a.__setitem__(0, -1), "outside its pool"),
    ("set_end", lambda a: a.__setitem__(0, 2**31 - 1), "outside its pool"),
    ("set_end", lambda a: a.__setitem__(slice(None), 0), "."),
]


@pytest.mark.parametrize("place", range(len(ARRAY_EDITS)))
def test_arrays_that_make_no_tree_are_refused(place: int, files: dict[str, bytes], tmp_path: Path) -> None:
    """Every relation between the arrays is checked, whatever the checksums say."""
    name, change, words = ARRAY_EDITS[place]
    error = refusal(edited_array(files["groups"], f"tree/{name}.npy", change), tmp_path)
    assert words in f"{error.what}."


def test_levels_out_of_order_are_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    """Branches and sets name levels that exist, in ascending order."""
    for change in (
        lambda a: a.__setitem__(slice(None), 99),
        lambda a: a.__setitem__(slice(None), a[::-1]),
        lambda a: a.__setitem__(slice(None, -1), 2**31 - 1),
    ):
        error = refusal(edited_array(files["groups"], "tree/set_levels.npy", change), tmp_path)
        assert "a set of levels" in error.what
        error = refusal(edited_array(files["multiway"], "tree/branch_level.npy", change), tmp_path)
        assert "the branches of a node" in error.what


def put(*keys: Any, value: Any) -> Any:
    """An edit that puts a value where the keys lead."""

    def change(manifest: Any) -> None:
        for key in keys[:-1]:
            manifest = manifest[key]
        manifest[keys[-1]] = value

    return change


def drop(*keys: Any) -> Any:
    """An edit that takes a key away."""

    def change(manifest: Any) -> None:
        for key in keys[:-1]:
            manifest = manifest[key]
        del manifest[keys[-1]]

    return change


MANIFEST_EDITS = [
    (put("version", value=2), "version 2"),
    (put("version", value=True), "version True"),
    (put("format", value="another"), "no model file"),
    (put("learner", value="os.system"), "does not know"),
    (put("learner", value="TreeRegressor"), "."),
    (put("learner", value=["TreeClassifier"]), "does not know"),
    (put("surplus", value=1), "other parts"),
    (drop("tree"), "other parts"),
    (drop("provenance"), "provenance"),
    (put("parameters", value=[]), "list of parameters"),
    (put("parameters", "surplus", value=1), "another version"),
    (put("parameters", "criterion", value="evil"), "criterion must be"),
    (put("parameters", "criterion", value={"list": []}), "criterion must be"),
    (put("parameters", "min_leaf", value={"float": "nan"}), "min_leaf must be"),
    (put("parameters", "n_jobs", value={"object": 1}), "unknown form"),
    (put("parameters", "n_jobs", value=2**62), "threads"),
    (drop("attributes", "feature_costs_"), "costs"),
    (put("attributes", "feature_costs_", "array", "values", 0, value=-1.0), "costs"),
    (put("attributes", "prune_alpha_", value="much"), "alpha"),
    (put("parameters", "categorical", value=[1]), "unknown form"),
    (put("attributes", value=3), "attributes"),
    (put("attributes", "predict", value=1), "another version"),
    (put("attributes", "n_values_", value=3), "distinct values"),
    (put("attributes", "n_values_", "array", "values", 0, value=-1), "distinct values"),
    (put("attributes", "n_values_", "array", "values", 1, value=7), "distinct values"),
    (put("attributes", "n_values_", "array", "dtype", value="<i4"), "distinct values"),
    (put("attributes", "__class__", value="x"), "another version"),
    (put("attributes", "tree_", value=1), "another version"),
    (put("attributes", "n_features_in_", value=4), "number of columns"),
    (put("attributes", "n_classes_", value=2), "list of labels"),
    (put("attributes", "classes_", "array", "values", value=["a", "b", "b"]), "twice"),
    (put("attributes", "classes_", "array", "values", value=["a", "b"]), "another shape"),
    (put("attributes", "classes_", "array", "dtype", value="<U99999999"), "type does not allow"),
    (put("attributes", "classes_", "array", "dtype", value="<i8"), "type does not allow"),
    (put("attributes", "classes_", "array", "dtype", value="<M8[s]"), "type does not allow"),
    (put("attributes", "classes_", "array", "shape", value=[-1]), "another shape"),
    (put("attributes", "feature_names_in_", "array", "values", 0, value="other"), "names of the columns"),
    (put("columns", value=[]), "not a list"),
    (put("columns", 0, "name", value="colour"), "same name"),
    (put("columns", 0, "name", value=7), "no name"),
    (put("columns", 0, "kind", value="text"), "unknown kind"),
    (put("columns", 0, "kind", value="category"), "."),
    (put("columns", 0, "levels", value=["x"]), "is a number"),
    (put("columns", 1, "levels", value=["x", "x"]), "level twice"),
    (put("columns", 1, "levels", value=["x"]), "."),
    (put("columns", 1, "fill", value=9.0), "fills"),
    (put("columns", 0, "fill", value="x"), "fills"),
    (put("columns", 4, "level_values", value=[2.0, 1.0, 0.5]), "ascending"),
    (put("columns", 4, "level_values", value=[1.0]), "fit them"),
    (put("tree", "n_nodes", value=10**12), "impossible size"),
    (put("tree", "n_nodes", value=0), "impossible size"),
    (put("tree", "n_nodes", value=2**31 - 1), "type or size"),
    (put("tree", "n_outputs", value=2**31 - 1), "type or size"),
    (put("tree", "n_set_levels", value=3.0), "impossible size"),
    (put("tree", "splits_unknown", value=1), "neither true"),
]


@pytest.mark.parametrize("place", range(len(MANIFEST_EDITS)))
def test_manifests_that_do_not_fit_are_refused(place: int, files: dict[str, bytes], tmp_path: Path) -> None:
    """The JSON is held against what this version writes, and against the arrays."""
    change, words = MANIFEST_EDITS[place]
    assert words in f"{refusal(edited_manifest(files['groups'], change), tmp_path).what}."


RULE_EDITS = [
    (put("rules", 0, "answer", value="z"), "no class"),
    (put("rules", 0, "distribution", value=[1.0]), "shares"),
    (put("rules", 0, "n_rows", value=-1), "number of rows"),
    (put("rules", 0, "weight", value=-1.0), "weight"),
    (put("rules", 0, "weight", value=0.0), "weight"),
    (put("rules", 0, "right", value=1e9), "weight"),
    (put("rules", 0, "estimate", value={"float": "inf"}), "infinite"),
    (put("rules", 0, "conditions", 0, "position", value=9), "column that is not there"),
    (put("rules", 0, "conditions", 0, "unknown_share", value=2.0), "between 0 and 1"),
    (put("rules", 0, "conditions", 0, "unknown_share", value=1.0), "asks for nothing"),
    (put("attributes", "prune_alpha_", value=0.0), "another version"),
    (put("rules", 0, "conditions", 0, "levels", value=[3, 1]), "."),
    (put("rules", 0, "conditions", 0, "low", value=[1.0]), "."),
    (put("rules", 0, "right", value="x"), "number of a rule"),
    (put("rules", value={}), "not a list"),
    (drop("default_rule"), "other parts"),
]


@pytest.mark.parametrize("place", range(len(RULE_EDITS)))
def test_rules_that_do_not_fit_are_refused(place: int, files: dict[str, bytes], tmp_path: Path) -> None:
    """Rules are held against the columns and the classes."""
    change, words = RULE_EDITS[place]
    assert words in f"{refusal(edited_manifest(files['rules'], change), tmp_path).what}."


def test_json_that_is_none_is_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    """Deep nesting, doubled keys, NaN, endless numbers and bytes that are no text."""
    members = members_of(files["groups"])
    text = members[MANIFEST]
    for wrong, words in (
        (b"[" * 200_000, "is not JSON"),
        (b"", "is not JSON"),
        (b"\xff\xfe{}", "is not JSON"),
        (b"[]", "no model file"),
        (text.replace(b'"version": 1', b'"version": 1, "version": 1'), "a key twice"),
        (text.replace(b'"version": 1', b'"version": NaN'), "a number that is none"),
        (text.replace(b'"version": 1', b'"version": ' + b"9" * 5_000), "too long"),
    ):
        assert words in refusal(archive_bytes({**members, MANIFEST: wrong}), tmp_path).what


def test_zips_that_are_none_are_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    """Empty files, cut files, missing, strange and doubled members, compression and other archives."""
    content, members = files["groups"], members_of(files["groups"])
    for wrong in (b"", b"PK", content[:-1], content[: len(content) // 2], content[5:], b"x" * 100):
        refusal(wrong, tmp_path)
    refusal(archive_bytes({}), tmp_path)
    refusal(archive_bytes({MANIFEST: members[MANIFEST]}), tmp_path)
    refusal(archive_bytes({**members, "evil.py": b"1"}), tmp_path)
    refusal(archive_bytes({**members, "../evil": b"1"}), tmp_path)
    doubled = BytesIO(content)
    with zipfile.ZipFile(doubled, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr(MANIFEST, members[MANIFEST])
    assert "twice" in refusal(doubled.getvalue(), tmp_path).what


@pytest.mark.slow
def test_a_bomb_is_not_unpacked(files: dict[str, bytes], tmp_path: Path) -> None:
    """A member that would unpack to a gigabyte is refused before a byte of it is read."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members_of(files["groups"]).items():
            archive.writestr(name, bytes(10**8) if name == "tree/value.npy" else member)
    assert "compressed" in refusal(buffer.getvalue(), tmp_path).what


def test_a_changed_byte_is_noticed(files: dict[str, bytes], tmp_path: Path) -> None:
    """The checksum of a member catches an edit that would make another valid tree."""
    content = files["groups"]
    weight = content.index(b"tree/weight.npy") + len(b"tree/weight.npy") + 128
    changed = bytearray(content)
    changed[weight] ^= 1
    assert "not a whole model file" in refusal(bytes(changed), tmp_path).what


def test_nothing_in_a_file_is_executed(files: dict[str, bytes], tmp_path: Path) -> None:
    """An array that NumPy would unpickle is compared with what is expected and refused."""
    buffer = BytesIO()
    np.save(buffer, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    members = members_of(files["groups"])
    error = refusal(archive_bytes({**members, "tree/feature.npy": buffer.getvalue()}), tmp_path)
    assert "another type or size" in error.what
