"""The learning curve: scores against the number of rows that were learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Rows
from heldout.errors import HeldoutError, RequestError
from heldout.plan.plan_checks import checked_split
from heldout.results.judged_contender import recorded_contender
from heldout.split.assign_folds import shuffled, strata_of
from heldout.split.k_fold import KFold
from heldout.split.row_facts import RowFacts, dense
from heldout.study.cells.chosen_on import Chosen
from heldout.study.cells.fold_predictions import metric_value, needs_of, predicted_by
from heldout.study.cells.guarded_fit import Notes, failing_as, record_warnings
from heldout.study.cells.recipe import TrainingPart
from heldout.study.curves.curve import Curve, CurveRequest, recorded_curve
from heldout.study.curves.curve_work import CurveNotes, chosen_on_few, curve_work, metric_record, n_repeats
from heldout.text.numbers import number_text, number_texts, percent_text

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.plan.contender import Contender
    from heldout.split.split import Split
    from heldout.study.cells.work import Work
    from heldout.study.study import Study

FRACTIONS = (0.1, 0.2, 0.35, 0.5, 0.75, 1.0)


@dataclass(frozen=True, eq=False)
class LearningCurve(Curve):
    """Scores on test folds against the size of the training part; `places` are its mean sizes.

    fractions: of the training parts

    Examples
    --------
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
        means, sizes = self.test_means, self.x_values
        if first == last:
            return f"With {sizes[last]:,} training rows {self.metric} is {number_text(float(means[last]))}."
        went = f"From {sizes[first]:,} to {sizes[last]:,} training rows {self.metric} went from"
        ends = f"{number_text(float(means[first]))} to {number_text(float(means[last]))}"
        own = f"On its own training rows it is {number_text(float(self.train_means[last]))}."
        return f"{went} {ends}, {self._gain(first, last)} {own}"

    def _compared(self) -> tuple[int, int]:
        """The largest size that was measured, and the one nearest to half of it."""
        measured = np.flatnonzero(~np.isnan(self.test_means))
        if not len(measured):
            return -1, -1
        last = int(measured[-1])
        halves = [abs(float(self.x_values[index]) - self.x_values[last] / 2) for index in measured]
        return int(measured[int(np.argmin(halves))]), last

    def _gain(self, first: int, last: int) -> str:
        found = self.gain(first, last)
        if found is None:
            return "by the mean over folds, which cannot tell how far that holds."
        is_better = found.estimate >= 0
        ends = (found.low, found.high) if is_better else (-found.high, -found.low)
        by, low, high, _ = number_texts([abs(found.estimate), *ends, float(self.test_means[last])])
        interval = f"{percent_text(found.confidence)} interval {low} to {high}, cross-validated t"
        messages = f"{'better' if is_better else 'worse'} by {by} ({interval})"
        if found.low > 0:
            return f"{messages}: more rows like these may still help."
        if found.high < 0:
            return f"{messages}: more rows made it worse, which is worth a look at the learner."
        return f"{messages}: whether more rows would help, these rows do not tell."


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
    chosen = recorded_contender(study.ledger, contender)
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
        model_predictions = predicted_by(fitted.learner, X, needs_of([metric]))
        return metric_value(metric, model_predictions, judged, notes, type(fitted.learner).__name__)

    with failing_as(fitted.name, chosen.choice.setting), record_warnings(notes):
        found = score(work.part(rows)), score(work.part(test))
    for note in dict.fromkeys([*chosen.notes, *notes.sentences]):
        curve_notes.add(note)
    return found


# Tells this shuffling from others with the same seed.
_SHRINKING = 51


def shrunken(
    facts: RowFacts, rows: Rows, fractions: Sequence[float], seed: int, fold: tuple[int, int] = (0, 0)
) -> list[Rows]:
    """Parts of the rows, one per fraction; a smaller one is part of a larger one.

    facts:     of all rows
    rows:      the training part
    fractions: of its size, above 0 and up to 1
    seed:      of the draw
    fold:      repeat and number of the fold, so that each draws its own

    Where rows have a time, the latest are kept: who has less history has the recent one. Groups are taken
    whole, as many as come nearest to the size.
    """
    known = facts.take(rows)
    units = _units(known)
    order = _latest_first(known, units) if known.time is not None else _dealt(known, units, (seed, *fold))
    sizes = np.bincount(units)[order]
    reached = np.cumsum(sizes)
    parts = []
    for fraction in fractions:
        n_units = _nearest(reached, fraction * len(rows))
        is_kept = np.zeros(len(sizes), dtype=bool)
        is_kept[order[:n_units]] = True
        parts.append(rows[is_kept[units]])
    return parts


def _units(facts: RowFacts) -> Rows:
    """What is kept or left as a whole: moments of time, groups, or rows."""
    if facts.time is not None:
        return dense(facts.time_codes)[0]
    if facts.groups is not None:
        return dense(facts.group_codes)[0]
    return np.arange(facts.n_rows, dtype=np.intp)


def _latest_first(facts: RowFacts, units: Rows) -> Rows:
    return np.arange(int(units.max()) + 1, dtype=np.intp)[::-1]


def _dealt(facts: RowFacts, units: Rows, key: tuple[int, ...]) -> Rows:
    """The units in an order of which every beginning has about the shares of the whole."""
    strata, n_strata = _strata_of_units(facts, units)
    dealt = shuffled(strata, n_strata, (*key, _SHRINKING))
    counts = np.bincount(strata, minlength=n_strata)
    starts = np.cumsum(counts) - counts
    in_order = strata[dealt]
    # The i-th of n in its stratum stands at (i + ½) / n of the way.
    way = (np.arange(len(dealt)) - starts[in_order] + 0.5) / counts[in_order]
    return dealt[np.argsort(way, kind="stable")]


def _strata_of_units(facts: RowFacts, units: Rows) -> tuple[Rows, int]:
    """The stratum of each unit: that of its row, or the one that most rows of a group have."""
    strata, n_strata = strata_of(facts, n_parts=2)
    n_units = int(units.max()) + 1
    if n_units == facts.n_rows:
        by_unit = np.empty(n_units, dtype=np.intp)
        by_unit[units] = strata
        return by_unit, n_strata
    counts = np.bincount(units * n_strata + strata, minlength=n_units * n_strata)
    return dense(counts.reshape(n_units, n_strata).argmax(axis=1).astype(np.intp))


def _nearest(reached: NDArray[np.int64], wanted: float) -> int:
    """How many units come nearest to the wanted number of rows, at least one."""
    return int(np.abs(reached - wanted).argmin()) + 1
