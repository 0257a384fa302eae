"""Arrow arrays become a Table: every column typed, the user's kinds first, in parallel over columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from heldout.errors import DataError
from heldout.table.column import STRING_KINDS
from heldout.table.csv_header import check_header
from heldout.table.infer_arrow import infer_arrow
from heldout.table.kinds import TypedColumn, TypingRules
from heldout.table.missing_markers import missing_rule
from heldout.table.raw_table import RawTable
from heldout.table.read_as_kind import check_requests, read_as
from heldout.table.table import Table
from heldout.text.words import first_few

if TYPE_CHECKING:
    import pyarrow as pa

_WORTH_A_THREAD = 1 << 18


def build_table(
    raw: RawTable,
    kinds: Mapping[str, str] | None = None,
    missing: Iterable[str] | Mapping[str, Iterable[str]] | None = None,
    decimal: str | None = None,
    day_first: bool | None = None,
) -> Table:
    """The typed table of what a reader found; the parameters are those of read_table."""
    check_names(raw.names, raw.naming)
    check_rows(raw)
    check_requests(kinds, raw.names)
    rule = missing_rule(missing)
    check_requests(dict.fromkeys(rule.by_column, ""), raw.names, "missing")
    rules = TypingRules(rule, decimal, day_first, raw.location, raw.points_may_group)
    requested = dict(kinds or {})
    guessed = [position for position, name in enumerate(raw.names) if name not in requested]
    typed = _type_columns(raw, requested, rules, guessed)
    notes = list(raw.notes)
    found = decimal or _sure_decimal(typed.values())
    is_awaited = found == "," or any(column.is_undecided for column in typed.values())
    if decimal is None and found is not None and is_awaited:
        mark = "commas" if found == "," else "points"
        notes.append(f"the file has decimal {mark}; decimal='.' or decimal=',' overrides")
        again = [position for position, column in typed.items() if column.hangs_on_decimal]
        typed |= _type_columns(raw, requested, replace(rules, decimal=found), again)
    rest = [position for position, name in enumerate(raw.names) if name in requested]
    typed |= _type_columns(raw, requested, replace(rules, decimal=found), rest)
    columns = [typed[position] for position in range(len(raw.names))]
    notes += [note for column in columns for note in column.notes]
    table = Table([column.column for column in columns], (*notes, *_empty_row_notes(columns, raw)))
    if not raw.header:
        return table
    more = check_header(raw.header, table, raw.header_index)
    return table.with_notes((*table.notes, *more)) if more else table


def _sure_decimal(typed: Iterable[TypedColumn]) -> str | None:
    """The decimal mark that some column shows, which holds for those that may be read both ways."""
    marks = {column.decimal for column in typed}
    return "," if "," in marks else "." if "." in marks else None


def check_rows(raw: RawTable) -> None:
    """A table has columns and rows, whatever its source."""
    if not raw.arrays:
        raise DataError("there are no columns", "the source is empty", "read another one")
    if not len(raw.arrays[0]):
        n_columns = len(raw.arrays)
        raise DataError(
            "the table has no rows",
            where=f"{n_columns} column{'s' * (n_columns > 1)}, first '{raw.names[0]}'",
            fix="check what was left out on the way here; at least one row is needed",
        )


def check_names(names: Iterable[str], naming: str) -> None:
    """Names must be there and distinct; positions are counted from 1.

    naming: how columns of this source are renamed
    """
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        positions.setdefault(name, []).append(position)
    if "" in positions:
        raise DataError(
            "a column has no name",
            where=f"column{'s' * (len(positions['']) > 1)} {first_few(positions[''])}",
            fix=naming,
        )
    twice = {name: indices for name, indices in positions.items() if len(indices) > 1}
    if twice:
        name, indices = next(iter(twice.items()))
        raise DataError(
            f"{len(indices)} columns are named '{name}'",
            where=f"columns {first_few(indices)}",
            fix=naming,
        )


def _empty_row_notes(columns: Sequence[TypedColumn], raw: RawTable) -> list[str]:
    """Rows without a single value are kept, and said."""
    ordered = sorted((typed.column for typed in columns), key=lambda column: column.kind in STRING_KINDS)
    is_empty = np.ones(len(ordered[0]) if ordered else 0, dtype=np.bool_)
    for column in ordered:
        if not is_empty.any():
            return []
        is_empty &= column.is_missing
    n_empty = int(np.count_nonzero(is_empty))
    if not n_empty or len(ordered) < 2:
        return []
    first = raw.location(int(np.argmax(is_empty)))
    return [f"{n_empty:,} row{'s' * (n_empty > 1)} without any value, first {first}"]


def _type_columns(
    raw: RawTable, kinds: Mapping[str, str], rules: TypingRules, positions: Iterable[int]
) -> dict[int, TypedColumn]:
    def typed(position: int) -> TypedColumn:
        name, values = raw.names[position], raw.arrays[position]
        if name in kinds:
            return read_as(name, values, kinds[name], rules)
        return infer_arrow(name, values, position == 0 and raw.has_first, rules)

    # The largest first, so that no thread is left with it at the end.
    ordered = sorted(positions, key=lambda position: -_size(raw.arrays[position]))
    if not ordered or _size(raw.arrays[ordered[0]]) < _WORTH_A_THREAD:
        return {position: typed(position) for position in ordered}
    with ThreadPoolExecutor(max_workers=min(len(ordered), os.cpu_count() or 1)) as pool:
        return dict(zip(ordered, pool.map(typed, ordered), strict=True))


def _size(values: pa.ChunkedArray) -> int:
    return int(values.nbytes)
