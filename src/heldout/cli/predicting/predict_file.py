"""A file goes in, the same file with answers comes out; only a part of it is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heldout.cli.predicting.answers import Answerer
from heldout.cli.predicting.arrow_input import whole_file
from heldout.cli.predicting.byte_source import ByteSource
from heldout.cli.predicting.input_chunk import ChunkSize, InputChunk, InputFile
from heldout.cli.predicting.input_file import FileOptions, input_file
from heldout.cli.predicting.model_columns import ModelColumns, model_columns, positions_of
from heldout.cli.predicting.output_form import check_form, row_output
from heldout.cli.predicting.row_output import AddedColumns
from heldout.cli.predicting.typed_output import RowReader
from heldout.cli.predicting.ways_of_writing import Ways, ways_of_writing
from heldout.table.kinds import TypingRules
from heldout.table.missing_markers import missing_rule
from heldout.table.table import Table
from heldout.text.words import plural, shortened


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


PREDICTION = "prediction"


def added_names(labels: Sequence[str] | None, taken: Sequence[str]) -> dict[str, str]:
    """The prediction, then a probability for each class: every name, and what it would be were it free.

    labels: of the classes; none for a number, or for a model without probabilities
    taken:  names of the file's own columns
    """
    found: dict[str, str] = {}
    for name in (PREDICTION, *(f"probability of {label}" for label in labels or ())):
        known = {*taken, *found}
        other, count = name, 2
        while other in known:
            other, count = f"{name} ({count})", count + 1
        found[other] = name
    return found


MOST_NAMED = 5
# Of a column in which nearly every value is new, not every one is kept.
_MOST_KEPT = 1000


@dataclass
class UnseenLevel:
    """A level that no training row had: how many rows have it, and where the first of them is."""

    level: str
    n_rows: int
    first: str


@dataclass(eq=False)
class UnseenValues:
    """Counted over all chunks.

    levels:    by column, the levels that training never saw, in the order in which they come
    n_unseen:  by column, how many values have such a level
    n_missing: by column, how many values are unknown
    """

    wanted: ModelColumns
    levels: dict[str, dict[str, UnseenLevel]] = field(default_factory=dict)
    n_unseen: dict[str, int] = field(default_factory=dict)
    n_missing: dict[str, int] = field(default_factory=dict)

    def count(self, table: Table, chunk: InputChunk) -> None:
        """Count the rows of a chunk.

        table: as the model gets them
        """
        for column, wanted in zip(table.columns, self.wanted.columns, strict=True):
            if column.n_missing:
                self.n_missing[column.name] = self.n_missing.get(column.name, 0) + column.n_missing
            if wanted.levels is None or not column.levels:
                continue
            counts = np.bincount(column.values + 1, minlength=len(column.levels) + 1)[1:]
            new = [k for k, level in enumerate(column.levels) if counts[k] and not wanted.knows(level)]
            if new:
                self._add(column.name, column.levels, new, counts, column.values, chunk)

    def _add(
        self,
        name: str,
        levels: tuple[str, ...],
        new: list[int],
        counts: Any,
        codes: Any,
        chunk: InputChunk,
    ) -> None:
        kept = self.levels.setdefault(name, {})
        self.n_unseen[name] = self.n_unseen.get(name, 0) + int(counts[new].sum())
        first_rows = {code: int(np.argmax(codes == code)) for code in new[:_MOST_KEPT]}
        for code in sorted(first_rows, key=first_rows.__getitem__):
            found = kept.get(levels[code])
            if found is not None:
                found.n_rows += int(counts[code])
            elif len(kept) < _MOST_KEPT:
                place = chunk.place(first_rows[code])
                kept[levels[code]] = UnseenLevel(levels[code], int(counts[code]), place)

    def sentences(self) -> list[str]:
        """What is to be said of them, a line for each column."""
        return [self._sentence(name, list(levels.values())) for name, levels in self.levels.items()]

    def _sentence(self, name: str, levels: list[UnseenLevel]) -> str:
        named = [
            f"{shortened(each.level, 40)!r} ({plural(each.n_rows, 'row')}, first {each.first})"
            for each in levels[:MOST_NAMED]
        ]
        n_more = len(levels) - MOST_NAMED
        more = f" and {'more' if len(levels) == _MOST_KEPT else f'{n_more:,} more'}" if n_more > 0 else ""
        values = plural(self.n_unseen[name], "value")
        what = f"{values} that no training row had, unknown to the model"
        return f"column '{name}': {what}: {', '.join(named)}{more}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        unseen = {
            name: {
                "n_rows": self.n_unseen[name],
                "levels": [vars(each) for each in list(levels.values())[:_MOST_KEPT]],
            }
            for name, levels in self.levels.items()
        }
        return {"unseen": unseen, "missing": dict(self.n_missing)}
