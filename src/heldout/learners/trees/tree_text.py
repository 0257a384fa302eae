"""A tree as text, in the user's own names.

The layout is C4.5's: one line per branch, a bar per level, and at a leaf the prediction with the weight of
the training rows in it and how much of that weight has another class. Parts below a given depth are
folded into one line.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.learners.trees.tree_structure import LEVEL_SET, MULTIWAY, THRESHOLD, TreeStructure
from heldout.table.column import date_label, number_label

BAR = "|   "
SECONDS_A_DAY = 86_400
MOST_LEVELS = 10
_SEPARATORS = (": ", " (", ", ", "{", "}")

LeafText = Callable[[int], str]


def tree_text(
    structure: TreeStructure, schema: InputSchema, leaf_text: LeafText, max_depth: int | None = 30
) -> str:
    """One line per branch.

    structure: the tree
    schema:    the names of its columns and levels
    leaf_text: what a node predicts, with its counts
    max_depth: deeper parts are folded; None shows everything, and all levels of a group
    """
    if not structure.children(0):
        return leaf_text(0)
    if max_depth == 0:
        return f"{leaf_text(0)} {_folded(structure, 0)}"
    most_levels = None if max_depth is None else MOST_LEVELS
    lines: list[str] = []
    waiting = [(child, 1) for child in reversed(structure.children(0))]
    while waiting:
        node, depth = waiting.pop()
        start = BAR * (depth - 1) + branch_text(structure, schema, node, most_levels)
        children = structure.children(node)
        if not children:
            lines.append(f"{start}: {leaf_text(node)}")
        elif max_depth is not None and depth >= max_depth:
            lines.append(f"{start}: {leaf_text(node)} {_folded(structure, node)}")
        else:
            lines.append(start)
            waiting += [(child, depth + 1) for child in reversed(children)]
    return "\n".join(lines)


def branch_text(
    structure: TreeStructure, schema: InputSchema, node: int, most_levels: int | None = None
) -> str:
    """The condition under which a row goes from its parent to this node.

    most_levels: how many levels of a group are named; None names all
    """
    return " ".join(branch_parts(structure, schema, node, most_levels))


def branch_parts(
    structure: TreeStructure, schema: InputSchema, node: int, most_levels: int | None = None
) -> tuple[str, str, str]:
    """That condition as the column, the sign, and what the value is compared with."""
    grown = structure.grown
    parent = int(grown.parent[node])
    column = schema.columns[int(grown.feature[parent])]
    is_first = node == grown.first_child[parent]
    kind = grown.split_kind[parent]
    name = shown_label(column.name)
    if kind == THRESHOLD:
        return name, "<=" if is_first else ">", _shown_threshold(structure, parent, column)
    if kind == MULTIWAY:
        return name, "=", shown_level(column.levels[int(grown.branch_level[node])])
    assert kind == LEVEL_SET
    labels = [shown_level(column.levels[level]) for level in structure.levels_in_set(parent)]
    if most_levels is not None and len(labels) > most_levels:
        labels[most_levels:] = [f"… ({len(labels) - most_levels} more)"]
    if len(labels) == 1:
        return name, "=" if is_first else "!=", labels[0]
    return name, "in" if is_first else "not in", f"{{{', '.join(labels)}}}"


def shown_label(label: str) -> str:
    """The label itself, quoted if it would be misread."""
    return label if label.isprintable() and label.strip() == label and label else repr(label)


def shown_level(level: str) -> str:
    """A level or a class, quoted also if it has in it what stands between the parts of a line."""
    is_ambiguous = level[:1] in "'\"" or any(mark in f"{level} " for mark in _SEPARATORS)
    return repr(level) if is_ambiguous else shown_label(level)


def shown_number(number: float, below: float, above: float) -> str:
    """The number with six digits, or as many more as it takes to stay in the gap.

    below, above: the number shown must be at least the first and less than the second
    """
    for digits in (6, 9, 12, 15):
        rounded = float(f"{number:.{digits}g}")
        if below <= rounded < above:
            return number_label(rounded)
    return number_label(number)


def shown_count(weight: float) -> str:
    """A weight, without decimals where it is whole, else with two at most."""
    if weight == int(weight):
        return str(int(weight))
    return f"{weight:.2f}".rstrip("0").rstrip(".") if weight >= 0.01 else f"{weight:.2g}"


def shown_rows(n_rows: int, weight: float) -> str:
    """How many rows made a prediction, and their weight where that is another number."""
    rows = f"{n_rows} {'row' if n_rows == 1 else 'rows'}"
    return rows if math.isclose(weight, n_rows, rel_tol=1e-9) else f"{rows} of weight {shown_count(weight)}"


def shown_cut(threshold: float, below: float, above: float, kind: str) -> str:
    """A threshold of a number or a date, rounded as far as it stays in its gap.

    below, above: the training values on both sides
    kind:         of the column
    """
    if kind != "date":
        return shown_number(threshold, below, above)
    day, second = math.floor(threshold), round(threshold * SECONDS_A_DAY) / SECONDS_A_DAY
    for rounded in (day, second):
        if below <= rounded < above:
            return date_label(rounded)
    return date_label(threshold)


def _shown_threshold(structure: TreeStructure, node: int, column: InputColumn) -> str:
    grown = structure.grown
    threshold, below, above = (
        float(numbers[node]) for numbers in (grown.threshold, grown.gap_below, grown.gap_above)
    )
    return shown_cut(threshold, below, above, column.kind)


def _folded(structure: TreeStructure, node: int) -> str:
    levels, leaves = int(structure.heights[node]), int(structure.leaves_below[node])
    return f"[{leaves:,} leaves in {levels:,} more {'level' if levels == 1 else 'levels'} folded]"
