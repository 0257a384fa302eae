"""Model files: what is loaded is what was saved, to the last bit."""

from __future__ import annotations

import dataclasses
import io
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout.learners.rules.rule import Rule
from heldout.models import read_provenance
from heldout.models.records.tree_record import ARRAYS
from heldout.native import GrownTree

from .mixed_problems import classifiers, regressors
from .model_samples import deep_tree, members_of, sample_models, sample_table, saved_bytes


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    return sample_models()


def assert_same_model(one: Any, two: Any) -> None:
    """Same class, parameters and attributes, bit for bit."""
    assert type(one) is type(two)
    assert repr(sorted(one.get_params().items())) == repr(sorted(two.get_params().items()))
    assert vars(one).keys() == vars(two).keys()
    assert [dataclasses.astuple(column)[:3] for column in one.inputs_.columns] == [
        dataclasses.astuple(column)[:3] for column in two.inputs_.columns
    ]
    for a, b in zip(one.inputs_.columns, two.inputs_.columns, strict=True):
        assert a.fill == b.fill
        assert (a.level_values is None) == (b.level_values is None)
        assert a.level_values is None or np.array_equal(a.level_values, b.level_values)
    for name in vars(one).keys() & {"classes_", "feature_names_in_", "feature_costs_"}:
        a, b = getattr(one, name), getattr(two, name)
        assert a.dtype == b.dtype
        assert a.tolist() == b.tolist()
    if hasattr(one, "tree_"):
        assert one.tree_.splits_unknown == two.tree_.splits_unknown
        for name in ARRAYS:
            a, b = getattr(one.tree_.grown, name), getattr(two.tree_.grown, name)
            assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), name


def test_every_array_of_a_tree_is_written(models: dict[str, Any]) -> None:
    """The table of arrays names all fields of a grown tree, with their types."""
    assert set(ARRAYS) == {field.name for field in dataclasses.fields(GrownTree)}
    grown = models["groups"].tree_.grown
    dtypes = {name: dtype for name, (dtype, _) in ARRAYS.items()}
    assert {name: getattr(grown, name).dtype.str for name in ARRAYS} == dtypes


def test_the_samples_have_every_kind_of_split(models: dict[str, Any]) -> None:
    """Thresholds, branches per level and sets of levels are all in the files that are tested."""
    kinds = {
        int(k) for name in ("multiway", "groups") for k in np.unique(models[name].tree_.grown.split_kind)
    }
    assert kinds == {0, 1, 2, 3}


@pytest.mark.parametrize("name", ["multiway", "groups", "regressor", "rules"])
def test_a_model_comes_back_bit_for_bit(name: str, models: dict[str, Any], tmp_path: Path) -> None:
    """Answers, text, parameters and attributes of the loaded model are those of the saved one."""
    model = models[name]
    content = saved_bytes(model, tmp_path)
    again = ho.load(tmp_path / "a.model")
    assert_same_model(model, again)
    table = sample_table(60, seed=9)
    assert model.predict(table).tobytes() == again.predict(table).tobytes()
    assert str(model) == str(again)
    if hasattr(model, "classes_"):
        assert model.predict_proba(table).tobytes() == again.predict_proba(table).tobytes()
    assert saved_bytes(again, tmp_path) == content


