"""Metrics by name: those that are built in, and those that users add."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from heldout.errors import InputTypeError, RequestError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.text.words import suggestion

_BUILT_IN_NAMES = frozenset(each.name for each in BUILT_IN)
_known: dict[str, Metric] = {each.name: each for each in BUILT_IN}

# Names that others use, each with ours.
_SYNONYMS = {
    "f": "f1",
    "roc_auc": "auc",
    "auc_roc": "auc",
    "neg_log_loss": "log_loss",
    "brier_score": "brier",
    "average_precision": "pr_area",
    "auc_pr": "pr_area",
    "tpr": "recall",
    "tnr": "specificity",
    "ppv": "precision",
    "r_squared": "r2",
}

METRICS: Mapping[str, Metric] = MappingProxyType(_known)


def metric_named(name: Any) -> Metric:
    """The metric of this name; a Metric is handed back as it is.

    Examples
    --------
    >>> print(metric_named("accuracy"))
    accuracy: the share of rows predicted right; larger is better, from 0 to 1
    >>> metric_named("accurcy")
    Traceback (most recent call last):
    heldout.errors.RequestError: there is no metric 'accurcy'
      where: metric='accurcy'
      fix:   did you mean 'accuracy'?
    """
    if isinstance(name, Metric):
        return name
    if not isinstance(name, str):
        raise InputTypeError(
            "a metric is asked for by its name",
            where=f"{name!r:.60} is a {type(name).__name__}",
            fix="give a name, a Metric, or put @metric(…) above your function",
        )
    if name in _known:
        return _known[name]
    meant = _SYNONYMS.get(name.lower().replace("-", "_").replace(" ", "_"))
    raise RequestError(
        f"there is no metric {name!r}",
        where=f"metric={name!r}",
        fix=f"did you mean {meant!r}?" if meant else suggestion(name, list(_known)),
    )


def metric(
    name: str | None = None,
    needs: str = "labels",
    is_larger_better: bool = True,
    range: tuple[float, float] = (-math.inf, math.inf),
    description: str = "",
) -> Callable[[Callable[..., Any]], Metric]:
    """Make a metric of a function, and know it by its name.

    The function takes y and the answers and gives a number; with a parameter `weights` it can weigh rows.
    Defined again, as in a notebook, it replaces itself; a metric that is built in cannot be replaced.

    Parameters
    ----------
    name
        left out, that of the function
    needs
        "labels", "probabilities", "scores", "values" or "model"
    is_larger_better
        its direction
    range
        the lowest and the highest value
    description
        left out, the first line of the docstring

    Examples
    --------
    >>> @metric(needs="values", is_larger_better=False, range=(0, math.inf))
    ... def worst_error(y, predicted):
    ...     "the largest absolute error"
    ...     return max(abs(a - b) for a, b in zip(y, predicted))
    >>> worst_error([1, 2], [1, 5]), metric_named("worst_error").direction
    (3.0, 'smaller is better')
    """
    if callable(name):
        raise InputTypeError(
            "the decorator is called", where="@metric", fix="write @metric() above the function"
        )

    def made(function: Callable[..., Any]) -> Metric:
        called = name or str(getattr(function, "__name__", ""))
        if called in _BUILT_IN_NAMES:
            raise RequestError(
                f"{called!r} is built in",
                where="@metric",
                fix="give your metric a name of its own with name=…",
            )
        words = description or (function.__doc__ or "").strip().split("\n")[0].rstrip(".")
        found = Metric(called, function, needs, is_larger_better, *range, description=words)
        _known[called] = found
        return found

    return made
