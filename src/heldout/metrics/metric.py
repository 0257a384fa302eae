"""A metric: a number that judges answers, and what has to be known to use it."""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import InputTypeError, RequestError
from heldout.metrics.scorer_predictions import scorer_predictions
from heldout.stats.metric_families import OTHER, Family
from heldout.text.words import suggestion

NEEDS = ("labels", "probabilities", "scores", "values", "model")


@dataclass(frozen=True)
class Metric:
    """A function of what is true and what was answered, with its name, direction and range.

    Parameters
    ----------
    name
        as it is asked for
    function
        takes y and the answers, and gives a number; with `weights` among its parameters it can weigh
        rows. What needs a model takes the model alone
    needs
        the answers it judges: "labels", "probabilities" (a column per class), "scores" (the higher, the
        more likely the positive class), "values" (numbers), or a fitted "model"
    is_larger_better
        its direction
    lowest, highest
        no answer gets less or more
    description
        what it is, in a few words
    options
        arguments that are always handed to the function
    plain_family
        its family (`heldout.stats.metric_families`) while no option is set that changes it; one of your own
        has none, and is measured by leaving out rows
    built_in
        the name of the built-in metric that it is, whatever it is called; empty for one of your own

    Examples
    --------
    >>> share = Metric("share", lambda y, answers: 0.75, needs="labels", is_larger_better=True, highest=1.0)
    >>> share([1, 0], [1, 0]), share.direction
    (0.75, 'larger is better')
    """

    name: str
    function: Callable[..., Any]
    needs: str = "labels"
    is_larger_better: bool = True
    lowest: float = -math.inf
    highest: float = math.inf
    description: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    plain_family: Family = OTHER
    built_in: str = ""

    def __post_init__(self) -> None:
        if self.needs not in NEEDS:
            raise RequestError(
                f"a metric cannot need {self.needs!r}",
                where=f"metric {self.name!r}",
                fix=suggestion(str(self.needs), NEEDS),
            )
        if not callable(self.function) or not isinstance(self.name, str) or not self.name:
            raise InputTypeError(
                "a metric needs a name and a function",
                where=f"name={self.name!r}, function={self.function!r:.60}",
                fix="use @metric(name=…) above a function of y and the answers",
            )
        if not self.lowest < self.highest:
            raise RequestError(
                "the lowest value of a metric lies below the highest",
                where=f"metric {self.name!r}, {self.lowest} and {self.highest}",
                fix="turn them around; leave out what has no bound",
            )

    def __call__(self, *judged: Any, weights: Any = None, **options: Any) -> float:
        """The metric of y and the answers, or of a model.

        weights: the sample weight of each row
        options: for the function, such as positive=… or average="macro"
        """
        given = dict(self.options) | options | ({} if weights is None else {"weights": weights})
        for name in given:
            if not self.takes(name):
                raise RequestError(
                    f"the metric {self.name!r} takes no {name}",
                    where=f"{name}={given[name]!r:.60}",
                    fix=f"leave it out, or give the function a parameter {name}",
                )
        return self._checked(self.function(*judged, **given))

    def __str__(self) -> str:
        words = f": {self.description}" if self.description else ""
        return f"{self.name}{words}; {self.direction}, from {self.lowest:g} to {self.highest:g}"

    @property
    def direction(self) -> str:
        """In words."""
        return "larger is better" if self.is_larger_better else "smaller is better"

    @property
    def sign(self) -> int:
        """1 if larger is better, else −1: what makes every metric one to enlarge."""
        return 1 if self.is_larger_better else -1

    @property
    def best(self) -> float:
        """The value of perfect answers."""
        return self.highest if self.is_larger_better else self.lowest

    @property
    def family(self) -> Family:
        """What the metric is made of, which decides its intervals, comparisons, resamples and looks.

        An average over classes, or an F of another β, is no longer of the family of F1.

        Examples
        --------
        >>> from heldout.metrics.metric_registry import metric_named
        >>> f1 = metric_named("f1")
        >>> [type(each.family).__name__ for each in (f1, f1.using(name="my F1"), f1.using(average="macro"))]
        ['FMeasure', 'FMeasure', 'Family']
        """
        is_changed = not self.plain_family.options.issuperset(dict(self.options))
        return OTHER if is_changed else self.plain_family

    def row_sums(
        self, y: Any, predictions: Any, weights: Any = None, **options: Any
    ) -> NDArray[np.float64] | None:
        """What each row adds to the score, rows × parts; None where it is not a function of sums over rows.

        Parameters
        ----------
        y, predictions
            as the metric takes them
        weights
            the sample weights, by which the parts are multiplied
        options
            positive and labels, where they are not among the metric's own options

        Examples
        --------
        >>> from heldout.metrics.metric_registry import metric_named
        >>> error = metric_named("mae")
        >>> parts = error.row_sums([1.0, 2.0], [1.0, 5.0])
        >>> parts.tolist(), error.from_sums(parts.sum(axis=0)).item()
        ([[0.0, 1.0], [3.0, 1.0]], 1.5)
        """
        parts = self.family.row_sums(np.asarray(y), np.asarray(predictions), options | dict(self.options))
        return parts if parts is None or weights is None else parts * np.asarray(weights)[:, np.newaxis]

    def from_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score that sums over rows make: … × parts give … scores; NaN where rows have no score."""
        with np.errstate(all="ignore"):
            return self.family.from_sums(sums)

    def settings_scores(self, y: NDArray[Any], predictions: NDArray[Any]) -> NDArray[np.float64] | None:
        """The score of each line of predictions, to the bit what a call gives; None where it takes calls.

        Parameters
        ----------
        y
            one true label or number per row
        predictions
            settings × rows, as `Sweep.predict` gives them

        Examples
        --------
        >>> from heldout.metrics.metric_registry import metric_named
        >>> y, predictions = np.array([0, 1, 1, 1]), np.array([[0, 1, 0, 1], [0, 1, 1, 1]])
        >>> metric_named("accuracy").settings_scores(y, predictions).tolist()
        [0.75, 1.0]
        """
        return self.family.settings_scores(y, predictions) if len(y) and predictions.size else None

    def options_for(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """What the function takes of the known labels and positive class, if the metric has not set it."""
        own = dict(self.options)
        # An average is over the classes that occur; only a positive class may be missing from these rows.
        left = {name: known[name] for name in known if name != "labels" or own.get("average") is None}
        return {name: value for name, value in left.items() if name not in own and self.takes(name)}

    def positive_class(self, options: Mapping[str, Any]) -> Any:
        """The positive class: of the metric's own options, else of these; None where there is none."""
        return dict(self.options).get("positive", options.get("positive"))

    def is_better(self, first: float, second: float) -> bool:
        """Whether the first value is better than the second; NaN never is, and any number is better than NaN.

        Examples
        --------
        >>> error = Metric("error", lambda y, answers: 0.5, is_larger_better=False)
        >>> error.is_better(0.1, 0.2), error.is_better(float("nan"), 0.2), error.is_better(0.2, float("nan"))
        (True, False, True)
        """
        if math.isnan(first) or math.isnan(second):
            return math.isnan(second) and not math.isnan(first)
        return self.sign * first > self.sign * second

    def takes(self, name: str) -> bool:
        """Whether the function has a parameter of this name."""
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):  # some functions of C do not tell
            return False
        return any(each.name == name or each.kind is each.VAR_KEYWORD for each in parameters)

    def using(self, name: str | None = None, **options: Any) -> Metric:
        """The same metric with some options set.

        Parameters
        ----------
        name
            of the new metric; left out, the options are written behind the old one
        options
            for the function

        Examples
        --------
        >>> from heldout.metrics.metric_registry import metric_named
        >>> print(metric_named("f1").using(average="macro").name)
        f1 (average=macro)
        """
        known = dict(self.options) | options
        named = name or f"{self.name} ({', '.join(f'{key}={value}' for key, value in options.items())})"
        return dataclasses.replace(self, name=named, options=tuple(known.items()))

    def scorer(self, estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """What scikit-learn takes as `scoring=metric.scorer`: larger is always better there.

        Of two classes the last of `classes_` is the positive one, unless `using(positive=…)` says otherwise.

        Parameters
        ----------
        estimator
            fitted
        X, y
            rows that it is judged by
        sample_weight
            the sample weight of each row
        """
        predictions, known = scorer_predictions(
            self.needs, estimator, X, y, dict(self.options).get("positive")
        )
        weights = None if self.needs == "model" else sample_weight
        judged = (predictions,) if self.needs == "model" else (y, predictions)
        return self.sign * self(*judged, weights=weights, **self.options_for(known))

    def __reduce__(self) -> tuple[Any, ...]:
        # Below @metric the name of the function is the metric, and no pickle could find the function.
        module = getattr(self.function, "__module__", "__main__")
        path = getattr(self.function, "__qualname__", "")
        if module != "__main__" and getattr(sys.modules.get(module), path, None) is self:
            return _found, (module, path)
        return Metric, tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    def _checked(self, value: Any) -> float:
        if isinstance(value, Real) or hasattr(value, "__float__"):
            try:
                return float(value)
            except (TypeError, ValueError):
                pass
        raise InputTypeError(
            f"the metric {self.name!r} did not give a number",
            where=f"it gave {value!r:.60}",
            fix="let its function return a float; NaN where there is none",
        )


def _found(module: str, name: str) -> Metric:
    import importlib

    found: Metric = getattr(importlib.import_module(module), name)
    return found
