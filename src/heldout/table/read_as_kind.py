"""A column read as the kind that the user asked for, or an error that says which value stands against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.table.arrow_strings import Spellings, spellings, trim_strings
from heldout.table.column import KINDS, Column
from heldout.table.infer_arrow import as_strings, date_days, exceeds_floats, needs_markers
from heldout.table.kinds import TypedColumn, TypingRules, boolean_levels, category_from, recoded
from heldout.table.missing_markers import marker_note, without_number_markers
from heldout.table.parse_dates import (
    compact_dates,
    first_other_date,
    not_compact_dates,
    not_dates,
    read_dates,
)
from heldout.table.parse_numbers import (
    decorated_numbers,
    float_values,
    is_plain_number,
    loses_digits,
    plain_numbers,
)
from heldout.table.string_notes import StringColumn
from heldout.text.words import quote, suggestion


def check_requests(kinds: Mapping[str, str] | None, names: Sequence[str], argument: str = "kinds") -> None:
    """Every name must be a column, every kind a kind."""
    if kinds is None:
        return
    if not isinstance(kinds, Mapping):
        raise InputTypeError(
            f"{argument} must be a dict from column name to kind",
            where=f"{argument} is {type(kinds).__name__}",
            fix='write kinds={"zip": "category"}',
        )
    for name, kind in kinds.items():
        if name not in names:
            raise RequestError(
                f"there is no column {name!r}",
                where=f"{argument}={{{name!r}: ...}}",
                fix=suggestion(name, names),
            )
        if argument == "kinds" and kind not in KINDS:
            raise RequestError(
                f"unknown kind {kind!r}", where=f"kinds, column '{name}'", fix=suggestion(str(kind), KINDS)
            )


def read_as(name: str, values: pa.ChunkedArray, kind: str, rules: TypingRules) -> TypedColumn:
    """The column as the kind asked for.

    values: a chunked Arrow array of any flat type
    """
    is_plain = not needs_markers(name, values.type, rules)
    if kind == "number" and is_plain and _is_numeric(values.type):
        return _typed_numbers(name, values)
    if kind == "date" and is_plain and (pa.types.is_date(values.type) or pa.types.is_timestamp(values.type)):
        return TypedColumn(Column(name, "date", date_days(values)))
    spelled, counts = spellings(trim_strings(as_strings(name, values))).without(rules.missing.markers(name))
    notes = (marker_note(name, counts),) if counts else ()
    if kind == "number":
        numbers, warnings = _numbers(name, spelled, rules)
        values, marked = without_number_markers(name, _spread(numbers, spelled), rules.missing)
        return TypedColumn(Column(name, "number", values), (*notes, *warnings, *marked))
    if kind == "date":
        return TypedColumn(Column(name, "date", _spread(_days(name, spelled, rules), spelled)), notes)
    if kind == "boolean":
        return TypedColumn(_boolean(name, spelled, rules), notes)
    if kind == "category":
        return TypedColumn(category_from(name, spelled, ""), notes)
    return TypedColumn(StringColumn(name, kind, spelled.strings()), notes)


def _typed_numbers(name: str, values: pa.ChunkedArray) -> TypedColumn:
    numbers = float_values(pc.cast(values, pa.float64(), safe=False))
    notes = (_lost_digits(name),) if exceeds_floats(values.type, numbers) else ()
    return TypedColumn(Column(name, "number", numbers), notes)


def _lost_digits(name: str) -> str:
    return f"column '{name}': whole numbers beyond 2^53 lost their last digits"


def _is_numeric(kind: pa.DataType) -> bool:
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return bool(is_number or pa.types.is_boolean(kind) or pa.types.is_null(kind))


def _spread(distinct: NDArray[np.float64], spelled: Spellings) -> NDArray[np.float64]:
    return np.asarray(np.append(distinct, np.nan)[spelled.codes], dtype=np.float64)


def _numbers(
    name: str, spelled: Spellings, rules: TypingRules
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    if not len(spelled.values):
        return np.empty(0), ()
    reading = decorated_numbers(spelled.values, rules.decimal)
    numbers = plain_numbers(spelled.values)
    if rules.points_may_group and rules.decimal is None and reading is not None and reading.values is None:
        numbers = None
    if numbers is not None and (rules.decimal != "," or reading is None):
        lost = loses_digits(pa.chunked_array([spelled.values]), numbers)
        return numbers, (_lost_digits(name),) if lost is not None else ()
    if reading is not None and reading.values is not None:
        warning = f"column '{name}' read as numbers with {reading.format}"
        return reading.values, (warning,) if reading.format else ()
    if reading is not None:
        strange = np.ones(len(spelled.values), np.bool_) if reading.strange is None else reading.strange
        raise DataError(
            f"column '{name}' holds {reading.format}" + (" and without it" if not strange.all() else ""),
            where=_first(spelled, strange, rules),
            fix=reading.fix,
        )
    raise _mismatch(name, spelled, ~is_plain_number(spelled.values), "numbers", rules)


def _days(name: str, spelled: Spellings, rules: TypingRules) -> NDArray[np.float64]:
    if not len(spelled.values):
        return np.empty(0)
    reading = read_dates(spelled.values, rules.day_first)
    if reading is not None and reading.days is not None:
        return reading.days
    numbers = plain_numbers(spelled.values)
    days = None if numbers is None else compact_dates(numbers)
    if days is not None:
        return days
    if reading is not None:
        raise DataError(
            f"column '{name}' holds {reading.format}",
            where=_first(spelled, np.ones(len(spelled.values), dtype=np.bool_), rules),
            fix=reading.fix,
        )
    strange = _strange_dates(spelled, rules)
    raise _mismatch(name, spelled, strange, "dates", rules)


def _strange_dates(spelled: Spellings, rules: TypingRules) -> NDArray[np.bool_]:
    """Which distinct strings are no dates, by the spelling that most of them have; all if none is."""
    plain = is_plain_number(spelled.values)
    if plain.any():
        found = plain_numbers(spelled.values.filter(pa.array(plain)))
        assert found is not None
        compact = plain.copy()
        compact[plain] = ~not_compact_dates(found)
        if 2 * int(spelled.counts[compact].sum()) >= spelled.n_known:
            return np.asarray(~compact)
    strange = not_dates(spelled.values, rules.day_first)
    if strange.any():
        return strange
    split = first_other_date(spelled.values, rules.day_first)
    return np.arange(len(strange)) == split if split is not None else ~strange


def _boolean(name: str, spelled: Spellings, rules: TypingRules) -> Column:
    found = spelled.values.to_pylist()
    levels = boolean_levels(found)
    if levels is not None:
        by_fold = {level.casefold(): level for level in levels}
        codes = recoded(spelled.codes, [by_fold[text.casefold()] for text in found], levels)
        return Column(name, "boolean", codes, levels)
    if len(found) <= 2:
        return category_from(name, spelled, "", kind="boolean")
    order = np.argsort(-spelled.counts, kind="stable")
    strange = np.ones(len(found), dtype=np.bool_)
    strange[order[:2]] = False
    raise DataError(
        f"column '{name}' holds {len(found):,} distinct values where a boolean has two",
        where=_first(spelled, strange, rules),
        fix=f"read it as a category with kinds={{{name!r}: 'category'}}, or clean those rows",
    )


def _mismatch(
    name: str, spelled: Spellings, strange: NDArray[np.bool_], wanted: str, rules: TypingRules
) -> DataError:
    return DataError(
        f"column '{name}' holds text where {wanted} are needed",
        where=_first(spelled, strange, rules),
        fix=f"read it as a category with kinds={{{name!r}: 'category'}}, "
        f"name what is missing with missing={{{name!r}: [...]}}, or clean those rows",
    )


def _first(spelled: Spellings, strange: NDArray[np.bool_], rules: TypingRules) -> str:
    row = spelled.first_row_of(strange)
    value = spelled.values[int(spelled.codes[row])].as_py()
    n_strange = int(spelled.counts[strange].sum())
    return f"{n_strange:,} of {len(spelled.codes):,} rows, first {quote(value)} in {rules.location(row)}"
