"""What new rows have that training rows had not: levels that were never seen, and unknown values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heldout.cli.predicting.input_chunk import InputChunk
from heldout.cli.predicting.model_columns import ModelColumns
from heldout.table.describe import plural, shortened
from heldout.table.table import Table

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
