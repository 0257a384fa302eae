"""Model files: a fitted learner, transformer or pipeline is saved, and loaded again.

A file may come from anywhere: everything in it is checked before it is used, and nothing is executed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.bag_of_words import BagOfWords
from heldout.features.discretize import Discretize
from heldout.features.drop_low_variance import DropLowVariance
from heldout.features.drop_rare import DropRare
from heldout.features.fill_missing import FillMissing
from heldout.features.log_transform import LogTransform
from heldout.features.one_hot import OneHot
from heldout.features.ordinal import Ordinal
from heldout.features.patch_features import PatchFeatures
from heldout.features.pixel_features import PixelFeatures
from heldout.features.scale import Scale
from heldout.features.shape_features import ShapeFeatures
from heldout.features.tree_paths import TreePaths
from heldout.features.unit_length import UnitLength
from heldout.learners.baseline_classifier import BaselineClassifier
from heldout.learners.baseline_regressor import BaselineRegressor
from heldout.learners.forest_classifier import ForestClassifier
from heldout.learners.forest_regressor import ForestRegressor
from heldout.learners.linear_regressor import LinearRegressor
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.neighbors_regressor import NeighborsRegressor
from heldout.learners.perceptron import Perceptron
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.threshold_classifier import ThresholdClassifier
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.models.model_archive import (
    archive_bytes,
    damaged,
    file_path,
    read_members,
    short,
    write_whole,
)
from heldout.models.pipeline_steps import is_pipeline
from heldout.models.records.image_records import ImageRecord, PatchRecord, PixelRecord
from heldout.models.records.learner_record import LearnerRecord, read_fitted, write_fitted
from heldout.models.records.linear_record import (
    BaselineClassifierRecord,
    BaselineRegressorRecord,
    LinearRecord,
    PerceptronRecord,
    RidgeRecord,
)
from heldout.models.records.neighbors_record import NeighborsClassifierRecord, NeighborsRecord
from heldout.models.records.paths_record import TreePathsRecord
from heldout.models.records.pipeline_record import (
    PIPELINE,
    THRESHOLD,
    read_pipeline,
    read_threshold,
    write_pipeline,
    write_threshold,
)
from heldout.models.records.rules_record import RulesRecord
from heldout.models.records.transformer_record import (
    DiscretizeRecord,
    FillRecord,
    OneHotRecord,
    OrdinalRecord,
    RareRecord,
    ScaleRecord,
    TransformerRecord,
    VarianceRecord,
)
from heldout.models.records.tree_record import (
    ForestClassifierRecord,
    ForestRecord,
    TreeClassifierRecord,
    TreeRecord,
)
from heldout.models.records.words_record import WordsRecord

FORMAT = "heldout model"
VERSION = 1
MANIFEST = "model.json"


def save(
    model: BaseEstimator, path: str | os.PathLike[str], provenance: dict[str, Any] | None = None
) -> None:
    """Write a fitted model to a file that `ho.load` reads.

    The file is a zip of JSON and arrays and holds nothing that is executed. It is written as a whole or
    not at all, and the same model gives the same bytes.

    Parameters
    ----------
    model
        a fitted learner or transformer of Heldout, or a Pipeline of these; neighbors write their training
        rows, and the setting of `set_output` is not kept
    path
        where to; a file that is there is replaced
    provenance
        where the model comes from, as far as JSON can tell it; see `heldout.models.read_provenance`

    Raises
    ------
    InputTypeError
        for an object that a model file cannot hold, with what does the same here where there is something
    RequestError
        for a model that is not fitted, or that holds a function or a random stream
    """
    content = file_bytes(model, provenance)
    write_whole(file_path(path, "ho.save"), content)


def file_bytes(model: BaseEstimator, provenance: dict[str, Any] | None = None) -> bytes:
    """What `save` writes, for whoever keeps it elsewhere than in a file."""
    record, members = write_model(model)
    manifest = {"format": FORMAT, "version": VERSION, "provenance": _checked(provenance), **record}
    text = json.dumps(manifest, allow_nan=False, sort_keys=True, indent=1)
    return archive_bytes({MANIFEST: text.encode("utf-8"), **members})


def _checked(provenance: dict[str, Any] | None) -> dict[str, Any]:
    """The provenance, which JSON gives back as it was."""
    if provenance is None:
        return {}
    try:
        is_same = json.loads(json.dumps(provenance, allow_nan=False)) == provenance
    except (TypeError, ValueError, RecursionError):
        is_same = False
    if not isinstance(provenance, dict) or not is_same:
        raise RequestError(
            "the provenance holds what JSON cannot",
            where=f"{provenance!r:.60}",
            fix="use a dict of strings, finite numbers, booleans, None, and lists and dicts of these",
        )
    return provenance


def load(path: str | os.PathLike[str]) -> Any:
    """The model that `ho.save` wrote.

    Nothing in the file is executed or imported. A file that is cut off, edited or made up is refused with
    a DataError.

    Parameters
    ----------
    path
        where the file is

    Returns
    -------
    the fitted learner, transformer or Pipeline, with the same parameters, attributes and predictions

    Raises
    ------
    DataError
        for a file that is damaged, or was written by another version
    """
    return _read(file_path(path, "ho.load"))[0]


def read_provenance(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Where a saved model comes from, as `ho.save` was given it.

    Parameters
    ----------
    path
        where the file is

    Returns
    -------
    the provenance; empty if there was none
    """
    return _read(file_path(path, "read_provenance"))[1]


