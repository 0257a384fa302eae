"""The screens of `heldout explain`: a model in words or another form, and one prediction with its reasons."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator

from heldout.cli.find_model import StoredModel
from heldout.cli.output import near_path
from heldout.cli.predicting.byte_streams import byte_source
from heldout.cli.predicting.column_formats import RowReader
from heldout.cli.predicting.input_chunks import InputChunk
from heldout.cli.predicting.model_columns import ModelColumns, model_columns, positions_of
from heldout.cli.predicting.predict_file import FileOptions, file_formats, input_file
from heldout.cli.predicting.predictions import Predictor, label_text
from heldout.cli.screen.story_lines import expected_scores
from heldout.cli.screen.terminal import Terminal, labelled, printable
from heldout.errors import RequestError
from heldout.learners.neighbors.neighbors_base import NeighborsBase
from heldout.learners.rule_classifier import RuleClassifier
from heldout.learners.trees.tree_base import TreeBase
from heldout.models.export import export
from heldout.models.pipeline_steps import decision_words, is_pipeline, last_inside, last_step
from heldout.report.chosen_settings import setting_words
from heldout.report.models.views.model_view import is_readable, model_view
from heldout.table.column import LEVEL_KINDS
from heldout.table.table import Table
from heldout.text.numbers import number_text, number_texts
from heldout.text.words import first_few, plural, shorten


def model_form(stored: StoredModel, form: str, table: str | None = None) -> str | bytes:
    """The model in a form."""
    model = stored.loaded(f"--{form}")
    if form == "rules":
        return _rules(model)
    if form == "svg":
        return _picture(model)
    options: dict[str, Any] = {} if table is None else {"table": table}
    content = export(model, form, **options)
    return content if isinstance(content, bytes) else content.rstrip("\n") + "\n"


def _rules(model: BaseEstimator) -> str:
    learner = last_inside(model)
    if isinstance(learner, RuleClassifier):
        return f"{last_step(model)}\n"
    if isinstance(learner, TreeBase):
        return f"{last_step(model).rules()}\n"
    raise _has_none(learner, "rules")


def _picture(model: BaseEstimator) -> str:
    learner = last_inside(model)
    if isinstance(learner, TreeBase):
        return str(last_step(model).to_svg())
    raise _has_none(learner, "svg")


def _has_none(learner: BaseEstimator, form: str) -> RequestError:
    what = "rules" if form == "rules" else "a drawing"
    whose = "trees and lists of rules have them" if form == "rules" else "trees have one"
    return RequestError(
        f"a {type(learner).__name__} has not {what}: {whose}",
        where=f"--{form}",
        fix="leave the option out to read it as text; a study names the best readable contender beside it",
    )


_MOST_NAMED = 12


def model_words(stored: StoredModel, terminal: Terminal) -> str:
    """The text of `heldout explain`, with a newline at its end."""
    view = dict(stored.view) if stored.model is None else model_view(stored.model)
    known = stored.provenance
    lines = labelled("model", [near_path(stored.path)], terminal)
    lines += labelled("is", [str(known.get("sentence") or _what(stored, view))], terminal)
    if stored.model is not None:
        lines += labelled("predicts", [_target_text(stored.model, known)], terminal)
        lines += labelled("from", [_columns(stored.model)], terminal)
    if known.get("setting"):
        lines += labelled("setting", [setting_words(known["setting"])], terminal)
    lines += labelled("expect", expected_scores(known), terminal)
    lines += labelled("says", [str(view.get("takeaway") or "")], terminal)
    lines += labelled("note", _notes(stored, view), terminal)
    return "\n".join([*lines, "", *_body(stored, view, terminal), ""])


def _what(stored: StoredModel, view: Mapping[str, Any]) -> str:
    return f"{view.get('learner') or 'a model'}; nothing is recorded of where it comes from."


def _target_text(model: BaseEstimator, known: Mapping[str, Any]) -> str:
    target = f"'{known['target']}', " if known.get("target") else ""
    classes = getattr(last_inside(model), "classes_", None)
    if classes is None:
        return f"{target}a number"
    return f"{target}one of {first_few([label_text(label) for label in classes.tolist()], _MOST_NAMED)}"


def _columns(model: BaseEstimator) -> str:
    wanted = model_columns(model)
    named = [f"{shorten(column.name, 40)} ({column.kind})" for column in wanted.columns]
    if wanted.is_blind:
        return f"nothing; it predicts without looking at the {plural(len(named), 'column')}"
    return first_few(named, _MOST_NAMED)


def _notes(stored: StoredModel, view: Mapping[str, Any]) -> list[str]:
    notes = [*view.get("notes", ()), *(stored.provenance.get("notes") or ())]
    if stored.model is None and not view:
        notes.append(f"The study file does not hold it: {stored.why_not}.")
    return [str(note) for note in notes]


def _body(stored: StoredModel, view: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """What was learned: all of a tree or of rules, else what can be shown of it."""
    if stored.model is not None and is_readable(stored.model):
        text = str(last_step(stored.model))
    else:
        text = str(view.get("text") or "")
    return [terminal.render(printable(line)) for line in text.split("\n")]


def prediction_lines(model: BaseEstimator, file: str, row: int, reading: Mapping[str, Any]) -> list[str]:
    """The prediction for a row, and its path where the learner can show one, line by line."""
    wanted = model_columns(model)
    with byte_source(file) as source:
        rows = input_file(source, FileOptions())
        positions = positions_of(wanted, rows.names)
        formats = file_formats(rows, wanted, positions, reading)
        reader = RowReader(wanted, positions, formats)
        for chunk in rows.chunks():
            if chunk.first_row < row <= chunk.first_row + chunk.n_rows:
                table = reader.table(chunk)[row - 1 - chunk.first_row]
                lines = [f"row {row:,}", *_value_lines(wanted, table)]
                return [*lines, *_prediction_lines(Predictor(model, wanted), table, chunk)]
    raise RequestError(
        f"there is no row {row:,}",
        where=f"'{file}' has {formats.n_rows:,} rows",
        fix="rows are counted from 1",
    )


def _value_lines(wanted: ModelColumns, table: Table) -> list[str]:
    """The values of the columns that the model reads; a level that training never saw is marked."""
    lines = []
    for column, known in zip(table.columns, wanted.columns, strict=True):
        if not known.is_read:
            continue
        label = column.labels()[0]
        is_new = label is not None and column.kind in LEVEL_KINDS and not known.knows(label)
        value = "unknown" if label is None else f"{label} (in no training row)" if is_new else label
        lines.append(f"  {column.name}: {value}")
    return lines


def _prediction_lines(predictor: Predictor, table: Table, chunk: InputChunk) -> list[str]:
    predictions = predictor.predict(table, chunk)
    labels = predictor.labels
    if labels is None:
        lines = [f"prediction: {number_text(float(predictions.prediction[0]))}"]
    else:
        lines = [f"prediction: {labels[int(predictions.prediction[0])]}"]
        if predictions.probabilities is not None:
            shares = number_texts(predictions.probabilities[0].tolist(), guide=1.0)
            lines += [
                f"  probability of {label}: {share}" for label, share in zip(labels, shares, strict=True)
            ]
    return [*lines, "", *_way(predictor.model, table).split("\n")]


def _way(model: BaseEstimator, table: Table) -> str:
    learner = last_inside(model)
    if not isinstance(learner, TreeBase | NeighborsBase | RuleClassifier):
        uses = f"A {type(learner).__name__} uses all columns at once: there is no path to show for one row."
        return f"{uses} {decision_words(model)}".rstrip()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the prediction has warned already
        prepare_folder = model[:-1].transform(table) if is_pipeline(model) and len(model.steps) > 1 else table
        return str(last_step(model).explain(prepare_folder))
