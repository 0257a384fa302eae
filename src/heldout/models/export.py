"""A fitted model in a language that needs no Heldout."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator

from heldout.errors import InputTypeError, RequestError
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
from heldout.models.exported_models import (
    ExportedModel,
    Label,
    export_baseline,
    export_forest,
    export_linear,
    export_rules,
    export_tree,
    plain_labels,
)
from heldout.models.json_export import json_export
from heldout.models.onnx_export import onnx_export
from heldout.models.pipeline_steps import decision_words, is_pipeline, is_skipped, without_threshold
from heldout.models.python_export import python_export
from heldout.models.python_program import AT_THRESHOLD
from heldout.models.records.learner_record import is_fitted
from heldout.models.sql_conditions import identifier, label_literal, number_literal
from heldout.models.sql_export import output_names, sql_export
from heldout.text.words import nearest_name

_OPTIONS = {"sql": ("table", "prefix", "max_length"), "python": (), "json": (), "onnx": ("missing",)}


def export(model: BaseEstimator, format: str, **options: Any) -> str | bytes:
    """The model as SQL, Python source, JSON or ONNX, with the same predictions.

    Classes are the same, probabilities to 1e-12, also for missing values and for categories that were
    never seen. The sums of least squares and ridge differ at most by the rounding of a sum. What a format
    cannot say exactly is refused.

    Parameters
    ----------
    model
        a fitted tree, rules, a forest, a perceptron, least squares, ridge or a baseline; or a Pipeline in
        which nothing comes before one of these but "passthrough"
    format
        "sql" (a SELECT; not for forests), "python" (a program without imports), "json", or, for trees,
        "onnx" (bytes; needs the extra `heldout[onnx]`)
    table
        "sql": the table's name, or a tuple of schema and name; "data" if it is not given
    prefix
        "sql": put before the names of the columns that are added
    max_length
        "sql": the most letters that the statement may have; 1,000,000 if it is not given
    missing
        "onnx": "refuse" for a model that stops with an error where a tree would split a row with a
        missing value among its branches, which ONNX cannot; without it such a tree is refused

    Returns
    -------
    text; for "onnx" bytes

    Raises
    ------
    RequestError
        where the format cannot hold the model exactly, with the formats that can

    Examples
    --------
    >>> from heldout import TreeClassifier
    >>> tree = TreeClassifier(min_leaf=1).fit([[20.0], [40.0]], ["young", "old"])
    >>> program = {}
    >>> exec(export(tree, "python"), program)
    >>> program["predict"]({"x0": 35})
    'old'
    """
    caller = f"export(..., {format!r})"
    _check_request(format, options, caller)
    model = _last_learner(model, caller)
    if decision_words(model):
        inner = export(without_threshold(model), format, **options)
        return _at_threshold(inner, model, format, str(options.get("prefix", "")))
    exporter, name = _find_exporter(model), type(model).__name__
    if exporter is None:
        raise InputTypeError(
            f"a {name} cannot be exported", where=caller, fix=f"hand over a fitted {_exportable_names()}"
        )
    if not is_fitted(model):
        raise RequestError(f"this {name} is not fitted", where=caller, fix="call fit before you export it")
    # First: what no format can hold, such as a class that is a tuple, is refused here.
    described = None if exporter.describe is None else exporter.describe(model, caller)
    if described is None or format not in exporter.formats:
        raise RequestError(
            exporter.reason,
            where=f"a {name} {exporter.size(model)}, to be exported as {format!r}",
            fix=exporter.fix,
        )
    return _WRITERS[format](described, **options)


def _last_learner(model: BaseEstimator, caller: str) -> BaseEstimator:
    """The model itself, or the last step of a pipeline whose other steps do nothing."""
    if not is_pipeline(model):
        return model
    *before, (last, learner) = model.steps
    acting = [name for name, step in before if not is_skipped(step)]
    if acting or is_skipped(learner):
        raise RequestError(
            "an export holds a learner, and not the steps before it"
            if acting
            else "this pipeline has no learner that could be exported",
            where=f"{caller}: a Pipeline, step {(acting or [last])[0]!r}",
            fix="keep the whole pipeline with ho.save, which holds its steps too; or export pipeline[-1],"
            " which wants the columns that these steps make",
        )
    return _last_learner(learner, caller)


def _check_request(format: str, options: dict[str, Any], caller: str) -> None:
    if format not in _OPTIONS:
        near = nearest_name(format, list(_OPTIONS), cutoff=0.6)
        raise RequestError(
            f"format must be {', '.join(map(repr, _OPTIONS))}",
            where=caller,
            fix=f"did you mean {near!r}?" if near else "use one of these",
        )
    allowed = _OPTIONS[format]
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise RequestError(
            f"{unknown[0]} is not an option of the format {format!r}",
            where=f"export(..., {format!r}, {unknown[0]}=...)",
            fix=f"use {', '.join(allowed)}" if allowed else "leave it out",
        )


@dataclass(frozen=True)
class Exporter:
    """How some learners are exported."""

    learners: tuple[type, ...]
    describe: Callable[[Any, str], ExportedModel] | None  # None: no format can hold such a model
    formats: tuple[str, ...]
    reason: str  # why the other formats cannot hold it
    size: Callable[[Any], str]  # how large a model is
    fix: str  # what to do instead


_WRITERS: dict[str, Callable[..., str | bytes]] = {
    "sql": sql_export,
    "python": python_export,
    "json": json_export,
    "onnx": onnx_export,
}
EXPORTERS = (
    Exporter(
        (TreeClassifier, TreeRegressor),
        export_tree,
        ("sql", "python", "json", "onnx"),
        "",
        lambda model: f"of {model.n_leaves_:,} leaves",
        "",
    ),
    Exporter(
        (RuleClassifier,),
        export_rules,
        ("sql", "python", "json"),
        "ONNX has trees and no lists of rules, and as a tree a list may become too large for any file",
        lambda model: f"of {len(model.rules_):,} rules",
        'export the rules to "sql", "python" or "json", or fit a TreeClassifier and export that',
    ),
    Exporter(
        (ForestClassifier, ForestRegressor),
        export_forest,
        ("python", "json"),
        "a forest is exported tree by tree, which SQL and ONNX would add up in an order of their own",
        lambda model: f"of {model.forest_.n_trees:,} trees",
        'export the forest to "python" or "json", keep it with ho.save, or export one tree',
    ),
    Exporter(
        (Perceptron, LinearRegressor, RidgeRegressor),
        export_linear,
        ("sql", "python", "json"),
        "ONNX leaves open in which order its linear models add, so their bits are not those of predict",
        lambda model: f"of {model.n_features_in_:,} columns",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (BaselineClassifier, BaselineRegressor),
        export_baseline,
        ("sql", "python", "json"),
        "a baseline predicts without looking at a row, for which ONNX has no model",
        lambda model: "with one prediction",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (NeighborsClassifier, NeighborsRegressor),
        None,
        (),
        "neighbors search their training rows, and nothing that is exported could do that",
        lambda model: f"of {len(model.levels_):,} rows",
        "keep the model with ho.save, or export a model that needs no rows",
    ),
)


def _find_exporter(model: object) -> Exporter | None:
    """How a model is exported; None for what is no learner of Heldout."""
    return next((exporter for exporter in EXPORTERS if isinstance(model, exporter.learners)), None)


def _exportable_names() -> str:
    """The learners that some format can hold."""
    exporters = [exporter for exporter in EXPORTERS if exporter.formats]
    return ", ".join(learner.__name__ for exporter in exporters for learner in exporter.learners)


def _at_threshold(content: str | bytes, model: ThresholdClassifier, format: str, prefix: str) -> str:
    """The export of the classifier inside, changed such that it decides as the model does.

    SQL gets a further column, `decision`; a Python program another `predict`; JSON the threshold and the
    position of its class.
    """
    if not model.is_of_probability or not isinstance(content, str):
        raise RequestError(
            "this export holds no threshold",
            where=f"{type(model.estimator_).__name__} as {format!r}: {model.decision_words()}",
            fix="keep the model with ho.save; or export model.estimator_ and decide yourself",
        )
    labels = plain_labels(model.classes_, f"export(..., {format!r})")
    position = model.classes_.tolist().index(model.positive_)
    positive, other = labels[position], labels[1 - position]
    threshold = float(model.threshold)
    if format == "python":
        decision = AT_THRESHOLD.format(threshold=threshold, positive=positive, other=other)
        return content.rstrip("\n") + decision
    if format == "json":
        record = json.loads(content) | {"threshold": threshold, "positive": position}
        return json.dumps(record, ensure_ascii=False)
    probability = output_names(labels, prefix)[1 + position]
    return _sql_at_threshold(content, probability, threshold, (positive, other), prefix + "decision")


def _sql_at_threshold(
    content: str, probability: str, threshold: float, labels: tuple[Label, Label], name: str
) -> str:
    positive, other = map(label_literal, labels)
    claim = f"d.{identifier(probability)} >= {number_literal(threshold)}"
    decision = f"CASE WHEN {claim} THEN {positive} ELSE {other} END"
    return f"SELECT d.*, {decision} AS {identifier(name)}\nFROM (\n{content}\n) AS d\n"
