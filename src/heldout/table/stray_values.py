"""A few words among many thousand different numbers: no category is meant, and none is made."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError
from heldout.table.describe import plural
from heldout.table.kinds import MANY_LEVELS
from heldout.table.number_text import is_plain_number
from heldout.table.strings import Spellings
from heldout.table.typing_rules import TypingRules, quoted

_FEW = 0.05
_SHOWN = 5


def refuse_stray_values(
    name: str, spelled: Spellings, rules: TypingRules, markers: tuple[str, ...] = ()
) -> None:
    """A DataError that names the first of a few values that are no numbers among very many that are.

    Read as a category, the column would have a level for nearly every row.

    markers: those that were made missing, which the fix must name again, as `missing` replaces them
    """
    n_known, n_distinct = spelled.n_known, len(spelled.values)
    if n_distinct <= MANY_LEVELS or 2 * n_distinct <= n_known:
        return
    strange = ~is_plain_number(spelled.values)
    n_strange = int(spelled.counts[strange].sum())
    if not 0 < n_strange < _FEW * n_known:
        return
    row = spelled.first_row_of(strange)
    first = quoted(spelled.values[int(spelled.codes[row])].as_py())
    makes = "makes it" if n_strange == 1 else "makes them"
    numbers, others = plural(n_known - n_strange, "number"), plural(n_strange, "other value")
    raise DataError(
        f"column '{name}' holds {numbers} and {others}",
        where=f"first {first} in {rules.place(row)}",
        fix=f"missing={{{name!r}: [{_listed(spelled, strange, markers)}]}} {makes} missing, "
        f"kinds={{{name!r}: 'category'}} or 'identifier' keeps all {n_distinct:,} distinct values",
    )


def _listed(spelled: Spellings, strange: NDArray[np.bool_], markers: tuple[str, ...]) -> str:
    positions = np.flatnonzero(strange)
    found = [quoted(spelled.values[int(position)].as_py()) for position in positions[:_SHOWN]]
    more = ["..."] if len(positions) > _SHOWN else []
    return ", ".join([*found, *(repr(marker) for marker in markers), *more])
