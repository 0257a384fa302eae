"""Categories as the places of their levels in an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.features.level_encoder import MOST_COLUMNS, UNSEEN, LevelEncoder, codes_in, levels_of, unseen_in
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import made_by
from heldout.inputs.input_schema import column_positions
from heldout.inputs.numeric_inputs import boolean_numbers
from heldout.learners.parameters import Parameter
from heldout.table.column import Column, number_label
from heldout.text.words import plural, suggestion
from heldout.types import PerRow


class Ordinal(LevelEncoder):
    """Each level of a category becomes its place in an order: 0, 1, 2, …

    On a Table or a frame it acts on categories and booleans, on an array on every column. The order is the
    one that is given, or else that of the levels of the training rows: by number where all are numbers, else
    by code point, which means nothing unless the levels were named so. A boolean is 0 for what its words say
    is false and 1 for true.

    A level that no training row had, and that no given order names, becomes a missing value, with an
    UnseenLevelWarning that says how many rows have it; `unseen_levels` counts without a warning. A missing
    value stays one.

    Parameters
    ----------
    orders
        for some columns, by name or position, the list of all their levels, lowest first
    columns
        names or positions; left out, all that it is for

    Attributes
    ----------
    levels_
        of each column that is acted on, lowest first
    columns_
    inputs_
    n_rows_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> import heldout as ho
    >>> shirts = ho.read_table({"size": ["L", "S", "M", "S"]}, kinds={"size": "category"})
    >>> ordinal = Ordinal(orders={"size": ["S", "M", "L"]}).fit(shirts)
    >>> ordinal.transform(shirts)["size"].labels()
    ['2', '0', '1', '0']
    >>> print(ordinal)
    places in an order for 1 column
      size: S = 0, M = 1, L = 2
    """

    _becomes = "missing values"
    _parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("orders", choices=(None,), types=(dict,)),)

    is_given_: tuple[bool, ...]

    def __init__(
        self,
        *,
        orders: Mapping[str | int, Sequence[Any]] | None = None,
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.orders = orders
        self.columns = columns

    def to_text(self) -> str:
        """The columns, and the number of each level."""
        self._check_is_fitted()
        lines = [f"places in an order for {plural(len(self.columns_), 'column')}"]
        acted = zip(self._kinds, self.levels_, self.is_given_, strict=True)
        for kind, levels, is_given in [*acted][:MOST_COLUMNS]:
            indices = [f" = {number:.0f}" for number in _numbers(kind, levels, is_given)]
            lines.append(self._levels_line(len(lines) - 1, levels, indices))
        return "\n".join(lines + self._more_columns())

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        names = entry.schema.names
        given = given_orders(self.orders, names, chosen.tolist())
        columns = [entry.columns[index] for index in chosen]
        for column in columns:
            if column.name in given:
                _refuse_others(column, given[column.name])
        self.is_given_ = tuple([column.name in given for column in columns])
        self.levels_ = tuple([given.get(column.name) or levels_of(column) for column in columns])

    def _names_of(self, names: list[str]) -> list[list[str]]:
        return [[name] for name in names]

    def _apply(self, columns: list[Column]) -> list[list[Column]]:
        # A missing value has the code -1, a level that was not seen -2.
        now = zip(self._kinds, self._levels_now(columns), self.is_given_, strict=True)
        made = zip(columns, self._codes(columns), now, strict=True)
        return [
            [
                Column(
                    column.name,
                    "number",
                    np.array([*_numbers(*levels), np.nan, np.nan])[codes],
                    reason=made_by(self),
                )
            ]
            for column, codes, levels in made
        ]

    def _levels_now(self, columns: list[Column]) -> list[tuple[str, ...]]:
        pairs = zip(super()._levels_now(columns), self.levels_, self.is_given_, strict=True)
        return [given if is_given else levels for levels, given, is_given in pairs]


def _numbers(kind: str, levels: tuple[str, ...], is_given: bool) -> list[float]:
    """The number of each level: its place, or what the word of a boolean says."""
    if kind == "boolean" and not is_given:
        return [boolean_numbers(levels)[level] for level in levels]
    return [float(index) for index in range(len(levels))]


def _refuse_others(column: Column, order: tuple[str, ...]) -> None:
    """A level of the training rows that the order does not name."""
    codes = codes_in(column, order)
    others = unseen_in(column, codes)
    if others:
        first = others[0]
        raise DataError(
            f"column '{column.name}' has levels that its order does not name",
            where=f"{plural(len(others), 'level')} in {np.count_nonzero(codes == UNSEEN):,} of"
            f" {plural(len(codes), 'row')}, first {first.level!r} in row {first.row + 1:,}",
            fix=f"{suggestion(first.level, order)}; or add it to orders[{column.name!r}]",
        )


def given_orders(
    orders: Mapping[Any, Sequence[Any]] | None, names: list[str], acted: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """The levels of each column that has an order, lowest first.

    orders: by name or position of a column
    names:  of all columns
    acted:  the positions of those that an order may be given for
    """
    found: dict[str, tuple[str, ...]] = {}
    for key, order in (orders or {}).items():
        name = _name_of(key, names, acted)
        if name in found:
            raise RequestError(
                f"column '{name}' has two orders",
                where=f"orders[{key!r}]",
                fix="give it one, by name or position",
            )
        found[name] = _levels(key, order)
    return found


def _name_of(key: object, names: list[str], acted: Sequence[int]) -> str:
    positions = column_positions([key], names)
    if positions is not None and positions[0] in acted:
        return names[positions[0]]
    known = [names[index] for index in acted]
    what = "there is no column" if positions is None else "this step does not act on column"
    raise RequestError(
        f"{what} {key!r:.60}",
        where=f"orders={{{key!r:.60}: …}}",
        fix=suggestion(str(key), known) if known else "no column is a category; leave orders out",
    )


def _levels(key: object, order: Iterable[object]) -> tuple[str, ...]:
    if isinstance(order, str) or not isinstance(order, Sequence | np.ndarray):
        raise InputTypeError(
            "an order is a list of levels, lowest first",
            where=f"orders[{key!r}] is a {type(order).__name__}",
            fix="write it as ['low', 'middle', 'high']",
        )
    levels = tuple([_level(key, value) for value in order])
    if len(set(levels)) < len(levels):
        twice = next(level for index, level in enumerate(levels) if level in levels[:index])
        raise RequestError(
            f"level {twice!r} has two places", where=f"orders[{key!r}]", fix="name each level once"
        )
    if not levels:
        raise RequestError("an order needs levels", where=f"orders[{key!r}]", fix="name them, lowest first")
    return levels


def _level(key: object, value: object) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, Real) and value == value:
        return number_label(float(value))
    raise InputTypeError(
        "a level is a word or a number",
        where=f"orders[{key!r}] has {value!r:.40}",
        fix="leave it out: a missing value has no place in an order",
    )
