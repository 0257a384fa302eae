"""What the ledger keeps of a cell: the cell with its arrays, its scores, and the looks at rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.ledger.chain import json_number
from heldout.ledger.fact import Entry
from heldout.ledger.plan_facts import CellClock, CellFact, CellRecord, ScoreFact
from heldout.stats.interval import plain

if TYPE_CHECKING:
    from heldout.study.cells.cell import CellResult


def cell_entries(result: CellResult) -> list[Entry]:
    """The entries of a cell, for one transaction.

    The body of a cell has two parts: "result" is the same whenever and wherever the cell is computed;
    "clock" has the seconds. Predictions and the positions of the test rows ("rows") are arrays beside it.
    """
    key = result.key.text
    cell = CellFact(_record(result), CellClock(result.seconds))
    scores = [
        ScoreFact(metric, value, result.name).entry(f"{key}:{metric}")
        for metric, value in result.scores.items()
    ]
    looks = [look.entry(f"{key}:{look.what}") for look in result.looks]
    return [cell.entry(key, _arrays(result)), *scores, *looks]


def shown_setting(setting: dict[str, Any]) -> dict[str, Any]:
    """A setting as JSON can hold it; what has no plain form is written as Python shows it."""
    return {name: _shown(value) for name, value in setting.items()}


def _shown(value: Any) -> Any:
    found = plain(value)
    if isinstance(found, float | int | str | bool) or found is None:
        return found if not isinstance(value, float) else json_number(value)
    if isinstance(found, list) and not isinstance(value, np.ndarray):
        return [_shown(entry) for entry in value]
    if isinstance(found, list):
        return found
    if isinstance(found, dict) and isinstance(value, dict):
        return {str(name): _shown(entry) for name, entry in value.items()}
    return " ".join(repr(value).split())


def _record(result: CellResult) -> CellRecord:
    return CellRecord(
        contender=result.key.contender,
        name=result.name,
        repeat=result.key.repeat,
        fold=result.key.fold,
        fold_digest=result.fold_digest,
        n_rows=len(result.rows),
        chosen=shown_setting(result.chosen),
        chosen_index=result.chosen_index,
        tuned_by=result.tuned_by,
        choice_scores=tuple(result.choice_scores.tolist()),
        scores=result.scores,
        bits=result.bits,
        bits_are_foreign=result.bits_are_foreign,
        notes=result.notes,
    )


def _arrays(result: CellResult) -> dict[str, Any]:
    return dict(result.predictions) | {"rows": np.asarray(result.rows, dtype=np.int64)}
