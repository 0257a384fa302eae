"""A table whose print shows its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from heldout.charts.notebook_piece import NotebookPiece, piece_html
from heldout.table.column import Column
from heldout.table.table import Table
from heldout.text.words import plural, shorten

if TYPE_CHECKING:
    pass


MOST_ROWS = 60


MOST_WIDTH = 40


class PrintedTable(Table):
    """A table whose print shows the rows.

    columns: of equal length
    shown:   what is printed instead of the columns themselves: a text for each row, below each heading
    places:  of the rows that are printed; left out, the first of them
    """

    def __init__(
        self,
        columns: Sequence[Column],
        notes: Sequence[str] = (),
        shown: Mapping[str, Sequence[str]] | None = None,
        indices: Sequence[int] | None = None,
    ) -> None:
        super().__init__(columns, notes)
        self._shown = shown
        self._indices = indices

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        columns = [_aligned(name, found) for name, found in self._texts().items()]
        lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
        return "\n".join([*lines, *(f"… {line}" for line in self._not_shown()), *self.notes])

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the rows that are printed."""
        texts = self._texts()
        return NotebookPiece(
            plural(self.n_rows, "row"),
            items=self.notes,
            headings=tuple(texts),
            rows=tuple(zip(*texts.values(), strict=True)),
            caption=" ".join(self._not_shown()),
        )

    def _repr_html_(self) -> str:
        return piece_html(self.notebook_piece())

    def _texts(self) -> dict[str, list[str]]:
        """What is printed below each heading."""
        shown = self._shown or {column.name: _labels(column) for column in self.columns}
        return {
            name: [shorten(found[index], MOST_WIDTH) for index in self._printed()]
            for name, found in shown.items()
        }

    def _printed(self) -> Sequence[int]:
        return range(min(self.n_rows, MOST_ROWS)) if self._indices is None else self._indices

    def _not_shown(self) -> list[str]:
        n_more = self.n_rows - len(self._printed())
        return [f"and {plural(n_more, 'more row', 'more rows')}"] if n_more else []


def _labels(column: Column) -> list[str]:
    return [label or "" for label in column.labels()]


def _aligned(heading: str, texts: Sequence[str]) -> list[str]:
    """A heading and the texts below it, numbers to the right."""
    width = max(map(len, [heading, *texts]))
    is_right = any(texts) and all(not text or text[0] in "-−0123456789.<>" for text in texts)
    return [text.rjust(width) if is_right else text.ljust(width) for text in [heading, *texts]]
