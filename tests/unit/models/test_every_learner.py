"""Model files of every learner and every transformer: what is loaded is what was saved, to the last bit."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.models import read_provenance
from heldout.models.model_file import RECORDS
from heldout.models.records.pipeline_record import THRESHOLD

from .learner_samples import KINDS, answers, plain_parts, samples
from .model_samples import saved_bytes
from .transformer_samples import ROOMS, transformer_samples

EVERY = [(samples, kind, name) for kind in KINDS for name in samples(kind)]
EVERY += [(transformer_samples, room, name) for room in ROOMS for name in transformer_samples(room)]


@pytest.fixture(params=EVERY, ids=lambda where: where[2])
def sample(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    found, kind, name = request.param
    return found(kind)[name]


def test_every_learner_that_a_file_can_hold_has_a_sample() -> None:
    """The table of records and the samples name the same learners and transformers."""
    sampled = {type(found(kind)[name][0]).__name__ for found, kind, name in EVERY}
    assert sampled == set(RECORDS)


def test_every_learner_of_the_house_has_a_record() -> None:
    """What can be fitted can be saved: all that is public is in the table, under its own name."""
    public = [getattr(ho, name) for name in ho.__all__ if name[0].isupper()]
    # A classifier with a threshold is saved around the record of the classifier.
    assert {cls.__name__ for cls in public if hasattr(cls, "fit")} - {THRESHOLD} <= set(RECORDS)
    assert all(record.learner.__name__ == name for name, record in RECORDS.items())


def test_it_answers_as_before(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Every method gives the same bits, and the length in bits survives."""
    model, X = sample
    ho.save(model, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert type(again) is type(model)
    assert answers(again, X) == answers(model, X)
    assert answers(model, X)
    assert again.description_bits() == model.description_bits()
    assert str(again) == str(model)


def test_it_has_the_same_parts(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Parameters and fitted attributes have the types, shapes and bits that they had."""
    model, _ = sample
    ho.save(model, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert repr(sorted(again.get_params().items())) == repr(sorted(model.get_params().items()))
    kept = {name for name in vars(model) if not name.startswith("_")}
    assert {name for name in vars(again) if not name.startswith("_")} == kept
    for name in kept:
        assert plain_parts(getattr(again, name)) == plain_parts(getattr(model, name)), name


def test_it_gives_the_same_bytes(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Saving again, or saving a copy, changes nothing; loading leaves the file as it is."""
    model, X = sample
    content = saved_bytes(model, tmp_path)
    answers(model, X)
    assert saved_bytes(ho.load(tmp_path / "a.model"), tmp_path) == content
    assert saved_bytes(pickle.loads(pickle.dumps(model)), tmp_path) == content


@pytest.mark.slow
def test_its_provenance_is_kept(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """What is told about a model stands beside it."""
    model, _ = sample
    ho.save(model, tmp_path / "a.model", provenance={"study": "ab12"})
    assert read_provenance(tmp_path / "a.model") == {"study": "ab12"}


def test_its_members_are_arrays_that_numpy_reads(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Beside the JSON a file has .npy members only, none of them of objects."""
    import io

    from .model_samples import members_of

    model, _ = sample
    members = members_of(saved_bytes(model, tmp_path))
    del members["model.json"]
    for name, content in members.items():
        assert name.endswith(".npy")
        assert np.load(io.BytesIO(content), allow_pickle=False).dtype.kind in "iuf"


def test_an_attribute_that_a_file_cannot_hold_is_refused(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Nothing is lost in silence: what the record does not name is an error."""
    model = pickle.loads(pickle.dumps(sample[0]))
    model.surplus_ = 1
    with pytest.raises(ho.RequestError, match="attribute that a model file cannot hold"):
        ho.save(model, tmp_path / "a.model")


def test_one_that_is_not_fitted_is_refused(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """There is nothing to write before `fit`."""
    with pytest.raises(ho.RequestError, match="not fitted"):
        ho.save(type(sample[0])(), tmp_path / "a.model")
