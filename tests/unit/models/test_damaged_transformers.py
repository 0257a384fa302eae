"""Files of transformers that were edited are refused, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import heldout as ho
from heldout.features.bag_of_words import BagOfWords
from heldout.models.model_archive import archive_bytes

from ...contract.made_rows import answers
from .model_samples import edited_array, edited_manifest, members_of, saved_bytes
from .test_damaged_files import drop, put, refusal
from .test_damaged_learners import at
from .transformer_samples import N_FIT, N_ROWS, halves

MADE: dict[str, tuple[Any, str]] = {
    "scale": (ho.Scale(), "table"),
    "divided": (ho.Scale(center=False, by=None), "array"),
    "discretize": (ho.Discretize(n=3), "array"),
    "fill": (ho.FillMissing(), "table"),
    "onehot": (ho.OneHot(), "table"),
    "ordinal": (ho.Ordinal(), "words"),
    "rare": (ho.DropRare(min_count=0.4), "table"),
    "variance": (ho.DropLowVariance(threshold=0.3), "array"),
    "paths": (ho.TreePaths(tree=ho.TreeClassifier(max_depth=3)), "table"),
    "paths alone": (ho.TreePaths(keep=False, length=None), "array"),
    "words": (BagOfWords(ngrams=(1, 2), stop_words=["was", "the"]), "documents"),
    "text": (BagOfWords(sparse=False), "table"),
    "pixels": (ho.PixelFeatures(size=(4, 3)), "images"),
    "patches": (ho.PatchFeatures(size=3, n=4), "images"),
    "shapes": (ho.ShapeFeatures(), "images"),
}


def content_of(name: str, tmp_path: Path) -> bytes:
    transformer, form = MADE[name]
    return saved_bytes(clone(transformer).fit(halves(form)[0], answers(N_ROWS)[:N_FIT]), tmp_path)


def plain(attribute: str, *keys: Any, value: Any) -> Any:
    return put("attributes", attribute, *keys, value=value)


NO_NUMBERS = {"array": {"dtype": "<i8", "shape": [0], "values": []}}
EDITS = [
    ("scale", plain("n_rows_", value=0), "n_rows_"),
    ("scale", plain("columns_", value=[1]), "unknown form"),
    ("scale", plain("columns_", "array", "dtype", value="<i4"), "no positions"),
    ("scale", plain("columns_", "array", "values", 0, value=-1), "not ascending or not there"),
    ("scale", plain("columns_", "array", "values", 2, value=99), "not ascending or not there"),
    ("scale", plain("columns_", "array", "values", 1, value=0), "not ascending or not there"),
    ("scale", plain("columns_", "array", "values", 2, value=3), "is not for"),
    ("scale", drop("attributes", "columns_"), "missing"),
    ("scale", put("parameters", "columns", value=3), "columns must be"),
    ("scale", put("parameters", "by", value="size"), "by must be"),
    ("scale", put("parameters", "center", value=False), "does not fit the parameters"),
    ("divided", put("columns", value=[]), "not a list"),
    ("discretize", plain("cuts_", "tuple", 0, "array", "values", 0, value=1e9), "finite and ascending"),
    ("discretize", plain("cuts_", "tuple", 0, "array", "values", 0, value={"float": "nan"}), "finite"),
    ("discretize", plain("cuts_", "tuple", 0, value=1.0), "finite and ascending"),
    ("discretize", lambda m: m["attributes"]["cuts_"]["tuple"].pop(), "finite and ascending"),
    ("discretize", lambda m: m["attributes"]["intervals_"]["tuple"].pop(), "does not fit the columns"),
    ("discretize", lambda m: m["attributes"]["intervals_"]["tuple"][0]["tuple"].pop(), "more or fewer"),
    ("discretize", plain("intervals_", "tuple", 0, "tuple", 0, value=3), "twice, or is none"),
    ("fill", plain("fills_", "tuple", 0, value="red"), "does not fit its column"),
    ("fill", plain("fills_", "tuple", 0, value=1), "does not fit its column"),
    ("fill", plain("fills_", "tuple", 2, value=1e12), "does not fit its column"),
    ("fill", plain("fills_", "tuple", 3, value=1.0), "does not fit its column"),
    ("fill", plain("fills_", "tuple", 4, value="maybe"), "does not fit its column"),
    ("fill", lambda m: m["attributes"]["fills_"]["tuple"].pop(), "a fill for each column"),
    ("fill", plain("n_missing_", "array", "values", 0, value=-1), "count rows"),
    ("fill", plain("n_missing_", "array", "values", 0, value=10**6), "count rows"),
    ("fill", plain("has_indicator_", value=True), "yes or no"),
    ("fill", plain("never_known_", value={"tuple": ["other"]}), "other columns"),
    ("fill", put("parameters", "level", value=" "), "level is no word"),
    ("fill", put("parameters", "level", value=3), "level is no word"),
    ("onehot", plain("levels_", "tuple", 0, "tuple", 0, value="red"), "twice"),
    ("onehot", plain("levels_", "tuple", 0, "tuple", 0, value=1), "is none"),
    ("onehot", plain("levels_", value={"list": []}), "does not fit the columns"),
    ("onehot", plain("drops_first_", value=1), "neither true nor false"),
    ("onehot", plain("columns_", "array", "values", 0, value=0), "is not for"),
    ("ordinal", plain("is_given_", "tuple", 0, value=1), "yes or no"),
    ("ordinal", plain("is_given_", value={"tuple": []}), "yes or no"),
    ("rare", plain("kept_", "array", "values", value=[False] * 2), "another shape"),
    ("rare", plain("kept_", value=None), "yes or no"),
    ("rare", plain("kept_", "array", "values", 0, value=False), "reason for each"),
    ("rare", plain("n_seen_", "array", "values", 0, value=-3), "count rows"),
    ("rare", put("reasons", value=[1]), "reason for each"),
    ("rare", put("reasons", value="no"), "reason for each"),
    ("variance", plain("variances_", "array", "values", 0, value=-1.0), "variance for each"),
    ("variance", plain("variances_", value=1.0), "variance for each"),
    ("variance", lambda m: m["attributes"]["kept_"]["array"].update(values=[False] * 8), "no column is left"),
    ("paths", put("tree", value=None), "tree is not described"),
    ("paths", put("tree", "learner", value="ForestClassifier"), "tree is not described"),
    ("paths", put("tree", "attributes", "n_features_in_", value=9), "number of columns"),
    ("paths", plain("n_features_in_", value=NO_NUMBERS), "number of columns"),
    ("paths", put("parameters", "length", value=10**400), "length must be"),
    ("paths", put("tree", "tree", "n_nodes", value=1), "type or size"),
    ("paths", put("requested_tree", value=3), "tree is not described"),
    ("paths", put("requested_tree", "surplus", value=3), "other parts"),
    ("paths", put("requested_tree", "parameters", "max_depth", value=-1), "max_depth must be"),
    ("paths", put("parameters", "tree", value=None), "another version"),
    ("paths", put("parameters", "length", value=0), "length must be"),
    ("paths", plain("columns_", "array", "values", 0, value=1), "not ascending"),
    ("words", put("word_lists", value=[]), "words for each"),
    ("words", put("word_lists", 0, "words", value=[]), "empty"),
    ("words", put("word_lists", 0, "words", value={}), "not described"),
    ("words", put("word_lists", 0, "words", 0, value="zzz"), "not in order"),
    ("words", put("word_lists", 0, "words", 0, value=""), "term of the vocabulary"),
    ("words", put("word_lists", 0, "words", 0, value="a\nb"), "term of the vocabulary"),
    ("words", put("word_lists", 0, "words", 0, value="a b c"), "term of the vocabulary"),
    ("words", put("word_lists", 0, "words", 0, value="a  b"), "term of the vocabulary"),
    ("words", put("word_lists", 0, "words", 0, value="\ud800"), "term of the vocabulary"),
    ("words", put("word_lists", 0, "words", 0, value=7), "term of the vocabulary"),
    ("words", lambda m: m["word_lists"][0]["words"].pop(), "type or size"),
    ("words", put("word_lists", 0, "dropped", "n_beyond", value=-1), "n_beyond"),
    ("words", put("word_lists", 0, "dropped", value=3), "was dropped"),
    ("words", put("rules", value=None), "rules of the words"),
    ("words", put("rules", "n_most", value=21), "impossible length"),
    ("words", put("rules", "n_least", value=3), "impossible length"),
    ("words", put("rules", "n_least", value=0), "n_least"),
    ("words", put("rules", "is_log", value=1), "is_log is neither"),
    ("words", plain("stop_words_", value={"tuple": ["was", "the"]}), "stop words"),
    ("words", plain("stop_words_", value={"tuple": ["two words"]}), "stop words"),
    ("words", plain("takes_documents_", value=False), "number of columns"),
    ("words", plain("takes_documents_", value=1), "neither true nor false"),
    ("words", plain("n_features_in_", value=1), "documents have no columns"),
    ("words", put("columns", 0, "name", value="x"), "documents have no columns"),
    ("words", put("parameters", "ngrams", value={"tuple": [2, 1]}), "pair of ngrams"),
    ("words", put("parameters", "stop_words", value={"set": ["a", "a"]}), "unknown form"),
    ("text", plain("takes_documents_", value=True), "documents have no columns"),
    ("text", plain("columns_", "array", "values", 0, value=0), "is not for"),
    ("text", plain("columns_", value=NO_NUMBERS), "no column"),
    ("pixels", plain("image_shape_", "tuple", 0, value=5), "another size"),
    ("pixels", plain("image_shape_", value={"tuple": [4, 0]}), "is none"),
    ("pixels", plain("image_shape_", value={"tuple": [2**20, 2**20]}), "is none"),
    ("pixels", plain("image_shape_", value=None), "is none"),
    ("pixels", drop("attributes", "file_column_"), "missing"),
    ("pixels", plain("file_column_", value="photo"), "no columns"),
    ("pixels", plain("n_features_in_", value=1), "no columns"),
    ("pixels", put("parameters", "size", value={"tuple": [4, -3]}), "two integers"),
    ("pixels", put("parameters", "size", value={"tuple": [4, {"tuple": [3]}]}), "two integers"),
    ("pixels", put("parameters", "folder", value=3), "folder is no path"),
    ("pixels", put("parameters", "column", value=3), "column is no name"),
    ("patches", put("n_patches", value=0), "impossible size"),
    ("patches", put("n_patches", value=2**31 - 1), "type or size"),
    ("patches", put("parameters", "size", value=99), "do not fit into the images"),
    ("patches", put("parameters", "size", value=2), "type or size"),
    ("patches", plain("n_sampled_", value=0), "n_sampled_"),
    ("shapes", plain("image_shape_", value={"tuple": [4]}), "is none"),
    ("shapes", plain("image_shape_", value=4), "is none"),
    ("shapes", put("parameters", "threshold", value="high"), "threshold must be"),
]


@pytest.mark.parametrize("place", range(len(EDITS)))
def test_manifests_that_do_not_fit_are_refused(place: int, tmp_path: Path) -> None:
    """What was learned is held against the columns, the parameters, and what the core can take."""
    name, change, words = EDITS[place]
    error = refusal(edited_manifest(content_of(name, tmp_path), change), tmp_path)
    assert words in f"{error.what}."


ARRAY_EDITS = [
    ("scale", "fitted/center_.npy", at(0, np.nan), "not finite"),
    ("scale", "fitted/scale_.npy", at(0, 0.0), "divided by nothing"),
    ("scale", "fitted/scale_.npy", at(0, np.inf), "not finite"),
    ("scale", "fitted/center_.npy", at(2, 1e300), "no date"),
    ("divided", "fitted/scale_.npy", at(0, 2.0), "does not fit the parameters"),
    ("words", "words0/document_counts.npy", at(0, 0), "in no document"),
    ("words", "words0/document_counts.npy", at(0, 2**62), "too many"),
    ("patches", "fitted/patches_.npy", at((0, 0, 0), np.nan), "not finite"),
    ("patches", "fitted/patches_.npy", at((0, 0, 0), 1e200), "too large"),
    ("patches", "fitted/shares_.npy", at(0, 2.0), "share of a patch"),
    ("paths", "paths/tree/feature.npy", at(0, 99), "on no column"),
]


@pytest.mark.parametrize("place", range(len(ARRAY_EDITS)))
def test_arrays_that_do_not_fit_are_refused(place: int, tmp_path: Path) -> None:
    """Numbers that no fit gives are refused before anything is divided by them."""
    name, member, change, words = ARRAY_EDITS[place]
    error = refusal(edited_array(content_of(name, tmp_path), member, change), tmp_path)
    assert words in error.what


def test_a_vocabulary_that_the_core_would_refuse_does_not_reach_it(tmp_path: Path) -> None:
    """A word that occurs twice, and runs of more words than the core takes."""
    content = content_of("words", tmp_path)

    def twice(manifest: Any) -> None:
        words = manifest["word_lists"][0]["words"]
        words[1] = words[0]

    def long_run(manifest: Any) -> None:
        manifest["rules"]["n_most"] = 20
        manifest["word_lists"][0]["words"][0] = " ".join(["a"] * 21)

    assert "not in order" in refusal(edited_manifest(content, twice), tmp_path).what
    assert "term of the vocabulary" in refusal(edited_manifest(content, long_run), tmp_path).what


def test_a_tree_of_other_columns_is_refused(tmp_path: Path) -> None:
    """The tree of TreePaths asks for the columns that are acted on, and for no others."""
    content = content_of("paths", tmp_path)

    def renamed(manifest: Any) -> None:
        tree = manifest["tree"]
        tree["columns"][0]["name"] = "other"
        tree["attributes"]["feature_names_in_"]["array"]["values"][0] = "other"

    assert "other columns than those" in refusal(edited_manifest(content, renamed), tmp_path).what


def test_a_tree_that_would_leave_no_column_is_refused(tmp_path: Path) -> None:
    """A single leaf has no branches to make columns of."""
    alone = ho.TreePaths(keep=False).fit([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])
    leaf = ho.TreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 0, 0])
    alone.tree_ = leaf
    assert "no column would be left" in refusal(saved_bytes(alone, tmp_path), tmp_path).what


def test_arrays_that_are_missing_or_too_many_are_refused(tmp_path: Path) -> None:
    """The members of a file are those that the transformer has."""
    members = members_of(content_of("scale", tmp_path))
    fewer = {name: content for name, content in members.items() if name != "fitted/scale_.npy"}
    assert "other parts" in refusal(archive_bytes(fewer), tmp_path).what
    assert "other parts" in refusal(archive_bytes({**members, "fitted/x.npy": b"1"}), tmp_path).what


@pytest.mark.parametrize("name", MADE)
def test_no_fitted_attribute_may_be_missing(name: str, tmp_path: Path) -> None:
    """A transformer that lacks any part of what it learned is not given out."""
    content = content_of(name, tmp_path)
    (tmp_path / "whole.model").write_bytes(content)
    whole = ho.load(tmp_path / "whole.model")
    n_left_out = 0
    for attribute in [key for key in vars(whole) if key.endswith("_") and key != "feature_names_in_"]:

        def without(manifest: Any, attribute: str = attribute) -> None:
            manifest["attributes"].pop(attribute, None)

        changed = edited_manifest(content, without)
        if len(changed) < len(edited_manifest(content, lambda manifest: None)):
            assert refusal(changed, tmp_path).what
            n_left_out += 1
    assert n_left_out > 0
