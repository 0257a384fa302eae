"""The learning curve: scores against the number of rows that were learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError, RequestError
from heldout.plan.plan_checks import checked_split
from heldout.split.k_fold import KFold
from heldout.stats.shown_number import shown, shown_alike, shown_percent
from heldout.study.cells.answered_model import answered_by, metric_value
from heldout.study.cells.chosen_on import Chosen
from heldout.study.cells.fold_scores import needs_of
from heldout.study.cells.heard_warnings import Notes, heard
from heldout.study.cells.learner_failure import failing_as
from heldout.study.cells.named_contender import contender_of
from heldout.study.cells.training_part import TrainingPart
from heldout.study.curves.chosen_on_few import CurveNotes, chosen_on_few
from heldout.study.curves.curve import Curve
from heldout.study.curves.curve_fact import CurveRequest, recorded_curve
from heldout.study.curves.curve_work import curve_work, metric_record, n_repeats
from heldout.study.curves.training_sizes import shrunken

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.plan.contender import Contender
    from heldout.split.split import Split
    from heldout.study.cells.work import Work
    from heldout.study.study import Study

FRACTIONS = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class LearningCurve(Curve):
    """Scores on test folds against the size of the training part; `places` are its mean sizes.

    fractions: of the training parts

    >>> scores = np.array([[0.70, 0.80], [0.72, 0.81], [0.69, 0.83]])
    >>> found = LearningCurve("tree", "accuracy", True, (0.0, 1.0), (50, 100), scores + 0.1, scores, 150,
    ...                       fractions=(0.5, 1.0))
    >>> print(found.takeaway)
    From 50 to 100 training rows accuracy went from 0.703 to 0.813, better by 0.110 (95% interval 0.006 to \
0.214, cross-validated t): more rows like these may still help. On its own training rows it is 0.913.
    """

    fractions: tuple[float, ...] = field(default=())

    name: ClassVar[str] = "learning curve"

    @property
    def across(self) -> str:
        return "training rows"

    @property
    def takeaway(self) -> str:
        first, last = self._compared()
        means, sizes = self.test_means, self.places
        if first == last:
            return f"With {sizes[last]:,} training rows {self.metric} is {shown(float(means[last]))}."
        went = f"From {sizes[first]:,} to {sizes[last]:,} training rows {self.metric} went from"
        ends = f"{shown(float(means[first]))} to {shown(float(means[last]))}"
        own = f"On its own training rows it is {shown(float(self.train_means[last]))}."
        return f"{went} {ends}, {self._gain(first, last)} {own}"

    def _compared(self) -> tuple[int, int]:
        """The largest size that was measured, and the one nearest to half of it."""
        measured = np.flatnonzero(~np.isnan(self.test_means))
        if not len(measured):
            return -1, -1
        last = int(measured[-1])
        halves = [abs(float(self.places[place]) - self.places[last] / 2) for place in measured]
        return int(measured[int(np.argmin(halves))]), last

    def _gain(self, first: int, last: int) -> str:
        found = self.gain(first, last)
        if found is None:
            return "by the mean over folds, which cannot tell how far that holds."
        is_better = found.estimate >= 0
        ends = (found.low, found.high) if is_better else (-found.high, -found.low)
        by, low, high, _ = shown_alike([abs(found.estimate), *ends, float(self.test_means[last])])
        interval = f"{shown_percent(found.confidence)} interval {low} to {high}, cross-validated t"
        said = f"{'better' if is_better else 'worse'} by {by} ({interval})"
        if found.low > 0:
            return f"{said}: more rows like these may still help."
        if found.high < 0:
            return f"{said}: more rows made it worse, which is worth a look at the learner."
        return f"{said}: whether more rows would help, these rows do not tell."


def learning_curve(
    study: Study,
    contender: Contender | str,
    fractions: Sequence[float] | None = None,
    folds: Split | None = None,
    repeats: int = 1,
    metric: Metric | str | None = None,
    tuning: Split | None = None,
) -> LearningCurve:
    """Scores on test folds against the number of training rows, with the score on these rows beside it.

    The training part of each fold is made smaller, step by step: a smaller one is part of a larger one,
    classes keep their shares, groups stay whole, and of rows in time the latest are kept. Each size is tuned
    anew inside its own rows. The test part stays the same.

    study:     open rows only are used
    contender: a Contender, or the name of one that ran in this study
    fractions: of the training part, above 0 and up to 1; left out, 0.1, 0.2, 0.35, 0.5, 0.75 and 1
    folds:     left out, KFold(10, repeats=repeats)
    repeats:   of the folds that are taken if none are given
    metric:    left out, the one that a plan would choose by
    tuning:    the folds inside each training part; left out, KFold(5)

    The curve is kept in the study file: asked for again, it is read from there.
    """
    chosen = contender_of(study.ledger, contender)
    sizes = _checked_fractions(FRACTIONS if fractions is None else fractions)
    split = KFold(10, repeats=repeats) if folds is None else checked_split("folds", folds)
    inner = KFold(5) if tuning is None else checked_split("tuning", tuning, is_tuning=True)
    options = {
        "fractions": list(sizes),
        "folds": split.to_dict(),
        "tuning": inner.to_dict(),
        "metric": metric_record(metric),
        "seed": study.seed,
    }

    def measured() -> LearningCurve:
        return _measured(curve_work(study.task, chosen, split, metric, study.seed, inner), chosen, sizes)

    return recorded_curve(study, CurveRequest("learning", chosen, options), LearningCurve, measured)


def _checked_fractions(fractions: Any) -> tuple[float, ...]:
    try:
        given = list(fractions)
    except TypeError:
        given = [fractions]
    is_number = [isinstance(each, Real) and not isinstance(each, bool) for each in given]
    if not given or not all(is_number) or not all(0 < float(each) <= 1 for each in given):
        raise RequestError(
            "fractions lie above 0 and up to 1",
            where=f"fractions={fractions!r:.60}",
            fix="give shares of the training part, such as [0.25, 0.5, 1.0]",
        )
    return tuple(sorted({float(each) for each in given}))


def _measured(work: Work, contender: Contender, fractions: tuple[float, ...]) -> LearningCurve:
    notes = CurveNotes(len(work.folds))
    train, test = (np.full((len(work.folds), len(fractions)), math.nan) for _ in range(2))
    sizes = np.zeros(train.shape)
    errors: list[HeldoutError] = []
    for row, fold in enumerate(work.folds):
        parts = shrunken(
            work.facts, work.fit_rows(fold), fractions, work.resolved.seed, (fold.repeat, fold.number)
        )
        for column, rows in enumerate(parts):
            sizes[row, column] = len(rows)
            where = f"With {fractions[column]:.3g} of the training rows"
            try:
                chosen = chosen_on_few(work, contender, rows, notes, where)
                train[row, column], test[row, column] = _scores(work, chosen, rows, fold.test, notes)
            except HeldoutError as error:
                errors.append(error)
                notes.add(f"{where} it could not be fitted: {error.what}")
    if errors and np.isnan(test).all():
        raise errors[0]
    metric = work.choose_by
    return LearningCurve(
        contender.name,
        metric.name,
        metric.is_larger_better,
        (metric.lowest, metric.highest),
        tuple(int(size) for size in np.rint(sizes.mean(axis=0))),
        train,
        test,
        work.n_rows,
        notes.sentences,
        n_repeats(work.folds),
        work.facts.time is not None,
        fractions,
    )


def _scores(
    work: Work, chosen: Chosen, rows: Rows, test: Rows, curve_notes: CurveNotes
) -> tuple[float, float]:
    """The score of a fitted contender on the rows that it learned from, and on the test part."""
    metric, fitted, notes = work.choose_by, chosen.fitted, Notes()

    def score(judged: TrainingPart) -> float:
        X = fitted.prepared(judged.X)
        answered = answered_by(fitted.learner, X, needs_of([metric]))
        return metric_value(metric, answered, judged, notes, type(fitted.learner).__name__)

    with failing_as(fitted.name, chosen.choice.setting), heard(notes):
        found = score(work.part(rows)), score(work.part(test))
    for note in dict.fromkeys([*chosen.notes, *notes.sentences]):
        curve_notes.add(note)
    return found
