"""The data of a study in plain values: columns with kinds and gaps, classes, what the reader noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heldout.charts.theme import N_CLASS_COLOURS

# A page with more is longer than anyone reads.
MOST_PICTURES = 24
_KEPT = ("name", "kind", "role", "n_missing", "n_levels", "n_distinct", "quantiles", "reason")


def data_facts(
    study: Mapping[str, Any], profile: Mapping[str, Any], models: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """What the page shows of the data; empty where the study file has no profile.

    study, profile: the bodies of their facts
    models:         as `recorded_models` gives them; where there are no classes, they say which columns matter
    """
    columns = [each for each in profile.get("columns") or () if isinstance(each, Mapping)]
    if not columns:
        return {}
    n_rows, names = int(profile.get("n_rows") or 0), [str(each) for each in profile.get("classes") or ()]
    sizes = list(profile.get("class_counts") or ())
    order = _class_order(sizes)
    classes, sizes = ([each[place] for place in order] for each in (names, sizes))
    found = [_column(each, n_rows, order) for each in columns]
    return {
        "n_rows": n_rows,
        "n_columns": len(columns),
        "n_table_rows": study.get("n_table_rows"),
        "target": str(profile.get("target") or ""),
        "reason": str(profile.get("reason") or ""),
        "classes": classes,
        "class_counts": sizes,
        "class_bits": entropy_bits(sizes),
        "columns": _drawn(found, {} if classes else _ranks(models, found)),
        "notes": _notes(study, profile),
    }


def _class_order(sizes: Sequence[int]) -> list[int]:
    """The order of the classes; where there are more than colours, the most frequent ones get them."""
    places = list(range(len(sizes)))
    return places if len(sizes) <= N_CLASS_COLOURS else sorted(places, key=lambda place: -sizes[place])


def _column(column: Mapping[str, Any], n_rows: int, order: Sequence[int]) -> dict[str, Any]:
    counts = column.get("counts") or []
    if len(counts) == len(order):
        counts = [counts[place] for place in order]
    is_input = column.get("role") == "input"
    return {name: column.get(name) for name in _KEPT} | {
        "missing_share": int(column.get("n_missing") or 0) / n_rows if n_rows else 0.0,
        "bits": shared_bits(counts) if order and is_input and counts else None,
        "deviations": chance_deviations(counts) if order and is_input and counts else None,
        "levels": [str(level) for level in column.get("levels") or ()],
        "counts": [list(each) for each in counts],
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


def _notes(study: Mapping[str, Any], profile: Mapping[str, Any]) -> list[str]:
    """What the reader noticed, then what the task left out; nothing twice."""
    said = [*(study.get("notes") or ()), *(profile.get("notes") or ())]
    return list(dict.fromkeys(str(note) for note in said))


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
