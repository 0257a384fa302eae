"""A fitted model in a language that needs no Heldout."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from heldout.errors import KindError, RequestError
from heldout.models.exported_threshold import at_threshold
from heldout.models.exporters import exportable, exporter_of
from heldout.models.fitted import is_fitted
from heldout.models.pipeline_steps import decision_words, is_pipeline, is_skipped, without_threshold

_OPTIONS = {"sql": ("table", "prefix", "max_length"), "python": (), "json": (), "onnx": ("missing",)}


def export(model: Any, format: str, **options: Any) -> str | bytes:
    """The model as SQL, Python source, JSON or ONNX, with the same answers.

    Classes are the same, probabilities to 1e-12, also for missing values and for categories that were
    never seen. The sums of least squares and ridge differ at most by the rounding of a sum. What a format
    cannot say exactly is refused.

    model:      a fitted tree, rules, a forest, a perceptron, least squares, ridge or a baseline; or a
                Pipeline in which nothing comes before one of these but "passthrough"
    format:     "sql" (a SELECT; not for forests), "python" (a program without imports), "json", or, for
                trees, "onnx" (bytes; needs the extra `heldout[onnx]`)
    table:      "sql": the table's name, or a tuple of schema and name; "data" if it is not given
    prefix:     "sql": put before the names of the columns that are added
    max_length: "sql": the most letters that the statement may have; 1,000,000 if it is not given
    missing:    "onnx": "refuse" for a model that stops with an error where a tree would split a row with
                an unknown value among its branches, which ONNX cannot; without it such a tree is refused

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
        raise KindError(
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
