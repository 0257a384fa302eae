"""What a table looks like, in words that fit a terminal; nothing of it looks at a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.table.column import LEVEL_KINDS, Column
from heldout.text.layout import align_cells, note_lines
from heldout.text.words import plural, shorten

_SHOWN_COLUMNS = 60


@dataclass(frozen=True)
class ColumnDescription:
    """One line of the description; `n_levels` is None where the kind has none."""

    name: str
    kind: str
    n_missing: int
    n_levels: int | None
    reason: str


@dataclass(frozen=True)
class TableDescription:
    """Kinds, missing values, levels and reasons of every column, and what the reader noticed."""

    n_rows: int
    columns: tuple[ColumnDescription, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {
            "columns": [asdict(column) for column in self.columns],
            "notes": list(self.notes),
        }

    def to_text(self, max_columns: int | None = None) -> str:
        """Lines of at most 80 characters; of more than `max_columns` columns the rest is counted."""
        shown = self.columns if max_columns is None else self.columns[:max_columns]
        lines = [f"Table: {plural(self.n_rows, 'row')}, {plural(len(self.columns), 'column')}"]
        if shown:
            lines += align_cells([_HEADER, *(_cells(column) for column in shown)])
        if len(shown) < len(self.columns):
            lines.append(f"  … and {plural(len(self.columns) - len(shown), 'more column', 'more columns')}")
        return "\n".join(lines + note_lines(self.notes))

    def __str__(self) -> str:
        return self.to_text(max_columns=_SHOWN_COLUMNS)

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: a line for each column, and what the reader noticed."""
        shown = self.columns[:_SHOWN_COLUMNS]
        more = len(self.columns) - len(shown)
        size = f"{plural(self.n_rows, 'row')}, {plural(len(self.columns), 'column')}"
        return NotebookPiece(
            f"Table: {size}",
            items=self.notes,
            headings=_HEADER,
            rows=tuple(_cells(column) for column in shown),
            caption=f"and {plural(more, 'more column', 'more columns')}" if more else "",
        )

    def _repr_html_(self) -> str:
        return piece_html(self.notebook_piece())


_HEADER = ("column", "kind", "missing", "levels", "why")


def describe_table(columns: Sequence[Column], n_rows: int, notes: Sequence[str]) -> TableDescription:
    return TableDescription(n_rows, tuple(_describe_column(column) for column in columns), tuple(notes))


def _describe_column(column: Column) -> ColumnDescription:
    n_levels = len(column.levels) if column.kind in LEVEL_KINDS else None
    return ColumnDescription(column.name, column.kind, column.n_missing, n_levels, column.reason)


def _cells(column: ColumnDescription) -> tuple[str, ...]:
    levels = "" if column.n_levels is None else f"{column.n_levels:,}"
    return (
        shorten(column.name, 28),
        column.kind,
        f"{column.n_missing:,}",
        levels,
        column.reason or "as requested",
    )
