"""The validation curve: scores against the values of one parameter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from heldout.errors import InputTypeError, RequestError
from heldout.plan.contender import Contender
from heldout.plan.plan_checks import checked_split
from heldout.results.judged_contender import recorded_contender
from heldout.split.k_fold import KFold
from heldout.study.cells.guarded_fit import Notes, record_warnings
from heldout.study.cells.recipe import InnerFold
from heldout.study.cells.tune import tune
from heldout.study.curves.curve import Curve, CurveRequest, recorded_curve
from heldout.study.curves.curve_work import curve_work, metric_record, n_repeats
from heldout.text.numbers import number_text
from heldout.text.words import suggestion

if TYPE_CHECKING:
    from heldout.metrics.metric import Metric
    from heldout.split.split import Split
    from heldout.study.cells.work import Work
    from heldout.study.study import Study

NOT_A_RESULT = (
    "This is no result to report: whoever chooses by it has seen these rows. Tuning does the same choosing"
    " inside the training part of every fold, and the score of the fold then tells what that is worth."
)


@dataclass(frozen=True, eq=False)
class ValidationCurve(Curve):
    """Scores on validation rows and on training rows at each value of a parameter.

    parameter: whose values stand across

    Examples
    --------
    >>> train, test = np.array([[1.0, 0.9, 0.7]]), np.array([[0.8, 0.85, 0.7]])
    >>> found = ValidationCurve("near", "accuracy", True, (0.0, 1.0), (1, 5, 50), train, test, 90,
    ...                         parameter="k")
    >>> found.best_value
    5
    >>> print(found.takeaway)
    Of 3 values k = 5 has the best accuracy on validation rows, 0.850 (0.900 on training rows); at the \
worst, k = 50, it is 0.700.
    """

    parameter: str = field(default="")

    name: ClassVar[str] = "validation curve"
    kept_rows: ClassVar[str] = "validation rows"

    @property
    def across(self) -> str:
        return self.parameter

    @property
    def best_value(self) -> Any:
        """The first value with the best mean on validation rows, as tuning on all these rows would choose."""
        if self.best_index < 0:
            return None
        return self.x_values[self.best_index]

    @property
    def takeaway(self) -> str:
        means, best = self.test_means, self.best_index
        if best < 0:
            return f"No value of {self.parameter} has a {self.metric}."
        worst = int(np.nanargmin(means * (1 if self.is_larger_better else -1)))
        on_training = number_text(float(self.train_means[best]))
        scored = f"{number_text(float(means[best]))} ({on_training} on training rows)"
        if means[worst] == means[best]:
            return f"All {len(self.x_values)} values of {self.parameter} have the {self.metric} {scored}."
        lowest = number_text(float(means[worst]))
        least = f"at the worst, {self.parameter} = {self.x_values[worst]}, it is {lowest}."
        return (
            f"Of {len(self.x_values)} values {self.parameter} = {self.x_values[best]} has the best "
            f"{self.metric} on validation rows, {scored}; {least}"
        )


def validation_curve(
    study: Study,
    contender: Contender | str,
    parameter: str,
    values: Sequence[Any] | None = None,
    folds: Split | None = None,
    metric: Metric | str | None = None,
) -> ValidationCurve:
    """Scores on validation rows and on training rows against the values of one parameter.

    It shows where a learner is too simple (both scores are poor) and where it learns its rows by heart (only
    the one on training rows is good). The other parameters stay as the contender's learner has them. It is
    **no result to report**: choosing by it is what tuning does inside folds.

    study:     open rows only are used
    contender: a Contender, or the name of one that ran in this study
    parameter: of its learner, or of its preparation as "prepare__…"
    values:    left out, those of the contender's space
    folds:     left out, KFold(5), the folds by which a plan tunes
    metric:    left out, the one that a plan would choose by

    The curve is kept in the study file: asked for again, it is read from there.
    """
    chosen = recorded_contender(study.ledger, contender)
    tried = _values(chosen, parameter, values)
    alone = Contender(
        chosen.name, chosen.learner, {parameter: tried}, chosen.prepare, chosen.resample, chosen.choose
    )
    split = KFold(5) if folds is None else checked_split("folds", folds)
    options = {"folds": split.to_dict(), "metric": metric_record(metric), "seed": study.seed}

    def measured() -> ValidationCurve:
        return _measured(curve_work(study.task, alone, split, metric, study.seed), alone, parameter)

    return recorded_curve(study, CurveRequest("validation", alone, options), ValidationCurve, measured)


def _values(contender: Contender, parameter: Any, values: Any) -> list[Any]:
    if not isinstance(parameter, str):
        raise InputTypeError(
            "a parameter is asked for by its name",
            where=f"parameter={parameter!r:.60}",
            fix="give one name, such as 'max_depth'",
        )
    in_space = _values_in_space(contender)
    if values is None and parameter not in in_space:
        known = list(in_space)
        raise RequestError(
            f"the space of {contender.name!r} has no values of {parameter!r}",
            where=f"parameter={parameter!r:.60}",
            fix=suggestion(parameter, known) if known else "say which values to try: values=[…]",
        )
    tried = _distinct(in_space[parameter] if values is None else _listed(values))
    if len(tried) < 2:
        raise RequestError(
            "a curve needs two different values at least",
            where=f"{parameter!r} has {tried!r:.60}",
            fix="give a list of values to try: values=[…]",
        )
    return tried


def _listed(values: Any) -> list[Any]:
    if isinstance(values, np.ndarray):
        return list(values.tolist()) if values.ndim else [values.item()]
    # A set has no order of its own, and a curve needs one.
    is_one = isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable)
    return [values] if is_one else list(values)


def _distinct(values: Sequence[Any]) -> list[Any]:
    """Each value once, in order; 1 and True are two."""
    found: dict[tuple[type, str], Any] = {}
    for value in values:
        found.setdefault((type(value), repr(value)), value)
    return list(found.values())


def _values_in_space(contender: Contender) -> dict[str, list[Any]]:
    """Every parameter of the space with its values, in the order of the settings."""
    space = contender.space
    if isinstance(space, Mapping):
        return {name: list(values) for name, values in space.items()}
    found: dict[str, list[Any]] = {}
    for setting in space or ():
        for name, value in setting.items():
            found.setdefault(name, []).append(value)
    return found


def _measured(work: Work, contender: Contender, parameter: str) -> ValidationCurve:
    notes = Notes()
    with record_warnings(notes):
        kept = tune(
            work, contender, [InnerFold(work.fit_rows(fold), fold.test) for fold in work.folds], notes
        )
        own = tune(
            work,
            contender,
            [InnerFold(work.fit_rows(fold), work.fit_rows(fold)) for fold in work.folds],
            notes,
        )
    metric = work.choose_by
    return ValidationCurve(
        contender.name,
        metric.name,
        metric.is_larger_better,
        (metric.lowest, metric.highest),
        tuple(_shown_value(setting[parameter]) for setting in contender.settings()),
        own.fold_scores.T,
        kept.fold_scores.T,
        work.n_rows,
        (NOT_A_RESULT, *notes.sentences),
        n_repeats(work.folds),
        work.facts.time is not None,
        parameter,
    )


def _shown_value(value: Any) -> Any:
    """A value as JSON can hold it and a picture can show it."""
    if isinstance(value, np.generic):
        value = value.item()
    is_plain = isinstance(value, int | str) or (isinstance(value, float) and np.isfinite(value))
    return value if is_plain else str(value)
