"""Model files of transformers: file names and folders, words in sets, trees asked for, and limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.features.bag_of_words import BagOfWords
from heldout.models.records import image_records, paths_record

from .learner_samples import answers
from .model_samples import deep_tree, saved_bytes
from .test_damaged_files import refusal


def photos(folder: Path) -> ho.Table:
    """A table with the file names of four images."""
    pillow = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(2).integers(0, 255, (4, 6, 5), dtype=np.uint8)
    names = [f"image{place}.png" for place in range(4)]
    for name, image in zip(names, pixels, strict=True):
        pillow.fromarray(image).save(folder / name)
    sizes = ho.Column("size", "number", np.arange(4.0))
    return ho.Table([sizes, ho.Column("photo", "text", np.array(names, dtype=object))])


@pytest.mark.parametrize(
    "make",
    [ho.PixelFeatures, lambda **given: ho.PatchFeatures(size=2, n=3, **given), ho.ShapeFeatures],
    ids=["pixels", "patches", "shapes"],
)
def test_file_names_of_a_table_come_back(make: Any, tmp_path: Path) -> None:
    """The column of names, and a folder that is a path or a string, are what they were."""
    table = photos(tmp_path)
    for folder in (tmp_path, str(tmp_path)):
        model = make(folder=folder, column="photo").fit(table)
        ho.save(model, tmp_path / "a.model")
        again = ho.load(tmp_path / "a.model")
        assert again.folder == folder
        assert isinstance(again.folder, type(folder))
        assert answers(again, table) == answers(model, table)
        assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()


def test_colored_patches_come_back(tmp_path: Path) -> None:
    """A dictionary of patches with channels has one dimension more."""
    images = np.random.default_rng(3).random((6, 7, 7, 3))
    model = ho.PatchFeatures(size=3, n=4).fit(images)
    ho.save(model, tmp_path / "a.model")
    assert ho.load(tmp_path / "a.model").patches_.shape == model.patches_.shape == (4, 3, 3, 3)
    assert answers(ho.load(tmp_path / "a.model"), images) == answers(model, images)


def test_images_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pixel has a name, so a file may not declare any number of them."""
    monkeypatch.setattr(image_records, "MOST_PIXELS", 10)
    with pytest.raises(ho.RequestError, match="too large for a model file") as caught:
        ho.save(ho.PixelFeatures().fit(np.zeros((2, 3, 4))), tmp_path / "a.model")
    assert caught.value.where == "3 × 4 numbers, 10 are the most"


@pytest.mark.parametrize("words", [{"the", "was"}, frozenset({"the"}), ["The"], ("was",), np.array(["the"])])
def test_stop_words_keep_their_type(words: Any, tmp_path: Path) -> None:
    """Sets too, whose order is not theirs: the bytes are the same whichever way they were filled."""
    texts = ["The film was good", "the end", "it was the end"]
    model = BagOfWords(stop_words=words).fit(texts)
    content = saved_bytes(model, tmp_path)
    again = ho.load(tmp_path / "a.model")
    assert type(again.stop_words) is type(words)
    assert np.all(again.stop_words == words)
    assert saved_bytes(again, tmp_path) == content
    assert again.unseen_words(["another"]) == model.unseen_words(["another"])


def test_a_tree_that_was_asked_for_is_kept_without_what_it_learned(tmp_path: Path) -> None:
    """TreePaths fits a copy, so of the tree itself only its parameters matter."""
    rows, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3), [0, 1, 1, 0] * 3
    fitted = ho.TreeClassifier(max_depth=2, min_gain=None, prune=None).fit(rows, y)
    for asked in (fitted, ho.TreeRegressor(min_leaf=1, max_leaves=3, prune=None)):
        model = ho.TreePaths(tree=asked).fit(rows, y)
        ho.save(model, tmp_path / "a.model")
        again = ho.load(tmp_path / "a.model")
        assert type(again.tree) is type(asked)
        assert again.tree.get_params() == asked.get_params()
        assert not hasattr(again.tree, "tree_")
        assert str(again) == str(model)


def test_another_kind_of_tree_is_refused(tmp_path: Path) -> None:
    """A subclass may grow in ways that a file does not tell."""

    class Own(ho.TreeClassifier):
        pass

    model = ho.TreePaths(tree=Own()).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    with pytest.raises(ho.RequestError, match="cannot hold a Own"):
        ho.save(model, tmp_path / "a.model")


def test_branches_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole ways of a tree of many levels have a square of conditions; a file may not ask for them."""
    model = ho.TreePaths(length=None).fit([[0.0], [1.0]], [0.0, 0.5])
    model.tree_ = deep_tree(10_000)
    with pytest.raises(ho.RequestError, match="more than 5,000,000 conditions") as caught:
        ho.save(model, tmp_path / "a.model")
    assert "smaller length" in caught.value.fix
    monkeypatch.setattr(paths_record, "MOST_CONDITIONS", 10**9)
    content = saved_bytes(model, tmp_path)
    monkeypatch.undo()
    assert "too many conditions" in refusal(content, tmp_path).what