def load_with_provenance(path: str | os.PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """The model and its provenance, read at once."""
    return _read(file_path(path, "ho.load"))


def _read(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        members = read_members(path)
        if MANIFEST not in members:
            raise damaged("this is no model file", f"there is no {MANIFEST} in it")
        record = _manifest(members.pop(MANIFEST))
        provenance = record.pop("provenance", None)
        if type(provenance) is not dict:
            raise damaged("the provenance is not described as it should be", short(provenance))
        return read_model(record, members), provenance
    except DataError as error:
        raise DataError(error.what, where=f"{path}: {error.where}", fix=error.fix) from error


def _manifest(content: bytes) -> dict[str, Any]:
    """The JSON, without its format and version, which are the ones we read."""
    try:
        record = json.loads(
            content.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
        )
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise damaged(f"{MANIFEST} is not JSON", f"{error}"[:80]) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise damaged(f"{MANIFEST} has a number that is too long", f"{error}"[:80]) from error
    if type(record) is not dict or record.pop("format", None) != FORMAT:
        raise damaged("this is no model file of Heldout", f"{MANIFEST} names another format")
    version = record.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise DataError(
            f"this model file has version {short(version)}, and this Heldout reads version {VERSION}",
            where=MANIFEST,
            fix="install the Heldout that wrote it, or save the model again with this one",
        )
    return record


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise damaged(f"{MANIFEST} has a key twice", f"an object of {len(pairs)} keys")
    return record


def _refuse_constant(name: str) -> Any:
    raise damaged(f"{MANIFEST} has a number that is none", name)


def write_model(model: BaseEstimator, depth: int = 0) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is told of a fitted model in JSON, and its arrays as members of the file."""
    if is_pipeline(model):
        return write_pipeline(model, depth, write_model)
    if type(model) is ThresholdClassifier:
        return write_threshold(model, write_model)
    form = find_record(model)
    if form is None:
        raise cannot_be_saved(model)
    return write_fitted(form, model)


def read_model(record: dict[str, Any], members: dict[str, bytes], depth: int = 0) -> Any:
    """The model, after everything in the record was checked."""
    learner = record.get("learner")
    if learner == PIPELINE:
        return read_pipeline(record, members, depth, read_model)
    if learner == THRESHOLD:
        return read_threshold(record, members, read_model)
    if type(learner) is not str or learner not in RECORDS:
        raise damaged("the file holds a learner that this version does not know", short(learner))
    return read_fitted(RECORDS[learner], record, members)


# What users of scikit-learn have in their pipelines, and what does it here.
_OURS = {
    "StandardScaler": "ho.Scale()",
    "MaxAbsScaler": 'ho.Scale(center=False, by="max")',
    "Normalizer": "ho.UnitLength()",
    "KBinsDiscretizer": "ho.Discretize()",
    "SimpleImputer": "ho.FillMissing()",
    "OneHotEncoder": "ho.OneHot()",
    "OrdinalEncoder": "ho.Ordinal()",
    "VarianceThreshold": "ho.DropLowVariance()",
    "CountVectorizer": "ho.BagOfWords()",
    "ColumnTransformer": "the parameter columns of each transformer of Heldout",
    "DecisionTreeClassifier": "ho.TreeClassifier.cart()",
    "DecisionTreeRegressor": "ho.TreeRegressor()",
    "RandomForestClassifier": "ho.ForestClassifier()",
    "RandomForestRegressor": "ho.ForestRegressor()",
    "KNeighborsClassifier": "ho.NeighborsClassifier()",
    "KNeighborsRegressor": "ho.NeighborsRegressor()",
    "LinearRegression": "ho.LinearRegressor()",
    "Ridge": "ho.RidgeRegressor()",
    "DummyClassifier": "ho.BaselineClassifier()",
    "DummyRegressor": "ho.BaselineRegressor()",
}


def cannot_be_saved(model: object) -> InputTypeError:
    """The error for an object that `ho.save` cannot write."""
    name = type(model).__name__
    is_foreign = type(model).__module__.partition(".")[0] == "sklearn"
    if is_foreign and name in _OURS:
        fix = f"use {_OURS[name]}, which a model file can hold"
    else:
        fix = f"hand over a fitted {', '.join(RECORDS)}, or a Pipeline of these"
    return InputTypeError(f"a {name} cannot be saved", where="ho.save", fix=fix)


RECORDS: dict[str, LearnerRecord[Any]] = {
    record.learner.__name__: record
    for record in (
        TreeClassifierRecord(TreeClassifier),
        TreeRecord(TreeRegressor),
        RulesRecord(RuleClassifier),
        ForestClassifierRecord(ForestClassifier),
        ForestRecord(ForestRegressor),
        NeighborsClassifierRecord(NeighborsClassifier),
        NeighborsRecord(NeighborsRegressor),
        PerceptronRecord(Perceptron),
        LinearRecord(LinearRegressor),
        RidgeRecord(RidgeRegressor),
        BaselineClassifierRecord(BaselineClassifier),
        BaselineRegressorRecord(BaselineRegressor),
        ScaleRecord(Scale),
        TransformerRecord(UnitLength),
        TransformerRecord(LogTransform),
        DiscretizeRecord(Discretize),
        FillRecord(FillMissing),
        OneHotRecord(OneHot),
        OrdinalRecord(Ordinal),
        RareRecord(DropRare),
        VarianceRecord(DropLowVariance),
        TreePathsRecord(TreePaths),
        WordsRecord(BagOfWords),
        PixelRecord(PixelFeatures),
        PatchRecord(PatchFeatures),
        ImageRecord(ShapeFeatures),
    )
}


def find_record(model: object) -> LearnerRecord[Any] | None:
    """The record for a model of exactly one of these classes; None for any other object."""
    record = RECORDS.get(type(model).__name__)
    return record if record is not None and record.learner is type(model) else None
