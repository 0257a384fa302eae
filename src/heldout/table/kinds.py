"""The rules by which a column gets its kind, each with the reason that is shown.

Every rule looks at the whole column. In this order, for strings (missing markers left out):
1. no value at all: number.
2. true/false in any case, or both of yes/no, y/n, t/f, on/off: boolean. 0/1 stays a number.
3. every value is a number: number, or an identifier where a number would lose what it says
   (leading zeros, also of 012 345 or 007%; integers beyond 2^53; a plus before seven digits or more in
   every value, as phone numbers have), or by the rule for integers below.
4. every value is a date: date.
5. at least half of the values are numbers: category, with a note that names the first that is not;
   refused where it would have a level for most rows (under 5 % others, over 1,000 distinct values).
6. long strings, most of them distinct: text.
7. nearly every value distinct (all of ten or more, or 95 % of fifty or more): identifier.
8. otherwise: category.

Whole numbers are an identifier only if all are distinct and the column is named like one
(id, user_id, key, number, ...; order_no in the first column only), or if they count the rows,
1 to n or 0 to n - 1, in the first column.
A number with a fraction is never an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from heldout.table.arrow_strings import Spellings
from heldout.table.column import Column, sort_levels
from heldout.table.missing_markers import MissingRule
from heldout.table.parse_numbers import LARGEST_EXACT, is_whole
from heldout.table.raw_table import row_label

LONG_LENGTH = 20
LONG_WORDS = 3
VERY_LONG_LENGTH = 100
MANY_DISTINCT = 50_000
MANY_LEVELS = 1000

_SURE_NAME = re.compile(r"(?i:(^|[\W_])(ids?|uuid|guid|key|idx|row|rownames?|serial)$)|[a-z](Id|ID|Key)$")
# A heat_index is measured, and only as a whole name or in the first column is an index none.
_VAGUE_WORD = r"index|number|no|nr|record"
_WHOLE_NAME = re.compile(rf"(?i:^({_VAGUE_WORD})$)")
_FIRST_NAME = re.compile(rf"(?i:[\W_]({_VAGUE_WORD})$)|[a-z](Number|No|Nr|Index)$")
_BOOLEAN_PAIRS = (
    frozenset({"true", "false"}),
    frozenset({"yes", "no"}),
    frozenset({"y", "n"}),
    frozenset({"t", "f"}),
    frozenset({"on", "off"}),
)


@dataclass(frozen=True)
class Decision:
    """A kind and the reason for it."""

    kind: str
    reason: str


@dataclass(frozen=True)
class StringProfile:
    """What the rules need to know of a column of strings that are neither numbers nor dates.

    mean_length, mean_words: over the known values
    """

    n_known: int
    n_distinct: int
    mean_length: float
    mean_words: float

    @property
    def is_long(self) -> bool:
        has_words = self.mean_length >= LONG_LENGTH and self.mean_words >= LONG_WORDS
        return has_words or self.mean_length >= VERY_LONG_LENGTH


def kind_of_strings(profile: StringProfile) -> Decision:
    """Text, identifier or category."""
    n_known, n_distinct = profile.n_known, profile.n_distinct
    if profile.is_long and n_distinct > 1 and (2 * n_distinct > n_known or n_distinct >= MANY_DISTINCT):
        return Decision(
            "text", f"long strings, {profile.mean_length:.0f} characters on average, most distinct"
        )
    if n_distinct == n_known and n_known >= 10:
        return Decision("identifier", "a different string in every row")
    if n_known >= 50 and n_distinct >= 0.95 * n_known:
        return Decision("identifier", f"{n_distinct:,} distinct strings in {n_known:,} rows")
    return Decision("category", f"{n_distinct:,} distinct value{'s' if n_distinct != 1 else ''}")


def kind_of_numbers(name: str, numbers: NDArray[np.float64], is_first: bool) -> Decision:
    """Number, or identifier by the rule for whole numbers.

    numbers:  float64, NaN for missing
    is_first: is it the table's first column?
    """
    n_rows = len(numbers)
    if is_first and n_rows >= 20 and _counts_rows(numbers):
        return Decision("identifier", f"counts the rows, {int(numbers[0])} to {int(numbers[-1]):,}")
    if n_rows > 1 and is_identifier_name(name, is_first) and _all_distinct_integers(numbers):
        return Decision("identifier", f"distinct whole numbers in a column named '{name}'")
    if n_rows and _is_zero_one(numbers):
        return Decision("number", "only 0 and 1, kept as a number: they may be counts or a yes/no")
    if not n_rows or (np.isnan(numbers[0]) and np.isnan(numbers).all()):
        return Decision("number", "no value in any row")
    return Decision("number", "every value is a number")


def is_identifier_name(name: str, is_first: bool = False) -> bool:
    """Is a column of this name likely to tell rows apart?

    is_first: is it the table's first column, where `order_no` is one too?
    """
    name = name.strip()
    if _SURE_NAME.search(name) or _WHOLE_NAME.search(name):
        return True
    return is_first and _FIRST_NAME.search(name) is not None


def boolean_levels(distinct: list[str]) -> tuple[str, str] | None:
    """The two levels, "no" before "yes", if these strings are the words of one boolean.

    Spelled one way they keep their spelling, else they are lower case; true and false always are,
    so that a file's words equal a frame's booleans.
    """
    if not 1 <= len(distinct) <= 12:
        return None
    folded = {text.casefold() for text in distinct}
    if folded <= _BOOLEAN_PAIRS[0]:
        return "false", "true"
    if folded not in _BOOLEAN_PAIRS:
        return None
    no, yes = sorted(distinct if len(distinct) == 2 else folded, key=str.casefold)
    return no, yes


def _counts_rows(numbers: NDArray[np.float64]) -> bool:
    if numbers[0] not in (0.0, 1.0) or numbers[-1] != numbers[0] + len(numbers) - 1:
        return False
    return bool((numbers == np.arange(len(numbers)) + numbers[0]).all())


def _all_distinct_integers(numbers: NDArray[np.float64]) -> bool:
    known = numbers[~np.isnan(numbers)]
    # Beyond it a float no longer tells neighboring whole numbers apart.
    if len(known) < 2 or not (np.abs(known) < LARGEST_EXACT).all() or not is_whole(known):
        return False
    return len(np.unique(known)) == len(known)


def _is_zero_one(numbers: NDArray[np.float64]) -> bool:
    for part in (numbers[:1000], numbers):
        if not ((part == 0) | (part == 1) | np.isnan(part)).all():
            return False
    return bool((numbers == 0).any() and (numbers == 1).any())


@dataclass(frozen=True)
class TypingRules:
    """The settings that hold for a whole table.

    decimal:   "," or "." if the user or the file's other columns decided, else None
    day_first: how 03/04/2024 is read, None to let the values decide
    place:     says where a row is found
    points_may_group: may 1.234 be a thousand and more?
    """

    missing: MissingRule = field(default_factory=MissingRule)
    decimal: str | None = None
    day_first: bool | None = None
    location: Callable[[int], str] = row_label
    points_may_group: bool = False


@dataclass(frozen=True)
class TypedColumn:
    """A column, what was noticed about it, and what it tells about the others.

    decimal:          "," or "." if the column can only be read with it
    hangs_on_decimal: would it be read otherwise if the file had decimal commas?
    is_undecided:     does it wait for another column, or the user, to say what its marks mean?
    """

    column: Column
    notes: tuple[str, ...] = ()
    decimal: str = ""
    hangs_on_decimal: bool = False
    is_undecided: bool = False


def category_from(name: str, spelled: Spellings, reason: str, kind: str = "category") -> Column:
    """A category of distinct strings, levels sorted whatever the order of rows."""
    found = spelled.values.to_pylist()
    levels = sort_levels(found)
    return Column(name, kind, recoded(spelled.codes, found, levels), levels, reason)


def recoded(codes: NDArray[np.int32], old: Sequence[str], new: Sequence[str]) -> NDArray[np.int32]:
    """Positions in `old` turned into positions in `new`; missing stays missing."""
    position = {level: code for code, level in enumerate(new)}
    table = np.array([*(position[level] for level in old), -1], dtype=np.int32)
    return np.asarray(table[codes], dtype=np.int32)


def whole_number_strings(numbers: NDArray[np.float64]) -> pa.ChunkedArray:
    """17.0 as "17", NaN as null, in a chunked Arrow array."""
    missing = np.isnan(numbers)
    whole = pa.array(np.where(missing, 0.0, numbers).astype(np.int64), mask=missing)
    return pa.chunked_array([whole.cast(pa.string())])
