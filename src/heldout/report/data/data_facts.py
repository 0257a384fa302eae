"""The data of a study in plain values: columns with kinds and gaps, classes, what the reader noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heldout.charts.theme import N_CLASS_COLOURS
from heldout.ledger.study_facts import ColumnProfile, ProfileFact, StudyFact

# A page with more is longer than anyone reads.
MOST_PICTURES = 24


def data_facts(
    study: StudyFact, profile: ProfileFact, models: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """What the page shows of the data.

    `models` are as `recorded_models` gives them: where there are no classes, they say which columns matter.
    """
    order = _class_order(profile.class_counts)
    classes = [str(profile.classes[index]) for index in order]
    sizes = [profile.class_counts[index] for index in order]
    found = [_column(column, profile.n_rows, order) for column in profile.columns]
    return {
        "n_rows": profile.n_rows,
        "n_columns": len(profile.columns),
        "n_table_rows": study.n_table_rows,
        "target": profile.target,
        "reason": profile.reason,
        "classes": classes,
        "class_counts": sizes,
        "class_bits": entropy_bits(sizes),
        "columns": _drawn(found, {} if classes else _ranks(models, found)),
        # What the reader noticed, then what the task left out; nothing twice.
        "notes": list(dict.fromkeys([*study.notes, *profile.notes])),
    }


def _class_order(sizes: Sequence[int]) -> list[int]:
    """The order of the classes; where there are more than colours, the most frequent ones get them."""
    indices = list(range(len(sizes)))
    return indices if len(sizes) <= N_CLASS_COLOURS else sorted(indices, key=lambda index: -sizes[index])


def _column(column: ColumnProfile, n_rows: int, order: Sequence[int]) -> dict[str, Any]:
    counts = [list(each) for each in column.counts]
    if len(counts) == len(order):
        counts = [counts[index] for index in order]
    is_shown = bool(order and column.role == "input" and counts)
    return {
        "name": column.name,
        "kind": column.kind,
        "role": column.role,
        "n_missing": column.n_missing,
        "n_levels": column.n_levels,
        "n_distinct": column.n_distinct,
        "quantiles": None if column.quantiles is None else list(column.quantiles),
        "reason": column.reason,
        "missing_share": column.n_missing / n_rows if n_rows else 0.0,
        "bits": shared_bits(counts) if is_shown else None,
        "deviations": chance_deviations(counts) if is_shown else None,
        "levels": [str(level) for level in column.levels],
        "counts": counts,
    }


def _ranks(models: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The place of each column among those that matter to the models, the winner's first."""
    known = {str(each["name"]) for each in columns}
    ranks: dict[str, int] = {}
    for model in models:
        weighed = [(each["name"], each["mean"]) for each in model.get("importances") or ()]
        weighed += [(each["name"], each["estimate"]) for each in model.get("coefficients") or ()]
        ordered = [name for name, _ in sorted(weighed, key=lambda pair: -abs(pair[1] or 0.0))]
        for name in [*ordered, *(model.get("columns") or ())]:
            # A category has a coefficient for each of its levels.
            column = str(name) if str(name) in known else str(name).partition(" = ")[0]
            ranks.setdefault(column, len(ranks))
    return ranks


def _drawn(columns: Sequence[dict[str, Any]], ranks: Mapping[str, int]) -> list[dict[str, Any]]:
    """All of them, with the counts only of those that are drawn."""
    kept = [dict(each) | {"rank": ranks.get(str(each["name"]), len(ranks))} for each in columns]
    # Groups and times are not what is learned from, and their levels say nothing to a reader.
    drawn = [each for each in kept if each["counts"] and each["role"] in ("target", "input")]
    # The target comes first; then what says most of it, or matters most to the models.
    drawn.sort(key=lambda each: (each["role"] != "target", each["rank"], -(each["bits"] or 0.0)))
    chosen = {str(each["name"]) for each in drawn[:MOST_PICTURES]}
    for each in kept:
        if str(each["name"]) not in chosen:
            each["counts"] = []
    return kept


def shared_bits(counts: Sequence[Sequence[float]]) -> float:
    """The mutual information of a column and the class, in bits, without what chance alone would give.

    counts: one list per class: how many rows fall into each bin or level

    Counts of columns that say nothing share a little too: (classes − 1)(bins − 1) / (2 n ln 2) bits on
    average (Miller 1955), which are taken off.
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum() if table.ndim == 2 else 0.0
    if total <= 0:
        return 0.0
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0] / total
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    is_there = table > 0
    found = float((table[is_there] * np.log2(table[is_there] / expected[is_there])).sum())
    by_chance = (table.shape[0] - 1) * (table.shape[1] - 1) / (2 * total * np.log(2))
    return max(found - float(by_chance), 0.0)


def chance_deviations(counts: Sequence[Sequence[float]]) -> float:
    """How many standard deviations a column lies beyond what a column that says nothing would give.

    counts: as in `shared_bits`

    It is Pearson's sum over the cells of the table, brought to a normal scale (Wilson and Hilferty 1931).
    That stays near the truth where cells hold few rows; bits do not.
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum() if table.ndim == 2 else 0.0
    if total <= 0:
        return 0.0
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    if not freedom:
        return 0.0
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / total
    distance = float(((table - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((distance / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def entropy_bits(counts: Sequence[float]) -> float:
    """How uncertain the class is before anything is known, in bits."""
    known = np.asarray([count for count in counts if count > 0], dtype=np.float64)
    shares = known / known.sum() if len(known) else known
    return float(-(shares * np.log2(shares)).sum()) + 0.0
