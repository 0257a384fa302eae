"""The one look: a contender that was tuned and fitted on all open rows, scored on the held ones.

The score is written into the study file before anyone sees it: whoever stops the program in between
has lost the answer, and not gained a free one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import SealError
from heldout.ledger.fact import Entry
from heldout.ledger.study_facts import LookFact
from heldout.ledger.verdict_facts import LaterEnds, UnsealFact
from heldout.results.standings import open_estimate
from heldout.split.sealed_split import SealedBy
from heldout.stats.looks import bits_of_answers
from heldout.study.cells.cell_entries import shown_setting
from heldout.study.cells.chosen_on import Chosen, chosen_on
from heldout.study.cells.fold_predictions import fold_predictions
from heldout.study.planned_contender import PlannedContender, plan_contender
from heldout.study.runners.runner import hold_interrupts
from heldout.study.seal.final_score import FinalScore, final_score
from heldout.study.seal.held_look import (
    HeldDetail,
    all_predictions,
    check_allowed,
    check_request,
    earlier_looks,
    predictions_on_held,
    refuse_metric_of_models,
)
from heldout.study.seal.held_score import held_score, later_ends

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.study.cells.fold_predictions import PredictedModel
    from heldout.study.cells.work import Work
    from heldout.study.files.table_at_hand import TableAtHand
    from heldout.study.study import Study
    from heldout.table.task import Task


def unseal(
    study: Study, at_hand: TableAtHand, contender: Any, reason: Any = None, detail: str = "score"
) -> FinalScore:
    """The score of a contender on the held rows; see `Study.unseal`.

    at_hand: where the held rows are
    """
    reason = check_request(reason, detail)
    if not len(study.seal.held_rows):
        raise SealError(
            "there is nothing to unseal: no rows were held back when the study was made",
            where=f"'{study.path}', held=0",
            fix="make a study with held=0.2; what cross-validation says of the open rows stays as it is",
        )
    requested = plan_contender(study, contender)
    known = study.ledger.fact("unseal", _key(requested, detail))
    if known is not None:
        return recorded_score(study, known)
    with study.ledger.writing():
        known = study.ledger.fact("unseal", _key(requested, detail))
        if known is not None:  # another process was quicker
            return recorded_score(study, known)
        return _looked(study, at_hand, requested, reason, detail)


def recorded_score(study: Study, fact: Fact) -> FinalScore:
    """The score as it was given before, at no cost."""
    body, full = UnsealFact.read(fact), None
    if body.shows_rows:
        kind = "classification" if body.classes else "regression"
        full = HeldDetail(kind, body.classes, body.positive, study.ledger.arrays(fact))
    return FinalScore.of_dict(body.final, full)


def _key(requested: PlannedContender, detail: str) -> str:
    """The same for the same model and question, whichever plan it comes from."""
    return requested.key + (":full" if detail == "full" else "")


def _looked(
    study: Study, at_hand: TableAtHand, requested: PlannedContender, reason: str, detail: str
) -> FinalScore:
    earlier, was_given_away = earlier_looks(study.ledger)
    looks_allowed = study.looks_allowed
    check_allowed(len(earlier), looks_allowed, reason, was_given_away)
    work = requested.work(study)
    refuse_metric_of_models(work.choose_by)
    whole = at_hand.whole_task()
    chosen = chosen_on(work, requested.contender)
    rows = study.seal.held_rows
    is_stratified = study.seal.by is SealedBy.CLASSES
    with _failing_on_record(study, requested):
        held, model_predictions, notes = predictions_on_held(work, chosen.fitted, whole, rows, is_stratified)
    found = held_score(held, earlier)
    classes = whole.classes
    n_answers = all_predictions(len(rows), len(classes)) if detail == "full" else found.n_answers
    arrays = (
        _detail_arrays(work, model_predictions, whole, rows, requested.contender.name)
        if detail == "full"
        else {}
    )
    final = final_score(
        found,
        contender=requested.contender.name,
        looks_allowed=looks_allowed,
        bits=bits_of_answers(n_answers),
        n_rows=len(rows),
        was_given_away=was_given_away,
        open_estimate=open_estimate(
            study.ledger, requested.plan_digest, requested.contender.digest, work.resolved.choose_by
        ),
        chosen=shown_setting(chosen.choice.setting),
        reason=reason,
        detail=detail,
        notes=tuple(dict.fromkeys(map(_sentence, [*found.notes, *chosen.notes, *notes]))),
    )
    later = () if detail == "full" else later_ends(held, earlier, n_answers)
    body = _unseal_fact(final, requested, whole, None if detail == "full" else str(n_answers), later)
    looks = _look_entries(study, requested, chosen, final)
    facts = study.ledger.append([body.entry(_key(requested, detail), arrays), *looks])
    # As it is read back, so that this answer and the next are the same to the last digit.
    return recorded_score(study, facts[0])


def _unseal_fact(
    final: FinalScore,
    requested: PlannedContender,
    whole: Task,
    n_answers: str | None,
    later: tuple[LaterEnds, ...],
) -> UnsealFact:
    return UnsealFact(
        final=final.to_dict(),
        contender=final.contender,
        contender_digest=requested.contender.digest,
        plan=requested.plan_digest,
        metric=final.metric,
        score=final.adaptive,
        fixed=final.fixed,
        look_number=final.look,
        looks_allowed=final.looks_allowed,
        reason=final.reason,
        detail=final.detail,
        bits=final.bits,
        bits_before=final.bits_before,
        n_rows=final.n_rows,
        n_classes=len(whole.classes),
        classes=tuple(whole.classes),
        positive=whole.positive,
        n_answers=n_answers,
        later=later,
        is_used_up=final.is_used_up,
        was_given_away=final.was_given_away,
        text=str(final),
    )


@contextmanager
def _failing_on_record(study: Study, requested: PlannedContender) -> Iterator[None]:
    """A learner that fails on held rows has seen what they hold, but for the target: a look, for 0 bits."""
    try:
        yield
    except BaseException:
        look = LookFact.at_rows("fail", f"unseal {requested.contender.name}", study.seal.held_rows, "held")
        with hold_interrupts():
            study.ledger.append([look.entry(f"unseal fails {study.ledger.n_facts}")])
        raise


def _sentence(note: str) -> str:
    return note if note.endswith((".", "!", "?")) else f"{note}."


def _look_entries(
    study: Study, requested: PlannedContender, chosen: Chosen, final: FinalScore
) -> list[Entry]:
    every = np.arange(study.task.n_rows)
    name = requested.contender.name
    key = f"unseal {final.look}"
    baseline = f"unseal {name}: what guessing gets"
    looks = {
        "fit": LookFact.at_rows("fit", f"unseal {name}", every, "open"),
        "baseline fit": LookFact.at_rows("fit", baseline, every, "open"),
        "baseline score": LookFact.at_rows("score", baseline, every, "open"),
        "held": LookFact.at_rows(
            "show" if final.detail == "full" else "score",
            f"unseal {name}",
            study.seal.held_rows,
            "held",
            bits=final.bits,
            reason=final.reason,
            gives_all=final.detail == "full",
        ),
    }
    if chosen.choice.n_fits:
        looks = {"tune": LookFact.at_rows("tune", f"unseal {name}", every, "open")} | looks
    return [look.entry(f"{key}:{step}") for step, look in looks.items()]


def _detail_arrays(
    work: Work, model_predictions: PredictedModel, whole: Task, rows: NDArray[np.intp], by: str
) -> Mapping[str, NDArray[Any]]:
    stated = fold_predictions(work, model_predictions, len(rows), by)
    if not whole.classes:
        return {"rows": rows.astype(np.int64), "truth": whole.y[rows], "answers": stated["values"]}
    # The held rows may hold a class that no open row has.
    indices = np.searchsorted(np.array(whole.classes), np.array(work.classes))
    arrays: dict[str, NDArray[Any]] = {
        "rows": rows.astype(np.int64),
        "truth": np.searchsorted(np.array(whole.classes), whole.y[rows]).astype(np.int32),
        "answers": indices[stated["labels"]].astype(np.int32),
    }
    if "probabilities" in stated:
        probabilities = np.zeros((len(rows), len(whole.classes)))
        probabilities[:, indices] = stated["probabilities"]
        arrays["probabilities"] = probabilities
    return arrays