def test_rules_come_back_field_by_field(models: dict[str, Any], tmp_path: Path) -> None:
    """Each rule has the conditions, counts and estimates it had."""
    model = models["rules"]
    ho.save(model, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert len(model.rules_) == len(again.rules_) > 0
    for one, two in zip(
        [*model.rules_, model.default_rule_], [*again.rules_, again.default_rule_], strict=True
    ):
        for field in dataclasses.fields(Rule):
            a, b = getattr(one, field.name), getattr(two, field.name)
            if field.name == "conditions":
                columns = [condition.column.name for condition in b]
                assert [condition.column.name for condition in a] == columns
                a, b = ([dataclasses.replace(c, column=None) for c in side] for side in (a, b))
            assert repr(a) == repr(b), field.name
            assert type(a) is type(b)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_random_trees_come_back(data: st.DataObject, tmp_path: Path) -> None:
    """Hostile names and levels, fills, and classes of every type survive."""
    _, tree = data.draw(classifiers() | regressors())
    ho.save(tree, tmp_path / "b.model")
    assert_same_model(tree, ho.load(tmp_path / "b.model"))


@pytest.mark.parametrize(
    "changes",
    [
        {"categorical": (0,)},
        {"categorical": np.array([True])},
        {"min_leaf": np.float64(1.5), "max_depth": np.int64(3)},
        {"class_weight": {0: 1.0, 1: np.float32(2.5)}},
        {"feature_costs": np.array([2.0])},
        {"min_gain": None, "random_state": 7},
    ],
)
def test_parameters_keep_their_types(changes: dict[str, Any], tmp_path: Path) -> None:
    """Tuples, arrays, NumPy's numbers and dicts with numbers for keys are not turned into others."""
    tree = ho.TreeClassifier.cart(**changes).fit([[1.0], [2.0], [3.0], [4.0]] * 3, [0, 1, 1, 0] * 3)
    ho.save(tree, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    for name in changes:
        assert type(getattr(again, name)) is type(getattr(tree, name))
        assert repr(getattr(again, name)) == repr(getattr(tree, name))


def test_classes_keep_their_dtype(tmp_path: Path) -> None:
    """Strings of any width, objects, small whole numbers, booleans and floats are what they were."""
    X = [[1.0], [2.0], [3.0], [4.0]]
    for classes in (
        np.array(["a", "b"] * 2, dtype="<U7"),
        np.array(["a", "ü\n"] * 2, dtype=object),
        np.array([3, -7] * 2, dtype=np.int8),
        np.array([True, False] * 2),
        np.array([1.0, 2.0] * 2, dtype=np.float32),
        np.array([2**64 - 1, 0] * 2, dtype=np.uint64),
    ):
        tree = ho.TreeClassifier.cart().fit(X, classes)
        ho.save(tree, tmp_path / "a.model")
        again = ho.load(tmp_path / "a.model")
        assert again.classes_.dtype == tree.classes_.dtype
        assert again.predict(X).tolist() == tree.predict(X).tolist()


def test_the_same_model_gives_the_same_bytes(models: dict[str, Any], tmp_path: Path) -> None:
    """Neither the time nor a copy of the model changes the file."""
    for model in models.values():
        copy = pickle.loads(pickle.dumps(model))
        assert saved_bytes(model, tmp_path) == saved_bytes(copy, tmp_path)


def test_arrays_are_readable_by_numpy(models: dict[str, Any], tmp_path: Path) -> None:
    """A member of the file is what NumPy itself would have written."""
    content = members_of(saved_bytes(models["groups"], tmp_path))
    for name in ARRAYS:
        path = tmp_path / "x.npy"
        path.write_bytes(content[f"tree/{name}.npy"])
        expected = getattr(models["groups"].tree_.grown, name)
        assert np.load(path, allow_pickle=False).tobytes() == expected.tobytes()


def test_provenance_goes_along(models: dict[str, Any], tmp_path: Path) -> None:
    """What the caller tells about the model can be read back, and what JSON cannot hold is refused."""
    told = {"study": "ab12", "seal": None, "estimate": {"accuracy": 0.81, "interval": [0.7, 0.9]}}
    ho.save(models["rules"], tmp_path / "a.model", provenance=told)
    assert read_provenance(tmp_path / "a.model") == told
    for wrong in ({"x": (1, 2)}, {"x": float("nan")}, {1: 2}, ["x"], {"x": object()}):
        with pytest.raises(ho.RequestError, match="provenance"):
            ho.save(models["rules"], tmp_path / "b.model", provenance=wrong)
    assert not (tmp_path / "b.model").exists()


def test_writing_is_all_or_nothing(
    models: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the last step fails, the old file is untouched and nothing is left beside it."""
    before = saved_bytes(models["rules"], tmp_path)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ho.RequestError, match="cannot be written"):
        ho.save(models["groups"], tmp_path / "a.model")
    assert os.listdir(tmp_path) == ["a.model"]
    assert (tmp_path / "a.model").read_bytes() == before


def test_what_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    """Other objects, models that are not fitted, and parameters that are no plain data."""
    with pytest.raises(ho.InputTypeError, match="int cannot be saved"):
        ho.save(3, tmp_path / "a.model")
    with pytest.raises(ho.RequestError, match="not fitted"):
        ho.save(ho.TreeClassifier(), tmp_path / "a.model")
    tree = ho.TreeClassifier(random_state=np.random.RandomState(1)).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ho.RequestError, match="random_state holds"):
        ho.save(tree, tmp_path / "a.model")
    tree.set_params(random_state=None).surplus_ = 1
    with pytest.raises(ho.RequestError, match="attribute"):
        ho.save(tree, tmp_path / "a.model")
    with pytest.raises(ho.RequestError, match="no such model file"):
        ho.load(tmp_path / "a.model")
    with pytest.raises(ho.RequestError, match="cannot be read"):
        ho.load(tmp_path)


def test_what_is_no_path_is_refused(models: dict[str, Any], tmp_path: Path) -> None:
    """A path is text or a PathLike; an open file is told why it will not do."""
    ho.save(models["rules"], tmp_path / "a.model")
    with open(tmp_path / "a.model", "rb") as file:
        for wrong in (None, 3, b"a.model", file, io.BytesIO()):
            with pytest.raises(ho.InputTypeError, match="is not the path of a model file") as caught:
                ho.load(wrong)
            assert caught.value.where.startswith("ho.load: ")
            assert "a string or a pathlib.Path" in caught.value.fix
            with pytest.raises(ho.InputTypeError, match="is not the path of a model file"):
                read_provenance(wrong)
    with pytest.raises(ho.InputTypeError, match="a BytesIO is not the path") as caught:
        ho.save(models["rules"], io.BytesIO())
    assert "not an open file" in caught.value.fix
    assert type(ho.load(str(tmp_path / "a.model"))) is ho.RuleClassifier


def test_a_file_of_another_kind_is_called_so(models: dict[str, Any], tmp_path: Path) -> None:
    """What is no zip is no model file; a pickle is recognised; what is left of a zip is a damaged one."""
    path = tmp_path / "a.model"
    for content in (b"hello world", b"\x93NUMPY", b"P2"):
        path.write_bytes(content)
        with pytest.raises(ho.DataError, match="this is no model file of Heldout") as caught:
            ho.load(path)
        assert caught.value.fix == "check the path: ho.load reads what ho.save wrote"
    path.write_bytes(pickle.dumps(models["rules"]))
    with pytest.raises(ho.DataError, match="as a pickle does") as caught:
        ho.load(path)
    assert "ho.load reads what ho.save wrote; what pickle or joblib wrote" in caught.value.fix
    whole = saved_bytes(models["rules"], tmp_path)
    for length in (0, 1, 2, 500, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ho.DataError, match="not a whole model file"):
            ho.load(path)


def test_a_new_file_has_the_mode_of_new_files(
    models: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system takes the umask off by itself; it is a matter of the whole process and never touched."""
    (tmp_path / "other").touch()
    monkeypatch.setattr(os, "umask", None)
    ho.save(models["rules"], tmp_path / "a.model")
    assert (tmp_path / "a.model").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_deep_tree_is_saved_and_loaded(tmp_path: Path) -> None:
    """No walk recurses: a hundred thousand levels do no harm."""
    tree = deep_tree(100_000)
    ho.save(tree, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert_same_model(tree, again)
    assert again.predict([[70_000.0], [1e9], [np.nan]]).tolist() == [140_001.0, 200_000.0, 1.0]
