"""What the SELECTs of trees and of rules share: the names that they add, their form, and their limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError
from heldout.inputs.input_schema import InputSchema
from heldout.learners.rules.condition import Condition
from heldout.models.sql_conditions import identifier, is_met, joined, label_literal, number_literal
from heldout.models.tree_answers import Label

MOST_LETTERS = 1_000_000


@dataclass(frozen=True)
class Numbered:
    """What each numbered end of a row answers: a node of a tree, or a rule.

    marker:  the name of the column that tells the number
    ends:    the numbers that a row can have
    best:    by number, the position of its class; not asked for without labels
    numbers: by number, the probabilities of the classes, or the mean
    labels:  the classes; None for a regression
    """

    marker: str
    ends: Sequence[int]
    best: Sequence[int]
    numbers: NDArray[np.float64]
    labels: tuple[Label, ...] | None


def source_name(table: str | tuple[str, ...]) -> str:
    """A table's name, or schema and name."""
    parts = (table,) if isinstance(table, str) else table
    if not isinstance(parts, tuple | list) or not all(isinstance(part, str) for part in parts):
        raise InputTypeError(
            "table must be a name, or a tuple of schema and name",
            where=f"table={table!r:.60}",
            fix='use a string such as "data", or a tuple such as ("main", "data")',
        )
    if not all(parts) or not parts:
        raise RequestError(
            "a table needs a name",
            where=f"table={table!r:.60}",
            fix='leave table out for "data", or give names that are not empty',
        )
    return ".".join(map(identifier, parts))


def added_names(
    schema: InputSchema,
    labels: tuple[Label, ...] | None,
    prefix: str,
    marker: str | None = None,
    number: str = "probability",
) -> list[str]:
    """The answer's name, then that of each class's probability; no two alike, nor like a column's.

    marker: a further name that is added, or None
    number: what there is of each class
    """
    names = [f"{prefix}prediction"]
    taken = {names[0].casefold()}
    for label in labels or ():
        name = wanted = f"{prefix}{number}_{label}"
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted}_{count}"
        taken.add(name.casefold())
        names.append(name)
    _refuse_clashes(schema, taken if marker is None else {*taken, marker.casefold()})
    return names


def _refuse_clashes(schema: InputSchema, taken: set[str]) -> None:
    twice = [name for name, count in Counter(map(str.casefold, schema.names)).items() if count > 1]
    if twice:
        alike = [name for name in schema.names if name.casefold() == twice[0]]
        raise RequestError(
            "two columns differ only in capital letters, which SQL does not tell apart",
            where=" and ".join(map(repr, alike[:2])),
            fix='rename one and fit again, or export to "python"',
        )
    clashes = [name for name in schema.names if name.casefold() in taken]
    if clashes:
        raise RequestError(
            "a column of the table has the name of a column that the SQL adds",
            where=f"{clashes[0]!r}",
            fix='give a prefix for the names that are added, such as prefix="tree_"',
        )


def numbered_rows(cases: str, answers: Numbered, source: str, added: list[str]) -> str:
    """A SELECT that first finds the number of each row's end, and then what that answers.

    cases: an expression for the number
    added: as `added_names` gives them
    """
    marker = identifier(answers.marker)
    outputs = [_label(answers)] if answers.labels is not None else []
    n_numbers = len(answers.labels or (0,))
    outputs += [_number(answers, place) for place in range(n_numbers)]
    return (
        f'WITH "heldout_reached" AS (\n  SELECT t.*,\n    {cases} AS {marker}\n'
        f"  FROM {source} AS t\n)\n"
        f'SELECT r.*,\n{listed_outputs(outputs, added)}\nFROM "heldout_reached" AS r'
    )


def listed_outputs(outputs: list[str], names: list[str]) -> str:
    """Expressions with their names, one to a line."""
    pairs = zip(outputs, names, strict=True)
    return ",\n".join(f"  {output} AS {identifier(name)}" for output, name in pairs)


def claim(conditions: Sequence[Condition]) -> str:
    """That a row as a whole meets all conditions."""
    claims = [met for condition in conditions if (met := is_met(condition)) is not None]
    return joined(claims, "AND") if claims else "1 = 1"


def checked_length(statement: str, max_length: int, where: str, less: str) -> str:
    """The statement, if it is short enough.

    where: what makes it long
    less:  what makes it shorter
    """
    if len(statement) > max_length:
        raise RequestError(
            f"the SQL would have {len(statement):,} letters, and {max_length:,} are allowed",
            where=where,
            fix=f'export to "python" or "json", {less}, or allow more with max_length=',
        )
    return statement


def _label(answers: Numbered) -> str:
    assert answers.labels is not None
    cases = []
    for place, label in enumerate(answers.labels):
        places = ", ".join(str(number) for number in answers.ends if answers.best[number] == place)
        if places:
            cases.append(f"WHEN r.{identifier(answers.marker)} IN ({places}) THEN {label_literal(label)}")
    return f"CASE {' '.join(cases)} END"


def _number(answers: Numbered, place: int) -> str:
    """The probability of a class or the mean; ends without the class are left to ELSE."""
    numbers = {number: float(answers.numbers[number, place]) for number in answers.ends}
    cases = [f"WHEN {number} THEN {number_literal(value)}" for number, value in numbers.items() if value != 0]
    return f"CASE r.{identifier(answers.marker)} {' '.join(cases)} ELSE 0e0 END" if cases else "0e0"
