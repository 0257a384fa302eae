"""Model files of other versions: what an older one lacks gets its default, what a newer adds is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models import read_provenance

from .model_samples import edited_manifest, sample_models, sample_table, saved_bytes


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    return sample_models()


def loaded(content: bytes, tmp_path: Path) -> Any:
    path = tmp_path / "other.model"
    path.write_bytes(content)
    return ho.load(path)


@pytest.mark.parametrize("name", ["multiway", "groups", "regressor", "rules"])
def test_a_parameter_that_an_older_file_lacks_has_its_default(
    name: str, models: dict[str, Any], tmp_path: Path
) -> None:
    """Whichever parameter is not there, the others, the attributes and the answers are as they were."""
    model, table = models[name], sample_table(30, seed=11)
    content, defaults = saved_bytes(model, tmp_path), type(model)().get_params()
    for missing in defaults:
        again = loaded(edited_manifest(content, lambda m, key=missing: m["parameters"].pop(key)), tmp_path)
        wanted = {**model.get_params(), missing: defaults[missing]}
        assert repr(again.get_params()) == repr(wanted)
        assert vars(again).keys() == vars(model).keys()
        assert again.predict(table).tobytes() == model.predict(table).tobytes()


def test_a_file_without_any_parameter_is_the_default_learner(models: dict[str, Any], tmp_path: Path) -> None:
    """The parameters may all be newer than the file, and the model that is loaded can be saved again."""
    content = saved_bytes(models["groups"], tmp_path)
    again = loaded(edited_manifest(content, lambda m: m["parameters"].clear()), tmp_path)
    assert again.get_params() == ho.TreeClassifier().get_params()
    ho.save(again, tmp_path / "again.model")
    assert ho.load(tmp_path / "again.model").get_params() == again.get_params()


@pytest.mark.parametrize("part", ["parameters", "attributes"])
@pytest.mark.parametrize("name", ["groups", "regressor", "rules"])
def test_what_a_newer_version_adds_is_refused(
    name: str, part: str, models: dict[str, Any], tmp_path: Path
) -> None:
    """The error has three parts: what is not known, in which file and learner, and what to do."""
    content = saved_bytes(models[name], tmp_path)
    with pytest.raises(ho.DataError, match="written by a newer version of Heldout") as caught:
        loaded(edited_manifest(content, lambda m: m[part].update(oblique_=1)), tmp_path)
    assert "'oblique_'" in caught.value.what
    assert "other.model" in caught.value.where
    assert type(models[name]).__name__ in caught.value.where
    assert caught.value.fix == "install a newer Heldout, or fit and save the model again with this one"


def test_other_checks_hold_for_an_older_file(models: dict[str, Any], tmp_path: Path) -> None:
    """A parameter that is there is checked, and so is a fitted attribute that must be there."""
    content = saved_bytes(models["groups"], tmp_path)

    def without_one(manifest: Any) -> None:
        del manifest["parameters"]["prune"]

    older = edited_manifest(content, without_one)
    with pytest.raises(ho.DataError, match="min_leaf must be"):
        loaded(edited_manifest(older, lambda m: m["parameters"].update(min_leaf=-1)), tmp_path)
    with pytest.raises(ho.DataError, match="costs do not fit"):
        loaded(edited_manifest(older, lambda m: m["attributes"].pop("feature_costs_")), tmp_path)
    assert np.isfinite(loaded(older, tmp_path).feature_importances_).all()


OLDER = sorted((Path(__file__).parent / "older_files").glob("*.model"), key=lambda path: path.name)


@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_a_file_from_before_lengths_in_bits_loads(path: Path, models: dict[str, Any], tmp_path: Path) -> None:
    """It answers as it did, gives the same bytes when it is saved again, and says what it does not know."""
    model, table = ho.load(path), sample_table(30, seed=11)
    assert model.predict(table).tobytes() == models[path.stem].predict(table).tobytes()
    ho.save(model, tmp_path / "again.model", provenance=read_provenance(path))
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()
    with pytest.raises(ho.RequestError, match="how many values each column had") as caught:
        model.description_bits()
    assert caught.value.fix == "fit the model again"
