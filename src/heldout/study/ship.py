"""The fielded model: chosen on the open rows, fitted on every row, saved with where it comes from.

The estimate stays what it was: it was made without the held rows, or once with them, and more
rows to learn from do not make it worse on average. Of the winner it is the verdict's number, corrected for
the choosing; of another contender its own, and the file says which.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import InputTypeError, RequestError
from heldout.ledger.fact import Entry
from heldout.ledger.study_facts import LookFact
from heldout.ledger.verdict_facts import UnsealFact
from heldout.models.model_file import cannot_be_saved, find_record, save
from heldout.models.pipeline_steps import is_pipeline, is_skipped, without_threshold
from heldout.results.seal_state import read_seal_state
from heldout.results.standings import open_estimate
from heldout.study.cells.cell_entries import shown_setting
from heldout.study.cells.chosen_on import tuned
from heldout.study.cells.fit_contender import FittedContender, fit_contender
from heldout.study.cells.guarded_fit import Notes, failing_as, one_algebra_thread, record_warnings
from heldout.study.files.table_at_hand import versions
from heldout.study.planned_contender import PlannedContender, plan_contender
from heldout.table.table import Table
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.plan.contender import Contender
    from heldout.results.judged_contender import JudgedContender
    from heldout.study.cells.tune import Choice
    from heldout.study.cells.work import Work
    from heldout.study.files.table_at_hand import TableAtHand
    from heldout.study.study import Study
    from heldout.table.task import Task


@dataclass(frozen=True)
class Shipped:
    """A model that was written to a file.

    path:       of the file
    provenance: what stands in it about where the model comes from
    """

    path: str
    provenance: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.path}: {self.provenance['sentence']}"

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them."""
        return {"path": self.path, "provenance": self.provenance}


def ship(study: Study, at_hand: TableAtHand, contender: Any, path: Any) -> Shipped:
    """Choose on the open rows, fit on every row, save; see `Study.ship`.

    at_hand: where the held rows are
    """
    index = _index(path)
    requested = plan_contender(study, contender)
    refuse_foreign(requested.contender)
    with study.ledger.writing():
        work = requested.work(study)
        whole = at_hand.whole_task()
        notes = Notes()
        with one_algebra_thread(), record_warnings(notes):
            choice = _choice(work, requested.contender, notes)
            # Written down before a learner sees the held rows: one that fails on them has seen them too.
            study.ledger.append(_look_entries(study, requested, index, is_tuned=choice.n_fits > 0))
            fitted = _fitted(work, requested.contender, choice, whole)
        provenance = _provenance(study, requested, choice.setting, whole) | {"notes": list(notes.sentences)}
        provenance["reading"] = found_reading(
            whole.table, source.options if (source := at_hand.record.source) else None
        )
        save(fitted.model, index, provenance)
    return Shipped(str(index), provenance)


def _choice(work: Work, contender: Contender, notes: Notes) -> Choice:
    """The setting that is best on the open rows."""
    every = np.arange(work.n_rows)
    inner = work.inner_folds(every) if work.is_tuned(contender) else ()
    return tuned(work, contender, inner, every, notes)


def _fitted(work: Work, contender: Contender, choice: Choice, whole: Task) -> FittedContender:
    """That setting, fitted on every row."""
    seed = work.seed_of(contender)
    with failing_as(contender.name, choice.setting, doing="all rows"):
        fitted = fit_contender(contender, whole.X, whole.y, whole.weights, whole.groups, choice.setting, seed)
    return fitted.by_choice(choice, work.positive)


def refuse_foreign(contender: Contender) -> None:
    """Refuse a learner or preparation that a model file cannot hold, before anything is fitted."""
    parts = [contender.learner]
    if contender.prepare is not None and contender.prepare != "auto":
        parts.append(contender.prepare)
    for part in parts:
        for step in _steps(part):
            if find_record(step) is None:
                found = cannot_be_saved(step)
                raise InputTypeError(
                    f"{contender.name} cannot be shipped: a model file holds learners of Heldout alone, and"
                    f" {type(step).__name__} is none",
                    where=f"contender '{contender.name}'",
                    fix=f"{found.fix}; or fit it yourself and keep its pickle, which runs code when read",
                )


