"""A task: a table, the column to predict, and what else has to be known about its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, STRING_KINDS, Column, number_label
from heldout.table.table import Table
from heldout.table.target_kind import are_whole, target_kind
from heldout.text.layout import align_cells, note_lines
from heldout.text.words import first_few, first_of_rows, nearest_name, plural, shorten

MOST_WORDS_OF_A_NAME = 6
# Of fewer rows each has a level of its own by chance.
FEWEST_ROWS_OF_A_HINT = 20
MOST_NAMED = 3


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Task:
    """What is to be learned from a table.

    Parameters
    ----------
    table
        where the rows come from; those without a target are left out
    target
        the name of the column to predict
    kind
        "classification" or "regression"; left out, it follows from the target (see `reason`)
    positive
        the positive class of two; left out, the rarer one, and of two that are equally frequent the last
        in sorted order (yes, true, 1)
    groups
        the name of a column; rows of one group must never be split apart
    time
        the name of a date or number column that orders the rows
    weights
        the name of a number column of sample weights

    Attributes
    ----------
    X, y
        the inputs, a Table without target, roles and identifiers, and the target of each row
    groups, time, weights
        an array with a value for each row, as scikit-learn's splitters and `fit` take them, or None
    groups_column, time_column, weights_column
        the names of the columns that these arrays come from, or None
    classes, positive
        the sorted classes, and the positive one of two; none in regression
    reason
        why the task is of its kind
    notes
        what was left out, and what is noticed about the columns

    Examples
    --------
    >>> from heldout.table.column import category_column
    >>> size = Column("size", "number", np.array([1.0, 2.0, 8.0, 9.0]))
    >>> task = Task(Table([size, category_column("ripe", ["no", "no", "yes", "yes"])]), target="ripe")
    >>> task.kind, task.classes, task.positive, task.X.names
    ('classification', ('no', 'yes'), 'yes', ('size',))
    """

    table: Table
    target: str
    kind: str
    reason: str
    classes: tuple[Any, ...]
    positive: Any
    X: Table
    y: NDArray[Any]
    groups: NDArray[Any] | None
    time: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None
    roles: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    is_kind_given: bool = False

    def __init__(
        self,
        table: Table,
        target: str,
        kind: str | None = None,
        positive: object = None,
        groups: str | None = None,
        time: str | None = None,
        weights: str | None = None,
    ) -> None:
        if not isinstance(table, Table):
            raise InputTypeError(
                "a task needs a Table", f"got {type(table).__name__}", "make one with ho.read_table"
            )
        names = {"target": target, "groups": groups, "time": time, "weights": weights}
        given = {role: name for role, name in names.items() if name is not None or role == "target"}
        roles = {role: _column_name(role, name) for role, name in given.items()}
        whole = {role: table[name] for role, name in roles.items()}
        check_distinct_roles(roles)
        table, left_out = _with_target(table, whole["target"])
        columns = {role: table[name] for role, name in roles.items()}
        decided, reason = target_kind(columns["target"], kind)
        y = _target_values(columns["target"], decided)
        classes = tuple(np.unique(y).tolist()) if decided == "classification" else ()
        X, excluded = _inputs(table, columns)
        fields = {
            "table": table,
            "target": target,
            "kind": decided,
            "reason": reason,
            "classes": classes,
            "positive": _positive_class(classes, positive, target, y),
            "X": X,
            "y": y,
            "groups": group_labels(columns["groups"]) if groups is not None else None,
            "time": time_order(columns["time"]) if time is not None else None,
            "weights": row_weights(columns["weights"]) if weights is not None else None,
            "roles": roles,
            "notes": (*left_out, *excluded),
            "is_kind_given": kind is not None,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def copy_with(self, **fields: Any) -> Task:
        """Another task with some fields as given: what was decided over more rows than it has."""
        other = object.__new__(type(self))
        for name in self.__dataclass_fields__:
            object.__setattr__(other, name, fields.get(name, getattr(self, name)))
        return other

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @property
    def groups_column(self) -> str | None:
        """The name of the column that says which rows belong together."""
        return self.roles.get("groups")

    @property
    def time_column(self) -> str | None:
        """The name of the column that orders the rows."""
        return self.roles.get("time")

    @property
    def weights_column(self) -> str | None:
        """The name of the column of sample weights."""
        return self.roles.get("weights")

    def __repr__(self) -> str:
        inputs = f"{plural(self.n_rows, 'row')}, {plural(self.X.n_columns, 'input')}"
        rows = [("kind", f"{self.kind}: {self.reason}{self._other_kind()}")]
        if self.classes:
            rows.append(("classes", _class_names(self.classes)))
        if self.positive is not None:
            rows.append(("positive", f"{self.positive!s}; positive={self._negative()!r} asks for the other"))
        title = f"Task: predict '{shorten(self.target, 30)}' from {inputs}"
        return "\n".join([title, *align_cells(rows), *note_lines(self.notes)])

    def _other_kind(self) -> str:
        """How to ask for the other kind, where the target could be either."""
        if self.is_kind_given or self.table[self.target].kind != "number":
            return ""
        other = "regression" if self.kind == "classification" else "classification"
        return f"; kind='{other}' asks for the other"

    def _negative(self) -> Any:
        return next(name for name in self.classes if name != self.positive)


def _column_name(role: str, name: object) -> str:
    if isinstance(name, str):
        return name
    raise InputTypeError(
        f"{role} is the name of a column",
        where=f"{role} is {type(name).__name__}",
        fix=f"make it a column of the table, and say {role}= with its name",
    )


def _with_target(table: Table, target: Column) -> tuple[Table, list[str]]:
    """Rows that have a target, and a sentence about the others."""
    if len(target) == 0:
        raise DataError(
            "the table has no rows", where=f"target '{target.name}'", fix="read a table with rows"
        )
    missing = target.is_missing
    n_missing = int(missing.sum())
    if n_missing == len(target):
        raise DataError(
            f"the target '{target.name}' is missing everywhere",
            where=f"all {plural(len(target), 'row')}",
            fix="choose another target, or check which values are read as missing",
        )
    if n_missing == 0:
        return table, []
    note = f"{n_missing:,} of {plural(len(target), 'row')} left out: no value in '{target.name}'"
    return table[~missing], [note]


def _target_values(target: Column, kind: str) -> NDArray[Any]:
    """Strings for levels, whole numbers as int64, other classes of numbers by their spelling."""
    if target.kind in LEVEL_KINDS:
        return np.asarray(np.array(target.levels, dtype=np.str_)[target.values])
    if kind == "regression":
        _refuse_infinite(target)
        return target.values
    if are_whole(target):
        return target.values.astype(np.int64)
    return np.array([number_label(value) for value in target.values.tolist()], dtype=np.str_)


def _refuse_infinite(target: Column) -> None:
    infinite = np.isinf(target.values)
    if infinite.any():
        raise DataError(
            f"the target '{target.name}' holds infinity",
            where=first_of_rows(infinite),
            fix="leave those rows out, or correct them",
        )


def _positive_class(classes: tuple[Any, ...], positive: object, target: str, y: NDArray[Any]) -> Any:
    if positive is None:
        if len(classes) != 2:
            return None
        n_last = int(np.count_nonzero(y == classes[-1]))
        return classes[-1] if 2 * n_last <= len(y) else classes[0]
    if len(classes) != 2:
        raise RequestError(
            "only a target with two classes has a positive one",
            where=f"'{target}' has {plural(len(classes), 'class', 'classes')}",
            fix="leave positive out",
        )
    spelled = {str(name).lower() if isinstance(positive, bool) else str(name): name for name in classes}
    wanted = str(positive).lower() if isinstance(positive, bool) else str(positive)
    if wanted in spelled:
        return spelled[wanted]
    near = nearest_name(wanted, list(spelled))
    raise RequestError(
        f"'{target}' has no class {positive!r}",
        where=f"its classes are {_class_names(classes)}",
        fix=f"did you mean {near!r}?" if near else "use one of them",
    )


def _inputs(table: Table, columns: dict[str, Column]) -> tuple[Table, list[str]]:
    """Everything that may be learned from, and a sentence for each column that may not."""
    notes = [role_sentence(role, column) for role, column in columns.items() if role != "target"]
    taken = {column.name for column in columns.values()}
    for name, kind in table.kinds.items():
        if name in taken:
            continue
        if kind == "identifier":
            taken.add(name)
            notes.append(
                f"'{name}' is left out: identifier; kinds={{{name!r}: 'category'}} when reading keeps it"
            )
        elif kind == "text":
            names = (
                f"; it looks like names or addresses, and drop=[{name!r}] leaves it out"
                if _are_names(table[name])
                else ""
            )
            notes.append(f"'{name}' is text: prepare_for makes words of it, else no learner takes it{names}")
        elif kind == "category" and _are_mostly_own(table[name]):
            notes.append(
                f"'{name}' has a level of its own in most rows, as names and identifiers have;"
                f" drop=[{name!r}] leaves it out"
            )
        elif kind == "number" and _counts_rows(table[name]):
            notes.append(f"'{name}' counts the rows; drop=[{name!r}] leaves it out")
    notes += _constant_notes([name for name in table.names if name not in taken], table)
    left = [name for name in table.names if name not in taken]
    if not left:
        raise RequestError(
            "no column is left to learn from",
            where=f"{plural(table.n_columns, 'column')}, {len(taken)} of them target, role or identifier",
            fix="read a table with more columns, or read one of those as a category",
        )
    return table.select(left), notes


def _are_names(column: Column) -> bool:
    """Whether texts look like names: short, and most rows have one of their own."""
    texts = [text for text in column.values if text is not None]
    is_own = len(set(texts)) > len(texts) / 2
    return is_own and sum(len(text.split()) for text in texts) <= MOST_WORDS_OF_A_NAME * len(texts)


def _are_mostly_own(column: Column) -> bool:
    """Whether there are more levels than half of the rows that have one."""
    known = column.values[column.values >= 0]
    return len(known) >= FEWEST_ROWS_OF_A_HINT and 2 * len(np.unique(known)) > len(known)


def _counts_rows(column: Column) -> bool:
    """Whether whole numbers rise from row to row, from 0 or 1 on; rows without a target may be left out."""
    numbers = column.values
    if len(numbers) < FEWEST_ROWS_OF_A_HINT or numbers[0] not in (0.0, 1.0):
        return False
    steps = np.diff(numbers)
    return bool((steps >= 1).all() and (steps % 1 == 0).all() and 2 * (steps == 1).sum() > len(steps))


def _constant_notes(names: list[str], table: Table) -> list[str]:
    """A sentence for all columns that hold the same value in every row."""
    constant = [name for name in names if _is_constant(table[name])]
    if not constant:
        return []
    shown = first_few([f"'{name}'" for name in constant], MOST_NAMED)
    if len(constant) == 1:
        return [f"{shown} holds one value alone and tells nothing"]
    return [f"{len(constant):,} columns hold one value alone and tell nothing: {shown}"]


def _is_constant(column: Column) -> bool:
    """Whether every row has the same value; a value that is missing in some rows may tell something."""
    if len(column) < 2 or column.kind in STRING_KINDS or column.n_missing:
        return False
    return bool((column.values == column.values[0]).all())


def _class_names(classes: tuple[Any, ...]) -> str:
    shown = ", ".join(shorten(str(name), 24) for name in classes[:12])
    return shown + (f", … ({len(classes)} in all)" if len(classes) > 12 else "")


def check_distinct_roles(roles: dict[str, str]) -> None:
    """No column may be the target and the groups at once, or the like; `roles` is role -> column."""
    role_of: dict[str, str] = {}
    for role, name in roles.items():
        if name in role_of:
            raise RequestError(
                f"column '{name}' cannot be two things at once",
                where=f"given as {role_of[name]} and as {role}",
                fix="give each role a column of its own",
            )
        role_of[name] = role


def group_labels(column: Column) -> NDArray[Any]:
    """One label per row; rows with the same label belong together in every split."""
    _refuse_missing(column, "groups", "drop those rows, or fill in what they belong to")
    labels = column.values if column.kind in NUMERIC_KINDS else np.array(column.labels(), dtype=np.str_)
    if len(np.unique(labels)) < 2:
        raise DataError(
            f"the groups '{column.name}' are one and the same",
            where=f"one group in {plural(len(column), 'row')}",
            fix="leave groups out, or choose a column with several",
        )
    return labels


def time_order(column: Column) -> NDArray[np.float64]:
    """A number per row, later is larger."""
    _require(column, "time", NUMERIC_KINDS, "a date or a number")
    _refuse_missing(column, "time", "drop those rows, or fill in when they happened")
    return column.values


def row_weights(column: Column) -> NDArray[np.float64]:
    """The sample weight of each row."""
    _require(column, "weights", ("number",), "a number")
    _refuse_missing(column, "weights", "drop those rows, or give them weight 0")
    unfit = ~np.isfinite(column.values) | (column.values < 0)
    if unfit.any():
        raise DataError(
            f"weights '{column.name}' must be finite and not negative",
            where=first_of_rows(unfit, str(column.values[unfit][0])),
            fix="correct those weights, or set them to 0 to leave the rows out",
        )
    if not column.values.any():
        raise DataError(
            f"weights '{column.name}' are all zero", where=f"{len(column)} rows", fix="give some row a weight"
        )
    return column.values


def role_sentence(role: str, column: Column) -> str:
    """What is said about a column that left the inputs for its role."""
    if role == "groups":
        n_groups = len(column.levels) if column.kind in LEVEL_KINDS else len(set(column.values.tolist()))
        return f"'{column.name}' holds the groups ({n_groups:,}) and is not an input"
    return f"'{column.name}' holds the {role} and is not an input"


def _require(column: Column, role: str, kinds: tuple[str, ...], wanted: str) -> None:
    if column.kind not in kinds:
        raise DataError(
            f"{role} must be {wanted}",
            where=f"column '{column.name}' is {column.kind}",
            fix=f"choose another column, or read it with kinds={{{column.name!r}: {kinds[-1]!r}}}",
        )


def _refuse_missing(column: Column, role: str, fix: str) -> None:
    missing = column.is_missing
    if missing.any():
        raise DataError(
            f"{role} '{column.name}' has missing values",
            where=first_of_rows(missing),
            fix=fix,
        )
