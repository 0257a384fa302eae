"""What a run leaves in the study file at its end: the verdict in words and numbers, and the winner itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.errors import HeldoutError
from heldout.ledger.fact import Entry
from heldout.models.save_model import file_bytes
from heldout.plan.contender import Contender
from heldout.split.fingerprint import rows_digest
from heldout.split.split_of_dict import split_of_dict
from heldout.stats.result import plain
from heldout.study.cells.cell_entries import shown_setting
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.files.create_study import look_body
from heldout.study.files.versions import versions
from heldout.study.ship import refuse_foreign
from heldout.verdict.rule_of_dict import rule_of_dict

if TYPE_CHECKING:
    from heldout.study.cells.work import Work
    from heldout.study.results.study_result import StudyResult
    from heldout.study.study import Study

ROWS_INSIDE = "it keeps the rows that it learned from, which stay with the user"


def verdict_entry(study: Study, result: StudyResult) -> Entry:
    """The verdict as a fact, with all that a page about it needs."""
    record = result.record
    body: dict[str, Any] = result.to_dict() | {
        "n_contenders": result.verdict.n_contenders,
        "notes": list(result.verdict.details),
        "rule": rule_of_dict(record["rule"]).words,
        "folds": str(split_of_dict(record["folds"])),
        "tuning": str(split_of_dict(record["tuning"])),
        "versions": versions(),
    }
    return Entry("verdict", f"{result.plan_digest}:{study.ledger.head}", plain(body), once=True)


def model_entries(work: Work, contender: Contender) -> list[Entry]:
    """The contender tuned and fitted on all open rows, as bytes of a model file, and the looks it took.

    A model that keeps rows, as neighbors do, or that no model file can hold, is described without its bytes.
    """
    every = np.arange(work.n_rows)
    key = f"{contender.digest}:{rows_digest(every)}:{work.resolved.protocol_digest}"
    chosen = chosen_on(work, contender)
    why_not = keeps_rows(chosen.fitted.learner) or _foreign(contender)
    arrays = {}
    if not why_not:
        content = file_bytes(chosen.model)
        arrays["file"] = np.frombuffer(content, dtype=np.uint8)
    body = {
        "contender": contender.digest,
        "name": contender.name,
        "rows": rows_digest(every),
        "n_rows": work.n_rows,
        "setting": shown_setting(chosen.choice.setting),
        "bits": chosen.fitted.description_bits(),
        "without_file": why_not,
        "notes": list(chosen.notes),
    }
    looks = [Entry("look", f"model:{key}:fit", look_body("fit", contender.name, every, "open"), once=True)]
    if chosen.choice.n_fits:
        body_of_tuning = look_body("tune", contender.name, every, "open")
        looks.insert(0, Entry("look", f"model:{key}:tune", body_of_tuning, once=True))
    return [Entry("model", key, plain(body), arrays, once=True), *looks]


def model_key(work: Work, contender: Contender) -> str:
    """Under which the study file knows the model of a contender on all open rows."""
    return f"{contender.digest}:{rows_digest(np.arange(work.n_rows))}:{work.resolved.protocol_digest}"


def keeps_rows(learner: Any) -> str:
    """Why a fitted learner must not be written into the study file; empty if it may."""
    from heldout.learners.neighbors_classifier import NeighborsClassifier
    from heldout.learners.neighbors_regressor import NeighborsRegressor

    last = learner.steps[-1][1] if hasattr(learner, "steps") else learner
    return ROWS_INSIDE if isinstance(last, NeighborsClassifier | NeighborsRegressor) else ""


def _foreign(contender: Contender) -> str:
    try:
        refuse_foreign(contender)
    except HeldoutError as error:
        return error.what
    return ""