def _steps(part: Any) -> list[Any]:
    if not is_pipeline(part):
        return [without_threshold(part)]
    return [each for _, step in part.steps if not is_skipped(step) for each in _steps(step)]


def _index(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise InputTypeError(
            "a model is saved in a file", where=f"path={path!r:.60}", fix="give a path, such as 'churn.model'"
        )
    index = Path(os.path.abspath(Path(path).expanduser()))
    is_folder = os.path.isdir(index)
    if is_folder or not os.path.isdir(index.parent):
        raise RequestError(
            "a model cannot be saved here",
            where=f"'{index}' is a folder" if is_folder else f"there is no folder '{index.parent}'",
            fix="name a file in a folder that is there",
        )
    return index


def _look_entries(study: Study, requested: PlannedContender, index: Path, is_tuned: bool) -> list[Entry]:
    """The looks of shipping: the held rows were fitted, and nothing was said about them."""
    by = f"ship {requested.contender.name}"
    key = f"ship {study.ledger.n_facts}"
    seen = np.arange(study.task.n_rows)
    held = study.seal.held_rows
    entries = [LookFact.at_rows("refit", by, seen, "open", path=index.name).entry(f"{key}:open")]
    if is_tuned:
        entries.insert(0, LookFact.at_rows("tune", by, seen, "open").entry(f"{key}:tune"))
    others = np.sort(np.concatenate([held, study.seal.left_out_rows]))
    if len(others):
        entries.append(LookFact.at_rows("refit", by, others, "held", path=index.name).entry(f"{key}:held"))
    return entries


def _provenance(
    study: Study, requested: PlannedContender, setting: dict[str, Any], whole: Task
) -> dict[str, Any]:
    metric = requested.plan.choose_by
    assert metric is not None
    estimate = open_estimate(study.ledger, requested.plan_digest, requested.contender.digest, metric)
    state = read_seal_state(study.ledger).words
    looked = study.ledger.fact("unseal", requested.key) or study.ledger.fact(
        "unseal", f"{requested.key}:full"
    )
    sentence = (
        f"{requested.contender.name}, fitted on all {plural(whole.n_rows, 'row')} after it was chosen on"
        f" {study.task.n_rows:,}; the seal was {state}. The estimate is that of models trained on fewer rows."
    )
    return {
        "sentence": sentence,
        "study": study.digest,
        "head": study.ledger.head,
        "seal": {"state": state, "n_held": len(study.seal.held_rows), "digest": study.seal.digest},
        "n_rows": whole.n_rows,
        "n_open": study.task.n_rows,
        "target": whole.target,
        "contender": requested.contender.name,
        "contender_digest": requested.contender.digest,
        "plan": requested.plan_digest,
        "setting": shown_setting(setting),
        "metric": metric.name,
        "estimate": None if estimate is None else estimate.to_dict(),
        "corrected": _corrected(requested.judged),
        "race": "" if requested.judged is None else requested.judged.race_words,
        "final_score": None if looked is None else UnsealFact.read(looked).score.to_dict(),
        "versions": versions(),
    }


def _corrected(judged: JudgedContender | None) -> dict[str, Any] | None:
    """The number of the verdict, corrected for the choosing, if it is this contender that it chose."""
    return judged.verdict.number.to_dict() if judged is not None and judged.is_winner else None


# What build_table says where commas mark decimals; a later file of a few rows may not show it.
COMMAS_FOUND = "the file has decimal commas"
_ORDERS = {"day/month/year": True, "month/day/year": False}


def found_reading(table: Table, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The options of `read_table` by which new rows are read as these were.

    table:   as it was read, with its notes
    options: what was said when it was read
    """
    messages = options or {}
    found = {
        name: messages[name] for name in ("missing", "decimal", "day_first") if messages.get(name) is not None
    }
    if "decimal" not in found and any(note.startswith(COMMAS_FOUND) for note in table.notes):
        found["decimal"] = ","
    orders = {
        is_first for column in table.columns for is_first in [_order(column.reason)] if is_first is not None
    }
    if "day_first" not in found and len(orders) == 1:
        found["day_first"] = orders.pop()
    return found


def _order(reason: str) -> bool | None:
    return next((is_first for words, is_first in _ORDERS.items() if f"date, {words}" in reason), None)
