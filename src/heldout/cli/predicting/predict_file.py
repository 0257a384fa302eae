"""A file goes in, the same file with answers comes out; only a part of it is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from heldout.cli.predicting.added_names import added_names
from heldout.cli.predicting.answers import Answerer
from heldout.cli.predicting.byte_source import ByteSource
from heldout.cli.predicting.input_chunk import ChunkSize, InputFile
from heldout.cli.predicting.input_file import FileOptions, input_file
from heldout.cli.predicting.model_columns import ModelColumns, model_columns, positions_of
from heldout.cli.predicting.output_form import check_form, row_output
from heldout.cli.predicting.row_output import AddedColumns
from heldout.cli.predicting.typed_rows import RowReader
from heldout.cli.predicting.unseen_values import UnseenValues
from heldout.cli.predicting.ways_of_writing import Ways, ways_of_writing
from heldout.cli.predicting.whole_file import whole_file
from heldout.table.missing_markers import missing_rule
from heldout.table.typing_rules import TypingRules


@dataclass(frozen=True)
class PredictRequest:
    """What was asked for beside the model and the file.

    output:    path of the file to write, "-" for standard output
    file:      how the file is written
    reading:   what is known of its values, as options of `read_table`: missing, decimal, day_first
    absent:    columns of the model that the file lacks
    is_raw:    whether formulas are left as they are
    size:      of the chunks
    """

    output: str
    file: FileOptions = field(default_factory=FileOptions)
    reading: Mapping[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    is_raw: bool = False
    size: ChunkSize = field(default_factory=ChunkSize)


@dataclass(frozen=True, eq=False)
class Predicted:
    """What was done.

    n_rows:    that were answered
    added:     the names of the columns that were added
    renamed:   those whose plain name the file has already, with that name
    unused:    columns of the file that the model does not ask for
    decimal:   the mark in its numbers, where it mattered
    n_guarded: cells that were made harmless
    unseen:    what new rows have that training rows had not
    notes:     what the model warned of
    """

    n_rows: int
    added: list[str]
    renamed: dict[str, str]
    unused: list[str]
    decimal: str | None
    n_guarded: int
    unseen: UnseenValues
    notes: list[str]


def predict_file(
    model: Any,
    source: ByteSource,
    request: PredictRequest,
    progress: Callable[[int, int], None] | None = None,
) -> Predicted:
    """Answer every row of a file.

    model:    as it was loaded
    source:   of the rows
    request:  how, and where to
    progress: is told how many rows of how many are answered
    """
    check_form(request.output)
    wanted = model_columns(model)
    file = input_file(source, request.file, request.size)
    positions = positions_of(wanted, file.names, request.absent)
    ways = file_ways(file, wanted, positions, request.reading)
    answerer = Answerer(model, wanted)
    labels = answerer.labels
    names = added_names(labels if answerer.has_probabilities else None, file.names)
    added = AddedColumns(list(names), labels, ways.rules.decimal or ".", request.is_raw)
    reader, unseen = RowReader(wanted, positions, ways), UnseenValues(wanted)
    with whole_file(request.output) as stream:
        output = row_output(stream, file, added, request.output)
        with output.whole():
            n_rows = 0
            for chunk in file.chunks():
                table = reader.table(chunk)
                if not wanted.is_blind:
                    unseen.count(table, chunk)
                output.write(chunk, answerer.answers(table, chunk))
                n_rows += chunk.n_rows
                if progress is not None:
                    progress(n_rows, ways.n_rows)
    return Predicted(
        n_rows=n_rows,
        added=list(names),
        renamed={name: plain for name, plain in names.items() if name != plain},
        unused=[name for name in file.names if name not in wanted.names],
        decimal=ways.rules.decimal,
        n_guarded=output.n_guarded,
        unseen=unseen,
        notes=answerer.notes,
    )


def file_ways(
    file: InputFile,
    wanted: ModelColumns,
    positions: Mapping[str, int | None],
    reading: Mapping[str, Any],
) -> Ways:
    """How a file is written, as far as the model's columns go.

    file:      that is read
    wanted:    the columns of the model
    positions: of these in the file
    reading:   what is known already, as options of `read_table`: missing, decimal, day_first
    """
    rules = TypingRules(
        missing_rule(reading.get("missing")),
        reading.get("decimal"),
        reading.get("day_first"),
        points_may_group=file.points_may_group,
    )
    by_position = {
        place: column for column in wanted.columns if (place := positions[column.name]) is not None
    }
    return ways_of_writing(file, by_position, rules)
