"""A fitted model in a language that needs no Heldout."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

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
    baseline_answers,
    forest_answers,
    linear_answers,
    plain_labels,
    rule_answers,
    tree_answers,
)
from heldout.models.json_export import json_baseline, json_export, json_forest, json_linear, json_rules
from heldout.models.onnx_export import onnx_export
from heldout.models.pipeline_steps import decision_words, is_pipeline, is_skipped, without_threshold
from heldout.models.python_export import (
    python_baseline,
    python_export,
    python_forest,
    python_linear,
    python_rules,
)
from heldout.models.python_program import AT_THRESHOLD
from heldout.models.records.learner_record import is_fitted
from heldout.models.sql_conditions import identifier, label_literal, number_literal
from heldout.models.sql_export import sql_baseline, sql_export, sql_linear, sql_rules

_OPTIONS = {"sql": ("table", "prefix", "max_length"), "python": (), "json": (), "onnx": ("missing",)}


def export(model: Any, format: str, **options: Any) -> str | bytes:
    """The model as SQL, Python source, JSON or ONNX, with the same answers.

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
        "onnx": "refuse" for a model that stops with an error where a tree would split a row with an
        unknown value among its branches, which ONNX cannot; without it such a tree is refused

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
    model = _alone(model, caller)
    if decision_words(model):
        inner = export(without_threshold(model), format, **options)
        return at_threshold(inner, model, format, str(options.get("prefix", "")))
    exporter, name = exporter_of(model), type(model).__name__
    if exporter is None:
        raise InputTypeError(
            f"a {name} cannot be exported", where=caller, fix=f"hand over a fitted {exportable()}"
        )
    if not is_fitted(model):
        raise RequestError(f"this {name} is not fitted", where=caller, fix="call fit before you export it")
    answers = exporter.answers(model, caller)  # first: what no format can hold is refused here
    if format not in exporter.writers:
        raise exporter.refusal(model, format)
    return exporter.writers[format](answers, **options)


def _alone(model: Any, caller: str) -> Any:
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
    return _alone(learner, caller)


def _check_request(format: str, options: dict[str, Any], caller: str) -> None:
    if format not in _OPTIONS:
        near = get_close_matches(str(format).casefold(), _OPTIONS, n=1)
        raise RequestError(
            f"format must be {', '.join(map(repr, _OPTIONS))}",
            where=caller,
            fix=f"did you mean {near[0]!r}?" if near else "use one of these",
        )
    allowed = _OPTIONS[format]
    unknown = [name for name in options if name not in allowed]
    if unknown:
        raise RequestError(
            f"{unknown[0]} is not an option of the format {format!r}",
            where=f"export(..., {format!r}, {unknown[0]}=...)",
            fix=f"use {', '.join(allowed)}" if allowed else "leave it out",
        )


Writer = Callable[..., str | bytes]


@dataclass(frozen=True)
class Exporter:
    """How some learners are exported.

    learners: their classes
    answers:  from a fitted model to what its writers need
    writers:  by format, what writes it
    reason:   why the other formats cannot hold it
    size:     how large a model is, in words
    fix:      what to do instead
    """

    learners: tuple[type, ...]
    answers: Callable[[Any, str], Any]
    writers: dict[str, Writer]
    reason: str
    size: Callable[[Any], str]
    fix: str

    def refusal(self, model: Any, format: str) -> RequestError:
        """The error for a format that cannot hold the model."""
        return RequestError(
            self.reason,
            where=f"a {type(model).__name__} {self.size(model)}, to be exported as {format!r}",
            fix=self.fix,
        )


def _nothing(model: Any, caller: str) -> None:
    return None


EXPORTERS = (
    Exporter(
        (TreeClassifier, TreeRegressor),
        tree_answers,
        {"sql": sql_export, "python": python_export, "json": json_export, "onnx": onnx_export},
        "",
        lambda model: f"of {model.n_leaves_:,} leaves",
        "",
    ),
    Exporter(
        (RuleClassifier,),
        rule_answers,
        {"sql": sql_rules, "python": python_rules, "json": json_rules},
        "ONNX has trees and no lists of rules, and as a tree a list may become too large for any file",
        lambda model: f"of {len(model.rules_):,} rules",
        'export the rules to "sql", "python" or "json", or fit a TreeClassifier and export that',
    ),
    Exporter(
        (ForestClassifier, ForestRegressor),
        forest_answers,
        {"python": python_forest, "json": json_forest},
        "a forest is exported tree by tree, which SQL and ONNX would add up in an order of their own",
        lambda model: f"of {model.forest_.n_trees:,} trees",
        'export the forest to "python" or "json", keep it with ho.save, or export one tree',
    ),
    Exporter(
        (Perceptron, LinearRegressor, RidgeRegressor),
        linear_answers,
        {"sql": sql_linear, "python": python_linear, "json": json_linear},
        "ONNX leaves open in which order its linear models add, so their bits are not those of predict",
        lambda model: f"of {model.n_features_in_:,} columns",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (BaselineClassifier, BaselineRegressor),
        baseline_answers,
        {"sql": sql_baseline, "python": python_baseline, "json": json_baseline},
        "a baseline answers without looking at a row, for which ONNX has no model",
        lambda model: "with one answer",
        'export it to "sql", "python" or "json"',
    ),
    Exporter(
        (NeighborsClassifier, NeighborsRegressor),
        _nothing,
        {},
        "neighbors search their training rows, and nothing that is exported could do that",
        lambda model: f"of {len(model.levels_):,} rows",
        "keep the model with ho.save, or export a model that needs no rows",
    ),
)


def exporter_of(model: Any) -> Exporter | None:
    """How a model is exported; None for what is no learner of Heldout."""
    return next((each for each in EXPORTERS if isinstance(model, each.learners)), None)


def exportable() -> str:
    """The names of the learners that some format can hold."""
    return ", ".join(learner.__name__ for each in EXPORTERS if each.writers for learner in each.learners)


def at_threshold(content: str | bytes, model: ThresholdClassifier, format: str, prefix: str) -> str:
    """The export of the classifier inside, changed such that it decides as the model does.

    SQL gets a further column, `decision`; a Python program another `predict`; JSON the threshold and the
    position of its class.

    content: what the classifier was exported to
    prefix:  before the names of the columns that SQL adds
    """
    if not model.is_of_probability or not isinstance(content, str):
        raise RequestError(
            "this export holds no threshold",
            where=f"{type(model.estimator_).__name__} as {format!r}: {model.decision_words()}",
            fix="keep the model with ho.save; or export model.estimator_ and decide yourself",
        )
    labels = plain_labels(model.classes_, f"export(..., {format!r})")
    place = model.classes_.tolist().index(model.positive_)
    positive, other = labels[place], labels[1 - place]
    if format == "python":
        return content.rstrip("\n") + AT_THRESHOLD.format(
            threshold=float(model.threshold), positive=positive, other=other
        )
    if format == "json":
        record = json.loads(content) | {"threshold": float(model.threshold), "positive": place}
        return json.dumps(record, ensure_ascii=False)
    return _in_sql(content, float(model.threshold), positive, other, prefix)


def _in_sql(content: str, threshold: float, positive: Any, other: Any, prefix: str) -> str:
    body = content.rstrip().removesuffix(";")
    probability = identifier(f"{prefix}probability_{positive}")
    decided = (
        f"CASE WHEN d.{probability} >= {number_literal(threshold)} THEN {label_literal(positive)}"
        f" ELSE {label_literal(other)} END"
    )
    return f"SELECT d.*, {decided} AS {identifier(prefix + 'decision')}\nFROM (\n{body}\n) AS d\n"
