"""Model files of pipelines: whole steps in order, and what a file cannot hold is refused by its name."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.base import clone
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import heldout as ho
from heldout.features.prepare_for import prepare_for
from heldout.models.model_file import MANIFEST
from heldout.models.records.pipeline_record import MOST_DEPTH

from .learner_samples import answers, plain_parts
from .model_samples import edited_manifest, members_of, saved_bytes
from .prepared_pipelines import predictions_of, prepared_pipelines
from .test_damaged_files import drop, put, refusal
from .transformer_samples import halves, transformer_samples

ROWS = np.array([[1.0, 20.0], [2.0, np.nan], [3.0, 50.0], [4.0, 10.0], [5.0, 70.0], [6.0, 40.0]])
Y = np.array(["a", "b", "a", "b", "a", "b"])


@pytest.fixture(params=transformer_samples("pipelines"))
def sample(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return transformer_samples("pipelines")[request.param]


def small() -> Pipeline:
    steps = [("fill", ho.FillMissing()), ("scale", ho.Scale()), ("tree", ho.TreeClassifier(min_leaf=1))]
    return Pipeline(steps).fit(ROWS, Y)


def test_it_answers_as_before(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Held-out rows with levels, words and gaps that fit never saw get the same bits."""
    pipeline, later = sample
    ho.save(pipeline, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert answers(again, later) == answers(pipeline, later)
    assert answers(pipeline, later)


def test_it_prints_and_names_as_before(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """The same text, parameters and names of columns; each step is of the class and state that it had."""
    pipeline, _ = sample
    ho.save(pipeline, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert type(again) is Pipeline
    assert repr(again) == repr(pipeline)
    assert list(again.named_steps) == list(pipeline.named_steps)
    if type(pipeline.steps[-1][1]).__name__ == "FillMissing":
        assert again.get_feature_names_out().tolist() == pipeline.get_feature_names_out().tolist()
    for (_, one), (_, two) in zip(again.steps, pipeline.steps, strict=True):
        assert type(one) is type(two)
        if not isinstance(two, Pipeline | str):
            for attribute in [name for name in vars(two) if not name.startswith("_")]:
                assert plain_parts(getattr(one, attribute)) == plain_parts(getattr(two, attribute))


def test_it_gives_the_same_bytes(sample: tuple[Any, Any], tmp_path: Path) -> None:
    """Saving again, saving a copy or what was loaded changes nothing."""
    pipeline, later = sample
    content = saved_bytes(pipeline, tmp_path)
    answers(pipeline, later)
    assert saved_bytes(ho.load(tmp_path / "a.model"), tmp_path) == content
    assert saved_bytes(pickle.loads(pickle.dumps(pipeline)), tmp_path) == content


def test_a_step_stands_as_it_would_alone(tmp_path: Path) -> None:
    """The record of a step and its arrays are those of its own file, in a folder of its own."""
    pipeline = small()
    members = members_of(saved_bytes(pipeline, tmp_path))
    manifest = json.loads(members.pop(MANIFEST))
    for place, (name, step) in enumerate(pipeline.steps):
        alone = members_of(saved_bytes(step, tmp_path))
        record = json.loads(alone.pop(MANIFEST))
        for part in ("format", "version", "provenance"):
            del record[part]
        assert manifest["steps"][place] == [name, record]
        own = {key: members.pop(key) for key in list(members) if key.startswith(f"step{place}/")}
        assert {key.partition("/")[2]: content for key, content in own.items()} == alone
    assert not members


def test_every_default_preparation_can_be_kept(tmp_path: Path) -> None:
    """What `prepare_for` makes, with a learner behind it, comes back on a table with gaps and words."""
    train, later = halves("table")
    y = np.arange(train.n_rows) % 2
    for learner in (ho.NeighborsClassifier(), ho.Perceptron(), ho.ForestClassifier(5), ho.LinearRegressor()):
        prepared = prepare_for(learner, train.drop("note"))
        pipeline = Pipeline([*prepared.steps, ("learner", learner)]).fit(train.drop("note"), y)
        ho.save(pipeline, tmp_path / "a.model")
        again, rows = ho.load(tmp_path / "a.model"), later.drop("note")
        assert answers(again, rows) == answers(pipeline, rows)


def test_frames_whose_columns_are_numbered_are_kept(tmp_path: Path) -> None:
    """Names that are no strings are none to scikit-learn, and still those of the tables inside."""
    frame = pandas.DataFrame({0: ["a", "b", "a", "b"], 1: [1.0, 2.0, 3.0, np.nan]})
    steps = [("fill", ho.FillMissing()), ("encode", ho.OneHot()), ("near", ho.NeighborsClassifier(k=1))]
    pipeline = Pipeline(steps).fit(frame, [0, 1, 0, 1])
    ho.save(pipeline, tmp_path / "a.model")
    assert answers(ho.load(tmp_path / "a.model"), frame) == answers(pipeline, frame)


def test_a_pipeline_that_was_loaded_can_be_fitted_again(tmp_path: Path) -> None:
    """Parameters go along, so a copy learns the same from the same rows."""
    pipeline = small()
    ho.save(pipeline, tmp_path / "a.model")
    again = clone(ho.load(tmp_path / "a.model")).fit(ROWS, Y)
    assert saved_bytes(again, tmp_path) == saved_bytes(pipeline, tmp_path)


def test_its_own_parameters_are_kept(tmp_path: Path) -> None:
    """`verbose` and `transform_input` come back; a file that lacks them is of another version."""
    pipeline = small().set_params(verbose=True, transform_input=["weights"])
    content = saved_bytes(pipeline, tmp_path)
    assert ho.load(tmp_path / "a.model").get_params(deep=False).items() >= {
        "verbose": True, "transform_input": ["weights"], "memory": None,
    }.items()  # fmt: skip
    without = edited_manifest(content, lambda m: m["parameters"].clear())
    assert "another version" in refusal(without, tmp_path).what


def test_what_set_output_was_told_is_not_kept(tmp_path: Path) -> None:
    """It is about the program that asks; rows and names are the same, and it can be told again."""
    table = ho.Table([ho.Column("size", "number", ROWS[:, 0]), ho.Column("age", "number", ROWS[:, 1])])
    frames = Pipeline([("fill", ho.FillMissing()), ("scale", ho.Scale())]).set_output(transform="pandas")
    made = frames.fit(table).transform(table)
    ho.save(frames, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert type(again.transform(table)) is ho.Table
    assert again.get_feature_names_out().tolist() == made.columns.tolist()
    assert again.set_output(transform="pandas").transform(table).equals(made)


def message(model: Any, tmp_path: Path) -> ho.HeldoutError:
    """The error that saving meets, in three parts; nothing is written."""
    with pytest.raises(ho.HeldoutError) as caught:
        ho.save(model, tmp_path / "refused.model")
    assert all((caught.value.what, caught.value.where, caught.value.fix))
    assert not (tmp_path / "refused.model").exists()
    return caught.value


def test_a_foreign_step_is_refused_by_its_name(tmp_path: Path) -> None:
    """The error names the step and what does the same here; others are told what can be handed over."""
    rows = ROWS[:, :1]
    error = message(Pipeline([("z", StandardScaler()), ("t", ho.TreeClassifier())]).fit(rows, Y), tmp_path)
    assert (error.what, error.where) == ("a StandardScaler cannot be saved", "step 'z': ho.save")
    assert "ho.Scale()" in error.fix
    error = message(
        Pipeline([("f", FunctionTransformer()), ("t", ho.TreeClassifier())]).fit(rows, Y), tmp_path
    )
    assert "or a Pipeline of these" in error.fix
    inner = Pipeline([("both", FeatureUnion([("a", ho.Scale())]))])
    error = message(Pipeline([("inner", inner), ("t", ho.TreeClassifier())]).fit(rows, Y), tmp_path)
    assert error.where == "step 'inner': step 'both': ho.save"


def test_a_pipeline_of_another_class_is_refused(tmp_path: Path) -> None:
    """A subclass may do anything else than its steps do."""

    class Own(Pipeline):
        pass

    assert "a Own cannot be saved" in message(Own([("scale", ho.Scale())]).fit(ROWS), tmp_path).what


def test_memory_is_refused(tmp_path: Path) -> None:
    """What a folder of joblib holds is executed when a pipeline is fitted again; a file never names one."""
    pipeline = small().set_params(memory=str(tmp_path / "cache"))
    assert "nothing that is executed" in message(pipeline, tmp_path).what
    content = saved_bytes(small(), tmp_path)
    assert (
        "another version"
        in refusal(edited_manifest(content, put("parameters", "memory", value="x")), tmp_path).what
    )


def test_what_is_not_fitted_is_refused_by_its_step(tmp_path: Path) -> None:
    """A pipeline before fit, also where its last step asks for nothing to be learned."""
    error = message(Pipeline([("scale", ho.Scale()), ("tree", ho.TreeClassifier())]), tmp_path)
    assert (error.what, error.where) == ("this Scale is not fitted", "step 'scale': ho.save")
    assert "this UnitLength is not fitted" in message(Pipeline([("u", ho.UnitLength())]), tmp_path).what


def test_steps_that_were_exchanged_after_fit_are_refused(tmp_path: Path) -> None:
    """A file holds what fit made: steps whose columns fit each other, under names that steps can have."""
    pipeline = small()
    pipeline.steps[1] = ("scale", ho.Scale().fit(ROWS[:, :1]))
    assert "other columns than the step before" in message(pipeline, tmp_path).what
    pipeline = small()
    pipeline.steps[1] = ("tree", pipeline.steps[1][1])
    assert "the same name" in message(pipeline, tmp_path).what
    pipeline = small()
    pipeline.steps.append(("again", pipeline.steps[-1][1]))
    assert "no transformer" in message(pipeline, tmp_path).what
    assert "no step" in message(Pipeline([]), tmp_path).what


def test_attributes_and_parameters_that_a_file_cannot_hold_are_refused(tmp_path: Path) -> None:
    """Nothing is lost in silence."""
    pipeline = small()
    pipeline.surplus_ = 1
    assert message(pipeline, tmp_path).where == "surplus_"
    assert "verbose" in message(small().set_params(verbose=3), tmp_path).what
    assert "transform_input" in message(small().set_params(transform_input=("x",)), tmp_path).what


def nested(depth: int) -> Pipeline:
    pipeline = Pipeline([("scale", ho.Scale())])
    for _ in range(depth):
        pipeline = Pipeline([("inner", pipeline)])
    return pipeline.fit(ROWS)


def test_pipelines_in_pipelines_have_a_limit(tmp_path: Path) -> None:
    """A few are kept; many are refused when a file is written, and when it is read."""
    deepest = nested(MOST_DEPTH)
    ho.save(deepest, tmp_path / "a.model")
    again = ho.load(tmp_path / "a.model")
    assert again.transform(ROWS).tobytes() == deepest.transform(ROWS).tobytes()
    assert "too deeply" in message(nested(MOST_DEPTH + 1), tmp_path).what

    def deeper(manifest: Any) -> None:
        record = {part: manifest[part] for part in ("learner", "parameters", "steps")}
        parameters = manifest["parameters"]
        for _ in range(200):
            record = {"learner": "Pipeline", "parameters": parameters, "steps": [["inner", record]]}
        manifest.update(record)

    assert "too deeply" in refusal(edited_manifest(saved_bytes(small(), tmp_path), deeper), tmp_path).what


EDITS = [
    (put("steps", value={}), "steps are not described"),
    (put("steps", value=[]), "."),
    (put("steps", 0, value=["fill"]), "steps are not described"),
    (put("steps", 0, 0, value=3), "no step can have"),
    (put("steps", 0, 0, value="a__b"), "no step can have"),
    (put("steps", 0, 0, value="verbose"), "no step can have"),
    (put("steps", 0, 0, value="scale"), "same name"),
    (put("steps", 1, 1, value="passthrough"), "other parts"),
    (put("steps", 1, 1, value="pass"), "step is not described"),
    (put("steps", 1, 1, value=[]), "step is not described"),
    (put("steps", 1, 1, "learner", value="os.system"), "does not know"),
    (put("steps", 1, 1, "learner", value="Pipeline"), "other parts"),
    (put("steps", 1, 1, "attributes", "n_rows_", value=-1), "n_rows_"),
    (put("steps", 1, 1, "surplus", value=1), "other parts"),
    (drop("steps", 2), "other parts"),
    (drop("steps", 0), "."),
    (drop("parameters"), "other parts"),
    (put("parameters", value=3), "list of parameters"),
    (put("parameters", "verbose", value=1), "verbose is neither"),
    (put("parameters", "transform_input", value="x"), "no list of names"),
    (put("surplus", value=1), "other parts"),
    (lambda m: m["steps"].reverse(), "."),
    (lambda m: m["steps"].append(["more", None]) or m["steps"][2].reverse(), "."),
    (lambda m: m["steps"].append(["more", "passthrough"]), "no transformer"),
]


@pytest.mark.parametrize("place", range(len(EDITS)))
def test_pipelines_that_do_not_fit_are_refused(place: int, tmp_path: Path) -> None:
    """The steps are held against each other, and against what this version writes."""
    change, words = EDITS[place]
    assert words in f"{refusal(edited_manifest(saved_bytes(small(), tmp_path), change), tmp_path).what}."


def test_the_step_that_is_damaged_is_named(tmp_path: Path) -> None:
    """The error tells the file, the step and the part."""
    content = saved_bytes(small(), tmp_path)
    error = refusal(edited_manifest(content, put("steps", 1, 1, "attributes", "n_rows_", value=0)), tmp_path)
    assert "hostile.model: step 'scale': " in error.where


def test_columns_that_a_step_does_not_hand_on_are_refused(tmp_path: Path) -> None:
    """A step that expects other columns than it gets could not be used."""
    content = saved_bytes(small(), tmp_path)

    def one_less(manifest: Any) -> None:
        fill = manifest["steps"][0][1]
        fill["columns"].pop()
        fill["attributes"]["n_features_in_"] = 1
        for name in ("columns_", "n_missing_", "has_indicator_"):
            array = fill["attributes"][name]["array"]
            array["values"].pop()
            array["shape"] = [1]
        fill["attributes"]["fills_"]["tuple"].pop()

    assert "other columns than the step" in refusal(edited_manifest(content, one_less), tmp_path).what


def test_a_pipeline_is_not_exported(tmp_path: Path) -> None:
    """An export holds a learner alone; the error says what holds the whole pipeline."""
    for format in ("sql", "python", "json", "onnx"):
        with pytest.raises(ho.RequestError, match="not the steps before it") as caught:
            ho.export(small(), format)
        assert "step 'fill'" in caught.value.where
        assert "ho.save" in caught.value.fix
    with pytest.raises(ho.RequestError, match="no learner"):
        ho.export(Pipeline([("nothing", "passthrough")]), "sql")


def test_a_pipeline_that_only_passes_is_exported(tmp_path: Path) -> None:
    """Where nothing comes before the learner, its export is that of the pipeline."""
    tree = ho.TreeClassifier(min_leaf=1)
    inner = Pipeline([("none", None), ("tree", tree)])
    for pipeline in (Pipeline([("skip", "passthrough"), ("tree", tree)]), Pipeline([("inner", inner)])):
        fitted = pipeline.fit(ROWS, Y)
        for format in ("sql", "python", "json"):
            assert ho.export(fitted, format) == ho.export(clone(tree).fit(ROWS, Y), format)
    with pytest.raises(ho.RequestError, match="this TreeClassifier is not fitted"):
        ho.export(Pipeline([("skip", "passthrough"), ("tree", clone(tree))]), "sql")


def test_scikit_learn_prints_what_was_loaded(tmp_path: Path) -> None:
    """The diagram of a notebook is that of the pipeline that was saved."""
    pipeline = small()
    ho.save(pipeline, tmp_path / "a.model")
    with sklearn.config_context(display="text"):
        assert str(ho.load(tmp_path / "a.model")) == str(pipeline)


@pytest.mark.slow
def test_every_prepared_learner_answers_the_same_in_another_process(tmp_path: Path) -> None:
    """On every table of ours, each learner behind its default preparation is read with the same bits."""
    expected = {}
    for name, pipeline, task in prepared_pipelines():
        fitted = clone(pipeline).fit(task.X, task.y)
        ho.save(fitted, tmp_path / f"{name}.model")
        expected[name] = predictions_of(fitted, task)
    program = Path(__file__).parent / "prepared_pipelines.py"
    subprocess.run([sys.executable, program, tmp_path], check=True)
    assert len(expected) >= 6 * len(ho.datasets.names())
    for name, answers_here in expected.items():
        with np.load(tmp_path / f"{name}.npz") as there:
            assert sorted(there) == sorted(answers_here)
            for method, array in answers_here.items():
                assert there[method].dtype == array.dtype
                assert there[method].tobytes() == array.tobytes(), (name, method)
