"""Model files of other versions: there is one format, and whatever differs from it is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import heldout as ho

from .model_samples import edited_manifest, sample_models, saved_bytes


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    return sample_models()


def loaded(content: bytes, tmp_path: Path) -> Any:
    path = tmp_path / "other.model"
    path.write_bytes(content)
    return ho.load(path)


@pytest.mark.parametrize("name", ["multiway", "groups", "regressor", "rules"])
def test_a_file_that_lacks_a_parameter_is_refused(name: str, models: dict[str, Any], tmp_path: Path) -> None:
    """Whichever parameter is not there, the error names it and its learner."""
    model = models[name]
    content = saved_bytes(model, tmp_path)
    for missing in model.get_params():
        without = edited_manifest(content, lambda m, key=missing: m["parameters"].pop(key))
        with pytest.raises(
            ho.DataError, match=f"another version of Heldout: it lacks .*'{missing}'"
        ) as caught:
            loaded(without, tmp_path)
        assert type(model).__name__ in caught.value.where


@pytest.mark.parametrize("part", ["parameters", "attributes"])
@pytest.mark.parametrize("name", ["groups", "regressor", "rules"])
def test_what_another_version_adds_is_refused(
    name: str, part: str, models: dict[str, Any], tmp_path: Path
) -> None:
    """The error has three parts: what is not known, in which file and learner, and what to do."""
    content = saved_bytes(models[name], tmp_path)
    with pytest.raises(ho.DataError, match="written by another version of Heldout") as caught:
        loaded(edited_manifest(content, lambda m: m[part].update(oblique_=1)), tmp_path)
    assert "'oblique_'" in caught.value.what
    assert "other.model" in caught.value.where
    assert type(models[name]).__name__ in caught.value.where
    assert caught.value.fix == "load it with that version, or fit and save the model again with this one"


def test_another_format_version_is_refused(models: dict[str, Any], tmp_path: Path) -> None:
    """The sentence names both versions."""
    content = saved_bytes(models["groups"], tmp_path)
    for version in (0, 2, "1", None):
        with pytest.raises(ho.DataError, match="and this Heldout reads version 1"):
            loaded(edited_manifest(content, lambda m, v=version: m.update(version=v)), tmp_path)


@pytest.mark.parametrize("name", ["groups", "regressor", "rules"])
def test_the_numbers_of_values_must_be_there(name: str, models: dict[str, Any], tmp_path: Path) -> None:
    """Without them a loaded model would have no length in bits."""
    content = saved_bytes(models[name], tmp_path)
    with pytest.raises(ho.DataError, match="numbers of distinct values do not fit"):
        loaded(edited_manifest(content, lambda m: m["attributes"].pop("n_values_")), tmp_path)
