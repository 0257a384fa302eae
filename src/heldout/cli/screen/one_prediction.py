"""Why a model answers one row of a file as it does."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from heldout.cli.predicting.answers import Answerer
from heldout.cli.predicting.byte_source import byte_source
from heldout.cli.predicting.input_chunk import InputChunk
from heldout.cli.predicting.input_file import FileOptions, input_file
from heldout.cli.predicting.model_columns import model_columns, positions_of
from heldout.cli.predicting.predict_file import file_ways
from heldout.cli.predicting.typed_output import RowReader
from heldout.errors import RequestError
from heldout.learners.neighbors.neighbors_base import NeighborsBase
from heldout.learners.trees.tree_base import TreeBase
from heldout.models.pipeline_record import decision_words, is_pipeline, last_inside, last_step
from heldout.table.table import Table
from heldout.text.numbers import shown, shown_alike


def one_answer(model: Any, file: str, row: int, reading: Mapping[str, Any]) -> list[str]:
    """The answer to a row, and the way to it where the learner can show it, line by line.

    model:   as it was loaded
    file:    the rows, "-" for standard input
    row:     which, counted from 1
    reading: how the table of training was read
    """
    wanted = model_columns(model)
    with byte_source(file) as source:
        rows = input_file(source, FileOptions())
        positions = positions_of(wanted, rows.names)
        ways = file_ways(rows, wanted, positions, reading)
        reader = RowReader(wanted, positions, ways)
        for chunk in rows.chunks():
            if chunk.first_row < row <= chunk.first_row + chunk.n_rows:
                table = reader.table(chunk)[row - 1 - chunk.first_row]
                return _words(Answerer(model, wanted), table, chunk, row)
    raise RequestError(
        f"there is no row {row:,}", where=f"'{file}' has {ways.n_rows:,} rows", fix="rows are counted from 1"
    )


def _words(answerer: Answerer, table: Table, chunk: InputChunk, row: int) -> list[str]:
    answers = answerer.answers(table, chunk)
    lines = [f"row {row:,}"]
    lines += [f"  {column.name}: {_shown(column.labels()[0])}" for column in table.columns]
    labels = answerer.labels
    if labels is None:
        lines.append(f"prediction: {shown(float(answers.prediction[0]))}")
    else:
        lines.append(f"prediction: {labels[int(answers.prediction[0])]}")
        if answers.probabilities is not None:
            shares = shown_alike(answers.probabilities[0].tolist(), guide=1.0)
            lines += [
                f"  probability of {label}: {share}" for label, share in zip(labels, shares, strict=True)
            ]
    return [*lines, "", *_way(answerer.model, table).split("\n")]


def _shown(label: str | None) -> str:
    return "unknown" if label is None else label


def _way(model: Any, table: Table) -> str:
    learner = last_inside(model)
    if not isinstance(learner, TreeBase | NeighborsBase):
        uses = f"A {type(learner).__name__} uses all columns at once: there is no path to show for one row."
        return f"{uses} {decision_words(model)}".rstrip()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what there is to warn of was said with the prediction
        prepared = model[:-1].transform(table) if is_pipeline(model) and len(model.steps) > 1 else table
        return str(last_step(model).explain(prepared))
